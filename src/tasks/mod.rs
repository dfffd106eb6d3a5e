//! Tasks.

mod spec;

pub use spec::{InverseDynamicsSpec, Method, Sweep, TaskSpec, VerifySpec};
