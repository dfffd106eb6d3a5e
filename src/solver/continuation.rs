//! Natural continuation: following a solution from an easy problem (parameter 0) to the wanted one (parameter 1).

use super::linear::LinearError;
use super::newton::{IterationRecord, Newton, NewtonError, Solution, Status};
use crate::nlp::ParametricSystem;

/// How the parameter is advanced.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContinuationOptions {
    /// Smallest step of the parameter worth trying.
    pub smallest_step: f64,
    /// A step solved within this many iterations is followed by one twice as long.
    pub quick: usize,
}

impl Default for ContinuationOptions {
    fn default() -> Self {
        Self { smallest_step: 1e-4, quick: 6 }
    }
}

/// One attempt to solve the problem at one parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct ContinuationStep {
    /// The parameter tried.
    pub parameter: f64,
    /// How Newton's method ended; `None` if its matrix was singular or the model could not be evaluated.
    pub status: Option<Status>,
    /// Number of Newton iterations.
    pub iterations: usize,
}

/// Where and why continuation ended before parameter 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Stuck {
    /// The parameter tried last.
    pub parameter: f64,
    /// What happened there.
    pub reason: String,
}

/// The outcome of a continuation.
#[derive(Debug, Clone, PartialEq)]
pub struct Continued {
    /// The solution at parameter `reached`; if no parameter was solved, the last attempt.
    pub solution: Solution,
    /// Largest parameter solved, if any.
    pub reached: Option<f64>,
    /// All attempts in order.
    pub steps: Vec<ContinuationStep>,
    /// Why parameter 1 was not reached; `None` if it was.
    pub stuck: Option<Stuck>,
}

/// Called after each Newton iteration with the parameter; returning false stops the continuation.
pub type ContinuationObserver<'a> = &'a mut dyn FnMut(f64, &IterationRecord) -> bool;

/// Solves the system at parameter 1, directly if possible and else by steps of the parameter from 0.
///
/// `start` should be near the solution at parameter 0. Steps are halved when Newton's method fails and doubled when it is
/// quick; each starts from the straight line through the last two solutions. On return the system is set to the
/// parameter reached.
pub fn continue_to_one(
    newton: &mut Newton,
    system: &mut dyn ParametricSystem,
    start: &[f64],
    options: &ContinuationOptions,
    observe: ContinuationObserver,
) -> Result<Continued, NewtonError> {
    let mut path = Path { newton, system, observe, steps: Vec::new(), interrupted: false };
    let mut failure = match path.attempt(1.0, start)? {
        Ok(solution) => return Ok(path.finish(solution, Some(1.0), None)),
        Err(Failure::NotSolved(solution)) if path.interrupted => return Ok(path.unsolved(1.0, solution)),
        Err(failure) => failure,
    };
    let mut here = match path.attempt(0.0, start)? {
        Ok(solution) => solution,
        Err(Failure::NotSolved(solution)) => return Ok(path.unsolved(0.0, solution)),
        Err(Failure::Error(error)) => return Err(error),
    };

    let mut before: Option<(f64, Vec<f64>)> = None;
    let (mut parameter, mut step) = (0.0, 0.5);
    loop {
        // Rounding must not leave a last sliver of a step before 1.
        let next = if parameter + 1.001 * step >= 1.0 { 1.0 } else { parameter + step };
        match path.attempt(next, &extrapolate(before.as_ref(), parameter, &here.x, next))? {
            Ok(solution) => {
                if solution.iterations.len() <= options.quick + 1 {
                    step *= 2.0;
                }
                before = Some((parameter, std::mem::replace(&mut here, solution).x));
                parameter = next;
                if parameter == 1.0 {
                    return Ok(path.finish(here, Some(1.0), None));
                }
            }
            Err(latest) => {
                failure = latest;
                step = 0.5 * (next - parameter);
            }
        }
        if path.interrupted || step < options.smallest_step {
            let stuck = Stuck { parameter: next, reason: failure.reason() };
            return Ok(path.finish(here, Some(parameter), Some(stuck)));
        }
    }
}

fn extrapolate(before: Option<&(f64, Vec<f64>)>, parameter: f64, here: &[f64], next: f64) -> Vec<f64> {
    match before {
        None => here.to_vec(),
        Some((earlier, x)) => {
            let ratio = (next - parameter) / (parameter - earlier);
            here.iter().zip(x).map(|(here, before)| here + ratio * (here - before)).collect()
        }
    }
}

/// A parameter at which Newton's method did not succeed.
enum Failure {
    NotSolved(Solution),
    Error(NewtonError),
}

impl Failure {
    fn reason(&self) -> String {
        match self {
            Self::NotSolved(solution) => reason(solution),
            Self::Error(error) => error.to_string(),
        }
    }
}

fn reason(solution: &Solution) -> String {
    let what = match solution.status {
        Status::Solved => "solved",
        Status::IterationLimit => "iteration limit",
        Status::LineSearchFailed => "no fraction of the Newton step is progress",
        Status::Diverging => "diverging",
        Status::Interrupted => "interrupted",
    };
    match &solution.message {
        Some(message) => format!("{what}: {message}"),
        None => what.to_owned(),
    }
}

struct Path<'a> {
    newton: &'a mut Newton,
    system: &'a mut dyn ParametricSystem,
    observe: ContinuationObserver<'a>,
    steps: Vec<ContinuationStep>,
    interrupted: bool,
}

impl Path<'_> {
    /// The outer error is one that no other parameter can cure.
    fn attempt(&mut self, parameter: f64, start: &[f64]) -> Result<Result<Solution, Failure>, NewtonError> {
        self.system.set_parameter(parameter);
        let observe = &mut self.observe;
        let outcome = self.newton.solve(self.system, start, &mut |record| observe(parameter, record));
        let (status, iterations) = match &outcome {
            Ok(solution) => (Some(solution.status), solution.iterations.len().saturating_sub(1)),
            Err(_) => (None, 0),
        };
        self.steps.push(ContinuationStep { parameter, status, iterations });
        self.interrupted = status == Some(Status::Interrupted);
        match outcome {
            Ok(solution) if solution.status == Status::Solved => Ok(Ok(solution)),
            Ok(solution) => Ok(Err(Failure::NotSolved(solution))),
            Err(error) if is_fatal(&error) => Err(error),
            Err(error) => Ok(Err(Failure::Error(error))),
        }
    }

    fn unsolved(self, parameter: f64, solution: Solution) -> Continued {
        let stuck = Stuck { parameter, reason: reason(&solution) };
        self.finish(solution, None, Some(stuck))
    }

    fn finish(self, solution: Solution, reached: Option<f64>, stuck: Option<Stuck>) -> Continued {
        if let Some(parameter) = reached {
            self.system.set_parameter(parameter);
        }
        Continued { solution, reached, steps: self.steps, stuck }
    }
}

fn is_fatal(error: &NewtonError) -> bool {
    match error {
        NewtonError::Evaluation { .. } => false,
        NewtonError::Singular { source, .. } => matches!(source, LinearError::StructurallySingular { .. }),
        NewtonError::Linear(source) => {
            !matches!(source, LinearError::Inaccurate { .. } | LinearError::NotFinite { .. })
        }
    }
}

#[cfg(test)]
mod tests;
