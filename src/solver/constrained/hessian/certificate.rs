//! What a point must pass beyond small first-order errors before it counts as solved.
//!
//! First-order errors are small at maxima and saddle points too, wherever the objective is flat, and at points that owe
//! their objective to bounds widened by a rounding error. So the widening is taken back where it matters, negative
//! curvature is escaped from, and a Newton step that still promises a decrease is taken.

use crate::nlp::EvalFailure;
use crate::solver::constrained::engine::Engine;
use crate::solver::constrained::inequality::barrier::{longest_primal, slope_along};
use crate::solver::constrained::staged::Staged;
use crate::solver::constrained::standard::Standard;

/// Change of the objective, relative to its size, that is worth another step.
const WORTHWHILE: f64 = 1e-7;
/// Negative curvature below this is rounding.
const NEGATIVE_CURVATURE: f64 = 1e-6;
/// Steps taken beyond small first-order errors at most.
const MAX_EXTRA: usize = 30;
/// Number of saddle points left at most.
const MAX_ESCAPES: usize = 5;
/// Length of a step away from a saddle point, relative to the size of the variables.
const ESCAPE: f64 = 1e-2;

/// The verdict on a point with small first-order errors.
pub enum Certificate {
    /// It is a solution.
    Minimum,
    /// It is none, and the engine has moved on to another point or problem.
    Moved,
    /// A step worth taking has been computed.
    StepWorthwhile,
    /// No direction could be computed to examine it.
    Unexamined,
    /// It is a saddle point or maximum, and no way to leave it was found.
    Saddle,
}

/// What has been done so far to make sure.
#[derive(Debug, Clone, Copy, Default)]
pub struct Doubts {
    extra: usize,
    escapes: usize,
    pub tightened: bool,
}

impl Engine {
    /// Examines a point with small first-order errors.
    pub fn certify(&mut self, nlp: &mut dyn Staged) -> Result<Certificate, EvalFailure> {
        if !self.doubts.tightened && self.owed_to_widening() > WORTHWHILE * self.objective_size() {
            self.doubts.tightened = true;
            self.widened_solution = Some((self.standard.clone(), self.point.clone()));
            self.tighten(nlp)?;
            return Ok(Certificate::Moved);
        }
        if self.bounds_multipliers(nlp) {
            self.begin_anew(nlp)?;
            return Ok(Certificate::Moved);
        }
        if self.last_promise.is_some_and(|promise| promise <= WORTHWHILE * self.objective_size()) {
            return Ok(Certificate::Minimum);
        }
        if self.find_direction(nlp)?.is_err() {
            return Ok(Certificate::Unexamined);
        }
        // Without any curvature there is no saddle, however degenerate the matrix.
        let curved = self.hessian.iter().any(|value| *value != 0.0);
        if curved && self.kkt.primal > 0.0 && self.kkt.curves_down(&self.standard, NEGATIVE_CURVATURE) {
            if self.doubts.escapes == MAX_ESCAPES {
                return Ok(Certificate::Saddle);
            }
            self.doubts.escapes += 1;
            return if self.escape(nlp)? { Ok(Certificate::Moved) } else { Ok(Certificate::Saddle) };
        }
        let slope = slope_along(&self.standard, &self.point, &self.direction, self.method.mu());
        if self.doubts.extra < MAX_EXTRA && slope.abs() > WORTHWHILE * self.objective_size() {
            self.doubts.extra += 1;
            return Ok(Certificate::StepWorthwhile);
        }
        Ok(Certificate::Minimum)
    }

    /// |f|, at least that of an unscaled objective of 1.
    fn objective_size(&self) -> f64 {
        self.point.objective.abs().max(self.scales().0)
    }

    /// First-order estimate of what the objective gained by widened bounds.
    fn owed_to_widening(&self) -> f64 {
        let (standard, point) = (&self.standard, &self.point);
        let gain = |i: usize| {
            let lower =
                if standard.has_lower(i) { point.z_lower[i] * standard.widening(i, standard.lower[i]) } else { 0.0 };
            lower + if standard.has_upper(i) { point.z_upper[i] * standard.widening(i, standard.upper[i]) } else { 0.0 }
        };
        (0..standard.len()).map(gain).sum()
    }

    /// Goes on with the bounds as they are.
    fn tighten(&mut self, nlp: &mut dyn Staged) -> Result<(), EvalFailure> {
        self.standard = Standard::exact(nlp);
        self.forget_restoration();
        let mu = self.method.mu();
        for i in (0..self.standard.len()).filter(|&i| !self.standard.fixed[i]) {
            let (lower, upper) = (self.standard.lower[i], self.standard.upper[i]);
            let inside = |z: f64| (if z > 0.0 { mu / z } else { mu }).min(0.5 * (upper - lower));
            if self.standard.has_lower(i) {
                self.point.v[i] = self.point.v[i].max(lower + inside(self.point.z_lower[i]));
            }
            if self.standard.has_upper(i) {
                self.point.v[i] = self.point.v[i].min(upper - inside(self.point.z_upper[i]));
            }
        }
        self.begin_anew(nlp)
    }

    /// Leaves along negative curvature; false if no such direction was found.
    ///
    /// The matrix with its shift δ_w just beyond the most negative curvature is nearly singular along that direction, so
    /// two solves with it turn any vector there (inverse iteration).
    fn escape(&mut self, nlp: &mut dyn Staged) -> Result<bool, EvalFailure> {
        let n = self.standard.n;
        let mut rhs = vec![0.0; self.standard.len()];
        for (i, rhs) in rhs[..n].iter_mut().enumerate() {
            *rhs = if self.standard.fixed[i] { 0.0 } else { scattered(i) };
        }
        for _ in 0..2 {
            rhs[n..].fill(0.0);
            if self.kkt.solve(&mut rhs).is_err() {
                return Ok(false);
            }
            let size = rhs[..n].iter().fold(0.0f64, |size, d| size.max(d.abs()));
            if !(size > 0.0 && size.is_finite()) {
                return Ok(false);
            }
            rhs[..n].iter_mut().for_each(|d| *d /= size);
        }
        let (x, s) = self.direction.v.split_at_mut(n);
        x.copy_from_slice(&rhs[..n]);
        nlp.jacobian_pattern().multiply(&self.point.jacobian, x, s);
        for (row, s) in s.iter_mut().enumerate() {
            if self.standard.fixed[n + row] || self.standard.open[row] {
                *s = 0.0;
            }
        }
        let size = self.point.v[..n].iter().fold(1.0f64, |size, x| size.max(x.abs()));
        self.direction.v.iter_mut().for_each(|d| *d *= ESCAPE * size);
        let alpha = longest_primal(&self.standard, &self.point.v, &self.direction.v, 0.5);
        self.point.v.iter_mut().zip(&self.direction.v).for_each(|(v, d)| *v += alpha * d);
        self.begin_anew(nlp)?;
        Ok(true)
    }
}

/// A number in [0.5, 1.5] of either sign that differs from index to index in no simple way.
fn scattered(index: usize) -> f64 {
    let share = (0.754_877_666_246_692_8 * (index + 1) as f64).fract();
    if (0.569_840_290_998_053_3 * (index + 1) as f64).fract() < 0.5 { -0.5 - share } else { 0.5 + share }
}
