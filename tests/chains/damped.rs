//! Rods and strings with Kelvin-Voigt damping: the strain follows from the stress by a filter in time.

use lariat::problem::{self, Question};
use lariat::tasks::{Silent, inverse_dynamics};

use crate::{UNIFORM, apart, solved, task};

/// Slow and smooth enough for a retardation time of 0.05 s where waves take one second.
const SLOW: &str = r#"
[time]
end = 12.0
steps = 300
[let]
sigma = "rest(t, 3, 9, 12)"
"#;
const PLANE: &str = r#"
[rod.beam]
model = "beam"
from = [0.0, 0.0]
to = [1.0, 0.0]
elements = 20
damping = { time = 0.05 }
"#;
const BASE: &str = r#"
[actuator.base]
at = "beam.start"
acts = ["force_x", "force_y", "torque"]
"#;

fn plane(servo: &str) -> String {
    format!("dimension = 2\n{SLOW}{PLANE}{UNIFORM}{BASE}{servo}{}", task("space-march"))
}

/// A straight beam moved along itself is linear: F = −(1 + iωτ) k sin(kL) EA U for every frequency of the path, with
/// k = (ω/c)(1 + iωτ)^(−1/2), summed over frequencies up to 28 rad/s (24 and 32 differ by 5e-9).
#[test]
fn an_axial_motion_has_the_forces_of_its_transfer_function() {
    let known = [
        0.002765784,
        0.025144262,
        0.074868716,
        0.102718048,
        0.064505129,
        -0.009155541,
        -0.069822679,
        -0.091384335,
        -0.066751976,
        -0.026985518,
        -0.005446519,
        -0.000464399,
    ];
    let outcome = solved(&plane("[servo.tip]\nat = \"beam.end\"\nx = \"1 + 0.3*sigma\"\ny = 0.0\nangle = 0.0\n"));
    let force = outcome.actuation.column("base.force_x").unwrap();
    let dt = 12.0 / 300.0;
    let mut worst = 0.0_f64;
    for (k, known) in known.iter().enumerate() {
        let at = (3.5 + 0.5 * k as f64) / dt;
        let (before, part) = (at.floor() as usize, at.fract());
        // Between instants by a parabola through three of them.
        let [a, b, c] = [before - 1, before, before + 1].map(|j| force[j]);
        let found = b + 0.5 * part * (c - a) + 0.5 * part * part * (a - 2.0 * b + c);
        worst = worst.max((found - known).abs());
    }
    let estimate = outcome.report.residuals["estimated_relative_error"];
    assert!(worst < 1e-3 * 0.103, "{worst:e}");
    assert!(worst / 0.103 < 2.0 * estimate, "true {:e}, estimated {estimate:e}", worst / 0.103);
}

/// A motion in a plane of space, by the kernel of rods in space: the same as by that of the plane.
#[test]
fn a_plane_motion_in_space_is_that_of_the_plane() {
    let flat = solved(&plane(
        "[servo.tip]\nat = \"beam.end\"\nx = \"cos(pi/2*sigma)\"\ny = \"sin(pi/2*sigma)\"\nangle = \"pi/2*sigma\"\n",
    ));
    let rod = r#"
[rod.beam]
model = "rod"
from = [0.0, 0.0, 0.0]
to = [1.0, 0.0, 0.0]
elements = 20
damping = { time = 0.05 }
stiffness = { axial = 1.0, shear = 1.0, bending = 1.0, torsion = 1.0 }
inertia = { mass = 1.0, rotary = 1.0 }
[actuator.base]
at = "beam.start"
acts = ["force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z"]
[servo.tip]
at = "beam.end"
x = "cos(pi/2*sigma)"
y = "sin(pi/2*sigma)"
z = 0.0
turn = { axis = [0, 0, 1], angle = "pi/2*sigma" }
"#;
    let space = solved(&format!("dimension = 3\n{SLOW}{rod}{}", task("space-march")));
    for (one, other) in [("force_x", "force_x"), ("force_y", "force_y"), ("torque", "torque_z")] {
        let of =
            |outcome: &lariat::Outcome, name: &str| outcome.actuation.column(&format!("base.{name}")).unwrap().to_vec();
        let (flat, space) = (of(&flat, one), of(&space, other));
        let largest = flat.iter().fold(0.0_f64, |most, f| most.max(f.abs()));
        let off = flat.iter().zip(&space).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        // The bandwidths are chosen among seven of each, which need not be the same: both are within their estimates.
        assert!(off < 1e-3 * largest, "{one}: {off:e} of {largest:e}");
    }
    // The largest torque of an independent computation: Fourier series in time, Runge-Kutta along s.
    let torque = flat.actuation.column("base.torque").unwrap().iter().fold(0.0_f64, |most, m| most.max(m.abs()));
    assert!((torque / 0.7053091 - 1.0).abs() < 2e-3, "{torque}");
}

/// Coefficients that are proportional to the stiffness are one damping time: r = τ/2 of each stiffness.
#[test]
fn coefficients_and_a_time_agree() {
    let servo = "[servo.tip]\nat = \"beam.end\"\nx = \"1 + 0.2*sigma\"\ny = \"0.3*sigma\"\nangle = \"0.4*sigma\"\n";
    let by_time = solved(&plane(servo));
    let coefficients = "damping = { axial = 0.025, shear = 0.025, bending = 0.025 }";
    let by_coefficients = solved(&plane(servo).replace("damping = { time = 0.05 }", coefficients));
    let found = apart(&by_time, &by_coefficients);
    assert!(found < 1e-10, "{found:e}");
}

/// A damped rope carries a load. Its tension rises and falls by inertia, and the forward simulation follows the path.
#[test]
fn a_damped_rope_is_marched_along() {
    let text = r#"
dimension = 2
gravity = [0.0, -9.81]
[time]
end = 9.0
steps = 300
[let]
sigma = "rest(t, 2, 7, 12)"
[rod.rope]
model = "string"
from = [0.0, 1.0]
to = [0.0, 0.0]
elements = 12
stiffness = { axial = 100.0 }
inertia = { mass = 0.5 }
damping = { time = 0.02 }
[body.load]
mass = 1.0
[joint.hook]
between = ["load", "rope.end"]
type = "rigid"
[actuator.crane]
at = "rope.start"
acts = ["force_x", "force_y"]
[servo.load]
at = "load"
x = "sigma"
y = "0.25*sigma"
"#;
    let outcome = solved(&format!("{text}{}", task("space-march")));
    // At rest the crane carries rope and load: 1.5 kg.
    let force = outcome.actuation.column("crane.force_y").unwrap();
    assert!((force[0] - 1.5 * 9.81).abs() < 1e-6, "{}", force[0]);
}

/// A path much too fast for its damping has no answer: the forces depend on the filter alone.
#[test]
fn a_path_too_fast_for_the_damping_is_refused_with_the_duration_that_would_do() {
    let text = plane(
        "[servo.tip]\nat = \"beam.end\"\nx = \"cos(pi/2*sigma)\"\ny = \"sin(pi/2*sigma)\"\nangle = \"pi/2*sigma\"\n",
    );
    let text = text.replace("rest(t, 3, 9, 12)", "rest(t, 3, 4, 8)").replace("time = 0.05", "time = 0.1");
    let problem = problem::load("test.toml", &text, &[]).unwrap();
    let Question::InverseDynamics(system, spec) = &problem.question else { panic!("not inverse dynamics") };
    let outcome = inverse_dynamics::run(system, spec, &mut Silent);
    assert_eq!(outcome.report.status, "not-applicable");
    let message = outcome.report.message.unwrap_or_default();
    assert!(message.contains("too fast for the damping of rod `beam`"), "{message}");
    // 27 √(0.1 s · 1 s).
    assert!(message.contains("8.53"), "{message}");
}
