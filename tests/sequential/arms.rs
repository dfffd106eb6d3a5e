//! Fully actuated arms: index 3, against the equations of motion in joint angles.

use super::*;

const G: f64 = 9.81;
/// Masses, inertias, distances of the mass centres, and the length of the first link.
const M: [f64; 2] = [3.0, 1.5];
const I: [f64; 2] = [0.09, 0.03125];
const C: [f64; 2] = [0.3, 0.25];
const L: f64 = 0.6;

/// An arm whose second link stands upright on the end of the first, which is level.
fn arm(servo: &str) -> String {
    format!(
        r#"
dimension = 2
gravity = [0.0, -9.81]
[time]
end = 2.0
steps = 80
[let]
a = "0.7*(1 - cos(t))"
b = "-0.6*(1 - cos(1.3*t))"
[body.upper]
mass = 3.0
inertia = 0.09
position = [0.3, 0.0]
[body.fore]
mass = 1.5
inertia = 0.03125
position = [0.6, 0.25]
[joint.shoulder]
between = ["ground", "upper"]
type = "revolute"
at = [0.0, 0.0]
[joint.elbow]
between = ["upper", "fore"]
type = "revolute"
at = [0.6, 0.0]
[actuator.lower]
at = "shoulder"
acts = ["torque"]
[actuator.higher]
at = "elbow"
acts = ["torque"]
{servo}
[task.inverse-dynamics]
"#
    )
}

/// Torques for the angles a and π/2 + b of the joints, by the Lagrangian in these.
fn torques(t: f64) -> [f64; 2] {
    let (a, da, dda) = (0.7 * (1.0 - t.cos()), 0.7 * t.sin(), 0.7 * t.cos());
    let w = 1.3;
    let (b, db, ddb) = (-0.6 * (1.0 - (w * t).cos()), -0.6 * w * (w * t).sin(), -0.6 * w * w * (w * t).cos());
    let b = b + std::f64::consts::FRAC_PI_2;
    let coupling = M[1] * L * C[1];
    let own = M[1] * C[1] * C[1] + I[1];
    let mixed = own + coupling * b.cos();
    let whole = M[0] * C[0] * C[0] + I[0] + M[1] * L * L + own + 2.0 * coupling * b.cos();
    let weight = M[1] * C[1] * G * (a + b).cos();
    let first = whole * dda + mixed * ddb - coupling * b.sin() * (2.0 * da * db + db * db)
        + (M[0] * C[0] + M[1] * L) * G * a.cos()
        + weight;
    let second = mixed * dda + own * ddb + coupling * b.sin() * da * da + weight;
    [first, second]
}

/// Joint angles, or the place of the second link, prescribed: the same torques, to rounding.
#[test]
fn an_arm_has_the_torques_of_its_joint_angles() {
    let joints = "[servo.lower]\nat = \"shoulder\"\nangle = \"a\"\n[servo.higher]\nat = \"elbow\"\nangle = \"b\"";
    let quantity = "[servo.lower]\nat = \"upper.angle\"\npath = \"a\"\n[servo.higher]\nat = \"fore.angle - upper.angle\"\npath = \"b\"";
    let place = "[servo.hand]\nat = \"fore\"\nx = \"0.6*cos(a) + 0.25*cos(a + b + pi/2)\"\ny = \"0.6*sin(a) + 0.25*sin(a + b + pi/2)\"";
    for servo in [joints, quantity, place] {
        let text = arm(servo);
        assert_eq!(mechanism(&text), (3, 0, vec![2, 2], "orthogonal"), "{servo}");
        let outcome = solved(&text);
        assert!(outcome.report.method_reason.starts_with("auto: "), "{}", outcome.report.method_reason);
        for k in 0..=80 {
            let t = 0.025 * f64::from(k);
            for (name, wanted) in ["lower.torque", "higher.torque"].into_iter().zip(torques(t)) {
                let error = (at(&outcome, name, t) - wanted).abs();
                assert!(error < 1e-10, "{servo}: {name} at {t} is off by {error:.1e}");
            }
        }
    }
}

/// One input reaches its output directly, the other through a spring.
#[test]
fn realisations_may_be_mixed() {
    let text = "[time]\nend = 4\nsteps = 80\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\ncontrols = [\"f\", \"h\"]\nlagrangian = \"x_dot^2/2 + y_dot^2/2 + z_dot^2 - 5*(x - y)^2\"\nforces = { x = \"f\", z = \"h\" }\n[servo.far]\nat = \"y\"\npath = \"rest(t, 0, 4, 5)\"\n[servo.near]\nat = \"z\"\npath = \"rest(t, 0, 4, 3)\"\n[task.inverse-dynamics]\nmethod = \"sequential\"\n";
    assert_eq!(mechanism(text), (5, 0, vec![4, 2], "mixed"));
    let outcome = solved(text);
    // 10 u³ − 15 u⁴ + 6 u⁵ has the second derivative 60 u − 180 u² + 120 u³ over T² = 16; twice that is the force.
    let u = 0.25f64;
    let wanted = 2.0 * (60.0 * u - 180.0 * u * u + 120.0 * u * u * u) / 16.0;
    assert!((at(&outcome, "h", 1.0) - wanted).abs() < 1e-12);
}

/// A rigid body in space: force and torque of a spin about an axis that is not principal.
#[test]
fn a_body_in_space_needs_the_torque_of_euler() {
    let text = r#"
dimension = 3
gravity = [0.0, 0.0, -9.81]
[time]
end = 1.0
steps = 40
[body.b]
mass = 2.0
inertia = [1.0, 2.0, 3.0]
position = [0.0, 0.0, 0.0]
[joint.axle]
between = ["ground", "b"]
type.revolute = { axis = [0.0, 0.6, 0.8] }
at = [0.0, 0.0, 0.0]
[actuator.motor]
at = "axle"
acts = ["torque"]
[servo.turn]
at = "axle"
angle = "rest(t, 0, 1, 3)"
[task.inverse-dynamics]
"#;
    assert_eq!(mechanism(text).0, 3);
    let outcome = solved(text);
    // nᵀ I n = 0.36 · 2 + 0.64 · 3.
    for t in [0.25f64, 0.5, 0.75] {
        let wanted = 2.64 * (60.0 * t - 180.0 * t * t + 120.0 * t * t * t);
        assert!((at(&outcome, "motor.torque", t) - wanted).abs() < 1e-10, "{t}");
    }
}
