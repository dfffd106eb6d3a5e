//! How far the discrete motion of each interval is from the motion in continuous time under the same controls.
//!
//! From the state at its start each interval is marched once by one step, which is its motion in the solution, and once by four.
//! As the local error of a step of length h is C h³, and four of h/4 leave C h³/16, the difference is 15/16 of the error. It is
//! told relative to the range of each coordinate and velocity in the whole motion (as Betts 2010, section 4.7, does with
//! magnitudes); the largest counts.

use crate::discretisation::transcription::{ControlProblem, Forward, ForwardError, Trajectory};

/// Steps of the finer motion of an interval.
const FINER: usize = 4;
/// What the finer motion leaves of the error.
const FOUND: f64 = 1.0 - 1.0 / (FINER * FINER) as f64;
/// What hardly moves is judged by this share of the largest range.
const STILL: f64 = 1e-3;

/// Ranges below this are rounding errors.
const NONE: f64 = 1e-9;

/// Relative errors of the intervals.
pub fn local_errors(problem: &ControlProblem, found: &Trajectory) -> Result<Vec<f64>, ForwardError> {
    let mut forward = Forward::new(problem);
    let (n, h) = (found.start_velocity.len(), found.step());
    let mut errors = vec![vec![0.0; 2 * n]; found.u.len()];
    let mut ranges = vec![(f64::INFINITY, f64::NEG_INFINITY); 2 * n];
    let mut see = |i: usize, value: f64| ranges[i] = (ranges[i].0.min(value), ranges[i].1.max(value));
    for (i, (q, v)) in found.q[0].iter().zip(&found.start_velocity).enumerate() {
        see(i, *q);
        see(n + i, *v);
    }
    for (k, u) in found.u.iter().enumerate() {
        let (state, span) = ((&found.q[k][..], &found.momenta[k][..]), (k as f64 * h, h));
        let coarse = forward.across(state, &found.q[k + 1], u, span, 1)?;
        let fine = forward.across(state, &found.q[k + 1], u, span, FINER)?;
        for i in 0..2 * n {
            see(i, coarse[i]);
            errors[k][i] = (coarse[i] - fine[i]).abs() / FOUND;
        }
    }
    let lengths: Vec<f64> = ranges.iter().map(|(low, high)| high - low).collect();
    let largest = |of: &[f64]| of.iter().copied().fold(NONE / STILL, f64::max);
    let least = [STILL * largest(&lengths[..n]), STILL * largest(&lengths[n..])];
    let relative = |error: &Vec<f64>| {
        let each = error.iter().enumerate().map(|(i, error)| error / lengths[i].max(least[usize::from(i >= n)]));
        each.fold(0.0, f64::max)
    };
    Ok(errors.iter().map(relative).collect())
}
