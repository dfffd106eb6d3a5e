//! Forward simulation of mechanisms in plane and space.

pub mod march;
