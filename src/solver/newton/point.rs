//! The current point of Newton's method, and the search for the next one.

use super::NewtonOptions;
use crate::nlp::{EvalFailure, Pattern, SquareSystem};

/// The current point with everything known about it.
pub(super) struct Point {
    pub x: Vec<f64>,
    pub residual: Vec<f64>,
    pub jacobian: Vec<f64>,
    pub step: Vec<f64>,
    /// max(scale, |x|) of each unknown.
    pub sizes: Vec<f64>,
    /// Scales of the unknowns.
    pub scales: Vec<f64>,
    /// Factor that makes each residual dimensionless.
    weights: Vec<f64>,
    trial_x: Vec<f64>,
    trial_residual: Vec<f64>,
}

impl Point {
    pub fn new(size: usize, nnz: usize) -> Self {
        let zeros = || vec![0.0; size];
        Self {
            x: zeros(),
            residual: zeros(),
            jacobian: vec![0.0; nnz],
            step: zeros(),
            sizes: zeros(),
            scales: zeros(),
            weights: zeros(),
            trial_x: zeros(),
            trial_residual: zeros(),
        }
    }

    pub fn evaluate(&mut self, system: &mut dyn SquareSystem) -> Result<(), EvalFailure> {
        for (col, scale) in self.scales.iter_mut().enumerate() {
            *scale = system.unknown_scale(col);
        }
        evaluate_finite(system, &self.x, &mut self.residual)
    }

    /// Evaluates the Jacobian and the scaling of the rows that follows from it.
    pub fn linearise(&mut self, system: &mut dyn SquareSystem) -> Result<(), EvalFailure> {
        system.jacobian(&self.x, &mut self.jacobian)?;
        self.weigh(system.pattern());
        Ok(())
    }

    /// The scaling of the rows at this point with the Jacobian as it is.
    pub fn weigh(&mut self, pattern: &Pattern) {
        self.weights.fill(0.0);
        for (col, size) in self.sizes.iter_mut().enumerate() {
            *size = self.scales[col].max(self.x[col].abs());
            for entry in pattern.column(col) {
                let weight = &mut self.weights[pattern.row_idx()[entry]];
                *weight = weight.max(self.jacobian[entry].abs() * *size);
            }
        }
        self.weights.iter_mut().for_each(|weight| *weight = if *weight > 0.0 { 1.0 / *weight } else { 1.0 });
    }

    /// Length of the step relative to the unknowns.
    pub fn step_length(&self) -> f64 {
        self.step.iter().zip(&self.sizes).fold(0.0, |longest, (step, size)| f64::max(longest, step.abs() / size))
    }

    /// Row and size of the largest scaled residual.
    pub fn worst(&self) -> (usize, f64) {
        largest_scaled(&self.residual, &self.weights)
    }

    /// The unknown that has outgrown its scale by more than `limit`.
    pub fn runaway(&self, limit: f64) -> Option<usize> {
        self.x.iter().zip(&self.scales).position(|(x, scale)| x.abs() > limit * scale)
    }

    /// Goes along the step to a point where the Euclidean norm of the scaled residual is smaller, or the residual within
    /// tolerance. Returns the fraction taken and the number of trials; on failure the last reason not to evaluate, if any.
    pub fn search(
        &mut self,
        system: &mut dyn SquareSystem,
        options: &NewtonOptions,
    ) -> Result<(f64, usize), Option<EvalFailure>> {
        /// Share of the decrease predicted by the linear model that must be reached.
        const SUFFICIENT: f64 = 1e-4;
        let before = squared_norm(&self.residual, &self.weights);
        let mut alpha = 1.0;
        let mut trials = 0;
        let mut obstacle = None;
        while alpha >= options.min_alpha {
            trials += 1;
            for ((trial, x), step) in self.trial_x.iter_mut().zip(&self.x).zip(&self.step) {
                *trial = x + alpha * step;
            }
            match evaluate_finite(system, &self.trial_x, &mut self.trial_residual) {
                Ok(()) => {
                    let after = squared_norm(&self.trial_residual, &self.weights);
                    let tolerable = largest_scaled(&self.trial_residual, &self.weights).1 <= options.residual;
                    if tolerable || after <= (1.0 - 2.0 * SUFFICIENT * alpha) * before {
                        std::mem::swap(&mut self.x, &mut self.trial_x);
                        std::mem::swap(&mut self.residual, &mut self.trial_residual);
                        return Ok((alpha, trials));
                    }
                    // Minimum of the parabola with value `before` and slope −2 `before` at 0, value `after` at alpha.
                    let minimum = before * alpha * alpha / (after - before + 2.0 * before * alpha);
                    alpha = if minimum.is_finite() { minimum.clamp(0.1 * alpha, 0.5 * alpha) } else { 0.1 * alpha };
                    obstacle = None;
                }
                Err(failure) => {
                    alpha *= 0.5;
                    obstacle = Some(failure);
                }
            }
        }
        Err(obstacle)
    }

    /// Takes the whole step if the Euclidean norm of the scaled residual shrinks by the factor `shrink` at least, or the
    /// residual comes within `tolerance`. Returns whether it was taken.
    pub fn leap(&mut self, system: &mut dyn SquareSystem, shrink: f64, tolerance: f64) -> bool {
        for ((trial, x), step) in self.trial_x.iter_mut().zip(&self.x).zip(&self.step) {
            *trial = x + step;
        }
        if evaluate_finite(system, &self.trial_x, &mut self.trial_residual).is_err() {
            return false;
        }
        let before = squared_norm(&self.residual, &self.weights);
        let after = squared_norm(&self.trial_residual, &self.weights);
        let tolerable = largest_scaled(&self.trial_residual, &self.weights).1 <= tolerance;
        if !tolerable && !(after <= shrink * shrink * before) {
            return false;
        }
        std::mem::swap(&mut self.x, &mut self.trial_x);
        std::mem::swap(&mut self.residual, &mut self.trial_residual);
        true
    }
}

/// Evaluates the residual and takes values that are not finite for a failure of that row.
pub(in crate::solver) fn evaluate_finite(
    system: &mut dyn SquareSystem,
    x: &[f64],
    out: &mut [f64],
) -> Result<(), EvalFailure> {
    system.residual(x, out)?;
    match out.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(row) => Err(EvalFailure { place: system.row_name(row), reason: format!("the residual is {}", out[row]) }),
    }
}

fn largest_scaled(residual: &[f64], weights: &[f64]) -> (usize, f64) {
    let scaled = residual.iter().zip(weights).map(|(residual, weight)| residual.abs() * weight);
    scaled.enumerate().fold((0, 0.0), |worst, (row, size)| if size > worst.1 { (row, size) } else { worst })
}

fn squared_norm(residual: &[f64], weights: &[f64]) -> f64 {
    residual.iter().zip(weights).map(|(residual, weight)| (residual * weight).powi(2)).sum()
}
