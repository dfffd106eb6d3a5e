//! Symmetric matrices given by their lower triangle: checks and residuals.

use super::LinearError;
use super::backward_error::BackwardError;
use crate::nlp::Pattern;

/// Place of each diagonal entry in the values of a lower triangle.
pub(super) fn diagonal_places(pattern: &Pattern) -> Result<Vec<usize>, LinearError> {
    super::expect_size("number of rows", pattern.nrows(), pattern.ncols())?;
    let place = |column: usize| {
        let entries = pattern.column(column);
        // Rows are sorted, so the diagonal is the first entry of its column.
        match pattern.row_idx()[entries.clone()].first() {
            Some(&row) if row < column => Err(LinearError::AboveDiagonal { row, column }),
            Some(&row) if row == column => Ok(entries.start),
            _ => Err(LinearError::NoDiagonal { column }),
        }
    };
    (0..pattern.ncols()).map(place).collect()
}

/// Calls `visit(row, column, place)` for every entry strictly below the diagonal of a checked lower triangle.
#[inline(always)]
pub(super) fn for_each_below(pattern: &Pattern, mut visit: impl FnMut(usize, usize, usize)) {
    for column in 0..pattern.ncols() {
        let entries = pattern.column(column);
        let rows = &pattern.row_idx()[entries.clone()];
        for (&row, place) in rows.iter().zip(entries).skip(1) {
            visit(row, column, place);
        }
    }
}

/// A system with what its measure of accuracy needs.
pub(super) struct System<'a> {
    /// Lower triangle.
    pub pattern: &'a Pattern,
    /// Values of the matrix.
    pub values: &'a [f64],
    /// ‖aᵢ‖₁ of every row.
    pub row_norms: &'a [f64],
    /// Right-hand side.
    pub b: &'a [f64],
    /// ‖x‖∞ counts up to this bound only.
    pub x_bound: f64,
}

impl System<'_> {
    /// Writes b − A x to `residual` and measures it; `size` is work space.
    pub fn residual(&self, x: &[f64], residual: &mut [f64], size: &mut [f64]) -> BackwardError {
        for (column, entries) in (0..x.len()).map(|column| (column, self.pattern.column(column))) {
            let product = self.values[entries.start] * x[column];
            residual[column] = self.b[column] - product;
            size[column] = self.b[column].abs() + product.abs();
        }
        for column in 0..x.len() {
            let entries = self.pattern.column(column);
            let rows = &self.pattern.row_idx()[entries.clone()];
            let (mut rest, mut magnitude) = (0.0, 0.0);
            for (&row, &value) in rows.iter().zip(&self.values[entries]).skip(1) {
                let (down, across) = (value * x[column], value * x[row]);
                residual[row] -= down;
                size[row] += down.abs();
                rest += across;
                magnitude += across.abs();
            }
            residual[column] -= rest;
            size[column] += magnitude;
        }
        let x_norm = x.iter().fold(0.0f64, |largest, x| largest.max(x.abs())).min(self.x_bound);
        let mut worst = BackwardError::ZERO;
        for (row, (&rest, &size)) in residual.iter().zip(size.iter()).enumerate() {
            worst.include(rest, size, self.row_norms[row] * x_norm + self.b[row].abs());
        }
        worst
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nlp::PatternBuilder;
    use crate::solver::linear::backward_error::residual_and_backward_error;

    #[test]
    fn residual_agrees_with_that_of_the_full_matrix() {
        let (mut lower, mut full) = (PatternBuilder::new(4, 4), PatternBuilder::new(4, 4));
        let entry = |row: usize, column: usize| (1 + row.max(column) * 4 + row.min(column)) as f64 - 7.5;
        for row in 0..4 {
            for column in (0..4).filter(|column| (row + column) % 3 != 1 || row == *column) {
                full.add(&[row], &[column]).unwrap();
                if row >= column {
                    lower.add(&[row], &[column]).unwrap();
                }
            }
        }
        let fill = |pattern: &Pattern| -> Vec<f64> {
            let columns = (0..4).flat_map(|column| pattern.column(column).map(move |place| (column, place)));
            columns.map(|(column, place)| entry(pattern.row_idx()[place], column)).collect()
        };
        let (lower, full) = (lower.build().0, full.build().0);
        let (values, full_values) = (fill(&lower), fill(&full));
        let (x, b) = ([1.0, -2.0, 0.5, 3.0], [1.0, 2.0, 0.25, -4.0]);
        let (mut residual, mut size, mut expected, mut norms) = ([0.0; 4], [0.0; 4], [0.0; 4], [0.0; 4]);
        full.row_idx().iter().zip(&full_values).for_each(|(&row, value)| norms[row] += value.abs());
        let system = System { pattern: &lower, values: &values, row_norms: &norms, b: &b, x_bound: f64::INFINITY };
        let error = system.residual(&x, &mut residual, &mut size);
        let expected_error = residual_and_backward_error(&full, &full_values, &x, &b, &mut expected);
        assert_eq!(residual, expected);
        assert_eq!(error, expected_error);
        // A bound below ‖x‖∞ = 3 enlarges the lenient measure only.
        let bounded = System { x_bound: 1e-3, ..system }.residual(&x, &mut residual, &mut size);
        assert_eq!(bounded.strict, error.strict);
        assert!(bounded.lenient > 2.0 * error.lenient);
    }

    #[test]
    fn only_lower_triangles_with_their_diagonal_are_taken() {
        let mut upper = PatternBuilder::new(2, 2);
        upper.add(&[0], &[0, 1]).unwrap();
        upper.add(&[1], &[1]).unwrap();
        assert_eq!(diagonal_places(&upper.build().0), Err(LinearError::AboveDiagonal { row: 0, column: 1 }));
        let mut gap = PatternBuilder::new(3, 3);
        gap.add(&[0, 1, 2], &[0]).unwrap();
        gap.add(&[2], &[1, 2]).unwrap();
        assert_eq!(diagonal_places(&gap.build().0), Err(LinearError::NoDiagonal { column: 1 }));
        let wide = PatternBuilder::new(2, 3).build().0;
        let error = LinearError::WrongSize { operand: "number of rows", found: 2, expected: 3 };
        assert_eq!(diagonal_places(&wide), Err(error));
    }
}
