//! Forces and torques along a rod at one section, at all instants: loads, and the drag of a fluid, whose velocity is known there.

use nalgebra::Vector3;

use crate::discretisation::march::TimeDerivative;
use crate::geometry::Quaternion;
use crate::material::DragLaw;
use crate::mechanism::{BadFunction, RodLoads};

/// Loads per length at one section.
#[derive(Debug, Clone, Default)]
pub struct Loading {
    /// In space: force and torque per instant.
    fixed: Vec<[Vector3<f64>; 2]>,
    /// Along the directors of the section.
    turned: Vec<[Vector3<f64>; 2]>,
    /// Drag, N per metre.
    drag: Option<DragLaw>,
    /// The current at each instant.
    current: Vec<Vector3<f64>>,
    /// Velocity of the section; the third component is that of space.
    velocity: [Vec<f64>; 3],
}

impl Loading {
    /// Evaluates loads at s for all instants.
    pub fn evaluate(
        &mut self,
        loads: &RodLoads<'_>,
        s: f64,
        count: usize,
        instant: &dyn Fn(usize) -> f64,
    ) -> Result<(), BadFunction> {
        self.fixed.clear();
        self.turned.clear();
        for k in (0..count).filter(|_| loads.stand()) {
            self.fixed.push(loads.standing(s, instant(k))?);
        }
        for k in (0..count).filter(|_| loads.follow()) {
            self.turned.push(loads.following(s, instant(k))?);
        }
        self.drag = loads.drag().map(|drag| drag.law(s)).transpose()?;
        if let Some(drag) = loads.drag().filter(|_| self.current.len() != count) {
            self.current = (0..count).map(|k| drag.current(instant(k))).collect::<Result<_, _>>()?;
            self.velocity = std::array::from_fn(|_| vec![0.0; count]);
        }
        Ok(())
    }

    /// Whether a fluid resists.
    pub fn resists(&self) -> bool {
        self.drag.is_some()
    }

    /// Finds the velocities of the section from its places over time.
    pub fn find_velocities(&mut self, x: &[Vec<f64>], time: &TimeDerivative) {
        for (x, velocity) in x.iter().zip(&mut self.velocity) {
            time.first(x, velocity);
        }
    }

    /// Drag per length at instant k of a rod with this unit tangent, N/m.
    pub fn drag(&self, k: usize, tangent: Vector3<f64>) -> Vector3<f64> {
        let Some(law) = self.drag else { return Vector3::zeros() };
        let velocity = Vector3::from_fn(|c, _| self.velocity[c][k]);
        law.force(velocity - self.current[k], Some(tangent))
    }

    /// Whether there is any.
    pub fn is_there(&self) -> bool {
        !self.fixed.is_empty() || !self.turned.is_empty()
    }

    /// Whether some turn with the section.
    pub fn follows(&self) -> bool {
        !self.turned.is_empty()
    }

    fn sum(&self, what: usize, k: usize, orientation: Quaternion) -> Vector3<f64> {
        let fixed = self.fixed.get(k).map_or_else(Vector3::zeros, |load| load[what]);
        fixed + self.turned.get(k).map_or_else(Vector3::zeros, |load| orientation.rotate(load[what]))
    }

    /// Force per length at instant k, N/m.
    pub fn force(&self, k: usize, orientation: Quaternion) -> Vector3<f64> {
        self.sum(0, k, orientation)
    }

    /// Torque per length at instant k, N.
    pub fn torque(&self, k: usize, orientation: Quaternion) -> Vector3<f64> {
        self.sum(1, k, orientation)
    }
}
