//! The primal-dual barrier method (Wächter and Biegler 2006).

use crate::nlp::EvalFailure;
use crate::solver::constrained::direction::Direction;
use crate::solver::constrained::hessian::kkt::Kkt;
use crate::solver::constrained::hessian::least_squares::estimate_multipliers;
use crate::solver::constrained::inequality::barrier::{barrier_slope, longest_dual, longest_primal};
use crate::solver::constrained::inequality::mu::Parameter;
use crate::solver::constrained::inequality::{Inequalities, Linearised, NoDirection};
use crate::solver::constrained::options::Options;
use crate::solver::constrained::point::Point;
use crate::solver::constrained::staged::Staged;
use crate::solver::constrained::standard::Standard;

/// Share of the room between bounds that the start keeps from them; for warm starts the smaller one.
pub const PUSH: f64 = 1e-2;
const WARM_PUSH: f64 = 1e-9;
/// Bound multipliers stay within this factor of μ / distance.
const MULTIPLIER_SAFEGUARD: f64 = 1e10;
/// Bound multipliers above this are reset to 1 after restoration.
const LARGE_AFTER_RESTORATION: f64 = 1e3;
/// Number of stronger shifts tried when solves are inaccurate.
const MAX_STRENGTHENINGS: usize = 8;

/// State of the interior-point method.
pub struct InteriorPoint {
    parameter: Parameter,
    warm: bool,
    /// Whether the point comes complete with multipliers and inside its bounds.
    ready: bool,
    sigma: Vec<f64>,
}

impl InteriorPoint {
    pub fn new(options: &Options, standard: &Standard, objective_scale: f64) -> Self {
        Self {
            parameter: Parameter::new(options, objective_scale),
            warm: options.warm,
            ready: false,
            sigma: vec![0.0; standard.len()],
        }
    }

    /// Begins with the given parameter at a point that is already inside its bounds and has all its multipliers.
    pub fn ready_at(options: &Options, standard: &Standard, mu: f64) -> Self {
        let mut method = Self::new(options, standard, 1.0);
        method.parameter.set(mu);
        method.ready = true;
        method
    }

    /// Right-hand side of the condensed system for the residual in place of c(x) − s, and its solution.
    fn solve(&mut self, at: &mut Linearised, residual: &[f64], out: &mut Direction) -> Result<(), NoDirection> {
        for _ in 0..MAX_STRENGTHENINGS {
            if self.try_solve(at, residual, out) {
                return Ok(());
            }
            let stronger = at.kkt.strengthen(at.standard);
            stronger.map_err(|_| NoDirection::Unregularisable)?;
        }
        Err(NoDirection::Unregularisable)
    }

    fn try_solve(&mut self, at: &mut Linearised, residual: &[f64], out: &mut Direction) -> bool {
        let (standard, point, mu) = (at.standard, at.point, self.parameter.mu);
        // `out.v` holds (∇φ + Jᵀλ, −λ + barrier slope) until the solution is known.
        point.lagrangian_gradient(standard, at.jacobian_pattern, &mut out.v);
        for (i, gradient) in out.v.iter_mut().enumerate() {
            *gradient += barrier_slope(standard, &point.v, mu, i);
        }
        if at.kkt.condensed_step(standard, residual, &mut out.v, &mut out.lambda).is_err() {
            return false;
        }
        for i in 0..standard.len() {
            let (d, v) = (out.v[i], &point.v);
            out.z_lower[i] = 0.0;
            out.z_upper[i] = 0.0;
            if standard.has_lower(i) {
                let above = standard.above(v, i);
                out.z_lower[i] = mu / above - point.z_lower[i] - point.z_lower[i] / above * d;
            }
            if standard.has_upper(i) {
                let below = standard.below(v, i);
                out.z_upper[i] = mu / below - point.z_upper[i] + point.z_upper[i] / below * d;
            }
        }
        true
    }
}

impl Inequalities for InteriorPoint {
    fn begin(
        &mut self,
        standard: &Standard,
        nlp: &mut dyn Staged,
        point: &mut Point,
        kkt: &mut Kkt,
    ) -> Result<(), EvalFailure> {
        if self.ready {
            nlp.follow(self.parameter.mu);
            return point.evaluate(standard, nlp);
        }
        let push = if self.warm { WARM_PUSH } else { PUSH };
        standard.push_variables(&mut point.v[..standard.n], push);
        let (x, s) = point.v.split_at_mut(standard.n);
        nlp.constraints(x, s)?;
        standard.push_slacks(s, push);
        for i in 0..standard.len() {
            let start = |given: f64, distance: f64| {
                if self.warm { given.max(self.parameter.mu / distance.max(1.0)) } else { 1.0 }
            };
            let (above, below) = (standard.above(&point.v, i), standard.below(&point.v, i));
            point.z_lower[i] = if standard.has_lower(i) { start(point.z_lower[i], above) } else { 0.0 };
            point.z_upper[i] = if standard.has_upper(i) { start(point.z_upper[i], below) } else { 0.0 };
        }
        point.evaluate(standard, nlp)?;
        if !self.warm {
            estimate_multipliers(standard, point, kkt);
        }
        Ok(())
    }

    fn mu(&self) -> f64 {
        self.parameter.mu
    }

    fn update(&mut self, standard: &Standard, nlp: &mut dyn Staged, point: &mut Point, work: &mut [f64]) -> bool {
        let changed = self.parameter.update(standard, nlp.jacobian_pattern(), point, work);
        if changed { nlp.follow(self.parameter.mu) || changed } else { false }
    }

    fn advance_after_tiny_step(&mut self) -> bool {
        self.parameter.lower()
    }

    fn direction(&mut self, mut at: Linearised, out: &mut Direction) -> Result<(), NoDirection> {
        let (standard, point) = (at.standard, at.point);
        for (i, sigma) in self.sigma.iter_mut().enumerate() {
            *sigma = 0.0;
            if standard.has_lower(i) {
                *sigma += point.z_lower[i] / standard.above(&point.v, i);
            }
            if standard.has_upper(i) {
                *sigma += point.z_upper[i] / standard.below(&point.v, i);
            }
        }
        at.kkt.assemble(standard, at.hessian, &point.jacobian, &self.sigma);
        at.kkt.factorise(standard).map_err(|_| NoDirection::Unregularisable)?;
        self.solve(&mut at, &point.residual, out)
    }

    fn correction(&mut self, mut at: Linearised, residual: &[f64], out: &mut Direction) -> Result<(), NoDirection> {
        if self.try_solve(&mut at, residual, out) { Ok(()) } else { Err(NoDirection::Unregularisable) }
    }

    fn longest(&self, standard: &Standard, point: &Point, direction: &Direction) -> f64 {
        longest_primal(standard, &point.v, &direction.v, self.parameter.tau())
    }

    fn accept(&mut self, standard: &Standard, point: &mut Point, direction: &Direction, alpha: f64) -> f64 {
        let dual = longest_dual(point, direction, self.parameter.tau());
        for (lambda, d) in point.lambda.iter_mut().zip(&direction.lambda) {
            *lambda += alpha * d;
        }
        let mu = self.parameter.mu;
        for i in 0..standard.len() {
            let guard = |z: f64, distance: f64| {
                z.clamp(mu / (MULTIPLIER_SAFEGUARD * distance), MULTIPLIER_SAFEGUARD * mu / distance)
            };
            if standard.has_lower(i) {
                let z = point.z_lower[i] + dual * direction.z_lower[i];
                point.z_lower[i] = guard(z, standard.above(&point.v, i));
            }
            if standard.has_upper(i) {
                let z = point.z_upper[i] + dual * direction.z_upper[i];
                point.z_upper[i] = guard(z, standard.below(&point.v, i));
            }
        }
        dual
    }

    fn resume(&mut self, standard: &Standard, point: &mut Point, before: &[f64]) {
        let mut direction = Direction::zeros(standard.len(), 0);
        for (i, &old) in before.iter().enumerate() {
            let moved = point.v[i] - old;
            if standard.has_lower(i) {
                let above = standard.above(before, i);
                direction.z_lower[i] = (self.parameter.mu - point.z_lower[i] * moved) / above - point.z_lower[i];
            }
            if standard.has_upper(i) {
                let below = standard.below(before, i);
                direction.z_upper[i] = (self.parameter.mu + point.z_upper[i] * moved) / below - point.z_upper[i];
            }
        }
        let alpha = longest_dual(point, &direction, self.parameter.tau());
        point.z_lower.iter_mut().zip(&direction.z_lower).for_each(|(z, d)| *z += alpha * d);
        point.z_upper.iter_mut().zip(&direction.z_upper).for_each(|(z, d)| *z += alpha * d);
        let largest = point.z_lower.iter().chain(&point.z_upper).fold(0.0f64, |largest, z| largest.max(*z));
        if largest > LARGE_AFTER_RESTORATION {
            let reset = |z: &mut f64| *z = if *z > 0.0 { 1.0 } else { 0.0 };
            point.z_lower.iter_mut().for_each(reset);
            point.z_upper.iter_mut().for_each(reset);
        }
    }
}
