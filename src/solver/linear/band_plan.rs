//! Where the rows and columns of a sparse matrix go to make it a narrow band.

use super::LinearError;
use super::cuthill_mckee::{Graph, reverse_cuthill_mckee};
use super::matching::{maximum_matching, require_full_structural_rank};
use crate::nlp::Pattern;

/// Orders of rows and columns, and the band that a matrix of the pattern has in them.
#[derive(Debug, Clone)]
pub(super) struct BandPlan {
    /// The row at each place.
    pub rows: Vec<usize>,
    /// The column at each place.
    pub cols: Vec<usize>,
    /// Number of diagonals below the main one.
    pub below: usize,
    /// Number of diagonals above it.
    pub above: usize,
    /// For each column the last row that elimination of it or of those before may touch.
    pub last_row: Vec<usize>,
    /// For each row the last column with an entry; at least the diagonal.
    pub last_col: Vec<usize>,
    /// Multiplications and additions of a factorisation, if pivoting does its worst.
    pub flops: f64,
}

impl BandPlan {
    /// The best of a few orders, for a square pattern; refuses one that is structurally singular.
    ///
    /// Rows and columns move together unless the diagonal has gaps. Then rows matched with the columns are tried as well,
    /// which finds the band of a matrix whose rows were shuffled.
    pub fn new(pattern: &Pattern) -> Result<Self, LinearError> {
        let size = pattern.ncols();
        require_full_structural_rank(pattern)?;
        let natural: Vec<usize> = (0..size).collect();
        let gaps = natural.iter().any(|&col| !pattern.row_idx()[pattern.column(col)].contains(&col));
        let matched = if gaps { Some(maximum_matching(pattern)) } else { None };
        let mut best: Option<Self> = None;
        for column_of_row in std::iter::once(natural.clone()).chain(matched) {
            let entries = (0..size).flat_map(|col| pattern.column(col).map(move |entry| (entry, col)));
            let edges = entries.map(|(entry, col)| (column_of_row[pattern.row_idx()[entry]], col));
            let order = reverse_cuthill_mckee(&Graph::new(size, edges));
            for cols in [natural.clone(), order] {
                let plan = Self::with_order(pattern, &column_of_row, cols);
                if best.as_ref().is_none_or(|best| plan.flops < best.flops) {
                    best = Some(plan);
                }
            }
        }
        Ok(best.unwrap_or_else(|| Self::with_order(pattern, &natural, natural.clone())))
    }

    fn with_order(pattern: &Pattern, column_of_row: &[usize], cols: Vec<usize>) -> Self {
        let size = cols.len();
        let mut place = vec![0; size];
        cols.iter().enumerate().for_each(|(at, &col)| place[col] = at);
        let mut rows = vec![0; size];
        column_of_row.iter().enumerate().for_each(|(row, &col)| rows[place[col]] = row);
        let (mut below, mut above) = (0, 0);
        let mut last_row: Vec<usize> = (0..size).collect();
        let mut last_col = last_row.clone();
        for (at, &col) in cols.iter().enumerate() {
            for &row in &pattern.row_idx()[pattern.column(col)] {
                let row = place[column_of_row[row]];
                below = below.max(row.saturating_sub(at));
                above = above.max(at.saturating_sub(row));
                last_row[at] = last_row[at].max(row);
                last_col[row] = last_col[row].max(at);
            }
        }
        let (mut touched, mut reach, mut next, mut flops) = (0, 0, 0, 0.0);
        for (at, last) in last_row.iter_mut().enumerate() {
            touched = touched.max(*last);
            *last = touched;
            while next <= touched {
                reach = reach.max(last_col[next]);
                next += 1;
            }
            flops += (touched - at) as f64 * (2 * (reach - at) + 1) as f64;
        }
        Self { rows, cols, below, above, last_row, last_col, flops }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nlp::PatternBuilder;
    use crate::solver::linear::saddle_samples::Numbers;

    fn band(size: usize, below: usize, above: usize, rows: &[usize], cols: &[usize]) -> Pattern {
        let mut builder = PatternBuilder::new(size, size);
        for (at, &row) in rows.iter().enumerate() {
            let band = at.saturating_sub(below)..(at + above + 1).min(size);
            builder.add(&[row], &cols[band]).unwrap();
        }
        builder.build().0
    }

    #[test]
    fn bands_are_found_again_after_shuffling() {
        let mut numbers = Numbers(11);
        let mut shuffled = || {
            let mut names: Vec<usize> = (0..50).collect();
            (1..50).rev().for_each(|last| names.swap(last, numbers.index(last + 1)));
            names
        };
        let natural: Vec<usize> = (0..50).collect();
        let (together, alone) = (shuffled(), shuffled());
        let plan = BandPlan::new(&band(50, 2, 3, &natural, &natural)).unwrap();
        assert_eq!((plan.below, plan.above), (2, 3));
        // Every column but the last two eliminates two rows, which reach at most 5 columns further.
        assert!(plan.flops <= 50.0 * 2.0 * 11.0);
        let plan = BandPlan::new(&band(50, 2, 2, &together, &together)).unwrap();
        assert_eq!((plan.below, plan.above), (2, 2));
        // Rows and columns shuffled apart: the matching leaves each row within the band, so some order at most doubles it,
        // and the order found is nearly that good.
        let plan = BandPlan::new(&band(50, 2, 2, &together, &alone)).unwrap();
        assert!(plan.below <= 6 && plan.above <= 6, "{} {}", plan.below, plan.above);
        let pattern = band(50, 2, 2, &together, &alone);
        for (at, &col) in plan.cols.iter().enumerate() {
            for &row in &pattern.row_idx()[pattern.column(col)] {
                let row = plan.rows.iter().position(|&other| other == row).unwrap();
                assert!(row <= plan.last_row[at] && at <= plan.last_col[row]);
                assert!(row <= at + plan.below && at <= row + plan.above);
            }
        }
    }
}
