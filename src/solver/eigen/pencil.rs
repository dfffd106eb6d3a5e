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
    /// c of each row of G: it demands g·u = c s of its force s, which acts by gᵀs. Zero of all rows unless given.
    pub compliance: Option<&'a [f64]>,
}

/// What an entry of the bordered matrix is made of.
#[derive(Debug, Clone, Copy)]
pub(super) enum Source {
    /// The entries of K, C and M at this place.
    Entry(usize),
    /// A value of G or of its compliance.
    Border(f64),
}

/// How far an eigenvalue can be trusted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Accuracy {
    /// Residual of the eigenvalue and its vector, relative to the sizes of its terms.
    pub backward_error: f64,
    /// How far the eigenvalue may be off, to first order: by its residual, and by rounding of all entries of the matrices.
    pub uncertainty: f64,
}

/// Entries of assembled matrices are known to this relative error: a few roundings.
pub(super) const ENTRIES: f64 = 4.0 * f64::EPSILON;

/// Terms below this part of the largest stiffness are rounding of it as soon as they are looked at to ten digits: residuals are
/// not compared with less.
pub(super) const FAINT: f64 = 1e-6;

/// Largest magnitude.
pub(super) fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |m: f64, value| m.max(value.abs()))
}

/// Why there are no eigenvalues.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum EigenError {
    /// A shifted matrix could not be factorised.
    #[error("the shifted stiffness cannot be factorised: {}", .0.finding())]
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

    /// Number of motions: unknowns less the rows that hold without a give.
    pub fn motions(&self) -> usize {
        let give = self.compliance.map_or(0, |compliance| compliance.iter().filter(|c| **c > 0.0).count());
        (self.size() + give).saturating_sub(self.rows())
    }

    /// The matrix of K, C, M bordered by G, all entries: where each comes from.
    pub(super) fn full(&self) -> (Pattern, Vec<Source>) {
        self.bordered(Source::Entry, Source::Border, 1.0, |_, _| true)
    }

    /// A combination of K, C, M bordered by a multiple of G, the lower triangle.
    pub(super) fn lower(&self, combine: impl Fn(usize) -> f64, border: f64) -> (Pattern, Vec<f64>) {
        self.bordered(combine, |g| g, border, |row, col| row >= col)
    }

    fn bordered<T>(
        &self,
        combine: impl Fn(usize) -> T,
        constant: impl Fn(f64) -> T,
        factor: f64,
        keep: impl Fn(usize, usize) -> bool,
    ) -> (Pattern, Vec<T>) {
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
                        values.push(constant(factor * g[entry]));
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
                    values.push(constant(value));
                }
            }
            list.push(size + row);
            values.push(constant(-factor * self.compliance.map_or(0.0, |compliance| compliance[row])));
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
