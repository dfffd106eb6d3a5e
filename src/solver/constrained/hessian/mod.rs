//! The matrix of the step: its assembly, the shifts that give it the right inertia, and what else it can tell.

pub mod certificate;
pub mod kkt;
pub mod least_squares;
pub mod redundancy;
