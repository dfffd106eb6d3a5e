//! Ropes of changing length: closed forms of hoisted pendulums, pegs and drums, what is conserved, and the inverse dynamics of
//! trolley and winch against the massless rope and against forward simulations.
#![allow(clippy::unwrap_used, clippy::panic)]

mod drums;
mod hoists;
mod pendulum;

use lariat::Outcome;
use lariat::problem::{Problem, load};

fn problem(text: &str, settings: &[&str]) -> Problem {
    let settings: Vec<String> = settings.iter().map(|setting| (*setting).to_owned()).collect();
    load("winch.toml", text, &settings).unwrap_or_else(|found| panic!("{found}\n{text}"))
}

fn outcome(text: &str, settings: &[&str]) -> Outcome {
    lariat::solve(&problem(text, settings))
}

fn solved(text: &str, settings: &[&str]) -> Outcome {
    let outcome = outcome(text, settings);
    assert_eq!(outcome.report.status, "solved", "{:?}\n{text}", outcome.report.message);
    outcome
}

fn scalar(outcome: &Outcome, name: &str) -> f64 {
    let names = || outcome.report.scalars.keys().cloned().collect::<Vec<_>>().join(" ");
    *outcome.report.scalars.get(name).unwrap_or_else(|| panic!("no {name} among {}", names()))
}
