//! The matrices of small motions M ü + C u̇ + K u = 0, G u = 0.

use thiserror::Error;

use crate::nlp::{Pattern, PatternBuilder};
use crate::solver::linear::LinearError;

/// M, C, K of one square pattern and the rows G of constraints.
#[derive(Debug, Clone, Copy)]
pub struct Pencil<'a> {
    /// Pattern of M, C and K, symmetric in structure with a full diagonal.
    pub pattern: &'a Pattern,
    /// Values of K.
    pub stiffness: &'a [f64],
    /// Values of M, positive semidefinite.
    pub mass: &'a [f64],
    /// Values of C.
    pub damping: Option<&'a [f64]>,
    /// Pattern and values of G.
    pub constraints: Option<(&'a Pattern, &'a [f64])>,
}

/// Why there are no eigenvalues.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum EigenError {
    /// A shifted matrix could not be factorised.
    #[error("the shifted stiffness cannot be factorised: {0}")]
    Linear(#[from] LinearError),
    /// No mass moves.
    #[error("no mass takes part in any motion")]
    NoMass,
    /// Fewer motions with mass than modes asked for.
    #[error("there are only {there} modes, {asked} were asked for")]
    TooMany {
        /// Modes asked for.
        asked: usize,
        /// Modes there are.
        there: usize,
    },
    /// The iteration did not settle.
    #[error("only {found} of {asked} modes converged; the largest residual left is {residual:.1e}")]
    NotConverged {
        /// Modes asked for.
        asked: usize,
        /// Modes found.
        found: usize,
        /// Largest relative residual among the others.
        residual: f64,
    },
    /// A small dense eigenproblem did not settle.
    #[error("the projected eigenvalue problem did not converge")]
    Projection,
    /// The user asked to stop.
    #[error("interrupted")]
    Interrupted,
}

impl Pencil<'_> {
    /// Number of unknowns.
    pub fn size(&self) -> usize {
        self.pattern.ncols()
    }

    /// Number of constraint rows.
    pub fn rows(&self) -> usize {
        self.constraints.map_or(0, |(pattern, _)| pattern.nrows())
    }

    /// A combination of K, C, M bordered by G, all entries.
    pub(super) fn full(&self, combine: impl Fn(usize) -> f64) -> (Pattern, Vec<f64>) {
        self.bordered(combine, 1.0, |_, _| true)
    }

    /// A combination of K, C, M bordered by a multiple of G, the lower triangle.
    pub(super) fn lower(&self, combine: impl Fn(usize) -> f64, border: f64) -> (Pattern, Vec<f64>) {
        self.bordered(combine, border, |row, col| row >= col)
    }

    fn bordered(
        &self,
        combine: impl Fn(usize) -> f64,
        factor: f64,
        keep: impl Fn(usize, usize) -> bool,
    ) -> (Pattern, Vec<f64>) {
        let (size, rows) = (self.size(), self.rows());
        let mut builder = PatternBuilder::new(size + rows, size + rows);
        let mut values = Vec::new();
        let mut borders: Vec<Vec<(usize, f64)>> = vec![Vec::new(); rows];
        for col in 0..size {
            let mut list = Vec::new();
            for entry in self.pattern.column(col) {
                let row = self.pattern.row_idx()[entry];
                if keep(row, col) {
                    list.push(row);
                    values.push(combine(entry));
                }
            }
            if let Some((pattern, g)) = self.constraints {
                for entry in pattern.column(col) {
                    let row = pattern.row_idx()[entry];
                    borders[row].push((col, factor * g[entry]));
                    if keep(size + row, col) {
                        list.push(size + row);
                        values.push(factor * g[entry]);
                    }
                }
            }
            // Indices are within the matrix by construction.
            let _ = builder.add(&list, &[col]);
        }
        for (row, border) in borders.iter().enumerate() {
            let mut list = Vec::new();
            for &(col, value) in border {
                if keep(col, size + row) {
                    list.push(col);
                    values.push(value);
                }
            }
            list.push(size + row);
            values.push(0.0);
            let _ = builder.add(&list, &[size + row]);
        }
        (builder.build().0, values)
    }
}

/// A fixed sequence of numbers in (−1, 1): start vectors must not depend on chance.
pub(super) struct Start(u64);

impl Start {
    pub fn new() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }

    pub fn next(&mut self) -> f64 {
        // Xorshift of Marsaglia.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// |A| |x|: the sizes of the terms of A x, in which rounding errors live. Where terms cancel, as those of shear and
/// bending do in the smooth shapes of slender rods, A x itself is much smaller.
pub(super) fn size_of_terms(pattern: &Pattern, values: &[f64], x: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut sums = vec![0.0; pattern.nrows()];
    for (col, x) in x.enumerate() {
        for entry in pattern.column(col) {
            sums[pattern.row_idx()[entry]] += x * values[entry].abs();
        }
    }
    sums
}
