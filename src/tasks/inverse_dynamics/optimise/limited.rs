//! Actuators at their limits, and what they would need without them.

use super::Posed;
use super::report::Judged;
use super::weights::Quiet;
use super::{TrackingSystem, weights};
use crate::discretisation::transcription::{ControlProblem, Given, Guess, Trajectory};
use crate::results::LimitedControl;
use crate::tasks::Observer;
use crate::tasks::optimal_control::{is_solved, solve};

/// A control within this share of its limit counts as being there.
const NEAR: f64 = 1e-4;

/// What a limit is of, and on which side of it values stay.
struct Limit {
    control: usize,
    rate: bool,
    value: f64,
    sign: f64,
}

impl Limit {
    /// All that are finite.
    fn all(problem: &ControlProblem) -> Vec<Self> {
        let bounds = problem.control_bounds.iter().enumerate();
        let sides = bounds.flat_map(|(control, (lower, upper))| {
            [(*upper, 1.0), (*lower, -1.0)].map(|(value, sign)| Self { control, rate: false, value, sign })
        });
        let rates = problem.rates.iter().map(|&(control, value)| Self { control, rate: true, value, sign: 1.0 });
        sides.chain(rates).filter(|limit| limit.value.is_finite()).collect()
    }

    /// What is limited, step by step, in the direction of the limit.
    fn values(&self, found: &Trajectory) -> Vec<f64> {
        let (i, h) = (self.control, found.step());
        match self.rate {
            true => found.u.windows(2).map(|u| (u[1][i] - u[0][i]).abs() / h).collect(),
            false => found.u.iter().map(|u| self.sign * u[i]).collect(),
        }
    }

    /// Where a motion reaches it, if it does.
    fn reached(&self, problem: &ControlProblem, found: &Trajectory) -> Option<LimitedControl> {
        let values = self.values(found);
        let least = self.sign * self.value - NEAR * (self.value.abs() + f64::MIN_POSITIVE);
        let first = values.iter().position(|value| *value >= least)?;
        let count = values.iter().filter(|value| **value >= least).count();
        Some(LimitedControl {
            name: problem.mechanics.controls()[self.control].clone(),
            rate: self.rate,
            limit: self.value,
            share: count as f64 / values.len().max(1) as f64,
            first: first as f64 * found.step(),
            needed: None,
        })
    }
}

/// All limits that a motion reaches.
pub(super) fn limited(problem: &ControlProblem, found: &Trajectory) -> Vec<LimitedControl> {
    Limit::all(problem).iter().filter_map(|limit| limit.reached(problem, found)).collect()
}

/// The best motion without limits: what each control then needs is written beside its limit. Returned is how far that motion misses
/// its paths, relative to their size; none where it was not found.
pub(super) fn without_limits(
    system: &TrackingSystem,
    posed: &Posed,
    found: &Trajectory,
    reached: &mut [LimitedControl],
    observer: &mut dyn Observer,
) -> Option<f64> {
    observer.phase("without limits of the actuators", 0);
    let limited = &posed.control.problem;
    let free = ControlProblem {
        control_bounds: vec![Given::FREE.bounds(); limited.control_bounds.len()],
        rates: Vec::new(),
        guess: Guess::along(found.q.clone(), found.u.clone(), found.duration),
        ..limited.clone()
    };
    let quiet = &mut Quiet(observer);
    let first = solve(&free, posed.control.intervals, &posed.control.options, quiet).ok()?;
    let mut posed = Posed { control: posed.control.clone(), ..posed.clone() };
    posed.control.problem = free;
    let optimum = if is_solved(first.status) { first } else { return None };
    let optimum = weights::lightened(system, &mut posed, optimum, quiet);
    let names = limited.mechanics.controls();
    for control in reached.iter_mut() {
        let of = |limit: &&Limit| {
            limit.rate == control.rate && limit.value == control.limit && names[limit.control] == control.name
        };
        let limit = Limit::all(limited);
        control.needed = limit.iter().find(of).map(|limit| {
            let most = limit.values(&optimum.trajectory).into_iter().fold(f64::NEG_INFINITY, f64::max);
            limit.sign * most
        });
    }
    Some(Judged::new(system, &posed, &optimum.trajectory).ok()?.miss())
}

/// A limit that is reached, in words.
pub(super) fn words(control: &LimitedControl) -> String {
    let what = if control.rate { format!("the rate of {}", control.name) } else { control.name.clone() };
    let share = 100.0 * control.share;
    let mut words = format!(
        "{what} is at its limit {} for {share:.1} % of the time, first at t = {:.3} s",
        control.limit, control.first
    );
    if let Some(needed) = control.needed {
        words += &match (needed / control.limit).is_finite() && needed / control.limit > 0.0 {
            true => format!(", and needs {needed:.4}, {:.2} times that, to follow the path", needed / control.limit),
            false => format!(", and needs {needed:.4} to follow the path"),
        };
    }
    words
}
