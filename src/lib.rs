//! Optimal control and inverse dynamics of ropes, beams, rods and rigid bodies.

pub mod cli;
pub mod discretisation;
pub mod error;
pub mod geometry;
pub mod kernel;
pub mod material;
pub mod models;
pub mod nlp;
pub mod plots;
pub mod problem;
pub mod results;
pub mod solver;
pub mod tasks;
