//! A manoeuvre that no plane contains.

use nalgebra::{Matrix3, Vector3};

use super::texts::{array, difference, rotation, solve, vectors};

/// How the manoeuvre is posed: turned as a whole by `turn`, on a grid, with a payload off the tip.
pub struct Pose {
    pub turn: Matrix3<f64>,
    pub steps: usize,
    pub elements: usize,
    pub method: &'static str,
    pub payload: bool,
    pub curved: bool,
}

impl Pose {
    pub fn new(steps: usize, elements: usize, method: &'static str) -> Self {
        Self { turn: Matrix3::identity(), steps, elements, method, payload: false, curved: false }
    }
}

/// The tip climbs along a helix through a third of a turn and twists.
pub fn text(pose: &Pose) -> String {
    let q = &pose.turn;
    let column = |c: usize| q.column(c).into_owned();
    let position =
        |r: usize| format!("({:?})*cos(a) + ({:?})*sin(a) + ({:?})*0.3*sigma", q[(r, 0)], q[(r, 1)], q[(r, 2)]);
    let rotation = |r: usize| format!("({:?})*a", q[(r, 2)]);
    let payload = match pose.payload {
        false => String::new(),
        true => {
            let tensor = q * Matrix3::new(0.02, 0.003, 0.0, 0.003, 0.03, -0.004, 0.0, -0.004, 0.015) * q.transpose();
            let rows: Vec<String> = (0..3).map(|r| array(tensor.row(r).transpose())).collect();
            format!(
                "[body.gripper]\nmass = 0.08\ninertia = [{}]\nposition = {}\n[joint.grip]\nbetween = [\"gripper\", \"arm.end\"]\ntype = \"rigid\"\nat = {}\n",
                rows.join(", "),
                array(q * Vector3::new(1.1, 0.05, -0.04)),
                array(column(0)),
            )
        }
    };
    let twist = if pose.curved { "twist = \"0.6*s\"\nprestrain = { curvature = [0.3, -0.2, 0.1] }\n" } else { "" };
    let gravity = if pose.payload { 0.06 } else { 0.0 };
    format!(
        "dimension = 3\ngravity = {}\n[time]\nend = 6.0\nsteps = {}\n[let]
tau = \"clamp((t - 2)/2, 0, 1)\"
sigma = \"tau^5*(126 - 420*tau + 540*tau^2 - 315*tau^3 + 70*tau^4)\"
a = \"2*pi/3*sigma\"
[rod.arm]
model = \"rod\"
from = [0.0, 0.0, 0.0]
to = {}
normal = {}
{twist}elements = {}
stiffness = {{ axial = 1.5, shear = [1.0, 1.2], bending = [1.0, 0.8], torsion = 0.9 }}
inertia = {{ mass = 1.0, rotary = [0.7, 0.6, 0.5] }}
law = \"logarithmic\"
{payload}[actuator.base]
at = \"arm.start\"
acts = [\"force_x\", \"force_y\", \"force_z\", \"torque_x\", \"torque_y\", \"torque_z\"]
[servo.tip]
at = \"arm.end\"
x = \"{}\"
y = \"{}\"
z = \"{}\"
turn = {{ axis = {}, angle = \"0.8*sigma\" }}
rotation = [\"{}\", \"{}\", \"{}\"]
[task.inverse-dynamics]
method = \"{}\"
",
        array(column(2) * -gravity),
        pose.steps,
        array(column(0)),
        array(column(1)),
        pose.elements,
        position(0),
        position(1),
        position(2),
        array(column(0)),
        rotation(0),
        rotation(1),
        rotation(2),
        pose.method,
    )
}

/// Forces and torques at every `stride`-th instant. They are verified by their own forward simulation, but for coarse grids,
/// whose errors may exceed its tolerance: the march, which halves the step itself, needs 120 steps, finite elements 240.
fn actuation(pose: &Pose, stride: usize) -> [Vec<Vector3<f64>>; 2] {
    let outcome = solve(&text(pose));
    let status = outcome.report.status.as_str();
    let enough = if pose.method == "galerkin" { 240 } else { 120 };
    assert!(status == "solved" || (pose.steps < enough && status == "not-verified"), "{:?}", outcome.report.message);
    ["base.force", "base.torque"].map(|name| vectors(&outcome, name).into_iter().step_by(stride).collect())
}

fn largest(found: &[Vec<Vector3<f64>>; 2], wanted: &[Vec<Vector3<f64>>; 2]) -> f64 {
    found.iter().zip(wanted).map(|(a, b)| difference(a, b)).fold(0.0, f64::max)
}

/// Second order on four grids against a grid four times finer than the finest of them; every solution is verified by its
/// own forward simulation.
#[test]
fn space_march_converges_at_second_order() {
    let on = |factor: usize| Pose::new(60 * factor, 10 * factor, "space-march");
    let reference = actuation(&on(16), 16);
    let errors: Vec<f64> = [1, 2, 4].map(|factor| largest(&actuation(&on(factor), factor), &reference)).into();
    let orders: Vec<f64> = errors.windows(2).map(|pair| (pair[0] / pair[1]).log2()).collect();
    println!("errors {errors:?}, orders {orders:.3?}");
    assert!(orders.iter().all(|order| *order > 1.9), "errors {errors:?}, orders {orders:?}");
    assert!(errors[2] < 2e-3);
}

/// Turning the whole problem turns the answer: to 1e-9 of its peak (rounding leaves less).
#[test]
fn the_answer_turns_with_the_problem() {
    for (payload, curved) in [(false, false), (true, true)] {
        let straight = Pose { payload, curved, ..Pose::new(120, 20, "space-march") };
        let wanted = actuation(&straight, 1);
        for seed in [7, 8] {
            let turn = rotation(seed);
            let found = actuation(&Pose { turn, payload, curved, ..Pose::new(120, 20, "space-march") }, 1);
            let wanted = wanted.clone().map(|vectors| vectors.into_iter().map(|v| turn * v).collect());
            let difference = largest(&found, &wanted);
            println!("payload {payload}, seed {seed}: {difference:.1e}");
            assert!(difference < 1e-9);
        }
    }
}

/// With gravity, a gripper whose centre is off the tip, pre-twist and unstressed curvature: still verified, and second order.
#[test]
fn a_payload_off_the_tip_of_a_curved_rod_is_carried() {
    let on =
        |factor: usize| Pose { payload: true, curved: true, ..Pose::new(120 * factor, 20 * factor, "space-march") };
    let reference = actuation(&on(8), 8);
    let errors = [1, 2].map(|factor| largest(&actuation(&on(factor), factor), &reference));
    let order = (errors[0] / errors[1]).log2();
    println!("errors {errors:?}, order {order:.3}");
    assert!(order > 1.9, "{errors:?}");
}

/// The finite elements converge at second order, and to what the march gives on a fine grid; below 16 elements they take more layers.
#[test]
fn galerkin_converges_at_second_order_to_the_march() {
    let reference = actuation(&Pose::new(960, 160, "space-march"), 16);
    let on = |factor: usize| Pose::new(60 * factor, 10 * factor, "galerkin");
    let errors = [2, 4].map(|factor| largest(&actuation(&on(factor), factor), &reference));
    let order = (errors[0] / errors[1]).log2();
    println!("errors {errors:?}, order {order:.3}");
    assert!(order > 1.9, "errors {errors:?}, order {order}");
}

/// Gravity, a body off the tip, pre-twist and unstressed curvature: both methods tend to the same answer.
#[test]
fn galerkin_and_march_agree_on_a_loaded_curved_rod() {
    let at = |steps, elements, method| {
        actuation(&Pose { payload: true, curved: true, ..Pose::new(steps, elements, method) }, steps / 120)
    };
    let reference = at(960, 160, "space-march");
    let errors = [240, 480].map(|steps| largest(&at(steps, steps / 6, "galerkin"), &reference));
    println!("errors {errors:?}");
    assert!((errors[0] / errors[1]).log2() > 1.9, "{errors:?}");
}
