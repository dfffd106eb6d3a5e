//! Mehrotra's predictor-corrector method for the quadratic program of an SQP step.

use crate::nlp::Pattern;
use crate::solver::constrained::direction::Direction;
use crate::solver::constrained::inequality::barrier::{longest_multipliers, longest_primal};
use crate::solver::constrained::inequality::{Linearised, NoDirection};

/// Iterations after which the program counts as infeasible.
const MAX_ITERATIONS: usize = 60;
/// Share of the room that the first point keeps from the bounds.
const PUSH: f64 = 1e-2;
const TAU: f64 = 0.995;

/// Point and work arrays; the position w = v + d, not the step d, is the variable.
pub struct InteriorQuadratic {
    w: Vec<f64>,
    lambda: Vec<f64>,
    z_lower: Vec<f64>,
    z_upper: Vec<f64>,
    dual: Vec<f64>,
    primal: Vec<f64>,
    sigma: Vec<f64>,
    /// The step d = w − v.
    d: Vec<f64>,
    affine: Direction,
    step: Direction,
}

impl InteriorQuadratic {
    pub fn new(len: usize, rows: usize) -> Self {
        Self {
            w: vec![0.0; len],
            lambda: vec![0.0; rows],
            z_lower: vec![0.0; len],
            z_upper: vec![0.0; len],
            dual: vec![0.0; len],
            primal: vec![0.0; rows],
            sigma: vec![0.0; len],
            d: vec![0.0; len],
            affine: Direction::zeros(len, rows),
            step: Direction::zeros(len, rows),
        }
    }

    /// Solves the program to the given error.
    pub fn solve(
        &mut self,
        at: &mut Linearised,
        hessian: &Pattern,
        accuracy: f64,
        out: &mut Direction,
    ) -> Result<(), NoDirection> {
        self.start(at);
        for _ in 0..MAX_ITERATIONS {
            let delta = at.kkt.primal;
            self.residuals(at, hessian, delta);
            let mu = self.complementarity(at, None);
            let largest = |values: &[f64]| values.iter().fold(0.0f64, |largest, value| largest.max(value.abs()));
            let scale = 1.0 + largest(&self.lambda).max(largest(&self.z_lower)).max(largest(&self.z_upper));
            if largest(&self.primal) <= accuracy && largest(&self.dual) <= accuracy * scale && mu <= accuracy * scale {
                self.write(at, out);
                return Ok(());
            }
            self.weigh(at);
            at.kkt.assemble(at.standard, at.hessian, &at.point.jacobian, &self.sigma);
            at.kkt.factorise(at.standard).map_err(|_| NoDirection::Unregularisable)?;
            // The shift is part of the model, so the residual must know it.
            if at.kkt.primal != delta {
                self.residuals(at, hessian, at.kkt.primal);
            }
            let mut affine = std::mem::take(&mut self.affine);
            let solved = self.newton(at, 0.0, None, &mut affine);
            let (primal, dual) = self.longest(at, &affine, 1.0);
            let ahead = self.complementarity(at, Some((&affine, primal, dual)));
            let centring = if mu > 0.0 { (ahead / mu).powi(3) } else { 0.0 };
            let mut step = std::mem::take(&mut self.step);
            let solved = solved && self.newton(at, centring * mu, Some(&affine), &mut step);
            let (primal, dual) = self.longest(at, &step, TAU);
            self.advance(&step, primal, dual);
            (self.affine, self.step) = (affine, step);
            if !solved {
                return Err(NoDirection::Unregularisable);
            }
        }
        Err(NoDirection::InfeasibleModel)
    }

    fn start(&mut self, at: &Linearised) {
        let standard = at.standard;
        self.w.copy_from_slice(&at.point.v);
        let (x, s) = self.w.split_at_mut(standard.n);
        standard.push_variables(x, PUSH);
        standard.push_slacks(s, PUSH);
        self.lambda.copy_from_slice(&at.point.lambda);
        for i in 0..standard.len() {
            self.z_lower[i] = if standard.has_lower(i) { at.point.z_lower[i].max(1.0) } else { 0.0 };
            self.z_upper[i] = if standard.has_upper(i) { at.point.z_upper[i].max(1.0) } else { 0.0 };
        }
    }

    /// Dual residual ∇f + (H + δ) d + Jᵀλ − z_L + z_U and primal residual r + J dₓ − dₛ.
    fn residuals(&mut self, at: &Linearised, hessian: &Pattern, delta: f64) {
        let (standard, point, n) = (at.standard, at.point, at.standard.n);
        self.d.iter_mut().zip(self.w.iter().zip(&point.v)).for_each(|(d, (w, v))| *d = w - v);
        let d = &self.d;
        hessian.multiply_symmetric(at.hessian, &d[..n], &mut self.dual[..n]);
        at.jacobian_pattern.multiply(&point.jacobian, &d[..n], &mut self.primal);
        for row in 0..standard.m {
            self.primal[row] =
                if standard.open[row] { 0.0 } else { self.primal[row] + point.residual[row] - d[n + row] };
            self.dual[n + row] = -self.lambda[row];
        }
        for (column, d) in d[..n].iter().enumerate() {
            self.dual[column] += point.gradient[column] + delta * d;
        }
        at.jacobian_pattern.add_transposed(&point.jacobian, &self.lambda, &mut self.dual[..n]);
        for i in 0..standard.len() {
            let ignored = standard.fixed[i] || (i >= n && standard.open[i - n]);
            self.dual[i] = if ignored { 0.0 } else { self.dual[i] - self.z_lower[i] + self.z_upper[i] };
        }
    }

    fn weigh(&mut self, at: &Linearised) {
        let standard = at.standard;
        for i in 0..standard.len() {
            self.sigma[i] = 0.0;
            if standard.has_lower(i) {
                self.sigma[i] += self.z_lower[i] / standard.above(&self.w, i);
            }
            if standard.has_upper(i) {
                self.sigma[i] += self.z_upper[i] / standard.below(&self.w, i);
            }
        }
    }

    /// Average complementarity, now or after a step.
    fn complementarity(&self, at: &Linearised, after: Option<(&Direction, f64, f64)>) -> f64 {
        let standard = at.standard;
        let (mut sum, mut count) = (0.0, 0usize);
        for i in 0..standard.len() {
            let (dw, dl, du) = match after {
                None => (0.0, 0.0, 0.0),
                Some((d, primal, dual)) => (primal * d.v[i], dual * d.z_lower[i], dual * d.z_upper[i]),
            };
            if standard.has_lower(i) {
                sum += (standard.above(&self.w, i) + dw) * (self.z_lower[i] + dl);
                count += 1;
            }
            if standard.has_upper(i) {
                sum += (standard.below(&self.w, i) - dw) * (self.z_upper[i] + du);
                count += 1;
            }
        }
        sum / count.max(1) as f64
    }

    /// Newton direction for complementarity `mu`, with the second-order term of the affine step; false if inaccurate.
    fn newton(&mut self, at: &mut Linearised, mu: f64, affine: Option<&Direction>, out: &mut Direction) -> bool {
        let standard = at.standard;
        // Complementarity residuals over distances: what z must change by beyond −Σ dw.
        let wanted = |this: &Self, i: usize| {
            let (mut lower, mut upper) = (0.0, 0.0);
            if standard.has_lower(i) {
                let second = affine.map_or(0.0, |a| a.v[i] * a.z_lower[i]);
                lower = (mu - second) / standard.above(&this.w, i) - this.z_lower[i];
            }
            if standard.has_upper(i) {
                let second = affine.map_or(0.0, |a| -a.v[i] * a.z_upper[i]);
                upper = (mu - second) / standard.below(&this.w, i) - this.z_upper[i];
            }
            (lower, upper)
        };
        for i in 0..standard.len() {
            let (lower, upper) = wanted(self, i);
            out.v[i] = self.dual[i] - lower + upper;
        }
        if at.kkt.condensed_step(standard, &self.primal, &mut out.v, &mut out.lambda).is_err() {
            return false;
        }
        for i in 0..standard.len() {
            let (lower, upper) = wanted(self, i);
            out.z_lower[i] = if standard.has_lower(i) {
                lower - self.z_lower[i] / standard.above(&self.w, i) * out.v[i]
            } else {
                0.0
            };
            out.z_upper[i] = if standard.has_upper(i) {
                upper + self.z_upper[i] / standard.below(&self.w, i) * out.v[i]
            } else {
                0.0
            };
        }
        true
    }

    fn longest(&self, at: &Linearised, step: &Direction, tau: f64) -> (f64, f64) {
        let primal = longest_primal(at.standard, &self.w, &step.v, tau);
        let dual = longest_multipliers([(&self.z_lower, &step.z_lower), (&self.z_upper, &step.z_upper)], tau);
        // One length for both: with a Hessian the dual residual falls only if they agree.
        let both = primal.min(dual);
        (both, both)
    }

    fn advance(&mut self, step: &Direction, primal: f64, dual: f64) {
        self.w.iter_mut().zip(&step.v).for_each(|(w, d)| *w += primal * d);
        self.lambda.iter_mut().zip(&step.lambda).for_each(|(l, d)| *l += dual * d);
        self.z_lower.iter_mut().zip(&step.z_lower).for_each(|(z, d)| *z += dual * d);
        self.z_upper.iter_mut().zip(&step.z_upper).for_each(|(z, d)| *z += dual * d);
    }

    fn write(&self, at: &Linearised, out: &mut Direction) {
        let point = at.point;
        let difference = |out: &mut [f64], new: &[f64], old: &[f64]| {
            out.iter_mut().zip(new.iter().zip(old)).for_each(|(out, (new, old))| *out = new - old);
        };
        difference(&mut out.v, &self.w, &point.v);
        difference(&mut out.lambda, &self.lambda, &point.lambda);
        difference(&mut out.z_lower, &self.z_lower, &point.z_lower);
        difference(&mut out.z_upper, &self.z_upper, &point.z_upper);
    }
}
