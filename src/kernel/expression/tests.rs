//! Tests of the expression language.

mod derivatives;
mod errors;
mod formulas;
mod grammar;
mod lets;
mod lowering;
mod profiles;
mod properties;
mod rest;
mod tables;

use super::{CompileError, Expression, Formula, Function, Scope};

fn text(text: &str) -> Expression {
    Expression::Text(text.to_owned())
}

fn scope(lets: &[(&str, &str)]) -> Result<Scope, Vec<CompileError>> {
    Scope::new(&lets.iter().map(|(name, source)| (name.to_string(), text(source))).collect())
}

fn compile(source: &str) -> Result<Function, CompileError> {
    Function::compile(&text(source), &Scope::empty())
}

fn function(source: &str) -> Function {
    compile(source).unwrap_or_else(|error| panic!("{source}: {error}"))
}

fn value(source: &str, t: f64) -> f64 {
    function(source).value(t).unwrap_or_else(|error| panic!("{source}: {error}"))
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

/// A formula of x, y and z, with `[let]` empty.
fn formula(source: &str) -> Formula {
    Formula::compile(&text(source), &Scope::empty(), &names(&["x", "y", "z"]))
        .unwrap_or_else(|error| panic!("{source}: {error}"))
}

/// Equal up to `tolerance`, relative for large numbers.
#[track_caller]
fn close(found: f64, expected: f64, tolerance: f64, what: &str) {
    let error = (found - expected).abs() / expected.abs().max(1.0);
    assert!(error <= tolerance, "{what}: {found} instead of {expected}");
}
