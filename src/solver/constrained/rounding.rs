//! What the optimality conditions miss beyond what rounding leaves of them.
//!
//! A row cᵢ(x) − sᵢ is a sum of terms of about |∂cᵢ/∂xⱼ xⱼ|, a slope of the Lagrange function one of |∂f/∂xⱼ|, |λᵢ ∂cᵢ/∂xⱼ| and, by the
//! rounding of x itself, |∂²ℒ/∂xⱼ∂xₖ xₖ|. No step takes away what is left of such sums, whatever the units: in newton and
//! kilogram as in kilonewton and tonne.

use super::engine::Engine;
use super::point::Errors;
use super::staged::Staged;

/// Rounding errors of a sum over the size of its terms.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// What is missed beyond rounding.
pub(super) struct Beyond {
    /// Errors of the optimality conditions.
    pub errors: Errors,
    /// Largest violation of an unscaled row.
    pub violation: f64,
}

impl Engine {
    /// Of the present point, whose errors are these; the work space still holds the slopes of the Lagrange function.
    pub(super) fn beyond_rounding(&self, nlp: &dyn Staged, errors: Errors) -> Beyond {
        let (standard, point) = (&self.standard, &self.point);
        let x = &point.v[..standard.n];
        let mut slopes: Vec<f64> = point.gradient.iter().map(|slope| slope.abs()).collect();
        let mut rows: Vec<f64> = point.v[standard.n..].iter().map(|slack| slack.abs()).collect();
        let pattern = nlp.jacobian_pattern();
        for (j, slope) in slopes.iter_mut().enumerate() {
            for entry in pattern.column(j) {
                let (i, size) = (pattern.row_idx()[entry], point.jacobian[entry].abs());
                rows[i] += size * x[j].abs();
                *slope += size * point.lambda[i].abs();
            }
        }
        let pattern = nlp.hessian_pattern();
        for j in 0..standard.n {
            for entry in pattern.column(j) {
                let (k, size) = (pattern.row_idx()[entry], self.hessian[entry].abs());
                slopes[j] += size * x[k].abs();
                if j != k {
                    slopes[k] += size * x[j].abs();
                }
            }
        }
        let mut beyond = Beyond { errors: Errors { dual: 0.0, primal: 0.0, ..errors }, violation: 0.0 };
        for ((residual, size), scale) in point.residual.iter().zip(&rows).zip(&self.row_scales) {
            let left = (residual.abs() - ROUNDING * size).max(0.0);
            beyond.errors.primal = beyond.errors.primal.max(left);
            beyond.violation = beyond.violation.max(left / scale);
        }
        for (i, slope) in self.work.iter().enumerate() {
            if standard.fixed[i] || (i >= standard.n && standard.open[i - standard.n]) {
                continue;
            }
            let slope = (slope - point.z_lower[i] + point.z_upper[i]).abs();
            let left = slope - slopes.get(i).map_or(0.0, |size| ROUNDING * size);
            beyond.errors.dual = beyond.errors.dual.max(left);
        }
        beyond
    }
}
