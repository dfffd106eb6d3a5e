//! Eigenvalues of sparse pencils by shift and invert; nothing dense but small projections.

mod analytic;
mod lanczos;
mod pencil;
mod quadratic;
mod shifted;
mod symmetric;

pub use analytic::{MatrixFunction, Roots, Search};
pub use pencil::{EigenError, Pencil};
pub use quadratic::{ComplexMode, damped_modes};
pub use symmetric::{Modes, lowest_modes};

#[cfg(test)]
mod tests;
