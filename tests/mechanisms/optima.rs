//! Optima of mechanisms made of parts.

use std::f64::consts::PI;
use std::sync::Arc;

use lariat::discretisation::transcription::multibody::{Multibody, Wish};
use lariat::discretisation::transcription::{ControlProblem, Cost, End, Formula, Guess, Mechanics, Reduction};
use lariat::geometry::Quaternion;
use lariat::material::Section;
use lariat::mechanism::{Component, DrivePlace, Frame, JointKind, Mechanism, RodKind};
use lariat::solver::constrained::Status;
use lariat::tasks::Silent;
use lariat::tasks::optimal_control::{OptimalControlOptions, Optimum, solve};
use nalgebra::Vector3;

use crate::parts::{NOW, body, coupling, drive, empty, joint, link, rod, v};

const A: Frame = Frame::Body(0);
const B: Frame = Frame::Body(1);

/// From the reference configuration to another, rest to rest, at least effort.
fn problem(made: &Multibody, wishes: &[Wish], duration: f64, intervals: usize) -> ControlProblem {
    let from = made.reference();
    let end = made.configure(&from, wishes, NOW).unwrap();
    assert!(end.determined);
    let way =
        made.way(&from, wishes, NOW, intervals).unwrap_or_else(|_| made.straight_way(&from, &end.q, NOW, intervals));
    let position = move |share: f64| way[(share * intervals as f64).round() as usize].clone();
    let controls = made.controls().len();
    let square: Formula = Arc::new(|at| at.graph.sum(at.u.iter().map(|u| u.square())));
    ControlProblem {
        cost: Cost { running: vec![(0.5, square)], ..Cost::default() },
        guess: Guess { position: Arc::new(position), control: Arc::new(move |_| vec![0.0; controls]), duration },
        ..ControlProblem::new(Arc::new(made.clone()), duration, End::at_rest(&from), End::at_rest(&end.q))
    }
}

fn optimum(made: &Multibody, wishes: &[Wish], duration: f64, intervals: usize) -> Optimum {
    reduced(made, wishes, duration, intervals, Reduction::Multipliers)
}

fn reduced(made: &Multibody, wishes: &[Wish], duration: f64, intervals: usize, reduction: Reduction) -> Optimum {
    let options = OptimalControlOptions { continued: false, ..Default::default() };
    let problem = ControlProblem { reduction, ..problem(made, wishes, duration, intervals) };
    let found = solve(&problem, intervals, &options, &mut Silent).unwrap();
    assert_eq!(found.status, Status::Solved, "{:?}", found.solution.message);
    assert!(found.solution.violation <= 1e-9);
    found
}

fn coordinate(made: &Multibody, name: &str, value: f64) -> Wish {
    Wish::Coordinate(made.coordinates().iter().position(|known| known == name).unwrap(), value)
}

fn quantity(made: &Multibody, name: &str, value: f64) -> Wish {
    Wish::Quantity(made.quantity_names().iter().position(|known| known == name).unwrap(), value)
}

/// The limit of second-order values on meshes of N and 2N intervals.
fn limit(of: impl Fn(usize) -> f64, intervals: usize) -> f64 {
    let (coarse, fine) = (of(intervals), of(2 * intervals));
    fine + (fine - coarse) / 3.0
}

/// p11a of the reference, put together from parts: CasADi and IPOPT on the same transcription.
#[test]
fn a_beam_on_a_hub_is_the_one_of_the_reference() {
    let mut mechanism = empty(2, Vector3::zeros());
    mechanism.bodies.push(body("hub", 1.0, [0.1; 3], Vector3::zeros(), Quaternion::IDENTITY));
    let section = Section::principal(100.0, [40.0, 40.0], [1.0, 1.0], 1.0, 1.0, [0.05; 3]);
    mechanism.rods.push(rod("beam", Vector3::zeros(), 1.0, 8, section, RodKind::Cosserat));
    let root = Frame::Section { rod: 0, boundary: 0 };
    mechanism.joints.push(joint("root", [A, root], Vector3::zeros(), JointKind::Rigid));
    let all = [Component::Force(0), Component::Force(1), Component::Torque(2)];
    mechanism.drives = vec![drive("d", DrivePlace::Frame(A), &all, false)];
    let made = Multibody::new(&mechanism, &[]).unwrap();
    assert_eq!((made.coordinates().len(), made.freedoms()), (27, 27), "the hub is the first node of the beam");
    let wishes = [
        coordinate(&made, "hub.x", 0.5),
        coordinate(&made, "hub.y", 0.5),
        coordinate(&made, "hub.angle", 0.5 * PI),
        Wish::Undeformed(0),
    ];
    for (intervals, wanted) in [(50, 2.450421397), (100, 2.385940618)] {
        let found = optimum(&made, &wishes, 2.0, intervals).objective;
        assert!((found / wanted - 1.0).abs() < 1e-8, "{intervals}: {found}");
    }
}

/// p06a of the reference: a body turned by half a turn by torques in its own frame.
#[test]
fn a_body_in_space_is_the_one_of_the_reference() {
    let mut mechanism = empty(3, Vector3::zeros());
    mechanism.bodies.push(body("satellite", 1.0, [1.0, 2.0, 2.5], Vector3::zeros(), Quaternion::IDENTITY));
    mechanism.joints.push(joint("ball", [Frame::Ground, A], Vector3::zeros(), JointKind::Spherical));
    mechanism.drives = vec![drive("d", DrivePlace::Frame(A), &[0, 1, 2].map(Component::Torque), true)];
    let made = Multibody::new(&mechanism, &[]).unwrap();
    let turned = Quaternion::from_rotation_vector(v(1.0, 1.0, 1.0).normalize() * PI);
    for (intervals, wanted) in [(50, 20.36049018), (100, 20.37938897)] {
        let found = optimum(&made, &[Wish::Orientation(0, turned)], 2.0, intervals);
        assert!((found.objective / wanted - 1.0).abs() < 1e-8, "{intervals}: {}", found.objective);
        assert!(found.iterations <= 8, "{} iterations", found.iterations);
        // Three local coordinates in place of the quaternion: the same optimum.
        let other = reduced(&made, &[Wish::Orientation(0, turned)], 2.0, intervals, Reduction::NullSpace);
        assert!((other.objective / found.objective - 1.0).abs() < 1e-9, "{}", other.objective);
    }
}

/// Two links in a plane of any orientation in space, with motors at both hinges.
fn arm(turn: Option<Quaternion>) -> Mechanism {
    let dimension = if turn.is_some() { 3 } else { 2 };
    let place = |x: f64| turn.map_or(v(x, 0.0, 0.0), |turn| turn.rotate(v(x, 0.0, 0.0)));
    let mut mechanism = empty(dimension, Vector3::zeros());
    mechanism.bodies.push(link("upper", 1.0, place(0.0), place(1.0)));
    mechanism.bodies.push(link("fore", 0.8, place(1.0), place(1.7)));
    let axis = turn.map_or(Vector3::z(), |turn| turn.rotate(Vector3::z()));
    let hinge = JointKind::Revolute(axis);
    mechanism.joints.push(joint("shoulder", [Frame::Ground, A], place(0.0), hinge));
    mechanism.joints.push(joint("elbow", [A, B], place(1.0), hinge));
    let motor = |i: usize| drive(&format!("m{i}"), DrivePlace::Joint(i), &[Component::AboutAxis], false);
    mechanism.drives = vec![motor(0), motor(1)];
    mechanism
}

/// The same arm by hand in absolute angles: L = ½ (m₁ l₁²/3 + m₂ l₁²) θ̇₁² + ½ m₂ l₁ l₂ cos(θ₂ − θ₁) θ̇₁ θ̇₂ + m₂ l₂² θ̇₂²/6.
struct ByHand;

impl Mechanics for ByHand {
    fn coordinates(&self) -> Vec<String> {
        ["a", "b"].map(str::to_owned).into()
    }

    fn controls(&self) -> Vec<String> {
        ["u", "w"].map(str::to_owned).into()
    }

    fn lagrangian<'g>(&self, at: &lariat::discretisation::transcription::At<'g>) -> lariat::nlp::graph::Expr<'g> {
        let (m1, m2, l1, l2) = (1.0, 0.8, 1.0, 0.7);
        0.5 * (m1 * l1 * l1 / 3.0 + m2 * l1 * l1) * at.v[0].square()
            + 0.5 * m2 * l1 * l2 * (at.q[1] - at.q[0]).cos() * at.v[0] * at.v[1]
            + m2 * l2 * l2 / 6.0 * at.v[1].square()
    }

    fn forces<'g>(&self, at: &lariat::discretisation::transcription::At<'g>) -> Vec<lariat::nlp::graph::Expr<'g>> {
        vec![at.u[0] - at.u[1], at.u[1]]
    }
}

/// Bodies and hinges, in the plane and askew in space, have the optimum of the arm in its two angles.
#[test]
fn joints_and_minimal_coordinates_have_one_optimum() {
    let goal = [0.5 * PI, 1.2];
    let minimal = |intervals: usize| {
        let square: Formula = Arc::new(|at| at.graph.sum(at.u.iter().map(|u| u.square())));
        let to = [goal[0], goal[0] + goal[1]];
        let problem = ControlProblem {
            cost: Cost { running: vec![(0.5, square)], ..Cost::default() },
            ..ControlProblem::new(Arc::new(ByHand), 1.0, End::at_rest(&[0.0, 0.0]), End::at_rest(&to))
        };
        let options = OptimalControlOptions { continued: false, ..Default::default() };
        let found = solve(&problem, intervals, &options, &mut Silent).unwrap();
        assert_eq!(found.status, Status::Solved);
        found.objective
    };
    let wanted = limit(minimal, 100);
    for turn in [None, Some(Quaternion::from_rotation_vector(v(0.5, -0.8, 1.1)))] {
        let made = Multibody::new(&arm(turn), &[]).unwrap();
        assert_eq!(made.freedoms(), 2);
        let wishes = [quantity(&made, "shoulder.angle", goal[0]), quantity(&made, "elbow.angle", goal[1])];
        let of = |intervals: usize| optimum(&made, &wishes, 1.0, intervals).objective;
        let found = limit(of, 40);
        // Extrapolated errors of fourth order: 40⁻⁴ is 4e-7.
        assert!((found / wanted - 1.0).abs() < 2e-5, "{found} {wanted}, {turn:?}");
    }
}

/// A trolley on a rail with a load on a rope: the crane p08a, whose limit is known from the reference by extrapolation.
#[test]
fn a_crane_of_parts_has_the_optimum_of_the_crane_in_angles() {
    let mut mechanism = empty(2, v(0.0, -9.81, 0.0));
    mechanism.bodies.push(body("trolley", 1.0, [1.0; 3], Vector3::zeros(), Quaternion::IDENTITY));
    mechanism.bodies.push(body("load", 0.5, [0.0; 3], v(0.0, -1.0, 0.0), Quaternion::IDENTITY));
    let rail = coupling("rail", [Frame::Ground, A], [Vector3::zeros(); 2], JointKind::Prismatic(Vector3::x()));
    let rope = coupling("rope", [A, B], [Vector3::zeros(), v(0.0, -1.0, 0.0)], JointKind::Distance);
    mechanism.joints = vec![rail, rope];
    let motor = DrivePlace::Joint(0);
    mechanism.drives = vec![drive("m", motor, &[Component::AlongAxis], false)];
    let made = Multibody::new(&mechanism, &[]).unwrap();
    assert_eq!(made.freedoms(), 2);
    let wishes = [coordinate(&made, "load.x", 2.0), quantity(&made, "rail.position", 2.0)];
    // The rope and the load have one local coordinate in place of two with a constraint.
    let [with, without] =
        [Reduction::Multipliers, Reduction::NullSpace].map(|reduction| reduced(&made, &wishes, 3.0, 50, reduction));
    assert!((with.objective / without.objective - 1.0).abs() < 1e-9);
    let found = limit(|intervals| optimum(&made, &wishes, 3.0, intervals).objective, 100);
    // 2.359616822 and 2.359654147 at N = 400 and 1000: the limit is 2.359661257.
    let wanted = 2.359654147 + (2.359654147 - 2.359616822) / (2.5_f64.powi(2) - 1.0);
    assert!((found / wanted - 1.0).abs() < 1e-6, "{found} {wanted}");
}
