//! Nonlinear programs: how they are stated, solved, continued from mesh to mesh, started warm and driven by argmin.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../problems/mod.rs"]
mod problems;

mod answers;
mod argmin_bridge;
mod mesh_continuation;
mod statements;
mod warm_start;
