//! Rotations and frames.

mod plane;

pub use plane::Director;
