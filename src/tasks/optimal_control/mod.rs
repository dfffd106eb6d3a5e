//! Optimal control: the motion and controls of least cost, checked by a motion that the controls produce.

mod detours;
mod diagnostics;
mod ends;
mod errors;
mod finer;
mod guess;
mod infeasible;
mod judged;
mod lagrangian;
mod meshes;
mod outcome;
mod phases;
mod proof;
mod question;
mod refinement;
mod resimulation;
mod reverify;
mod samples;
mod starts;
mod verification;

use std::time::{Duration, Instant};

use thiserror::Error;

use super::Observer;
use super::iteration::row;
use crate::discretisation::transcription::{ControlProblem, PhaseError, Trajectory, Transcription, TranscriptionError};
use crate::nlp::EvalFailure;
use crate::results::{Optima, Refined};
use crate::solver::constrained::{Iterate, Options, Solution, Status};
use crate::solver::mesh::{MeshError, MeshOptions, MeshRecord, MeshSolution, OnMesh, continue_on_meshes};
use detours::with_detours;
pub use ends::EndData;
pub use errors::local_errors;
pub use guess::{GuessSource, Guesses, WayTable};
pub use infeasible::Infeasibility;
pub use lagrangian::{LagrangianSystem, formula, formula_of_parts, linear, quantity_names, variable_names};
use meshes::{Beginning, Meshes};
pub use outcome::{COSTATE, TASK, run};
pub(in crate::tasks) use outcome::{Recorder, fill, unsolved};
pub use phases::{PhasedOptimum, solve_phases};
pub use question::{ControlSystem, Sizes, phase_scalars, scalar_names};
use refinement::{Refinement, refined};
pub use resimulation::{Course, Leg, resimulate};
pub use reverify::{Reverified, reverify};
pub use samples::{SampleTable, Samples};
pub use starts::Starts;
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
    /// Several starts on the coarsest mesh, of which the best is continued; only the guess unless stated.
    pub starts: Option<Starts>,
    /// Largest relative error of an interval; meshes are doubled until no interval has a larger one.
    pub tolerance: Option<f64>,
    /// No mesh that is doubled has more intervals.
    pub most_intervals: usize,
    /// Number of first iterations in which the curvature of the equations of motion is left out: for costs that are sums of
    /// squares and become small.
    pub gauss_newton: usize,
    /// Whether the errors of the steps and the Hamiltonian of the solution are told; a tolerance needs the errors anyway.
    pub estimate: bool,
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
        Self {
            continued: true,
            coarsest: 50,
            detours: 8,
            starts: None,
            tolerance: None,
            most_intervals: 6400,
            gauss_newton: 0,
            estimate: true,
            refine: 8,
            solver,
        }
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
    /// Relative errors of the intervals; empty if the motion cannot be marched.
    pub errors: Vec<f64>,
    /// The meshes on which errors were estimated, the last of them that of the solution.
    pub refinement: Vec<Refined>,
    /// The optima that several starts led to, where they were asked for.
    pub optima: Option<Optima>,
    /// The answer of the solver on the last mesh, with its explanation where there is no solution.
    pub solution: Solution,
    /// Why there is no motion, where none was found and that was asked for.
    pub infeasibility: Option<Infeasibility>,
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
    let transcription = Transcription::new(problem, intervals)?;
    let mut meshes = Meshes::new(problem, transcription, Beginning::Guess);
    meshes.gauss_newton = options.gauss_newton;
    let mut optima = None;
    let mut found = match options.starts {
        Some(starts) => {
            let (table, found) = from_starts(&mut meshes, intervals, starts, options, observer)?;
            optima = Some(table);
            found
        }
        None => None,
    };
    if found.is_none() {
        observer.phase("solving", 0);
        meshes.beginning = Beginning::Guess;
        found = Some(with_detours(&mut meshes, intervals, options, observer)?);
    }
    let found = found.ok_or(MeshError::NoInterval)?;
    let Refinement { found, trajectory, errors, refinement } = refined(&meshes, found, options, observer)?;
    let explained = is_infeasible(found.status) && options.solver.explain;
    let infeasibility = explained.then(|| infeasible::explain(&meshes, &found, options, observer));
    let statement = meshes.elapsed();
    let solved = clock.elapsed();
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
        errors,
        refinement,
        optima,
        solution: found.solution,
        infeasibility,
        verification,
        timing,
    })
}

/// Ratio of successive meshes. Interpolated motions are good starts: with 4 the reference problems take fewer iterations in
/// all than with 2, with 5 some of them lose their way.
const GROWTH: usize = 4;

/// The best optimum of several starts that leads to one on the finest mesh; none where no start leads to any.
fn from_starts(
    meshes: &mut Meshes<'_>,
    intervals: usize,
    starts: Starts,
    options: &OptimalControlOptions,
    observer: &mut dyn Observer,
) -> Result<(Optima, Option<MeshSolution>), MeshError> {
    let coarsest = mesh_options(intervals, options).meshes().first().copied().unwrap_or(intervals);
    let search = starts::search(meshes.problem, &meshes.transcription, coarsest, starts, options, observer);
    let (mut table, mut best) = (search.table, None);
    let mut records: Vec<MeshRecord> = Vec::new();
    let mut iterations = search.iterations;
    observer.phase("solving", 0);
    for (k, (number, solution)) in search.optima.into_iter().enumerate() {
        meshes.beginning = starts.beginning(number);
        records.push(MeshRecord {
            intervals: coarsest,
            continued: false,
            status: Some(solution.status),
            iterations: solution.iterations.len().saturating_sub(1),
            objective: solution.objective,
        });
        let (status, from) = (solution.status, Some((coarsest, &solution.iterate)));
        let mut found = if search.interrupted || coarsest == intervals {
            let status = if search.interrupted { Status::Interrupted } else { status };
            MeshSolution { status, solution, intervals: coarsest, meshes: Vec::new(), iterations: 0 }
        } else {
            on_meshes(meshes, intervals, from, options, observer)?
        };
        records.append(&mut found.meshes);
        iterations += found.iterations;
        table.found[k].continued = true;
        let ends = is_solved(found.status) || found.status == Status::Interrupted;
        if ends || best.is_none() {
            best = Some(found);
        }
        if ends {
            break;
        }
    }
    Ok((table, best.map(|best| MeshSolution { meshes: records, iterations, ..best })))
}

pub(in crate::tasks) fn is_solved(status: Status) -> bool {
    matches!(status, Status::Solved | Status::Acceptable)
}

fn is_infeasible(status: Status) -> bool {
    matches!(status, Status::Infeasible | Status::RestorationFailed)
}

fn mesh_options(intervals: usize, options: &OptimalControlOptions) -> MeshOptions {
    MeshOptions {
        coarsest: if options.continued { options.coarsest.min(intervals) } else { intervals },
        growth: GROWTH,
        max_iterations: options.solver.max_iterations,
        ..MeshOptions::to(intervals)
    }
}

/// Solves on all meshes, or on those finer than one with a solution.
fn on_meshes(
    meshes: &Meshes<'_>,
    intervals: usize,
    from: Option<(usize, &Iterate)>,
    options: &OptimalControlOptions,
    observer: &mut dyn Observer,
) -> Result<MeshSolution, MeshError> {
    // Why there is no motion is told in words of the problem, not of the program.
    continue_meshes(meshes, intervals, from, false, options, observer)
}

fn continue_meshes(
    problem: &dyn OnMesh,
    intervals: usize,
    from: Option<(usize, &Iterate)>,
    explain: bool,
    options: &OptimalControlOptions,
    observer: &mut dyn Observer,
) -> Result<MeshSolution, MeshError> {
    let solve = Options { explain, ..options.solver.clone() };
    let mesh_options = MeshOptions { solve, ..mesh_options(intervals, options) };
    let mut mesh = 0;
    continue_on_meshes(problem, &mesh_options, from, &mut |intervals, record| {
        if record.iter == 0 && mesh != intervals {
            mesh = intervals;
            observer.note(&format!("mesh of {intervals} intervals"));
        }
        observer.iteration(&row(record, 1.0));
        !observer.interrupted()
    })
}
