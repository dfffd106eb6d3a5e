//! Newton's method on the few unknowns of one step of a motion.

use nalgebra::{DMatrix, DVector};

use crate::nlp::graph::Program;
use crate::nlp::{EvalFailure, Nlp};

/// Relative length of a full step after which the error, about its square, is below rounding.
const CONVERGED: f64 = 1e-9;
/// Relative length of steps that no longer shrink, at which rounding is to blame.
const ROUNDING: f64 = 1e-6;
const MAX_ITERATIONS: usize = 40;
const MAX_HALVINGS: usize = 12;

/// Why a step has no solution.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Failure {
    /// The matrix has no inverse.
    Singular,
    /// Too many iterations; the row that is violated most.
    NotConverged(String, f64),
    /// The equations have no value.
    Evaluation(EvalFailure),
}

/// A program whose first rows are to vanish by its first variables.
pub(super) struct Small {
    pub program: Program,
    /// Number of unknowns and of equations.
    unknowns: usize,
    /// Number of unknowns that decide about convergence; the others follow from them linearly.
    leading: usize,
    pub x: Vec<f64>,
    pub rows: Vec<f64>,
    jacobian: Vec<f64>,
}

impl Small {
    pub fn new(program: Program, unknowns: usize, leading: usize) -> Self {
        let x = vec![0.0; program.bounds().variables()];
        let rows = vec![0.0; program.bounds().rows()];
        let jacobian = vec![0.0; program.jacobian_pattern().nnz()];
        Self { program, unknowns, leading, x, rows, jacobian }
    }

    /// Solves for the first variables from where they are; `rows` are up to date afterwards.
    pub fn solve(&mut self) -> Result<(), Failure> {
        let n = self.unknowns;
        let mut last = f64::INFINITY;
        self.program.constraints(&self.x, &mut self.rows).map_err(Failure::Evaluation)?;
        for _ in 0..MAX_ITERATIONS {
            self.program.jacobian(&self.x, &mut self.jacobian).map_err(Failure::Evaluation)?;
            let pattern = self.program.jacobian_pattern();
            let mut matrix = DMatrix::zeros(n, n);
            for col in 0..n {
                for entry in pattern.column(col).filter(|&entry| pattern.row_idx()[entry] < n) {
                    matrix[(pattern.row_idx()[entry], col)] = self.jacobian[entry];
                }
            }
            let step = matrix.lu().solve(&DVector::from_column_slice(&self.rows[..n])).ok_or(Failure::Singular)?;
            if !step.iter().all(|value| value.is_finite()) {
                return Err(Failure::Singular);
            }
            let relative = |i: usize| step[i].abs() / self.x[i].abs().max(1.0);
            let length = (0..self.leading).map(relative).fold(0.0, f64::max);
            let whole = self.advance(&step)?;
            if whole && (length <= CONVERGED || (length <= ROUNDING && length >= 0.5 * last)) {
                return Ok(());
            }
            last = length;
        }
        let worst = (0..n).max_by(|&a, &b| self.rows[a].abs().total_cmp(&self.rows[b].abs())).unwrap_or(0);
        Err(Failure::NotConverged(self.program.row_name(worst), self.rows[worst]))
    }

    /// Takes as much of the step as does not make the equations much worse; whether that was all of it.
    fn advance(&mut self, step: &DVector<f64>) -> Result<bool, Failure> {
        let norm = |rows: &[f64]| rows.iter().fold(0.0f64, |worst, row| worst.max(row.abs()));
        let (before, from) = (norm(&self.rows[..self.unknowns]), self.x[..self.unknowns].to_vec());
        let mut share = 1.0;
        let mut outcome = Ok(());
        for halvings in 0..MAX_HALVINGS {
            self.x.iter_mut().zip(&from).zip(step.iter()).for_each(|((x, from), step)| *x = from - share * step);
            outcome = self.program.constraints(&self.x, &mut self.rows);
            // Near the solution rounding may enlarge what is left.
            let better = norm(&self.rows[..self.unknowns]) <= 2.0 * before + f64::EPSILON.sqrt();
            if outcome.is_ok() && better {
                return Ok(halvings == 0);
            }
            share *= 0.5;
        }
        outcome.map_err(Failure::Evaluation).map(|()| false)
    }
}
