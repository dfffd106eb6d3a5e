//! Optimal control problems: their optima, and numbers of iterations, which `tests/data/iterations.txt` pins.
//!
//! `LARIAT_BLESS=1` writes that file again.

use std::fmt::Write;
use std::path::Path;

use super::{bits, solved};
use crate::problems::cops::{chain, glider, robot, rocket, steering, steering_with_end_time_at_most};
use lariat::nlp::graph::Program;
use lariat::solver::constrained::{Options, Status};

const PINNED: &str = "tests/data/iterations.txt";
/// Relative accuracy of the optima.
const OPTIMUM: f64 = 1e-6;

/// A problem with its optima by number of steps, as IPOPT 3.14 finds them too, and the largest number of iterations that
/// IPOPT takes for these.
struct Control {
    name: &'static str,
    build: fn(usize) -> Program,
    optima: &'static [(usize, f64)],
    peer: usize,
}

const PROBLEMS: [Control; 5] = [
    Control {
        name: "steering",
        build: steering,
        optima: &[(50, 0.5546687649), (100, 0.5545954012), (200, 0.5545770161), (400, 0.5545724137)],
        peer: 15,
    },
    Control {
        name: "robot",
        build: robot,
        optima: &[(50, 9.1468788542), (100, 9.1426860854), (200, 9.1413969513), (400, 9.1410270693)],
        peer: 25,
    },
    Control {
        name: "rocket",
        build: rocket,
        optima: &[(50, -1.0128169346), (100, -1.0128316764), (200, -1.0128349946), (400, -1.0128352213)],
        peer: 27,
    },
    Control {
        name: "chain",
        build: chain,
        optima: &[(50, 5.0722614940), (100, 5.0697846107), (200, 5.0689173418), (400, 5.0686216945)],
        peer: 7,
    },
    Control { name: "glider", build: glider, optima: &[(50, -1286.9773754), (200, -1248.8094267)], peer: 299 },
];

#[test]
fn optima_and_iterations() {
    let (mut table, mut wrong) = (String::from("# problem, steps, iterations\n"), Vec::new());
    for Control { name, build, optima, peer } in &PROBLEMS {
        for (n, optimum) in *optima {
            let found = solved(&mut build(*n), &Options::default()).unwrap();
            let iterations = found.iterations.last().unwrap().iter;
            writeln!(table, "{name} {n} {iterations}").unwrap();
            let right = found.status == Status::Solved
                && (found.objective - optimum).abs() <= OPTIMUM * optimum.abs()
                && found.violation <= Options::default().violation;
            if !right {
                wrong.push(format!("{name} {n}: {} {} after {iterations}", found.status.name(), found.objective));
            }
            if 2 * iterations > 3 * peer {
                wrong.push(format!("{name} {n}: {iterations} iterations, IPOPT {peer}"));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PINNED);
    if std::env::var_os("LARIAT_BLESS").is_some() {
        std::fs::write(&path, &table).unwrap();
    }
    let pinned = std::fs::read_to_string(&path).unwrap();
    assert_eq!(table, pinned, "if the new numbers are meant, write {PINNED} again with LARIAT_BLESS=1");
}

#[test]
fn runs_repeat_bit_for_bit() {
    for Control { name, build, .. } in &PROBLEMS {
        let run = || solved(&mut build(50), &Options::default()).unwrap();
        assert_eq!(bits(&run()), bits(&run()), "{name}");
    }
}

/// An end time below the shortest one is named, with the shortest one.
#[test]
fn an_end_time_that_is_too_short_is_explained() {
    let found = solved(&mut steering_with_end_time_at_most(50, 0.3), &Options::default()).unwrap();
    assert_eq!(found.status, Status::Infeasible);
    let explanation = found.explanation.unwrap();
    let conflict = explanation.conflicts.iter().find(|conflict| conflict.bound == "end time ≤ 0.3").unwrap();
    assert!((conflict.needed - 0.5546687649).abs() < 1e-6, "{explanation}");
    assert!(found.message.unwrap().contains("at least 0.5547 is needed"));
}
