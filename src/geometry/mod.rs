//! Frames of cross-sections and bodies.

mod plane;
mod quaternion;

pub use plane::Director;
pub use quaternion::{Pose, Quaternion, cross_matrix};
