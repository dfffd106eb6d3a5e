//! Actuators: where unknown forces and torques act.

use super::frame::Frame;

/// What a drive acts on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DrivePlace {
    /// A frame, against the ground.
    Frame(Frame),
    /// The second frame of a joint, against the first, by its place in [`super::Mechanism::joints`].
    Joint(usize),
}

/// A component of force or torque.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Component {
    /// Force along x, y or z, newton.
    Force(usize),
    /// Torque about x, y or z, newton metre.
    Torque(usize),
    /// Force along the axis of a joint, newton.
    AlongAxis,
    /// Torque about the axis of a joint, newton metre.
    AboutAxis,
}

/// An actuator: unknown forces and torques.
#[derive(Debug, Clone)]
pub struct Drive {
    /// Name in the problem file.
    pub name: String,
    /// What it acts on.
    pub place: DrivePlace,
    /// Its components with their names in results.
    pub components: Vec<(String, Component)>,
    /// Whether x, y, z turn with the frame (the first frame of a joint), instead of being those of space.
    pub follows: bool,
}
