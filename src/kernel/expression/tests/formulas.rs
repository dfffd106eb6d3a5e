//! Formulas of named variables: values, what they depend on, and each mistake with its message.

use super::{close, formula, names, scope, text};
use crate::kernel::derivative::second_order;
use crate::kernel::{CompileError, CompileErrorKind, EvalErrorKind, Expression, Formula, Scope};

/// Compiles with the variables x, y and theta_dot and a few definitions.
fn compile(source: &str) -> Result<Formula, CompileError> {
    let lets = [
        ("k", "3"),
        ("ramp", "min(t, 1)"),
        ("taper", "1 - s/2"),
        ("wave", "taper*t"),
        ("saw", "mod(t, 2)"),
        ("steps", "1 + floor(saw)"),
        ("twice", "2*saw"),
        ("whole", "floor(k + 0.5)"),
        ("pole", "2 + 1/t"),
        ("nothing", "1/0"),
    ];
    Formula::compile(&text(source), &scope(&lets).unwrap(), &names(&["x", "y", "theta_dot"]))
}

#[test]
fn values() {
    let f = compile("k*x^2 - y*t + ramp*theta_dot/2").unwrap();
    assert_eq!(f.value(&[2.0, 3.0, 8.0], 0.5), Ok(12.0 - 1.5 + 2.0));
    assert_eq!(f.value(&[2.0, 3.0, 8.0], 4.0), Ok(12.0 - 12.0 + 4.0));
    assert_eq!(compile("if(x < y, x, 1/0) + whole").unwrap().value(&[1.0, 2.0, 0.0], 0.0), Ok(4.0));
    let number = Formula::compile(&Expression::Number(4.0), &Scope::empty(), &names(&["x"])).unwrap();
    assert_eq!(number.value(&[1.0], 0.0), Ok(4.0));
    // Names of every script, and one that a profile would take for a function of `s` and another for a definition.
    let f = Formula::compile(&text("φ_1 + s_1 + tau"), &Scope::empty(), &names(&["φ_1", "s_1", "tau"])).unwrap();
    assert_eq!(f.value(&[1.0, 10.0, 100.0], 0.0), Ok(111.0));
}

#[test]
fn a_constant_takes_any_variables() {
    let f = Formula::constant(2.5);
    assert!(f.is_constant() && !f.mentions(0) && !f.depends_on_time());
    assert_eq!((f.value(&[], 0.0), f.value(&[1.0, 2.0], 3.0)), (Ok(2.5), Ok(2.5)));
}

/// Gradient and Hessian of x² sin(y) + x/y by hand.
#[test]
fn derivatives_in_the_variables() {
    let f = formula("x^2*sin(y) + x/y");
    let (x, y): (f64, f64) = (1.3, 0.7);
    let (value, first, second) = second_order(|[x, y]| f.eval(&[x, y, x], y * 0.0).unwrap(), [x, y]);
    close(value, x * x * y.sin() + x / y, 1e-15, "value");
    close(first[0], 2.0 * x * y.sin() + 1.0 / y, 1e-15, "∂x");
    close(first[1], x * x * y.cos() - x / (y * y), 1e-15, "∂y");
    close(second[(0, 0)], 2.0 * y.sin(), 1e-15, "∂xx");
    close(second[(0, 1)], 2.0 * x * y.cos() - 1.0 / (y * y), 1e-15, "∂xy");
    close(second[(1, 1)], -x * x * y.sin() + 2.0 * x / y.powi(3), 1e-14, "∂yy");
}

#[test]
fn what_it_depends_on() {
    for (source, mentioned, time) in [
        ("k + pi", [false; 3], false),
        ("x*k", [true, false, false], false),
        ("x*theta_dot", [true, false, true], false),
        ("clamp(y, 0, t)", [false, true, false], true),
        ("k*ramp", [false; 3], true),
        ("if(2 > 1, k, x*t)", [false; 3], false),
        ("rest(y, 0, k, 3)", [false, true, false], false),
        ("if(x < 1, min(2, y), atan2(3, theta_dot))", [true; 3], false),
    ] {
        let f = compile(source).unwrap();
        assert_eq!([0, 1, 2].map(|index| f.mentions(index)), mentioned, "{source}");
        assert_eq!(f.depends_on_time(), time, "{source}");
        assert_eq!(f.is_constant(), !time && mentioned == [false; 3], "{source}");
        assert!(!f.mentions(3), "{source}");
    }
}

/// Source, the part that is pointed at, message, help.
const MISTAKES: &[(&str, &str, &str, Option<&str>)] = &[
    ("theta_dt^2", "theta_dt", "unknown name `theta_dt`", Some("did you mean `theta_dot`?")),
    ("2*rmap", "rmap", "unknown name `rmap`", Some("did you mean `ramp`?")),
    ("2*z", "z", "unknown name `z`", None),
    ("theta_dot(x)", "theta_dot", "`theta_dot` is a value, not a function", Some("products are written 2*t")),
    ("sni(x)", "sni", "unknown function `sni`", Some("did you mean `sin`?")),
    ("x**2", "*", "expected a number, a name or a parenthesis, found `*`", Some("powers are written t^2")),
    ("x*s", "s", "`s` is known only in profiles along a rod, not in a formula of other variables", None),
    (
        "x*wave",
        "wave",
        "`wave` depends on `s`, which is known only in profiles along a rod, not in a formula of other variables",
        None,
    ),
    ("rest(t, x, 1, 5)", "x", "the start time of `rest` must not depend on x", None),
    ("rest(t, 0, 1 + x*y, 5)", "1 + x*y", "the end time of `rest` must not depend on x", None),
    ("rest(x, 0, ramp, 5)", "ramp", "the end time of `rest` must not depend on t", None),
    ("rest(x, 0, 1/0, 5)", "1/0", "the end time of `rest` has no value: division by zero", None),
    (
        "2 + floor(3*x)",
        "floor(3*x)",
        "`floor` must not depend on `x` in a formula: it jumps at infinitely many places",
        Some("sin and cos are periodic without jumps; if, step and sign jump once"),
    ),
    (
        "x*mod(t, 2)",
        "mod(t, 2)",
        "`mod` must not depend on `t` in a formula: it jumps at infinitely many places",
        Some("sin and cos are periodic without jumps; if, step and sign jump once"),
    ),
    (
        "mod(5, 1 + ramp)",
        "mod(5, 1 + ramp)",
        "`mod` must not depend on `t` in a formula: it jumps at infinitely many places",
        Some("sin and cos are periodic without jumps; if, step and sign jump once"),
    ),
    (
        "x*(saw)",
        "(saw)",
        "`saw` cannot be used in a formula: its `mod` jumps at infinitely many places",
        Some("sin and cos are periodic without jumps; if, step and sign jump once"),
    ),
    (
        "x + steps",
        "steps",
        "`steps` cannot be used in a formula: its `floor` jumps at infinitely many places",
        Some("sin and cos are periodic without jumps; if, step and sign jump once"),
    ),
    (
        "x + twice",
        "twice",
        "`twice` cannot be used in a formula: its `mod` jumps at infinitely many places",
        Some("sin and cos are periodic without jumps; if, step and sign jump once"),
    ),
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
    let infinite = Formula::compile(&Expression::Number(f64::INFINITY), &Scope::empty(), &[]).unwrap_err();
    assert_eq!(infinite.to_string(), "inf is not a finite number");
    assert_eq!(compile(" ").unwrap_err().kind, CompileErrorKind::Empty);
    // Of constants they are numbers.
    assert_eq!(compile("x + floor(k/2) + mod(7, k)").unwrap().value(&[0.5, 0.0, 0.0], 0.0), Ok(2.5));
    assert!(compile("if(2 > 1, x, floor(y))").is_ok());
}

#[test]
fn names_that_cannot_be_variables() {
    let scope = scope(&[("mass", "2"), ("saw", "mod(t, 2)")]).unwrap();
    let rule = "names are letters, digits and _, and begin with a letter or _";
    for (list, message) in [
        (&["x", "t"][..], "`t` cannot be the name of a variable: it is the time".to_string()),
        (&["s"], "`s` cannot be the name of a variable: it is the arc length along a rod".into()),
        (&["pi"], "`pi` cannot be the name of a variable: it is a constant".into()),
        (&["e"], "`e` cannot be the name of a variable: it is a constant".into()),
        (&["x", "max"], "`max` cannot be the name of a variable: it is a function".into()),
        (&["x", "x-dot"], format!("`x-dot` cannot be a name: {rule}")),
        (&["2x"], format!("`2x` cannot be a name: {rule}")),
        (&[""], format!("`` cannot be a name: {rule}")),
        (&["x", "mass"], "`mass` cannot be both a variable and a definition of [let]".into()),
        (&["x", "y", "x"], "two variables have the name `x`".into()),
    ] {
        let error = Formula::compile(&text("1"), &scope, &names(list)).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert_eq!((error.span.clone(), error.in_let.clone()), (0..0, None), "{list:?}");
        assert_eq!(Formula::check_names(&names(list), &scope), Err(error));
    }
    assert_eq!(Formula::check_names(&names(&["x", "y"]), &scope), Ok(()));
}

/// Source, the part that is pointed at, message; at x = 2, y = 0, theta_dot = −1 and t = 0.
const FAILURES: &[(&str, &str, &str)] = &[
    ("3 + 1/(2 - x)", "1/(2 - x)", "division by zero in `1/(2 - x)` at x = 2"),
    ("t*(x/y*theta_dot)", "x/y", "division by zero in `x/y` at x = 2, y = 0"),
    (
        "y + ln(theta_dot)",
        "ln(theta_dot)",
        "logarithm of -1, which is not positive in `ln(theta_dot)` at theta_dot = -1",
    ),
    (
        "x*sqrt(t + theta_dot)",
        "sqrt(t + theta_dot)",
        "square root of the negative number -1 in `sqrt(t + theta_dot)` at theta_dot = -1, t = 0",
    ),
    ("x/ramp", "x/ramp", "division by zero in `x/ramp` at x = 2, t = 0"),
    ("acos(x)", "acos(x)", "`acos` is not defined for 2 in `acos(x)` at x = 2"),
    ("atan2(y, t)", "atan2(y, t)", "the origin has no direction in `atan2(y, t)` at y = 0, t = 0"),
    (
        "x + clamp(y, x, 1)",
        "clamp(y, x, 1)",
        "the lower bound 2 is above the upper bound 1 in `clamp(y, x, 1)` at x = 2, y = 0",
    ),
    (
        "theta_dot^x",
        "theta_dot^x",
        "power of the negative number -1 with the exponent 2, which is not a constant integer in `theta_dot^x` \
         at x = 2, theta_dot = -1",
    ),
    ("exp(1000*x)*0", "exp(1000*x)", "no finite value in `exp(1000*x)` at x = 2"),
    ("x + 1/0", "1/0", "division by zero in `1/0`"),
];

#[test]
fn failures_of_evaluation() {
    let at = [2.0, 0.0, -1.0];
    for (source, part, message) in FAILURES {
        let error = compile(source).unwrap().value(&at, 0.0).expect_err(source);
        assert_eq!(&source[error.span.clone()], *part, "{source}");
        assert_eq!(error.text, *part);
        assert_eq!(error.to_string(), *message, "{source}");
        assert_eq!(error.in_let, None, "{source}");
    }
    let inner = compile("x*pole").unwrap().value(&at, 0.0).unwrap_err();
    assert_eq!(inner.to_string(), "in let `pole`: division by zero in `1/t` at t = 0");
    let steady = compile("x*nothing").unwrap().value(&at, 0.0).unwrap_err();
    assert_eq!(steady.to_string(), "in let `nothing`: division by zero in `1/0`");
    let broken = compile("x + y").unwrap().value(&[f64::NAN, 0.0, 0.0], 0.0).unwrap_err();
    assert_eq!(broken.to_string(), "no finite value in `x` at x = NaN");
}

#[test]
fn one_value_for_each_variable() {
    let f = compile("(x + y)").unwrap();
    for found in [0, 2, 4] {
        let error = f.value(&vec![1.0; found], 0.0).unwrap_err();
        assert_eq!(error.kind, EvalErrorKind::VariableCount { expected: 3, found });
        assert_eq!(error.to_string(), format!("{found} values for 3 variables in `(x + y)`"));
    }
}
