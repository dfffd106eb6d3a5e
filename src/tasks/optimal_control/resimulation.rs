//! The end state that stored controls lead to, in continuous time, against the one that was wanted.
//!
//! The motion is integrated by another method, adaptive and of higher order. How far it may be from the state wanted is told by
//! the grid:
//! With the same controls the end state of steps h/r is e(r) = e + C hᵖ/rᵖ + …, p the order of the rule, so the motion of
//! the grid itself is off by C hᵖ ≈ 2ᵖ/(2ᵖ − 1) (e(1) − e(2)), for p = 2 by 4/3 of the difference. The motion in continuous time must be no further from the
//! state that was wanted than that says, and than an absolute limit; if it is, either the controls are not those of the problem
//! or the grid is too coarse. On its own grid the motion must end as wanted.

use super::lagrangian::variable_names;
use crate::discretisation::transcription::{
    Continuous, ControlProblem, End, Forward, ForwardError, Given, Rule, SteppedMotion,
};
use crate::results::Verification;

/// Steps per interval of the motions that tell the error of the grid.
const REFINEMENTS: [usize; 3] = [1, 2, 4];
/// Steps per interval of the motion that is judged where the accelerations are not determined, as of coordinates without mass.
const FINEST: usize = 8;
/// Share of the predicted error by which the prediction may be wrong.
const SAFETY: f64 = 2.0;
/// Largest miss of the end that counts as verified, relative to the range of a coordinate or velocity, whatever the grid predicts.
const LIMIT: f64 = 0.2;
/// Ranges smaller than this share of the largest of their kind count as that.
const LEAST_RANGE: f64 = 0.1;
/// What solver and rounding leave, relative to the range of a coordinate or velocity.
const ROUNDING: f64 = 1e-6;
/// The same relative to the largest range, for what hardly moves.
const STILL: f64 = 1e-8;
/// The same where nothing moves, relative to 1 and the value wanted.
const FLOOR: f64 = 1e-10;

/// How far a motion may end from the state wanted: a share of the ranges of its coordinates and velocities. What hardly moves is
/// measured by what moves most among those of its kind.
pub struct Limits {
    ranges: Vec<f64>,
    share: f64,
}

impl Limits {
    /// From ranges of the coordinates, then of the velocities, and their kinds. No range counts as smaller than the share
    /// `least` of the largest of its kind.
    pub fn new(own: &[f64], kinds: &[String], share: f64, least: f64) -> Self {
        let largest = |kind: &String| {
            let same = own.iter().zip(kinds).filter(|(_, other)| *other == kind);
            same.map(|(range, _)| *range).fold(0.0, f64::max)
        };
        let ranges = own.iter().zip(kinds).map(|(own, kind)| own.max(least * largest(kind))).collect();
        Self { ranges, share }
    }

    /// What a coordinate, or after these a velocity, may miss.
    pub fn allowed(&self, i: usize) -> f64 {
        self.share * self.ranges[i] + FLOOR
    }

    /// What counts as large for it.
    pub fn size(&self, i: usize) -> f64 {
        self.ranges[i].max(f64::MIN_POSITIVE)
    }
}

/// A motion as far as its controls produce it.
#[derive(Clone, Copy)]
pub struct Course<'a> {
    /// Coordinates at the start.
    pub position: &'a [f64],
    /// Velocities at the start.
    pub velocity: &'a [f64],
    /// Its phases; one where there are none.
    pub legs: &'a [Leg<'a>],
}

/// A phase as far as its controls produce it.
#[derive(Clone, Copy)]
pub struct Leg<'a> {
    /// Its system and rule.
    pub problem: &'a ControlProblem,
    /// Duration, second.
    pub duration: f64,
    /// Controls of the intervals.
    pub controls: &'a [Vec<f64>],
}

/// The state wanted at the end: what is given, and where a range is given, what was found in it.
pub fn wanted(end: &End, found: (&[f64], &[f64])) -> Vec<f64> {
    let of = |given: &Given, found: &f64| match *given {
        Given::Fixed(value) => value,
        Given::Between(lower, upper) => found.max(lower).min(upper),
    };
    let positions = end.position.iter().zip(found.0);
    positions.chain(end.velocity.iter().zip(found.1)).map(|(given, found)| of(given, found)).collect()
}

/// Where legs lead, one after the other with the same momentum; `visit` sees the motion of each.
fn drive(
    forwards: &mut [Forward<'_>],
    course: Course<'_>,
    refine: usize,
    mut visit: impl FnMut(&SteppedMotion, f64),
) -> Result<Vec<f64>, ForwardError> {
    let (mut q, mut v) = (course.position.to_vec(), course.velocity.to_vec());
    let mut momentum: Option<Vec<f64>> = None;
    for (forward, leg) in forwards.iter_mut().zip(course.legs) {
        if let Some(momentum) = momentum {
            v = forward.velocity(&q, &momentum, 0.0, &v)?;
        }
        let motion = forward.march(leg.duration, (&q, &v), leg.controls, refine)?;
        visit(&motion, leg.duration / leg.controls.len().max(1) as f64);
        q = motion.q.last().map_or(Vec::new(), Vec::clone);
        v.clone_from(&motion.end_velocity);
        momentum = Some(forward.momentum_at((&q, &v), leg.duration)?);
    }
    Ok([q, v].concat())
}

/// Where legs lead in continuous time.
fn continuous(forwards: &mut [Forward<'_>], course: Course<'_>) -> Result<Vec<f64>, ForwardError> {
    let (mut q, mut v) = (course.position.to_vec(), course.velocity.to_vec());
    let mut momentum: Option<Vec<f64>> = None;
    for (forward, leg) in forwards.iter_mut().zip(course.legs) {
        if let Some(momentum) = momentum {
            v = forward.velocity(&q, &momentum, 0.0, &v)?;
        }
        let end = Continuous::new(leg.problem).drive(leg.duration, (&q, &v), leg.controls)?;
        let (position, velocity) = end.split_at(q.len());
        (q, v) = (position.to_vec(), velocity.to_vec());
        momentum = Some(forward.momentum_at((&q, &v), leg.duration)?);
    }
    Ok([q, v].concat())
}

/// Lets the controls drive the system, and compares where it ends with the state wanted.
pub fn resimulate(course: Course<'_>, wanted: &[f64]) -> Result<(Verification, f64), ForwardError> {
    let mut forwards: Vec<Forward<'_>> = course.legs.iter().map(|leg| Forward::new(leg.problem)).collect();
    let names = course.legs.first().map_or(Vec::new(), |leg| leg.problem.mechanics.coordinates());
    let rule = course.legs.first().map_or(Rule::default(), |leg| leg.problem.rule);
    let mut ends: Vec<Vec<f64>> = Vec::new();
    let mut ranges = Ranges::default();
    for refine in REFINEMENTS {
        let end = drive(&mut forwards, course, refine, |motion, step| {
            if refine == 1 {
                ranges.include(&motion.q, step);
            }
        })?;
        ends.push(end);
    }
    let ranges = ranges.list();
    let half = ranges.len() / 2;
    let kinds: Vec<String> =
        (0..ranges.len()).map(|i| if i < half { "coordinate" } else { "rate" }.to_owned()).collect();
    let limits = Limits::new(&ranges, &kinds, LIMIT, LEAST_RANGE);
    let largest = ranges.iter().copied().fold(0.0, f64::max);
    let names = variable_names(&names, &[]);
    let growth = 2f64.powi(rule.order() as i32);
    let (truth, scheme) = match continuous(&mut forwards, course) {
        Ok(end) => (end, "integrated by the adaptive method of Dormand and Prince, order 5".to_owned()),
        Err(_) => {
            let end = drive(&mut forwards, course, FINEST, |_, _| {})?;
            (end, format!("{FINEST} times finer steps of the {}", rule.name()))
        }
    };
    let mut verification = Verification {
        passed: true,
        scheme: format!("motion under the controls alone, {scheme}"),
        steps: course.legs.iter().map(|leg| leg.controls.len()).sum(),
        segments: course.legs.len(),
        ..Verification::default()
    };
    let mut left = 0.0f64;
    for (i, name) in names.into_iter().enumerate() {
        let apart = |a: usize, b: usize| (ends[a][i] - ends[b][i]).abs();
        let predicted = growth / (growth - 1.0) * apart(0, 1).max(growth * apart(1, 2));
        let rounding = ROUNDING * ranges[i] + STILL * largest + FLOOR * (1.0 + wanted[i].abs());
        let error = (truth[i] - wanted[i]).abs();
        let tolerance = (SAFETY * predicted + rounding).min(limits.allowed(i) + rounding);
        let own = (ends[0][i] - wanted[i]).abs();
        left = left.max(own);
        verification.passed &= error <= tolerance && own <= 10.0 * rounding;
        verification.max_error.insert(name.clone(), error);
        verification.tolerance.insert(name, tolerance);
    }
    Ok((verification, left))
}

/// Least and largest value of each coordinate, and the largest magnitude of its rate.
#[derive(Default)]
struct Ranges(Vec<[f64; 3]>);

impl Ranges {
    fn include(&mut self, q: &[Vec<f64>], step: f64) {
        self.0.resize(q.first().map_or(0, Vec::len), [f64::INFINITY, f64::NEG_INFINITY, 0.0]);
        for (i, [least, most, rate]) in self.0.iter_mut().enumerate() {
            for q in q {
                (*least, *most) = (least.min(q[i]), most.max(q[i]));
            }
            for pair in q.windows(2) {
                *rate = rate.max(((pair[1][i] - pair[0][i]) / step).abs());
            }
        }
    }

    /// Ranges of the coordinates, then of the rates.
    fn list(&self) -> Vec<f64> {
        self.0.iter().map(|[least, most, _]| most - least).chain(self.0.iter().map(|range| range[2])).collect()
    }
}
