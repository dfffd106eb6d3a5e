//! Mobility of linkages and rigidity of frameworks: from Rust and from problem files.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod catalogue;
mod clusters;
mod files;
mod frameworks;
mod linkages;
mod overlaps;
