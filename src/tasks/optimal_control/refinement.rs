//! Finer meshes until the error of every interval is small enough.

use super::errors::local_errors;
use super::meshes::Meshes;
use super::{OptimalControlError, OptimalControlOptions, is_solved, on_meshes};
use crate::discretisation::transcription::Trajectory;
use crate::results::Refined;
use crate::solver::mesh::MeshSolution;
use crate::tasks::Observer;
use crate::tasks::capability::Way;
use crate::tasks::cost::{self, Cost, Sizes};

/// A solution with its errors, and the meshes on the way to it.
pub(super) struct Refinement {
    pub found: MeshSolution,
    pub trajectory: Trajectory,
    pub errors: Vec<f64>,
    pub refinement: Vec<Refined>,
}

/// Estimates the errors of a solution, and where a tolerance is given doubles its mesh until they are below it, the limit on
/// intervals forbids it, or a finer mesh is not solved.
pub(super) fn refined(
    meshes: &Meshes<'_>,
    found: MeshSolution,
    options: &OptimalControlOptions,
    observer: &mut dyn Observer,
) -> Result<Refinement, OptimalControlError> {
    let mut current = judged(meshes, found, options)?;
    if !is_solved(current.found.status) {
        current.refinement.clear();
        return Ok(current);
    }
    let Some(tolerance) = options.tolerance else { return Ok(current) };
    loop {
        let (intervals, error) = (current.found.intervals, largest(&current.errors));
        // Without an estimate nothing can be said of a finer mesh either.
        let most = options.most_intervals.min(affordable(meshes));
        if error <= tolerance || current.errors.is_empty() || intervals > most / 2 {
            return Ok(current);
        }
        observer.note(&format!("the error of {intervals} intervals is {error:.1e}: twice as many are taken"));
        let from = Some((intervals, &current.found.solution.iterate));
        let finer = on_meshes(meshes, 2 * intervals, from, options, observer)?;
        let records = [&current.found.meshes[..], &finer.meshes].concat();
        let iterations = current.found.iterations + finer.iterations;
        if !is_solved(finer.status) {
            // What is solved stays the answer, unless the user has had enough.
            current.found = MeshSolution { meshes: records, iterations, ..current.found };
            if finer.status == crate::solver::constrained::Status::Interrupted {
                current.found.status = finer.status;
            }
            return Ok(current);
        }
        let mut next = judged(meshes, MeshSolution { meshes: records, iterations, ..finer }, options)?;
        current.refinement.append(&mut next.refinement);
        current = Refinement { refinement: current.refinement, ..next };
    }
}

/// Intervals that fit into memory.
fn affordable(meshes: &Meshes<'_>) -> usize {
    // A node has six coordinates.
    let nodes = (meshes.problem.mechanics.coordinates().len() as f64 / 6.0).max(1.0);
    let one = Sizes { nodes, steps: 1.0, micro: 1.0, modes: 0.0, runs: 1.0, every: 1.0, coordinates: 6.0 };
    (cost::limit() / Cost::of(Way::OptimalControl, one).bytes) as usize
}

/// The motion of a solution, with its errors and its Hamiltonian where they are wanted.
fn judged(
    meshes: &Meshes<'_>,
    found: MeshSolution,
    options: &OptimalControlOptions,
) -> Result<Refinement, OptimalControlError> {
    let (mesh, iterate) = (meshes.stated(found.intervals), &found.solution.iterate);
    let mut trajectory = mesh.trajectory(&iterate.x, &iterate.lambda)?;
    if options.estimate {
        // A motion without one is still a motion.
        trajectory.hamiltonian = mesh.hamiltonian(&trajectory, &iterate.x, &iterate.lambda).unwrap_or_default();
    }
    let errors = match is_solved(found.status) && (options.estimate || options.tolerance.is_some()) {
        true => local_errors(meshes.problem, &trajectory).unwrap_or_default(),
        false => Vec::new(),
    };
    let (time_steps, objective) = (found.intervals, found.solution.objective);
    let refinement = vec![Refined { time_steps, objective, error: largest(&errors) }];
    Ok(Refinement { found, trajectory, errors, refinement })
}

fn largest(errors: &[f64]) -> f64 {
    errors.iter().copied().fold(0.0, f64::max)
}
