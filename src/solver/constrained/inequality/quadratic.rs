//! The quadratic program of one SQP step, on the matrix of [`Kkt`].
//!
//! ```text
//! min ∇fᵀdₓ + ½ dₓᵀ H dₓ    subject to    J dₓ − dₛ = −r,    l ≤ v + d ≤ u
//! ```
//!
//! The active set of the last program is tried first: with active entries held at their bounds by a large weight Σ, one
//! linear system gives the candidate, and entries that leave their bounds or pull at them the wrong way change sides for
//! the next attempt (primal-dual active set method). Only if that does not settle is the program solved by the
//! predictor-corrector interior-point method of Mehrotra, on the same matrix pattern.

use crate::nlp::Pattern;
use crate::solver::constrained::direction::Direction;
use crate::solver::constrained::inequality::barrier::slope_along;
use crate::solver::constrained::inequality::interior_quadratic::InteriorQuadratic;
use crate::solver::constrained::inequality::{Linearised, NoDirection};

/// Weight that holds an entry at its bound, and its inverse for slacks that are free to move.
const HOLD: f64 = 1e12;
/// Changes of the active set tried before the interior-point method takes over.
const MAX_CHANGES: usize = 10;
const MAX_STRENGTHENINGS: usize = 8;
/// Bounds and signs are judged to this, relative to the size of the numbers.
const TOLERANCE: f64 = 1e-9;

/// Below this violation a step must decrease the objective.
const NEARLY_FEASIBLE: f64 = 1e-6;

/// Where an entry of v is expected to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Lower,
    Between,
    Upper,
}

/// Active set and work arrays of the quadratic programs of one solve.
pub struct Quadratic {
    sides: Vec<Side>,
    sigma: Vec<f64>,
    rhs: Vec<f64>,
    /// New multipliers of the rows.
    lambda: Vec<f64>,
    /// Gradient of the model by v at the end of the step, with the terms of the rows but not of the bounds.
    slope: Vec<f64>,
    /// The step in v last found, which corrections start from.
    step: Vec<f64>,
    interior: InteriorQuadratic,
}

impl Quadratic {
    pub fn new(len: usize, rows: usize) -> Self {
        Self {
            sides: vec![Side::Between; len],
            sigma: vec![0.0; len],
            rhs: vec![0.0; len],
            lambda: vec![0.0; rows],
            slope: vec![0.0; len],
            step: vec![0.0; len],
            interior: InteriorQuadratic::new(len, rows),
        }
    }

    /// Expects an entry to be at a bound.
    pub fn expect(&mut self, i: usize, side: Side) {
        self.sides[i] = side;
    }

    /// Solves the program; `hessian_pattern` belongs to `at.hessian`. `accuracy` is the error wanted.
    pub fn solve(
        &mut self,
        at: &mut Linearised,
        hessian_pattern: &Pattern,
        accuracy: f64,
        out: &mut Direction,
    ) -> Result<(), NoDirection> {
        at.kkt.require_primal(0.0);
        self.solve_model(at, hessian_pattern, accuracy, out)?;
        if at.point.violation() <= NEARLY_FEASIBLE && slope_along(at.standard, at.point, out, 0.0) >= 0.0 {
            // The Hessian is positive where the held entries let it act, but not along the way to there.
            self.sides.fill(Side::Between);
            self.require_convexity(at)?;
            let solved = self.solve_model(at, hessian_pattern, accuracy, out);
            at.kkt.require_primal(0.0);
            solved?;
        }
        self.step.copy_from_slice(&out.v);
        Ok(())
    }

    fn solve_model(
        &mut self,
        at: &mut Linearised,
        hessian_pattern: &Pattern,
        accuracy: f64,
        out: &mut Direction,
    ) -> Result<(), NoDirection> {
        if self.settle(at, hessian_pattern, MAX_CHANGES, out)? {
            return Ok(());
        }
        self.solve_inside(at, hessian_pattern, accuracy, out)
    }

    /// Solves the program by the interior-point method, and reads the active set off the answer.
    fn solve_inside(
        &mut self,
        at: &mut Linearised,
        hessian_pattern: &Pattern,
        accuracy: f64,
        out: &mut Direction,
    ) -> Result<(), NoDirection> {
        if self.interior.solve(at, hessian_pattern, accuracy, out).is_err() {
            // A path through the interior may need a model that is convex all along it.
            let least = at.kkt.least_primal();
            self.require_convexity(at)?;
            let solved = self.interior.solve(at, hessian_pattern, accuracy, out);
            at.kkt.require_primal(least);
            solved?;
        }
        let standard = at.standard;
        for i in 0..standard.len() {
            let v = at.point.v[i] + out.v[i];
            let z_lower = at.point.z_lower[i] + out.z_lower[i];
            let z_upper = at.point.z_upper[i] + out.z_upper[i];
            self.sides[i] = if standard.has_lower(i) && z_lower > v - standard.lower[i] {
                Side::Lower
            } else if standard.has_upper(i) && z_upper > standard.upper[i] - v {
                Side::Upper
            } else {
                Side::Between
            };
        }
        // The active set found lends the step its last digits; if it does not fit, the interior answer stands.
        let mut polished = out.clone();
        if let Ok(true) = self.settle(at, hessian_pattern, 2, &mut polished) {
            *out = polished;
        }
        Ok(())
    }

    /// Requires the shift that makes the model convex wherever the equations let it act.
    fn require_convexity(&mut self, at: &mut Linearised) -> Result<(), NoDirection> {
        let n = at.standard.n;
        self.sigma[..n].fill(0.0);
        self.sigma[n..].fill(1.0 / HOLD);
        at.kkt.assemble(at.standard, at.hessian, &at.point.jacobian, &self.sigma);
        at.kkt.factorise(at.standard).map_err(|_| NoDirection::Unregularisable)?;
        at.kkt.require_primal(at.kkt.primal);
        Ok(())
    }

    /// Tries active sets, each made from the answer to the one before; true when one is right.
    fn settle(
        &mut self,
        at: &mut Linearised,
        hessian_pattern: &Pattern,
        changes: usize,
        out: &mut Direction,
    ) -> Result<bool, NoDirection> {
        for _ in 0..changes {
            self.weigh(at);
            at.kkt.assemble(at.standard, at.hessian, &at.point.jacobian, &self.sigma);
            at.kkt.factorise(at.standard).map_err(|_| NoDirection::Unregularisable)?;
            if !self.candidate(at, hessian_pattern, out)? {
                return Ok(false);
            }
            if self.change_sides(at, out) == 0 {
                self.multipliers(at, out);
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn weigh(&mut self, at: &Linearised) {
        for (i, sigma) in self.sigma.iter_mut().enumerate() {
            *sigma = match self.sides[i] {
                Side::Between if i < at.standard.n => 0.0,
                Side::Between => 1.0 / HOLD,
                Side::Lower | Side::Upper => HOLD,
            };
        }
    }

    /// How far entry i has to go to where it is expected.
    fn target(&self, at: &Linearised, i: usize) -> f64 {
        match self.sides[i] {
            Side::Between => 0.0,
            Side::Lower => at.standard.lower[i] - at.point.v[i],
            Side::Upper => at.standard.upper[i] - at.point.v[i],
        }
    }

    /// Present multiplier of a held variable, as a force inward.
    fn present_pull(&self, at: &Linearised, i: usize) -> f64 {
        match self.sides[i] {
            Side::Between => 0.0,
            Side::Lower => at.point.z_lower[i],
            Side::Upper => -at.point.z_upper[i],
        }
    }

    /// Present multiplier of the row of a held slack.
    fn held_multiplier(&self, at: &Linearised, i: usize) -> f64 {
        if self.sides[i] == Side::Between { 0.0 } else { at.point.lambda[i - at.standard.n] }
    }

    /// Step, row multipliers and slope for the expected active set; false if the linear system is inaccurate.
    fn candidate(&mut self, at: &mut Linearised, hessian: &Pattern, out: &mut Direction) -> Result<bool, NoDirection> {
        let n = at.standard.n;
        for _ in 0..MAX_STRENGTHENINGS {
            for i in 0..at.standard.len() {
                // Held entries are pulled by their present multipliers too, so that they end at their bounds, not the
                // distance z / Σ from them, once the multipliers have converged.
                self.rhs[i] = if i < n {
                    let held = self.sigma[i] * self.target(at, i) + self.present_pull(at, i);
                    if at.standard.fixed[i] { 0.0 } else { held - at.point.gradient[i] }
                } else if at.standard.open[i - n] {
                    0.0
                } else if at.standard.fixed[i] {
                    -at.point.residual[i - n]
                } else {
                    self.target(at, i) - at.point.residual[i - n] - self.held_multiplier(at, i) / self.sigma[i]
                };
            }
            if at.kkt.solve(&mut self.rhs).is_ok() {
                self.read_step(at, hessian, out);
                return Ok(true);
            }
            at.kkt.strengthen(at.standard).map_err(|_| NoDirection::Unregularisable)?;
        }
        Ok(false)
    }

    fn read_step(&mut self, at: &Linearised, hessian: &Pattern, out: &mut Direction) {
        let (standard, point, n) = (at.standard, at.point, at.standard.n);
        let (x, s) = out.v.split_at_mut(n);
        x.copy_from_slice(&self.rhs[..n]);
        for (i, x) in x.iter_mut().enumerate() {
            if self.sides[i] != Side::Between {
                *x = self.target(at, i);
            }
        }
        self.lambda.copy_from_slice(&self.rhs[n..]);
        at.jacobian_pattern.multiply(&point.jacobian, x, s);
        for (row, s) in s.iter_mut().enumerate() {
            let i = n + row;
            *s = if standard.fixed[i] || standard.open[row] {
                0.0
            } else if self.sides[i] == Side::Between {
                self.lambda[row] = 0.0;
                *s + point.residual[row]
            } else {
                self.target(at, i)
            };
        }
        let (slope_x, slope_s) = self.slope.split_at_mut(n);
        hessian.multiply_symmetric(at.hessian, &out.v[..n], slope_x);
        for (column, slope) in slope_x.iter_mut().enumerate() {
            *slope += point.gradient[column] + at.kkt.primal * out.v[column];
        }
        at.jacobian_pattern.add_transposed(&point.jacobian, &self.lambda, slope_x);
        for (slope, lambda) in slope_s.iter_mut().zip(&self.lambda) {
            *slope = -lambda;
        }
    }

    /// Moves entries to the side where the candidate wants them and returns how many moved.
    fn change_sides(&mut self, at: &Linearised, out: &Direction) -> usize {
        let standard = at.standard;
        let mut moved = 0;
        for i in 0..standard.len() {
            if standard.fixed[i] || (i >= standard.n && standard.open[i - standard.n]) {
                continue;
            }
            let new = match self.sides[i] {
                Side::Between => {
                    let v = at.point.v[i] + out.v[i];
                    if v < standard.lower[i] - TOLERANCE * standard.lower[i].abs().max(1.0) {
                        Side::Lower
                    } else if v > standard.upper[i] + TOLERANCE * standard.upper[i].abs().max(1.0) {
                        Side::Upper
                    } else {
                        Side::Between
                    }
                }
                Side::Lower if self.slope[i] < -TOLERANCE => Side::Between,
                Side::Upper if self.slope[i] > TOLERANCE => Side::Between,
                side => side,
            };
            moved += usize::from(new != self.sides[i]);
            self.sides[i] = new;
        }
        moved
    }

    /// Writes the changes of all multipliers, and keeps the step inside the bounds to the last digit.
    fn multipliers(&self, at: &Linearised, out: &mut Direction) {
        let (standard, point) = (at.standard, at.point);
        for (out, (new, old)) in out.lambda.iter_mut().zip(self.lambda.iter().zip(&point.lambda)) {
            *out = new - old;
        }
        for i in 0..standard.len() {
            let (lower, upper) = match self.sides[i] {
                Side::Lower => (self.slope[i].max(0.0), 0.0),
                Side::Upper => (0.0, (-self.slope[i]).max(0.0)),
                Side::Between => (0.0, 0.0),
            };
            out.z_lower[i] = lower - point.z_lower[i];
            out.z_upper[i] = upper - point.z_upper[i];
            if !standard.fixed[i] {
                out.v[i] = out.v[i].clamp(standard.lower[i] - point.v[i], standard.upper[i] - point.v[i]);
            }
        }
    }

    /// The step for another residual in place of c(x) − s, with the matrix and active set of the last one.
    pub fn correct(&mut self, at: &mut Linearised, residual: &[f64], out: &mut Direction) -> Result<(), NoDirection> {
        let (standard, point, n) = (at.standard, at.point, at.standard.n);
        self.rhs.fill(0.0);
        for (row, (wanted, had)) in residual.iter().zip(&point.residual).enumerate() {
            if !standard.open[row] {
                self.rhs[n + row] = had - wanted;
            }
        }
        at.kkt.solve(&mut self.rhs).map_err(|_| NoDirection::Unregularisable)?;
        let (x, rest) = self.rhs.split_at_mut(n);
        out.v.copy_from_slice(&self.step);
        out.v.iter_mut().zip(x.iter()).for_each(|(v, d)| *v += d);
        at.jacobian_pattern.multiply(&point.jacobian, x, rest);
        for (row, change) in rest.iter().enumerate() {
            let i = n + row;
            if !standard.fixed[i] && !standard.open[row] && self.sides[i] == Side::Between {
                out.v[i] += change + residual[row] - point.residual[row];
            }
        }
        for i in (0..standard.len()).filter(|&i| !standard.fixed[i]) {
            out.v[i] = out.v[i].clamp(standard.lower[i] - point.v[i], standard.upper[i] - point.v[i]);
        }
        Ok(())
    }
}
