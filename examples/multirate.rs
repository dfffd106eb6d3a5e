//! Computing time over the number of micro steps, and what is lost by long macro steps.
//!
//! Chains of Fermi, Pasta and Ulam with 40 masses: stiff springs make pairs of them, soft ones, quartic in their extension, join the
//! pairs. In the second system there are soft forces between all pairs as well, so that the slow potential is the larger part of
//! the work. Stiff springs are integrated with micro steps of 1 ms throughout, the slow potential only once in p of them. Prints
//! processor times, least of several runs, and errors against a motion with p = 1 and half the micro step, and draws the times to
//! the folder given as argument, `docs` if there is none.
//! `cargo run --release --example multirate`
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;

use cpu_time::ThreadTime;
use lariat::discretisation::multirate::{Multirate, Quadrature};
use lariat::discretisation::transcription::{At, Mechanics};
use lariat::nlp::graph::Expr;
use lariat::plots::{Format, chart};
use lariat::tasks::simulation::lagrangian::MultirateMarcher;

const OMEGA: f64 = 50.0;
/// Stiff springs, with two masses each.
const SPRINGS: usize = 20;
/// Length of the motion and of a micro step, second.
const END: f64 = 2.4;
const MICRO_STEP: f64 = 1e-3;
const MICRO: [usize; 9] = [1, 2, 4, 6, 10, 15, 20, 30, 40];
const RUNS: usize = 3;

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

/// The chain, with forces between all pairs if these are `wide`.
fn chain(wide: bool, micro: usize, [slow, fast]: [Quadrature; 2]) -> Multirate {
    let springs = SPRINGS;
    Multirate {
        mechanics: Arc::new(Chain { springs }),
        slow_potential: Some(Arc::new(move |at| {
            let (x, y) = at.q.split_at(springs);
            let inner = (1..springs).map(|i| (x[i] - y[i] - x[i - 1] - y[i - 1]).powi(4));
            let walls = [(x[0] - y[0]).powi(4), (x[springs - 1] + y[springs - 1]).powi(4)];
            let soft = 0.25 * at.graph.sum(inner.chain(walls).collect::<Vec<_>>());
            let pairs = (0..springs).flat_map(|i| (0..i).map(move |j| (i, j)));
            let pull = |(i, j): (usize, usize)| -0.02 / (1.0 + (x[i] - x[j]).square()).sqrt();
            if wide { soft + at.graph.sum(pairs.map(pull).collect::<Vec<_>>()) } else { soft }
        })),
        fast: (0..2 * springs).map(|i| i >= springs).collect(),
        micro,
        slow_quadrature: slow,
        fast_quadrature: fast,
    }
}

/// Displacements of the pairs at the end, the time that took, second, and Newton iterations in a macro step.
fn run(system: &Multirate, step: f64, steps: usize) -> (Vec<f64>, f64, f64) {
    let springs = system.fast.len() / 2;
    let wave = |k: usize| (0.7 * k as f64).cos();
    let q: Vec<f64> = (0..2 * springs).map(|i| if i < springs { 0.8 * wave(i) } else { wave(i) / OMEGA }).collect();
    let v: Vec<f64> = (0..2 * springs).map(|i| 0.5 * wave(i + 3)).collect();
    let (mut least, mut end, mut iterations) = (f64::INFINITY, Vec::new(), 0.0);
    for _ in 0..RUNS {
        let mut marcher = MultirateMarcher::new(system, step, 0.0, &q, &v).expect("a chain");
        let clock = ThreadTime::now();
        (0..steps).for_each(|_| marcher.advance().expect("a step"));
        least = least.min(clock.elapsed().as_secs_f64());
        end = marcher.state().q[..springs].to_vec();
        iterations = marcher.iterations as f64 / steps as f64;
    }
    (end, least, iterations)
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
    for (words, wide) in [("chain", false), ("all pairs", true)] {
        let half = 0.5 * MICRO_STEP;
        let (exact, ..) = run(&chain(wide, 1, schemes[0].1), half, count(half));
        let mut times = Vec::new();
        for (name, quadratures) in schemes {
            let mut column = Vec::new();
            for micro in MICRO {
                let step = MICRO_STEP * micro as f64;
                let (found, seconds, iterations) = run(&chain(wide, micro, quadratures), step, count(step));
                let error = found.iter().zip(&exact).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
                let time = 1e3 * seconds;
                println!(
                    "{words:<9} {name:<20} p = {micro:>2}: {time:8.2} ms, {iterations:4.1} iterations, error {error:.1e}"
                );
                column.push(time);
            }
            times.push((name.to_owned(), column));
        }
        panels.push((words, times));
    }
    let along: Vec<f64> = MICRO.iter().map(|p| *p as f64).collect();
    let names: Vec<String> = panels.iter().map(|(words, _)| format!("time, {words}")).collect();
    let panels = panels.into_iter().zip(&names).map(|((_, curves), name)| ((name.as_str(), "ms"), curves)).collect();
    let title = "Computing time of Fermi-Pasta-Ulam chains of 40 masses, 2.4 s with micro steps of 1 ms";
    let picture = chart(title, ("micro steps in a macro step p", "", &along), panels, Format::Png).expect("a picture");
    std::fs::write(format!("{folder}/multirate.png"), picture).expect("a folder to draw to");
}
