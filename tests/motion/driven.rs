//! Actuators with given histories in simulations.

use lariat::problem::{Question, load};
use lariat::results::Outcome;
use lariat::tasks::{Silent, simulation};

fn solved(text: &str) -> Outcome {
    let problem = load("x.toml", text, &[]).unwrap_or_else(|found| panic!("{found}"));
    let Question::Simulate(system, spec) = &problem.question else { panic!("another question") };
    let outcome = simulation::run(system, spec, &mut Silent);
    assert_eq!(outcome.report.status, "solved", "{:?}", outcome.report.message);
    outcome
}

const FREE: &str = r#"
dimension = 2
time = { end = 2.0, steps = 200 }
[body.cart]
mass = 4.0
inertia = 0.5
position = [0.0, 0.0]
[actuator.jet]
at = "cart"
acts = ["force_x", "torque"]
[task.simulate]
controls = { "jet.force_x" = "3*cos(2*t)", "jet.torque" = "0.25" }
"#;

/// x = F/(m ω²) (1 − cos ωt), θ = M t²/(2 J); the work is what the energy grows by.
#[test]
fn a_free_body_moves_as_its_forces_say() {
    let outcome = solved(FREE);
    let motion = |name: &str| *outcome.motion.column(name).unwrap().last().unwrap();
    let known = 3.0 / (4.0 * 4.0) * (1.0 - 4.0_f64.cos());
    assert!((motion("cart.x") - known).abs() < 1e-4, "{} {known}", motion("cart.x"));
    assert!((motion("cart.angle") - 0.25 * 4.0 / (2.0 * 0.5)).abs() < 1e-9);
    assert!(outcome.report.scalars["energy.imbalance"] < 1e-4);
    // Values at the instants are stored.
    let stored = outcome.actuation.column("jet.force_x").unwrap();
    assert!((stored[100] - 3.0 * 2.0_f64.cos()).abs() < 1e-12 && stored.len() == 201);
}

/// A motor at a hinge on the ground does what a torque on the body does, and a jet that follows a section what a load does that
/// follows it.
#[test]
fn actuators_are_loads_whose_forces_are_controls() {
    let arm = |what: &str, controls: &str| {
        format!(
            r#"
dimension = 3
gravity = [0.0, 0.0, -9.81]
time = {{ end = 0.5, steps = 50 }}
[body.arm]
mass = 2.0
inertia = [0.1, 0.2, 0.3]
position = [0.5, 0.0, 0.0]
[rod.fore]
model = "rod"
from = [1.0, 0.0, 0.0]
to = [2.0, 0.0, 0.0]
elements = 4
stiffness = {{ axial = 1e3, shear = 1e3, bending = 10.0, torsion = 10.0 }}
inertia = {{ mass = 1.0, rotary = 0.01 }}
[joint.shoulder]
between = ["ground", "arm"]
type.revolute = {{ axis = [0.0, 0.0, 1.0] }}
at = [0.0, 0.0, 0.0]
[joint.elbow]
between = ["arm", "fore.start"]
type = "rigid"
at = [1.0, 0.0, 0.0]
{what}
[task.simulate]
{controls}
"#
        )
    };
    let driven = arm(
        "[actuator.motor]\nat = \"shoulder\"\nacts = [\"torque\"]\n[actuator.jet]\nat = \"fore@0.5\"\nacts = [\"force_x\"]\nfollows = true",
        "controls = { \"motor.torque\" = \"3*sin(2*t)\", \"jet.force_x\" = \"2*t\" }",
    );
    let loaded = arm(
        "[load.motor]\nat = \"arm\"\ntorque = [0, 0, \"3*sin(2*t)\"]\n[load.jet]\nat = \"fore@0.5\"\nforce = [\"2*t\", 0, 0]\nfollows = true",
        "",
    );
    let [driven, loaded] = [solved(&driven), solved(&loaded)];
    for (name, values) in &driven.motion.columns {
        let known = loaded.motion.column(name).unwrap();
        assert!(values.iter().zip(known).all(|(a, b)| (a - b).abs() < 1e-9), "{name}");
    }
    let work = |outcome: &Outcome| outcome.report.scalars["energy.work"];
    assert!((work(&driven) - work(&loaded)).abs() < 1e-9 && work(&driven) > 0.1);
}

/// A name that no actuator has is told with those that there are.
#[test]
fn unknown_controls_are_named() {
    let told = load("x.toml", &FREE.replace("\"jet.torque\"", "\"jet.torqe\""), &[]).unwrap_err().to_string();
    assert!(told.contains("jet.torqe") && told.contains("line") | told.contains("x.toml:"), "{told}");
}
