//! Newton's method for square systems, damped by a line search.
//!
//! Equations of different units are made comparable by dividing row i of r(x) by maxⱼ |Jᵢⱼ| max(scaleⱼ, |xⱼ|): a scaled
//! residual of 1e-10 means that relative changes of about 1e-10 of the unknowns would remove it. The measure is also
//! the level at which rounding errors live, so tolerances need no knowledge of the problem.

use thiserror::Error;

use point::Point;

use super::linear::{LinearError, LinearSolver, expect_size};
use crate::nlp::{EvalFailure, SquareSystem};

mod point;

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
}

impl Default for NewtonOptions {
    fn default() -> Self {
        Self { residual: 1e-10, step: 1e-7, max_iterations: 50, min_alpha: 1e-6, divergence: 1e12 }
    }
}

/// How a solve ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Residual and step are within tolerance.
    Solved,
    /// The iteration limit came first.
    IterationLimit,
    /// No fraction of the Newton step reduces the residual.
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
    #[error("the equations do not determine {unknown} (see also: {row}): {source}")]
    Singular {
        /// The unknown that is not determined.
        unknown: String,
        /// An equation involved.
        row: String,
        /// The finding of the linear solver.
        source: LinearError,
    },
    /// The linear solver failed for another reason.
    #[error("the Newton step could not be computed: {0}")]
    Linear(#[from] LinearError),
}

/// Newton's method with a linear solver whose symbolic analysis is kept from one solve to the next.
pub struct Newton {
    /// When to stop.
    pub options: NewtonOptions,
    linear: Box<dyn LinearSolver>,
}

/// Called after each iteration; returning false stops the solve.
pub type Observer<'a> = &'a mut dyn FnMut(&IterationRecord) -> bool;

impl Newton {
    /// Newton's method on top of a linear solver.
    pub fn new(linear: Box<dyn LinearSolver>, options: NewtonOptions) -> Self {
        Self { options, linear }
    }

    /// Solves r(x) = 0 from `start`.
    pub fn solve(
        &mut self,
        system: &mut dyn SquareSystem,
        start: &[f64],
        observe: Observer,
    ) -> Result<Solution, NewtonError> {
        let size = system.size();
        expect_size("start", start.len(), size)?;
        self.linear.analyse(system.pattern()).map_err(|error| with_names(error, system))?;
        let mut at = Point::new(size, system.pattern().nnz());
        at.x.copy_from_slice(start);
        at.evaluate(system).map_err(|source| NewtonError::Evaluation { point: "the start".into(), source })?;
        let mut iterations: Vec<IterationRecord> = Vec::new();

        loop {
            let iter = iterations.len();
            at.linearise(system)
                .map_err(|source| NewtonError::Evaluation { point: format!("iteration {iter}"), source })?;
            if iter == 0 {
                let first = IterationRecord { iter, residual: at.worst().1, step: 0.0, alpha: 0.0, trials: 0 };
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
            let step = self.newton_step(system, &mut at)?;
            let searched = at.search(system, &self.options);
            let (alpha, trials) = match searched {
                Ok(accepted) => accepted,
                Err(obstacle) => {
                    let mut solution = finish(at, system, Status::LineSearchFailed, iterations);
                    if let (Some(message), Some(obstacle)) = (&mut solution.message, obstacle) {
                        message.push_str(&format!("; shorter steps were last refused by {obstacle}"));
                    }
                    return Ok(solution);
                }
            };
            let record = IterationRecord { iter: iterations.len(), residual: at.worst().1, step, alpha, trials };
            iterations.push(record);
            let wanted = observe(&record);
            let converged = record.residual <= self.options.residual && step <= self.options.step && alpha == 1.0;
            let status = if converged || record.residual == 0.0 {
                Status::Solved
            } else if !wanted {
                Status::Interrupted
            } else if at.runaway(self.options.divergence).is_some() {
                Status::Diverging
            } else {
                continue;
            };
            return Ok(finish(at, system, status, iterations));
        }
    }

    /// Computes the Newton step −J⁻¹ r and returns its relative length.
    fn newton_step(&mut self, system: &dyn SquareSystem, at: &mut Point) -> Result<f64, NewtonError> {
        self.linear.factor(&at.jacobian).map_err(|error| with_names(error, system))?;
        at.step.iter_mut().zip(&at.residual).for_each(|(step, residual)| *step = -residual);
        self.linear.solve(&mut at.step).map_err(|error| with_names(error, system))?;
        Ok(at.step.iter().zip(&at.sizes).fold(0.0, |longest, (step, size)| f64::max(longest, step.abs() / size)))
    }
}

fn with_names(error: LinearError, system: &dyn SquareSystem) -> NewtonError {
    match error {
        LinearError::StructurallySingular { row, column, .. } | LinearError::Singular { row, column, .. } => {
            NewtonError::Singular { unknown: system.unknown_name(column), row: system.row_name(row), source: error }
        }
        other => NewtonError::Linear(other),
    }
}

fn finish(at: Point, system: &dyn SquareSystem, status: Status, iterations: Vec<IterationRecord>) -> Solution {
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
    Solution { x: at.x, status, iterations, message }
}

#[cfg(test)]
pub(super) mod tests;
