//! Solvers for the problems of [`crate::nlp`].
//!
//! [`Newton`] solves a square system from a good guess, [`continue_to_one`] leads it there from a poor one,
//! [`follow`] traces the whole path of solutions that belongs to a parameter, [`smooth_zero`] finds where on it something passes
//! zero, and [`linear`] holds the factorisations all
//! stand on. [`constrained`] solves nonlinear programs, [`mesh`] those on a time grid by way of coarser grids; [`saved`]
//! keeps their iterates for later starts, and [`argmin_bridge`] connects them to the methods and tools of argmin.
//!
//! Not converging is data (a [`Status`]); an error means that the question itself is ill posed, for example a singular
//! matrix.

mod arc_length;
pub mod argmin_bridge;
pub mod constrained;
mod continuation;
pub mod eigen;
pub mod linear;
pub mod mesh;
mod newton;
pub mod saved;
pub mod smooth_zero;

pub use arc_length::{ArcLengthError, ArcLengthOptions, Path, PathEnd, PathObserver, PathPoint, PointKind, follow};
pub use continuation::{
    ContinuationObserver, ContinuationOptions, ContinuationStep, Continued, Stuck, continue_to_one,
};
pub use newton::{
    Globalisation, IterationRecord, Newton, NewtonError, NewtonOptions, Observer, Reuse, Solution, Status,
};
