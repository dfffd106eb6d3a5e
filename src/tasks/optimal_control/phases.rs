//! Motions in phases: the least cost over the controls and the instants of switching.

use std::time::Instant;

use super::meshes::layout;
use super::{OptimalControlError, OptimalControlOptions, Optimum, Timing, continue_meshes};
use crate::discretisation::transcription::{PhasedProblem, PhasedTranscription, Trajectory};
use crate::nlp::Nlp;
use crate::nlp::graph::Graph;
use crate::solver::constrained::{Solution, Status};
use crate::solver::mesh::{MeshLayout, MeshRecord, OnMesh};
use crate::tasks::Observer;

/// What was found.
#[derive(Debug, Clone)]
pub struct PhasedOptimum {
    /// How the solve ended; only a solved problem has an optimum.
    pub status: Status,
    /// The cost.
    pub objective: f64,
    /// Motion and controls of each phase, time counted from its beginning.
    pub trajectories: Vec<Trajectory>,
    /// Number of iterations on all meshes.
    pub iterations: usize,
    /// The meshes in order, with the intervals of all phases.
    pub meshes: Vec<MeshRecord>,
    /// The answer of the solver on the last mesh.
    pub solution: Solution,
    /// Time of the solves, statements included.
    pub timing: Timing,
}

impl PhasedOptimum {
    /// Instants at which phases end, second.
    pub fn switches(&self) -> Vec<f64> {
        let ends = self.trajectories.iter().scan(0.0, |time, phase| {
            *time += phase.duration;
            Some(*time)
        });
        ends.collect()
    }
}

impl PhasedOptimum {
    /// The whole as one motion, with its parts.
    pub(super) fn joined(self) -> (Optimum, Vec<Trajectory>) {
        let mut whole = Trajectory::default();
        for part in &self.trajectories {
            let skipped = usize::from(!whole.times.is_empty());
            let begun = whole.duration;
            whole.times.extend(part.times.iter().skip(skipped).map(|time| begun + time));
            for (to, from) in [
                (&mut whole.q, &part.q),
                (&mut whole.momenta, &part.momenta),
                (&mut whole.multipliers, &part.multipliers),
                (&mut whole.costates, &part.costates),
            ] {
                to.extend(from.iter().skip(skipped).cloned());
            }
            whole.u.extend(part.u.iter().cloned());
            whole.duration += part.duration;
            whole.balance.energy += part.balance.energy;
            whole.balance.work += part.balance.work;
            whole.control_work.resize(part.control_work.len(), 0.0);
            whole.control_work.iter_mut().zip(&part.control_work).for_each(|(sum, work)| *sum += work);
            if skipped == 0 {
                whole.start_velocity.clone_from(&part.start_velocity);
            }
            whole.end_velocity.clone_from(&part.end_velocity);
        }
        let optimum = Optimum {
            status: self.status,
            objective: self.objective,
            trajectory: whole,
            iterations: self.iterations,
            meshes: self.meshes,
            errors: Vec::new(),
            refinement: Vec::new(),
            optima: None,
            solution: self.solution,
            infeasibility: None,
            verification: None,
            timing: self.timing,
        };
        (optimum, self.trajectories)
    }
}

/// Phases as mesh continuation sees them.
struct Meshes<'p>(PhasedTranscription<'p>);

impl OnMesh for Meshes<'_> {
    fn program(&self, intervals: usize) -> Box<dyn Nlp> {
        match self.0.on(intervals).program() {
            Ok(program) => Box::new(program),
            // A program without variables does not fit its layout, and so is refused.
            Err(_) => Box::new(Graph::new().build()),
        }
    }

    fn start(&self, intervals: usize) -> Vec<f64> {
        self.0.on(intervals).start()
    }

    fn layout(&self, intervals: usize) -> MeshLayout {
        let mesh = self.0.on(intervals);
        layout(mesh.variables(), mesh.rows())
    }
}

/// Solves a problem in phases, each on equal intervals.
pub fn solve_phases(
    problem: &PhasedProblem,
    options: &OptimalControlOptions,
    observer: &mut dyn Observer,
) -> Result<PhasedOptimum, OptimalControlError> {
    let clock = Instant::now();
    let meshes = Meshes(PhasedTranscription::new(problem)?);
    observer.phase("solving", 0);
    let found = continue_meshes(&meshes, problem.intervals(), None, options.solver.explain, options, observer)?;
    let iterate = &found.solution.iterate;
    let trajectories = meshes.0.on(found.intervals).trajectories(&iterate.x, &iterate.lambda)?;
    Ok(PhasedOptimum {
        status: found.status,
        objective: found.solution.objective,
        trajectories,
        iterations: found.iterations,
        meshes: found.meshes,
        solution: found.solution,
        timing: Timing { solve: clock.elapsed(), ..Timing::default() },
    })
}
