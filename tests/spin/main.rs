//! Mechanisms that turn steadily: modes and equilibria in the turning frame, against closed forms, an independent shooting
//! solution and motions in the frame at rest; the NREL blade and the turbine made of it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../common/structures.rs"]
mod structures;

mod balance;
mod beam;
mod blade;
mod bodies;
mod chain;
mod motion;
mod solve;
