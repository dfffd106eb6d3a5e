//! Machines for the tests.

use lariat::geometry::{Pose, Quaternion};
use lariat::material::{RodLaw, Section};
use lariat::mechanism::{
    BodyPart, Component, Drive, DrivePlace, Frame, JointKind, JointPart, Mechanism, Quadrature, RodKind, RodPart,
};
use nalgebra::{Matrix3, Vector3};
use std::sync::Arc;

use crate::structures;
pub use crate::structures::{constant as still, v};

/// From the first instant to the first instant: nothing here moves by itself.
pub const NOW: [f64; 2] = [0.0; 2];

/// Nothing yet.
pub fn empty(dimension: usize, gravity: Vector3<f64>) -> Mechanism {
    Mechanism { gravity, ..structures::empty(dimension) }
}

pub fn body(name: &str, mass: f64, inertia: [f64; 3], position: Vector3<f64>, orientation: Quaternion) -> BodyPart {
    BodyPart {
        name: name.into(),
        mass,
        inertia: Matrix3::from_diagonal(&Vector3::from(inertia)),
        pose: Pose { position, orientation },
        velocity: Vector3::zeros(),
        spin: Vector3::zeros(),
    }
}

/// A link of unit density from one point to another in the plane z = 0.
pub fn link(name: &str, mass: f64, from: Vector3<f64>, to: Vector3<f64>) -> BodyPart {
    let inertia = mass * (to - from).norm_squared() / 12.0;
    body(name, mass, [inertia; 3], (from + to) * 0.5, Quaternion::IDENTITY)
}

pub fn joint(name: &str, between: [Frame; 2], at: Vector3<f64>, kind: JointKind) -> JointPart {
    JointPart::at_point(name, between, at, kind)
}

pub fn coupling(name: &str, between: [Frame; 2], at: [Vector3<f64>; 2], kind: JointKind) -> JointPart {
    JointPart { name: name.into(), between, at, kind }
}

pub fn drive(name: &str, place: DrivePlace, components: &[Component], follows: bool) -> Drive {
    let components = components.iter().enumerate().map(|(i, c)| (format!("c{i}"), *c)).collect();
    Drive { name: name.into(), place, components, follows }
}

/// A straight rod along x in a plane or in space, with d₃ along it and d₂ = z.
pub fn rod(name: &str, from: Vector3<f64>, length: f64, elements: usize, section: Section, kind: RodKind) -> RodPart {
    let directors = Matrix3::from_columns(&[Vector3::y(), Vector3::z(), Vector3::x()]);
    let orientation = Quaternion::from_directors(&directors);
    RodPart {
        name: name.into(),
        kind,
        length,
        elements,
        mesh: Default::default(),
        order: 1,
        quadrature: Quadrature::Midpoint,
        reference: Arc::new(move |s| Pose { position: from + Vector3::x() * s, orientation }),
        section: Arc::new(move |_| section),
        law: RodLaw::default(),
        prestrain: None,
        velocity: None,
    }
}
