//! Marching a mechanism in time, and what is measured along the way.

use lariat::discretisation::assembly::{Assembly, Attachment, build};
use lariat::mechanism::Mechanism;
use lariat::tasks::simulation::march::{Balance, Marcher, balance, initial_state};
use nalgebra::Vector3;

/// Runs to `end` in `steps` equal steps and calls `see` with the number of the step and the motion.
pub fn run(mechanism: &Mechanism, end: f64, steps: usize, mut see: impl FnMut(usize, &Marcher)) {
    let assembly = build(mechanism);
    let mut marcher = start(mechanism, &assembly, end / steps as f64);
    see(0, &marcher);
    for step in 1..=steps {
        marcher.advance(end / steps as f64).unwrap_or_else(|failure| panic!("step {step}: {failure}"));
        see(step, &marcher);
    }
}

/// The beginning of a motion in the reference configuration at t = 0.
pub fn start<'a>(mechanism: &Mechanism, assembly: &'a Assembly, h: f64) -> Marcher<'a> {
    let state = initial_state(mechanism, assembly, assembly.reference.clone(), 0.0).unwrap();
    Marcher::new(assembly, state, h)
}

/// What `see` finds after the fractions `at` of the whole time.
pub fn sampled<T>(mechanism: &Mechanism, end: f64, steps: usize, at: &[f64], see: impl Fn(&Marcher) -> T) -> Vec<T> {
    let wanted: Vec<usize> = at.iter().map(|t| (t / end * steps as f64).round() as usize).collect();
    for (t, step) in at.iter().zip(&wanted) {
        assert!((t - *step as f64 * end / steps as f64).abs() < 1e-12, "t = {t} is not on the grid");
    }
    let mut found = Vec::new();
    run(mechanism, end, steps, |step, marcher| {
        if wanted.contains(&step) {
            found.push(see(marcher));
        }
    });
    found
}

/// Position of the last section of a rod.
pub fn tip(marcher: &Marcher, rod: usize) -> Vector3<f64> {
    place(marcher, &marcher.assembly().sections[rod].last().unwrap().1)
}

/// Position of the first section of a rod.
pub fn root(marcher: &Marcher, rod: usize) -> Vector3<f64> {
    place(marcher, &marcher.assembly().sections[rod][0].1)
}

/// Position of the mass centre of a body.
pub fn centre(marcher: &Marcher, body: usize) -> Vector3<f64> {
    place(marcher, &marcher.assembly().bodies[body])
}

fn place(marcher: &Marcher, at: &Attachment) -> Vector3<f64> {
    at.position(&marcher.assembly().layout, &marcher.state().q)
}

/// Energies and momenta at the present instant.
///
/// Momenta of a step are those before the impulse of joints and supports at its end; half of that impulse, which is
/// the one at the beginning up to O(h²), belongs to the instant.
pub fn books(marcher: &Marcher) -> Balance {
    let mut momentum = marcher.state().momentum.clone();
    if marcher.state().t > 0.0 {
        momentum.iter_mut().enumerate().for_each(|(dof, p)| *p += 0.5 * marcher.joint_impulse(dof));
    }
    balance(marcher.assembly(), &marcher.state().q, &momentum).unwrap()
}

/// Kinetic, strain and weight energy together.
pub fn energy(marcher: &Marcher) -> f64 {
    let books = books(marcher);
    books.kinetic + books.strain + books.gravity
}

/// The limit of values with an error of second order, from a step and its half.
pub fn richardson(coarse: Vector3<f64>, fine: Vector3<f64>) -> Vector3<f64> {
    fine + (fine - coarse) / 3.0
}

/// Asserts that errors of successively halved steps fall with second order, to ±`slack` of the exponent.
#[track_caller]
pub fn assert_second_order(errors: &[f64], slack: f64) {
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((order - 2.0).abs() < slack, "order {order:.3} from errors {errors:?}");
    }
}

/// Asserts that two points are nearer than `within`.
#[track_caller]
pub fn assert_near(what: &str, found: Vector3<f64>, expected: [f64; 3], within: f64) {
    let error = (found - Vector3::from(expected)).norm();
    assert!(error < within, "{what}: {found:?} against {expected:?}, error {error:.3e}");
}

/// Exponents λ₁, λ₂ (real and imaginary parts) of u = a₁ exp(λ₁ t) + a₂ exp(λ₂ t) from four samples a time T apart: they
/// satisfy u'' = p u' + q u from sample to sample, and z = exp(λT) the same equation z² = p z + q.
pub fn exponents(u: &[f64], interval: f64) -> [[f64; 2]; 2] {
    let determinant = u[1] * u[1] - u[0] * u[2];
    let p = (u[1] * u[2] - u[0] * u[3]) / determinant;
    let q = (u[1] * u[3] - u[2] * u[2]) / determinant;
    let square = 0.25 * p * p + q;
    if square < 0.0 {
        let rate = 0.5 * (-q).ln() / interval;
        let frequency = (-square).sqrt().atan2(0.5 * p) / interval;
        [[rate, frequency], [rate, -frequency]]
    } else {
        [1.0, -1.0].map(|sign| [(0.5 * p + sign * square.sqrt()).ln() / interval, 0.0])
    }
}
