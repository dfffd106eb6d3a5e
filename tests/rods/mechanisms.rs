//! Mechanisms that the tests share.

use std::sync::Arc;

use lariat::geometry::{Pose, Quaternion};
use lariat::kernel::Function;
use lariat::material::{RodLaw, Section};
use lariat::models::curve::Curve;
use lariat::models::structure::{
    BodyPart, Frame, JointKind, JointPart, LoadPart, Quadrature, RodKind, RodPart, Structure, SupportPart,
};
use nalgebra::{Matrix3, Vector3};

pub fn v(x: f64, y: f64, z: f64) -> Vector3<f64> {
    Vector3::new(x, y, z)
}

pub fn constant(x: [f64; 3]) -> [Function; 3] {
    x.map(Function::constant)
}

pub fn empty(dimension: usize) -> Structure {
    Structure {
        dimension,
        gravity: Vector3::zeros(),
        rods: Vec::new(),
        bodies: Vec::new(),
        joints: Vec::new(),
        supports: Vec::new(),
        loads: Vec::new(),
        line_loads: Vec::new(),
    }
}

pub fn rod_of(curve: Curve, section: Section, elements: usize, order: usize) -> RodPart {
    RodPart {
        name: "rod".into(),
        kind: RodKind::Cosserat,
        length: curve.length(),
        elements,
        order,
        quadrature: Quadrature::Midpoint,
        reference: curve.along(),
        section: Arc::new(move |_| section),
        law: RodLaw::default(),
        prestrain: None,
        velocity: None,
    }
}

pub fn straight(from: Vector3<f64>, to: Vector3<f64>, section: Section, elements: usize, order: usize) -> RodPart {
    rod_of(Curve::straight(from, to, None).unwrap(), section, elements, order)
}

pub fn end(rod: usize, boundary: usize) -> Frame {
    Frame::Section { rod, boundary }
}

pub fn clamp(at: Frame) -> SupportPart {
    SupportPart {
        name: "clamp".into(),
        at,
        displacement: std::array::from_fn(|_| Some(Function::constant(0.0))),
        rotation: Some(constant([0.0; 3])),
    }
}

pub fn hinge(at: Frame) -> SupportPart {
    SupportPart { name: "hinge".into(), rotation: None, ..clamp(at) }
}

pub fn dead_load(at: Frame, force: [f64; 3], torque: [f64; 3]) -> LoadPart {
    LoadPart { name: "load".into(), at, force: constant(force), torque: constant(torque), follows: false }
}

pub fn body(name: &str, mass: f64, inertia: [f64; 3], position: Vector3<f64>) -> BodyPart {
    BodyPart {
        name: name.into(),
        mass,
        inertia: Matrix3::from_diagonal(&Vector3::from(inertia)),
        pose: Pose { position, orientation: Quaternion::IDENTITY },
        velocity: Vector3::zeros(),
        spin: Vector3::zeros(),
    }
}

pub fn joint(between: [Frame; 2], at: Vector3<f64>, kind: JointKind) -> JointPart {
    JointPart { name: "joint".into(), between, at, kind }
}

/// C4: a rubber rod of 1 m and 5 mm radius, hinged, horizontal at rest; E = 5e6, ν = 0.5, ρ = 1100, κ = 1.
pub fn rubber() -> Section {
    let (r, e, nu, rho) = (0.005_f64, 5e6, 0.5, 1100.0);
    let area = std::f64::consts::PI * r * r;
    let i = area * r * r / 4.0;
    let g = e / (2.0 * (1.0 + nu));
    Section::principal(e * area, [g * area; 2], [e * i; 2], g * 2.0 * i, rho * area, [rho * i, rho * i, 2.0 * rho * i])
}

pub fn swinging_rod(dimension: usize, elements: usize, order: usize) -> Structure {
    let mut structure = empty(dimension);
    structure.gravity = v(0.0, -9.81, 0.0);
    structure.rods.push(straight(v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), rubber(), elements, order));
    structure.supports.push(hinge(end(0, 0)));
    structure
}
