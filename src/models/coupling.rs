//! Joints that slide, universal joints and rods of fixed length without mass.

use nalgebra::Vector3;

use super::frame::Frame;

/// What a coupling lets free; directions are those of the reference configuration, of unit length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CouplingKind {
    /// Rotations about an axis of the first frame and one of the second, perpendicular to each other; space.
    Universal([Vector3<f64>; 2]),
    /// The translation along an axis of the first frame.
    Prismatic(Vector3<f64>),
    /// Translation along and rotation about an axis of the first frame; space.
    Cylindrical(Vector3<f64>),
    /// Translations across a normal of the first frame and the rotation about it; space.
    Planar(Vector3<f64>),
    /// Everything but the distance of two points.
    Distance,
}

/// A joint that slides, or a universal one.
#[derive(Debug, Clone)]
pub struct Coupling {
    /// Name in the problem file.
    pub name: String,
    /// The frames.
    pub between: [Frame; 2],
    /// Its point on either frame in the reference configuration, metre; the same but for [`CouplingKind::Distance`].
    pub at: [Vector3<f64>; 2],
    /// What it lets free.
    pub kind: CouplingKind,
}

/// Any joint of a mechanism.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JointRef {
    /// Place in [`super::Structure::joints`].
    Joint(usize),
    /// Place in [`super::Structure::couplings`].
    Coupling(usize),
}
