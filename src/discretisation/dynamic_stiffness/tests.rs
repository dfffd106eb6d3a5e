//! Matrices of parts against the exponential of their differential equations, closed forms and known frequencies.

use nalgebra::{Matrix2, Matrix4};

use super::bar::Bar;
use super::bending::Bending;
use super::motion::MemberMotion;
use super::series::POINTS;
use crate::discretisation::assembly::shape::gauss;

fn rule() -> [(f64, f64); POINTS] {
    let points = gauss(POINTS);
    std::array::from_fn(|i| points[i])
}

/// Steel, 0.05 × 0.1, E = 210e9, ν = 0.3, ρ = 7850, shear factor 5/6, bent along the height.
fn steel() -> Bending {
    let (area, i) = (0.005, 0.05 * 0.1_f64.powi(3) / 12.0);
    let shear = 5.0 / 6.0 * 210e9 / 2.6 * area;
    Bending { flexural: 210e9 * i, shear_compliance: 1.0 / shear, mass: 7850.0 * area, rotary: 7850.0 * i }
}

/// D(λ) and −dD/dλ over (w, φ) at the start and (w, φ) at the end.
fn matrices(motions: &[MemberMotion; 2], lambda: f64) -> [Matrix4<f64>; 2] {
    // Even: mean of w, half difference of φ; odd: half difference of w, mean of φ.
    let coordinates = |unknown: usize| {
        let unit = |k: usize| if k == unknown { 0.5 } else { 0.0 };
        [[unit(0) + unit(2), unit(3) - unit(1)], [unit(2) - unit(0), unit(1) + unit(3)]]
    };
    let form = |i: usize, j: usize, which: usize| {
        let (a, b) = (coordinates(i), coordinates(j));
        (0..2).map(|k| motions[k].forms(lambda, a[k], b[k])[which]).sum::<f64>()
    };
    [0, 1].map(|which| Matrix4::from_fn(|i, j| form(i, j, which)))
}

/// D from the matrix exponential of w' = φ + Q/GA, φ' = M/EI, M' = −Q − λρI φ, Q' = −λρA w.
fn by_exponential(beam: &Bending, length: f64, lambda: f64) -> Matrix4<f64> {
    // Scaled by the length and stiffness, in which the exponential is well conditioned.
    let (h, ei) = (length, beam.flexural);
    #[rustfmt::skip]
    let system = Matrix4::new(
        0.0, 1.0, 0.0, ei * beam.shear_compliance / (h * h),
        0.0, 0.0, 1.0, 0.0,
        0.0, -lambda * beam.rotary * h * h / ei, 0.0, -1.0,
        -lambda * beam.mass * h.powi(4) / ei, 0.0, 0.0, 0.0,
    );
    let t = system.exp();
    let block = |r: usize, c: usize| -> Matrix2<f64> { t.fixed_view::<2, 2>(r, c).into() };
    // (M, Q) as (Q, M): forces at the end are (Q, M), at the start their opposites.
    let swap = Matrix2::new(0.0, 1.0, 1.0, 0.0);
    let inverse = block(0, 2).try_inverse().unwrap();
    let start = swap * inverse;
    let end = swap * (block(2, 0) - block(2, 2) * inverse * block(0, 0));
    let mut d = Matrix4::zeros();
    d.fixed_view_mut::<2, 2>(0, 0).copy_from(&(start * block(0, 0)));
    d.fixed_view_mut::<2, 2>(0, 2).copy_from(&-start);
    d.fixed_view_mut::<2, 2>(2, 0).copy_from(&end);
    d.fixed_view_mut::<2, 2>(2, 2).copy_from(&(swap * block(2, 2) * inverse));
    let unit = [1.0 / h, 1.0, 1.0 / h, 1.0];
    Matrix4::from_fn(|i, j| d[(i, j)] * unit[i] * unit[j] * ei / h)
}

/// Below, at and above the cut-off frequency √(GA/ρI), with little and much shear and without, short and long.
#[test]
fn bending_agrees_with_the_exponential_of_its_equations() {
    let steel = steel();
    let cut_off = 1.0 / (steel.shear_compliance * steel.rotary);
    let unsheared = Bending { shear_compliance: 0.0, ..steel };
    let cases = [
        (steel, 0.3, 1e-8 * cut_off),
        (steel, 1.0, 3e6),
        (steel, 0.05, 0.3 * cut_off),
        (steel, 0.05, cut_off),
        (steel, 0.05, cut_off * (1.0 + 1e-9)),
        (steel, 0.03, 3.0 * cut_off),
        (unsheared, 1.0, 3e6),
        (Bending { rotary: 0.0, ..unsheared }, 0.7, 5e6),
        (Bending { shear_compliance: 1e3 * steel.shear_compliance, ..steel }, 0.2, 1e5),
    ];
    for (beam, length, lambda) in cases {
        let half = 0.5 * length;
        assert_eq!(beam.clamped_below(half, lambda * (1.0 + 1e-6)), 0, "{beam:?} {length} {lambda}: not a part");
        let [d, _] = matrices(&beam.motions(half, &beam.shapes(half, lambda), &rule()), lambda);
        let wanted = by_exponential(&beam, length, lambda);
        let scale = |i: usize| wanted[(i, i)].abs().sqrt().max(d[(i, i)].abs().sqrt());
        for (i, j) in (0..4).flat_map(|i| (0..4).map(move |j| (i, j))) {
            let error = (d[(i, j)] - wanted[(i, j)]).abs() / (scale(i) * scale(j));
            // What the exponential and its inverse block lose.
            assert!(error < 2e-11, "{length} {lambda} ({i}, {j}): {} {} {error:e}", d[(i, j)], wanted[(i, j)]);
        }
    }
}

/// −dD/dλ against a central difference of width 1e-4, whose own error is about 1e-8.
#[test]
fn masses_are_slopes() {
    let beam = steel();
    let bar = Bar { stiffness: 1e9, mass: 39.25 };
    let (half, lambda) = (0.2, 2e8);
    let slope = |of: &dyn Fn(f64) -> Matrix4<f64>| {
        let step = 1e-4 * lambda;
        (of(lambda - step) - of(lambda + step)) / (2.0 * step)
    };
    let of_beam = |lambda: f64| matrices(&beam.motions(half, &beam.shapes(half, lambda), &rule()), lambda);
    let of_bar = |lambda: f64| matrices(&bar.motions(half, &bar.shapes(half, lambda), &rule()), lambda);
    for of in [&of_beam as &dyn Fn(f64) -> [Matrix4<f64>; 2], &of_bar] {
        let mass = of(lambda)[1];
        let difference = slope(&|lambda| of(lambda)[0]) - mass;
        assert!(difference.amax() < 1e-6 * mass.amax(), "{difference}");
    }
}

/// Stretch: D = EA k [[cot kℓ, −1/sin kℓ], [−1/sin kℓ, cot kℓ]] with k² = λ m/EA.
#[test]
fn stretch_agrees_with_its_closed_form() {
    let bar = Bar { stiffness: 3.0, mass: 2.0 };
    for (length, lambda) in [(0.4, 1e-6), (0.7, 1.0), (0.5, 40.0)] {
        let (half, k) = (0.5 * length, f64::sqrt(lambda * bar.mass / bar.stiffness));
        assert!(bar.first_clamped(length) > lambda);
        let [even, odd] = bar.motions(half, &bar.shapes(half, lambda), &rule());
        let [even, odd] = [even, odd].map(|motion| motion.forms(lambda, [0.5, 0.0], [0.5, 0.0])[0]);
        let (own, other) = (bar.stiffness * k / (k * length).tan(), -bar.stiffness * k / (k * length).sin());
        assert!((even + odd - own).abs() < 1e-13 * own.abs().max(other.abs()), "{} {own}", even + odd);
        assert!((even - odd - other).abs() < 1e-13 * other.abs());
    }
}

/// Section B1 of the reference values: frequencies of the steel beam with both ends held, rad/s, and βℓ of beams without
/// shear and rotary inertia; the count steps at each of them.
#[test]
fn motions_with_held_ends_are_counted() {
    let steel = steel();
    for (k, omega) in [3131.3328728543, 8024.8427533561, 14504.259002093, 22024.421527095].into_iter().enumerate() {
        let [below, above] = [1.0 - 1e-11, 1.0 + 1e-11].map(|f: f64| steel.clamped_below(0.5, (omega * f).powi(2)));
        assert_eq!([below, above], [k, k + 1], "{omega}");
    }
    let slender = Bending { flexural: 1.0, shear_compliance: 0.0, mass: 1.0, rotary: 0.0 };
    for (k, beta) in [4.730040744862704, 7.853204624095838, 10.995607838001671_f64].into_iter().enumerate() {
        let [below, above] = [1.0 - 1e-12, 1.0 + 1e-12].map(|f| slender.clamped_below(0.5, (beta * f).powi(4)));
        assert_eq!([below, above], [k, k + 1], "{beta}");
    }
    // Far above the cut-off a short part counts bending and shear waves: the count only grows. At the cut-off itself, which
    // is a frequency of the part on hinges, rounding decides.
    let cut_off = 1.0 / (steel.shear_compliance * steel.rotary);
    let counts: Vec<usize> =
        (1..400).map(|i| steel.clamped_below(0.1, cut_off * (0.01 * f64::from(i) + 0.003))).collect();
    assert!(counts.windows(2).all(|pair| pair[0] <= pair[1] && pair[1] <= pair[0] + 1), "{counts:?}");
    assert!(counts[0] == 0 && counts[398] > 3);
}
