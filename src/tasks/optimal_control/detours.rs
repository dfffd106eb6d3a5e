//! Further starts where the guess leads to no feasible motion.

use super::meshes::{Beginning, Meshes};
use super::{OptimalControlOptions, is_infeasible, is_solved, mesh_options, on_meshes};
use crate::discretisation::transcription::unreached;
use crate::solver::constrained::{Options, Status};
use crate::solver::mesh::{MeshError, MeshSolution};
use crate::tasks::Observer;

/// Detours are tried on meshes of at most so many intervals,
const TRIAL: usize = 100;
/// with at most so many iterations each.
const DETOUR: usize = 100;

/// What the guess leads to on all meshes. Where it leads to no motion on the coarsest, detours from it are tried there first:
/// they cost less than the finer meshes, on which the guess seldom does better.
pub(super) fn with_detours(
    meshes: &mut Meshes<'_>,
    intervals: usize,
    options: &OptimalControlOptions,
    observer: &mut dyn Observer,
) -> Result<MeshSolution, MeshError> {
    let list = mesh_options(intervals, options).meshes();
    let (first, next) = (list.first().copied().unwrap_or(intervals), list.get(1).copied());
    let beyond = next.map(|next| OptimalControlOptions { coarsest: next, ..options.clone() });
    let found = match (on_meshes(meshes, first, None, options, observer), &beyond) {
        // A coarsest mesh that cannot be begun is passed over.
        (Err(MeshError::Solve { .. }), Some(beyond)) => return on_meshes(meshes, intervals, None, beyond, observer),
        (found, _) => found?,
    };
    // No detour leads a coordinate on which no control acts elsewhere.
    let found = match is_infeasible(found.status) && unreached(meshes.problem).is_empty() {
        true => detoured(meshes, (first.min(TRIAL), intervals), found, options, observer)?,
        false => found,
    };
    let Some(beyond) = beyond else { return Ok(found) };
    let finer = match found.status {
        Status::Interrupted | Status::IterationLimit => return Ok(found),
        status if is_solved(status) && found.intervals == first => {
            on_meshes(meshes, intervals, Some((first, &found.solution.iterate)), options, observer)?
        }
        status if is_solved(status) => return Ok(found),
        _ => on_meshes(meshes, intervals, None, &beyond, observer)?,
    };
    Ok(joined(found, finer, true))
}

/// What detours from the guess lead to, tried on a coarse mesh and continued to the finest; what is known if to nothing.
fn detoured(
    meshes: &mut Meshes<'_>,
    (coarse, intervals): (usize, usize),
    mut found: MeshSolution,
    options: &OptimalControlOptions,
    observer: &mut dyn Observer,
) -> Result<MeshSolution, MeshError> {
    let max_iterations = options.solver.max_iterations.min(DETOUR);
    let solver = Options { max_iterations, ..options.solver.clone() };
    let short = OptimalControlOptions { solver, continued: false, ..options.clone() };
    for detour in 1..=options.detours {
        meshes.beginning = Beginning::Detour(detour);
        observer.note(&format!("no feasible motion was found from the guess; detour {detour} from it"));
        let mut trial = on_meshes(meshes, coarse, None, &short, observer)?;
        if is_solved(trial.status) && coarse < intervals {
            let finer = on_meshes(meshes, intervals, Some((coarse, &trial.solution.iterate)), options, observer)?;
            trial = joined(trial, finer, true);
        }
        let ends = is_solved(trial.status) || trial.status == Status::Interrupted;
        found = joined(found, trial, ends);
        if ends {
            return Ok(found);
        }
    }
    meshes.beginning = Beginning::Guess;
    Ok(found)
}

/// One search after another, of which the second or the first is kept.
fn joined(first: MeshSolution, second: MeshSolution, keep_second: bool) -> MeshSolution {
    let meshes = [&first.meshes[..], &second.meshes].concat();
    let iterations = first.iterations + second.iterations;
    MeshSolution { meshes, iterations, ..if keep_second { second } else { first } }
}
