//! Whether the conditions of joints are independent of each other.

use nalgebra::DMatrix;

use crate::nlp::Pattern;
use crate::results::RunStatus;
use crate::tasks::forward::Failure;

/// A condition whose gradient is nearer than this part of its length to what the others before it span repeats them.
const DEPENDENT: f64 = 1e-6;

/// Refuses conditions that repeat each other: the pencil would be singular, and modes would be missing.
pub(super) fn independent(joints: &Pattern, values: &[f64]) -> Result<(), Failure> {
    match dependent_row(joints, values) {
        None => Ok(()),
        Some(_) => Err(Failure {
            status: RunStatus::IllPosed,
            message: "conditions of joints or supports are redundant; lariat check names them".into(),
        }),
    }
}

/// The first row that follows from those before it. Cholesky's pivots of the products of all rows, made of unit length, are the
/// squares of their distances from the rows before.
fn dependent_row(joints: &Pattern, values: &[f64]) -> Option<usize> {
    let rows = joints.nrows();
    let mut products = DMatrix::<f64>::zeros(rows, rows);
    for column in 0..joints.ncols() {
        let entries = joints.column(column);
        for a in entries.clone() {
            for b in entries.clone() {
                products[(joints.row_idx()[a], joints.row_idx()[b])] += values[a] * values[b];
            }
        }
    }
    let lengths: Vec<f64> = (0..rows).map(|row| products[(row, row)].sqrt()).collect();
    for row in 0..rows {
        if lengths[row] == 0.0 {
            return Some(row);
        }
        for other in 0..=row {
            let mut rest = products[(row, other)] / (lengths[row] * lengths[other]);
            for before in 0..other {
                rest -= products[(row, before)] * products[(other, before)];
            }
            if other == row {
                if rest < DEPENDENT * DEPENDENT {
                    return Some(row);
                }
                products[(row, row)] = rest.sqrt();
            } else {
                products[(row, other)] = rest / products[(other, other)];
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nlp::PatternBuilder;

    #[test]
    fn rows_that_follow_from_others_are_found() {
        let of = |rows: [[f64; 4]; 3]| {
            let mut builder = PatternBuilder::new(3, 4);
            builder.add(&[0, 1, 2], &[0, 1, 2, 3]).unwrap();
            let (pattern, _) = builder.build();
            let mut values = vec![0.0; pattern.nnz()];
            for column in 0..4 {
                for place in pattern.column(column) {
                    values[place] = rows[pattern.row_idx()[place]][column];
                }
            }
            dependent_row(&pattern, &values)
        };
        let (a, b) = ([1.0, 2.0, 0.0, -1.0], [3e5, 0.0, 1e5, 2e5]);
        assert_eq!(of([a, b, [0.0, 1e-4, 0.0, 1e-4]]), None);
        // Twice the first less a millionth of the second.
        let sum = [0, 1, 2, 3].map(|k| 2.0 * a[k] - 1e-6 * b[k]);
        assert_eq!(of([a, b, sum]), Some(2));
        assert_eq!(of([a, a, b]), Some(1));
        assert_eq!(of([a, b, [0.0; 4]]), Some(2));
    }
}
