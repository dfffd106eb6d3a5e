//! Optimal control by discrete mechanics: objectives of a reference, and what must hold beside them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod continuous;
mod galerkin;
mod phases;
mod problems;
mod properties;
mod reduced;
mod redundant;
mod servo;
mod systems;
mod time_transformation;
mod values;
