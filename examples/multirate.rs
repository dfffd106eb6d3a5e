//! Computing time of the Fermi-Pasta-Ulam chain over the number of micro steps, and what is lost by long macro steps.
//!
//! The stiff springs are integrated with micro steps of 1 ms throughout; the soft springs, quartic in their extension and the
//! larger part of the work, only once in p of them. Prints a table of processor times, means of several runs, and of errors
//! against a motion with p = 1 and half the micro step, and draws them to the folder given as argument, `docs` if there is none.
//! `cargo run --release --example multirate`
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use lariat::discretisation::dmoc::{At, Mechanics};
use lariat::discretisation::multirate::{Multirate, Quadrature};
use lariat::nlp::graph::Expr;
use lariat::plots::{Format, chart};
use lariat::tasks::simulation::lagrangian::MultirateMarcher;

const OMEGA: f64 = 50.0;
/// Length of the motion and of a micro step, second.
const END: f64 = 2.4;
const MICRO_STEP: f64 = 1e-3;
const MICRO: [usize; 9] = [1, 2, 4, 6, 10, 15, 20, 30, 40];
const RUNS: usize = 10;

/// Pairs of unit masses joined by stiff springs: displacements of the pairs, then extensions of the springs.
struct Chain {
    springs: usize,
}

impl Mechanics for Chain {
    fn coordinates(&self) -> Vec<String> {
        ["pair", "spring"].iter().flat_map(|name| (1..=self.springs).map(move |i| format!("{name} {i}"))).collect()
    }
    fn controls(&self) -> Vec<String> {
        Vec::new()
    }
    fn lagrangian<'g>(&self, at: &At<'g>) -> Expr<'g> {
        let kinetic = at.v.iter().map(|v| 0.5 * v.square());
        let stiff = at.q[self.springs..].iter().map(|x| -0.5 * OMEGA * OMEGA * x.square());
        at.graph.sum(kinetic.chain(stiff).collect::<Vec<_>>())
    }
    fn forces<'g>(&self, at: &At<'g>) -> Vec<Expr<'g>> {
        vec![at.graph.constant(0.0); at.q.len()]
    }
}

fn chain(springs: usize, micro: usize, [slow, fast]: [Quadrature; 2]) -> Multirate {
    Multirate {
        mechanics: Arc::new(Chain { springs }),
        slow_potential: Some(Arc::new(move |at| {
            let (x, y) = at.q.split_at(springs);
            let inner = (1..springs).map(|i| (x[i] - y[i] - x[i - 1] - y[i - 1]).powi(4));
            let walls = [(x[0] - y[0]).powi(4), (x[springs - 1] + y[springs - 1]).powi(4)];
            0.25 * at.graph.sum(inner.chain(walls).collect::<Vec<_>>())
        })),
        fast: (0..2 * springs).map(|i| i >= springs).collect(),
        micro,
        slow_quadrature: slow,
        fast_quadrature: fast,
    }
}

/// Displacements of the pairs at the end, and the time that took, second.
fn run(system: &Multirate, step: f64, steps: usize) -> (Vec<f64>, f64) {
    let springs = system.fast.len() / 2;
    let wave = |k: usize| (0.7 * k as f64).cos();
    let q: Vec<f64> = (0..2 * springs).map(|i| if i < springs { 0.8 * wave(i) } else { wave(i) / OMEGA }).collect();
    let v: Vec<f64> = (0..2 * springs).map(|i| 0.5 * wave(i + 3)).collect();
    let (mut spent, mut end) = (0.0, Vec::new());
    for _ in 0..RUNS {
        let mut marcher = MultirateMarcher::new(system, step, 0.0, &q, &v).expect("a chain");
        let clock = Instant::now();
        let begun = processor_time(clock);
        (0..steps).for_each(|_| marcher.advance().expect("a step"));
        spent += (processor_time(clock) - begun).as_secs_f64();
        end = marcher.state().q[..springs].to_vec();
    }
    (end, spent / RUNS as f64)
}

/// Time that this thread has used, where the system tells it, else the time of day.
fn processor_time(since: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(|| since.elapsed(), Duration::from_nanos)
}

fn main() {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "docs".to_owned());
    let schemes = [
        ("implicit", [Quadrature::Midpoint, Quadrature::Midpoint]),
        ("explicit slow", [Quadrature::Affine(0.5), Quadrature::Midpoint]),
        ("explicit, weight 1/2", [Quadrature::Affine(0.5), Quadrature::Affine(0.5)]),
    ];
    let count = |step: f64| (END / step).round() as usize;
    let mut panels = Vec::new();
    for springs in [10, 50] {
        let half = 0.5 * MICRO_STEP;
        let (exact, _) = run(&chain(springs, 1, schemes[0].1), half, count(half));
        let mut times = Vec::new();
        for (name, quadratures) in schemes {
            let mut column = Vec::new();
            for micro in MICRO {
                let step = MICRO_STEP * micro as f64;
                let (found, seconds) = run(&chain(springs, micro, quadratures), step, count(step));
                let error = found.iter().zip(&exact).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
                println!(
                    "{:>4} masses, {name:<20} p = {micro:>2}: {:8.2} ms, error {error:.1e}",
                    2 * springs,
                    1e3 * seconds
                );
                column.push(1e3 * seconds);
            }
            times.push((name.to_owned(), column));
        }
        panels.push((springs, times));
    }
    let along: Vec<f64> = MICRO.iter().map(|p| *p as f64).collect();
    let names: Vec<String> = panels.iter().map(|(springs, _)| format!("time, {} masses", 2 * springs)).collect();
    let panels = panels.into_iter().zip(&names).map(|((_, curves), name)| ((name.as_str(), "ms"), curves)).collect();
    let title = "Computing time of a Fermi-Pasta-Ulam chain, micro steps of 1 ms";
    let picture = chart(title, ("micro steps in a macro step p", "", &along), panels, Format::Png).expect("a picture");
    std::fs::write(format!("{folder}/multirate.png"), picture).expect("a folder to draw to");
}
