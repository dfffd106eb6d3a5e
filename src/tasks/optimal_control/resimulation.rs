//! The end state that stored controls lead to, on finer and finer grids, against the one that was wanted.
//!
//! With the same controls the end state of steps h/r is e(r) = e + C hᵖ/rᵖ + …, p the order of the rule, so the motion of
//! the grid itself is off by C hᵖ ≈ 2ᵖ/(2ᵖ − 1) (e(1) − e(2)), for p = 2 by 4/3 of the difference. The motion on the finest grid must be no further from the state that was wanted than that
//! says; if it is, either the controls are not those of the problem or the grid is too coarse to tell.

use super::lagrangian::variable_names;
use crate::discretisation::dmoc::{ControlProblem, End, Forward, ForwardError, Given};
use crate::results::Verification;

/// Steps per interval of the motions; the last is judged.
const REFINEMENTS: [usize; 4] = [1, 2, 4, 8];
/// Share of the predicted error by which the prediction may be wrong.
const SAFETY: f64 = 2.0;
/// What solver and rounding leave, relative to the range of a coordinate or velocity.
const ROUNDING: f64 = 1e-6;
/// The same relative to the largest range, for what hardly moves.
const STILL: f64 = 1e-8;

/// A motion as far as its controls produce it.
#[derive(Debug, Clone, Copy)]
pub struct Course<'a> {
    /// Duration, second.
    pub duration: f64,
    /// Coordinates at the start.
    pub position: &'a [f64],
    /// Velocities at the start.
    pub velocity: &'a [f64],
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

/// Lets the controls drive the system on finer grids, and compares where it ends with the state wanted.
pub fn resimulate(
    problem: &ControlProblem,
    course: Course<'_>,
    wanted: &[f64],
) -> Result<(Verification, f64), ForwardError> {
    let mut forward = Forward::new(problem);
    let mut ends: Vec<Vec<f64>> = Vec::new();
    let mut ranges = Vec::new();
    for refine in REFINEMENTS {
        let start = (course.position, course.velocity);
        let motion = forward.march(course.duration, start, course.controls, refine)?;
        if refine == 1 {
            ranges = self::ranges(&motion.q, course.duration / course.controls.len().max(1) as f64);
        }
        let last = motion.q.last().map_or(&[][..], Vec::as_slice);
        ends.push([last, &motion.end_velocity].concat());
    }
    let largest = ranges.iter().copied().fold(0.0, f64::max);
    let names = variable_names(&problem.mechanics.coordinates(), &[]);
    let rule = problem.rule.name();
    let mut verification = Verification {
        passed: true,
        scheme: format!("motion under the controls alone, {} times finer steps of the {rule}", REFINEMENTS[3]),
        steps: course.controls.len() * REFINEMENTS[3],
        segments: 1,
        ..Verification::default()
    };
    let growth = 2f64.powi(problem.rule.order() as i32);
    let mut left = 0.0f64;
    for (i, name) in names.into_iter().enumerate() {
        let apart = |a: usize, b: usize| (ends[a][i] - ends[b][i]).abs();
        let predicted = growth / (growth - 1.0) * apart(0, 1).max(growth * apart(1, 2));
        let rounding = ROUNDING * ranges[i] + STILL * largest;
        let (error, tolerance) = ((ends[3][i] - wanted[i]).abs(), SAFETY * predicted + rounding);
        let own = (ends[0][i] - wanted[i]).abs();
        left = left.max(own);
        verification.passed &= error <= tolerance && own <= 10.0 * rounding;
        verification.max_error.insert(name.clone(), error);
        verification.tolerance.insert(name, tolerance);
    }
    Ok((verification, left))
}

/// Ranges of the coordinates, and largest magnitudes of their rates.
fn ranges(q: &[Vec<f64>], step: f64) -> Vec<f64> {
    let count = q.first().map_or(0, Vec::len);
    let range = |i: usize| {
        let of = |pick: fn(f64, f64) -> f64, start: f64| q.iter().map(|q| q[i]).fold(start, pick);
        of(f64::max, f64::NEG_INFINITY) - of(f64::min, f64::INFINITY)
    };
    let rate = |i: usize| q.windows(2).map(|pair| ((pair[1][i] - pair[0][i]) / step).abs()).fold(0.0, f64::max);
    (0..count).map(range).chain((0..count).map(rate)).collect()
}
