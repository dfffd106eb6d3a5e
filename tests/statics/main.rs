//! Equilibria of rods and mechanisms against certified references, through the library.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../common/structures.rs"]
mod structures;

mod bend;
mod buckling;
mod elastica;
mod hanging;
mod helix;
mod invariance;
mod joints;
mod lee;
mod load_factor;
mod locking;
mod roll_up;
mod shooting;
mod solve;
mod stability;
