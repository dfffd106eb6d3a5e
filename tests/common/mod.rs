//! Shared by the integration tests: gallery problems, reference tables, measured orders.
#![allow(dead_code, clippy::unwrap_used, clippy::panic)]

use std::path::Path;

use lariat::problem::{self, Problem, Question};
use lariat::results::Outcome;
use lariat::tasks::inverse_dynamics::{self, SpaceMotion};
use lariat::tasks::{InverseDynamicsSpec, Silent, System};

/// A gallery problem with overrides.
pub fn gallery(name: &str, overrides: &[&str]) -> Problem {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("problems").join(format!("{name}.toml"));
    let text = std::fs::read_to_string(&file).unwrap();
    let overrides: Vec<String> = overrides.iter().map(|&o| o.to_owned()).collect();
    problem::load(&file.display().to_string(), &text, &overrides).unwrap_or_else(|found| panic!("{found}"))
}

/// The same with a number of time steps, elements and a method.
pub fn gallery_on(name: &str, rod: &str, steps: usize, elements: usize, method: &str) -> Problem {
    gallery(
        name,
        &[
            &format!("time.steps={steps}"),
            &format!("rod.{rod}.elements={elements}"),
            &format!("task.inverse-dynamics.method={method}"),
        ],
    )
}

/// The system of a problem of inverse dynamics and its settings.
pub fn inverse(problem: &Problem) -> (&System, &InverseDynamicsSpec) {
    match &problem.question {
        Question::InverseDynamics(system, spec) => (system, spec),
        other => panic!("not inverse dynamics: {other:?}"),
    }
}

/// Solve and verify.
pub fn run(problem: &Problem) -> Outcome {
    let (system, spec) = inverse(problem);
    inverse_dynamics::run(system, spec, &mut Silent)
}

/// Solve without verification: the motion, and what the actuators apply.
pub fn motion(problem: &Problem) -> SpaceMotion {
    let (system, spec) = inverse(problem);
    let analysis = inverse_dynamics::analyse(system, spec).unwrap();
    inverse_dynamics::solve(system, &analysis, &mut Silent).unwrap().motion
}

/// Columns of a reference file, the first being t.
pub fn reference(name: &str) -> Vec<Vec<f64>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(format!("{name}.csv"));
    let text = std::fs::read_to_string(file).unwrap();
    let rows: Vec<Vec<f64>> =
        text.lines().skip(1).map(|line| line.split(',').map(|x| x.parse().unwrap()).collect()).collect();
    (0..rows[0].len()).map(|c| rows.iter().map(|row| row[c]).collect()).collect()
}

/// Largest error of a column over the instants it shares with the reference, relative to the largest reference value.
pub fn relative_error(start: f64, dt: f64, values: &[f64], reference_t: &[f64], reference: &[f64]) -> f64 {
    let scale = reference.iter().map(|v| v.abs()).fold(0.0, f64::max);
    let mut compared = 0;
    let mut worst = 0.0_f64;
    for (t, wanted) in reference_t.iter().zip(reference) {
        let k = ((t - start) / dt).round();
        if k >= 0.0 && (k as usize) < values.len() && (start + k * dt - t).abs() < 1e-9 {
            worst = worst.max((values[k as usize] - wanted).abs());
            compared += 1;
        }
    }
    assert!(compared > 20, "only {compared} common instants");
    worst / scale
}

/// Errors of all actuation columns of an outcome.
pub fn actuation_errors(outcome: &Outcome, reference_name: &str) -> Vec<f64> {
    let table = reference(reference_name);
    let t = &outcome.actuation.t;
    let columns = outcome.actuation.columns.iter().enumerate();
    columns.map(|(c, (_, values))| relative_error(t[0], t[1] - t[0], values, &table[0], &table[c + 1])).collect()
}

/// Largest error of the forces at s = 0 of a motion on `steps` steps of [0, 6].
pub fn force_error(motion: &SpaceMotion, reference_name: &str) -> f64 {
    let table = reference(reference_name);
    let dt = 6.0 / (motion.instants - 1) as f64;
    [0, 1, 5]
        .into_iter()
        .enumerate()
        .map(|(c, component)| {
            let values: Vec<f64> = motion.driven.iter().map(|f| f[component]).collect();
            relative_error(0.0, dt, &values, &table[0], &table[c + 1])
        })
        .fold(0.0, f64::max)
}

/// Order of convergence between successive halvings.
pub fn orders(errors: &[f64]) -> Vec<f64> {
    errors.windows(2).map(|pair| (pair[0] / pair[1]).log2()).collect()
}

/// Order over a whole sequence of halvings.
pub fn overall_order(errors: &[f64]) -> f64 {
    (errors[0] / errors[errors.len() - 1]).log2() / (errors.len() - 1) as f64
}
