//! Following the solutions of r(x, p) = 0 along their path by its arc length, through limit points of the parameter.
//!
//! Keller's pseudo-arclength method: from a point with unit tangent t the next is predicted at the distance σ along t and
//! corrected in the plane perpendicular to t. The matrix of that problem, the Jacobian bordered by ∂r/∂p and by t, stays
//! regular at limit points, where the parameter turns back and the Jacobian is singular. Lengths are dimensionless: the
//! square of (dx, dp) is the mean of (dxᵢ / scaleᵢ)² plus (dp / parameter scale)².

use thiserror::Error;

use super::newton::{Newton, NewtonError, Status};
use crate::nlp::FollowedSystem;
use walk::Walk;

mod bordered;
mod curve;
mod locate;
mod walk;

/// How a path is followed and where it ends.
#[derive(Debug, Clone, PartialEq)]
pub struct ArcLengthOptions {
    /// Direction of the first step: towards larger parameters or smaller ones.
    pub increasing: bool,
    /// Smallest and largest parameter; the path ends where it reaches one of them.
    pub range: [f64; 2],
    /// Parameters at which solutions are wanted; each crossing of each of them becomes a point of the path.
    pub targets: Vec<f64>,
    /// Change of the parameter that counts as much as changes of all unknowns by their scales.
    pub parameter_scale: f64,
    /// Length of the first step.
    pub first_step: f64,
    /// Smallest step worth trying.
    pub smallest_step: f64,
    /// Largest step.
    pub largest_step: f64,
    /// Number of steps after which the path ends.
    pub max_steps: usize,
    /// Number of limit points after which the path ends.
    pub max_limit_points: usize,
    /// Number of corrections that leaves the step as long as it is; fewer lengthen it.
    pub usual_corrections: usize,
    /// Largest number of corrections; a step that needs more is shortened.
    pub max_corrections: usize,
    /// Largest ratio of the length of a correction to that of the one before. Slower convergence means that the path is
    /// far from where it was looked for, perhaps on another branch; the step is shortened.
    pub slowest: f64,
    /// Largest angle between the tangents at the ends of a step, in radians.
    pub largest_turn: f64,
}

impl Default for ArcLengthOptions {
    fn default() -> Self {
        Self {
            increasing: true,
            range: [f64::NEG_INFINITY, f64::INFINITY],
            targets: Vec::new(),
            parameter_scale: 1.0,
            first_step: 0.05,
            smallest_step: 1e-9,
            largest_step: 1.0,
            max_steps: 1000,
            max_limit_points: usize::MAX,
            usual_corrections: 4,
            max_corrections: 8,
            slowest: 0.5,
            largest_turn: 0.3,
        }
    }
}

/// Why a point is on the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PointKind {
    /// The path starts here.
    Start,
    /// The end of a step.
    Step,
    /// The parameter turns back here.
    LimitPoint,
    /// Other solutions branch off here; found by those who know the signs of the Jacobian, not by the path itself.
    BranchPoint,
    /// The parameter is one of those asked for.
    Target,
    /// The parameter leaves its range here.
    Bound,
}

/// One solution of the path.
#[derive(Debug, Clone, PartialEq)]
pub struct PathPoint {
    /// Why it is on the list.
    pub kind: PointKind,
    /// The parameter p.
    pub parameter: f64,
    /// The unknowns.
    pub x: Vec<f64>,
    /// dp/ds, where s is the dimensionless arc length; zero at a limit point.
    pub rate: f64,
    /// Arc length from the start, as the sum of chords.
    pub arc: f64,
    /// Number of corrections it took to compute the point.
    pub iterations: usize,
}

/// Why a path ended.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum PathEnd {
    /// The parameter reached an end of its range.
    #[error("{name} reached {bound}")]
    Range {
        /// The parameter in the user's words.
        name: String,
        /// The end of the range.
        bound: f64,
    },
    /// The number of limit points asked for was found.
    #[error("limit point {count} of {name} was reached at {parameter}")]
    LimitPoints {
        /// The parameter in the user's words.
        name: String,
        /// Number of limit points.
        count: usize,
        /// The parameter at the last one.
        parameter: f64,
    },
    /// The number of branch points asked for was found.
    #[error("branch point {count} of {name} was reached at {parameter}")]
    BranchPoints {
        /// The parameter in the user's words.
        name: String,
        /// Number of branch points.
        count: usize,
        /// The parameter at the last one.
        parameter: f64,
    },
    /// The path returned to its start.
    #[error("the path closed at its start, {name} = {parameter}")]
    Closed {
        /// The parameter in the user's words.
        name: String,
        /// The parameter at the start.
        parameter: f64,
    },
    /// The number of steps is used up.
    #[error("the path was not at its end after {steps} steps, {name} = {parameter}")]
    StepLimit {
        /// The parameter in the user's words.
        name: String,
        /// Number of steps.
        steps: usize,
        /// The parameter at the last point.
        parameter: f64,
    },
    /// The observer asked to stop.
    #[error("interrupted at {name} = {parameter}")]
    Interrupted {
        /// The parameter in the user's words.
        name: String,
        /// The parameter at the last point.
        parameter: f64,
    },
    /// Not even the smallest step succeeds.
    #[error("the path cannot be followed beyond {name} = {parameter}: {reason}")]
    Stuck {
        /// The parameter in the user's words.
        name: String,
        /// The parameter at the last point.
        parameter: f64,
        /// What stands in the way.
        reason: String,
    },
}

/// A path of solutions.
#[derive(Debug, Clone, PartialEq)]
pub struct Path {
    /// All points in the order of the path.
    pub points: Vec<PathPoint>,
    /// Number of steps that were tried again with a shorter length.
    pub rejected: usize,
    /// Why the path ended.
    pub end: PathEnd,
}

impl Path {
    /// The points of one kind, in order.
    pub fn of_kind(&self, kind: PointKind) -> impl Iterator<Item = &PathPoint> {
        self.points.iter().filter(move |point| point.kind == kind)
    }

    /// The points where the parameter turns back.
    pub fn limit_points(&self) -> impl Iterator<Item = &PathPoint> {
        self.of_kind(PointKind::LimitPoint)
    }
}

/// Why a path could not be started.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ArcLengthError {
    /// The equations could not be solved at the first parameter.
    #[error("the path cannot start at {name} = {parameter}: {reason}")]
    Start {
        /// The parameter in the user's words.
        name: String,
        /// The first parameter.
        parameter: f64,
        /// What stands in the way.
        reason: String,
    },
    /// An option makes no sense.
    #[error("{option} of a path must be {expected}, not {found}")]
    Option {
        /// The option.
        option: &'static str,
        /// What is asked of it.
        expected: &'static str,
        /// Its value.
        found: f64,
    },
    /// The equations at the first parameter are ill posed.
    #[error("the path cannot start: {0}")]
    Newton(#[from] NewtonError),
}

/// Called with each point of the path; returning false ends it.
pub type PathObserver<'a> = &'a mut dyn FnMut(&PathPoint) -> bool;

/// Follows the solutions of r(x, p) = 0 that begin at `parameter` with a solution near `start`.
///
/// Newton's method with its line search solves for the first point; its tolerances hold for all others as well. On return
/// the system is set to the parameter of the last point.
pub fn follow(
    newton: &mut Newton,
    system: &mut dyn FollowedSystem,
    start: &[f64],
    parameter: f64,
    options: &ArcLengthOptions,
    observe: PathObserver,
) -> Result<Path, ArcLengthError> {
    validate(options)?;
    let failed = |name, reason| ArcLengthError::Start { name, parameter, reason };
    let [low, high] = options.range;
    if !(low <= parameter && parameter <= high) {
        return Err(failed(system.parameter_name(), format!("it lies outside the range from {low} to {high}")));
    }
    system.set_parameter(parameter);
    let solution = newton.solve(system, start, &mut |_| true)?;
    if solution.status != Status::Solved {
        return Err(failed(system.parameter_name(), solution.message.unwrap_or_default()));
    }
    let name = system.parameter_name();
    let walk = Walk::new(newton, system, solution, parameter, options, observe);
    Ok(walk.map_err(|reason| failed(name, reason))?.run())
}

fn validate(options: &ArcLengthOptions) -> Result<(), ArcLengthError> {
    for (option, found) in [
        ("the parameter scale", options.parameter_scale),
        ("the first step", options.first_step),
        ("the smallest step", options.smallest_step),
        ("the largest step", options.largest_step),
        ("the slowest convergence", options.slowest),
        ("the largest turn", options.largest_turn),
    ] {
        if !(found > 0.0) {
            return Err(ArcLengthError::Option { option, expected: "positive", found });
        }
    }
    match options.targets.iter().find(|target| !target.is_finite()) {
        Some(&found) => Err(ArcLengthError::Option { option: "a target", expected: "finite", found }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
