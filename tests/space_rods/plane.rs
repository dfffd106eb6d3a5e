//! A motion in any plane of space is the motion of the plane.

use nalgebra::{Matrix3, Vector3};

use super::texts::{array, difference, rotation, solve, vectors};

/// Path and time of `problems/beam-quarter-turn.toml`.
const LETS: &str = "
[let]
phi = \"pi/2\"
tau = \"clamp((t - 2)/2, 0, 1)\"
sigma = \"1 - (cos(pi/2*(sin(pi*tau - pi/2) + 1)) + 1)/2\"
";

/// What differs between the cases: gravity in the plane, bodies at the tip and at the driven end (mass, inertia).
struct Case {
    gravity: [f64; 2],
    payload: Option<[f64; 2]>,
    hub: Option<[f64; 2]>,
    steps: usize,
    elements: usize,
    method: &'static str,
}

fn plane(case: &Case) -> String {
    let body = |name: &str, end: &str, of: Option<[f64; 2]>| {
        of.map_or(String::new(), |[mass, inertia]| {
            format!("[body.{name}]\nmass = {mass}\ninertia = {inertia}\n[joint.{name}]\nbetween = [\"{name}\", \"beam.{end}\"]\ntype = \"rigid\"\n")
        })
    };
    let Case { gravity, steps, elements, method, .. } = case;
    format!(
        "dimension = 2\ngravity = {gravity:?}\n[time]\nend = 6.0\nsteps = {steps}\n{LETS}
[rod.beam]
model = \"beam\"
from = [0.0, 0.0]
to = [1.0, 0.0]
elements = {elements}
stiffness = {{ axial = 1.0, shear = 1.0, bending = 1.0 }}
inertia = {{ mass = 1.0, rotary = 1.0 }}
law = \"logarithmic\"
{}{}
[actuator.base]
at = \"beam.start\"
acts = [\"force_x\", \"force_y\", \"torque\"]
[servo.tip]
at = \"beam.end\"
x = \"cos(phi*sigma)\"
y = \"sin(phi*sigma)\"
angle = \"phi*sigma\"
[task.inverse-dynamics]
method = \"{method}\"
",
        body("payload", "end", case.payload),
        body("hub", "start", case.hub)
    )
}

/// The same in the plane spanned by the first two columns of `turn`; stiffnesses and inertia out of the plane are others.
fn embedded(case: &Case, turn: &Matrix3<f64>) -> String {
    let column = |c: usize| turn.column(c).into_owned();
    let body = |name: &str, end: &str, of: Option<[f64; 2]>| {
        of.map_or(String::new(), |[mass, inertia]| {
            let tensor = turn * Matrix3::from_diagonal(&Vector3::new(0.3, 0.25, inertia)) * turn.transpose();
            let rows: Vec<String> = (0..3).map(|r| array(tensor.row(r).transpose())).collect();
            format!(
                "[body.{name}]\nmass = {mass}\ninertia = [{}]\n[joint.{name}]\nbetween = [\"{name}\", \"beam.{end}\"]\ntype = \"rigid\"\n",
                rows.join(", ")
            )
        })
    };
    let Case { gravity, steps, elements, method, .. } = case;
    let along = |c: usize| format!("({:?})*cos(phi*sigma) + ({:?})*sin(phi*sigma)", turn[(c, 0)], turn[(c, 1)]);
    let acts = ["force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z"];
    format!(
        "dimension = 3\ngravity = {}\n[time]\nend = 6.0\nsteps = {steps}\n{LETS}
[rod.beam]
model = \"rod\"
from = [0.0, 0.0, 0.0]
to = {}
normal = {}
elements = {elements}
stiffness = {{ axial = 1.0, shear = [1.0, 1.7], bending = [1.3, 1.0], torsion = 0.8 }}
inertia = {{ mass = 1.0, rotary = [0.9, 1.0, 0.6] }}
law = \"logarithmic\"
{}{}
[actuator.base]
at = \"beam.start\"
acts = {acts:?}
[servo.tip]
at = \"beam.end\"
x = \"{}\"
y = \"{}\"
z = \"{}\"
turn = {{ axis = {}, angle = \"phi*sigma\" }}
[task.inverse-dynamics]
method = \"{method}\"
",
        array(column(0) * gravity[0] + column(1) * gravity[1]),
        array(column(0)),
        array(column(1)),
        body("payload", "end", case.payload),
        body("hub", "start", case.hub),
        along(0),
        along(1),
        along(2),
        array(column(2)),
    )
}

/// Solves both; the largest relative differences of forces and torques over some rotations.
fn compare(case: &Case, seeds: &[u64]) -> f64 {
    let flat = solve(&plane(case));
    assert_eq!(flat.report.status, "solved", "{:?}", flat.report.message);
    let column = |name: &str| flat.actuation.column(name).unwrap();
    let [fx, fy, torque] = ["base.force_x", "base.force_y", "base.torque"].map(column);
    let mut worst = 0.0_f64;
    for &seed in seeds {
        let turn = rotation(seed);
        let found = solve(&embedded(case, &turn));
        assert_eq!(found.report.status, "solved", "seed {seed}: {:?}", found.report.message);
        if case.method == "space-march" {
            for name in ["fine_steps_per_step", "substeps_per_element"] {
                assert_eq!(found.report.grid[name], flat.report.grid[name], "the grids must be the same");
            }
        }
        let forces: Vec<Vector3<f64>> = (0..fx.len()).map(|k| turn * Vector3::new(fx[k], fy[k], 0.0)).collect();
        let torques: Vec<Vector3<f64>> = torque.iter().map(|m| turn * Vector3::new(0.0, 0.0, *m)).collect();
        let force = difference(&vectors(&found, "base.force"), &forces);
        let moment = difference(&vectors(&found, "base.torque"), &torques);
        println!("{} seed {seed}: forces {force:.1e}, torques {moment:.1e}", case.method);
        worst = worst.max(force).max(moment);
        // The energy that the actuators spend is that of the plane, too.
        let work = "energy.actuator_work";
        let (a, b) = (found.report.scalars[work], flat.report.scalars[work]);
        assert!((a - b).abs() < 1e-3 * b.abs().max(0.1), "work {a}, plane {b}");
    }
    worst
}

/// The quarter turn of the seed in arbitrary planes gives the rotated actuation of the plane on the same grid, to 1e-9 of its
/// peak (asked for by the statement of the problem; rounding leaves about 1e-12).
#[test]
fn the_quarter_turn_in_any_plane_is_that_of_the_plane() {
    let case = Case { gravity: [0.0; 2], payload: None, hub: None, steps: 240, elements: 20, method: "space-march" };
    assert!(compare(&case, &[1, 2, 3, 4]) < 1e-9);
}

#[test]
fn gravity_payload_and_hub_are_those_of_the_plane() {
    let case = Case {
        gravity: [0.05, -0.08],
        payload: Some([0.05, 0.02]),
        hub: Some([0.4, 0.3]),
        steps: 240,
        elements: 20,
        method: "space-march",
    };
    assert!(compare(&case, &[5, 6]) < 1e-9);
}

/// The finite elements in space are those of the plane as well, to the tolerance of their iterations.
#[test]
fn galerkin_in_any_plane_is_that_of_the_plane() {
    let case = Case { gravity: [0.0; 2], payload: None, hub: None, steps: 240, elements: 20, method: "galerkin" };
    assert!(compare(&case, &[1, 2]) < 1e-8);
}
