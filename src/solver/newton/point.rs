//! The current point of Newton's method, and the search for the next one.

use super::NewtonOptions;
use crate::nlp::{EvalFailure, Pattern, SquareSystem};

/// The current point with everything known about it.
#[derive(Default)]
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
    pub(super) trial_x: Vec<f64>,
    pub(super) trial_residual: Vec<f64>,
    /// Step that the present factors suggest at the trial point.
    pub(super) simplified: Vec<f64>,
}

impl Point {
    /// Gives all arrays the size of a system; what they hold is of no use any more.
    pub fn resize(&mut self, size: usize, nnz: usize) {
        let Self { x, residual, jacobian, step, sizes, scales, weights, trial_x, trial_residual, simplified } = self;
        jacobian.resize(nnz, 0.0);
        for array in [x, residual, step, sizes, scales, weights, trial_x, trial_residual, simplified] {
            array.resize(size, 0.0);
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

    /// The scaling of the rows at this point with the Jacobian as it was when they were last scaled.
    pub fn weigh_again(&mut self, pattern: &Pattern) {
        let sizes = self.scales.iter().zip(&self.x).map(|(scale, x)| scale.max(x.abs()));
        if !sizes.eq(self.sizes.iter().copied()) {
            self.weigh(pattern);
        }
    }

    /// The scaling of the rows at this point with the Jacobian as it is.
    pub fn weigh(&mut self, pattern: &Pattern) {
        self.weights.fill(0.0);
        for (col, size) in self.sizes.iter_mut().enumerate() {
            *size = self.scales[col].max(self.x[col].abs());
            let entries = pattern.column(col);
            for (&row, entry) in pattern.row_idx()[entries.clone()].iter().zip(&self.jacobian[entries]) {
                let (weight, candidate) = (&mut self.weights[row], entry.abs() * *size);
                if candidate > *weight {
                    *weight = candidate;
                }
            }
        }
        self.weights.iter_mut().for_each(|weight| *weight = if *weight > 0.0 { 1.0 / *weight } else { 1.0 });
    }

    /// Length of the step relative to the unknowns.
    pub fn step_length(&self) -> f64 {
        relative_length(self.step.iter().copied(), &self.sizes)
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
            self.go(alpha);
            match evaluate_finite(system, &self.trial_x, &mut self.trial_residual) {
                Ok(()) => {
                    let after = squared_norm(&self.trial_residual, &self.weights);
                    if self.tolerable(options.residual) || after <= (1.0 - 2.0 * SUFFICIENT * alpha) * before {
                        self.accept();
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
        self.go(1.0);
        if evaluate_finite(system, &self.trial_x, &mut self.trial_residual).is_err() {
            return false;
        }
        let before = squared_norm(&self.residual, &self.weights);
        let after = squared_norm(&self.trial_residual, &self.weights);
        if !self.tolerable(tolerance) && !(after <= shrink * shrink * before) {
            return false;
        }
        self.accept();
        true
    }

    /// Puts the trial point at a fraction of the step.
    pub(super) fn go(&mut self, alpha: f64) {
        for ((trial, x), step) in self.trial_x.iter_mut().zip(&self.x).zip(&self.step) {
            *trial = x + alpha * step;
        }
    }

    /// Whether the scaled residual of the trial point is within a tolerance.
    pub(super) fn tolerable(&self, tolerance: f64) -> bool {
        largest_scaled(&self.trial_residual, &self.weights).1 <= tolerance
    }

    /// Makes the trial point the current one.
    pub(super) fn accept(&mut self) {
        std::mem::swap(&mut self.x, &mut self.trial_x);
        std::mem::swap(&mut self.residual, &mut self.trial_residual);
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

/// max |vᵢ| / sizeᵢ.
pub(super) fn relative_length(v: impl Iterator<Item = f64>, sizes: &[f64]) -> f64 {
    v.zip(sizes).fold(0.0, |longest, (v, size)| f64::max(longest, v.abs() / size))
}

fn largest_scaled(residual: &[f64], weights: &[f64]) -> (usize, f64) {
    let scaled = residual.iter().zip(weights).map(|(residual, weight)| residual.abs() * weight);
    scaled.enumerate().fold((0, 0.0), |worst, (row, size)| if size > worst.1 { (row, size) } else { worst })
}

fn squared_norm(residual: &[f64], weights: &[f64]) -> f64 {
    residual.iter().zip(weights).map(|(residual, weight)| (residual * weight).powi(2)).sum()
}
