//! Inverse dynamics of elastic strings and plane beams: which forces at one end make the other end move as wanted?
//!
//! The way through the crate is that of a problem file: [`problem::load`] reads and checks it and builds a
//! [`tasks::System`]; [`tasks::inverse_dynamics::run`] solves and verifies it; [`results::store`] writes the outcome and
//! [`plots::draw`] pictures it. Below these, [`models`] holds the continua as energies, [`material`] their laws,
//! [`discretisation`] the schemes and [`solver`] Newton's method, constrained optimisation and linear algebra. Imports go
//! downward only. [`nlp`] and [`solver`] know no mechanics and serve on their own: see [`solver::constrained`].

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
pub mod scalar;
pub mod solver;
pub mod tasks;
pub mod terms;

/// The examples of the README, compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
