//! Band LU with partial pivoting, row by row.
//!
//! As in LAPACK's `gbtrf` exchanges of rows may add as many diagonals above as there are below. Unlike there a matrix is
//! stored by rows: the innermost loop then subtracts a multiple of one row from another, which is as long as the band is
//! wide on the right, and rows are only as long as their entries need. For bands of a dozen diagonals this is where the
//! time goes.

use super::band_plan::BandPlan;
use super::lanes::{LANES, dot, subtract};

/// Factors of a band matrix; their memory is kept from one factorisation to the next.
#[derive(Debug, Clone)]
pub(super) struct BandLu {
    below: usize,
    above: usize,
    last_row: Vec<usize>,
    first_last_col: Vec<usize>,
    /// Rows of the matrix, later of U: row i holds the columns i − below … i + above + below and [`LANES`] − 1 zeros.
    rows: Vec<f64>,
    width: usize,
    /// Last column of each row that is not zero.
    last_col: Vec<usize>,
    /// Row that was exchanged with row j to become the pivot row.
    pivot_row: Vec<usize>,
    /// One over each pivot.
    inverse: Vec<f64>,
    /// Column j of L below the diagonal, `below` numbers for each.
    lower: Vec<f64>,
}

impl BandLu {
    /// Memory for matrices of this plan.
    pub fn new(plan: &BandPlan) -> Self {
        let size = plan.cols.len();
        let width = 2 * plan.below + plan.above + LANES;
        Self {
            below: plan.below,
            above: plan.above,
            last_row: plan.last_row.clone(),
            first_last_col: plan.last_col.clone(),
            rows: vec![0.0; size * width],
            width,
            last_col: vec![0; size],
            pivot_row: vec![0; size],
            inverse: vec![0.0; size],
            lower: vec![0.0; size * plan.below],
        }
    }

    /// Factorises; `matrix` holds the columns i − below … i + above of each row i. The error is the place of a pivot that
    /// vanished.
    pub fn factor(&mut self, matrix: &[f64]) -> Result<(), usize> {
        let (below, width, given) = (self.below, self.width, self.below + self.above + 1);
        for (row, given) in self.rows.chunks_exact_mut(width).zip(matrix.chunks_exact(given)) {
            let (band, fill) = row.split_at_mut(given.len());
            band.copy_from_slice(given);
            fill.fill(0.0);
        }
        self.last_col.copy_from_slice(&self.first_last_col);
        for j in 0..self.inverse.len() {
            let count = self.last_row[j] - j;
            let (top, under) = self.rows.split_at_mut((j + 1) * width);
            let pivot = &mut top[j * width + below..];
            // Column j of the rows under row j: each lies one entry further to the left.
            let under = under.get_mut(below.saturating_sub(1)..).unwrap_or_default();
            let mut largest = pivot[0].abs();
            let mut chosen = 0;
            for k in 0..count {
                let size = under[k * (width - 1)].abs();
                if size > largest {
                    (largest, chosen) = (size, k + 1);
                }
            }
            if largest == 0.0 {
                return Err(j);
            }
            self.pivot_row[j] = j + chosen;
            if chosen > 0 {
                let reach = self.last_col[j].max(self.last_col[j + chosen]) + 1 - j;
                let start = (chosen - 1) * (width - 1);
                pivot[..reach].swap_with_slice(&mut under[start..start + reach]);
                self.last_col.swap(j, j + chosen);
            }
            let inverse = 1.0 / pivot[0];
            self.inverse[j] = inverse;
            let (done, rest) = self.last_col.split_at_mut(j + 1);
            let last = done[j];
            let length = (last - j).next_multiple_of(LANES);
            let pivot = &pivot[1..=length];
            let factors = &mut self.lower[j * below..j * below + count];
            let mut start = 0;
            for (factor, end) in factors.iter_mut().zip(rest) {
                let row = &mut under[start..=start + length];
                *factor = row[0] * inverse;
                if *factor != 0.0 {
                    subtract(&mut row[1..], *factor, pivot);
                    *end = (*end).max(last);
                }
                start += width - 1;
            }
        }
        Ok(())
    }

    /// `x = A⁻¹ x`.
    pub fn solve(&self, x: &mut [f64]) {
        for (j, &last) in self.last_row.iter().enumerate() {
            x.swap(j, self.pivot_row[j]);
            let (head, tail) = x[j..=last].split_at_mut(1);
            let factors = &self.lower[j * self.below..];
            tail.iter_mut().zip(factors).for_each(|(x, factor)| *x -= factor * head[0]);
        }
        for (j, row) in self.rows.chunks_exact(self.width).enumerate().rev() {
            let (head, tail) = x[j..=self.last_col[j]].split_at_mut(1);
            head[0] = (head[0] - dot(&row[self.below + 1..], tail)) * self.inverse[j];
        }
    }

    /// `x = A⁻ᵀ x`.
    pub fn solve_transposed(&self, x: &mut [f64]) {
        for (j, row) in self.rows.chunks_exact(self.width).enumerate() {
            let (head, tail) = x[j..=self.last_col[j]].split_at_mut(1);
            head[0] *= self.inverse[j];
            tail.iter_mut().zip(&row[self.below + 1..]).for_each(|(x, entry)| *x -= entry * head[0]);
        }
        for (j, &last) in self.last_row.iter().enumerate().rev() {
            let (head, tail) = x[j..=last].split_at_mut(1);
            head[0] -= dot(&self.lower[j * self.below..], tail);
            x.swap(j, self.pivot_row[j]);
        }
    }
}
