//! Optimal control: the motion and controls of least cost, checked by a motion that the controls produce.

mod lagrangian;
mod meshes;
mod outcome;
mod phases;
mod question;
mod resimulation;
mod reverify;
mod verification;

use std::time::{Duration, Instant};

use thiserror::Error;

use super::Observer;
use super::iteration::row;
use crate::discretisation::dmoc::{ControlProblem, PhaseError, Trajectory, Transcription, TranscriptionError};
use crate::nlp::EvalFailure;
use crate::solver::constrained::{Options, Solution, Status};
use crate::solver::mesh::{MeshError, MeshOptions, MeshRecord, MeshSolution, OnMesh, solve_on_meshes};
pub use lagrangian::{
    LagrangianSystem, formula, formula_of_parts, linear, quantity_names, variable_names, velocity_name,
};
use meshes::Meshes;
pub use outcome::{COSTATE, TASK, run};
pub use phases::{PhasedOptimum, solve_phases};
pub use question::{ControlSystem, Sizes, phase_scalars, scalar_names};
pub use resimulation::{Course, Leg, resimulate};
pub use reverify::{Reverified, reverify};
pub use verification::{Deviation, Verification, verify};

/// How a problem is solved.
#[derive(Debug, Clone, PartialEq)]
pub struct OptimalControlOptions {
    /// Whether the search begins on coarse meshes, whose solutions are continued on finer ones.
    pub continued: bool,
    /// No mesh of a continuation has fewer intervals.
    pub coarsest: usize,
    /// Largest number of further starts, detours from the guess, where that leads to no feasible motion. They are tried on
    /// meshes of moderate size.
    pub detours: usize,
    /// Steps per interval of the verifying motion; 0 for none.
    pub refine: usize,
    /// Options of the solver.
    pub solver: Options,
}

impl Default for OptimalControlOptions {
    fn default() -> Self {
        // Derivatives come from one graph of expressions, which is tested by itself. Rows of motion are changes of momentum,
        // with derivatives of the order 1/h by positions and h by forces.
        let solver = Options { violation: 1e-9, test_derivatives: false, scale_rows: false, ..Options::default() };
        Self { continued: true, coarsest: 50, detours: 8, refine: 8, solver }
    }
}

/// Why there is no answer at all.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum OptimalControlError {
    /// The problem is not one.
    #[error(transparent)]
    Transcription(#[from] TranscriptionError),
    /// The phases are none.
    #[error(transparent)]
    Phases(#[from] PhaseError),
    /// The solve could not be begun.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The motion found has no momenta.
    #[error("the motion found cannot be evaluated: {0}")]
    Evaluation(#[from] EvalFailure),
}

/// What was found.
#[derive(Debug, Clone)]
pub struct Optimum {
    /// How the solve ended; only a solved problem has an optimum.
    pub status: Status,
    /// The cost.
    pub objective: f64,
    /// Motion and controls.
    pub trajectory: Trajectory,
    /// Number of iterations on all meshes.
    pub iterations: usize,
    /// The meshes in order.
    pub meshes: Vec<MeshRecord>,
    /// The answer of the solver on the last mesh, with its explanation where there is no solution.
    pub solution: Solution,
    /// What the controls produce, if that was asked for.
    pub verification: Option<Verification>,
    /// Time for stating the program on all meshes and for all solves.
    pub timing: Timing,
}

/// Where the time goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Timing {
    /// Expressions, derivatives and patterns.
    pub statement: Duration,
    /// Solves.
    pub solve: Duration,
    /// Verification.
    pub verification: Duration,
}

/// Solves a problem on equal intervals.
pub fn solve(
    problem: &ControlProblem,
    intervals: usize,
    options: &OptimalControlOptions,
    observer: &mut dyn Observer,
) -> Result<Optimum, OptimalControlError> {
    let clock = Instant::now();
    let mut meshes = Meshes::new(Transcription::new(problem, intervals)?);
    observer.phase("solving", 0);
    let mut found = on_meshes(&meshes, intervals, options, observer)?;
    if is_infeasible(found.status) {
        for detour in 1..=options.detours {
            meshes.detour = detour;
            observer.note(&format!("no feasible motion was found from the guess; detour {detour} from it"));
            let trial = on_meshes(&meshes, intervals.min(TRIAL), options, observer)?;
            let mut tries = vec![trial];
            if intervals > TRIAL && tries.iter().all(|found| is_solved(found.status)) {
                tries.push(on_meshes(&meshes, intervals, options, observer)?);
            }
            for trial in tries {
                let finest = trial.intervals == intervals || trial.status == Status::Interrupted;
                let iterations = found.iterations + trial.iterations;
                let meshes = [&found.meshes[..], &trial.meshes].concat();
                let better = if finest && !is_infeasible(trial.status) { trial } else { found };
                found = MeshSolution { iterations, meshes, ..better };
            }
            if !is_infeasible(found.status) {
                break;
            }
        }
    }
    let statement = meshes.elapsed();
    let solved = clock.elapsed();
    let iterate = &found.solution.iterate;
    let trajectory = meshes.stated(found.intervals).trajectory(&iterate.x, &iterate.lambda)?;
    let verification = (options.refine > 0).then(|| verify(problem, &trajectory, options.refine));
    let timing = Timing {
        statement,
        solve: solved.saturating_sub(statement),
        verification: clock.elapsed().saturating_sub(solved),
    };
    Ok(Optimum {
        status: found.status,
        objective: found.solution.objective,
        trajectory,
        iterations: found.iterations,
        meshes: found.meshes,
        solution: found.solution,
        verification,
        timing,
    })
}

/// Ratio of successive meshes. Interpolated motions are good starts: with 4 the reference problems take fewer iterations in
/// all than with 2, with 5 some of them lose their way.
const GROWTH: usize = 4;
/// Further starts are tried on meshes of at most so many intervals.
const TRIAL: usize = 100;

fn is_solved(status: Status) -> bool {
    matches!(status, Status::Solved | Status::Acceptable)
}

fn is_infeasible(status: Status) -> bool {
    matches!(status, Status::Infeasible | Status::RestorationFailed)
}

fn on_meshes(
    meshes: &Meshes<'_>,
    intervals: usize,
    options: &OptimalControlOptions,
    observer: &mut dyn Observer,
) -> Result<MeshSolution, MeshError> {
    // What conflicts is told for the guess itself.
    let explain = options.solver.explain && meshes.detour == 0;
    continue_meshes(meshes, intervals, explain, options, observer)
}

fn continue_meshes(
    problem: &dyn OnMesh,
    intervals: usize,
    explain: bool,
    options: &OptimalControlOptions,
    observer: &mut dyn Observer,
) -> Result<MeshSolution, MeshError> {
    let mesh_options = MeshOptions {
        coarsest: if options.continued { options.coarsest.min(intervals) } else { intervals },
        growth: GROWTH,
        max_iterations: options.solver.max_iterations,
        solve: Options { explain, ..options.solver.clone() },
        ..MeshOptions::to(intervals)
    };
    let mut mesh = 0;
    solve_on_meshes(problem, &mesh_options, &mut |intervals, record| {
        if record.iter == 0 && mesh != intervals {
            mesh = intervals;
            observer.note(&format!("mesh of {intervals} intervals"));
        }
        observer.iteration(&row(record, 1.0));
        !observer.interrupted()
    })
}
