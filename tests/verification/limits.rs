//! Forces of many elements from those of few, where something acts inside the rod, where elements are unequal, and where the motion
//! sets off from no equilibrium.

use super::Solved;
use super::adapted::{SOFT, adapted, forces_are_those_of_a_march, verified_again};

const METHOD: &str = "[task.inverse-dynamics]";

/// The soft beam with more parts.
fn with(parts: &str) -> String {
    SOFT.replace(METHOD, &format!("{parts}\n{METHOD}"))
}

/// Solved in the limit on these settings, and with the forces of a march.
fn solved_by(text: &str, settings: &[&str]) {
    let beam = Solved::of(text, &[]);
    assert_eq!(beam.status(), "solved", "{}", beam.report["message"]);
    assert_eq!(adapted(&beam), settings);
    assert!(verified_again(&beam));
    let stated = Solved::of(text, &["task.inverse-dynamics.grid=stated"]);
    assert_ne!(stated.status(), "solved");
    forces_are_those_of_a_march(&beam, &text.replace("order = 2", "order = 1").replace("grid = { at = [0.4] }", ""));
}

/// Loads that change at the first instant: the beam stands still and is not in equilibrium, but accelerated. Begun in an
/// equilibrium it swung about its path by eight times the tolerance.
#[test]
fn loads_that_change_at_once_accelerate_the_beam() {
    let load = r#"
[load.tip]
at = "beam.end"
force = ["0.15*cos(t)", "0.1*cos(t)"]
torque = "0.03*cos(t)"
"#;
    for follows in ["", "follows = true"] {
        solved_by(&with(&format!("{load}{follows}")), &["rod.beam.elements=4"]);
    }
    let line = "[load.line]\nalong = \"beam\"\nforce = [0.0, \"-0.3*(1 + s)*cos(t)\"]";
    assert_eq!(Solved::of(&with(line), &[]).status(), "solved");
}

/// Three equal elements put no node in the middle; meshes that keep it have a series in the lengths of the elements on either side.
#[test]
fn what_is_inside_the_rod_keeps_its_node() {
    let load = "[load.mid]\nat = \"beam@0.5\"\nforce = [0.0, \"0.3*cos(t)\"]";
    let body = r#"
[body.pay]
mass = 0.2
inertia = 0.01
[joint.pay]
between = ["pay", "beam@0.5"]
type = "rigid"
"#;
    let settings = ["rod.beam.elements=4", "rod.beam.grid={ at = [0.25, 0.5, 0.75] }"];
    solved_by(&with(load), &settings);
    solved_by(&with(body), &settings);
}

/// A servo or an actuator there leaves a part of the rod to itself, so that no march knows the answer.
#[test]
fn servos_and_actuators_inside_the_rod_keep_their_node() {
    let servo = SOFT.replace("beam.end", "beam@0.5").replace("\"cos(0.5*sigma)", "\"0.5 + cos(0.5*sigma) - 1");
    for text in [servo, SOFT.replace("beam.start", "beam@0.5")] {
        let beam = Solved::of(&text, &[]);
        assert_eq!(beam.status(), "solved", "{}", beam.report["message"]);
        assert!(verified_again(&beam));
        assert_eq!(Solved::of(&text, &["task.inverse-dynamics.grid=stated"]).status(), "not-verified");
    }
}

/// Elements of 0.4 and 0.6 m, each of which is divided on its own.
#[test]
fn unequal_elements_have_lengths_of_their_own() {
    let unequal = SOFT.replace("elements = 2", "elements = 2\ngrid = { at = [0.4] }");
    solved_by(&unequal, &["rod.beam.elements=4", "rod.beam.grid={ at = [0.2, 0.4, 0.7] }"]);
}

/// Nodes inside elements of order 2 move as the paths do not determine, and leave them at once; those of order 1 have none.
#[test]
fn elements_of_order_1_stand_for_those_of_order_2() {
    let higher = SOFT.replace("elements = 2", "elements = 2\norder = 2");
    let stated = Solved::of(&higher, &["task.inverse-dynamics.grid=stated"]);
    assert_eq!(stated.status(), "unstable");
    solved_by(&higher, &["rod.beam.elements=4", "rod.beam.order=1"]);
}

/// A beam that is held straight by nothing but its reference is bent at rest: what the paths leave free begins there.
#[test]
fn a_prestrained_beam_begins_bent() {
    let text = SOFT
        .replace("bending = 1.0 }", "bending = 1.0 }\nprestrain = { strain = [0.0, 0.01], curvature = 0.2 }")
        .replace("\"force_y\", \"torque\"]", "\"force_y\"]\n[support.grip]\nat = \"beam.start\"\nfixes = [\"angle\"]")
        .replace("at = \"beam.end\"", "at = \"beam.start\"")
        .replace("x = \"cos(0.5*sigma)\"", "x = \"0.3*sigma\"")
        .replace("y = \"sin(0.5*sigma)\"", "y = \"0.2*sigma\"")
        .replace("angle = \"0.5*sigma\"", "");
    let beam = Solved::of(&text, &[]);
    assert_eq!(beam.status(), "solved", "{}", beam.report["message"]);
    assert!(verified_again(&beam));
    // A straight start would make the free end swing by the bend of half a curvature, 0.1 m.
    let start = beam.report["scalars"]["motion.beam.end.y.initial"].as_f64().unwrap();
    assert!((start - 0.1).abs() < 5e-3, "{start}");
}

/// The tip of a soft arm driven at its hinge: two elements have an inverse and miss the path, three have none that could be
/// followed in time, as the arm has not. The advice is not to take more elements.
#[test]
fn an_arm_without_an_inverse_is_told_so() {
    let text = SOFT
        .replace(
            "[\"force_x\", \"force_y\", \"torque\"]",
            "[\"torque\"]\n[support.hinge]\nat = \"beam.start\"\nfixes = [\"x\", \"y\"]",
        )
        .replace("x = \"cos(0.5*sigma)\"\n", "")
        .replace("angle = \"0.5*sigma\"\n", "");
    let arm = Solved::of(&text, &[]);
    assert_ne!(arm.status(), "solved");
    let message = arm.report["message"].as_str().unwrap();
    assert!(message.contains("the internal dynamics is unstable"), "{message}");
}
