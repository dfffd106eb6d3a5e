//! Kelvin-Voigt damping: complex and real eigenvalues.

use lariat::mechanism::Mechanism;
use nalgebra::Complex;

use crate::solve::*;
use crate::structures::*;

fn assert_among(found: &[Complex<f64>], wanted: Complex<f64>, tolerance: f64) {
    let error = found.iter().map(|f| (f - wanted).norm() / wanted.norm()).fold(f64::INFINITY, f64::min);
    assert!(error < tolerance, "{wanted} is not among {found:?}: {error:e}");
}

/// Stretch of a rod with E = 5e6, ρ = 1100, L = 1, fixed at one end, damping time τ; bending is too stiff to matter.
fn axial(tau: f64) -> Mechanism {
    let section = round(5e6, 1e12, 1e11, 1.0, 1100.0, 1.0);
    cantilever(2, section.with_retardation(0.5 * tau * 5e6, [0.0; 2], [0.0; 2], 0.0), 4, 6)
}

/// Section G: τ = 1e-3, modes 1 and 3.
#[test]
fn axial_waves() {
    let found = eigenvalues(&axial(1e-3), 3);
    for wanted in [
        Complex::new(-5.6077297733462, 105.75449358529),
        Complex::new(-50.469567960116, 313.6749250899),
        Complex::new(-140.19324433366, 510.61956769254),
    ] {
        assert_among(&found, wanted, 1e-9);
    }
}

/// Section G: τ = 5e-3. Mode 3 is overdamped and decays with two rates. All slow rates gather between the listed one and
/// 1/τ = 200, so that the modes in order are mode 1, the slow rates from below, mode 2, the first fast rate.
#[test]
fn overdamped_axial_waves() {
    let mechanism = axial(5e-3);
    let waves = mechanism.rods[0].elements * mechanism.rods[0].order;
    let found = eigenvalues(&mechanism, waves + 1);
    assert_among(&found[..1], Complex::new(-28.038648866731, 102.12391353851), 1e-9);
    assert_among(&found[waves - 2..waves - 1], Complex::new(-241.65461148126, 0.0), 1e-9);
    assert_among(&found[waves - 1..waves], Complex::new(-252.34783980058, 193.02772771862), 1e-9);
    assert_among(&found[waves..], Complex::new(-1160.2778318553, 0.0), 1e-9);
    assert!(found[1..waves - 1].iter().all(|slow| slow.im == 0.0 && slow.re < -200.0 && slow.re > -242.0));
}

/// Section G: a square rubber beam without shear, τ = 0.02; modes 1 and 3.
#[test]
fn bending_without_shear() {
    let of = |stiff: f64| {
        let bending = 5e6 * 0.02_f64.powi(4) / 12.0;
        let section = round(stiff, stiff, bending, 1.0, 1100.0 * 4e-4, 0.0);
        let damped = section.with_retardation(0.0, [0.0; 2], [0.01 * bending; 2], 0.0);
        let found = eigenvalues(&cantilever(2, damped, 8, 5), 3);
        found.iter().flat_map(|value| [value.re, value.im]).collect()
    };
    let parts = stiff_limit(of, 1e4);
    let found: Vec<_> = parts.chunks(2).map(|part| Complex::new(part[0], part[1])).collect();
    assert_among(&found, Complex::new(-0.018730853588373, 1.3684789051941), 1e-7);
    assert_among(&found, Complex::new(-5.7674943430174, 23.312774251577), 1e-7);
}

/// Section G: the rubber beam of section B1 with shear and rotary inertia, all strains with τ = 0.02, in plane and
/// space, where each mode is double.
#[test]
fn bending_with_shear() {
    let section = rectangle(0.02, 0.02, 5e6, 0.5, 1100.0, 1.0).with_damping_time(0.02);
    let wanted = [
        Complex::new(-0.01871925425341, 1.368055194377),
        Complex::new(-0.7324693046079, 8.527040470093),
        Complex::new(-5.708727174097, 23.20092996975),
    ];
    for dimension in [2, 3] {
        let times = dimension - 1;
        let found = eigenvalues(&cantilever(dimension, section, 8, 5), 3 * times);
        for (k, wanted) in wanted.into_iter().enumerate() {
            for value in &found[times * k..times * (k + 1)] {
                assert!((value - wanted).norm() < 1e-8 * wanted.norm(), "{dimension}D: {value} instead of {wanted}");
            }
        }
    }
}
