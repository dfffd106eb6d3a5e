//! Eigenvalues of sparse pencils by shift and invert; nothing dense but small projections.

mod analytic;
mod arnoldi;
mod dynamic;
mod lanczos;
mod pencil;
mod quadratic;
mod shifted;
mod symmetric;

pub use analytic::{MatrixFunction, Roots, Search};
pub use pencil::{Accuracy, EigenError, Pencil};
pub use quadratic::{ComplexMode, Wanted, damped_modes};
pub use symmetric::{Modes, Still, lowest_modes, lowest_modes_beside};

#[cfg(test)]
mod tests;
