//! Mechanisms of rods, bodies and joints as nodes and elements.

pub mod layout;
pub mod local;
pub mod plane_rod;
pub mod shape;
pub mod space_rod;
pub mod string_rod;
