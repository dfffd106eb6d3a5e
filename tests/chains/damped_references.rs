//! Damped rods against forces that were computed independently (see `tests/data/SOURCES.md`), at steps of 0.01 s.

use std::path::Path;

use lariat::results::Outcome;

use crate::{solved, task};

/// Largest error that is allowed of a column, over its maximum.
const ALLOWED: f64 = 2e-4;

/// For each column of the reference, the largest error over the maximum; instants of the reference are instants of the answer.
fn errors(outcome: &Outcome, name: &str, columns: &[&str]) -> Vec<f64> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(format!("{name}.csv"));
    let text = std::fs::read_to_string(file).unwrap();
    let rows: Vec<Vec<f64>> =
        text.lines().skip(1).map(|line| line.split(',').map(|x| x.parse().unwrap()).collect()).collect();
    assert_eq!((rows.len(), rows[0].len()), (101, columns.len() + 1));
    let every = (outcome.actuation.t.len() - 1) / 100;
    let of_column = |(c, column): (usize, &&str)| {
        let found = outcome.actuation.column(&format!("base.{column}")).unwrap();
        let largest = rows.iter().map(|row| row[c + 1].abs()).fold(0.0, f64::max);
        let off = rows.iter().enumerate().map(|(k, row)| (found[k * every] - row[c + 1]).abs()).fold(0.0, f64::max);
        off / largest
    };
    columns.iter().enumerate().map(of_column).collect()
}

/// Unit beam whose tip follows a quarter circle, σ = (1 + erf(b (t − 5)))/2.
fn quarter_circle(retardation: f64, b: f64) -> Outcome {
    let text = format!(
        r#"
dimension = 2
[time]
end = 10.0
steps = 1000
[let]
sigma = "(1 + erf({b}*(t - 5)))/2"
[rod.beam]
model = "beam"
from = [0.0, 0.0]
to = [1.0, 0.0]
elements = 40
stiffness = {{ axial = 1.0, shear = 1.0, bending = 1.0 }}
inertia = {{ mass = 1.0, rotary = 1.0 }}
damping = {{ time = {retardation} }}
[actuator.base]
at = "beam.start"
acts = ["force_x", "force_y", "torque"]
[servo.tip]
at = "beam.end"
x = "cos(pi/2*sigma)"
y = "sin(pi/2*sigma)"
angle = "pi/2*sigma"
{}"#,
        task("space-march")
    );
    solved(&text)
}

/// The errors are small, and the one told is not far below and not far above the largest.
fn judge(outcome: &Outcome, name: &str, columns: &[&str]) {
    let found = errors(outcome, name, columns);
    assert!(found.iter().all(|error| *error < ALLOWED), "{name}: {found:?}");
    let worst = found.iter().copied().fold(0.0, f64::max);
    let told = outcome.report.residuals["estimated_relative_error"];
    // What is told is relative to the change of the force as a whole, of which one column is a part.
    assert!((0.5 * worst..20.0 * worst).contains(&told), "{name}: told {told:e}, true {found:?}");
}

#[test]
fn a_lightly_damped_beam() {
    judge(&quarter_circle(0.01, 2.0), "beam_kv_010", &["force_x", "force_y", "torque"]);
}

#[test]
fn a_damped_beam() {
    judge(&quarter_circle(0.05, 1.5), "beam_kv_050", &["force_x", "force_y", "torque"]);
}

#[test]
fn a_damped_beam_on_a_slow_path() {
    judge(&quarter_circle(0.05, 1.2), "beam_kv_050_slow", &["force_x", "force_y", "torque"]);
}

/// A tapered, naturally curved and twisted rod in space under gravity: the problem of the gallery.
#[test]
fn a_damped_rod_in_space() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("problems/rod-space-damped.toml");
    let outcome = solved(&std::fs::read_to_string(file).unwrap());
    let columns = ["force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z"];
    judge(&outcome, "rod3d_kv", &columns);
}
