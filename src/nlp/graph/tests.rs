//! Derivatives of graphs against hyper-dual numbers, and what the plans look like.

mod failures;
mod formula;
mod operations;
mod random;
mod structure;
mod tables;
mod taylor;

use super::Program;
use crate::nlp::Nlp;
use nalgebra::{DMatrix, DVector};

/// Gradient of the objective.
fn gradient(program: &mut Program, x: &[f64]) -> DVector<f64> {
    let mut out = vec![f64::NAN; x.len()];
    program.gradient(x, &mut out).unwrap();
    DVector::from_vec(out)
}

/// The Jacobian as a dense matrix.
fn jacobian(program: &mut Program, x: &[f64]) -> DMatrix<f64> {
    let pattern = program.jacobian_pattern().clone();
    let mut values = vec![f64::NAN; pattern.nnz()];
    program.jacobian(x, &mut values).unwrap();
    let mut dense = DMatrix::zeros(pattern.nrows(), pattern.ncols());
    for col in 0..pattern.ncols() {
        pattern.column(col).for_each(|entry| dense[(pattern.row_idx()[entry], col)] = values[entry]);
    }
    dense
}

/// The Hessian of the Lagrangian as a dense symmetric matrix.
fn hessian(program: &mut Program, x: &[f64], sigma: f64, lambda: &[f64]) -> DMatrix<f64> {
    let pattern = program.hessian_pattern().clone();
    let mut values = vec![f64::NAN; pattern.nnz()];
    program.hessian(x, sigma, lambda, &mut values).unwrap();
    let mut dense = DMatrix::zeros(x.len(), x.len());
    for col in 0..x.len() {
        for entry in pattern.column(col) {
            let row = pattern.row_idx()[entry];
            assert!(row >= col, "only the lower triangle");
            dense[(row, col)] = values[entry];
            dense[(col, row)] = values[entry];
        }
    }
    dense
}
