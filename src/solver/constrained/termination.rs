//! When a solve ends: solved, acceptable, unbounded, running away, or given up.

use super::engine::Engine;
use super::point::Point;
use super::staged::Staged;
use super::status::Status;

/// Unscaled errors above which a point is never a solution, however large its multipliers.
const LARGEST_DUAL_ERROR: f64 = 1e-4;
const LARGEST_COMPLEMENTARITY: f64 = 1e-4;
const LARGEST_ACCEPTABLE_VIOLATION: f64 = 1e-4;
/// Sum of all products of multipliers with distances from bounds, relative to the objective, which may be off by as much.
/// Where multipliers are so large that they weaken the tolerances by the factor below, it must be the smaller one.
const LARGEST_GAP: f64 = 1e-5;
const SMALL_GAP: f64 = 1e-7;
const LARGE_MULTIPLIERS: f64 = 10.0;
/// No more is asked for than this per variable, which is what rounding allows.
const LEAST_GAP: f64 = 1e-6;
/// Scaled errors above this are never put down to rounding.
const LARGEST_ROUNDING: f64 = 1e-4;
/// Relative difference of objectives that count as the same.
const SAME_OBJECTIVE: f64 = 1e-6;
/// An objective below this is taken for −∞.
const UNBOUNDED: f64 = -1e20;
/// An objective this far below the first one, in multiples of it, is taken for −∞ if nothing else ends the solve.
const FAR_BELOW: f64 = 1e6;
/// A variable without a bound in its way that has come this far is on its way to infinity.
const FAR_AWAY: f64 = 1e3;

/// What stopped a solve, with the reason where there is one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct End {
    pub status: Status,
    pub reason: Option<String>,
}

impl From<Status> for End {
    fn from(status: Status) -> Self {
        Self { status, reason: None }
    }
}

/// The best point so far.
#[derive(Debug, Clone)]
pub(super) struct Best {
    pub error: f64,
    pub point: Point,
}

impl Engine {
    /// Whether the current point ends the solve.
    pub(super) fn judge(&mut self, nlp: &mut dyn Staged) -> Option<End> {
        let errors = self.errors(nlp);
        let total = errors.total();
        self.note_objective();
        if self.best.as_ref().is_none_or(|best| total <= best.error) {
            match &mut self.best {
                Some(best) => {
                    best.error = total;
                    best.point.clone_from(&self.point);
                }
                None => self.best = Some(Best { error: total, point: self.point.clone() }),
            }
        }
        let unscaled = self.unscaled_violation();
        // Large objectives have large derivatives: what counts is the error relative to them.
        let size = self.objective_scale * (self.point.objective / self.objective_scale).abs().max(1.0);
        let bounded =
            errors.dual <= LARGEST_DUAL_ERROR * size && errors.complementarity <= LARGEST_COMPLEMENTARITY * size;
        let largest_gap = if errors.dual_scale > LARGE_MULTIPLIERS { SMALL_GAP } else { LARGEST_GAP };
        let gap_closed = errors.gap <= largest_gap * size.max(self.standard.len() as f64 * LEAST_GAP);
        if bounded && gap_closed {
            let met =
                |total: f64, violation: f64| total <= self.options.tolerance && violation <= self.options.violation;
            let solved = met(total, unscaled)
                || (total <= LARGEST_ROUNDING && {
                    let beyond = self.beyond_rounding(nlp, errors);
                    met(beyond.errors.total(), beyond.violation)
                });
            if solved {
                return Some(Status::Solved.into());
            }
        }
        let acceptable = total <= self.options.acceptable && unscaled <= LARGEST_ACCEPTABLE_VIOLATION;
        self.acceptable_in_a_row = if acceptable { self.acceptable_in_a_row + 1 } else { 0 };
        if self.acceptable_in_a_row >= self.options.acceptable_iterations {
            return Some(Status::Acceptable.into());
        }
        if self.point.objective < UNBOUNDED && errors.primal <= self.options.acceptable {
            return Some(Status::Unbounded.into());
        }
        let limit = self.options.divergence;
        let runaway = self.point.v[..self.standard.n].iter().position(|x| x.abs() > limit)?;
        if self.falls_without_bound() {
            return Some(Status::Unbounded.into());
        }
        let verb = if self.records.len() == 1 { "starts at" } else { "has grown to" };
        let reason = format!("{} {verb} {:.1e}", nlp.variable_name(runaway), self.point.v[runaway]);
        Some(End { status: Status::Diverging, reason: Some(reason) })
    }

    /// Whether the objective has fallen so far, at points that violate nothing, that nothing seems to stop it.
    fn falls_without_bound(&self) -> bool {
        let escapes = |i: usize| {
            let (x, standard) = (self.point.v[i], &self.standard);
            (x > FAR_AWAY && standard.upper[i] == f64::INFINITY)
                || (x < -FAR_AWAY && standard.lower[i] == f64::NEG_INFINITY)
        };
        if !(0..self.standard.n).any(escapes) {
            return false;
        }
        let first = self.records.first().map_or(0.0, |first| first.objective * self.objective_scale);
        self.lowest < -FAR_BELOW * first.abs().max(1.0)
    }

    /// Keeps the lowest objective of points that violate nothing, in proportion to the size of the rows.
    fn note_objective(&mut self) {
        let slacks = &self.point.v[self.standard.n..];
        let is_met = |(residual, s): (&f64, &f64)| residual.abs() <= self.options.acceptable * s.abs().max(1.0);
        if self.point.residual.iter().zip(slacks).all(is_met) {
            self.lowest = self.lowest.min(self.point.objective);
        }
    }

    /// Whether the solution with widened bounds stands: without them no tolerance was met, for want of an interior perhaps,
    /// but the objective is the same. The solution is then the current point again.
    fn confirms_widened_solution(&mut self) -> bool {
        let Some((standard, point)) = self.widened_solution.take() else { return false };
        let size = point.objective.abs().max(self.objective_scale);
        let same = (point.objective - self.point.objective).abs() <= SAME_OBJECTIVE * size;
        if same {
            (self.standard, self.point) = (standard, point);
        }
        same
    }

    /// Ends with the best point so far, which may be acceptable.
    pub(super) fn give_up(&mut self, status: Status, reason: Option<String>) -> End {
        if let Some(best) = self.best.take() {
            let acceptable = best.error <= self.options.acceptable;
            if !acceptable && status != Status::Interrupted && self.falls_without_bound() {
                return Status::Unbounded.into();
            }
            self.point = best.point;
            if acceptable && status != Status::Interrupted && self.confirms_widened_solution() {
                return Status::Solved.into();
            }
            if acceptable && status != Status::Interrupted && self.unscaled_violation() <= LARGEST_ACCEPTABLE_VIOLATION
            {
                return End { status: Status::Acceptable, reason };
            }
        }
        End { status, reason }
    }
}
