//! Problem files as text, solved through the library.

use lariat::problem::{self, Question};
use lariat::results::Outcome;
use lariat::tasks::{Silent, inverse_dynamics};
use nalgebra::{Matrix3, Vector3};

/// Solve and verify.
pub fn solve(text: &str) -> Outcome {
    let problem = problem::load("test.toml", text, &[]).unwrap_or_else(|found| panic!("{found}\n{text}"));
    match &problem.question {
        Question::InverseDynamics(system, spec) => inverse_dynamics::run(system, spec, &mut Silent),
        other => panic!("not inverse dynamics: {other:?}"),
    }
}

/// What is wrong with a file, and what helps.
pub fn complaint(text: &str) -> String {
    match problem::load("test.toml", text, &[]) {
        Ok(_) => panic!("accepted:\n{text}"),
        Err(found) => {
            let told =
                |one: &problem::Diagnostic| format!("{}\n{}", one.message, one.help.as_deref().unwrap_or_default());
            found.list.iter().map(told).collect::<Vec<_>>().join("\n")
        }
    }
}

/// A rotation, from a seed.
pub fn rotation(seed: u64) -> Matrix3<f64> {
    // Numbers between −1 and 1 by a linear congruence (Knuth's MMIX).
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    let (angle, axis) = (3.0 * next(), Vector3::new(next(), next(), next()).normalize());
    *nalgebra::Rotation3::from_scaled_axis(axis * angle).matrix()
}

/// A vector as an array of a file.
pub fn array(v: Vector3<f64>) -> String {
    format!("[{:?}, {:?}, {:?}]", v[0], v[1], v[2])
}

/// Columns `PREFIX_x`, `_y`, `_z` of the actuation as vectors.
pub fn vectors(outcome: &Outcome, prefix: &str) -> Vec<Vector3<f64>> {
    let column = |axis: &str| outcome.actuation.column(&format!("{prefix}_{axis}")).unwrap();
    let [x, y, z] = ["x", "y", "z"].map(column);
    (0..x.len()).map(|k| Vector3::new(x[k], y[k], z[k])).collect()
}

/// Largest difference relative to the largest value.
pub fn difference(found: &[Vector3<f64>], wanted: &[Vector3<f64>]) -> f64 {
    assert_eq!(found.len(), wanted.len());
    let scale = wanted.iter().map(|v| v.norm()).fold(0.0, f64::max);
    found.iter().zip(wanted).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max) / scale
}
