//! What cannot be solved is told in words, with what to do instead.

use super::manoeuvre::{Pose, text};
use super::texts::complaint;

fn good() -> String {
    text(&Pose::new(60, 10, "space-march"))
}

/// Damped rods are marched along where their law is quadratic; finite elements and characteristic lines refuse them and say what
/// takes them.
#[test]
fn damped_rods_are_refused_with_the_reason() {
    let damped = |method: &'static str| {
        complaint(&text(&Pose::new(60, 10, method)).replace("[rod.arm]\n", "[rod.arm]\ndamping.time = 0.1\n"))
    };
    for method in ["space-march", "auto"] {
        let told = damped(method);
        assert!(told.contains("rod `arm`") && told.contains("quadratic law"), "{told}");
    }
    for method in ["galerkin", "characteristics"] {
        let told = damped(method);
        assert!(told.contains("rod.arm.damping") && told.contains("space-march"), "{told}");
        assert!(told.contains("optimise"), "{told}");
    }
}

#[test]
fn incomplete_end_data_are_refused_with_what_is_missing() {
    let told = complaint(&good().replace("\"torque_y\", \"torque_z\"]", "\"torque_y\"]"));
    assert!(told.contains("6 servo outputs") && told.contains("5 actuator inputs"), "{told}");
    assert!(told.contains("base.torque_y") && told.contains("optimise"), "{told}");
    let lines = |without: &str| good().lines().filter(|line| !line.starts_with(without)).collect::<Vec<_>>().join("\n");
    let told = complaint(&lines("z = "));
    assert!(told.contains("5 servo outputs") && told.contains("prescribe more coordinates"), "{told}");
    let told = complaint(&lines("z = ").replace("\"torque_y\", \"torque_z\"]", "\"torque_y\"]"));
    assert!(told.contains("whose whole motion is prescribed") && told.contains("galerkin"), "{told}");
    let told = complaint(&good().replace("at = \"arm.start\"", "at = \"arm.end\""));
    assert!(told.contains("expected the other end: at the end of the path all forces are known"), "{told}");
    let told = complaint(&(good() + "[support.wall]\nat = \"arm.start\"\ntype = \"hinge\"\n"));
    assert!(told.contains("support.wall") || told.contains("x at \"arm.start\" is held"), "{told}");
}

#[test]
fn other_methods_and_sections_are_refused() {
    let told = complaint(&good().replace("axis = [1.0, 0.0, 0.0]", "axis = [0.0, 0.0, 0.0]"));
    assert!(told.contains("expected a direction"), "{told}");
}
