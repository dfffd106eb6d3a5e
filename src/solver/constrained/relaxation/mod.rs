//! What is done about constraints that cannot be met at once: relax them until they can.

pub mod elastic;
pub mod restoration;
