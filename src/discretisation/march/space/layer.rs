//! All of time at one cross-section.

use nalgebra::Vector3;

use crate::geometry::{Pose, Quaternion};

/// One cross-section at one instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpaceState {
    /// Position and orientation.
    pub pose: Pose,
    /// Force in space, newton.
    pub n: Vector3<f64>,
    /// Moment in space, newton metre.
    pub m: Vector3<f64>,
}

/// All of time at one cross-section, one contiguous array per component.
#[derive(Debug, Clone, PartialEq)]
pub struct SpaceLayer {
    /// Position.
    pub x: [Vec<f64>; 3],
    /// Orientation, unit quaternions.
    pub p: [Vec<f64>; 4],
    /// Force in space.
    pub n: [Vec<f64>; 3],
    /// Moment in space.
    pub m: [Vec<f64>; 3],
}

#[inline]
pub(super) fn vector(of: &[Vec<f64>; 3], k: usize) -> Vector3<f64> {
    Vector3::new(of[0][k], of[1][k], of[2][k])
}

#[inline]
pub(super) fn put(of: &mut [Vec<f64>; 3], k: usize, v: Vector3<f64>) {
    of[0][k] = v[0];
    of[1][k] = v[1];
    of[2][k] = v[2];
}

impl SpaceLayer {
    /// From states per instant.
    pub fn new(states: &[SpaceState]) -> Self {
        let split = |of: &dyn Fn(&SpaceState) -> Vector3<f64>| -> [Vec<f64>; 3] {
            std::array::from_fn(|c| states.iter().map(|state| of(state)[c]).collect())
        };
        Self {
            x: split(&|state| state.pose.position),
            p: std::array::from_fn(|c| states.iter().map(|state| state.pose.orientation.to_array()[c]).collect()),
            n: split(&|state| state.n),
            m: split(&|state| state.m),
        }
    }

    /// Number of instants.
    pub fn len(&self) -> usize {
        self.x[0].len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Orientation at instant k.
    #[inline]
    pub fn orientation(&self, k: usize) -> Quaternion {
        Quaternion::new(self.p[0][k], self.p[1][k], self.p[2][k], self.p[3][k])
    }

    /// The state at instant k.
    pub fn state(&self, k: usize) -> SpaceState {
        let pose = Pose { position: vector(&self.x, k), orientation: self.orientation(k) };
        SpaceState { pose, n: vector(&self.n, k), m: vector(&self.m, k) }
    }

    /// Puts the state of instant k in place.
    pub fn set(&mut self, k: usize, state: SpaceState) {
        put(&mut self.x, k, state.pose.position);
        for (component, value) in self.p.iter_mut().zip(state.pose.orientation.to_array()) {
            component[k] = value;
        }
        self.set_stress(k, state.n, state.m);
    }

    /// Puts force and moment of instant k in place.
    pub fn set_stress(&mut self, k: usize, n: Vector3<f64>, m: Vector3<f64>) {
        put(&mut self.n, k, n);
        put(&mut self.m, k, m);
    }

    pub(super) fn first_not_finite(&self) -> usize {
        let parts = || self.x.iter().chain(&self.p).chain(&self.n).chain(&self.m);
        (0..self.len()).find(|&k| parts().any(|component| !component[k].is_finite())).unwrap_or(0)
    }
}
