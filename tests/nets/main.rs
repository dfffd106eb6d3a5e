//! Nets: joints that slide and universal ones, springs, rigid rods and joints that repeat each other, in statics,
//! simulations, modes and inverse dynamics, against closed forms. All of them are stated as problem files.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod inverse;
mod joints;
mod repeated;
mod rigid;
mod springs;

use lariat::problem::{Question, load};
use lariat::results::Outcome;
use lariat::tasks::{Silent, inverse_dynamics, modes, simulation, statics};

/// The answer to a problem file with overrides.
fn outcome(text: &str, set: &[&str]) -> Outcome {
    let set: Vec<String> = set.iter().map(|set| (*set).to_owned()).collect();
    let problem = load("x.toml", text, &set).unwrap_or_else(|found| panic!("{found}"));
    match &problem.question {
        Question::Statics(system, spec) => statics::run(system, spec, &mut Silent),
        Question::Simulate(system, spec) => simulation::run(system, spec, &mut Silent),
        Question::Modes(system, spec) => modes::run(system, spec, &mut Silent),
        Question::Servo(system) => inverse_dynamics::sequential::run(system, &mut Silent),
        Question::Tracking(system) => inverse_dynamics::optimise::run(system, &mut Silent),
        other => panic!("another question: {other:?}"),
    }
}

/// The same, which must be solved.
fn solved(text: &str, set: &[&str]) -> Outcome {
    let outcome = outcome(text, set);
    assert_eq!(outcome.report.status, "solved", "{:?}", outcome.report.message);
    outcome
}

/// The same on a mesh so coarse that the forward simulation on another mesh does not confirm it.
fn coarse(text: &str, set: &[&str]) -> Outcome {
    let outcome = outcome(text, set);
    assert_eq!(outcome.report.status, "not-verified", "{:?}", outcome.report.message);
    assert!(!outcome.report.verification.as_ref().unwrap().passed && !outcome.actuation.is_empty());
    outcome
}

/// A scalar of an answer.
#[track_caller]
fn scalar(outcome: &Outcome, name: &str) -> f64 {
    *outcome.report.scalars.get(name).unwrap_or_else(|| panic!("no {name} in {:?}", outcome.report.scalars.keys()))
}

/// The last value of a column of the motion.
#[track_caller]
fn last(outcome: &Outcome, column: &str) -> f64 {
    let names = || outcome.motion.columns.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(" ");
    *outcome.motion.column(column).unwrap_or_else(|| panic!("no {column} in {}", names())).last().unwrap()
}

/// Asserts second order of errors at halved steps.
#[track_caller]
fn assert_order(expected: f64, errors: &[f64], slack: f64, factor: f64) {
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).ln() / factor.ln();
        assert!((order - expected).abs() < slack, "order {order:.3} from errors {errors:?}");
    }
}
