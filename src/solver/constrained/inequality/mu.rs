//! The barrier parameter on its way to zero.

use crate::nlp::Pattern;
use crate::solver::constrained::options::{BarrierUpdate, Options};
use crate::solver::constrained::point::Point;
use crate::solver::constrained::standard::Standard;

/// A barrier problem is solved when its error is below this multiple of μ.
const SOLVED: f64 = 10.0;
const LINEAR_DECREASE: f64 = 0.2;
const SUPERLINEAR_POWER: f64 = 1.5;
/// Smallest share of the distance from a bound that a step may use up.
const SMALLEST_TAU: f64 = 0.99;
/// The adaptive rule must reduce the optimality error to this share of the worst of the last few.
const PROGRESS: f64 = 0.9999;
const MEMORY: usize = 4;
/// Share of the average complementarity that the monotone rule starts from when the adaptive one gives up.
const FALLBACK: f64 = 0.8;
const LARGEST: f64 = 1e5;
/// Gap between primal and dual objective, relative to the objective, that the last μ may leave.
const GAP: f64 = 5e-6;
/// Below this μ rounding takes over.
const LEAST: f64 = 1e-13;

/// μ and the rule that lowers it.
#[derive(Debug, Clone)]
pub struct Parameter {
    pub mu: f64,
    smallest: f64,
    usual_smallest: f64,
    objective_scale: f64,
    /// Number of finite bounds; 0 before it was counted.
    bounds: usize,
    rule: BarrierUpdate,
    /// Whether the adaptive rule is in charge at present.
    free: bool,
    /// Optimality errors of the last points accepted by the adaptive rule.
    history: Vec<f64>,
    /// Whether tiny steps ask for the next problem although this one is not solved.
    forced: bool,
}

impl Parameter {
    pub fn new(options: &Options, objective_scale: f64) -> Self {
        Self {
            mu: options.first_mu,
            smallest: options.tolerance / (SOLVED + 1.0),
            usual_smallest: options.tolerance / (SOLVED + 1.0),
            objective_scale,
            bounds: 0,
            rule: options.barrier,
            free: options.barrier == BarrierUpdate::Adaptive,
            history: Vec::new(),
            forced: false,
        }
    }

    pub fn set(&mut self, mu: f64) {
        self.mu = mu.max(self.smallest);
    }

    /// Share of the distance from a bound that a step may use up.
    pub fn tau(&self) -> f64 {
        SMALLEST_TAU.max(1.0 - self.mu)
    }

    /// Goes on to the next problem; false if there is none.
    pub fn lower(&mut self) -> bool {
        let before = self.mu;
        self.mu = (LINEAR_DECREASE * self.mu).min(self.mu.powf(SUPERLINEAR_POWER)).max(self.smallest);
        self.forced = self.mu < before;
        self.forced
    }

    /// Chooses μ for the next step; true if it changed.
    pub fn update(&mut self, standard: &Standard, jacobian: &Pattern, point: &Point, work: &mut [f64]) -> bool {
        if std::mem::take(&mut self.forced) {
            return true;
        }
        self.refine_goal(standard, point);
        let before = self.mu;
        if self.rule == BarrierUpdate::Adaptive {
            self.adapt(standard, jacobian, point, work);
        }
        if !self.free {
            while self.mu > self.smallest && point.errors(standard, jacobian, self.mu, work).total() <= SOLVED * self.mu
            {
                self.lower();
                self.forced = false;
                if self.rule == BarrierUpdate::Adaptive {
                    (self.free, self.history) = (true, Vec::new());
                    break;
                }
            }
        }
        self.mu != before
    }

    /// With many bounds even a small μ leaves a large gap, which is μ times their number: the last μ follows from it.
    fn refine_goal(&mut self, standard: &Standard, point: &Point) {
        if self.bounds == 0 {
            self.bounds = (0..standard.len())
                .map(|i| usize::from(standard.has_lower(i)) + usize::from(standard.has_upper(i)))
                .sum();
        }
        let size = point.objective.abs().max(self.objective_scale);
        let goal = GAP * size / self.bounds.max(1) as f64;
        self.smallest = self.usual_smallest.min(goal.max(LEAST));
    }

    /// The rule of LOQO: μ = σ × average complementarity, σ small where all products are alike.
    fn adapt(&mut self, standard: &Standard, jacobian: &Pattern, point: &Point, work: &mut [f64]) {
        let Some((average, smallest)) = complementarity(standard, point) else {
            self.mu = self.smallest;
            return;
        };
        let error = point.errors(standard, jacobian, 0.0, work).total();
        if self.free {
            let worst = self.history.iter().fold(f64::NAN, |worst: f64, e| worst.max(*e));
            if self.history.len() == MEMORY && error > PROGRESS * worst {
                self.free = false;
                self.mu = (FALLBACK * average).clamp(self.smallest, LARGEST);
                return;
            }
            if self.history.len() == MEMORY {
                self.history.remove(0);
            }
            self.history.push(error);
            let uniformity = smallest / average;
            let sigma = 0.1 * (0.05 * (1.0 - uniformity) / uniformity).min(2.0).powi(3);
            self.mu = (sigma * average).clamp(self.smallest, LARGEST);
        }
    }
}

/// Average and smallest product of a bound multiplier with the distance from its bound.
fn complementarity(standard: &Standard, point: &Point) -> Option<(f64, f64)> {
    let (mut sum, mut count, mut smallest) = (0.0, 0usize, f64::INFINITY);
    for i in 0..standard.len() {
        let mut take = |product: f64| {
            (sum, count, smallest) = (sum + product, count + 1, smallest.min(product));
        };
        if standard.has_lower(i) {
            take(standard.above(&point.v, i) * point.z_lower[i]);
        }
        if standard.has_upper(i) {
            take(standard.below(&point.v, i) * point.z_upper[i]);
        }
    }
    (count > 0 && sum > 0.0).then(|| (sum / count as f64, smallest))
}
