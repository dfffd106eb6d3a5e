//! Newton's method for square systems, made global by one of several tests of progress.
//!
//! Equations of different units are made comparable by dividing row i of r(x) by maxⱼ |Jᵢⱼ| max(scaleⱼ, |xⱼ|): a scaled
//! residual of 1e-10 means that relative changes of about 1e-10 of the unknowns would remove it. The measure is also
//! the level at which rounding errors live, so tolerances need no knowledge of the problem.

use thiserror::Error;

pub use globalisation::Globalisation;
use globalisation::Memory;
use point::Point;
pub(super) use point::evaluate_finite;
pub use reuse::Reuse;
use reuse::{Held, Pace};

use super::linear::{LinearError, LinearSolver, expect_size};
use crate::nlp::{EvalFailure, SquareSystem};

mod globalisation;
mod natural;
mod point;
mod reuse;
mod watchdog;

/// When to stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NewtonOptions {
    /// Largest scaled residual of a solution.
    pub residual: f64,
    /// Largest relative length of the last full step; by quadratic convergence the error is about its square.
    pub step: f64,
    /// Largest number of steps.
    pub max_iterations: usize,
    /// Smallest fraction of a Newton step worth trying.
    pub min_alpha: f64,
    /// Size of an unknown, in units of its scale, that counts as having run away.
    pub divergence: f64,
    /// When the Jacobian is factorised anew.
    pub reuse: Reuse,
    /// What counts as progress along a Newton step.
    pub globalisation: Globalisation,
}

impl Default for NewtonOptions {
    fn default() -> Self {
        Self {
            residual: 1e-10,
            step: 1e-7,
            max_iterations: 50,
            min_alpha: 1e-6,
            divergence: 1e12,
            reuse: Reuse::Never,
            globalisation: Globalisation::Residual,
        }
    }
}

/// How a solve ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Residual and step are within tolerance.
    Solved,
    /// The iteration limit came first.
    IterationLimit,
    /// No fraction of the Newton step is progress in the sense of [`NewtonOptions::globalisation`].
    LineSearchFailed,
    /// Unknowns grow without bound.
    Diverging,
    /// The observer asked to stop.
    Interrupted,
}

/// One line of the iteration table; line 0 is the start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IterationRecord {
    /// Number of steps taken.
    pub iter: usize,
    /// Largest scaled residual after the step.
    pub residual: f64,
    /// Relative length of the full Newton step.
    pub step: f64,
    /// Fraction of it that was taken.
    pub alpha: f64,
    /// Number of points tried along it.
    pub trials: usize,
    /// Whether the Jacobian was evaluated and factorised for this step.
    pub factorised: bool,
}

/// Where Newton's method ended, and how it got there.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// The last point.
    pub x: Vec<f64>,
    /// How the solve ended.
    pub status: Status,
    /// The iteration table.
    pub iterations: Vec<IterationRecord>,
    /// What stood in the way, naming the worst equation; `None` when solved.
    pub message: Option<String>,
}

/// Why Newton's method could not be carried out.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum NewtonError {
    /// The model cannot be evaluated where Newton has to start or go on.
    #[error("the equations cannot be evaluated at {point}: {source}")]
    Evaluation {
        /// `"the start"` or the iteration.
        point: String,
        /// Where and why.
        source: EvalFailure,
    },
    /// The Jacobian is singular.
    #[error("the equations do not determine {unknown} (see also: {row}): {}", .source.finding())]
    Singular {
        /// The unknown that is not determined.
        unknown: String,
        /// An equation involved.
        row: String,
        /// The finding of the linear solver.
        source: LinearError,
    },
    /// The linear solver failed for another reason.
    #[error("the Newton step could not be computed: {}", .0.finding())]
    Linear(#[from] LinearError),
}

/// Newton's method with a linear solver whose symbolic analysis is kept from one solve to the next.
pub struct Newton {
    /// When to stop.
    pub options: NewtonOptions,
    linear: Box<dyn LinearSolver>,
    /// The Jacobian whose factors `linear` holds, if they may be used again.
    held: Option<Held>,
    /// Memory of the last solve for the next.
    point: Point,
}

/// Space that most solves need for their table.
const EXPECTED_ITERATIONS: usize = 8;

/// Scaled residuals of this size are rounding errors of the sums they are made of.
const ROUNDING: f64 = 64.0 * f64::EPSILON;
/// A step longer than this is no rounding error, however badly the equations are conditioned.
const LOST: f64 = 1e-3;

/// Residual and relative step of an iteration.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reached {
    /// Largest scaled residual after the step.
    pub residual: f64,
    /// Relative length of the full step.
    pub step: f64,
}

impl Reached {
    /// Whether arithmetic gives no more: the residual was and is at the level of rounding, and the step, its image under the
    /// inverse of an ill-conditioned Jacobian, has stopped to shrink.
    pub fn is_all_there_is(self, before: Self) -> bool {
        let rounded = self.residual <= ROUNDING && before.residual <= ROUNDING;
        rounded && self.step >= 0.25 * before.step && self.step.max(before.step) <= LOST
    }
}

/// Called after each iteration; returning false stops the solve.
pub type Observer<'a> = &'a mut dyn FnMut(&IterationRecord) -> bool;

impl Newton {
    /// Newton's method on top of a linear solver.
    pub fn new(linear: Box<dyn LinearSolver>, options: NewtonOptions) -> Self {
        Self { options, linear, held: None, point: Point::default() }
    }

    /// The linear solver for other use; factors held for later are given up.
    pub(super) fn lend(&mut self) -> &mut dyn LinearSolver {
        self.held = None;
        self.linear.as_mut()
    }

    /// Solves r(x) = 0 from `start`.
    ///
    /// With [`Reuse::WhileFast`] the factors of the last solve of a system of the same pattern are tried first.
    pub fn solve(
        &mut self,
        system: &mut dyn SquareSystem,
        start: &[f64],
        observe: Observer,
    ) -> Result<Solution, NewtonError> {
        let size = system.size();
        expect_size("start", start.len(), size)?;
        self.linear.analyse(system.pattern()).map_err(|error| with_names(error, system))?;
        let mut at = std::mem::take(&mut self.point);
        at.resize(size, system.pattern().nnz());
        at.x.copy_from_slice(start);
        let outcome = self.solve_from(system, &mut at, observe);
        self.point = at;
        outcome
    }

    /// Solves r(x) = 0 from the point `at`, where nothing but x is known yet.
    fn solve_from(
        &mut self,
        system: &mut dyn SquareSystem,
        at: &mut Point,
        observe: Observer,
    ) -> Result<Solution, NewtonError> {
        at.evaluate(system).map_err(|source| NewtonError::Evaluation { point: "the start".into(), source })?;
        let mut iterations: Vec<IterationRecord> = Vec::with_capacity(EXPECTED_ITERATIONS);
        let mut pace = Pace::new(self.options.reuse, self.recall(system, at));
        if pace.holds() {
            at.weigh(system.pattern());
        }
        let mut memory = Memory::default();

        loop {
            let iter = iterations.len();
            let unevaluated = |source| NewtonError::Evaluation { point: format!("iteration {iter}"), source };
            if pace.holds() {
                at.weigh_again(system.pattern());
            } else {
                at.linearise(system).map_err(unevaluated)?;
            }
            if iter == 0 {
                let residual = at.worst().1;
                let first = IterationRecord { iter, residual, step: 0.0, alpha: 0.0, trials: 0, factorised: false };
                iterations.push(first);
                if !observe(&first) {
                    return Ok(finish(at, system, Status::Interrupted, iterations));
                }
                if first.residual == 0.0 {
                    return Ok(finish(at, system, Status::Solved, iterations));
                }
            }
            if iterations.len() > self.options.max_iterations {
                return Ok(finish(at, system, Status::IterationLimit, iterations));
            }
            let mut simplified = None;
            if pace.holds() {
                simplified = self.simplified_step(system, at, &mut pace);
                if simplified.is_none() {
                    pace.release();
                    at.linearise(system).map_err(unevaluated)?;
                }
            }
            let factorised = simplified.is_none();
            let (step, alpha, trials) = match simplified {
                Some(step) => {
                    memory.reset();
                    (step, 1.0, 1)
                }
                None => match self.advance(system, at, &mut memory)? {
                    Ok(advanced) => advanced,
                    Err(obstacle) => {
                        let mut solution = finish(at, system, Status::LineSearchFailed, iterations);
                        if let (Some(message), Some(obstacle)) = (&mut solution.message, obstacle) {
                            message.push_str(&format!("; shorter steps were last refused by {obstacle}"));
                        }
                        return Ok(solution);
                    }
                },
            };
            let residual = at.worst().1;
            let record = IterationRecord { iter: iterations.len(), residual, step, alpha, trials, factorised };
            iterations.push(record);
            let wanted = observe(&record);
            let close = if factorised { step <= self.options.step && alpha == 1.0 } else { pace.arrived(step) };
            let mut solved = record.residual <= self.options.residual && close;
            if solved && !factorised && pace.doubtful() {
                // Rows that weighed more in the earlier system would hide their residuals.
                at.linearise(system).map_err(unevaluated)?;
                solved = at.worst().1 <= self.options.residual;
            }
            let reached = |record: &IterationRecord| Reached { residual: record.residual, step: record.step };
            let before = iterations.iter().rev().nth(1).filter(|before| before.iter > 0).map(reached);
            let exhausted = before.is_some_and(|before| reached(&record).is_all_there_is(before));
            let status = if solved || record.residual == 0.0 || exhausted {
                Status::Solved
            } else if !wanted {
                Status::Interrupted
            } else if at.runaway(self.options.divergence).is_some() {
                Status::Diverging
            } else {
                pace.record(step, alpha, close);
                continue;
            };
            return Ok(finish(at, system, status, iterations));
        }
    }

    /// Computes the Newton step −J⁻¹ r and returns its relative length.
    fn newton_step(&mut self, system: &dyn SquareSystem, at: &mut Point) -> Result<f64, NewtonError> {
        self.factor(system, at)?;
        at.step.iter_mut().zip(&at.residual).for_each(|(step, residual)| *step = -residual);
        self.linear.solve(&mut at.step).map_err(|error| with_names(error, system))?;
        Ok(at.step_length())
    }
}

pub(super) fn with_names(error: LinearError, system: &dyn SquareSystem) -> NewtonError {
    match error {
        LinearError::StructurallySingular { row, column, .. } | LinearError::Singular { row, column, .. } => {
            NewtonError::Singular { unknown: system.unknown_name(column), row: system.row_name(row), source: error }
        }
        other => NewtonError::Linear(other),
    }
}

fn finish(at: &Point, system: &dyn SquareSystem, status: Status, iterations: Vec<IterationRecord>) -> Solution {
    let (row, residual) = at.worst();
    let residual_message = || format!("largest scaled residual {residual:.2e} in {}", system.row_name(row));
    let outgrown = at.x.iter().zip(&at.scales).map(|(x, scale)| x.abs() / scale).enumerate();
    let message = match status {
        Status::Solved => None,
        Status::Diverging => outgrown.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(col, _)| {
            format!("{} has grown to {:.2e}; {}", system.unknown_name(col), at.x[col], residual_message())
        }),
        Status::IterationLimit | Status::LineSearchFailed | Status::Interrupted => Some(residual_message()),
    };
    Solution { x: at.x.clone(), status, iterations, message }
}

#[cfg(test)]
pub(super) mod tests;
