//! The answer of every method on the user's grid.

use nalgebra::Vector6;

use crate::mechanism::Pose;

/// Poses of the sections; velocity and spin, force and moment, all in space; and what drives the last section.
#[derive(Debug, Clone, PartialEq)]
pub struct SpaceMotion {
    /// Number of sections.
    pub sections: usize,
    /// Number of instants.
    pub instants: usize,
    /// Pose of section i at instant k: `poses[i * instants + k]`.
    pub poses: Vec<Pose>,
    /// Velocity and spin, same order.
    pub v: Vec<Vector6<f64>>,
    /// Force and moment, same order.
    pub n: Vec<Vector6<f64>>,
    /// Force and torque of all actuators about the last section, per instant, where the data of one end are complete.
    pub driven: Vec<Vector6<f64>>,
}

impl SpaceMotion {
    /// Everything at the origin, without forces.
    pub fn resting(sections: usize, instants: usize) -> Self {
        let field = vec![Vector6::zeros(); sections * instants];
        let poses = vec![Pose::IDENTITY; sections * instants];
        Self { sections, instants, poses, v: field.clone(), n: field, driven: vec![Vector6::zeros(); instants] }
    }

    /// Index of (section i, instant k).
    pub fn at(&self, i: usize, k: usize) -> usize {
        i * self.instants + k
    }

    /// Poses of all sections at instant k.
    pub fn snapshot(&self, k: usize) -> Vec<Pose> {
        (0..self.sections).map(|i| self.poses[self.at(i, k)]).collect()
    }

    /// Velocities of all sections at instant k.
    pub fn velocities(&self, k: usize) -> Vec<Vector6<f64>> {
        (0..self.sections).map(|i| self.v[self.at(i, k)]).collect()
    }
}
