//! Small motions about loaded states: tension, own weight, a force that follows.

use std::f64::consts::PI;

use lariat::mechanism::{Frame, JointKind, RodKind};

use crate::solve::*;
use crate::structures::*;

/// A rod of length 1, simply supported, under the tension T, with stretch ν = 1 + T/EA: for y = Y sin kx, θ = Θ cos kx,
/// k = nπ, the linearised equations of the rod are ρA ω² Y = k Q, k Y = ν Θ + (Q − TΘ)/GA and
/// EI k² Θ = ρI ω² Θ + ν Q − k Y T. Returns ω of bending (the lower root).
fn taut_beam(n: usize, tension: f64, [axial, shear, bending]: [f64; 3], [mass, rotary]: [f64; 2]) -> f64 {
    let (k, nu) = (n as f64 * PI, 1.0 + tension / axial);
    // With Y = kQ/(ρA w), w = ω²: Θ (ν − T/GA) = Q (k²/(ρA w) − 1/GA), and
    // Θ (EI k² − ρI w) = Q (ν − T k²/(ρA w)). Eliminated and multiplied by ρA w: a w² + b w + c = 0.
    let (lean, square) = (nu - tension / shear, k * k);
    let a = rotary * mass / shear;
    let b = -(bending * square * mass / shear + rotary * square + lean * nu * mass);
    let c = bending * square * square + lean * tension * square;
    (2.0 * c / (-b + (b * b - 4.0 * a * c).sqrt())).sqrt()
}

/// A stretched and sheared rod under tension against that closed form, and its axial waves (2n − 1)π/2 √(EA/ρA).
#[test]
fn a_rod_under_tension() {
    let (stiffness, inertia, tension) = ([100.0, 60.0, 1.0], [1.0, 0.01], 20.0);
    for dimension in [2, 3] {
        let section = round(stiffness[0], stiffness[1], stiffness[2], 50.0, inertia[0], inertia[1]);
        let mut mechanism = unit_rod(dimension, section, 12, 4);
        if dimension == 2 {
            mechanism.supports.push(hinge(end(0, 0)));
        } else {
            // Free to bend in the plane only, so that the rod cannot turn about itself.
            let axis = JointKind::Revolute(v(0.0, 0.0, 1.0));
            mechanism.joints.push(joint([Frame::Ground, end(0, 0)], v(0.0, 0.0, 0.0), axis));
        }
        mechanism.supports.push(roller(end(0, 12), [false, true, true]));
        mechanism.loads.push(dead_load(end(0, 12), [tension, 0.0, 0.0], [0.0; 3]));
        let bending: Vec<f64> = (1..=3).map(|n| taut_beam(n, tension, stiffness, inertia)).collect();
        let found = frequencies(&mechanism, if dimension == 2 { 5 } else { 12 });
        for wanted in bending.iter().copied().chain([0.5 * PI * 10.0, 1.5 * PI * 10.0]) {
            let error = found.iter().map(|f| (f / wanted - 1.0).abs()).fold(f64::INFINITY, f64::min);
            assert!(error < 1e-9, "{dimension}D: {wanted} is not among {found:?}");
        }
    }
}

/// A hanging chain: ω = j/2 √(g/L) with the zeros j of the Bessel function J₀. The string is all but inextensible, and
/// terms of the second and fourth order of the mesh are removed.
#[test]
fn a_hanging_chain() {
    let zeros = [2.404825557695773, 5.520078110286311, 8.653727912911012];
    for dimension in [2, 3] {
        let of = |elements: usize| {
            let mut mechanism = unit_rod(dimension, round(1e8, 0.0, 0.0, 0.0, 1.0, 0.0), elements, 1);
            mechanism.rods[0].kind = RodKind::String;
            mechanism.gravity = v(9.81, 0.0, 0.0);
            mechanism.supports.push(hinge(end(0, 0)));
            let found = frequencies(&mechanism, 3 * (dimension - 1));
            // In space both directions across swing alike.
            found.chunks(dimension - 1).map(|pair| pair.iter().sum::<f64>() / pair.len() as f64).collect::<Vec<_>>()
        };
        let [coarse, middle, fine] = [64, 128, 256].map(of);
        for (k, zero) in zeros.into_iter().enumerate() {
            let limit = (coarse[k] - 20.0 * middle[k] + 64.0 * fine[k]) / 45.0;
            let wanted = 0.5 * zero * 9.81_f64.sqrt();
            assert!((limit / wanted - 1.0).abs() < 1e-6, "{dimension}D, {}: {limit} instead of {wanted}", k + 1);
        }
    }
}

/// A hanging rod so stiff that it is a rigid pendulum: ω² = 3g/2L. Its axial waves do not feel the stretch, because the
/// law of the stress is linear.
#[test]
fn a_hanging_rod() {
    let pendulum = |stiff: f64| {
        let mut mechanism = unit_rod(2, round(stiff, stiff, stiff, 1.0, 1.0, 0.0), 8, 4);
        mechanism.gravity = v(9.81, 0.0, 0.0);
        mechanism.supports.push(hinge(end(0, 0)));
        frequencies(&mechanism, 1)
    };
    assert_close(&stiff_limit(pendulum, 1e4), &[(1.5_f64 * 9.81).sqrt()], 1e-9, "pendulum");
    let mut soft = unit_rod(2, round(20.0, 1e5, 1e4, 1.0, 1.0, 0.1), 8, 4);
    soft.gravity = v(9.81, 0.0, 0.0);
    soft.supports.push(clamp(end(0, 0)));
    let wanted = [0.5, 1.5, 2.5].map(|n| n * PI * 20.0_f64.sqrt());
    assert_close(&frequencies(&soft, 3), &wanted, 1e-8, "stretched by a quarter");
}

/// Beck's column: a compression P that follows the tip of a cantilever. With EI = ρA = L = 1 and without shear the
/// frequencies are the roots of P² + 2ω² (1 + cos a cosh b) + P ω sin a sinh b = 0, a² = √(P²/4 + ω²) + P/2,
/// b² = √(P²/4 + ω²) − P/2 (Beck 1952). The first two meet at P = 20.05, and beyond it they grow.
#[test]
fn a_column_under_a_follower_force() {
    let beck = |p: f64, w: f64| {
        let root = (0.25 * p * p + w * w).sqrt();
        let (a, b) = ((root + 0.5 * p).sqrt(), (root - 0.5 * p).sqrt());
        p * p + 2.0 * w * w * (1.0 + a.cos() * b.cosh()) + p * w * a.sin() * b.sinh()
    };
    let column = |stiff: f64, p: f64| {
        let mut mechanism = cantilever(2, round(stiff, stiff, 1.0, 1.0, 1.0, 0.0), 8, 4);
        mechanism.loads.push(follower(end(0, 8), [0.0, 0.0, -p], [0.0; 3]));
        mechanism
    };
    for p in [5.0, 12.0, 19.0] {
        let omegas = |stiff: f64| {
            let found = eigenvalues(&column(stiff, p), 2);
            assert!(found.iter().all(|value| value.re.abs() < 1e-6), "P = {p}: {found:?}");
            found.iter().map(|value| value.im).collect()
        };
        for w in stiff_limit(omegas, 1e4) {
            // Newton's correction of the closed form measures the error of the root.
            let slope = (beck(p, w + 1e-5) - beck(p, w - 1e-5)) / 2e-5;
            assert!((beck(p, w) / slope / w).abs() < 1e-6, "P = {p}: {w} is no root");
        }
    }
    let grows = |p: f64| eigenvalues(&column(1e6, p), 2).iter().any(|value| value.re > 1e-3);
    assert!(!grows(20.0) && grows(20.1));
}
