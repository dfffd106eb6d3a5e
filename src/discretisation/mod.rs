//! Schemes: from a model and a grid to local equations. They know no task.

pub mod assembly;
pub mod at_once;
pub mod boundary_value;
pub mod chain;
pub mod dynamic_stiffness;
pub mod equilibrium;
pub mod galerkin;
mod grid;
pub mod index;
pub mod linearised;
pub mod linkage;
pub mod march;
pub mod multirate;
pub mod remesh;
pub mod stepping;
pub mod transcription;

pub use grid::{TimeGrid, Window};
