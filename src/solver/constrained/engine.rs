//! The main loop: direction, search, acceptance, and what to do when one of them fails.

use super::direction::Direction;
use super::globalisation::line_search::{Along, Globalisation, Judge, Searched, Trial};
use super::hessian::certificate::{Certificate, Doubts};
use super::hessian::kkt::Kkt;
use super::hessian::least_squares::estimate_multipliers;
use super::hessian::redundancy::possible_dependency;
use super::inequality::barrier::slope_along;
use super::inequality::{Inequalities, Linearised, NoDirection};
use super::options::Options;
use super::point::{Errors, Point};
use super::relaxation::restoration::{Restoration, Restored};
use super::staged::Staged;
use super::standard::Standard;
use super::status::{IterationRecord, Status};
use super::termination::{Best, End};
use crate::nlp::EvalFailure;

/// Relative length of a step that changes nothing.
const TINY: f64 = 10.0 * f64::EPSILON;
/// Steps the watchdog takes before it judges.
const UNCHECKED_STEPS: usize = 3;
/// Steps cut off to less than this share, that many in a row, give way to restoration: bounds and rows stand against each
/// other here, and from where restoration leads the way is mostly open.
const CRAWL: f64 = 0.02;
const MAX_CRAWLING: usize = 4;
/// Watches that led nowhere after which the search gives way to restoration.
const FUTILE: usize = 3;
/// Share of the tolerance below which the rows count as met when restoration is asked for.
const FEASIBLE: f64 = 1e-2;
/// Violation below which the multipliers of a step are those of a solution nearby.
const NEARLY_FEASIBLE: f64 = 1e-2;
/// Multipliers are looked into once more when they have grown by this factor.
const GROWN: f64 = 10.0;
/// Share of them below which other multipliers count as much smaller.
const MUCH_SMALLER: f64 = 1e-2;

/// First-order errors are small, but whether the point is a minimum could not be found out.
fn unexamined(reason: &str) -> End {
    let reason = format!("first-order errors are small, but the point cannot be examined further: {reason}");
    End { status: Status::Stalled, reason: Some(reason) }
}

/// Called after each iteration; returning false stops the solve.
pub type Observer<'a> = &'a mut dyn FnMut(&IterationRecord) -> bool;

/// Where a series of unchecked steps began.
struct Watchdog {
    point: Point,
    direction: Direction,
    longest: f64,
    judge: Judge,
    /// Unchecked steps still allowed.
    left: usize,
}

/// One solve in progress.
pub(super) struct Engine {
    pub(super) standard: Standard,
    pub(super) point: Point,
    pub(super) kkt: Kkt,
    pub(super) method: Box<dyn Inequalities>,
    pub(super) globalisation: Globalisation,
    pub(super) records: Vec<IterationRecord>,
    pub(super) options: Options,
    /// Factors of objective and rows, to report and judge unscaled values.
    pub(super) objective_scale: f64,
    pub(super) row_scales: Vec<f64>,
    pub(super) hessian: Vec<f64>,
    pub(super) direction: Direction,
    pub(super) trial: Trial,
    pub(super) work: Vec<f64>,
    pub(super) best: Option<Best>,
    pub(super) acceptable_in_a_row: usize,
    pub(super) tiny_in_a_row: usize,
    watchdog: Option<Watchdog>,
    /// Number of steps in a row that were mostly cut off by bounds or search.
    pub(super) crawling: usize,
    /// The solution with widened bounds, where it was doubted for owing too much to them.
    pub(super) widened_solution: Option<(Standard, Point)>,
    /// Lowest objective of points that violate nothing.
    pub(super) lowest: f64,
    /// Change of the merit function that the last step promised, if its matrix needed no shift.
    pub(super) last_promise: Option<f64>,
    /// Number of watches in a row that led nowhere.
    pub(super) futile_watches: usize,
    pub(super) doubts: Doubts,
    pub(super) restoration: Option<Restoration>,
    /// Largest multiplier that was looked into for rows that depend on each other.
    examined: f64,
    pub(super) may_restore: bool,
}

impl Engine {
    pub fn new(
        nlp: &dyn Staged,
        standard: Standard,
        mut kkt: Kkt,
        method: Box<dyn Inequalities>,
        options: &Options,
        scales: (f64, Vec<f64>),
        may_restore: bool,
    ) -> Self {
        let (len, m) = (standard.len(), standard.m);
        kkt.suit_tolerance(options.tolerance);
        Self {
            point: Point::new(&standard, nlp.jacobian_pattern().nnz()),
            globalisation: Globalisation::default(),
            records: Vec::new(),
            options: options.clone(),
            objective_scale: scales.0,
            row_scales: scales.1,
            hessian: vec![0.0; nlp.hessian_pattern().nnz()],
            direction: Direction::zeros(len, m),
            trial: Trial::new(len, m),
            work: vec![0.0; len],
            best: None,
            acceptable_in_a_row: 0,
            tiny_in_a_row: 0,
            watchdog: None,
            crawling: 0,
            widened_solution: None,
            lowest: f64::INFINITY,
            last_promise: None,
            futile_watches: 0,
            doubts: Doubts::default(),
            restoration: None,
            examined: 0.0,
            may_restore,
            standard,
            kkt,
            method,
        }
    }

    /// Makes the point ready for the first step; `point.v` and the multipliers hold the start.
    pub fn begin(&mut self, nlp: &mut dyn Staged) -> Result<(), EvalFailure> {
        self.method.begin(&self.standard, nlp, &mut self.point, &mut self.kkt)?;
        self.globalisation.start(self.point.violation());
        let record = IterationRecord {
            iter: 0,
            step: 0.0,
            regularisation: 0.0,
            alpha_dual: 0.0,
            alpha: 0.0,
            trials: 0,
            corrected: false,
            ..self.describe(nlp)
        };
        self.records.push(record);
        Ok(())
    }

    /// Takes up the search at a point that was set from outside.
    pub fn begin_anew(&mut self, nlp: &mut dyn Staged) -> Result<(), EvalFailure> {
        self.point.evaluate(&self.standard, nlp)?;
        self.globalisation.start(self.point.violation());
        self.watchdog = None;
        self.best = None;
        self.last_promise = None;
        Ok(())
    }

    /// Drops the relaxation, whose bounds are no longer those of the program.
    pub fn forget_restoration(&mut self) {
        self.restoration = None;
    }

    /// Factors of objective and rows.
    pub fn scales(&self) -> (f64, &[f64]) {
        (self.objective_scale, &self.row_scales)
    }

    /// Errors of the optimality conditions of the program itself.
    pub fn errors(&mut self, nlp: &dyn Staged) -> Errors {
        self.point.errors(&self.standard, nlp.jacobian_pattern(), 0.0, &mut self.work)
    }

    /// Takes one step; `Some` when the solve has ended.
    pub fn step(&mut self, nlp: &mut dyn Staged, observe: Observer) -> Option<End> {
        if let Some(end) = self.judge(nlp) {
            if end.status != Status::Solved || !self.may_restore {
                return Some(end);
            }
            let (standard, point) = (self.standard.clone(), self.point.clone());
            return match self.certify(nlp) {
                Ok(Certificate::Minimum) => Some(end),
                Ok(Certificate::Moved) => None,
                Ok(Certificate::StepWorthwhile) if self.records.len() > self.options.max_iterations => Some(end),
                Ok(Certificate::StepWorthwhile) => self.advance(nlp, observe),
                Ok(Certificate::Unexamined) => {
                    Some(unexamined("the linear system for a further step cannot be solved"))
                }
                Err(failure) => {
                    (self.standard, self.point) = (standard, point);
                    Some(unexamined(&failure.to_string()))
                }
                Ok(Certificate::Saddle) => {
                    let reason = "the last point is a saddle point or a maximum".to_owned();
                    Some(End { status: Status::Stalled, reason: Some(reason) })
                }
            };
        }
        if self.records.len() > self.options.max_iterations {
            return Some(self.give_up(Status::IterationLimit, None));
        }
        if self.method.update(&self.standard, nlp, &mut self.point, &mut self.work) {
            self.globalisation.filter.clear();
            self.globalisation.stop_counting();
            self.watchdog = None;
            // The objective may follow the parameter.
            if let Err(failure) = self.point.evaluate(&self.standard, nlp) {
                return Some(self.give_up(Status::Stalled, Some(failure.to_string())));
            }
        }
        match self.find_direction(nlp) {
            Err(failure) => Some(self.give_up(Status::Stalled, Some(failure.to_string()))),
            Ok(Ok(())) => self.advance(nlp, observe),
            Ok(Err(NoDirection::InfeasibleModel)) => self.restore(nlp, observe, None),
            Ok(Err(NoDirection::Unregularisable)) => {
                let reason = "the linear system for the step could not be solved".to_owned();
                self.restore(nlp, observe, Some(reason))
            }
        }
    }

    /// Computes the direction from the current point. Where its multipliers come from rows that nearly depend on each other, these
    /// are estimated anew, and from then on kept bounded.
    pub(super) fn find_direction(&mut self, nlp: &mut dyn Staged) -> Result<Result<(), NoDirection>, EvalFailure> {
        let found = self.linearise_and_solve(nlp)?;
        if found.is_err() || self.kkt.steadies_rows() || self.largest_residual() > NEARLY_FEASIBLE {
            return Ok(found);
        }
        let lambda = self.point.lambda.iter().zip(&self.direction.lambda).map(|(lambda, d)| lambda + d);
        let lambda: Vec<f64> = lambda.collect();
        if self.examine_multipliers(nlp, &lambda) { self.linearise_and_solve(nlp) } else { Ok(found) }
    }

    fn largest_residual(&self) -> f64 {
        self.point.residual.iter().fold(0.0, |largest, r| largest.max(r.abs()))
    }

    /// Where multipliers are large and cancel, takes those of least squares and keeps them bounded, if they are much smaller: there are
    /// others that do the same then. Whether the factors are no longer those of the direction.
    fn examine_multipliers(&mut self, nlp: &dyn Staged, lambda: &[f64]) -> bool {
        let size = possible_dependency(&self.standard, nlp.jacobian_pattern(), &self.point, lambda);
        let Some(size) = size.filter(|size| *size > GROWN * self.examined) else { return false };
        self.examined = size;
        let kept = self.point.lambda.clone();
        self.kkt.steady_rows(f64::INFINITY);
        let useful = estimate_multipliers(&self.standard, &mut self.point, &mut self.kkt);
        let largest = self.point.lambda.iter().fold(0.0f64, |largest, lambda| largest.max(lambda.abs()));
        if !useful || largest > MUCH_SMALLER * size {
            self.point.lambda = kept;
            self.kkt.release_rows();
        }
        true
    }

    /// Whether a point with small first-order errors owes them to multipliers of rows that depend on each other, which weaken the
    /// tolerances; they are bounded from then on.
    pub(super) fn bounds_multipliers(&mut self, nlp: &dyn Staged) -> bool {
        if self.kkt.steadies_rows() {
            return false;
        }
        // Nowhere is a dependency told more clearly than where the violation has vanished.
        self.examined = 0.0;
        let lambda = self.point.lambda.clone();
        self.examine_multipliers(nlp, &lambda) && self.kkt.steadies_rows()
    }

    fn linearise_and_solve(&mut self, nlp: &mut dyn Staged) -> Result<Result<(), NoDirection>, EvalFailure> {
        if self.kkt.steadies_rows() {
            self.kkt.steady_rows(self.largest_residual());
        }
        nlp.hessian(&self.point.v[..self.standard.n], 1.0, &self.point.lambda, &mut self.hessian)?;
        let at = Linearised {
            standard: &self.standard,
            point: &self.point,
            jacobian_pattern: nlp.jacobian_pattern(),
            hessian: &self.hessian,
            kkt: &mut self.kkt,
        };
        Ok(self.method.direction(at, &mut self.direction))
    }

    /// Takes the smallest multipliers of a solution whose rows depend on each other, if they satisfy it as well.
    pub fn settle_multipliers(&mut self, nlp: &dyn Staged) {
        if !self.kkt.steadies_rows() {
            return;
        }
        let kept = self.point.lambda.clone();
        // The larger δ_c, the clearer the choice.
        self.kkt.steady_rows(f64::INFINITY);
        estimate_multipliers(&self.standard, &mut self.point, &mut self.kkt);
        if !(self.errors(nlp).total() <= self.options.tolerance) {
            self.point.lambda = kept;
        }
    }

    /// Goes along the direction just computed.
    fn advance(&mut self, nlp: &mut dyn Staged, observe: Observer) -> Option<End> {
        if self.crawling >= MAX_CRAWLING && self.may_restore && self.point.violation() > self.options.tolerance {
            self.crawling = 0;
            return self.restore(nlp, observe, None);
        }
        let longest = self.method.longest(&self.standard, &self.point, &self.direction);
        let promise = slope_along(&self.standard, &self.point, &self.direction, self.method.mu()).abs();
        // Without a shift the matrix had the curvature of a minimum, and the next step promises less still.
        self.last_promise = (self.kkt.primal == 0.0 && self.kkt.dual == 0.0).then_some(promise);
        let tiny = self.direction.relative_length(&self.point) < TINY;
        self.tiny_in_a_row = if tiny { self.tiny_in_a_row + 1 } else { 0 };
        let searched = if tiny {
            // Rounding would decide every test of the search.
            match self.trial.evaluate(&self.standard, nlp, &self.point.v, &self.direction.v, longest) {
                Ok(()) => Searched::Accepted { alpha: longest, trials: 1, corrected: false },
                Err(failure) => Searched::Failed { obstacle: Some(failure) },
            }
        } else {
            self.watch_or_search(nlp, longest)
        };
        match searched {
            Searched::Accepted { alpha, trials, corrected } => {
                if let Err(failure) = self.accept(nlp) {
                    return Some(self.give_up(Status::Stalled, Some(failure.to_string())));
                }
                let dual = self.method.accept(&self.standard, &mut self.point, &self.direction, alpha);
                self.crawling = if alpha < CRAWL { self.crawling + 1 } else { 0 };
                let record = IterationRecord {
                    step: self.direction.length(),
                    regularisation: self.kkt.primal,
                    alpha_dual: dual,
                    alpha,
                    trials,
                    corrected,
                    ..self.describe(nlp)
                };
                let stuck = self.tiny_in_a_row >= 2 && !self.method.advance_after_tiny_step();
                let interrupted = self.keep(record, observe);
                // A point that is solved is examined once more by the next step.
                if stuck && interrupted.is_none() && self.judge(nlp).is_none_or(|end| end.status != Status::Solved) {
                    return Some(self.give_up(Status::Stalled, None));
                }
                interrupted
            }
            Searched::Failed { obstacle } => self.restore(nlp, observe, obstacle.map(|failure| failure.to_string())),
        }
    }

    /// The watchdog: where the search creeps, a few full steps are taken unchecked, and kept if they lead to a point that
    /// would have been accepted from where they began.
    fn watch_or_search(&mut self, nlp: &mut dyn Staged, longest: f64) -> Searched {
        if self.watchdog.is_none() {
            if !self.globalisation.is_creeping() {
                return self.search(nlp, longest, true);
            }
            let mu = self.method.mu();
            let slope = slope_along(&self.standard, &self.point, &self.direction, mu);
            let along = Along { standard: &self.standard, point: &self.point, mu, slope, longest };
            let judge = self.globalisation.judge(&along);
            let (point, direction) = (self.point.clone(), self.direction.clone());
            self.watchdog = Some(Watchdog { point, direction, longest, judge, left: UNCHECKED_STEPS });
        }
        let full = Searched::Accepted { alpha: longest, trials: 1, corrected: false };
        let evaluated = self.trial.evaluate(&self.standard, nlp, &self.point.v, &self.direction.v, longest);
        let Some(mut watchdog) = self.watchdog.take() else { return full };
        if evaluated.is_ok() {
            let mu = self.method.mu();
            if self.globalisation.accepts(&watchdog.judge, &self.standard, &self.trial, mu) {
                self.globalisation.stop_counting();
                self.futile_watches = 0;
                return full;
            }
            if watchdog.left > 0 {
                watchdog.left -= 1;
                self.watchdog = Some(watchdog);
                return full;
            }
        }
        self.globalisation.stop_counting();
        self.point = watchdog.point;
        self.direction = watchdog.direction;
        self.futile_watches += 1;
        if self.futile_watches >= FUTILE && self.may_restore {
            self.futile_watches = 0;
            return Searched::Failed { obstacle: None };
        }
        // The matrix belongs to another point by now: no corrections.
        self.search(nlp, watchdog.longest, false)
    }

    fn search(&mut self, nlp: &mut dyn Staged, longest: f64, may_correct: bool) -> Searched {
        let Self { standard, point, hessian, kkt, method, direction, globalisation, trial, .. } = self;
        let mu = method.mu();
        let slope = slope_along(standard, point, direction, mu);
        let along = Along { standard, point, mu, slope, longest };
        let mut correct = |nlp: &mut dyn Staged, residual: &[f64], out: &mut Direction| {
            if !may_correct {
                return None;
            }
            let jacobian_pattern = nlp.jacobian_pattern();
            let at = Linearised { standard, point, jacobian_pattern, hessian, kkt };
            method.correction(at, residual, out).ok()?;
            Some(method.longest(standard, point, out))
        };
        globalisation.search(&along, nlp, direction, &mut correct, trial)
    }

    /// Makes the trial point the current one.
    fn accept(&mut self, nlp: &mut dyn Staged) -> Result<(), EvalFailure> {
        std::mem::swap(&mut self.point.v, &mut self.trial.v);
        std::mem::swap(&mut self.point.residual, &mut self.trial.residual);
        self.point.objective = self.trial.objective;
        self.point.differentiate(&self.standard, nlp)
    }

    fn keep(&mut self, record: IterationRecord, observe: Observer) -> Option<End> {
        self.records.push(record);
        (!observe(&record)).then(|| self.give_up(Status::Interrupted, None))
    }

    /// Looks for a point with a smaller violation that the filter accepts.
    fn restore(&mut self, nlp: &mut dyn Staged, observe: Observer, reason: Option<String>) -> Option<End> {
        let errors = self.errors(nlp);
        if !self.may_restore || errors.primal <= FEASIBLE * self.options.tolerance {
            return Some(self.give_up(Status::Stalled, reason));
        }
        let mut restoration = match self.restoration.take() {
            Some(restoration) => restoration,
            None => match Restoration::new(
                nlp,
                self.standard.is_relaxed().then_some(self.options.violation),
                &self.row_scales,
            ) {
                Ok(restoration) => restoration,
                Err(error) => return Some(self.give_up(Status::RestorationFailed, Some(error.to_string()))),
            },
        };
        let restored = restoration.run(self, nlp, &self.options.clone(), observe);
        self.restoration = Some(restoration);
        match restored {
            Restored::Found { before } => {
                if let Err(failure) = self.point.evaluate(&self.standard, nlp) {
                    return Some(self.give_up(Status::RestorationFailed, Some(failure.to_string())));
                }
                self.watchdog = None;
                self.last_promise = None;
                self.method.resume(&self.standard, &mut self.point, &before);
                estimate_multipliers(&self.standard, &mut self.point, &mut self.kkt);
                None
            }
            Restored::Infeasible => match self.point.evaluate(&self.standard, nlp) {
                Ok(()) => Some(Status::Infeasible.into()),
                Err(failure) => Some(self.give_up(Status::RestorationFailed, Some(failure.to_string()))),
            },
            Restored::Ended(Status::Interrupted) => Some(self.give_up(Status::Interrupted, None)),
            Restored::Ended(Status::IterationLimit) => Some(self.give_up(Status::IterationLimit, None)),
            Restored::Ended(_) => Some(self.give_up(Status::RestorationFailed, reason)),
        }
    }

    /// Largest violation of a row in its own unit.
    pub fn unscaled_violation(&self) -> f64 {
        let rows = self.point.residual.iter().zip(&self.row_scales);
        rows.fold(0.0, |largest, (residual, scale)| largest.max(residual.abs() / scale))
    }

    fn describe(&mut self, nlp: &dyn Staged) -> IterationRecord {
        let errors = self.errors(nlp);
        IterationRecord {
            iter: self.records.len(),
            objective: self.point.objective / self.objective_scale,
            inf_pr: self.unscaled_violation(),
            inf_du: errors.dual,
            mu: self.method.mu(),
            step: 0.0,
            regularisation: 0.0,
            alpha_dual: 0.0,
            alpha: 0.0,
            trials: 0,
            restoration: !self.may_restore,
            corrected: false,
        }
    }
}
