//! Data that are complete at no end: all of space and time at once.

use lariat::problem::{self, Question};
use lariat::tasks::{Silent, inverse_dynamics};

use crate::{apart, solved};

const TIME: &str = "[time]\nend = 8.0\nsteps = 80\n[let]\nsigma = \"rest(t, 2, 6, 6)\"\n";
const TASK: &str = "[task.inverse-dynamics]\nmethod = \"galerkin\"\nverify = { tolerance = 1e-2, refine = 2 }\n";

fn plane(rods: &str, tip: &str) -> String {
    format!(
        "dimension = 2\n{TIME}{rods}[actuator.hand]\nat = \"beam.start\"\nacts = [\"force_x\", \"force_y\"]\n[support.grip]\nat = \"beam.start\"\nfixes = [\"angle\"]\n[servo.tip]\nat = \"{tip}\"\nx = \"1 + 0.2*sigma\"\ny = \"0.3*sigma\"\n{TASK}"
    )
}

fn beam(name: &str, from: f64, to: f64, elements: usize) -> String {
    format!(
        "[rod.{name}]\nmodel = \"beam\"\nfrom = [{from:?}, 0.0]\nto = [{to:?}, 0.0]\nelements = {elements}\nstiffness = {{ axial = 10.0, shear = 10.0, bending = 1.0 }}\ninertia = {{ mass = 1.0, rotary = 0.1 }}\n"
    )
}

/// A plane motion of a rod in space.
pub fn space() -> String {
    format!(
        "dimension = 3\n{TIME}[rod.beam]\nmodel = \"rod\"\nfrom = [0.0, 0.0, 0.0]\nto = [1.0, 0.0, 0.0]\nelements = 8\nstiffness = {{ axial = 10.0, shear = 10.0, bending = 1.0, torsion = 1.0 }}\ninertia = {{ mass = 1.0, rotary = 0.1 }}\n[actuator.hand]\nat = \"beam.start\"\nacts = [\"force_x\", \"force_y\", \"force_z\"]\n[support.grip]\nat = \"beam.start\"\nfixes = [\"rotation\"]\n[servo.tip]\nat = \"beam.end\"\nx = \"1 + 0.2*sigma\"\ny = \"0.3*sigma\"\nz = 0\n{TASK}"
    )
}

/// Two halves, the second stated backwards.
pub fn plane_halves() -> String {
    let knot = "[joint.knot]\nbetween = [\"beam.end\", \"other.end\"]\ntype = \"rigid\"\n";
    plane(&(beam("beam", 0.0, 0.5, 4) + &beam("other", 1.0, 0.5, 4) + knot), "other.start")
}

/// The same motion in space, with the rotation of the hand held and that of the tip free.
#[test]
fn a_plane_motion_in_space_is_that_of_the_plane() {
    let in_plane = solved(&plane(&beam("beam", 0.0, 1.0, 8), "beam.end"));
    let in_space = solved(&space());
    for name in ["hand.force_x", "hand.force_y"] {
        let (a, b) = (in_plane.actuation.column(name).unwrap(), in_space.actuation.column(name).unwrap());
        let difference = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(difference < 1e-7, "{name}: {difference:e}");
    }
}

/// Two halves that are joined, one of them stated backwards, are the rod.
#[test]
fn halves_are_the_rod() {
    let whole = solved(&plane(&beam("beam", 0.0, 1.0, 8), "beam.end"));
    let knot = "[joint.knot]\nbetween = [\"beam.end\", \"other.start\"]\ntype = \"rigid\"\n";
    let rods = beam("beam", 0.0, 0.5, 4) + &beam("other", 0.5, 1.0, 4) + knot;
    let found = apart(&whole, &solved(&plane(&rods, "other.end")));
    assert!(found < 1e-7, "{found:e}");
    let found = apart(&whole, &solved(&plane_halves()));
    assert!(found < 1e-7, "{found:e}");
}

/// What taper, a body off the axis, a spring and a moving support do is proved by the forward simulation.
#[test]
fn everything_on_the_way_is_taken() {
    let rod = beam("beam", 0.0, 1.0, 16).replace("bending = 1.0", "bending = \"1 - 0.3*s\"");
    let body = "[body.pay]\nmass = 0.1\ninertia = 0.02\nposition = [0.5, 0.05]\n[joint.pay]\nbetween = [\"pay\", \"beam@0.5\"]\ntype = \"rigid\"\n";
    let spring = "[spring.s]\nbetween = [\"ground\", \"beam@0.25\"]\npoints = [[0.25, -0.5], [0.25, 0.0]]\nstiffness = 0.2\ndamping = 0.1\n";
    let line = "[load.line]\nalong = \"beam\"\nforce = [0, \"0.02*sigma*s\"]\n";
    let text = plane(&format!("{rod}{body}{spring}{line}"), "beam.end").replace("steps = 80", "steps = 160");
    let moved = text.replace("fixes = [\"angle\"]", "angle = \"0.2*sigma\"");
    let (held, moved) = (solved(&text), solved(&moved));
    assert!(apart(&held, &moved) > 0.05);
}

/// A servo inside a rod and an actuator inside it; the angle of its other end is held.
#[test]
fn paths_and_actuators_may_be_inside_a_rod() {
    let text = plane(&beam("beam", 0.0, 1.0, 16), "beam@0.75").replace("x = \"1 + 0.2", "x = \"0.75 + 0.2");
    solved(&text.replace("steps = 80", "steps = 160").replace("at = \"beam.start\"\nacts", "at = \"beam@0.25\"\nacts"));
}

/// A helix that is held at a point and pushed at another is free to turn: its rest is not determined, and said so.
#[test]
fn an_undetermined_rest_is_explained() {
    let text = format!(
        "dimension = 3\n{TIME}[rod.arm]\nmodel = \"rod\"\ncurve.helix = {{ radius = 1.0, pitch = 1.0, turns = 2.0 }}\nelements = 10\nstiffness = {{ axial = 100.0, shear = 50.0, bending = 1.0, torsion = 1.0 }}\ninertia = {{ mass = 1.0, rotary = 0.01 }}\n[actuator.base]\nat = \"arm.start\"\nacts = [\"force_x\", \"force_y\", \"force_z\"]\n[servo.tip]\nat = \"arm.end\"\nx = 1\ny = 0\nz = 0\n[task.inverse-dynamics]\n"
    );
    let problem = problem::load("test.toml", &text, &[]).unwrap();
    let Question::InverseDynamics(system, spec) = &problem.question else { panic!("not inverse dynamics") };
    let outcome = inverse_dynamics::run(system, spec, &mut Silent);
    assert_eq!(outcome.report.status, "not-applicable", "{:?}", outcome.report.message);
    assert!(outcome.report.message.unwrap().contains("orientation"));
}
