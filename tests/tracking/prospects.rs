//! What is known before the motion is sought, and orientations as outputs.

use super::*;
use lariat::results::Iteration;
use lariat::tasks::Observer;

/// A weight on an arm without mass, m g l = 9.81 N m.
const LEVER: &str = r#"
dimension = 2
gravity = [0.0, -9.81]
[time]
end = 3.0
steps = 60
[body.weight]
mass = 2.0
inertia = 0.01
position = [0.5, 0.0]
[joint.bearing]
between = ["ground", "weight"]
type = "revolute"
at = [0.0, 0.0]
[actuator.motor]
at = "bearing"
acts = ["torque"]
[servo.arm]
at = "bearing"
angle = "0.2*rest(t, 0.5, 2.5, 5)"
[task.inverse-dynamics]
method = "optimise"
bounds = { "motor.torque" = [-5.0, 5.0] }
"#;

#[test]
fn a_motor_that_cannot_hold_the_weight_is_told_before_the_work() {
    let posed = system(LEVER, &[]).pose(&|| true).unwrap();
    let told = posed.warnings.join("\n");
    assert!(told.contains("motor.torque = 9.8100, beyond its limit 5"), "{told}");
    let strong = system(LEVER, &["task.inverse-dynamics.bounds={\"motor.torque\"=[-12, 12]}"]).pose(&|| true).unwrap();
    assert!(strong.warnings.is_empty(), "{:?}", strong.warnings);
    // Holding and accelerating: m g l cos φ + (m l² + 0.01) φ̈, with φ̈ = 0.2 · 630 · 4 (u (1 − u))³ (1 − 2u)/4 and φ still small.
    let largest = 9.81 + 0.51 * 0.2 * 630.0 * 0.003_71;
    assert!((strong.needed[0] - largest).abs() < 0.02 * largest, "{:?}", strong.needed);
}

/// Rods stiffer than their actuators are strong rest all the same.
#[test]
fn a_stiff_arm_rests() {
    let text = gallery("two-link-flexible");
    let own = ["task.inverse-dynamics.method=optimise", "expect={}", "time.steps=100"];
    let posed = system(text, &own).pose(&|| true).unwrap();
    assert!(posed.warnings.is_empty(), "{:?}", posed.warnings);
    // The rigid links need 5.37 and 1.12 N m.
    assert!(posed.needed[0] > 2.5 && posed.needed[0] < 6.0, "{:?}", posed.needed);
    assert!(posed.needed[1] > 0.5 && posed.needed[1] < 4.0, "{:?}", posed.needed);
}

#[test]
fn too_little_time_before_the_path_is_told_before_the_work() {
    let hurried = ["let.sigma=rest(t, 0, 1.5, 2)", "rod.link.stiffness.bending=0.3", "time.end=1.5", "time.steps=150"];
    let own = ["task.inverse-dynamics.method=optimise", "expect={}"];
    let told =
        system(gallery("hub-arm-exact"), &[&own[..], &hurried].concat()).pose(&|| true).unwrap().warnings.join("\n");
    assert!(told.contains("before the paths move"), "{told}");
    let calm = system(gallery("hub-arm-exact"), &own).pose(&|| true).unwrap().warnings;
    assert!(calm.is_empty(), "{calm:?}");
}

/// Has had enough from the start.
struct Impatient;

impl Observer for Impatient {
    fn phase(&mut self, _: &str, _: usize) {}
    fn progress(&mut self, _: usize) {}
    fn iteration(&mut self, _: &Iteration) {}
    fn note(&mut self, _: &str) {}
    fn interrupted(&self) -> bool {
        true
    }
}

#[test]
fn the_search_for_rests_can_be_interrupted() {
    let outcome = run(&system(gallery("flexible-arm"), &[]), &mut Impatient);
    assert_eq!(outcome.report.status, "interrupted");
}

/// A body turns about an axis that is none of its own: torque = J α about that axis, J being the same about all axes.
#[test]
fn an_orientation_in_space_is_followed() {
    let text = r#"
dimension = 3
[time]
end = 4.0
steps = 200
[body.top]
mass = 1.0
inertia = 0.1
position = [0.0, 0.0, 0.0]
orientation = [0.3, -0.2, 0.5]
[actuator.drive]
at = "top"
acts = ["torque_x", "torque_y", "torque_z"]
[servo.top]
at = "top"
turn = { axis = [1.0, 2.0, 2.0], angle = "1.5*rest(t, 1, 3, 6)" }
[task.inverse-dynamics]
method = "optimise"
"#;
    let outcome = solved(text, &[]);
    // The density of rest(6) over [1, 3] is 2772 (u (1 − u))⁵/2; its derivative is that of the angular velocity.
    let acceleration = |t: f64| {
        let u = (t - 1.0) / 2.0;
        match (0.0..=1.0).contains(&u) {
            true => 1.5 * 2772.0 / 4.0 * 5.0 * (u * (1.0 - u)).powi(4) * (1.0 - 2.0 * u),
            false => 0.0,
        }
    };
    for (axis, component) in [("x", 1.0 / 3.0), ("y", 2.0 / 3.0), ("z", 2.0 / 3.0)] {
        let found = outcome.actuation.column(&format!("drive.torque_{axis}")).unwrap();
        let peak = 0.1 * 1.5 * 2.8;
        for (t, torque) in outcome.actuation.t.iter().zip(found) {
            let wanted = 0.1 * component * acceleration(*t);
            assert!((torque - wanted).abs() < 0.01 * peak, "torque_{axis} at {t}: {torque}, not {wanted}");
        }
    }
    let tracking = outcome.report.tracking.as_ref().unwrap();
    assert!(tracking.outputs.iter().all(|output| output.name.starts_with("top.turn_") && output.max_error < 5e-3));
}
