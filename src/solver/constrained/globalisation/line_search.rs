//! The filter line search (Wächter and Biegler 2006, algorithm A), shared by all methods.

use crate::nlp::EvalFailure;
use crate::solver::constrained::direction::Direction;
use crate::solver::constrained::globalisation::filter::{Filter, OBJECTIVE_MARGIN, VIOLATION_MARGIN, at_most};
use crate::solver::constrained::inequality::barrier::barrier;
use crate::solver::constrained::point::Point;
use crate::solver::constrained::staged::Staged;
use crate::solver::constrained::standard::Standard;

/// Share of the predicted decrease of φ that must be reached where φ decides.
const ARMIJO: f64 = 1e-8;
const SWITCH_VIOLATION_POWER: f64 = 1.1;
const SWITCH_OBJECTIVE_POWER: f64 = 2.3;
/// Limits of θ, relative to the first violation: above the larger no point is accepted, below the smaller φ decides.
const LARGEST_VIOLATION: f64 = 1e4;
const SMALL_VIOLATION: f64 = 1e-4;
/// Share of the smallest useful step below which restoration is called.
const MINIMUM_SHARE: f64 = 0.05;
/// Largest increase of φ, in decades relative to |φ|, of an accepted step.
const LARGEST_INCREASE: f64 = 5.0;
/// Halvings after which a step is too short to be seen in double precision.
const MAX_TRIALS: usize = 60;
/// Shortened steps in a row after which the search is not trusted any more.
const CREEPING: usize = 10;
const MAX_CORRECTIONS: usize = 4;
/// A correction must reduce θ to this share to be tried again.
const CORRECTION_REDUCTION: f64 = 0.99;

/// The trial point of a search.
#[derive(Debug, Clone, Default)]
pub struct Trial {
    pub v: Vec<f64>,
    pub residual: Vec<f64>,
    pub objective: f64,
}

impl Trial {
    pub fn new(len: usize, rows: usize) -> Self {
        Self { v: vec![0.0; len], residual: vec![0.0; rows], objective: 0.0 }
    }

    /// Evaluates f and c at v + α d.
    pub fn evaluate(
        &mut self,
        standard: &Standard,
        nlp: &mut dyn Staged,
        from: &[f64],
        direction: &[f64],
        alpha: f64,
    ) -> Result<(), EvalFailure> {
        for ((trial, v), d) in self.v.iter_mut().zip(from).zip(direction) {
            *trial = v + alpha * d;
        }
        self.objective = standard.objective(nlp, &self.v)?;
        standard.residual(nlp, &self.v, &mut self.residual)
    }

    pub fn violation(&self) -> f64 {
        self.residual.iter().map(|r| r.abs()).sum()
    }
}

/// What a search starts from.
pub struct Along<'a> {
    pub standard: &'a Standard,
    pub point: &'a Point,
    pub mu: f64,
    /// Slope of φ along the direction.
    pub slope: f64,
    /// Longest step allowed by the bounds.
    pub longest: f64,
}

/// Computes a direction from another residual in place of c(x) − s, for second-order corrections; returns its longest step.
pub type Correct<'a> = &'a mut dyn FnMut(&mut dyn Staged, &[f64], &mut Direction) -> Option<f64>;

/// How a search ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Searched {
    /// The trial point is accepted.
    Accepted { alpha: f64, trials: usize, corrected: bool },
    /// No useful step is acceptable; the last failure to evaluate, if that is what stood in the way.
    Failed { obstacle: Option<EvalFailure> },
}

/// Filter with the violation of the first point, which its limits refer to.
#[derive(Debug, Clone, Default)]
pub struct Globalisation {
    pub filter: Filter,
    small_violation: f64,
    /// Number of steps in a row refused by the filter alone at their last trial.
    refusals: usize,
    resets: usize,
    /// Number of steps in a row that had to be shortened.
    shortened: usize,
}

impl Globalisation {
    /// Starts anew from a point with this violation.
    pub fn start(&mut self, violation: f64) {
        self.filter.clear();
        self.filter.largest_violation = LARGEST_VIOLATION * violation.max(1.0);
        self.small_violation = SMALL_VIOLATION * violation.max(1.0);
        (self.refusals, self.resets, self.shortened) = (0, 0, 0);
    }

    /// Whether so many steps had to be shortened that a few unchecked ones may lead out of the valley.
    pub fn is_creeping(&self) -> bool {
        self.shortened >= CREEPING
    }

    /// Forgets that steps had to be shortened.
    pub fn stop_counting(&mut self) {
        self.shortened = 0;
    }

    /// The acceptance tests relative to a point with this slope of φ.
    pub fn judge(&self, along: &Along) -> Judge {
        let value = along.point.objective + barrier(along.standard, &along.point.v, along.mu);
        Judge { violation: along.point.violation(), value, slope: along.slope, small: self.small_violation }
    }

    /// Accepts a trial point if it passes the tests relative to `judge` with a full step.
    pub fn accepts(&mut self, judge: &Judge, standard: &Standard, trial: &Trial, mu: f64) -> bool {
        let phi = trial.objective + barrier(standard, &trial.v, mu);
        let verdict = judge.verdict(&self.filter, 1.0, trial.violation(), phi);
        if let Verdict::Good { armijo: false } = verdict {
            self.filter.add(judge.violation, judge.value);
        }
        matches!(verdict, Verdict::Good { .. })
    }

    /// Searches along a direction; on acceptance `trial` holds the new point.
    pub fn search(
        &mut self,
        along: &Along,
        nlp: &mut dyn Staged,
        direction: &mut Direction,
        correct: Correct,
        trial: &mut Trial,
    ) -> Searched {
        let Along { standard, point, mu, longest, .. } = *along;
        let judge = self.judge(along);
        let violation = judge.violation;
        let smallest = judge.smallest_step();
        let mut alpha = longest;
        let mut trials = 0;
        let mut refused_by_filter = false;
        loop {
            trials += 1;
            let evaluated = trial.evaluate(standard, nlp, &point.v, &direction.v, alpha);
            let obstacle = match evaluated {
                Err(failure) => Some(failure),
                Ok(()) => {
                    let theta = trial.violation();
                    let phi = trial.objective + barrier(standard, &trial.v, mu);
                    refused_by_filter = false;
                    if phi.is_finite() {
                        match judge.verdict(&self.filter, alpha, theta, phi) {
                            Verdict::Good { armijo } => {
                                return self.accept(&judge, alpha, trials, armijo, false);
                            }
                            Verdict::Filtered => refused_by_filter = true,
                            Verdict::Poor => (),
                        }
                        if trials == 1
                            && theta >= violation
                            && let Some(armijo) = self.correct(along, &judge, nlp, direction, correct, trial, alpha)
                        {
                            return self.accept(&judge, alpha, trials, armijo, true);
                        }
                    }
                    None
                }
            };
            alpha *= 0.5;
            if alpha < smallest || trials == MAX_TRIALS {
                self.note_refusal(refused_by_filter);
                return Searched::Failed { obstacle };
            }
        }
    }

    /// Second-order corrections: directions that also remove the curvature of the rows seen at the full step.
    #[allow(clippy::too_many_arguments)]
    fn correct(
        &mut self,
        along: &Along,
        judge: &Judge,
        nlp: &mut dyn Staged,
        direction: &mut Direction,
        correct: Correct,
        trial: &mut Trial,
        alpha: f64,
    ) -> Option<bool> {
        let Along { standard, point, mu, .. } = *along;
        let mut wanted: Vec<f64> = point.residual.iter().map(|r| alpha * r).collect();
        let mut corrected = direction.clone();
        let mut before = judge.violation;
        for _ in 0..MAX_CORRECTIONS {
            wanted.iter_mut().zip(&trial.residual).for_each(|(w, r)| *w += r);
            let longest = correct(nlp, &wanted, &mut corrected)?;
            trial.evaluate(standard, nlp, &point.v, &corrected.v, longest).ok()?;
            let theta = trial.violation();
            let phi = trial.objective + barrier(standard, &trial.v, mu);
            // The test uses the step length of the uncorrected direction, whose slope it also uses.
            if let Verdict::Good { armijo } = judge.verdict(&self.filter, alpha, theta, phi) {
                *direction = corrected;
                return Some(armijo);
            }
            if !(theta <= CORRECTION_REDUCTION * before) {
                return None;
            }
            before = theta;
            wanted.iter_mut().for_each(|w| *w *= longest);
        }
        None
    }

    fn accept(&mut self, judge: &Judge, alpha: f64, trials: usize, armijo: bool, corrected: bool) -> Searched {
        if !armijo {
            self.filter.add(judge.violation, judge.value);
        }
        self.refusals = 0;
        self.shortened = if trials > 1 { self.shortened + 1 } else { 0 };
        Searched::Accepted { alpha, trials, corrected }
    }

    /// A filter that keeps refusing has entries from long ago: it is cleared, a few times at most.
    fn note_refusal(&mut self, by_filter: bool) {
        const PATIENCE: usize = 5;
        const MAX_RESETS: usize = 5;
        self.refusals = if by_filter { self.refusals + 1 } else { 0 };
        if self.refusals >= PATIENCE && self.resets < MAX_RESETS {
            self.filter.clear();
            self.refusals = 0;
            self.resets += 1;
        }
    }
}

enum Verdict {
    Good { armijo: bool },
    Filtered,
    Poor,
}

/// The acceptance tests relative to a point.
#[derive(Debug, Clone)]
pub struct Judge {
    violation: f64,
    value: f64,
    slope: f64,
    small: f64,
}

impl Judge {
    /// Whether φ decides: it falls so much along the direction that θ does not matter.
    fn switches(&self, alpha: f64) -> bool {
        self.slope < 0.0
            && alpha * (-self.slope).powf(SWITCH_OBJECTIVE_POWER) > self.violation.powf(SWITCH_VIOLATION_POWER)
    }

    fn verdict(&self, filter: &Filter, alpha: f64, theta: f64, phi: f64) -> Verdict {
        if phi > self.value {
            let decades = (phi - self.value).log10() - self.value.abs().max(10.0).log10();
            if decades > LARGEST_INCREASE {
                return Verdict::Poor;
            }
        }
        let objective_decides = self.violation <= self.small && self.switches(alpha);
        let armijo = at_most(phi - self.value, ARMIJO * alpha * self.slope, self.value);
        let sufficient = if objective_decides {
            armijo
        } else {
            at_most(theta, (1.0 - VIOLATION_MARGIN) * self.violation, self.violation)
                || at_most(phi - self.value, -OBJECTIVE_MARGIN * self.violation, self.value)
        };
        if !sufficient {
            Verdict::Poor
        } else if filter.accepts(theta, phi) {
            Verdict::Good { armijo: armijo && self.switches(alpha) }
        } else {
            Verdict::Filtered
        }
    }

    /// Below this no test can be passed any more.
    fn smallest_step(&self) -> f64 {
        let mut smallest = VIOLATION_MARGIN;
        if self.slope < 0.0 {
            smallest = smallest.min(OBJECTIVE_MARGIN * self.violation / -self.slope);
            if self.violation <= self.small {
                let power = self.violation.powf(SWITCH_VIOLATION_POWER);
                smallest = smallest.min(power / (-self.slope).powf(SWITCH_OBJECTIVE_POWER));
            }
        }
        MINIMUM_SHARE * smallest
    }
}
