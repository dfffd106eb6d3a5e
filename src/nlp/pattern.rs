//! The sparse pattern of a matrix assembled from small dense blocks.

use std::sync::Arc;

use thiserror::Error;

/// An index of a block lies outside the matrix.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("block {block} refers to {axis} {index}, but the matrix has only {bound}")]
pub struct PatternError {
    /// Number of the block, in the order in which blocks were added.
    pub block: usize,
    /// `"row"` or `"column"`.
    pub axis: &'static str,
    /// The offending index.
    pub index: usize,
    /// Number of rows or columns of the matrix.
    pub bound: usize,
}

/// Collects the dense blocks a sparse matrix is the sum of.
///
/// ```
/// use lariat::nlp::PatternBuilder;
/// let mut builder = PatternBuilder::new(3, 3);
/// builder.add(&[0, 1], &[0, 1])?;
/// builder.add(&[1, 2], &[1, 2])?;
/// let (pattern, map) = builder.build();
/// let mut values = vec![0.0; pattern.nnz()];
/// for block in 0..map.len() {
///     map.scatter(block, &[1.0, -1.0, -1.0, 1.0], &mut values);
/// }
/// let mut product = [0.0; 3];
/// pattern.multiply(&values, &[1.0, 2.0, 4.0], &mut product);
/// assert_eq!(product, [-1.0, -1.0, 2.0]);
/// # Ok::<(), lariat::nlp::PatternError>(())
/// ```
#[derive(Debug, Clone)]
pub struct PatternBuilder {
    nrows: usize,
    ncols: usize,
    rows: Vec<usize>,
    cols: Vec<usize>,
    /// Ends of each block in `rows` and `cols`.
    ends: Vec<(usize, usize)>,
}

impl PatternBuilder {
    /// An empty matrix of the given size.
    pub fn new(nrows: usize, ncols: usize) -> Self {
        Self { nrows, ncols, rows: Vec::new(), cols: Vec::new(), ends: Vec::new() }
    }

    /// Adds the dense block coupling `rows` with `cols` and returns its number.
    ///
    /// Indices may repeat inside a block and between blocks: their entries share one place in the matrix.
    pub fn add(&mut self, rows: &[usize], cols: &[usize]) -> Result<usize, PatternError> {
        let block = self.ends.len();
        for (axis, indices, bound) in [("row", rows, self.nrows), ("column", cols, self.ncols)] {
            if let Some(&index) = indices.iter().find(|&&index| index >= bound) {
                return Err(PatternError { block, axis, index, bound });
            }
        }
        self.rows.extend_from_slice(rows);
        self.cols.extend_from_slice(cols);
        self.ends.push((self.rows.len(), self.cols.len()));
        Ok(block)
    }

    /// Merges all blocks into one pattern and tells where each block entry went.
    pub fn build(self) -> (Pattern, BlockMap) {
        let mut first = Vec::with_capacity(self.ends.len() + 1);
        first.push(0);
        let mut total = 0;
        let mut per_column = vec![0usize; self.ncols];
        for (rows, cols) in self.blocks() {
            cols.iter().for_each(|&col| per_column[col] += rows.len());
            total += rows.len() * cols.len();
            first.push(total);
        }

        // Bucket all entries by column as (row, entry number); a sort inside each column then merges duplicates.
        let mut bucket = Vec::with_capacity(self.ncols);
        let mut next = 0;
        for count in &per_column {
            bucket.push(next);
            next += count;
        }
        let mut entries = vec![(0usize, 0usize); total];
        let mut entry = 0;
        for (rows, cols) in self.blocks() {
            for &row in rows {
                for &col in cols {
                    entries[bucket[col]] = (row, entry);
                    bucket[col] += 1;
                    entry += 1;
                }
            }
        }

        let mut position = vec![0; total];
        let mut col_ptr = vec![0];
        let mut row_idx: Vec<usize> = Vec::new();
        let mut rest = entries.as_mut_slice();
        for count in per_column {
            let (column, tail) = rest.split_at_mut(count);
            rest = tail;
            column.sort_unstable();
            let start = row_idx.len();
            for &(row, entry) in column.iter() {
                if row_idx.len() == start || row_idx.last() != Some(&row) {
                    row_idx.push(row);
                }
                position[entry] = row_idx.len() - 1;
            }
            col_ptr.push(row_idx.len());
        }
        let pattern =
            Pattern { nrows: self.nrows, ncols: self.ncols, col_ptr: col_ptr.into(), row_idx: row_idx.into() };
        (pattern, BlockMap { first, position })
    }

    fn blocks(&self) -> impl Iterator<Item = (&[usize], &[usize])> {
        let starts = std::iter::once((0, 0)).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(from, to)| (&self.rows[from.0..to.0], &self.cols[from.1..to.1]))
    }
}

/// For every block, the places of its entries in the value array of the [`Pattern`].
#[derive(Debug, Clone)]
pub struct BlockMap {
    first: Vec<usize>,
    position: Vec<usize>,
}

impl BlockMap {
    /// Number of blocks.
    pub fn len(&self) -> usize {
        self.first.len() - 1
    }

    /// Whether there is no block at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Places of the entries of a block, row by row.
    pub fn block(&self, block: usize) -> &[usize] {
        &self.position[self.first[block]..self.first[block + 1]]
    }

    /// Adds the dense block `local`, row by row, to the matrix `values`.
    pub fn scatter(&self, block: usize, local: &[f64], values: &mut [f64]) {
        for (&position, &value) in self.block(block).iter().zip(local) {
            values[position] += value;
        }
    }
}

/// Compressed sparse columns: which entries of a matrix may be nonzero.
///
/// Rows are sorted and distinct inside each column; a value array of a matrix with this pattern has [`Pattern::nnz`]
/// entries in the same order. Clones share their arrays, so they cost nothing and are compared at once; solvers that keep
/// a clone may therefore ask in every solve whether the pattern is still the same.
#[derive(Debug, Clone)]
pub struct Pattern {
    nrows: usize,
    ncols: usize,
    col_ptr: Arc<[usize]>,
    row_idx: Arc<[usize]>,
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        let same = |a: &Arc<[usize]>, b: &Arc<[usize]>| Arc::ptr_eq(a, b) || a == b;
        let size = (self.nrows, self.ncols) == (other.nrows, other.ncols);
        size && same(&self.col_ptr, &other.col_ptr) && same(&self.row_idx, &other.row_idx)
    }
}

impl Eq for Pattern {}

impl Pattern {
    /// Number of rows.
    pub fn nrows(&self) -> usize {
        self.nrows
    }

    /// Number of columns.
    pub fn ncols(&self) -> usize {
        self.ncols
    }

    /// Number of stored entries.
    pub fn nnz(&self) -> usize {
        self.row_idx.len()
    }

    /// Where each column starts in [`Pattern::row_idx`]; one entry more than there are columns.
    pub fn col_ptr(&self) -> &[usize] {
        &self.col_ptr
    }

    /// Row of each entry, column by column.
    pub fn row_idx(&self) -> &[usize] {
        &self.row_idx
    }

    /// Places of the entries of one column.
    pub fn column(&self, col: usize) -> std::ops::Range<usize> {
        self.col_ptr[col]..self.col_ptr[col + 1]
    }

    /// `out = A x` for the matrix with these `values`.
    pub fn multiply(&self, values: &[f64], x: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for (col, &x) in x.iter().enumerate() {
            let entries = self.column(col);
            for (&row, &value) in self.row_idx[entries.clone()].iter().zip(&values[entries]) {
                out[row] += value * x;
            }
        }
    }

    /// `out += Aᵀ y` for the matrix with these `values`.
    pub fn add_transposed(&self, values: &[f64], y: &[f64], out: &mut [f64]) {
        for (col, out) in out.iter_mut().enumerate() {
            let entries = self.column(col);
            for (&row, &value) in self.row_idx[entries.clone()].iter().zip(&values[entries]) {
                *out += value * y[row];
            }
        }
    }

    /// `out = A x` for the symmetric matrix whose lower triangle has these `values`.
    pub fn multiply_symmetric(&self, values: &[f64], x: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for col in 0..x.len() {
            for entry in self.column(col) {
                let row = self.row_idx[entry];
                out[row] += values[entry] * x[col];
                if row != col {
                    out[col] += values[entry] * x[row];
                }
            }
        }
    }

    /// The transposed pattern and, for each of its entries, the place of that entry in this pattern.
    pub fn transpose(&self) -> (Pattern, Vec<usize>) {
        let mut col_ptr = vec![0; self.nrows + 1];
        self.row_idx.iter().for_each(|&row| col_ptr[row + 1] += 1);
        for row in 0..self.nrows {
            col_ptr[row + 1] += col_ptr[row];
        }
        let mut next = col_ptr.clone();
        let mut row_idx = vec![0; self.nnz()];
        let mut source = vec![0; self.nnz()];
        for col in 0..self.ncols {
            for entry in self.column(col) {
                let place = &mut next[self.row_idx[entry]];
                row_idx[*place] = col;
                source[*place] = entry;
                *place += 1;
            }
        }
        let pattern =
            Pattern { nrows: self.ncols, ncols: self.nrows, col_ptr: col_ptr.into(), row_idx: row_idx.into() };
        (pattern, source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn assembly_agrees_with_dense_sum(
            blocks in prop::collection::vec(
                (prop::collection::vec(0usize..7, 0..4), prop::collection::vec(0usize..5, 0..4)), 0..12),
            x in prop::collection::vec(-1.0..1.0f64, 5),
        ) {
            let mut builder = PatternBuilder::new(7, 5);
            let mut dense = DMatrix::<f64>::zeros(7, 5);
            for (rows, cols) in &blocks {
                builder.add(rows, cols).unwrap();
            }
            let (pattern, map) = builder.build();
            let mut values = vec![0.0; pattern.nnz()];
            for (block, (rows, cols)) in blocks.iter().enumerate() {
                let local: Vec<f64> = (0..rows.len() * cols.len()).map(|k| (block * 17 + k) as f64).collect();
                map.scatter(block, &local, &mut values);
                for (k, value) in local.iter().enumerate() {
                    dense[(rows[k / cols.len()], cols[k % cols.len()])] += value;
                }
            }
            for col in 0..5 {
                let rows = &pattern.row_idx()[pattern.column(col)];
                prop_assert!(rows.windows(2).all(|pair| pair[0] < pair[1]));
            }
            let mut product = vec![f64::NAN; 7];
            pattern.multiply(&values, &x, &mut product);
            let expected = &dense * DVector::from_vec(x);
            prop_assert!((DVector::from_vec(product) - expected).amax() < 1e-11);

            let (transposed, source) = pattern.transpose();
            for row in 0..7 {
                for entry in transposed.column(row) {
                    prop_assert_eq!(values[source[entry]], dense[(row, transposed.row_idx()[entry])]);
                }
            }
            prop_assert_eq!(transposed.transpose().0, pattern);
        }
    }

    #[test]
    fn an_index_outside_the_matrix_is_named() {
        let mut builder = PatternBuilder::new(3, 4);
        assert_eq!(builder.add(&[2], &[3]), Ok(0));
        let error = builder.add(&[0], &[1, 4]).unwrap_err();
        assert_eq!(error, PatternError { block: 1, axis: "column", index: 4, bound: 4 });
        assert_eq!(builder.build().0.nnz(), 1);
    }
}
