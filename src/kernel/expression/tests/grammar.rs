//! Numbers, precedence, nesting.

use std::f64::consts::{E, PI};

use num_dual::{Dual2, Dual3};

use super::{compile, function, text, value};
use crate::kernel::expression::{CompileErrorKind, Expression, Function, Scope};

#[test]
fn numbers_and_constants() {
    let cases = [("1", 1.0), ("1.5", 1.5), (".5", 0.5), ("1e-3", 1e-3), ("2E+4", 2e4), ("3.", 3.0), ("7e0", 7.0)];
    for (source, expected) in cases {
        assert_eq!(value(source, 0.0), expected, "{source}");
    }
    assert_eq!(value("pi", 0.0), PI);
    assert_eq!(value(" e ", 0.0), E);
    assert_eq!(value("1e-3*t", 2.0), 2e-3);
}

#[test]
fn precedence() {
    let cases = [
        ("1 + 2*3", 7.0),
        ("(1 + 2)*3", 9.0),
        ("2 - 3 - 4", -5.0),
        ("2 - (3 - 4)", 3.0),
        ("8/4/2", 1.0),
        ("8/(4/2)", 4.0),
        ("8/4*2", 4.0),
        ("2*3^2", 18.0),
        ("2^3^2", 512.0),
        ("(2^3)^2", 64.0),
        ("2^-1", 0.5),
        ("2^-1^2", 0.5),
        ("2^-2*8", 2.0),
        ("-2^2", -4.0),
        ("(-2)^2", 4.0),
        ("-2*-3", 6.0),
        ("2*-3^2", -18.0),
        ("--2", 2.0),
        ("+2 - +3", -1.0),
        ("1 - -1", 2.0),
        ("-(1 + 2)^2", -9.0),
        ("6/2*(1 + 2)", 9.0),
        ("if(1 < 2, 3, 4) + 1", 4.0),
        ("if(2 <= 1, 3, 4)*2", 8.0),
        ("if(1 + 1 > 1*1, 3, 4)", 3.0),
        ("if(1 >= 1, 3, 4)", 3.0),
        ("if(1 > 1, 3, 4)", 4.0),
        ("if(1 < 1, 3, 4)", 4.0),
        ("if(1 <= 1, 3, 4)", 3.0),
    ];
    for (source, expected) in cases {
        assert_eq!(value(source, 0.0), expected, "{source}");
    }
    assert_eq!(value("-t^2", 3.0), -9.0);
    assert_eq!(value("2^t", 3.0), 8.0);
}

/// The same table with `t` in place of a number, so that nothing is folded.
#[test]
fn precedence_with_a_variable() {
    let cases = [("2^t^2", 512.0), ("-t^2 + t*t", 0.0), ("t - t - t", -3.0), ("t/t/t*t", 1.0), ("2^-t*8", 1.0)];
    for (source, expected) in cases {
        assert_eq!(value(source, 3.0), expected, "{source}");
    }
}

#[test]
fn dependence_on_time() {
    assert!(function("2*pi/3").is_constant());
    assert!(function("1/0").is_constant());
    assert!(!function("0*t").is_constant());
    assert!(!function("1 + rest(t, 0, 1, 3)").is_constant());
    assert!(function("if(1 < 2, 3, t)").is_constant());
    assert!(Function::constant(2.0).is_constant());
    assert_eq!(Function::constant(2.0).value(9.0), Ok(2.0));
    let number = Function::compile(&Expression::Number(-1.5), &Scope::empty()).unwrap();
    assert_eq!(number.value(0.0), Ok(-1.5));
}

#[test]
fn long_expressions_are_not_deep() {
    let sum = format!("t{}", " + t".repeat(100_000));
    assert_eq!(value(&sum, 1.0), 100_001.0);
    let product = format!("t{}", " * t / t".repeat(100_000));
    assert_eq!(value(&product, 2.0), 2.0);
    let minimum = format!("min(t{})", ", t".repeat(100_000));
    assert_eq!(value(&minimum, 2.0), 2.0);
}

#[test]
fn deep_expressions_are_refused() {
    for deep in [
        format!("{}1{}", "(".repeat(10_000), ")".repeat(10_000)),
        format!("{}1", "-".repeat(10_000)),
        format!("{}1", "+".repeat(10_000)),
        format!("2{}", "^2".repeat(10_000)),
        format!("{}1{}", "sin(".repeat(10_000), ")".repeat(10_000)),
        format!("{}1", "1*(2+".repeat(10_000)),
        "if(t<".repeat(10_000),
    ] {
        let error = compile(&deep).unwrap_err();
        assert_eq!(error.kind, CompileErrorKind::TooDeep { limit: 200 });
        assert_eq!(error.to_string(), "parentheses, signs and powers are nested more than 200 deep");
    }
}

/// The deepest expressions that are accepted fit a small stack, even with a scalar of twelve parts.
#[test]
fn deepest_expression_evaluates() {
    let work = || {
        let deep = format!("{}t{}", "1 + 1*min(2*t, ".repeat(200), ")".repeat(200));
        let f = Function::compile(&text(&deep), &Scope::empty()).unwrap();
        let t = Dual3::from_re(Dual2::from_re(0.25).derivative()).derivative();
        // Everywhere 2t = 1/2 is less than the inner sum.
        assert_eq!(f.eval(t).unwrap().re.v1, 2.0);
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(work).unwrap().join().unwrap();
}
