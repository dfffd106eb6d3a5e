//! Programs with known answers, stated once as expression graphs and shared by tests, benches and examples.
#![allow(dead_code, clippy::unwrap_used)]

pub mod cops;
pub mod degenerate;
pub mod hock_schittkowski;
