//! Forces and torques on frames and along rods.

use nalgebra::Vector3;

use super::{BadFunction, Frame};
use crate::kernel::{Function, Profile};

/// Force and torque on a frame.
#[derive(Debug, Clone)]
pub struct LoadPart {
    /// Name in the problem file.
    pub name: String,
    /// The frame.
    pub at: Frame,
    /// Force, N.
    pub force: [Function; 3],
    /// Torque, N m.
    pub torque: [Function; 3],
    /// Whether the components are those in the frame itself (follower load), not those in space (dead load): along the
    /// directors d₁, d₂, d₃ of a section, in the plane as well, or the axes of a body.
    pub follows: bool,
}

/// Force and torque per reference length of a rod.
#[derive(Debug, Clone)]
pub struct LineLoad {
    /// Name in the problem file.
    pub name: String,
    /// Place in [`super::Mechanism::rods`].
    pub rod: usize,
    /// Force, N/m.
    pub force: [Profile; 3],
    /// Torque, N m/m.
    pub torque: [Profile; 3],
    /// Whether the components are those in the section frame, not those in space.
    pub follows: bool,
}

impl LineLoad {
    /// Force and torque per length at s and t, as they are given.
    pub fn at(&self, s: f64, t: f64) -> Result<(Vector3<f64>, Vector3<f64>), BadFunction> {
        let (mut force, mut torque) = (Vector3::zeros(), Vector3::zeros());
        for c in 0..3 {
            let bad = |offset: usize| move |error| BadFunction { coordinate: offset + c, is_load: true, error };
            force[c] = self.force[c].value(s, t).map_err(bad(0))?;
            torque[c] = self.torque[c].value(s, t).map_err(bad(3))?;
        }
        Ok((force, torque))
    }
}
