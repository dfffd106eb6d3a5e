//! What resists motion from outside: the fluid around a mechanism with its current, and loads that depend on velocities.

use std::sync::Arc;

use nalgebra::Vector3;

use super::{BadFunction, Frame, Mechanism};
use crate::kernel::{EvalError, Formula, Function, Profile};
use crate::material::DragLaw;

/// Drag along a rod, per metre of reference length: coefficients of the velocity relative to the current, N s/m², and of its
/// square, N s²/m³, across the axis and along it.
#[derive(Debug, Clone)]
pub struct LineDrag {
    /// Place in [`Mechanism::rods`].
    pub rod: usize,
    /// Across the axis: linear, quadratic.
    pub normal: [Profile; 2],
    /// Along the axis: linear, quadratic.
    pub tangential: [Profile; 2],
}

impl LineDrag {
    /// Coefficients at s.
    pub fn at(&self, s: f64) -> Result<DragLaw, EvalError> {
        let of = |[linear, quadratic]: &[Profile; 2]| Ok([linear.value(s, 0.0)?, quadratic.value(s, 0.0)?]);
        Ok(DragLaw { normal: of(&self.normal)?, tangential: of(&self.tangential)? })
    }
}

/// Drag at the mass centre of a body, the same in all directions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyDrag {
    /// Place in [`Mechanism::bodies`].
    pub body: usize,
    /// Force per velocity, N s/m, and per its square, N s²/m².
    pub force: [f64; 2],
    /// Torque per angular velocity, N m s.
    pub rotary: f64,
}

/// A load on a frame by its own motion: force and torque in space as expressions of its velocity and angular velocity in space.
#[derive(Debug, Clone)]
pub struct MotionLoad {
    /// Name in the problem file.
    pub name: String,
    /// The frame.
    pub at: Frame,
    /// Force, N, and torque, N m, each of three velocities, m/s, and three angular velocities, rad/s; zero at rest.
    pub law: Arc<[Formula; 6]>,
}

/// The fluid.
#[derive(Debug, Clone)]
pub struct Fluid {
    /// Velocity of the current as a function of time, m/s.
    pub current: [Function; 3],
    /// Along rods.
    pub rods: Vec<LineDrag>,
    /// On bodies.
    pub bodies: Vec<BodyDrag>,
    /// Loads by the motion of their frames.
    pub loads: Vec<MotionLoad>,
}

impl Default for Fluid {
    fn default() -> Self {
        let current = std::array::from_fn(|_| Function::constant(0.0));
        Self { current, rods: Vec::new(), bodies: Vec::new(), loads: Vec::new() }
    }
}

impl Fluid {
    /// Whether it resists anything.
    pub fn is_there(&self) -> bool {
        !self.rods.is_empty() || !self.bodies.is_empty() || !self.loads.is_empty()
    }

    /// Velocity of the current at a time.
    pub fn current_at(&self, t: f64) -> Result<Vector3<f64>, EvalError> {
        let mut current = Vector3::zeros();
        for (out, component) in current.iter_mut().zip(&self.current) {
            *out = component.value(t)?;
        }
        Ok(current)
    }
}

/// Drag along one rod in a current.
#[derive(Debug, Clone, Copy)]
pub struct RodDrag<'a> {
    fluid: &'a Fluid,
    drag: &'a LineDrag,
}

impl RodDrag<'_> {
    /// Coefficients at s.
    pub fn law(&self, s: f64) -> Result<DragLaw, BadFunction> {
        self.drag.at(s).map_err(|error| BadFunction { coordinate: 0, is_load: true, error })
    }

    /// The current at a time.
    pub fn current(&self, t: f64) -> Result<Vector3<f64>, BadFunction> {
        self.fluid.current_at(t).map_err(|error| BadFunction { coordinate: 0, is_load: true, error })
    }
}

impl Mechanism {
    /// The drag along the rod at this place in [`Mechanism::rods`].
    pub fn drag_along(&self, rod: usize) -> Option<RodDrag<'_>> {
        let drag = self.fluid.rods.iter().find(|drag| drag.rod == rod)?;
        Some(RodDrag { fluid: &self.fluid, drag })
    }
}
