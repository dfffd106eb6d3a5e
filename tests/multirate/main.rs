//! Multirate integration: orders, momenta, energy and known motions.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod equations;
mod files;
mod invariants;
mod orders;
mod references;
mod systems;

use lariat::discretisation::multirate::Multirate;
use lariat::tasks::simulation::lagrangian::MultirateMarcher;
use systems::Start;

/// Values of a system at a time, from `tests/data/multirate.csv`, by the names asked for.
pub fn reference(system: &str, t: f64, names: &[String]) -> Vec<f64> {
    let find = |name: &String| {
        let fields = |line: &'static str| line.split(',').collect::<Vec<_>>();
        let mut lines = include_str!("../data/multirate.csv").lines().skip(1).map(fields);
        let line = lines.find(|line| line[0] == system && line[1].parse::<f64>().unwrap() == t && line[2] == name);
        line.unwrap_or_else(|| panic!("no {name} of {system} at {t}"))[3].parse().unwrap()
    };
    names.iter().map(find).collect()
}

/// The motion after `steps` macro steps until `end`.
pub fn march((system, (q, v)): &(Multirate, Start), end: f64, steps: usize) -> MultirateMarcher {
    let mut marcher = MultirateMarcher::new(system, end / steps as f64, 0.0, q, v).unwrap();
    for _ in 0..steps {
        marcher.advance().unwrap();
    }
    marcher
}

/// Coordinates, then velocities that constraints allow, at the end.
pub fn end_state(problem: &(Multirate, Start), end: f64, steps: usize) -> Vec<f64> {
    let mut marcher = march(problem, end, steps);
    let v = marcher.velocities().unwrap().to_vec();
    [&marcher.state().q[..], &v].concat()
}

/// The end of a motion extrapolated to steps of no length, from `levels` motions with 1, 2, 4, … times as many steps; the error
/// of a symmetric scheme has even powers of the step only.
pub fn extrapolated(problem: &(Multirate, Start), end: f64, steps: usize, levels: u32) -> Vec<f64> {
    // The last row of the table: entry j is free of the first j powers.
    let mut last: Vec<Vec<f64>> = Vec::new();
    for level in 0..levels {
        let mut row = vec![end_state(problem, end, steps << level)];
        for (j, coarse) in last.iter().enumerate() {
            let factor = 4f64.powi(j as i32 + 1) - 1.0;
            row.push(row[j].iter().zip(coarse).map(|(fine, coarse)| fine + (fine - coarse) / factor).collect());
        }
        last = row;
    }
    last.pop().unwrap()
}

/// Largest difference of two lists, as long as the shorter one.
pub fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}
