//! Rods and bodies in plane and space against certified references, through the library.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod mechanisms;
mod motion;
