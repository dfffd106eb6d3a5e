//! Natural frequencies and damped modes against certified references, through the task.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../common/structures.rs"]
mod structures;

mod beams;
mod beck;
mod damping;
mod exact_beams;
mod exact_nets;
mod invariance;
mod nets;
mod prestressed;
mod roots;
mod solve;
