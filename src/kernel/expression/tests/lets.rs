//! Definitions that refer to each other.

use super::{scope, text};
use crate::kernel::expression::{CompileErrorKind, EvalErrorKind, Expression};
use crate::kernel::{Function, Scope};

fn messages(lets: &[(&str, &str)]) -> Vec<String> {
    scope(lets).unwrap_err().iter().map(ToString::to_string).collect()
}

#[test]
fn any_order() {
    let scope = scope(&[("a", "b*t + c"), ("b", "c^2"), ("c", "d/2"), ("d", "6"), ("unused", "1/t"), ("φ_1", "-a")]);
    let scope = scope.unwrap();
    let f = Function::compile(&text("φ_1 + b"), &scope).unwrap();
    assert_eq!(f.value(2.0), Ok(-12.0));
    assert_eq!(f.jet(0.0).unwrap().first, -9.0);
    assert!(!f.is_constant());
    assert!(Function::compile(&text("b + c"), &scope).unwrap().is_constant());
}

#[test]
fn numbers_as_definitions() {
    let lets = [("a".to_string(), Expression::Number(2.0)), ("tau".to_string(), text("a*t"))].into();
    let f = Function::compile(&text("tau^2"), &Scope::new(&lets).unwrap()).unwrap();
    assert_eq!(f.jet(1.0).unwrap().second, 8.0);
    let lets = [("a".to_string(), Expression::Number(f64::NAN))].into();
    assert_eq!(Scope::new(&lets).unwrap_err()[0].to_string(), "in let `a`: NaN is not a finite number");
}

#[test]
fn long_chains() {
    let mut lets = vec![("x0".to_string(), text("t"))];
    lets.extend((1..2000).map(|i| (format!("x{i}"), text(&format!("x{} + 1", i - 1)))));
    let scope = Scope::new(&lets.into_iter().collect()).unwrap();
    let f = Function::compile(&text("x1999"), &scope).unwrap();
    assert_eq!(f.jet(1.0).unwrap().value, 2000.0);
}

#[test]
fn circles() {
    let errors = scope(&[("d", "c*t"), ("c", "t + b"), ("b", "2*a"), ("a", "1 - c"), ("loop", "loop")]).unwrap_err();
    assert_eq!(errors.len(), 2);
    assert_eq!(errors[0].kind, CompileErrorKind::Cycle { names: ["a", "c", "b", "a"].map(String::from).to_vec() });
    assert_eq!((errors[0].in_let.as_deref(), errors[0].span.clone()), (Some("a"), 4..5));
    assert_eq!(errors[1].to_string(), "in let `loop`: the definitions go in a circle: loop needs loop");
}

#[test]
fn all_mistakes_at_once() {
    let found = messages(&[
        ("a", "2 +"),
        ("b", "a*sigm"),
        ("c", "rest(t, a, 1, 3)"),
        ("d", "b + sinn(t)"),
        ("my-let", "1"),
        ("2nd", "1"),
        ("", "1"),
        ("sigma", "1"),
        ("t", "1"),
        ("s", "1"),
        ("pi", "3"),
        ("max", "3"),
    ]);
    let rule = "names are letters, digits and _, and begin with a letter or _";
    let expected = [
        format!("in let ``: `` cannot be a name: {rule}"),
        format!("in let `2nd`: `2nd` cannot be a name: {rule}"),
        "in let `a`: the expression ends where a number, a name or a parenthesis must follow".into(),
        "in let `b`: unknown name `sigm`".into(),
        "in let `d`: unknown function `sinn`".into(),
        "in let `max`: `max` cannot be redefined: it is a function".into(),
        format!("in let `my-let`: `my-let` cannot be a name: {rule}"),
        "in let `pi`: `pi` cannot be redefined: it is a constant".into(),
        "in let `s`: `s` cannot be redefined: it is the arc length along a rod".into(),
        "in let `t`: `t` cannot be redefined: it is the time".into(),
    ];
    assert_eq!(found, expected);
    let errors = scope(&[("b", "2*sigm"), ("sigma", "1")]).unwrap_err();
    assert_eq!((errors[0].span.clone(), errors[0].help().as_deref()), (2..6, Some("did you mean `sigma`?")));
}

#[test]
fn mistakes_in_values_are_reported_once() {
    assert_eq!(
        messages(&[("k", "21"), ("p", "rest(t, 0, 1, k)"), ("q", "rest(t, 0, p, 3)")]),
        ["in let `p`: the k of `rest` must be an integer from 1 to 20, not 21"]
    );
    assert_eq!(
        messages(&[("n", "1/0"), ("p", "rest(t, 0, n, 3)")]),
        ["in let `p`: the end time of `rest` has no value: division by zero"]
    );
}

#[test]
fn failures_inside_a_definition() {
    let scope = scope(&[("inner", "2 + 1/t"), ("outer", "3*inner"), ("root", "1 + sqrt(t)")]).unwrap();
    let error = Function::compile(&text("4 - outer"), &scope).unwrap().value(0.0).unwrap_err();
    assert_eq!((error.in_let.as_deref(), error.span.clone()), (Some("inner"), 4..7));
    assert_eq!(error.to_string(), "in let `inner`: division by zero in `1/t` at t = 0");

    let error = Function::compile(&text("2*root"), &scope).unwrap().jet(0.0).unwrap_err();
    assert_eq!((error.in_let.as_deref(), error.span.clone()), (Some("root"), 4..11));
    assert_eq!(error.kind, EvalErrorKind::NoFiniteDerivative { order: 1 });

    // Only a definition that is used can fail.
    let f = Function::compile(&text("if(t > 0, outer, 5)"), &scope).unwrap();
    assert_eq!(f.value(0.0), Ok(5.0));
    assert_eq!(f.value(1.0), Ok(9.0));
}

#[test]
fn mistakes_in_expressions_suggest_definitions() {
    let scope = scope(&[("sigma", "t")]).unwrap();
    let error = Function::compile(&text("2*sigam"), &scope).unwrap_err();
    assert_eq!(error.help().as_deref(), Some("did you mean `sigma`?"));
    let error = Function::compile(&text("sigma(t)"), &scope).unwrap_err();
    assert_eq!(error.kind, CompileErrorKind::NotAFunction { name: "sigma".into() });
}
