//! Optimal control and inverse dynamics of ropes, beams, rods and rigid bodies.

pub mod kernel;
pub mod material;
pub mod models;
pub mod plots;
pub mod problem;
pub mod results;
pub mod tasks;
