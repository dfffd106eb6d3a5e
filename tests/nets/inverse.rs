//! Nets with branches and rigid rods in inverse dynamics.

use super::*;

const BEAM: &str = "elements = 1\norder = 3\nstiffness = { axial = 200, shear = 100, bending = 5 }\ninertia = { mass = 1.0, rotary = 0.01 }\n";

fn net(rods: &[(&str, [f64; 2], [f64; 2])], joints: &[(&str, &str)], rest: &str) -> String {
    let mut text = "dimension = 2\n".to_owned();
    for (name, from, to) in rods {
        text += &format!("[rod.{name}]\nmodel = \"beam\"\nfrom = {from:?}\nto = {to:?}\n{BEAM}");
    }
    for (k, (a, b)) in joints.iter().enumerate() {
        text += &format!("[joint.j{k}]\nbetween = [\"{a}\", \"{b}\"]\ntype = \"rigid\"\n");
    }
    text + rest
}

const DRIVEN: &str = r#"
[time]
end = 2.0
steps = 200
[actuator.hand]
at = "stem.start"
acts = ["force_x", "force_y", "torque"]
[servo.tip]
at = "stem.end"
x = "0.2*rest(t, 0.5, 1.5, 5)"
y = 1
angle = "pi/2"
[task.inverse-dynamics]
"#;

/// A T of beams, led by the foot of its stem so that its branching point follows a path: several rods are a discrete
/// mechanism without a word about the method. One element for each beam keeps the index low; the forward simulation says that
/// it is too coarse. Path and T are symmetric to the stem: turned about, the actuation across it changes sign, and the ends of both arms move as mirror images.
#[test]
fn a_branching_net_follows_a_path() {
    let rods = [("stem", [0.0, 0.0], [0.0, 1.0]), ("left", [0.0, 1.0], [-0.5, 1.0]), ("right", [0.0, 1.0], [0.5, 1.0])];
    let text = net(&rods, &[("stem.end", "left.start"), ("stem.end", "right.start")], DRIVEN);
    let first_order = ["stem", "left", "right"].map(|rod| format!("rod.{rod}.order=1"));
    let [a, b, c] = first_order.each_ref().map(String::as_str);
    let found = coarse(&text, &[a, b, c]);
    assert_eq!(found.report.method, "sequential");
    let mirrored = coarse(&text, &[a, b, c, "servo.tip.x=\"-0.2*rest(t, 0.5, 1.5, 5)\""]);
    let [a, b] = [&found, &mirrored].map(|outcome| outcome.actuation.column("hand.force_x").unwrap().to_vec());
    let largest = a.iter().fold(0.0_f64, |m, f| m.max(f.abs()));
    assert!(a.iter().zip(&b).all(|(a, b)| (a + b).abs() < 1e-6 * largest));
    let (left, right) = (last(&found, "left.end.y"), last(&mirrored, "right.end.y"));
    assert!((left - right).abs() < 1e-6, "{left} {right}");
}

/// A closed triangle of beams, whose corners are nodes that the rods share. Led by the corner at which it is held it follows;
/// led so that another corner follows the path, the rest of it runs away, which is told before anything is marched.
#[test]
fn a_triangle_of_beams_follows_with_one_corner_and_not_with_the_other() {
    let rods = [("stem", [0.0, 0.0], [0.0, 1.0]), ("top", [0.0, 1.0], [0.8, 0.6]), ("back", [0.8, 0.6], [0.0, 0.0])];
    let joints = [("stem.end", "top.start"), ("top.end", "back.start"), ("back.end", "stem.start")];
    let text = net(&rods, &joints, DRIVEN);
    let found = solved(&text, &["servo.tip.at=\"stem.start\"", "servo.tip.y=0"]);
    assert!(found.report.verification.as_ref().unwrap().passed);
    let refused = outcome(&text, &[]);
    assert_eq!(refused.report.status, "unstable");
    assert!(refused.report.message.unwrap().contains("internal dynamics is unstable"));
    // An optimised motion may begin before the path does, and follows.
    let found = solved(&text, &["task.inverse-dynamics.method=\"optimise\""]);
    assert!(found.report.verification.as_ref().unwrap().passed);
    let missed = scalar(&found, "tracking.tip.x.max_error");
    assert!(missed < 8e-3, "{missed} m of 0.2");
}

/// The T by optimisation, from rest to rest: the moment of the hand, which states of rest do not tell, is used.
#[test]
fn a_branching_net_is_led_from_rest_to_rest() {
    let rods = [("stem", [0.0, 0.0], [0.0, 1.0]), ("left", [0.0, 1.0], [-0.5, 1.0]), ("right", [0.0, 1.0], [0.5, 1.0])];
    let text = net(&rods, &[("stem.end", "left.start"), ("stem.end", "right.start")], DRIVEN);
    // A heavy weight of the effort keeps the forces smooth enough for elements of this size.
    let effort = "task.inverse-dynamics.effort=5e-4";
    let found = solved(&text, &["task.inverse-dynamics.method=\"optimise\"", effort]);
    assert!(found.report.verification.as_ref().unwrap().passed);
    let missed = scalar(&found, "tracking.tip.x.max_error");
    assert!(missed < 1.6e-2, "{missed} m of 0.2");
    assert!(scalar(&found, "actuation.hand.torque.max") > 1.0);
}

/// The flexible joint of the gallery with a rigid rod for its link: uniform, 2 kg and 1 m, with 1/6 + 1/3 kg m² about its
/// middle. The torque is known in closed form by flatness.
#[test]
fn a_rigid_rod_is_a_link_of_inverse_dynamics() {
    let text = r#"
dimension = 2
gravity = [0.0, -9.81]
time = { end = 2.0, steps = 80 }
[body.motor]
mass = 1.0
inertia = 0.5
position = [0.0, 0.0]
[rod.link]
model = "beam"
rigid = true
from = [0.0, 0.0]
to = [0.0, -1.0]
elements = 2
inertia = { mass = 2.0, rotary = 0.3333333333333333 }
[joint.bearing]
between = ["ground", "motor"]
type = "revolute"
[joint.shaft]
between = ["motor", "link.start"]
type = "revolute"
[spring.shaft]
at = "shaft"
stiffness = 100.0
[actuator.motor]
at = "bearing"
acts = ["torque"]
[servo.link]
at = "link.end"
angle = "-pi/2 + pi/2*rest(t, 0, 2, 5)"
[task.inverse-dynamics]
method = "sequential"
"#;
    let found = solved(text, &[]);
    assert!(found.report.verification.as_ref().unwrap().passed);
    let torque = found.actuation.column("motor.torque").unwrap();
    for (step, known) in [(20, 5.58630417256609), (40, 6.80714737840425), (60, 5.0754699898103), (80, 9.81)] {
        assert!((torque[step] - known).abs() < 1e-6, "{} {known}", torque[step]);
    }
}
