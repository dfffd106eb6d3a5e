//! Springs and dampers between points or on joints.

use nalgebra::Vector3;

use super::frame::Frame;

/// Where a spring acts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SpringPlace {
    /// Along the line between two points, given in the reference configuration.
    Between([Frame; 2], [Vector3<f64>; 2]),
    /// On the angle of a joint that turns or the travel of one that slides, by its place in [`super::Mechanism::joints`].
    Joint(usize),
}

/// A spring with a damper beside it.
#[derive(Debug, Clone)]
pub struct Spring {
    /// Name in the problem file.
    pub name: String,
    /// Where it acts.
    pub place: SpringPlace,
    /// Stiffness, N/m or N m/rad.
    pub stiffness: f64,
    /// Damping, N s/m or N m s/rad.
    pub damping: f64,
    /// Length, travel or angle without force; that of the reference configuration unless stated.
    pub rest: Option<f64>,
}
