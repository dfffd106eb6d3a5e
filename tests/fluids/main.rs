//! Drag of rods and bodies in every way of solving: closed forms, independent references, and what two descriptions of the same
//! mechanism have in common.
#![allow(clippy::unwrap_used, clippy::panic)]

mod actuated;
mod marches;
mod moving;
mod standing;

use lariat::Outcome;
use lariat::problem::load;

fn outcome(text: &str, settings: &[&str]) -> Outcome {
    let settings: Vec<String> = settings.iter().map(|setting| (*setting).to_owned()).collect();
    let problem = load("fluid.toml", text, &settings).unwrap_or_else(|found| panic!("{found}\n{text}"));
    lariat::solve(&problem)
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
