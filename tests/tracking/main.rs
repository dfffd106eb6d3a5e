//! Servo paths followed as well as the actuators can, from problem files: flexible arms, limits, closed forms.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod alternation;
mod arms;
mod closed_forms;
mod prospects;
mod refusals;

use lariat::problem::{Question, load};
use lariat::results::Outcome;
use lariat::tasks::Silent;
use lariat::tasks::inverse_dynamics::optimise::{TrackingSystem, reverify, run};

fn system(text: &str, overrides: &[&str]) -> TrackingSystem {
    let overrides: Vec<String> = overrides.iter().map(ToString::to_string).collect();
    let problem = load("x.toml", text, &overrides).unwrap_or_else(|found| panic!("{found}"));
    match problem.question {
        Question::Tracking(system) => *system,
        other => panic!("another question: {other:?}"),
    }
}

/// A gallery problem.
fn gallery(name: &str) -> &'static str {
    lariat::problem::gallery().iter().find(|(known, _)| *known == name).unwrap().1
}

/// Solved and verified.
fn solved(text: &str, overrides: &[&str]) -> Outcome {
    let outcome = run(&system(text, overrides), &mut Silent);
    let report = &outcome.report;
    assert_eq!(report.status, "solved", "{:?}", report.message);
    assert!(report.verification.as_ref().unwrap().passed);
    for expectation in &report.expectations {
        assert!(expectation.met, "{expectation:?}");
    }
    outcome
}
