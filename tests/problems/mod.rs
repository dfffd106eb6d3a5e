//! Programs with known answers, stated once as expression graphs and shared by tests, benches and examples.
#![allow(dead_code)]

pub mod cops;
pub mod degenerate;
pub mod hock_schittkowski;
