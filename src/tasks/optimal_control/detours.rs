//! Further starts where the guess leads to no feasible motion.

use super::meshes::{Beginning, Meshes};
use super::{OptimalControlOptions, is_infeasible, is_solved, mesh_options, on_meshes};
use crate::discretisation::dmoc::unreached;
use crate::solver::constrained::{Options, Status};
use crate::solver::mesh::{MeshError, MeshSolution};
use crate::tasks::Observer;

/// Detours are tried on meshes of at most so many intervals,
const TRIAL: usize = 100;
/// with at most so many iterations each.
const DETOUR: usize = 100;

/// What was found, or where that is infeasible what detours from the guess lead to. They are tried on the coarsest mesh.
pub(super) fn detoured(
    meshes: &mut Meshes<'_>,
    intervals: usize,
    mut found: MeshSolution,
    options: &OptimalControlOptions,
    observer: &mut dyn Observer,
) -> Result<MeshSolution, MeshError> {
    // No detour leads a coordinate on which no control acts elsewhere.
    if !is_infeasible(found.status) || !unreached(meshes.problem).is_empty() {
        return Ok(found);
    }
    let coarsest = mesh_options(intervals, options).meshes().first().copied().unwrap_or(intervals).min(TRIAL);
    let max_iterations = options.solver.max_iterations.min(DETOUR);
    let short = OptimalControlOptions {
        solver: Options { max_iterations, ..options.solver.clone() },
        continued: false,
        ..options.clone()
    };
    for detour in 1..=options.detours {
        meshes.beginning = Beginning::Detour(detour);
        observer.note(&format!("no feasible motion was found from the guess; detour {detour} from it"));
        let mut trial = on_meshes(meshes, coarsest, None, &short, observer)?;
        let mut records = [&found.meshes[..], &trial.meshes].concat();
        let mut iterations = found.iterations + trial.iterations;
        if is_solved(trial.status) && coarsest < intervals {
            let from = Some((coarsest, &trial.solution.iterate));
            trial = on_meshes(meshes, intervals, from, options, observer)?;
            records.extend_from_slice(&trial.meshes);
            iterations += trial.iterations;
        }
        let ends = is_solved(trial.status) || trial.status == Status::Interrupted;
        let better = if ends { trial } else { found };
        found = MeshSolution { meshes: records, iterations, ..better };
        if ends {
            break;
        }
    }
    Ok(found)
}
