//! Optimal control and inverse dynamics of ropes, beams, rods and rigid bodies: which forces make a mechanism move as wanted?
//!
//! The path through the crate is that of a problem file: [`problem::load`] reads and checks it; a task of [`tasks`] answers it
//! (inverse dynamics, optimal control, statics, simulation, modes, mobility) and [`tasks::verify`] drives a forward simulation
//! on another mesh by the computed actuation; [`results::store`] writes the outcome and [`plots::draw`] pictures it.
//!
//! Below, [`terms`] defines each energy, inertia, work and condition once, over any [`scalar`]; [`discretisation`] makes
//! equations of them, marched in time or in space or solved at once; [`solver`] has Newton's method, constrained optimisation
//! and linear algebra. Imports go downward only. [`nlp`] and [`solver`] know no mechanics and serve on their own: see
//! [`solver::constrained`].

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
