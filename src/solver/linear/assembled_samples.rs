//! Sample matrices in the forms that solvers and their checks take.

use nalgebra::DMatrix;

use super::saddle_samples::Saddle;
use crate::nlp::{Pattern, PatternBuilder};

impl Saddle {
    /// Pattern and values of the lower triangle, and the dense matrix.
    pub fn assemble(&self) -> (Pattern, Vec<f64>, DMatrix<f64>) {
        let mut dense = DMatrix::zeros(self.size(), self.size());
        for &(row, column, value) in &self.entries {
            dense[(row, column)] += value;
            if row != column {
                dense[(column, row)] += value;
            }
        }
        let (pattern, values) = self.assemble_sparse();
        (pattern, values, dense)
    }

    /// Pattern and values of the lower triangle.
    pub fn assemble_sparse(&self) -> (Pattern, Vec<f64>) {
        assemble(self.size(), self.entries.iter().copied())
    }

    /// Pattern and values of both triangles.
    pub fn assemble_full(&self) -> (Pattern, Vec<f64>) {
        let upper = self.entries.iter().filter(|(row, column, _)| row != column);
        let upper = upper.map(|&(row, column, value)| (column, row, value));
        assemble(self.size(), self.entries.iter().copied().chain(upper))
    }
}

fn assemble(size: usize, entries: impl Iterator<Item = (usize, usize, f64)> + Clone) -> (Pattern, Vec<f64>) {
    let mut builder = PatternBuilder::new(size, size);
    for (row, column, _) in entries.clone() {
        builder.add(&[row], &[column]).unwrap();
    }
    let (pattern, map) = builder.build();
    let mut values = vec![0.0; pattern.nnz()];
    for (block, (_, _, value)) in entries.enumerate() {
        map.scatter(block, &[value], &mut values);
    }
    (pattern, values)
}
