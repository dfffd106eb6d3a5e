//! Our half of the race in optimal control; `benches/peers/control` runs both halves and makes the tables.
//!
//! `REPETITIONS NAME:STEPS...` solves the problems, by default on coarser meshes first. Each line of the output is one
//! problem: name, steps, variables, objective, violation, iterations on all meshes, status, then least processor seconds of
//! set-up and solve together, and of that what the clock leaves for solving alone.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a failure ends the race")]

#[path = "../../tests/optimal_control/catalogue.rs"]
mod catalogue;
#[path = "../../tests/optimal_control/problems.rs"]
#[allow(dead_code, reason = "shared with the tests")]
mod problems;
#[path = "../../tests/optimal_control/redundant.rs"]
mod redundant;
#[path = "../../tests/optimal_control/systems.rs"]
mod systems;

use lariat::tasks::Silent;
use lariat::tasks::optimal_control::{OptimalControlOptions, Optimum, solve};

/// Seconds of processor time of this process.
fn seconds() -> f64 {
    cpu_time::ProcessTime::now().as_duration().as_secs_f64()
}

fn main() {
    // `cargo bench` adds `--bench`.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match arguments.split_first() {
        Some((repetitions, problems)) => {
            let repetitions = repetitions.parse().expect("a number of repetitions");
            problems.iter().for_each(|argument| println!("{}", line(argument, repetitions)));
        }
        // Without arguments, as in `cargo bench`, a small part shows that the race runs.
        None => println!("{}", line("p03:50", 1)),
    }
}

fn line(argument: &str, repetitions: usize) -> String {
    let (name, steps) = argument.split_once(':').expect("NAME:STEPS");
    let intervals = steps.parse().expect("a number of steps");
    let options = OptimalControlOptions { estimate: false, refine: 0, ..Default::default() };
    let mut best: Option<(f64, f64, Optimum)> = None;
    for _ in 0..repetitions.max(1) {
        let begun = seconds();
        let problem = catalogue::problem(name).expect("a known problem");
        let found = solve(&problem, intervals, &options, &mut Silent).expect("the problem is well posed");
        let whole = seconds() - begun;
        if best.as_ref().is_none_or(|(least, ..)| whole < *least) {
            best = Some((whole, whole - found.timing.statement.as_secs_f64(), found));
        }
    }
    let (whole, alone, found) = best.expect("there is at least one repetition");
    format!(
        "{name} {intervals} {} {:.12e} {:.3e} {} {} {whole:.6e} {alone:.6e}",
        found.solution.iterate.x.len(),
        found.objective,
        found.solution.violation,
        found.iterations,
        found.status.name()
    )
}
