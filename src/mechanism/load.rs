//! Forces and torques on frames and along rods.

use nalgebra::Vector3;

use super::{BadFunction, Frame, Mechanism, RodDrag};
use crate::geometry::Quaternion;
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
    fn at(&self, s: f64, t: f64) -> Result<(Vector3<f64>, Vector3<f64>), BadFunction> {
        let (mut force, mut torque) = (Vector3::zeros(), Vector3::zeros());
        for c in 0..3 {
            let bad = |offset: usize| move |error| BadFunction { coordinate: offset + c, is_load: true, error };
            force[c] = self.force[c].value(s, t).map_err(bad(0))?;
            torque[c] = self.torque[c].value(s, t).map_err(bad(3))?;
        }
        Ok((force, torque))
    }
}

/// All loads along one rod.
#[derive(Debug, Clone, Default)]
pub struct RodLoads<'a> {
    fixed: Vec<&'a LineLoad>,
    turned: Vec<&'a LineLoad>,
    drag: Option<RodDrag<'a>>,
}

impl<'a> RodLoads<'a> {
    /// Of these.
    pub fn new(loads: impl IntoIterator<Item = &'a LineLoad>) -> Self {
        let (turned, fixed) = loads.into_iter().partition(|load| load.follows);
        Self { fixed, turned, drag: None }
    }

    /// The same in a fluid.
    pub fn in_fluid(self, drag: Option<RodDrag<'a>>) -> Self {
        Self { drag, ..self }
    }

    /// The fluid around the rod.
    pub fn drag(&self) -> Option<&RodDrag<'a>> {
        self.drag.as_ref()
    }

    /// Whether there are none but those of a fluid.
    pub fn is_empty(&self) -> bool {
        self.fixed.is_empty() && self.turned.is_empty()
    }

    /// Whether some are fixed in space.
    pub fn stand(&self) -> bool {
        !self.fixed.is_empty()
    }

    /// Whether some turn with the section.
    pub fn follow(&self) -> bool {
        !self.turned.is_empty()
    }

    /// Force and torque per length at s and t of those fixed in space, in space.
    pub fn standing(&self, s: f64, t: f64) -> Result<[Vector3<f64>; 2], BadFunction> {
        sum(&self.fixed, s, t)
    }

    /// Force and torque per length at s and t of those that turn with the section, along its directors.
    pub fn following(&self, s: f64, t: f64) -> Result<[Vector3<f64>; 2], BadFunction> {
        sum(&self.turned, s, t)
    }

    /// Force and torque per length at s and t on a section of this orientation, in space.
    pub fn in_space(&self, s: f64, t: f64, orientation: Quaternion) -> Result<[Vector3<f64>; 2], BadFunction> {
        let ([force, torque], turned) = (self.standing(s, t)?, self.following(s, t)?);
        let [along, about] = turned.map(|load| orientation.rotate(load));
        Ok([force + along, torque + about])
    }
}

fn sum(loads: &[&LineLoad], s: f64, t: f64) -> Result<[Vector3<f64>; 2], BadFunction> {
    let mut sum = [Vector3::zeros(); 2];
    for load in loads {
        let (force, torque) = load.at(s, t)?;
        sum[0] += force;
        sum[1] += torque;
    }
    Ok(sum)
}

impl Mechanism {
    /// All loads along the rod at this place in [`Mechanism::rods`].
    pub fn loads_along(&self, rod: usize) -> RodLoads<'_> {
        RodLoads::new(self.line_loads.iter().filter(|load| load.rod == rod)).in_fluid(self.drag_along(rod))
    }
}
