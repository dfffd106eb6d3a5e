//! Expressions of arc length and time.

use num_dual::{Dual2_64, DualNum};

use super::{close, compile, scope, text};
use crate::kernel::expression::{CompileErrorKind, EvalErrorKind};
use crate::kernel::{Function, Profile, Scope};

fn profile(source: &str) -> Profile {
    Profile::compile(&text(source), &Scope::empty()).unwrap_or_else(|error| panic!("{source}: {error}"))
}

#[test]
fn values_of_both_variables() {
    let f = profile("3*s^2 - s*t + if(s < t, 10, 20)");
    for (s, t) in [(0.0, 0.0), (2.0, 1.0), (1.0, 2.0), (-1.5, 0.25)] {
        let step = if s < t { 10.0 } else { 20.0 };
        close(f.value(s, t).unwrap(), 3.0 * s * s - s * t + step, 1e-15, "value");
    }
    assert_eq!(Profile::constant(2.5).value(7.0, 8.0), Ok(2.5));
    assert_eq!(
        Profile::compile(&crate::kernel::Expression::Number(4.0), &Scope::empty()).unwrap().value(1.0, 1.0),
        Ok(4.0)
    );
}

/// Exact derivatives in either variable: the wave sin(2s − 3t) by hand.
#[test]
fn derivatives_in_either_variable() {
    let f = profile("sin(2*s - 3*t)");
    let (s, t) = (0.4, 0.7);
    let (sine, cosine) = (2.0_f64 * s - 3.0 * t).sin_cos();
    let along = f.jet_along(s, t).unwrap();
    close(along.first, 2.0 * cosine, 1e-15, "∂/∂s");
    close(along.second, -4.0 * sine, 1e-15, "∂²/∂s²");
    let in_time = f.eval(Dual2_64::from_re(s), Dual2_64::from_re(t).derivative()).unwrap();
    close(in_time.v1, -3.0 * cosine, 1e-15, "∂/∂t");
    close(in_time.v2, -9.0 * sine, 1e-15, "∂²/∂t²");
    // Along the line s = x², t = x: a total derivative.
    let x = Dual2_64::from_re(0.3).derivative();
    let total = f.eval(x.powi(2), x).unwrap();
    close(total.v1, (2.0_f64 * 0.09 - 0.9).cos() * (4.0 * 0.3 - 3.0), 1e-15, "d/dx");
    // √t has no derivative at t = 0, but its product with s has one along the rod.
    assert_eq!(profile("s*sqrt(t)").jet_along(2.0, 0.0).unwrap().first, 0.0);
}

#[test]
fn what_it_depends_on() {
    let scope = scope(&[("taper", "1 - s/2"), ("ramp", "min(t, 1)"), ("wave", "taper*ramp"), ("k", "3")]).unwrap();
    for (source, along, in_time) in [
        ("2*k", false, false),
        ("taper^2", true, false),
        ("k*ramp", false, true),
        ("wave", true, true),
        ("s*t", true, true),
        ("if(2 > 1, k, s*t)", false, false),
    ] {
        let f = Profile::compile(&text(source), &scope).unwrap();
        assert_eq!((f.varies_along(), f.varies_in_time()), (along, in_time), "{source}");
        assert_eq!(f.is_constant(), !along && !in_time, "{source}");
    }
    let wave = Profile::compile(&text("2*wave"), &scope).unwrap();
    close(wave.value(0.5, 0.25).unwrap(), 2.0 * 0.75 * 0.25, 1e-15, "through [let]");
}

/// A function of time refuses `s` where it stands, and a definition of `s` where it is mentioned.
#[test]
fn functions_of_time_refuse_arc_length() {
    let scope = scope(&[("taper", "1 - s/2"), ("wave", "taper*t"), ("unused", "s^2")]).unwrap();
    let error = compile("1 + sin(s)").unwrap_err();
    assert_eq!((error.kind, error.span), (CompileErrorKind::ArcLengthInFunctionOfTime, 8..9));
    let error = Function::compile(&text("2*wave"), &scope).unwrap_err();
    assert_eq!((error.in_let.clone(), error.span.clone()), (None, 2..6));
    assert_eq!(
        error.to_string(),
        "`wave` depends on `s`, which is known only in profiles along a rod; here the variable is `t`"
    );
    assert_eq!(Function::compile(&text("2*t"), &scope).unwrap().value(3.0), Ok(6.0));
}

#[test]
fn mistakes_in_profiles() {
    for (source, message) in [
        ("s(2)", "`s` is a value, not a function"),
        ("rest(t, s, 3, 2)", "the start time of `rest` must not depend on s"),
        ("rest(t, 0, t + s, 2)", "the end time of `rest` must not depend on t"),
        ("2*q", "unknown name `q`"),
    ] {
        assert_eq!(Profile::compile(&text(source), &Scope::empty()).unwrap_err().to_string(), message);
    }
    // A front that travels along the rod needs only the argument.
    close(profile("rest(t - s/2, 0, 1, 3)").value(1.0, 1.0).unwrap(), 0.5, 1e-15, "front");
}

#[test]
fn failures_tell_the_place() {
    for (source, message) in [
        ("1/(s - 1)", "division by zero in `1/(s - 1)` at s = 1"),
        ("t/(s - 1)", "division by zero in `t/(s - 1)` at s = 1, t = 2"),
        ("1/(t - 2)", "division by zero in `1/(t - 2)` at t = 2"),
        ("1/0", "division by zero in `1/0` at t = 2"),
    ] {
        assert_eq!(profile(source).value(1.0, 2.0).unwrap_err().to_string(), message);
    }
    let scope = scope(&[("root", "sqrt(s)")]).unwrap();
    let error = Profile::compile(&text("1 + root"), &scope).unwrap().jet_along(0.0, 0.0).unwrap_err();
    assert_eq!((error.in_let.as_deref(), error.s, error.steady), (Some("root"), Some(0.0), true));
    assert_eq!(error.kind, EvalErrorKind::NoFiniteDerivative { order: 1 });
    let error = profile("s^1.5").jet_along(0.0, 0.0).unwrap_err();
    assert_eq!(error.kind, EvalErrorKind::NoFiniteDerivative { order: 2 });
}
