//! Inverse dynamics along rods in a row with everything that rods and their ends can have. What two descriptions of the same
//! mechanism have in common must come out the same, and every answer is proved by a forward simulation.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod branches;
mod damped;
mod damped_references;
mod ends;
mod equations;
mod joined;
mod leaf_spring;
mod mixed;
mod refused;
mod sections;
mod strings;

use lariat::problem::{self, Question};
use lariat::results::Outcome;
use lariat::tasks::{Silent, inverse_dynamics};

/// Path and grid of all problems here: the tip turns by half a radian on a circle and comes to rest.
pub const PATH: &str = r#"
dimension = 2
[time]
end = 6.0
steps = 120
[let]
sigma = "rest(t, 2, 4, 8)"
[actuator.base]
at = "beam.start"
acts = ["force_x", "force_y", "torque"]
[servo.tip]
at = "beam.end"
x = "1 + cos(0.5*sigma) - 1"
y = "sin(0.5*sigma)"
angle = "0.5*sigma"
"#;

/// The rod of most problems here, up to its section.
pub const ROD: &str = r#"
[rod.beam]
model = "beam"
from = [0.0, 0.0]
to = [1.0, 0.0]
elements = 20
"#;

/// Its section.
pub const UNIFORM: &str = r#"
stiffness = { axial = 1.0, shear = 1.0, bending = 1.0 }
inertia = { mass = 1.0, rotary = 1.0 }
"#;

/// Method and tolerance of the proof.
pub fn task(method: &str) -> String {
    format!("[task.inverse-dynamics]\nmethod = \"{method}\"\nverify = {{ tolerance = 1e-2, refine = 2 }}\n")
}

/// Solves a problem, whose answer must be proved.
pub fn solved(text: &str) -> Outcome {
    let problem = problem::load("test.toml", text, &[]).unwrap_or_else(|found| panic!("{found}\n{text}"));
    let Question::InverseDynamics(system, spec) = &problem.question else { panic!("not inverse dynamics") };
    let outcome = inverse_dynamics::run(system, spec, &mut Silent);
    assert_eq!(outcome.report.status, "solved", "{:?}\n{text}", outcome.report.message);
    assert!(outcome.report.verification.as_ref().is_some_and(|proof| proof.passed));
    // What is found can be written: every frame once, all columns of one length.
    for table in [&outcome.actuation, &outcome.motion, &outcome.servo, &outcome.resimulated] {
        table.check().unwrap_or_else(|error| panic!("{error}\n{text}"));
    }
    outcome
}

/// What the reader says of a problem it refuses.
pub fn refused(text: &str) -> String {
    match problem::load("test.toml", text, &[]) {
        Err(found) => found.to_string(),
        Ok(_) => panic!("taken:\n{text}"),
    }
}

/// Largest difference of two actuations, relative to the largest change of each column of the first.
pub fn apart(a: &Outcome, b: &Outcome) -> f64 {
    let mut worst = 0.0_f64;
    assert_eq!(a.actuation.columns.len(), b.actuation.columns.len());
    for ((_, a), (_, b)) in a.actuation.columns.iter().zip(&b.actuation.columns) {
        let size = a.iter().map(|x| (x - a[0]).abs()).fold(0.0, f64::max);
        let off = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        worst = worst.max(off / size);
    }
    worst
}
