//! Reference points on spheres and among rotations, and configurations near them.

use nalgebra::{DVector, Matrix3};

use crate::nlp::graph::{Expr, Graph};

/// Length, relative to unit vectors, below which a vector has no direction.
const NO_DIRECTION: f64 = 1e-8;

/// Unit vector e along y, then a basis of the directions normal to it, vector after vector: that of the point before, made
/// normal to e, or one made from the axes.
pub(super) fn sphere(y: &[f64], before: Option<&[f64]>) -> Vec<f64> {
    let d = y.len();
    let axis = |i: usize| DVector::from_fn(d, |k, _| if k == i { 1.0 } else { 0.0 });
    let direction = DVector::from_column_slice(y);
    let length = direction.norm();
    let e = match before {
        _ if length > NO_DIRECTION && length.is_finite() => direction / length,
        Some(before) => DVector::from_column_slice(&before[..d]),
        None => axis(0),
    };
    let mut basis = vec![e];
    let wanted = before.map(|before| before[d..].chunks_exact(d).map(DVector::from_column_slice).collect::<Vec<_>>());
    // Without a predecessor the axes in the order of their angle to e: the nearest one is left over.
    let mut axes: Vec<usize> = (0..d).collect();
    axes.sort_by(|a, b| basis[0][*a].abs().total_cmp(&basis[0][*b].abs()));
    for candidate in wanted.into_iter().flatten().chain(axes.into_iter().map(axis)) {
        if basis.len() == d {
            break;
        }
        let mut rest = candidate;
        // Twice is enough (Kahan and Parlett).
        for _ in 0..2 {
            for known in &basis {
                rest -= known * known.dot(&rest);
            }
        }
        let norm = rest.norm();
        if norm > 0.1 / d as f64 {
            basis.push(rest / norm);
        }
    }
    basis.iter().flat_map(|vector| vector.iter().copied()).collect()
}

/// The rotation nearest to a matrix, column after column: U Vᵀ of its singular values, with determinant 1.
pub(super) fn rotation(y: &[f64], before: Option<&[f64]>) -> Vec<f64> {
    let matrix = Matrix3::from_column_slice(y);
    let nearest = || {
        let svd = matrix.try_svd(true, true, f64::EPSILON, 0)?;
        let (u, v) = (svd.u?, svd.v_t?);
        let sure = svd.singular_values[1] > NO_DIRECTION && matrix.iter().all(|entry| entry.is_finite());
        let mut last = Matrix3::identity();
        last[(2, 2)] = (u * v).determinant().signum();
        sure.then(|| u * last * v)
    };
    match (nearest(), before) {
        (Some(nearest), _) => nearest.as_slice().to_vec(),
        (None, Some(before)) => before.to_vec(),
        (None, None) => Matrix3::<f64>::identity().as_slice().to_vec(),
    }
}

/// r ((4 − |f|²) e + 4 T f)/(4 + |f|²).
pub(super) fn on_sphere<'g>(graph: &'g Graph, radius: f64, f: &[Expr<'g>], numbers: &[Expr<'g>]) -> Vec<Expr<'g>> {
    let d = f.len() + 1;
    let square = graph.sum(f.iter().map(|f| f.square()));
    let below = radius / (4.0 + square);
    let (along, across) = ((4.0 - square) * below, 4.0 * below);
    let entry = |k: usize| {
        let turned = graph.sum(f.iter().enumerate().map(|(i, f)| numbers[(i + 1) * d + k] * *f));
        along * numbers[k] + across * turned
    };
    (0..d).map(entry).collect()
}

/// R₀ ((a² − |b|²) I + 2 b bᵀ + 2 a [b]×), column after column, with the unit quaternion a = (4 − |f|²)/(4 + |f|²),
/// b = 4 f/(4 + |f|²).
pub(super) fn rotated<'g>(graph: &'g Graph, f: &[Expr<'g>], numbers: &[Expr<'g>]) -> Vec<Expr<'g>> {
    let square = graph.sum(f.iter().map(|f| f.square()));
    let below = 1.0 / (4.0 + square);
    let (a, b): (Expr<'g>, Vec<Expr<'g>>) = ((4.0 - square) * below, f.iter().map(|f| 4.0 * *f * below).collect());
    let diagonal = a.square() - graph.sum(b.iter().map(|b| b.square()));
    let turn = |row: usize, col: usize| match (3 + row - col) % 3 {
        0 => diagonal + 2.0 * b[row].square(),
        // [b]× has b₃ below and −b₂ above the diagonal of its first column, and so on in the cycle.
        1 => 2.0 * (b[row] * b[col] + a * b[3 - row - col]),
        _ => 2.0 * (b[row] * b[col] - a * b[3 - row - col]),
    };
    let mut entries = Vec::with_capacity(9);
    for col in 0..3 {
        let column = [0, 1, 2].map(|row| turn(row, col));
        for row in 0..3 {
            entries.push(graph.sum((0..3).map(|k| numbers[3 * k + row] * column[k])));
        }
    }
    entries
}
