//! Tests of functions given by samples, and of erf and the inverse hyperbolic functions.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::{CompileErrorKind, EvalErrorKind, Formula, Profile};
use super::*;
use crate::kernel::{Fit, Outside, Spline};

/// tip: t³ by a cubic spline of its exact samples; tip.y: −2 t; bounded: t² where there are samples.
fn scope_of_tables() -> Scope {
    let times: Vec<f64> = (0..=20).map(|i| 0.1 * f64::from(i)).collect();
    let spline = |f: &dyn Fn(f64) -> f64, fit: &Fit| {
        let values: Vec<f64> = times.iter().map(|t| f(*t)).collect();
        Arc::new(Spline::fit(&times, &values, fit).unwrap())
    };
    let bounded = Fit { degree: 5, outside: Outside::Error, ..Fit::default() };
    let tables = BTreeMap::from([
        ("tip".to_owned(), spline(&|t| (3.0 * t).sin(), &Fit { degree: 7, ..Fit::default() })),
        ("tip.y".to_owned(), spline(&|t| -2.0 * t, &Fit { degree: 1, ..Fit::default() })),
        ("bounded".to_owned(), spline(&|t| t * t, &bounded)),
    ]);
    let lets = BTreeMap::from([("half".to_owned(), text("tip/2")), ("later".to_owned(), text("tip.y(2*t - 1)"))]);
    Scope::with_tables(&lets, tables).unwrap()
}

fn of_tables(source: &str) -> Result<Function, CompileError> {
    Function::compile(&text(source), &scope_of_tables())
}

#[test]
fn tables_are_functions() {
    let value = |source: &str, t: f64| of_tables(source).unwrap().value(t).unwrap();
    assert!((value("tip(t)", 1.0) - 3f64.sin()).abs() < 1e-12);
    assert_eq!(value("tip", 1.2345), value("tip(t)", 1.2345));
    close(value("tip.y(0.5)", 0.0), -1.0, 1e-14, "linear");
    close(value("later", 1.2), -2.0 * (2.0 * 1.2 - 1.0), 1e-14, "in let");
    assert_eq!(value("2*half - tip", 0.77), 0.0);
    // Beyond the samples the first and last value hold, with derivatives zero.
    let jet = of_tables("tip.y").unwrap().jet(5.0).unwrap();
    close(jet.value, -4.0, 1e-15, "held");
    assert_eq!((jet.first, jet.second), (0.0, 0.0));
    let jet = of_tables("tip.y(2*t - 1)").unwrap().jet(0.8).unwrap();
    assert!((jet.first + 4.0).abs() < 1e-12);
    assert!(!of_tables("tip").unwrap().is_constant() && of_tables("tip(0.3)").unwrap().is_constant());
    let along = Profile::compile(&text("s*tip.y"), &scope_of_tables()).unwrap();
    close(along.value(3.0, 1.0).unwrap(), -6.0, 1e-14, "along");
}

#[test]
fn mistakes_with_tables() {
    let kind = |source: &str| of_tables(source).unwrap_err().kind;
    assert_eq!(kind("tip()"), CompileErrorKind::TableArguments { name: "tip".into(), found: 0 });
    assert_eq!(kind("tip(t, 1)"), CompileErrorKind::TableArguments { name: "tip".into(), found: 2 });
    assert_eq!(of_tables("tip.z(t)").unwrap_err().help().unwrap(), "did you mean `tip.y`?");
    assert_eq!(of_tables("tipp + 1").unwrap_err().help().unwrap(), "did you mean `tip`?");
    let outside = of_tables("1 + bounded(t)").unwrap().value(2.5).unwrap_err();
    assert_eq!(outside.kind, EvalErrorKind::OutsideTable { value: 2.5, from: 0.0, to: 2.0 });
    assert_eq!(outside.text, "bounded(t)");
    let names = names(&["tip", "u"]);
    assert!(matches!(
        Formula::compile(&text("u"), &scope_of_tables(), &names).unwrap_err().kind,
        CompileErrorKind::VariableInTable { .. }
    ));
}

/// sinh, cosh and tanh of the inverse functions are the identity, derivatives included.
#[test]
fn inverse_hyperbolic_functions() {
    for (source, times) in [
        ("sinh(asinh(t))", [-40.0, -0.3, 1e-9, 0.0, 2.0]),
        ("cosh(acosh(t))", [1.0 + 1e-7, 1.1, 2.0, 40.0, 7.0]),
        ("tanh(atanh(t))", [-0.99, -1e-8, 0.0, 0.3, 0.9999]),
    ] {
        for t in times {
            let jet = function(source).jet(t).unwrap();
            close(jet.value, t, 4e-15, source);
            close(jet.first, 1.0, 1e-9, source);
            assert!(jet.second.abs() < 1e-4, "{source} {t}: {}", jet.second);
        }
    }
    assert_eq!(value("asinh(1e300)", 0.0), 1e300f64.ln() + std::f64::consts::LN_2);
    let outside = function("acosh(t)").value(0.5).unwrap_err();
    assert_eq!(outside.kind, EvalErrorKind::OutOfDomain { function: "acosh", value: 0.5 });
    assert!(function("atanh(t)").value(1.0).is_err());
    assert_eq!(value("erf(0)", 0.0), 0.0);
    let jet = function("(1 + erf(2*(t - 5)))/2").jet(5.0).unwrap();
    assert_eq!((jet.value, jet.second), (0.5, 0.0));
    close(jet.first, 2.0 / std::f64::consts::PI.sqrt(), 1e-15, "bell");
}
