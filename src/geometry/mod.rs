//! Frames of cross-sections and bodies.

pub mod algebra;
mod plane;
mod pose_jet;
mod quaternion;

pub use plane::Director;
pub use pose_jet::{PoseJet, QuaternionJet};
pub use quaternion::{Pose, Quaternion, cross_matrix};
