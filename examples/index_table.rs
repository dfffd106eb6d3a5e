//! Prints what happens to the quarter turn of `problems/beam-quarter-turn.toml` when the beam is cut into elements before time is
//! (method `sequential`), and what the methods give that see space and time at once.
//!
//! Three questions: the path of the file, whose fourth derivative jumps at t = 2 s and 4 s; a path with derivatives of every
//! order; and the same path with a beam a hundred times as stiff. `galerkin` does not take the smooth path, which is never
//! quite at rest before the first instant.
//! `cargo run --release --example index_table`
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::time::Instant;

use lariat::problem::{Question, gallery, load};
use lariat::results::Report;
use lariat::tasks::{Silent, inverse_dynamics};

/// A step with derivatives of every order.
const SMOOTH: &str = "(1 + tanh(2*(t - 3)))/2";
/// Peak of the base torque on the file's own path: independent reference, Fourier series in time and Runge-Kutta along s.
const TORQUE: f64 = 1.278_019_2;

#[derive(Clone, Copy)]
enum Ask {
    File,
    Smooth,
    Stiff,
}

struct Run {
    report: Report,
    mechanism: Option<(usize, usize)>,
    seconds: f64,
}

fn solve(method: &str, elements: usize, steps: usize, ask: Ask) -> Run {
    let text = gallery().iter().find(|(name, _)| *name == "beam-quarter-turn").unwrap().1;
    let mut overrides = vec![
        format!("rod.beam.elements={elements}"),
        format!("time.steps={steps}"),
        format!("task.inverse-dynamics.method={method}"),
        "expect={}".to_owned(),
    ];
    if !matches!(ask, Ask::File) {
        overrides.push(format!("let.sigma={SMOOTH}"));
    }
    if matches!(ask, Ask::Stiff) {
        overrides.push("rod.beam.stiffness={axial=100.0, shear=100.0, bending=100.0}".to_owned());
    }
    let clock = Instant::now();
    let problem = load("beam-quarter-turn.toml", text, &overrides).unwrap_or_else(|found| panic!("{found}"));
    let (outcome, mechanism) = match &problem.question {
        Question::Servo(system) => {
            let (_, found) = system.analyse().unwrap();
            let degree = found.relative_degrees.iter().copied().max().unwrap_or(0);
            (inverse_dynamics::sequential::run(system, &mut Silent), Some((found.index, degree)))
        }
        Question::InverseDynamics(system, spec) => (inverse_dynamics::run(system, spec, &mut Silent), None),
        other => panic!("{other:?}"),
    };
    Run { report: outcome.report, mechanism, seconds: clock.elapsed().as_secs_f64() }
}

impl Run {
    fn torque(&self) -> Option<f64> {
        self.report.scalars.get("actuation.base.torque.max").copied()
    }

    /// What a cell says: the peak of the torque with its deviation, or the reason why there is none.
    fn cell(&self, reference: f64) -> String {
        let Some(torque) = self.torque() else {
            let message = self.report.message.as_deref().unwrap_or("");
            let order = message.split("derivative of order ").nth(1).and_then(|rest| rest.split(' ').next());
            return match order {
                Some(order) => format!("refused: derivative {order} jumps"),
                None => self.report.status.to_string(),
            };
        };
        let verified = if self.report.status == "solved" { "" } else { ", not verified" };
        let jumps = self.report.warnings.iter().any(|warning| warning.starts_with("the actuation jumps"));
        let jumps = if jumps { ", jumps" } else { "" };
        format!("{torque:.6} ({:+.1e}{jumps}{verified})", torque - reference)
    }
}

fn main() {
    let reference = |ask: Ask| solve("space-march", 120, 2400, ask).torque().expect("space-march solves it");
    let references = [TORQUE, reference(Ask::Smooth), reference(Ask::Stiff)];
    println!("Largest torque at the base, with its deviation from that of the continuous beam:");
    println!(
        "{TORQUE} on the path of the file, {:.6} on the smooth path, {:.6} there with the stiff beam (space-march, 120 × 2400).\n",
        references[1], references[2]
    );
    println!(
        "| method | elements | index | derivatives used | path of the file | smooth path | smooth path, stiff beam | s |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let asks = [Ask::File, Ask::Smooth, Ask::Stiff];
    let line = |method: &str, elements: usize, steps: usize| {
        let runs = asks.map(|ask| solve(method, elements, steps, ask));
        let (index, degree) = match runs[0].mechanism {
            Some((index, degree)) => (index.to_string(), degree.to_string()),
            None => ("–".to_owned(), "2".to_owned()),
        };
        let seconds: f64 = runs.iter().map(|run| run.seconds).sum();
        let cells: Vec<String> = runs.iter().zip(references).map(|(run, reference)| run.cell(reference)).collect();
        println!("| {method} | {elements} | {index} | {degree} | {} | {seconds:.1} |", cells.join(" | "));
    };
    for elements in [1, 2, 4, 8, 16] {
        line("sequential", elements, 240);
    }
    for method in ["space-march", "galerkin"] {
        for elements in [8, 16, 32, 64] {
            line(method, elements, 15 * elements);
        }
    }
}
