//! Each mistake with its place, its message and its help.

use super::{compile, function, value};
use crate::kernel::expression::{CompileErrorKind, EvalErrorKind, Expression, Function, Scope};

/// Source, the part that is pointed at, message, help.
const MISTAKES: &[(&str, &str, &str, Option<&str>)] = &[
    ("2*1e999", "1e999", "the number 1e999 is too large for double precision", None),
    ("2 # t", "#", "unexpected character `#`", None),
    ("2*t²", "²", "unexpected character `²`", Some("powers are written t^2")),
    ("2·t", "·", "unexpected character `·`", Some("products are written 2*t")),
    ("1 − t", "−", "unexpected character `−`", Some("write the hyphen `-` for minus")),
    ("[1 + t]", "[", "unexpected character `[`", Some("only ( and ) group")),
    ("if(t = 1, 2, 3)", "=", "unexpected character `=`", Some("comparisons are <, <=, > and >=")),
    ("1 + .", ".", "unexpected character `.`", None),
    ("t**2", "*", "expected a number, a name or a parenthesis, found `*`", Some("powers are written t^2")),
    ("3 + )", ")", "expected a number, a name or a parenthesis, found `)`", None),
    ("min(1, )", ")", "expected a number, a name or a parenthesis, found `)`", None),
    ("1 + <", "<", "expected a number, a name or a parenthesis, found `<`", None),
    ("2 t", "t", "expected an operator before `t`", Some("products are written 2*t")),
    ("2e*t", "e", "expected an operator before `e`", Some("products are written 2*t")),
    ("sin(2 t)", "t", "expected an operator before `t`", Some("products are written 2*t")),
    ("2*(1 + t", "(", "this parenthesis is never closed", None),
    ("sin(t", "(", "this parenthesis is never closed", None),
    ("1 + t)", ")", "this parenthesis closes nothing", None),
    ("(1, t)", ",", "a comma stands only between the arguments of a function", None),
    ("1, t", ",", "a comma stands only between the arguments of a function", None),
    ("t < 1", "<", "a comparison stands only once, as the first argument of if(condition, a, b)", None),
    ("if(0 < t < 1, 1, 2)", "<", "a comparison stands only once, as the first argument of if(condition, a, b)", None),
    ("if(t - 1, 1, 2)", "t - 1", "the first argument of `if` must be a comparison such as t < 1", None),
    ("if()", "if()", "`if` takes 3 arguments, not 0", None),
    ("if(t < 1, 2)", "if(t < 1, 2)", "`if` takes 3 arguments, not 2", None),
    ("2*Pi", "Pi", "unknown name `Pi`", Some("did you mean `pi`?")),
    ("2*quux", "quux", "unknown name `quux`", None),
    ("2*sinn(t)", "sinn", "unknown function `sinn`", Some("did you mean `sin`?")),
    ("2*quux(t)", "quux", "unknown function `quux`", None),
    ("sin(s)", "s", "`s` is known only in profiles along a rod; here the variable is `t`", None),
    ("t(2)", "t", "`t` is a value, not a function", Some("products are written 2*t")),
    ("pi (2)", "pi", "`pi` is a value, not a function", Some("products are written 2*t")),
    ("sin + 1", "sin", "the function `sin` needs its arguments in parentheses", None),
    ("1 + sin()", "sin()", "`sin` takes 1 argument, not 0", None),
    ("atan2(t)*2", "atan2(t)", "`atan2` takes 2 arguments, not 1", None),
    ("max(t)", "max(t)", "`max` takes 2 or more arguments, not 1", None),
    ("clamp(t, 1, 2, 3)", "clamp(t, 1, 2, 3)", "`clamp` takes 3 arguments, not 4", None),
    ("rest(t, 0, 1)", "rest(t, 0, 1)", "`rest` takes 4 arguments, not 3", None),
    ("rest(t, t/2, 1, 5)", "t/2", "the start time of `rest` must not depend on t", None),
    ("rest(t, 0, 1, 2*t)", "2*t", "the k of `rest` must not depend on t", None),
    ("rest(t, 0, 1/0, 5)", "1/0", "the end time of `rest` has no value: division by zero", None),
    ("rest(t, 2, 1, 5)", "2, 1", "`rest` must end after it starts, but it starts at 2 and ends at 1", None),
    ("rest(t, 2, 2, 5)", "2, 2", "`rest` must end after it starts, but it starts at 2 and ends at 2", None),
    ("rest(t, 0, 1, 21)", "21", "the k of `rest` must be an integer from 1 to 20, not 21", None),
    ("rest(t, 0, 1, 0)", "0", "the k of `rest` must be an integer from 1 to 20, not 0", None),
    ("rest(t, 0, 1, 2.5)", "2.5", "the k of `rest` must be an integer from 1 to 20, not 2.5", None),
];

#[test]
fn mistakes_in_the_text() {
    for (source, part, message, help) in MISTAKES {
        let error = compile(source).expect_err(source);
        assert_eq!(&source[error.span.clone()], *part, "{source}");
        assert_eq!(error.to_string(), *message, "{source}");
        assert_eq!(error.help().as_deref(), *help, "{source}");
        assert_eq!(error.in_let, None, "{source}");
    }
    // Where a part occurs twice, the place must be the right one.
    assert_eq!(compile("t**2").unwrap_err().span, 2..3);
    assert_eq!(compile("if(0 < t < 1, 1, 2)").unwrap_err().span, 9..10);
    assert_eq!(compile("rest(t, 0, 1, 0)").unwrap_err().span, 14..15);
}

#[test]
fn nothing_and_the_end() {
    for (source, span, kind) in [
        ("", 0..0, CompileErrorKind::Empty),
        (" \t ", 0..3, CompileErrorKind::Empty),
        ("1 + ", 4..4, CompileErrorKind::UnexpectedEnd),
        ("2*(", 3..3, CompileErrorKind::UnexpectedEnd),
        ("-", 1..1, CompileErrorKind::UnexpectedEnd),
    ] {
        let error = compile(source).unwrap_err();
        assert_eq!((error.span, error.kind), (span, kind), "{source:?}");
    }
    let infinite = Function::compile(&Expression::Number(f64::INFINITY), &Scope::empty()).unwrap_err();
    assert_eq!(infinite.to_string(), "inf is not a finite number");
}

/// Source, time, the part that is pointed at, message.
const FAILURES: &[(&str, f64, &str, &str)] = &[
    ("2 + 1/(t - 3)*4", 3.0, "1/(t - 3)", "division by zero in `1/(t - 3)` at t = 3"),
    ("3*t/0", 1.0, "3*t/0", "division by zero in `3*t/0` at t = 1"),
    ("1 + mod(t, t)", 0.0, "mod(t, t)", "division by zero in `mod(t, t)` at t = 0"),
    ("2*t^-2", 0.0, "t^-2", "division by zero in `t^-2` at t = 0"),
    ("2*t^-2.5", 0.0, "t^-2.5", "division by zero in `t^-2.5` at t = 0"),
    ("0^(t - 1)", 0.0, "0^(t - 1)", "division by zero in `0^(t - 1)` at t = 0"),
    ("t^t", 0.0, "t^t", "`0^x` is not defined for 0 in `t^t` at t = 0"),
    ("1 + ln(t - 2)", 1.5, "ln(t - 2)", "logarithm of -0.5, which is not positive in `ln(t - 2)` at t = 1.5"),
    ("log10(t)", 0.0, "log10(t)", "logarithm of 0, which is not positive in `log10(t)` at t = 0"),
    ("sqrt(t)", -4.0, "sqrt(t)", "square root of the negative number -4 in `sqrt(t)` at t = -4"),
    ("asin(2*t)", 1.0, "asin(2*t)", "`asin` is not defined for 2 in `asin(2*t)` at t = 1"),
    ("acos(-2)", 1.0, "acos(-2)", "`acos` is not defined for -2 in `acos(-2)` at t = 1"),
    ("atan2(t, t)", 0.0, "atan2(t, t)", "the origin has no direction in `atan2(t, t)` at t = 0"),
    (
        "clamp(t, 2, 1)",
        0.0,
        "clamp(t, 2, 1)",
        "the lower bound 2 is above the upper bound 1 in `clamp(t, 2, 1)` at t = 0",
    ),
    ("1/exp(t)", 1000.0, "exp(t)", "no finite value in `exp(t)` at t = 1000"),
    ("1 - t", f64::NAN, "t", "no finite value in `t` at t = NaN"),
];

#[test]
fn failures_of_evaluation() {
    for (source, t, part, message) in FAILURES {
        let f = function(source);
        let error = f.value(*t).expect_err(source);
        assert_eq!(&source[error.span.clone()], *part, "{source}");
        assert_eq!(error.text, *part);
        assert_eq!(error.t.to_bits(), t.to_bits());
        assert_eq!(error.to_string(), *message, "{source}");
        assert_eq!(f.jet(*t).expect_err(source).kind, error.kind, "{source}");
    }
    let overflow = function("t*t*0").value(1e200).unwrap_err();
    assert_eq!((&*overflow.text, overflow.kind), ("t*t", EvalErrorKind::NotFinite));
    let power = function("(t - 1)^0.5").value(0.0).unwrap_err();
    assert_eq!(power.kind, EvalErrorKind::PowerOfNegative { base: -1.0, exponent: 0.5 });
    let power = function("(t - 1)^t").value(0.5).unwrap_err();
    assert_eq!(power.kind, EvalErrorKind::PowerOfNegative { base: -0.5, exponent: 0.5 });
}

#[test]
fn derivatives_that_do_not_exist() {
    for (source, t, part, order) in [
        ("1 + 2*sqrt(t)", 0.0, "sqrt(t)", 1),
        ("1 + 2*t^0.5", 0.0, "t^0.5", 1),
        ("1 + 2*t^1.5", 0.0, "t^1.5", 2),
        ("sin(t*asin(t))", 1.0, "asin(t)", 1),
        ("3 - acos(t)", -1.0, "acos(t)", 1),
        ("hypot(t, 2*t)", 0.0, "hypot(t, 2*t)", 1),
        ("if(t < 1, 2 + sqrt(t), sqrt(t))", 0.0, "sqrt(t)", 1),
    ] {
        let f = function(source);
        assert!(f.value(t).is_ok(), "{source}");
        let error = f.jet(t).expect_err(source);
        assert_eq!((&source[error.span.clone()], error.kind), (part, EvalErrorKind::NoFiniteDerivative { order }));
    }
    let message = function("t^1.5").jet(0.0).unwrap_err().to_string();
    assert_eq!(message, "no finite second derivative in `t^1.5` at t = 0");
    // A branch that is not active needs no derivative.
    assert_eq!(function("max(sqrt(t), 1) + if(t > 0, sqrt(t), t)").jet(0.0).unwrap().first, 1.0);
}

#[test]
fn branches_that_are_not_chosen_are_not_evaluated() {
    assert_eq!(value("if(t > 0, 1/t, 7)", 0.0), 7.0);
    assert_eq!(value("if(t > 0, 1/0, 7)", 0.0), 7.0);
    assert_eq!(value("if(1 > 0, 3, 1/0)", 0.0), 3.0);
}
