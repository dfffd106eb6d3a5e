//! Problem files: what they may say, and how mistakes in them are told.

mod spec;

pub use spec::{ExpectSpec, ProblemSpec, TimeSpec};
