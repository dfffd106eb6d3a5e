//! Structures that the tests of statics and modes are made of, and measured orders.
#![allow(dead_code, clippy::unwrap_used)]

use std::sync::Arc;

use lariat::geometry::{Pose, Quaternion};
use lariat::kernel::Function;
use lariat::material::{RodLaw, Section};
use lariat::mechanism::curve::Curve;
use lariat::mechanism::{
    BodyPart, Frame, JointKind, JointPart, LoadPart, Mechanism, Quadrature, RodKind, RodPart, SupportPart,
};
use nalgebra::{Matrix3, Vector3};

pub fn v(x: f64, y: f64, z: f64) -> Vector3<f64> {
    Vector3::new(x, y, z)
}

pub fn constant(x: [f64; 3]) -> [Function; 3] {
    x.map(Function::constant)
}

pub fn empty(dimension: usize) -> Mechanism {
    Mechanism::empty(dimension)
}

pub fn rod_of(curve: &Curve, section: Section, elements: usize, order: usize) -> RodPart {
    RodPart {
        name: "rod".into(),
        kind: RodKind::Cosserat,
        length: curve.length(),
        elements,
        mesh: Default::default(),
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
    rod_of(&Curve::straight(from, to, None).unwrap(), section, elements, order)
}

/// A rod of length 1 from the origin along x.
pub fn unit_rod(dimension: usize, section: Section, elements: usize, order: usize) -> Mechanism {
    let mut mechanism = empty(dimension);
    mechanism.rods.push(straight(v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), section, elements, order));
    mechanism
}

/// The same, clamped at the origin.
pub fn cantilever(dimension: usize, section: Section, elements: usize, order: usize) -> Mechanism {
    let mut mechanism = unit_rod(dimension, section, elements, order);
    mechanism.supports.push(clamp(end(0, 0)));
    mechanism
}

/// A section without favourite direction: EA, GA, EI, GJ, ρA and ρI about d₁ and d₂ (twice that about d₃).
pub fn round(axial: f64, shear: f64, bending: f64, torsion: f64, mass: f64, rotary: f64) -> Section {
    Section::principal(axial, [shear; 2], [bending; 2], torsion, mass, [rotary, rotary, 2.0 * rotary])
}

/// A full circle of radius r: shear factor 1, torsion G (I₁ + I₂).
pub fn circle(r: f64, youngs: f64, poisson: f64, density: f64) -> Section {
    let area = std::f64::consts::PI * r * r;
    let i = 0.25 * area * r * r;
    let g = 0.5 * youngs / (1.0 + poisson);
    round(youngs * area, g * area, youngs * i, 2.0 * g * i, density * area, density * i)
}

/// A rectangle, `width` along d₂ and `height` along d₁ (the height bends in the plane): torsion G (I₁ + I₂).
pub fn rectangle(width: f64, height: f64, youngs: f64, poisson: f64, density: f64, shear_factor: f64) -> Section {
    let area = width * height;
    let (i1, i2) = (area * width * width / 12.0, area * height * height / 12.0);
    let g = 0.5 * youngs / (1.0 + poisson);
    let inertia = [density * i1, density * i2, density * (i1 + i2)];
    let shear = [shear_factor * g * area; 2];
    Section::principal(youngs * area, shear, [youngs * i1, youngs * i2], g * (i1 + i2), density * area, inertia)
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

/// Holds single coordinates.
pub fn roller(at: Frame, held: [bool; 3]) -> SupportPart {
    let displacement = held.map(|held| held.then(|| Function::constant(0.0)));
    SupportPart { name: "roller".into(), displacement, ..hinge(at) }
}

pub fn dead_load(at: Frame, force: [f64; 3], torque: [f64; 3]) -> LoadPart {
    LoadPart { name: "load".into(), at, force: constant(force), torque: constant(torque), follows: false }
}

pub fn follower(at: Frame, force: [f64; 3], torque: [f64; 3]) -> LoadPart {
    LoadPart { follows: true, ..dead_load(at, force, torque) }
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
    JointPart::at_point("joint", between, at, kind)
}

/// Orders of convergence between successive halvings.
pub fn orders(errors: &[f64]) -> Vec<f64> {
    errors.windows(2).map(|pair| (pair[0] / pair[1]).log2()).collect()
}
