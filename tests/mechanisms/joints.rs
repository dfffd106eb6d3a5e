//! Joints: how many ways of moving they leave, and which combinations are refused.

use lariat::discretisation::transcription::Mechanics;
use lariat::discretisation::transcription::multibody::{ConfigurationError, Multibody, MultibodyError, Wish};
use lariat::geometry::Quaternion;
use lariat::mechanism::{Frame, JointKind, Mechanism};
use nalgebra::Vector3;

use crate::parts::{NOW, body, coupling, empty, joint, link, v};

const A: Frame = Frame::Body(0);
const B: Frame = Frame::Body(1);
const GROUND: Frame = Frame::Ground;

fn two_bodies() -> Mechanism {
    let mut mechanism = empty(3, Vector3::zeros());
    let turned = Quaternion::from_rotation_vector(v(0.3, -0.4, 0.5));
    mechanism.bodies.push(body("a", 2.0, [1.0, 2.0, 2.5], v(0.1, 0.2, 0.3), turned));
    mechanism.bodies.push(body("b", 1.0, [0.5, 0.6, 0.7], v(1.1, -0.4, 0.3), Quaternion::IDENTITY));
    mechanism
}

/// Grübler's count: 12 for two free bodies, less what each joint takes.
#[test]
fn joints_take_as_many_freedoms_as_they_should() {
    let at = v(0.6, 0.1, -0.2);
    let axis = v(1.0, 2.0, -1.0).normalize();
    let second = axis.cross(&Vector3::x()).normalize();
    let joints = [(JointKind::Spherical, 3), (JointKind::Revolute(axis), 5), (JointKind::Rigid, 6)];
    for (kind, taken) in joints {
        let mut mechanism = two_bodies();
        mechanism.joints.push(joint("j", [A, B], at, kind));
        let made = Multibody::new(&mechanism, &[]).unwrap();
        assert_eq!(made.freedoms(), 12 - taken, "{kind:?}");
        // Rigidly joined bodies share a node.
        assert_eq!(made.coordinates().len(), if kind == JointKind::Rigid { 7 } else { 14 });
    }
    let couplings = [
        (JointKind::Universal([axis, second]), 4),
        (JointKind::Prismatic(axis), 5),
        (JointKind::Cylindrical(axis), 4),
        (JointKind::Planar(axis), 3),
        (JointKind::Distance, 1),
    ];
    for (kind, taken) in couplings {
        let mut mechanism = two_bodies();
        mechanism.joints.push(coupling("j", [A, B], [at, at + axis], kind));
        assert_eq!(Multibody::new(&mechanism, &[]).unwrap().freedoms(), 12 - taken, "{kind:?}");
    }
}

/// Any motion a joint allows keeps its rows zero; here the motion of the parts is put together by hand.
#[test]
fn what_a_joint_allows_satisfies_it_and_what_it_forbids_does_not() {
    let at = v(0.6, 0.1, -0.2);
    let axis = v(1.0, 2.0, -1.0).normalize();
    let second = axis.cross(&Vector3::x()).normalize();
    let turn = |about: Vector3<f64>, angle: f64| Quaternion::from_rotation_vector(about * angle);
    // (kind, allowed: rotation and translation of b about `at` against a, forbidden: likewise)
    type Move = (Quaternion, Vector3<f64>);
    let still = Vector3::zeros();
    let cases: Vec<(JointKind, Move, Move)> = vec![
        (JointKind::Prismatic(axis), (Quaternion::IDENTITY, axis * 0.7), (turn(axis, 0.1), still)),
        (JointKind::Cylindrical(axis), (turn(axis, 0.8), axis * 0.7), (turn(second, 0.1), still)),
        (JointKind::Planar(axis), (turn(axis, 0.8), second * 0.7), (Quaternion::IDENTITY, axis * 0.1)),
        (
            JointKind::Universal([axis, second]),
            (turn(axis, 0.8) * turn(second, -0.5), still),
            (turn(axis.cross(&second), 0.1), still),
        ),
    ];
    for (kind, allowed, forbidden) in cases {
        let mut mechanism = two_bodies();
        mechanism.joints.push(coupling("j", [A, B], [at, at], kind));
        let made = Multibody::new(&mechanism, &[]).unwrap();
        let violation = |(rotation, shift): Move| {
            // Both bodies are then moved together, which no joint notices.
            let (common, by) = (turn(v(0.5, 0.1, -0.7), 1.0), v(3.0, -1.0, 0.5));
            let moved = |pose: lariat::geometry::Pose, turn: Quaternion, shift: Vector3<f64>| {
                let position = at + shift + turn.rotate(pose.position - at);
                (common.rotate(position) + by, common * (turn * pose.orientation))
            };
            let [a, b] = [0, 1].map(|i| mechanism.bodies[i].pose);
            let poses = [moved(a, Quaternion::IDENTITY, still), moved(b, rotation, shift)];
            let q: Vec<f64> =
                poses.iter().flat_map(|(x, p)| x.iter().copied().chain(p.to_array()).collect::<Vec<_>>()).collect();
            crate::forces::constraints(&made, &q).into_iter().fold(0.0, |worst: f64, g| worst.max(g.abs()))
        };
        assert!(violation(allowed) < 1e-14, "{kind:?}: {:.1e}", violation(allowed));
        assert!(violation(forbidden) > 1e-3, "{kind:?}: {:.1e}", violation(forbidden));
    }
}

/// A four-bar linkage in space with parallel hinges has three redundant conditions, which are left out and named; with two balls
/// it has none.
#[test]
fn redundant_conditions_of_loops_are_left_out_by_name() {
    let corners = [v(0.0, 0.0, 0.0), v(0.0, 1.0, 0.0), v(1.5, 1.2, 0.0), v(1.5, 0.0, 0.0)];
    let mechanism = |last: [JointKind; 2]| {
        let mut mechanism = empty(3, Vector3::zeros());
        for (i, name) in ["crank", "coupler", "rocker"].into_iter().enumerate() {
            mechanism.bodies.push(link(name, 1.0, corners[i], corners[i + 1]));
        }
        let hinge = JointKind::Revolute(Vector3::z());
        let pairs = [[GROUND, A], [A, B], [B, Frame::Body(2)], [Frame::Body(2), GROUND]];
        for (i, kind) in [hinge, hinge, last[0], last[1]].into_iter().enumerate() {
            mechanism.joints.push(joint(&format!("j{i}"), pairs[i], corners[i], kind));
        }
        mechanism
    };
    let hinge = JointKind::Revolute(Vector3::z());
    let made = Multibody::new(&mechanism([hinge, hinge]), &[]).unwrap();
    assert_eq!(made.freedoms(), 1);
    let told = made.redundancy().unwrap();
    assert!(told.contains("joint `j3` along z") && told.contains("axis of joint `j3`"), "{told}");
    // Two balls let the coupler between them turn about itself besides.
    let made = Multibody::new(&mechanism([JointKind::Spherical, JointKind::Spherical]), &[]).unwrap();
    assert_eq!((made.freedoms(), made.redundancy()), (2, None));
}

#[test]
fn what_is_no_mechanism_is_refused() {
    let mut mechanism = two_bodies();
    mechanism.joints.push(joint("r", [A, B], v(0.0, 0.0, 0.0), JointKind::Rigid));
    mechanism.joints.push(joint("s", [A, B], v(0.0, 0.0, 0.0), JointKind::Spherical));
    assert_eq!(Multibody::new(&mechanism, &[]).unwrap_err(), MultibodyError::SameBody("s".into()));
    let mut mechanism = two_bodies();
    mechanism.joints.push(joint("r", [A, GROUND], v(0.0, 0.0, 0.0), JointKind::Rigid));
    mechanism.joints.push(joint("s", [B, A], v(0.0, 0.0, 0.0), JointKind::Rigid));
    assert_eq!(Multibody::new(&mechanism, &[]).unwrap_err(), MultibodyError::NothingMoves);
    let mut mechanism = two_bodies();
    mechanism.bodies[1].mass = 0.0;
    let error = Multibody::new(&mechanism, &[]).unwrap_err();
    assert_eq!(error, MultibodyError::Massless { frame: "b".into(), how: "move", what: "mass" });
}

/// An arm of two links whose hand is to be at a place it can reach, and at one it cannot.
#[test]
fn configurations_are_found_or_told_to_be_out_of_reach() {
    let mut mechanism = empty(2, Vector3::zeros());
    let points = [v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), v(1.8, 0.0, 0.0)];
    mechanism.bodies.push(link("upper", 1.0, points[0], points[1]));
    mechanism.bodies.push(link("fore", 1.0, points[1], points[2]));
    mechanism.bodies.push(body("hand", 0.1, [0.0; 3], points[2], Quaternion::IDENTITY));
    let hinge = JointKind::Revolute(Vector3::z());
    mechanism.joints.push(joint("shoulder", [GROUND, A], points[0], hinge));
    mechanism.joints.push(joint("elbow", [A, B], points[1], hinge));
    mechanism.joints.push(joint("grip", [B, Frame::Body(2)], points[2], JointKind::Rigid));
    let made = Multibody::new(&mechanism, &[]).unwrap();
    let names = made.quantity_names();
    let quantity = |name: &str| names.iter().position(|known| known == name).unwrap();
    assert_eq!(made.freedoms(), 2);
    let at = |x: f64, y: f64| vec![Wish::Quantity(quantity("hand.x"), x), Wish::Quantity(quantity("hand.y"), y)];
    // From the straight arm, which is singular, bent a little first.
    let bent = made.configure(&made.reference(), &[Wish::Quantity(quantity("elbow.angle"), 0.4)], NOW).unwrap();
    assert!(!bent.determined);
    let found = made.configure(&bent.q, &at(0.5, 1.2), NOW).unwrap();
    assert!(found.determined);
    // Law of cosines for the angle of the elbow.
    let cosine: f64 = (0.5 * 0.5 + 1.2 * 1.2 - 1.0 - 0.64) / (2.0 * 0.8);
    let angles = made.configure(&found.q, &[Wish::Quantity(quantity("elbow.angle"), cosine.acos())], NOW).unwrap();
    let change = angles.q.iter().zip(&found.q).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(change < 1e-9, "{change:.1e}");
    let error = made.configure(&bent.q, &at(2.0, 0.5), NOW).unwrap_err();
    assert!(matches!(error, ConfigurationError::Contradiction { .. }), "{error}");
    // The way there keeps the joints and moves the hand on a straight line.
    let way = made.way(&bent.q, &at(0.5, 1.2), NOW, 20).unwrap();
    for q in &way {
        assert!(crate::forces::constraints(&made, q).iter().all(|g| g.abs() < 1e-10));
    }
}
