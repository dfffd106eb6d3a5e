//! Dense matrices: singular values with the spaces that belong to them, and damped least squares.

use faer::linalg::solvers::{Llt, Solve};
use faer::{Mat, Side};
use nalgebra::{Complex, DMatrix, DVector};

/// A = U Σ Vᵀ with square U and V.
#[derive(Debug, Clone)]
pub struct SingularValues {
    /// Singular values, largest first.
    pub values: Vec<f64>,
    /// Left vectors, one a column.
    pub left: DMatrix<f64>,
    /// Right vectors, one a column.
    pub right: DMatrix<f64>,
}

/// The singular value decomposition; none if the matrix is not finite or the iteration fails.
pub fn singular_values(matrix: &DMatrix<f64>) -> Option<SingularValues> {
    let (rows, columns) = matrix.shape();
    if rows == 0 || columns == 0 {
        let (left, right) = (DMatrix::identity(rows, rows), DMatrix::identity(columns, columns));
        return Some(SingularValues { values: Vec::new(), left, right });
    }
    if !matrix.iter().all(|entry| entry.is_finite()) {
        return None;
    }
    let found = faer_matrix(matrix).svd().ok()?;
    let (u, v, s) = (found.U(), found.V(), found.S().column_vector());
    let values: Vec<f64> = (0..rows.min(columns)).map(|i| s[i]).collect();
    let left = DMatrix::from_fn(rows, rows, |i, j| u[(i, j)]);
    let right = DMatrix::from_fn(columns, columns, |i, j| v[(i, j)]);
    let finite = values.iter().chain(left.iter()).chain(right.iter()).all(|entry| entry.is_finite());
    finite.then_some(SingularValues { values, left, right })
}

/// A dense complex matrix.
pub type ComplexMatrix = DMatrix<Complex<f64>>;

/// Eigenvalues of a square matrix and their right vectors of length 1, one a column; none if it is not finite or the iteration
/// fails.
pub fn eigenpairs(matrix: &ComplexMatrix) -> Option<(Vec<Complex<f64>>, ComplexMatrix)> {
    let size = matrix.nrows();
    if size == 0 || !matrix.iter().all(|entry| entry.re.is_finite() && entry.im.is_finite()) {
        return (size == 0).then(|| (Vec::new(), DMatrix::zeros(0, 0)));
    }
    let found = Mat::from_fn(size, size, |i, j| matrix[(i, j)]).eigen().ok()?;
    let (values, vectors) = (found.S().column_vector(), found.U());
    let values: Vec<Complex<f64>> = (0..size).map(|i| values[i]).collect();
    let mut vectors = DMatrix::from_fn(size, size, |i, j| vectors[(i, j)]);
    for mut column in vectors.column_iter_mut() {
        let norm = column.norm();
        column.unscale_mut(norm);
    }
    let finite = values.iter().chain(vectors.iter()).all(|entry| entry.re.is_finite() && entry.im.is_finite());
    finite.then_some((values, vectors))
}

/// The shortest x that makes |A x − b|² + μ |x|² least, from (AAᵀ + μ) y = b, x = Aᵀy, or the same by columns where there are
/// fewer of them. None if μ > 0 is too small for the rounding errors.
pub fn damped_least_squares(matrix: &DMatrix<f64>, right: &DVector<f64>, damping: f64) -> Option<DVector<f64>> {
    let (rows, columns) = matrix.shape();
    let wide = rows <= columns;
    let size = rows.min(columns);
    let a = faer_matrix(matrix);
    let mut normal = if wide { &a * a.transpose() } else { a.transpose() * &a };
    (0..size).for_each(|i| normal[(i, i)] += damping);
    let factors = Llt::new(normal.as_ref(), Side::Lower).ok()?;
    let b = if wide { right.clone() } else { matrix.tr_mul(right) };
    let solved = factors.solve(Mat::from_fn(size, 1, |i, _| b[i]));
    let y = DVector::from_fn(size, |i, _| solved[(i, 0)]);
    let x = if wide { matrix.tr_mul(&y) } else { y };
    x.iter().all(|entry| entry.is_finite()).then_some(x)
}

fn faer_matrix(matrix: &DMatrix<f64>) -> Mat<f64> {
    Mat::from_fn(matrix.nrows(), matrix.ncols(), |i, j| matrix[(i, j)])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A 3 × 5 matrix of rank 2, its third row the sum of the others.
    fn sample() -> DMatrix<f64> {
        let mut matrix = DMatrix::from_fn(3, 5, |i, j| ((3 * i + 7 * j) % 11) as f64 - 4.0);
        let sum = matrix.row(0) + matrix.row(1);
        matrix.set_row(2, &sum);
        matrix
    }

    #[test]
    fn factors_multiply_to_the_matrix() {
        for matrix in [sample(), sample().transpose()] {
            let SingularValues { values, left, right } = singular_values(&matrix).unwrap();
            let (rows, columns) = matrix.shape();
            let sigma = DMatrix::from_fn(rows, columns, |i, j| if i == j { values[i] } else { 0.0 });
            assert!((&left * sigma * right.transpose() - &matrix).amax() < 1e-13);
            assert!((left.transpose() * &left - DMatrix::identity(rows, rows)).amax() < 1e-14);
            assert!(values[1] > 1.0 && values[2] < 1e-14);
            // nalgebra is the witness.
            let witness = matrix.clone().svd(false, false).singular_values;
            assert!((values[0] - witness[0]).abs() < 1e-13 && (values[1] - witness[1]).abs() < 1e-13);
            assert!((&matrix * right.columns(2, columns - 2)).amax() < 1e-13);
        }
    }

    /// Of a consistent singular system the shortest solution is found, up to the damping.
    #[test]
    fn the_shortest_solution() {
        let matrix = sample();
        let expected = matrix.transpose() * DVector::from_vec(vec![0.01, -0.02, 0.0]);
        let right = &matrix * &expected;
        let found = damped_least_squares(&matrix, &right, 1e-10).unwrap();
        assert!((found - expected).amax() < 1e-9);
        let tall = matrix.transpose();
        let b = &tall * DVector::from_vec(vec![1.0, 2.0, 3.0]);
        let found = damped_least_squares(&tall, &b, 1e-8).unwrap();
        assert!((&tall * &found - b).amax() < 1e-6);
        // The null vector of the columns is (1, 1, −1); rounding errors of the products, 1e-13, count by the damping.
        assert!((found[0] + found[1] - found[2]).abs() < 1e-3);
    }

    #[test]
    fn nothing_is_made_of_what_is_not_finite() {
        let mut matrix = sample();
        matrix[(1, 1)] = f64::NAN;
        assert!(singular_values(&matrix).is_none());
        assert!(singular_values(&DMatrix::zeros(0, 4)).unwrap().right.is_identity(0.0));
    }
}
