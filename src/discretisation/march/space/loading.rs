//! Forces and torques along a rod at one section, at all instants.

use nalgebra::Vector3;

use crate::geometry::Quaternion;
use crate::mechanism::{BadFunction, RodLoads};

/// Loads per length at one section.
#[derive(Debug, Clone, Default)]
pub struct Loading {
    /// In space: force and torque per instant.
    fixed: Vec<[Vector3<f64>; 2]>,
    /// Along the directors of the section.
    turned: Vec<[Vector3<f64>; 2]>,
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
        Ok(())
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
