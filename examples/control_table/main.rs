//! Solves every problem of the reference on every mesh it lists and compares the optima.
//!
//! `cargo run --release --example control_table -- [--cold] [--only NAME] [--up-to INTERVALS]`
//!
//! `--cold` begins on the last mesh instead of coarser ones. Where a problem has several optima the table tells which of the
//! two known ones was found.

#[path = "../../tests/optimal_control/catalogue.rs"]
mod catalogue;
#[path = "../../tests/optimal_control/problems.rs"]
#[allow(dead_code, reason = "shared with the tests")]
mod problems;
#[path = "../../tests/optimal_control/redundant.rs"]
mod redundant;
mod reference;
#[path = "../../tests/optimal_control/systems.rs"]
mod systems;

use std::process::ExitCode;
use std::time::Instant;

use lariat::discretisation::transcription::ControlProblem;
use lariat::solver::constrained::Status;
use lariat::tasks::Silent;
use lariat::tasks::optimal_control::{OptimalControlOptions, solve};
use reference::{Known, known};

/// The reference nearest to an objective, with its name where there are two of them.
fn nearest(known: Known, objective: f64) -> (f64, &'static str) {
    let distance = |value: f64| (objective / value - 1.0).abs();
    match (known.cold / known.best - 1.0).abs() {
        apart if apart < 1e-5 => (known.best, ""),
        _ if distance(known.cold) < distance(known.best) => (known.cold, "cold"),
        _ => (known.best, "best"),
    }
}

/// Solves a problem on a mesh, prints a row of the table and tells whether it is as it should be.
fn row(name: &str, problem: &ControlProblem, known: Known, continued: bool) -> bool {
    let clock = Instant::now();
    let options = OptimalControlOptions { continued, refine: 0, ..Default::default() };
    let found = match solve(problem, known.intervals, &options, &mut Silent) {
        Ok(found) => found,
        Err(error) => {
            println!("| {name} | {} | {error} |", known.intervals);
            return false;
        }
    };
    let seconds = clock.elapsed().as_secs_f64();
    let (wanted, which) = nearest(known, found.objective);
    let difference = found.objective / wanted - 1.0;
    let good =
        found.status == Status::Solved && difference.abs() < known.tolerance() && found.solution.violation < 1e-9;
    println!(
        "| {name} | {} | {:.10} | {wanted} {which} | {difference:+.1e} | {} | {} | {} | {:.1e} | {:.4} | {} |",
        known.intervals,
        found.objective,
        found.iterations,
        known.iterations,
        found.status.name(),
        found.solution.violation,
        seconds,
        if good { "" } else { "DIFFERENT" }
    );
    good
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let after = |flag: &str| {
        let place = arguments.iter().position(|argument| argument == flag)?;
        arguments.get(place + 1).cloned()
    };
    let continued = !arguments.iter().any(|argument| argument == "--cold");
    let only = after("--only");
    let most = after("--up-to").and_then(|text| text.parse().ok()).unwrap_or(usize::MAX);
    println!(
        "| problem | N | objective | reference | difference | iterations | IPOPT | status | violation | seconds | |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    let mut good = true;
    for (name, meshes) in known().filter(|(name, _)| only.as_deref().is_none_or(|only| name.starts_with(only))) {
        let Some(problem) = catalogue::problem(name) else { continue };
        for known in meshes.into_iter().filter(|known| known.intervals <= most) {
            good &= row(name, &problem, known, continued);
        }
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
