//! Sequential quadratic programming; without inequalities the Lagrange-Newton method.

use crate::nlp::{EvalFailure, Pattern};
use crate::solver::constrained::direction::Direction;
use crate::solver::constrained::hessian::kkt::Kkt;
use crate::solver::constrained::hessian::least_squares::estimate_multipliers;
use crate::solver::constrained::inequality::interior_point::PUSH;
use crate::solver::constrained::inequality::quadratic::{Quadratic, Side};
use crate::solver::constrained::inequality::{Inequalities, Linearised, NoDirection};
use crate::solver::constrained::options::Options;
use crate::solver::constrained::point::Point;
use crate::solver::constrained::staged::Staged;
use crate::solver::constrained::standard::Standard;

/// Quadratic programs are solved to this share of the present error, within limits.
const ACCURACY: f64 = 1e-2;
const FINEST: f64 = 1e-11;
const COARSEST: f64 = 1e-6;

/// State of the SQP method.
pub struct SequentialQuadratic {
    quadratic: Quadratic,
    hessian_pattern: Pattern,
    warm: bool,
    work: Vec<f64>,
}

impl SequentialQuadratic {
    pub fn new(options: &Options, standard: &Standard, hessian_pattern: &Pattern) -> Self {
        Self {
            quadratic: Quadratic::new(standard.len(), standard.m),
            hessian_pattern: hessian_pattern.clone(),
            warm: options.warm,
            work: vec![0.0; standard.len()],
        }
    }

    /// Expects the bounds with multipliers to be active.
    fn expect_active(&mut self, standard: &Standard, point: &Point) {
        for i in 0..standard.len() {
            let side = if standard.has_lower(i) && point.z_lower[i] > point.v[i] - standard.lower[i] {
                Side::Lower
            } else if standard.has_upper(i) && point.z_upper[i] > standard.upper[i] - point.v[i] {
                Side::Upper
            } else {
                Side::Between
            };
            self.quadratic.expect(i, side);
        }
    }
}

/// Moves the start this share of their room off its bounds, and evaluates it.
fn place(standard: &Standard, nlp: &mut dyn Staged, point: &mut Point, push: f64) -> Result<(), EvalFailure> {
    let (x, s) = point.v.split_at_mut(standard.n);
    standard.push_variables(x, push);
    nlp.constraints(x, s)?;
    standard.push_slacks(s, 0.0);
    point.evaluate(standard, nlp)
}

impl Inequalities for SequentialQuadratic {
    fn begin(
        &mut self,
        standard: &Standard,
        nlp: &mut dyn Staged,
        point: &mut Point,
        kkt: &mut Kkt,
    ) -> Result<(), EvalFailure> {
        kkt.spare_slacks();
        if place(standard, nlp, point, 0.0).is_err() {
            place(standard, nlp, point, PUSH)?;
        }
        if self.warm {
            self.expect_active(standard, point);
        } else {
            point.z_lower.fill(0.0);
            point.z_upper.fill(0.0);
            estimate_multipliers(standard, point, kkt);
        }
        Ok(())
    }

    fn mu(&self) -> f64 {
        0.0
    }

    fn update(&mut self, _: &Standard, _: &mut dyn Staged, _: &mut Point, _: &mut [f64]) -> bool {
        false
    }

    fn advance_after_tiny_step(&mut self) -> bool {
        false
    }

    fn direction(&mut self, mut at: Linearised, out: &mut Direction) -> Result<(), NoDirection> {
        let error = at.point.errors(at.standard, at.jacobian_pattern, 0.0, &mut self.work).total();
        let accuracy = (ACCURACY * error.min(error * error)).clamp(FINEST, COARSEST);
        self.quadratic.solve(&mut at, &self.hessian_pattern, accuracy, out)
    }

    fn correction(&mut self, mut at: Linearised, residual: &[f64], out: &mut Direction) -> Result<(), NoDirection> {
        self.quadratic.correct(&mut at, residual, out)
    }

    fn longest(&self, _: &Standard, _: &Point, _: &Direction) -> f64 {
        1.0
    }

    fn accept(&mut self, _: &Standard, point: &mut Point, direction: &Direction, alpha: f64) -> f64 {
        let add = |to: &mut [f64], d: &[f64]| to.iter_mut().zip(d).for_each(|(to, d)| *to += alpha * d);
        add(&mut point.lambda, &direction.lambda);
        add(&mut point.z_lower, &direction.z_lower);
        add(&mut point.z_upper, &direction.z_upper);
        alpha
    }

    fn resume(&mut self, standard: &Standard, point: &mut Point, _before: &[f64]) {
        point.z_lower.fill(0.0);
        point.z_upper.fill(0.0);
        self.expect_active(standard, point);
    }
}
