//! Every function against closed forms and central differences.

use std::f64::consts::FRAC_PI_2;

use super::{close, function, value};
use crate::kernel::Jet;

type Closed = fn(f64) -> f64;

/// Text, value, first and second derivative in closed form, and where.
const FORMS: &[(&str, Closed, Closed, Closed, &[f64])] = &[
    ("sin(t)", f64::sin, f64::cos, |t| -t.sin(), &[-2.0, 0.0, 1.3]),
    ("cos(t)", f64::cos, |t| -t.sin(), |t| -t.cos(), &[-2.0, 0.0, 1.3]),
    ("tan(t)", f64::tan, |t| t.cos().powi(-2), |t| 2.0 * t.sin() * t.cos().powi(-3), &[-1.2, 0.0, 0.7]),
    ("asin(t)", f64::asin, |t| (1.0 - t * t).powf(-0.5), |t| t * (1.0 - t * t).powf(-1.5), &[-0.9, 0.0, 0.5, 0.999]),
    ("acos(t)", f64::acos, |t| -(1.0 - t * t).powf(-0.5), |t| -t * (1.0 - t * t).powf(-1.5), &[-0.9, 0.0, 0.5]),
    ("atan(t)", f64::atan, |t| 1.0 / (1.0 + t * t), |t| -2.0 * t / (1.0 + t * t).powi(2), &[-3.0, 0.0, 0.8]),
    ("sinh(t)", f64::sinh, f64::cosh, f64::sinh, &[-2.0, 0.0, 1.5]),
    ("cosh(t)", f64::cosh, f64::sinh, f64::cosh, &[-2.0, 0.0, 1.5]),
    (
        "tanh(t)",
        f64::tanh,
        |t| t.cosh().powi(-2),
        |t| -2.0 * t.tanh() * t.cosh().powi(-2),
        &[-2.0, -1e-9, 0.0, 1.5, 20.0],
    ),
    ("exp(t)", f64::exp, f64::exp, f64::exp, &[-2.0, 0.0, 3.0]),
    ("ln(t)", f64::ln, |t| 1.0 / t, |t| -1.0 / (t * t), &[0.1, 1.0, 7.0]),
    ("log(t)", f64::ln, |t| 1.0 / t, |t| -1.0 / (t * t), &[0.1, 1.0, 7.0]),
    (
        "log10(t)",
        |t| t.ln() / 10f64.ln(),
        |t| 1.0 / (t * 10f64.ln()),
        |t| -1.0 / (t * t * 10f64.ln()),
        &[0.1, 1.0, 7.0],
    ),
    ("sqrt(t)", f64::sqrt, |t| 0.5 / t.sqrt(), |t| -0.25 * t.powf(-1.5), &[0.1, 1.0, 7.0]),
    ("abs(t)", f64::abs, |t| t.signum(), |_| 0.0, &[-1.5, 2.0]),
    ("abs(t^3)", |t| t.abs().powi(3), |t| 3.0 * t * t.abs(), |t| 6.0 * t.abs(), &[-1.5, 0.0, 2.0]),
    ("sign(t) + step(t) + floor(t)", |t| t.signum() + f64::from(t > 0.0) + t.floor(), |_| 0.0, |_| 0.0, &[-1.5, 2.3]),
    (
        "min(t^2, t, 3)",
        |t| (t * t).min(t),
        |t| if t < 1.0 { 2.0 * t } else { 1.0 },
        |t| if t < 1.0 { 2.0 } else { 0.0 },
        &[0.5, 2.0],
    ),
    (
        "max(t^2, 1, t)",
        |t| (t * t).max(1.0),
        |t| if t.abs() > 1.0 { 2.0 * t } else { 0.0 },
        |t| if t.abs() > 1.0 { 2.0 } else { 0.0 },
        &[-2.0, 0.5, 2.0],
    ),
    (
        "clamp(t^2, 1, 4)",
        |t| (t * t).clamp(1.0, 4.0),
        |t| if t == 1.5 { 3.0 } else { 0.0 },
        |t| if t == 1.5 { 2.0 } else { 0.0 },
        &[0.5, 1.5, 3.0],
    ),
    (
        "clamp(t, -t^2, 9)",
        |t| if t > 0.0 { t } else { -t * t },
        |t| if t > 0.0 { 1.0 } else { -2.0 * t },
        |t| if t > 0.0 { 0.0 } else { -2.0 },
        &[-0.5, 0.5],
    ),
    ("atan2(sin(t), cos(t))", |t| t, |_| 1.0, |_| 0.0, &[-3.0, -FRAC_PI_2, 0.0, 1.0, FRAC_PI_2, 2.5]),
    (
        "atan2(t, 2)",
        |t| (t / 2.0).atan(),
        |t| 2.0 / (4.0 + t * t),
        |t| -4.0 * t / (4.0 + t * t).powi(2),
        &[-5.0, 0.0, 1.0],
    ),
    (
        "atan2(1, t)",
        |t| 1f64.atan2(t),
        |t| -1.0 / (1.0 + t * t),
        |t| 2.0 * t / (1.0 + t * t).powi(2),
        &[-5.0, 0.0, 1.0],
    ),
    ("hypot(3, t)", |t| t.hypot(3.0), |t| t / t.hypot(3.0), |t| 9.0 * t.hypot(3.0).powi(-3), &[-5.0, 0.0, 1.0]),
    ("hypot(t, 1e-200)", f64::abs, f64::signum, |_| 0.0, &[-5.0, 1.0]),
    ("mod(t, 2)", |t| t.rem_euclid(2.0), |_| 1.0, |_| 0.0, &[-3.5, 0.5, 5.0]),
    ("mod(t, -2)", |t| -(-t).rem_euclid(2.0), |_| 1.0, |_| 0.0, &[-3.5, 0.5, 5.0]),
    ("mod(7, t)", |t| 7.0 - t * (7.0 / t).floor(), |t| -(7.0 / t).floor(), |_| 0.0, &[2.2, 3.0]),
    ("t^2", |t| t * t, |t| 2.0 * t, |_| 2.0, &[-3.0, 0.0, 0.5]),
    ("t^3", |t| t.powi(3), |t| 3.0 * t * t, |t| 6.0 * t, &[-3.0, 0.0, 0.5]),
    ("t^1 + t^0", |t| t + 1.0, |_| 1.0, |_| 0.0, &[-3.0, 0.0]),
    ("t^-2", |t| t.powi(-2), |t| -2.0 * t.powi(-3), |t| 6.0 * t.powi(-4), &[-3.0, 0.5]),
    ("t^37", |t| t.powi(37), |t| 37.0 * t.powi(36), |t| 37.0 * 36.0 * t.powi(35), &[-1.1, 0.0, 1.01]),
    ("t^100000", |t| t.powi(100000), |t| 1e5 * t.powi(99999), |t| 1e5 * 99999.0 * t.powi(99998), &[-1.0, 0.0, 1.0]),
    ("t^2.5", |t| t.powf(2.5), |t| 2.5 * t.powf(1.5), |t| 3.75 * t.sqrt(), &[0.0, 0.5, 3.0]),
    ("pow(t, 0.5)", f64::sqrt, |t| 0.5 / t.sqrt(), |t| -0.25 * t.powf(-1.5), &[0.5, 3.0]),
    ("t^-0.7", |t| t.powf(-0.7), |t| -0.7 * t.powf(-1.7), |t| 1.19 * t.powf(-2.7), &[0.5, 3.0]),
    ("2^t", f64::exp2, |t| 2f64.ln() * t.exp2(), |t| 2f64.ln().powi(2) * t.exp2(), &[-1.0, 0.0, 3.0]),
    (
        "t^t",
        |t| t.powf(t),
        |t| t.powf(t) * (t.ln() + 1.0),
        |t| t.powf(t) * ((t.ln() + 1.0).powi(2) + 1.0 / t),
        &[0.5, 2.0],
    ),
    ("t^clamp(t, 2, 3)", |t| t.powi(3), |t| 3.0 * t * t, |t| 6.0 * t, &[3.0, 4.0]),
    ("0^t", |_| 0.0, |_| 0.0, |_| 0.0, &[0.5, 2.0]),
    (
        "1/t - 2*t/(1 + t)",
        |t| 1.0 / t - 2.0 * t / (1.0 + t),
        |t| -1.0 / (t * t) - 2.0 / (1.0 + t).powi(2),
        |t| 2.0 / t.powi(3) + 4.0 / (1.0 + t).powi(3),
        &[-0.5, 0.5, 3.0],
    ),
    (
        "if(t < 1, t^2, 2*t)",
        |t| if t < 1.0 { t * t } else { 2.0 * t },
        |t| if t < 1.0 { 2.0 * t } else { 2.0 },
        |t| if t < 1.0 { 2.0 } else { 0.0 },
        &[0.5, 1.0, 3.0],
    ),
];

#[test]
fn closed_forms() {
    for (source, value, first, second, times) in FORMS {
        for &t in *times {
            let what = format!("{source} at {t}");
            let f = function(source);
            let jet = f.jet(t).unwrap_or_else(|error| panic!("{what}: {error}"));
            close(jet.value, value(t), 1e-14, &what);
            close(jet.first, first(t), 1e-12, &format!("first derivative of {what}"));
            close(jet.second, second(t), 1e-12, &format!("second derivative of {what}"));
            close(f.value(t).unwrap(), jet.value, 1e-15, &format!("value alone of {what}"));
        }
    }
}

/// Compositions, against differences of the values alone.
#[test]
fn central_differences() {
    for source in [
        "exp(-t^2)*sin(3*t) + ln(1 + t^2)",
        "atan2(sin(2*t), 0.3 + cos(t))*tanh(t)",
        "hypot(cos(t), 2 + sinh(t))/sqrt(1 + cosh(t))",
        "asin(0.7*sin(t)) - acos(0.3*t)*log10(3 + t)",
        "(1.5 + sin(t))^(t^2 - 0.3)",
        "rest(t^2, -0.1, 2, 4) + rest(t, -1, 3, 7)*mod(t, 5)",
        "max(t^3 - 8, min(atan(t), 5))*clamp(t, -2, 2)",
    ] {
        let f = function(source);
        for t in [0.31, 0.77, 1.13] {
            let at = |steps: f64, h: f64| f.value(t + steps * h).unwrap();
            let jet = f.jet(t).unwrap();
            let h = 1e-3;
            let first = (8.0 * (at(1.0, h) - at(-1.0, h)) - (at(2.0, h) - at(-2.0, h))) / (12.0 * h);
            let second =
                (16.0 * (at(1.0, h) + at(-1.0, h)) - (at(2.0, h) + at(-2.0, h)) - 30.0 * at(0.0, h)) / (12.0 * h * h);
            close(jet.first, first, 1e-9, &format!("first derivative of {source} at {t}"));
            close(jet.second, second, 1e-7, &format!("second derivative of {source} at {t}"));
        }
    }
}

/// Functions of something that stands still stand still, also where they have no derivative otherwise.
#[test]
fn nothing_moves_outside_a_clamp() {
    for source in [
        "sqrt(clamp(t, 0, 1))",
        "clamp(t, 0, 1)^0.5",
        "asin(clamp(t, 0, 1))",
        "floor(clamp(t, 0, 1))^1.5",
        "hypot(clamp(t, 0, 1), 0)",
        "rest(t, 0, 1, 3)^0.5",
        "clamp(t, 0, 1)^clamp(t, 0.5, 1)",
    ] {
        for t in [-1.0, 0.0, 1.0, 2.0] {
            let expected = if t > 0.0 { value(source, 1.0) } else { 0.0 };
            assert_eq!(function(source).jet(t), Ok(Jet { value: expected, ..Jet::default() }), "{source} at {t}");
        }
    }
}

#[test]
fn far_away_and_very_small() {
    assert_eq!(function("tanh(t)").jet(1e3), Ok(Jet { value: 1.0, ..Jet::default() }));
    assert_eq!(function("tanh(t)").jet(-1e3), Ok(Jet { value: -1.0, ..Jet::default() }));
    assert_eq!(function("t/1e-200").jet(0.0), Ok(Jet { value: 0.0, first: 1e200, second: 0.0 }));
    assert_eq!(function("t^2").jet(1e-200), Ok(Jet { value: 0.0, first: 2e-200, second: 2.0 }));
    assert_eq!(value("hypot(t, t)", 1e200), 1e200 * 2f64.sqrt());
    assert_eq!(value("sign(t)", 0.0), 0.0);
    assert_eq!(value("step(t)", 0.0), 1.0);
    assert_eq!(value("mod(t, 0.1)", 0.3), 0.3 % 0.1);
    assert_eq!(value("t^t", 1e-300), 1.0);
    assert_eq!(value("sqrt(t) + t^0.5 + asin(1 + t)", 0.0), std::f64::consts::FRAC_PI_2);
}
