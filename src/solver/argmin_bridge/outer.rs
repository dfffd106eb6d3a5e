//! What the methods for outer problems share: options, results, and the function they evaluate.

use std::cell::RefCell;

use argmin::core::{CostFunction, Error, Gradient};

use crate::nlp::EvalFailure;
use crate::solver::constrained::Status;

/// A value below this is taken for −∞.
pub(super) const UNBOUNDED: f64 = -1e20;

/// Options of the methods for outer problems.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OuterOptions {
    /// Largest entry of the gradient of a solution; without derivatives the largest spread of values, relative to
    /// max(1, |value|), over a simplex that a restart does not improve.
    pub tolerance: f64,
    /// Largest number of iterations.
    pub max_iterations: usize,
    /// Number of steps from which curvature is estimated.
    pub memory: usize,
    /// Edge of the first simplex, relative to max(1, |x|).
    pub edge: f64,
}

impl Default for OuterOptions {
    fn default() -> Self {
        Self { tolerance: 1e-6, max_iterations: 500, memory: 10, edge: 0.1 }
    }
}

/// One iteration on an outer problem; number 0 is the start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OuterRecord {
    /// Number of iterations.
    pub iter: usize,
    /// Value at the current point.
    pub value: f64,
    /// Largest entry of the gradient, where there is one.
    pub gradient: Option<f64>,
    /// Number of evaluations so far.
    pub evaluations: usize,
}

/// Called after each iteration; returning false stops the method.
pub type OuterObserver<'a> = &'a mut dyn FnMut(&OuterRecord) -> bool;

/// The result of an outer problem.
#[derive(Debug, Clone, PartialEq)]
pub struct OuterSolution {
    /// How it ended: solved, stalled, unbounded, iteration-limit or interrupted.
    pub status: Status,
    /// The solution, or the best point found.
    pub x: Vec<f64>,
    /// The value there.
    pub value: f64,
    /// The iteration table.
    pub iterations: Vec<OuterRecord>,
    /// Number of evaluations.
    pub evaluations: usize,
    /// What stood in the way, if anything is known.
    pub message: Option<String>,
}

/// Why an outer problem could not be begun.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum OuterError {
    /// There is nothing to vary.
    #[error("the outer problem has no variable")]
    NoVariable,
    /// An option makes no sense.
    #[error("{name} is {value}, it has to be positive and finite")]
    Option {
        /// The option.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// The start cannot be evaluated.
    #[error("the outer problem cannot be evaluated at the start: {0}")]
    Start(#[from] EvalFailure),
    /// The start has no finite value.
    #[error("the value of the outer problem at the start is {0}")]
    Value(f64),
    /// The method could not be set up.
    #[error("the method for the outer problem could not be set up: {0}")]
    Method(String),
}

impl OuterOptions {
    pub(super) fn check(&self, start: &[f64]) -> Result<(), OuterError> {
        if start.is_empty() {
            return Err(OuterError::NoVariable);
        }
        for (name, value) in [("the tolerance", self.tolerance), ("the edge of the first simplex", self.edge)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(OuterError::Option { name, value });
            }
        }
        Ok(())
    }
}

/// A function of x that writes its gradient and returns its value.
pub type SmoothFunction<'f> = &'f mut dyn FnMut(&[f64], &mut [f64]) -> Result<f64, EvalFailure>;

/// A point with its value and gradient; the value is +∞ where the function failed.
#[derive(Debug, Clone, Default)]
pub(super) struct Sample {
    pub x: Vec<f64>,
    pub value: f64,
    pub gradient: Vec<f64>,
}

/// The function with its last and its best sample: argmin asks for value and gradient one after the other.
pub(super) struct Evaluated<'f> {
    inner: RefCell<Inner<'f>>,
}

struct Inner<'f> {
    function: SmoothFunction<'f>,
    last: Sample,
    best: Sample,
    evaluations: usize,
    failure: Option<EvalFailure>,
}

impl<'f> Evaluated<'f> {
    /// The function, evaluated at the start.
    pub fn begin(function: SmoothFunction<'f>, start: &[f64]) -> Result<Self, OuterError> {
        let mut gradient = vec![0.0; start.len()];
        let value = function(start, &mut gradient)?;
        if !value.is_finite() {
            return Err(OuterError::Value(value));
        }
        let last = Sample { x: start.to_vec(), value, gradient };
        let best = last.clone();
        Ok(Self { inner: RefCell::new(Inner { function, last, best, evaluations: 1, failure: None }) })
    }

    pub fn at(&self, x: &[f64]) -> Sample {
        let mut inner = self.inner.borrow_mut();
        let Inner { function, last, best, evaluations, failure } = &mut *inner;
        if last.x != x {
            last.x.clear();
            last.x.extend_from_slice(x);
            *evaluations += 1;
            last.value = match function(x, &mut last.gradient) {
                Ok(value) if value.is_finite() && last.gradient.iter().all(|g| g.is_finite()) => value,
                Ok(_) => f64::INFINITY,
                Err(reason) => {
                    *failure = Some(reason);
                    f64::INFINITY
                }
            };
            if last.value < best.value {
                best.clone_from(last);
            }
        }
        last.clone()
    }

    pub fn evaluations(&self) -> usize {
        self.inner.borrow().evaluations
    }

    /// The result: the given point if it is a solution, else the best one.
    pub fn finish(
        self,
        status: Status,
        solution: Option<Sample>,
        iterations: Vec<OuterRecord>,
        message: Option<String>,
    ) -> OuterSolution {
        let Inner { best, evaluations, failure, .. } = self.inner.into_inner();
        let Sample { x, value, .. } = solution.unwrap_or(best);
        let status = if status == Status::Stalled && value < UNBOUNDED { Status::Unbounded } else { status };
        // A failure on the way explains a stall; a solved problem got over it.
        let failure = failure.filter(|_| status == Status::Stalled);
        let message = match (message, failure) {
            (Some(message), Some(failure)) => Some(format!("{message}; the last failure to evaluate: {failure}")),
            (message, failure) => message.or(failure.map(|failure| failure.to_string())),
        };
        OuterSolution { status, x, value, iterations, evaluations, message }
    }
}

/// A borrowed function, which argmin may consume.
#[derive(Clone, Copy)]
pub(super) struct Borrowed<'e, 'f>(pub &'e Evaluated<'f>);

impl CostFunction for Borrowed<'_, '_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, x: &Vec<f64>) -> Result<f64, Error> {
        Ok(self.0.at(x).value)
    }
}

impl Gradient for Borrowed<'_, '_> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, x: &Vec<f64>) -> Result<Vec<f64>, Error> {
        Ok(self.0.at(x).gradient)
    }
}
