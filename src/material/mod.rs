//! Materials.

mod spec;

pub use spec::{InertiaSpec, LawSpec, MaterialSpec, SectionSpec, StiffnessSpec};
