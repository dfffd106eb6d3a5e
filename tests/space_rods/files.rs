//! Saved results: columns, fields, and verification from the saved actuation alone.

use lariat::problem::{self, Question};
use lariat::tasks::{Silent, inverse_dynamics};

use super::manoeuvre::{Pose, text};

#[test]
fn a_result_tells_everything_and_is_verified_again_from_its_actuation() {
    let text = text(&Pose { payload: true, ..Pose::new(120, 20, "auto") });
    let problem = problem::load("test.toml", &text, &[]).unwrap();
    let Question::InverseDynamics(system, spec) = &problem.question else { panic!("not inverse dynamics") };
    let outcome = inverse_dynamics::run(system, spec, &mut Silent);
    assert_eq!((outcome.report.status.as_str(), outcome.report.method.as_str()), ("solved", "space-march"));
    let names: Vec<&str> = outcome.actuation.columns.iter().map(|(name, _)| name.as_str()).collect();
    let acts = ["force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z"];
    assert_eq!(names, acts.map(|act| format!("base.{act}")));
    for column in ["arm.start.x", "arm.end.turn_z", "gripper.y"] {
        assert!(outcome.motion.column(column).is_some(), "{column}");
    }
    let field = &outcome.rods[0];
    for name in ["x", "p0", "p3", "velocity_z", "spin_x", "force_y", "moment_z"] {
        assert_eq!(field.field(name).unwrap().len(), 21 * 121, "{name}");
    }
    // Orientations are unit quaternions.
    let p = ["p0", "p1", "p2", "p3"].map(|name| field.field(name).unwrap());
    let off = (0..p[0].len()).map(|i| (p.iter().map(|c| c[i] * c[i]).sum::<f64>() - 1.0).abs()).fold(0.0, f64::max);
    assert!(off < 1e-14, "{off}");
    // Work and energy balance to the error of the grid, which is second order: 120 steps leave about a percent.
    let energy = outcome.report.energy.as_ref().unwrap();
    assert!(energy.max_imbalance < 0.02 * energy.peak, "{energy:?}");
    let recorded = outcome.report.verification.as_ref().unwrap();
    let again = inverse_dynamics::reverify(system, spec, &outcome, &mut Silent).unwrap();
    assert!(recorded.passed && again.passed);
    assert_eq!(recorded.max_error, again.max_error);
    // Another actuation does not follow the path.
    let mut wrong = outcome.clone();
    wrong.actuation.columns[5].1.iter_mut().for_each(|torque| *torque *= 1.1);
    assert!(!inverse_dynamics::reverify(system, spec, &wrong, &mut Silent).unwrap().passed);
}
