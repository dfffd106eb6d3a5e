//! What each actuator does: its power and work, and how far, how fast and with which acceleration it moves what it drives.

use super::scalars::peak;
use super::sequential::Gauge;
use crate::discretisation::index::ServoProblem;
use crate::results::Outcome;
use crate::tasks::velocity_name;

/// What is told of every actuator whose own motion is known.
pub(super) const EFFORT_SCALARS: [&str; 5] = ["power", "work", "travel", "speed", "acceleration"];

/// Tells of the actuators of an answer, by the velocities along which they act: the power of a force F is F v. `speeds` are in
/// the order of the columns of the actuation, at its instants.
pub fn tell(speeds: &[Vec<f64>], dt: f64, outcome: &mut Outcome) {
    for ((name, forces), speed) in outcome.actuation.columns.iter().zip(speeds) {
        if let Some(found) = effort(forces, speed, dt) {
            let named = EFFORT_SCALARS.into_iter().zip(found);
            let named = named.map(|(what, value)| (format!("actuation.{name}.{what}"), value));
            outcome.report.scalars.extend(named);
        }
    }
}

/// The same of a mechanism with servo constraints, from the tables of its motion; of a system with forces of its own there are
/// no such velocities.
pub fn tell_of(problem: &ServoProblem, dt: f64, outcome: &mut Outcome) {
    let names = problem.mechanics.coordinates();
    let rates: Vec<String> = names.iter().map(|name| velocity_name(name)).collect();
    let (Some(q), Some(v)) = (outcome.motion.rows(&names), outcome.motion.rows(&rates)) else { return };
    let mut gauge = Gauge::new(problem);
    let count = outcome.actuation.columns.len();
    let mut speeds = vec![Vec::with_capacity(q.len()); count];
    for ((q, v), t) in q.iter().zip(&v).zip(&outcome.motion.t) {
        for (drive, speeds) in speeds.iter_mut().enumerate() {
            let mut unit = vec![0.0; count];
            unit[drive] = 1.0;
            let Ok(speed) = gauge.power(q, v, &unit, *t) else { return };
            speeds.push(speed);
        }
    }
    tell(&speeds, dt, outcome);
}

/// Largest power, work, travel, largest speed and largest acceleration along the direction in which a force acts; none of what is
/// too short for derivatives.
///
/// Accelerations are differences of order 4 inside and of order 2 at the ends; integrals follow the trapezoidal rule with the
/// correction h²/12 (f'(a) − f'(b)) of Euler and Maclaurin, of order 4.
fn effort(forces: &[f64], speed: &[f64], dt: f64) -> Option<[f64; 5]> {
    if forces.len() != speed.len() || speed.len() < 5 {
        return None;
    }
    let power: Vec<f64> = forces.iter().zip(speed).map(|(force, speed)| force * speed).collect();
    let acceleration = derivative(speed, dt);
    let travelled = integral(speed, dt);
    let [low, high] = travelled.iter().fold([0.0_f64; 2], |[low, high], x| [low.min(*x), high.max(*x)]);
    let largest = |values: &[f64]| peak(values.iter().copied()).abs().max(peak(values.iter().map(|v| -v)).abs());
    let work = *integral(&power, dt).last()?;
    Some([largest(&power), work, high - low, largest(speed), largest(&acceleration)])
}

/// Derivative of equally spaced samples.
fn derivative(f: &[f64], h: f64) -> Vec<f64> {
    let n = f.len();
    let at = |k: usize| match k {
        0 => (4.0 * f[1] - 3.0 * f[0] - f[2]) / (2.0 * h),
        k if k + 1 == n => (3.0 * f[n - 1] - 4.0 * f[n - 2] + f[n - 3]) / (2.0 * h),
        k if k == 1 || k + 2 == n => (f[k + 1] - f[k - 1]) / (2.0 * h),
        k => (8.0 * (f[k + 1] - f[k - 1]) - (f[k + 2] - f[k - 2])) / (12.0 * h),
    };
    (0..n).map(at).collect()
}

/// Integral of equally spaced samples from the first to each.
fn integral(f: &[f64], h: f64) -> Vec<f64> {
    let slope = derivative(f, h);
    let mut sum = 0.0;
    let mut found = vec![0.0];
    for k in 1..f.len() {
        sum += 0.5 * h * (f[k - 1] + f[k]) + h * h / 12.0 * (slope[k - 1] - slope[k]);
        found.push(sum);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A mass m on a rail is moved to and fro, x = a (1 − cos ωt) with the force m ẍ: speed, power and acceleration have their
    /// peaks aω, m a² ω³/2 and aω², it travels 2a and the work over a period is none.
    #[test]
    fn a_mass_moved_to_and_fro_has_the_known_effort() {
        let (m, a, omega, steps) = (3.0, 0.5, 2.0, 400);
        let dt = std::f64::consts::TAU / omega / f64::from(steps);
        let times = (0..=steps).map(|k| f64::from(k) * dt);
        let (forces, speed): (Vec<f64>, Vec<f64>) =
            times.map(|t| (m * a * omega * omega * (omega * t).cos(), a * omega * (omega * t).sin())).unzip();
        let found = effort(&forces, &speed, dt).unwrap();
        let wanted = [0.5 * m * a * a * omega.powi(3), 0.0, 2.0 * a, a * omega, a * omega * omega];
        for ((found, wanted), what) in found.iter().zip(wanted).zip(EFFORT_SCALARS) {
            assert!((found - wanted).abs() < 2e-4 * wanted.abs().max(1e-3), "{what}: {found} {wanted}");
        }
        // Half a period: all the kinetic energy was put in and taken out; a quarter: it is there.
        let quarter = effort(&forces[..=100], &speed[..=100], dt).unwrap();
        assert!((quarter[1] - 0.5 * m * (a * omega).powi(2)).abs() < 1e-6);
    }
}
