//! Reference shapes of rods.

use std::sync::Arc;

use nalgebra::{Matrix3, Vector3};

use super::super::Check;
use super::super::functions::Names;
use crate::geometry::{Pose, Quaternion};
use crate::models::RodSpec;
use crate::models::structure::Along;

/// The unstressed shape of a rod.
pub struct ReferenceShape {
    pub length: f64,
    pub pose: Along<Pose>,
}

impl Check<'_> {
    /// The reference shape of a rod, if all that it follows from is right.
    pub fn reference_shape(&mut self, name: &str, rod: &RodSpec, _names: &Names) -> Option<ReferenceShape> {
        let before = self.found.errors();
        self.straight_ends(name, rod);
        let (from, to) = (vector(rod.from.as_ref()?), vector(rod.to.as_ref()?));
        if self.found.errors() > before || !self.sure(&["rod", name]) {
            return None;
        }
        let (length, d3) = ((to - from).norm(), (to - from).normalize());
        let z = Vector3::z();
        let d1 = if d3.cross(&z).norm() < 1e-9 { Vector3::x() } else { z.cross(&d3).normalize() };
        let orientation = Quaternion::from_directors(&Matrix3::from_columns(&[d1, d3.cross(&d1), d3]));
        Some(ReferenceShape { length, pose: Arc::new(move |s| Pose { position: from + d3 * s, orientation }) })
    }
}

/// A vector of the plane or of space.
pub fn vector(components: &Vec<f64>) -> Vector3<f64> {
    Vector3::from_fn(|i, _| components.get(i).copied().unwrap_or(0.0))
}
