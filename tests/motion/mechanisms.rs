//! Parts of which the tests of motions build their mechanisms, besides those shared with other tests.

use std::sync::Arc;

use lariat::kernel::{Expression, Function, Profile, Scope};
use lariat::material::Section;
use lariat::mechanism::{Frame, JointKind, JointPart, LoadPart, Mechanism, RodPart};
use nalgebra::{Vector3, Vector6};

pub use crate::structures::{body, clamp, constant, empty, end, hinge, straight, v};

/// A function of `t`.
pub fn of_time(text: &str) -> Function {
    Function::compile(&Expression::Text(text.into()), &Scope::empty()).unwrap()
}

/// A function of `s` and `t`.
pub fn along(text: &str) -> Profile {
    Profile::compile(&Expression::Text(text.into()), &Scope::empty()).unwrap()
}

/// Gives a rod initial velocities (v in space, Ω in the section) by arc length.
pub fn moving(mut rod: RodPart, velocity: impl Fn(f64) -> [f64; 6] + Send + Sync + 'static) -> RodPart {
    rod.velocity = Some(Arc::new(move |s| Vector6::from(velocity(s))));
    rod
}

/// Force and torque in space.
pub fn load(at: Frame, force: [Function; 3], torque: [Function; 3]) -> LoadPart {
    LoadPart { name: "load".into(), at, force, torque, follows: false }
}

pub fn joint(name: &str, between: [Frame; 2], at: Vector3<f64>, kind: JointKind) -> JointPart {
    JointPart::at_point(name, between, at, kind)
}

/// Rubber with E = 5e6, ν = 0.5, ρ = 1100: a round section.
pub fn round_rubber(radius: f64) -> Section {
    crate::structures::circle(radius, 5e6, 0.5, 1100.0)
}

/// The same rubber: a square section, shear factor 1.
pub fn square_rubber(side: f64) -> Section {
    crate::structures::rectangle(side, side, 5e6, 0.5, 1100.0, 1.0)
}

/// A rubber rod of 1 m, hinged at the origin, horizontal at rest in gravity; C4 has the radius 5 mm.
pub fn swinging_rod(dimension: usize, radius: f64, elements: usize, order: usize) -> Mechanism {
    let mut mechanism = empty(dimension);
    mechanism.gravity = v(0.0, -9.81, 0.0);
    mechanism.rods.push(straight(v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), round_rubber(radius), elements, order));
    mechanism.supports.push(hinge(end(0, 0)));
    mechanism
}
