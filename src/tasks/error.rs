//! Why a task has no answer, in the user's words.

use thiserror::Error;

use crate::discretisation::chain::POSE_COORDINATES;
use crate::kernel::EvalError;
use crate::mechanism::{BadFunction, Side, StrainError};
use crate::results::RunStatus;
use crate::solver::NewtonError;

/// A task that ran but has no answer.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TaskError {
    /// The user asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// A servo path or load cannot be evaluated.
    #[error("the {what} of {coordinate} at {frame} cannot be evaluated: {error}")]
    Function {
        /// `servo path` or `load`.
        what: &'static str,
        /// Coordinate name.
        coordinate: &'static str,
        /// Frame name.
        frame: String,
        /// Place and reason.
        error: Box<EvalError>,
    },
    /// The constitutive law has no answer somewhere.
    #[error(
        "rod `{rod}`: {cause} at s = {s:.4} m, t = {t:.4} s; {}", match .cause {
            StrainError::Slack { .. } => "a string must be pulled everywhere: give its end a body or a load, or make the path slower",
            StrainError::Collapsed { .. } => "the path asks for more than the rod can carry: make it slower or smoother, or the rod stiffer",
        }
    )]
    Breakdown {
        /// Rod name.
        rod: String,
        /// Arc length, metre.
        s: f64,
        /// Time, second.
        t: f64,
        /// What went wrong.
        cause: StrainError,
    },
    /// Waves come to a stop, so that no finite step along the rod is short enough.
    #[error(
        "rod `{rod}`: the slowest wave nearly stands still ({speed:.2e} m/s), so its motion cannot be found from one end; a string does this where it goes slack: make the path slower or add load at its end"
    )]
    StandingWave {
        /// Rod name.
        rod: String,
        /// Speed of the slowest wave, m/s.
        speed: f64,
    },
    /// Numbers overflow.
    #[error(
        "rod `{rod}`: the solution is no longer finite at s = {s:.4} m, t = {t:.4} s; make the path slower or smoother"
    )]
    NotFinite {
        /// Rod name.
        rod: String,
        /// Arc length, metre.
        s: f64,
        /// Time, second.
        t: f64,
    },
    /// How disturbances grow along a rod is beyond what numbers hold.
    #[error(
        "rod `{rod}`: how disturbances grow along it is beyond what numbers hold; check the sizes of its stiffness and inertia, and the time step"
    )]
    Overflow {
        /// Rod name.
        rod: String,
    },
    /// The answer would consist of amplified trifles: kinks of the path and rounding errors.
    #[error(
        "rod `{rod}`: marching along it amplifies disturbances by a factor of up to 10^{digits:.1}; kinks of the path and rounding errors above {frequency:.4} rad/s would swamp the answer. What helps: {advice}"
    )]
    IllConditioned {
        /// Rod name.
        rod: String,
        /// Decimal digits by which the worst disturbance grows.
        digits: f64,
        /// Angular frequency above which noise dominates, rad/s.
        frequency: f64,
        /// What to change.
        advice: String,
    },
    /// The grid that the step limit demands is too large.
    #[error(
        "rod `{rod}`: its slowest wave runs at {speed:.2e} m/s, so with time steps of {dt:.2e} s the step limit along the rod demands {nodes:.1e} nodes, more than can be computed; check stiffness and inertia, or lower `time.steps`"
    )]
    TooLarge {
        /// Rod name.
        rod: String,
        /// Slowest wave, m/s.
        speed: f64,
        /// Time step, second.
        dt: f64,
        /// Nodes needed.
        nodes: f64,
    },
    /// All of space and time at once has too many unknowns.
    #[error(
        "rod `{rod}`: where the data of no end are complete all of space and time is solved at once, and {elements} elements times {steps} steps make {unknowns:.1e} unknowns, of which memory takes at most {most:.0e}; lower `elements` or `time.steps`"
    )]
    TooManyUnknowns {
        /// Rod names.
        rod: String,
        /// Unknowns in all.
        unknowns: f64,
        /// Elements of the rods.
        elements: usize,
        /// Steps in time.
        steps: usize,
        /// The limit.
        most: f64,
    },
    /// The equations have no meaning on the way to a solution.
    #[error("{phase} of rod `{rod}`: {reason}")]
    Infeasible {
        /// Phase in words.
        phase: String,
        /// Rod name.
        rod: String,
        /// Where and why.
        reason: String,
    },
    /// The method cannot treat this kind of problem.
    #[error("method `{method}` {reason}")]
    NotApplicable {
        /// Method name.
        method: &'static str,
        /// Why not, and what to use.
        reason: String,
    },
    /// Newton did not converge.
    #[error("{phase} of rod `{rod}` did not converge: {reason}")]
    NotConverged {
        /// Phase in words.
        phase: String,
        /// Rod name.
        rod: String,
        /// What stood in the way.
        reason: String,
    },
    /// The equations are singular.
    #[error("{phase} of rod `{rod}`: {source}")]
    Singular {
        /// Phase in words.
        phase: String,
        /// Rod name.
        rod: String,
        /// The solver's finding, with names.
        source: Box<NewtonError>,
    },
    /// A saved result lacks what its verification needs.
    #[error("the saved result cannot be verified: {reason}")]
    Incomplete {
        /// What is missing.
        reason: String,
    },
    /// The verifying simulation failed.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
}

impl TaskError {
    /// Name the place of a function that cannot be evaluated.
    pub fn pose_function(rod: &str, side: Side, bad: BadFunction) -> Self {
        TaskError::Function {
            what: if bad.is_load { "load" } else { "servo path" },
            coordinate: POSE_COORDINATES[bad.coordinate],
            frame: format!("{rod}.{}", side.name()),
            error: Box::new(bad.error),
        }
    }

    /// What a failed Newton solve means for a rod.
    pub fn newton(phase: &str, rod: &str, source: NewtonError) -> Self {
        let (phase, rod) = (phase.to_owned(), rod.to_owned());
        match source {
            NewtonError::Evaluation { source, .. } => {
                TaskError::Infeasible { phase, rod, reason: format!("{} {}", source.reason, source.place) }
            }
            source => TaskError::Singular { phase, rod, source: Box::new(source) },
        }
    }

    /// Status word of the result.
    pub fn status(&self) -> RunStatus {
        match self {
            TaskError::Interrupted | TaskError::Simulation(SimulationError::Interrupted) => RunStatus::Interrupted,
            TaskError::Function { .. } => RunStatus::UndefinedPath,
            TaskError::Breakdown { .. } | TaskError::StandingWave { .. } | TaskError::Infeasible { .. } => {
                RunStatus::Infeasible
            }
            TaskError::NotFinite { .. } => RunStatus::Diverging,
            TaskError::IllConditioned { .. } | TaskError::Overflow { .. } => RunStatus::IllConditioned,
            TaskError::NotApplicable { .. } => RunStatus::NotApplicable,
            TaskError::TooLarge { .. } | TaskError::TooManyUnknowns { .. } => RunStatus::TooLarge,
            TaskError::NotConverged { .. } => RunStatus::NotConverged,
            TaskError::Singular { .. } => RunStatus::Singular,
            TaskError::Incomplete { .. } | TaskError::Simulation(_) => RunStatus::NotVerified,
        }
    }
}

/// Why a simulation stopped.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SimulationError {
    /// Newton failed even with the smallest step.
    #[error("the forward simulation found no solution at t = {t:.6} even with a step of {step:.1e} s ({reason})")]
    NoConvergence {
        /// Time, second.
        t: f64,
        /// Smallest step tried, second.
        step: f64,
        /// What failed last.
        reason: String,
    },
    /// The user asked to stop.
    #[error("interrupted")]
    Interrupted,
}
