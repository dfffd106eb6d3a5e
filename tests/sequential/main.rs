//! Sequential servo constraints: index, realisation, actuation and refusals of discrete mechanisms, against closed forms.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod arms;
mod elastic_rope;
mod internal;
mod refusals;
mod rods;
mod tables;

use lariat::problem::{Question, load};
use lariat::results::Outcome;
use lariat::tasks::Silent;
use lariat::tasks::inverse_dynamics::sequential::{ServoSystem, reverify, run};

/// The system of a problem file.
fn system(text: &str) -> ServoSystem {
    let problem = load("x.toml", text, &[]).unwrap_or_else(|found| panic!("{found}"));
    match problem.question {
        Question::Servo(system) => *system,
        other => panic!("another question: {other:?}"),
    }
}

/// A gallery problem.
fn gallery(name: &str) -> &'static str {
    lariat::problem::gallery().iter().find(|(known, _)| *known == name).unwrap().1
}

fn outcome(text: &str) -> Outcome {
    run(&system(text), &mut Silent)
}

/// Solved, verified and as its file expects.
fn solved(text: &str) -> Outcome {
    let outcome = outcome(text);
    let report = &outcome.report;
    assert_eq!(report.status, "solved", "{:?}", report.message);
    assert!(report.verification.as_ref().unwrap().passed);
    for expectation in &report.expectations {
        assert!(expectation.met, "{expectation:?}");
    }
    outcome
}

/// What is told of a problem that is not solved.
fn refused(text: &str, status: &str) -> String {
    let outcome = outcome(text);
    assert_eq!(outcome.report.status, status, "{:?}", outcome.report.message);
    assert!(outcome.actuation.is_empty());
    outcome.report.message.unwrap()
}

/// The value of a column at a time on the grid.
fn at(outcome: &Outcome, column: &str, t: f64) -> f64 {
    let table = if outcome.actuation.column(column).is_some() { &outcome.actuation } else { &outcome.motion };
    let place = table.t.iter().position(|time| (time - t).abs() < 1e-9).unwrap_or_else(|| panic!("no instant {t}"));
    table.column(column).unwrap_or_else(|| panic!("no column {column}"))[place]
}

/// The structure of a problem: index, internal states, relative degrees.
fn mechanism(text: &str) -> (usize, usize, Vec<usize>, &'static str) {
    let (_, found) = system(text).analyse().unwrap();
    (found.index, found.freedoms, found.relative_degrees.clone(), found.realisation().name())
}
