//! A body at the end of a rod whose motion is prescribed: what it needs, and what acts on it.

use std::sync::Arc;

use nalgebra::{Matrix3, Vector3};

use super::*;
use crate::geometry::Quaternion;
use crate::kernel::{Expression, Function, Scope};
use crate::material::{RodLaw, Section};
use crate::mechanism::{BodyPart, JointKind, JointPart, LoadPart, Quadrature, RodKind};

fn function(text: &str) -> Function {
    Function::compile(&Expression::Text(text.into()), &Scope::empty()).unwrap()
}

/// A rod of length 1 along x whose end carries a body 0.5 beyond it; the body turns about z at the origin of its path.
fn driven(follows: bool) -> RodChain {
    let zero = || std::array::from_fn(|_| Function::constant(0.0));
    let orientation = Quaternion::from_rotation_vector(Vector3::y() * std::f64::consts::FRAC_PI_2);
    let rod = RodPart {
        name: "rod".into(),
        kind: RodKind::Cosserat,
        length: 1.0,
        elements: 4,
        mesh: Default::default(),
        order: 1,
        quadrature: Quadrature::Midpoint,
        reference: Arc::new(move |s| Pose { position: Vector3::new(s, 0.0, 0.0), orientation }),
        section: Arc::new(|_| Section::principal(1.0, [1.0; 2], [1.0; 2], 1.0, 1.0, [1.0; 3])),
        law: RodLaw::default(),
        prestrain: None,
        velocity: None,
    };
    let pose = Pose { position: Vector3::new(1.5, 0.0, 0.0), orientation: Quaternion::IDENTITY };
    let body = BodyPart {
        name: "body".into(),
        mass: 2.0,
        inertia: Matrix3::new(0.3, 0.0, 0.1, 0.0, 0.4, 0.0, 0.1, 0.0, 0.5),
        pose,
        velocity: Vector3::zeros(),
        spin: Vector3::zeros(),
    };
    let force = [function("0"), function("3"), function("0")];
    let load = LoadPart { name: "load".into(), at: Frame::Body(0), force, torque: zero(), follows };
    let end = Frame::Section { rod: 0, boundary: 4 };
    let at = Vector3::new(1.0, 0.0, 0.0);
    let grip = JointPart::at_point("grip", [Frame::Body(0), end], at, JointKind::Rigid);
    let mechanism = Mechanism {
        gravity: Vector3::new(0.0, 0.0, -10.0),
        rods: vec![rod],
        bodies: vec![body],
        joints: vec![grip],
        loads: vec![load],
        ..Mechanism::empty(3)
    };
    let turns = vec![[function("0"), function("0"), function("pi/2 + 3*(t - 1)")]];
    let path = PosePath { origin: Vector3::zeros(), position: zero(), turns, reference: pose };
    let holds = vec![0, 1, 2, 3, 4, 5];
    let guide = Guide { name: "hand".into(), frame: Frame::Body(0), path, holds, is_support: false };
    let start = Frame::Section { rod: 0, boundary: 0 };
    let route = Route::find(&mechanism, Frame::Body(0), &[start]).unwrap();
    RodChain::new(mechanism, route, vec![guide], vec![DrivePoint { frame: start, component: 0, follows: false }])
}

/// At t = 1 the body has turned by π/2 at 3 rad/s about its resting mass centre: the rod's end, 0.5 behind it, circles at
/// 1.5 m/s with 4.5 m/s² towards the centre. The body itself needs no force, but the gyroscopic couple ω × Jω about the
/// turned axes. Its weight has a lever about the end, and a load that follows has turned with it.
#[test]
fn the_end_moves_with_the_body_whose_path_is_given() {
    let rod = driven(false);
    let end = rod.servo(1.0).unwrap();
    let near = |a: Vector3<f64>, b: Vector3<f64>| assert!((a - b).norm() < 1e-12, "{a} {b}");
    near(end.pose.position, Vector3::new(0.0, -0.5, 0.0));
    near(end.velocity, Vector3::new(1.5, 0.0, 0.0));
    near(end.acceleration, Vector3::new(0.0, 4.5, 0.0));
    near(end.pose.orientation.rotate(Vector3::z()), Vector3::y());
    let station = rod.station(4).unwrap();
    let needed = station.inertia(&end);
    near(needed.force, Vector3::zeros());
    // Jω = 3 (0.1, 0, 0.5) in the body, (0, 0.3, 1.5) in space; ω × Jω = (−0.9, 0, 0).
    near(needed.torque, Vector3::new(-0.9, 0.0, 0.0));
    let known = rod.known(station, 1.0, &Moving::resting(end.pose)).unwrap();
    near(known.force, Vector3::new(0.0, 3.0, -20.0));
    // The arm is (0, 0.5, 0): only the weight has a lever.
    near(known.torque, Vector3::new(-10.0, 0.0, 0.0));
    let other = driven(true);
    let follows = other.loads(other.station(4).unwrap(), 1.0, &Moving::resting(end.pose)).unwrap();
    near(follows.force, Vector3::new(-3.0, 0.0, 0.0));
    near(follows.torque, Vector3::new(0.0, 0.0, 1.5));
}
