//! G: Kelvin-Voigt damping, C = τK, in motions: λ² + τω²λ + ω² = 0 for each mode of the undamped rod.

use std::f64::consts::PI;

use lariat::mechanism::Mechanism;

use crate::marching::*;
use crate::mechanisms::*;

/// A rubber bar of 1 m along x, held at s = 0, that starts with the velocities of an axial mode.
fn bar(tau: f64, mode: usize) -> Mechanism {
    let mut mechanism = empty(2);
    let wave = (mode as f64 - 0.5) * PI;
    let rod = straight(v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), square_rubber(0.02).with_damping_time(tau), 8, 4);
    mechanism.rods.push(moving(rod, move |s| [(wave * s).sin(), 0.0, 0.0, 0.0, 0.0, 0.0]));
    mechanism.supports.push(clamp(end(0, 0)));
    mechanism
}

/// The exponents of the tip from four samples an interval apart, the first after a time.
fn found(mechanism: &Mechanism, after: f64, interval: f64, steps_per_interval: usize) -> [[f64; 2]; 2] {
    let before = (after / interval).round() as usize;
    let instants: Vec<f64> = (0..4).map(|k| (before + k) as f64 * interval).collect();
    let steps = (before + 3) * steps_per_interval;
    let tips = sampled(mechanism, instants[3], steps, &instants, |marcher| {
        let moved = tip(marcher, 0) - v(1.0, 0.0, 0.0);
        if moved[1] == 0.0 { moved[0] } else { moved[1] }
    });
    exponents(&tips, interval)
}

/// Asserts that exponents tend to `expected` with second order, and reach it to `within` after extrapolation.
fn check(expected: [[f64; 2]; 2], within: f64, at: impl Fn(usize) -> [[f64; 2]; 2]) {
    let found = [1, 2, 4].map(at);
    for root in 0..2 {
        let apart = |a: [f64; 2]| (a[0] - expected[root][0]).hypot(a[1] - expected[root][1]);
        let errors: Vec<f64> = found.iter().map(|roots| apart(roots[root])).collect();
        assert_second_order(&errors, 0.1);
        let limit = [0, 1].map(|part| found[2][root][part] + (found[2][root][part] - found[1][root][part]) / 3.0);
        let size = expected[root][0].hypot(expected[root][1]);
        assert!(apart(limit) < within * size, "{limit:?} against {:?}", expected[root]);
    }
}

/// G: E = 5e6, ρ = 1100, L = 1, τ = 1e-3, mode 1.
#[test]
fn axial_mode_decays() {
    let expected = [1.0, -1.0].map(|sign| [-5.6077297733462, sign * 105.75449358529]);
    check(expected, 1e-5, |refined| found(&bar(1e-3, 1), 0.0, 0.015, 15 * refined));
}

/// G: τ = 5e-3, mode 3 is overdamped with two real roots.
#[test]
fn overdamped_axial_mode_creeps() {
    let expected = [[-241.65461148126, 0.0], [-1160.2778318553, 0.0]];
    check(expected, 1e-4, |refined| found(&bar(5e-3, 3), 0.0, 0.001, 10 * refined));
}

/// G: Timoshenko cantilever of rubber, side 20 mm, τ = 0.02, mode 1. It is left alone for 16 s until mode 2, which decays
/// with exp(−0.73 t), has gone.
#[test]
fn bending_mode_decays() {
    let mut mechanism = empty(2);
    let rod = straight(v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), square_rubber(0.02).with_damping_time(0.02), 4, 3);
    // The shape of a cantilever under uniform load, with its slopes.
    mechanism.rods.push(moving(rod, |s| {
        let shape = s * s * (6.0 - 4.0 * s + s * s) / 3.0;
        let slope = s * (12.0 - 12.0 * s + 4.0 * s * s) / 3.0;
        [0.0, 2e-3 * shape, 0.0, 0.0, 2e-3 * slope, 0.0]
    }));
    mechanism.supports.push(clamp(end(0, 0)));
    let expected = [1.0, -1.0].map(|sign| [-0.01871925425341, sign * 1.368055194377]);
    check(expected, 1e-5, |refined| found(&mechanism, 16.0, 1.0, 20 * refined));
}

/// In a large motion, energy and what was dissipated add up with second order.
#[test]
fn dissipation_balances_the_energy() {
    let mut mechanism = swinging_rod(2, 0.005, 8, 1);
    mechanism.rods[0] = straight(v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), square_rubber(0.01).with_damping_time(0.02), 8, 1);
    let errors = [500, 1000, 2000].map(|steps| {
        let (mut dissipated, mut last) = (0.0, 0.0);
        run(&mechanism, 0.6, steps, |step, marcher| {
            if step > 0 {
                dissipated += marcher.dissipated();
            }
            last = energy(marcher);
        });
        assert!(dissipated > 5e-3, "{dissipated} J dissipated");
        (last + dissipated).abs()
    });
    assert!(errors[2] < 1e-4, "{errors:?}");
    assert_second_order(&errors, 0.2);
}
