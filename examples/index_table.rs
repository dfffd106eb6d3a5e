//! Prints what happens to the quarter turn of `problems/beam-quarter-turn.toml` when the beam is cut into elements before time is
//! (method `sequential`), and what the methods give that see space and time at once.
//!
//! Two paths: the one of the file, whose fourth derivative jumps at t = 2 s and 4 s, and one with derivatives of every order.
//! `cargo run --release --example index_table`
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::time::Instant;

use lariat::problem::{Question, gallery, load};
use lariat::results::Report;
use lariat::tasks::{Silent, inverse_dynamics};

/// A step with derivatives of every order; at the ends of the interval it is at rest to 1e-13.
const SMOOTH: &str = "(1 + tanh(5*(t - 3)))/2";
/// Peak of the base torque on the file's own path: independent reference, Fourier series in time and Runge-Kutta along s.
const TORQUE: f64 = 1.278_019_2;

struct Run {
    report: Report,
    structure: Option<(usize, usize)>,
    seconds: f64,
}

fn solve(method: &str, elements: usize, steps: usize, smooth: bool) -> Run {
    let text = gallery().iter().find(|(name, _)| *name == "beam-quarter-turn").unwrap().1;
    let mut overrides = vec![
        format!("rod.beam.elements={elements}"),
        format!("time.steps={steps}"),
        format!("task.inverse-dynamics.method={method}"),
        "expect={}".to_owned(),
    ];
    if smooth {
        overrides.push(format!("let.sigma={SMOOTH}"));
    }
    let clock = Instant::now();
    let problem = load("beam-quarter-turn.toml", text, &overrides).unwrap_or_else(|found| panic!("{found}"));
    let (outcome, structure) = match &problem.question {
        Question::Servo(system) => {
            let (_, found) = system.analyse().unwrap();
            let degree = found.relative_degrees.iter().copied().max().unwrap_or(0);
            (inverse_dynamics::sequential::run(system, &mut Silent), Some((found.index, degree)))
        }
        Question::InverseDynamics(system, spec) => (inverse_dynamics::run(system, spec, &mut Silent), None),
        other => panic!("{other:?}"),
    };
    Run { report: outcome.report, structure, seconds: clock.elapsed().as_secs_f64() }
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
                None => self.report.status.clone(),
            };
        };
        let verified = if self.report.status == "solved" { "" } else { ", not verified" };
        let jumps = self.report.warnings.iter().any(|warning| warning.starts_with("the actuation jumps"));
        let jumps = if jumps { ", jumps" } else { "" };
        format!("{torque:.6} ({:+.1e}{jumps}{verified})", torque - reference)
    }
}

fn main() {
    let fine = solve("space-march", 240, 4800, true);
    let smooth = fine.torque().expect("space-march solves the smooth path");
    println!("Largest torque at the base, with its deviation from that of the continuous beam:");
    println!("{TORQUE} on the path of the file, {smooth:.7} on the smooth path (space-march, 240 × 4800).\n");
    println!("| method | elements | index | derivatives used | path of the file | smooth path | s |");
    println!("|---|---|---|---|---|---|---|");
    for elements in [1, 2, 4, 8, 16] {
        let (own, other) = (solve("sequential", elements, 240, false), solve("sequential", elements, 240, true));
        let (index, degree) = own.structure.unwrap_or_default();
        println!(
            "| sequential | {elements} | {index} | {degree} | {} | {} | {:.1} |",
            own.cell(TORQUE),
            other.cell(smooth),
            own.seconds + other.seconds
        );
    }
    for method in ["space-march", "galerkin"] {
        for elements in [4, 8, 16, 32, 64] {
            let steps = 15 * elements;
            let (own, other) = (solve(method, elements, steps, false), solve(method, elements, steps, true));
            println!(
                "| {method} | {elements} | – | 2 | {} | {} | {:.1} |",
                own.cell(TORQUE),
                other.cell(smooth),
                own.seconds + other.seconds
            );
        }
    }
}
