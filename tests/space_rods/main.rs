//! Inverse dynamics of rods in space: what the plane knows already, what only space has, and what is refused.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod files;
mod manoeuvre;
mod plane;
mod refusals;
mod texts;
