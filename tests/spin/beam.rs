//! A uniform blade on a hub, against shooting on the linearised equations of a stretched Reissner beam.
//!
//! In the turning frame the blade lies along x from R to R + L. Its stretch ν = 1 + N/EA and tension obey N' = −ρA Ω² x,
//! x' = ν. Small motions with e^{iωt}, γ = w' − νθ, Q = GA γ, M = EI θ', V = Q + Nθ:
//!
//! flap with torsion (φ = i·φ̂; turning up at the rate θ̇ twists a body that spins): V' = −ρA ω² w,
//! M' = Nγ − νQ − ρI ω² θ + Ω²(J₁ − J₃) θ + 2ρIΩω φ̂,  (GJ φ̂')' = −J₃ ω² φ̂ + 2ρIΩω θ, J₁ = J₂ = ρI, J₃ = 2ρI;
//! lag (v = i·v̂, u real): V' = −ρA((ω² + Ω²) v̂ − 2Ωω u),  (EA u')' = −ρA((ω² + Ω²) u − 2Ωω v̂),
//! M' = Nγ − νQ − ρI ω² θ.
//!
//! Classical Runge-Kutta from the clamp; frequencies are zeros of the determinant of V, M and GJ φ̂' or EA u' at the tip.

use lariat::mechanism::Mechanism;

use crate::solve::{frequencies, spinning};
use crate::structures::*;

const HUB: f64 = 0.3;
const LENGTH: f64 = 1.0;
const EA: f64 = 900.0;
const GA: f64 = 300.0;
const EI: f64 = 1.0;
const GJ: f64 = 0.8;
const MASS: f64 = 1.0;
const ROTARY: f64 = 2e-3;

fn blade(elements: usize, order: usize, rate: f64) -> Mechanism {
    let mut mechanism = empty(3);
    let section = round(EA, GA, EI, GJ, MASS, ROTARY);
    mechanism.rods.push(straight(v(HUB, 0.0, 0.0), v(HUB + LENGTH, 0.0, 0.0), section, elements, order));
    mechanism.supports.push(clamp(end(0, 0)));
    spinning(mechanism, rate)
}

/// Position and stretch of the steadily turning blade: x'' = −k² x with k² = ρAΩ²/EA, x(0) = R, x'(L) = 1.
fn steady(rate: f64, s: f64) -> (f64, f64) {
    let k = (MASS / EA).sqrt() * rate;
    if k == 0.0 {
        return (HUB + s, 1.0);
    }
    let b = (1.0 + HUB * k * (k * LENGTH).sin()) / (k * (k * LENGTH).cos());
    let (sin, cos) = (k * s).sin_cos();
    (HUB * cos + b * sin, k * (b * cos - HUB * sin))
}

/// d/ds of (w, θ, V, M, u, EA u') or (w, θ, V, M, φ̂, GJ φ̂').
fn slope(rate: f64, omega: f64, lag: bool, s: f64, y: &[f64; 6]) -> [f64; 6] {
    let [w, theta, force, moment, u, pull] = *y;
    let (_, stretch) = steady(rate, s);
    let tension = EA * (stretch - 1.0);
    let shear = force - tension * theta;
    let gamma = shear / GA;
    let (square, cross) = (omega * omega, 2.0 * rate * omega);
    let turning = tension * gamma - stretch * shear - ROTARY * square * theta;
    if lag {
        let total = square + rate * rate;
        let across = -MASS * (total * w - cross * u);
        let along = -MASS * (total * u - cross * w);
        [gamma + stretch * theta, moment / EI, across, turning, pull / EA, along]
    } else {
        let (twist, gyro) = (u, ROTARY * cross);
        let turning = turning - rate * rate * ROTARY * theta + gyro * twist;
        let twisting = -2.0 * ROTARY * square * twist + gyro * theta;
        [gamma + stretch * theta, moment / EI, -MASS * square * w, turning, pull / GJ, twisting]
    }
}

/// Determinant of the tip forces of the solutions that begin at the clamp.
fn determinant(rate: f64, omega: f64, lag: bool) -> f64 {
    const STEPS: usize = 2000;
    let starts = [2, 3, 5];
    let columns: Vec<[f64; 6]> = starts
        .iter()
        .map(|&place| {
            let mut y = [0.0; 6];
            y[place] = 1.0;
            let h = LENGTH / STEPS as f64;
            for step in 0..STEPS {
                let s = step as f64 * h;
                let at = |y: &[f64; 6], k: &[f64; 6], f: f64| std::array::from_fn(|i| y[i] + f * k[i]);
                let a = slope(rate, omega, lag, s, &y);
                let b = slope(rate, omega, lag, s + 0.5 * h, &at(&y, &a, 0.5 * h));
                let c = slope(rate, omega, lag, s + 0.5 * h, &at(&y, &b, 0.5 * h));
                let d = slope(rate, omega, lag, s + h, &at(&y, &c, h));
                y = std::array::from_fn(|i| y[i] + h / 6.0 * (a[i] + 2.0 * (b[i] + c[i]) + d[i]));
            }
            y
        })
        .collect();
    nalgebra::Matrix3::from_fn(|r, c| columns[c][starts[r]]).determinant()
}

/// The frequency of the equations near a given one, by secants.
fn frequency_near(rate: f64, guess: f64, lag: bool) -> f64 {
    let (mut a, mut b) = (guess, guess * (1.0 + 1e-5));
    let (mut fa, mut fb) = (determinant(rate, a, lag), determinant(rate, b, lag));
    for _ in 0..30 {
        if fb == fa || (b - a).abs() < 1e-13 * b {
            break;
        }
        let c = b - fb * (b - a) / (fb - fa);
        (a, fa) = (b, fb);
        (b, fb) = (c, determinant(rate, c, lag));
    }
    b
}

/// Every frequency found is one of flap (with torsion) or of lag (with stretch), to 1e-8, at a moderate rate and at one far
/// above the first frequency at rest. Both kinds are met.
#[test]
fn frequencies_agree_with_shooting() {
    for rate in [2.0, 6.0] {
        let found = frequencies(&blade(12, 5, rate), 6);
        let mut kinds = [0, 0];
        for (k, omega) in found.iter().enumerate() {
            let off = [false, true].map(|lag| (frequency_near(rate, *omega, lag) / omega - 1.0).abs());
            let kind = if off[0] < off[1] { 0 } else { 1 };
            assert!(off[kind] < 1e-8, "rate {rate}, mode {}: {omega} is off by {:.1e}", k + 1, off[kind]);
            kinds[kind] += 1;
        }
        assert!(kinds[0] >= 2 && kinds[1] >= 2, "rate {rate}: {kinds:?}");
    }
}

/// Slender blades at rest and turning, as published: with shear, stretch and rotary inertia made small the lowest flapwise
/// frequencies of a blade without hub are 3.5160 at rest, 4.1373 at Ω = 2 and 13.1702 at Ω = 12 (in √(EI/ρAL⁴); Wright,
/// Smith, Thresher and Wang, J. Appl. Mech. 49 (1982), as often quoted, four digits).
#[test]
fn slender_blades_have_the_published_frequencies() {
    for (rate, wanted) in [(0.0, 3.5160), (2.0, 4.1373), (12.0, 13.1702)] {
        let mut mechanism = empty(3);
        let section = round(1e7, 1e7, 1.0, 1.0, 1.0, 1e-7);
        mechanism.rods.push(straight(v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), section, 8, 4));
        mechanism.supports.push(clamp(end(0, 0)));
        let found = frequencies(&spinning(mechanism, rate), 4);
        let near = found.iter().map(|omega| (omega - wanted).abs()).fold(f64::INFINITY, f64::min);
        assert!(near < 2e-4 * wanted, "Ω = {rate}: {found:?}");
    }
}

/// The steady stretch of the blade in statics, in the same closed form; a rate through the load factor: factor 1/4 is half
/// the rate.
#[test]
fn the_blade_stretches_as_it_turns() {
    let text = |rate: f64, factors: &str| {
        format!(
            r#"
dimension = 3
[spin]
rate = {rate}
[rod.blade]
model = "rod"
from = [0.3, 0.0, 0.0]
to = [1.3, 0.0, 0.0]
elements = 6
order = 4
stiffness = {{ axial = 900.0, shear = 300.0, bending = 1.0, torsion = 0.8 }}
inertia = {{ mass = 1.0, rotary = 2e-3 }}
[support.root]
at = "blade.start"
type = "clamp"
[task.statics]
factors = {factors}
"#
        )
    };
    let tip = |rate: f64, factors: &str| crate::solve::run(&text(rate, factors), &[]).report.scalars["equilibrium.blade.end.x"];
    for rate in [2.0, 6.0] {
        let (found, wanted) = (tip(rate, "[1.0]"), steady(rate, LENGTH).0);
        assert!((found - wanted).abs() < 1e-10, "{found} {wanted}");
    }
    assert!((tip(6.0, "[0.25]") - steady(3.0, LENGTH).0).abs() < 1e-10);
}
