//! Motions of rods and bodies in plane and space against certified references, through the library.
//!
//! Values named C1, C3, C4, C6, D1 to D3 and G are those of the reference collection of the project: rods by an
//! independent semi-discrete rod with RK4 and Richardson extrapolation, bodies by a Taylor integrator in 80 bit or in
//! closed form. Digits and error estimates stand beside them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../common/structures.rs"]
mod structures;

mod adaptive;
mod damping;
mod driven;
mod joints;
mod loads;
mod marching;
mod mechanisms;
mod offsets;
mod pendulums;
mod right_angle;
mod rules;
mod spaghetti;
mod supports;
mod swinging_rod;
mod tasks;
mod tops;
mod waves;
