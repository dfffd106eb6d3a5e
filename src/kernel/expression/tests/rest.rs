//! The rest-to-rest profile and the sine profile of the reference maneuver.

use std::f64::consts::{FRAC_PI_2, PI};

use super::{close, function, scope, text, value};
use crate::kernel::{Function, Jet};

/// The normalised integral of uⁿ(1−u)ⁿ by Simpson's rule.
fn integral(u: f64, n: i32) -> f64 {
    let density = |x: f64| (x * (1.0 - x)).powi(n);
    let simpson = |end: f64| {
        let panels = 4000;
        let h = end / f64::from(panels);
        let sum: f64 = (0..panels)
            .map(|i| {
                let x = f64::from(i) * h;
                density(x) + 4.0 * density(x + h / 2.0) + density(x + h)
            })
            .sum();
        sum * h / 6.0
    };
    simpson(u) / simpson(1.0)
}

#[test]
fn fourth_order_polynomial() {
    let f = function("rest(t, 2, 4, 5)");
    for step in 0..=50 {
        let u = f64::from(step) / 50.0;
        let what = format!("u = {u}");
        let jet = f.jet(2.0 + 2.0 * u).unwrap();
        let powers = |n: i32| u.powi(n);
        let expected = 126.0 * powers(5) - 420.0 * powers(6) + 540.0 * powers(7) - 315.0 * powers(8) + 70.0 * powers(9);
        close(jet.value, expected, 1e-13, &what);
        // du/dt = 1/2.
        close(jet.first, 630.0 * (u * (1.0 - u)).powi(4) / 2.0, 1e-13, &what);
        close(jet.second, 2520.0 * (u * (1.0 - u)).powi(3) * (1.0 - 2.0 * u) / 4.0, 1e-13, &what);
    }
}

#[test]
fn incomplete_beta_function() {
    for (k, source) in [(1, "rest(t, 0, 1, 1)"), (8, "rest(t, 0, 1, 8)"), (20, "rest(t, 0, 1, 20)")] {
        for u in [0.01, 0.2, 0.5, 0.65, 0.99] {
            close(value(source, u), integral(u, k - 1), 1e-12, &format!("k = {k}, u = {u}"));
        }
    }
}

/// d/du I_u(k, k) = (2k−1) C(2k−2, k−1) (u(1−u))^(k−1), to full relative accuracy near both ends.
#[test]
fn derivatives_near_the_ends() {
    let f = function("rest(t, 0, 1, 8)");
    let factor = 15.0 * 3432.0;
    for u in [0.001, 0.999] {
        let jet = f.jet(u).unwrap();
        let first = factor * (u * (1.0 - u)).powi(7);
        let second = 7.0 * factor * (u * (1.0 - u)).powi(6) * (1.0 - 2.0 * u);
        close(jet.first / first, 1.0, 1e-12, &format!("first at {u}"));
        close(jet.second / second, 1.0, 1e-12, &format!("second at {u}"));
    }
}

#[test]
fn at_rest_outside() {
    for k in 1..=20 {
        let f = function(&format!("rest(t, 2, 4, {k})"));
        for (t, value) in [(-1.0, 0.0), (2.0, 0.0), (4.0, 1.0), (9.0, 1.0)] {
            assert_eq!(f.jet(t), Ok(Jet { value, ..Jet::default() }), "k = {k}, t = {t}");
        }
        assert_eq!(f.value(3.0), Ok(0.5), "k = {k}");
    }
}

#[test]
fn parameters_are_constants_of_any_form() {
    let scope = scope(&[("start", "pi/2"), ("k", "2 + 1"), ("length", "2")]).unwrap();
    let f = Function::compile(&text("rest(t, start, start + length, k)"), &scope).unwrap();
    let u: f64 = 0.3;
    close(f.value(FRAC_PI_2 + 0.6).unwrap(), u.powi(3) * (10.0 - 15.0 * u + 6.0 * u * u), 1e-14, "k = 3");
}

/// σ of the quarter turn with τ from `[let]`: rest before and after, and exact derivatives between.
#[test]
fn sine_profile() {
    let sigma = "1 - (cos(pi/2*(sin(pi*tau - pi/2) + 1)) + 1)/2";
    let scope = scope(&[("tau", "clamp((t - 2)/2, 0, 1)")]).unwrap();
    let f = Function::compile(&text(sigma), &scope).unwrap();
    for (t, value) in [(0.0, 0.0), (2.0, 0.0), (4.0, 1.0), (6.0, 1.0)] {
        let jet = f.jet(t).unwrap();
        close(jet.value, value, 1e-15, "rest");
        assert_eq!((jet.first, jet.second), (0.0, 0.0), "t = {t}");
    }
    for t in [2.1, 3.0, 3.7] {
        // σ = (1 − cos a)/2 with a = (π/2)(1 − cos b), b = π (t − 2)/2.
        let b = PI * (t - 2.0) / 2.0;
        let a = FRAC_PI_2 * (1.0 - b.cos());
        let (a1, a2) = (FRAC_PI_2 * b.sin() * FRAC_PI_2, FRAC_PI_2 * b.cos() * FRAC_PI_2 * FRAC_PI_2);
        let jet = f.jet(t).unwrap();
        close(jet.value, (1.0 - a.cos()) / 2.0, 1e-15, "σ");
        close(jet.first, a.sin() * a1 / 2.0, 1e-14, "σ'");
        close(jet.second, (a.cos() * a1 * a1 + a.sin() * a2) / 2.0, 1e-14, "σ''");
    }
}
