//! Optimal control problems: optima, and numbers of iterations, which `tests/data/iterations.txt` pins.
//!
//! `LARIAT_BLESS=1` writes that file again.

use std::collections::BTreeMap;
use std::path::Path;

use super::problems::cops::{chain, glider, robot, rocket, steering};
use super::{bits, solved};
use lariat::nlp::graph::Program;
use lariat::solver::constrained::{Options, Status};

const PINNED: &str = "tests/data/iterations.txt";

/// One problem: name, optima by number of steps, and the largest number of iterations that IPOPT 3.14 takes for them.
struct Control {
    name: &'static str,
    build: fn(usize) -> Program,
    optima: &'static [(usize, f64)],
    peer: usize,
}

const PROBLEMS: [Control; 5] = [
    Control { name: "steering", build: steering, optima: &[], peer: 15 },
    Control { name: "robot", build: robot, optima: &[], peer: 25 },
    Control { name: "rocket", build: rocket, optima: &[], peer: 27 },
    Control { name: "chain", build: chain, optima: &[], peer: 7 },
    Control { name: "glider", build: glider, optima: &[], peer: 60 },
];

#[test]
fn print() {
    for problem in &PROBLEMS {
        for n in [50, 100, 200, 400] {
            let clock = std::time::Instant::now();
            let found = solved(&mut (problem.build)(n), &Options::default()).unwrap();
            println!(
                "{} {n}: {} {:.10} {} {:e} {:?}",
                problem.name,
                found.status.name(),
                found.objective,
                found.iterations.len() - 1,
                found.violation,
                clock.elapsed()
            );
        }
    }
}
