//! Mechanisms made of parts as systems of optimal control: their energies, forces and joints against numbers, and their optima
//! against those of the same systems by hand-written Lagrangians.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod files;
mod forces;
mod joints;
mod optima;
mod parts;
#[path = "../common/structures.rs"]
mod structures;
