//! What a problem file can state of optimal control, and what it is told: starts, guesses, costs, meshes, diagnostics.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod costs;
mod diagnostics;
mod guesses;
mod infeasible;
mod meshes;
mod starts;
mod units;

use lariat::problem::{Question, load};
use lariat::results::Outcome;
use lariat::tasks::Silent;
use lariat::tasks::optimal_control::{ControlSystem, run};

/// The system that a text states.
fn system(text: &str) -> ControlSystem {
    let problem = load("x.toml", text, &[]).unwrap_or_else(|found| panic!("{found}"));
    match problem.question {
        Question::OptimalControl(system) => *system,
        other => panic!("another question: {other:?}"),
    }
}

/// Its answer, which must be a solution.
fn solved(text: &str) -> Outcome {
    let outcome = run(&system(text), &mut Silent);
    assert_eq!(outcome.report.status, "solved", "{:?}", outcome.report.message);
    outcome
}

/// A gallery file with lines changed.
fn gallery(name: &str, changes: &[(&str, &str)]) -> String {
    let (_, text) = lariat::problem::gallery().iter().find(|(file, _)| file.contains(name)).copied().unwrap();
    let mut text = text.split("[expect]").next().unwrap().to_owned();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    text
}
