//! What hangs on rods: bodies on joints, side rods, springs between them.

use crate::{PATH, ROD, UNIFORM, apart, solved, task};

fn beam(method: &str, more: &str) -> String {
    format!("gravity = [0.0, -0.05]\n{PATH}{ROD}{UNIFORM}{more}{}", task(method))
}

/// A body on a hinge with a spring so stiff that it hardly turns is a body that is joined rigidly.
#[test]
fn a_body_on_a_stiff_hinge_is_joined_rigidly() {
    let body = |joint: &str| {
        format!(
            "[body.pay]\nmass = 0.1\ninertia = 0.02\nposition = [1.2, 0.0]\n[joint.pin]\nbetween = [\"beam.end\", \"pay\"]\nat = [1.0, 0.0]\n{joint}"
        )
    };
    let rigid = solved(&beam("space-march", &body("type = \"rigid\"\n")));
    let away = |stiffness: f64| {
        let spring = format!(
            "type = \"revolute\"\n[spring.pin]\nat = \"pin\"\nstiffness = {stiffness:?}\ndamping = {:?}\n",
            0.02 * stiffness
        );
        apart(&rigid, &solved(&beam("space-march", &body(&spring))))
    };
    let (soft, stiff) = (away(10.0), away(100.0));
    assert!(stiff < 1e-3 && soft / stiff > 5.0, "{soft:e} {stiff:e}");
}

/// A pendulum on the tip, a side rod on the middle, and a body on a spring, by three methods. The pendulum goes on swinging
/// after the path has come to rest, and the actuation with it.
#[test]
fn three_methods_agree_on_what_hangs_on_a_rod() {
    let pendulum = "[body.bob]\nmass = 0.1\ninertia = 0.01\nposition = [1.0, -0.3]\n[joint.pin]\nbetween = [\"beam.end\", \"bob\"]\nat = [1.0, 0.0]\ntype = \"revolute\"\n";
    let side = format!(
        "[rod.side]\nmodel = \"beam\"\nfrom = [0.5, 0.0]\nto = [0.5, -0.4]\nelements = 6\n{UNIFORM}[joint.side]\nbetween = [\"beam@0.5\", \"side.start\"]\ntype = \"rigid\"\n"
    );
    let sprung = "[body.bob]\nmass = 0.1\nposition = [0.5, -0.2]\n[spring.s]\nbetween = [\"beam@0.5\", \"bob\"]\npoints = [[0.5, 0.0], [0.5, -0.2]]\nstiffness = 1.0\ndamping = 0.05\n";
    for (name, more) in [("pendulum", pendulum), ("side rod", side.as_str()), ("sprung body", sprung)] {
        let marched = solved(&beam("space-march", more));
        let found = apart(&marched, &solved(&beam("characteristics", more)));
        assert!(found < 2e-2, "characteristics, {name}: {found:e}");
        // Finite elements keep the grid of the problem, where the march refines its own: twice the steps.
        let fine = beam("galerkin", more).replace("steps = 120", "steps = 240");
        let (fine, marched) = (solved(&fine), solved(&beam("space-march", more).replace("steps = 120", "steps = 240")));
        let found = apart(&marched, &fine);
        assert!(found < 4e-2, "galerkin, {name}: {found:e}");
    }
}

/// The motion of what hangs on a rod is stored: a bob keeps its distance from the hinge that carries it.
#[test]
fn the_motion_of_what_hangs_on_a_rod_is_stored() {
    let outcome = solved(&beam(
        "space-march",
        "[body.bob]\nmass = 0.1\ninertia = 0.01\nposition = [1.0, -0.3]\n[joint.pin]\nbetween = [\"beam.end\", \"bob\"]\nat = [1.0, 0.0]\ntype = \"revolute\"\n",
    ));
    let column = |name: &str| outcome.motion.column(name).unwrap();
    let [tip_x, tip_y, x, y, angle] =
        ["beam.end.x", "beam.end.y", "bob.x", "bob.y", "bob.angle"].map(|name| column(name).to_vec());
    assert_eq!(x.len(), 121);
    for k in 0..x.len() {
        let (dx, dy) = (x[k] - tip_x[k], y[k] - tip_y[k]);
        assert!((dx.hypot(dy) - 0.3).abs() < 1e-9, "instant {k}");
        assert!((0.3 * angle[k].sin() - dx).abs() < 1e-9, "instant {k}");
    }
    // It swings by some tenths of a radian.
    assert!(angle.iter().map(|angle| angle.abs()).fold(0.0, f64::max) > 0.1);
}

/// A side rod with a free end, welded at a right angle in space, and a body on a spherical joint: proved by forward simulation.
#[test]
fn branches_in_space_are_proved() {
    let text = r#"
dimension = 3
gravity = [0.0, 0.0, -0.05]
[time]
end = 6.0
steps = 120
[let]
sigma = "rest(t, 2, 4, 8)"
[rod.beam]
model = "rod"
from = [0.0, 0.0, 0.0]
to = [1.0, 0.0, 0.0]
elements = 16
stiffness = { axial = 1.5, shear = [1.0, 1.2], bending = [1.0, 0.8], torsion = 0.9 }
inertia = { mass = 1.0, rotary = [0.7, 0.6, 0.5] }
[rod.side]
model = "rod"
from = [0.5, 0.0, 0.0]
to = [0.5, 0.3, 0.0]
elements = 4
stiffness = { axial = 1.5, shear = 1.0, bending = 0.5, torsion = 0.4 }
inertia = { mass = 0.5, rotary = 0.1 }
[joint.side]
between = ["beam@0.5", "side.start"]
type = "rigid"
[body.bob]
mass = 0.1
inertia = 0.01
position = [1.0, 0.0, -0.3]
[joint.bob]
between = ["beam.end", "bob"]
at = [1.0, 0.0, 0.0]
type = "spherical"
[actuator.base]
at = "beam.start"
acts = ["force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z"]
[servo.tip]
at = "beam.end"
x = "1.0 + 0.1*sigma"
y = "0.2*sigma"
z = "-0.1*sigma"
turn = { axis = [0.3, 0.2, 1.0], angle = "0.4*sigma" }
"#;
    solved(&format!("{text}{}", task("space-march")));
}

/// A pendulum that is drawn sideways under gravity would fall before the path begins: no answer, and the reason.
#[test]
fn what_does_not_rest_where_the_path_begins_is_refused() {
    let text = beam(
        "space-march",
        "[body.bob]\nmass = 0.1\ninertia = 0.01\nposition = [1.3, 0.0]\n[joint.pin]\nbetween = [\"beam.end\", \"bob\"]\nat = [1.0, 0.0]\ntype = \"revolute\"\n",
    );
    let problem = lariat::load("test.toml", &text, &[]).unwrap();
    let outcome = lariat::solve(&problem);
    assert_eq!(outcome.report.status, "not-converged");
    let message = outcome.report.message.unwrap();
    assert!(message.contains("`bob`") && message.contains("does not rest where the path begins"), "{message}");
}
