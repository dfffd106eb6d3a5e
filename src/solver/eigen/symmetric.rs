//! The lowest eigenvalues of K φ = μ M φ with G φ = 0, K symmetric, by Lanczos with (K − σM)⁻¹ M in the M-product.
//!
//! Every vector is orthogonalised against all others, so that none comes twice by rounding; eigenvalues of a higher
//! multiplicity than there are start vectors come only partly, so the count is certified: by Sylvester's law the negative
//! eigenvalues of K − τM (bordered by G) number the eigenvalues below τ. While some are missing, Lanczos starts again
//! orthogonally to all that was found.

use nalgebra::DMatrix;

use super::lanczos::{self, Ritz};
use super::pencil::{EigenError, Pencil, Start, dot, size_of_terms};
use super::shifted::{Basis, Shifted};

/// The lowest modes of a symmetric pencil.
#[derive(Debug, Clone)]
pub struct Modes {
    /// μ = ω² in increasing order; negative for unstable directions; exactly 0 for motions that meet no resistance.
    pub values: Vec<f64>,
    /// Shapes φ with φᵀMφ = 1.
    pub shapes: Vec<Vec<f64>>,
    /// ‖(K − μM)φ‖ relative to the size of the terms, without the part that constraints carry: a backward error.
    pub residuals: Vec<f64>,
    /// Whether the inertia of K − τM confirms that no lower one is missing.
    pub certified: bool,
}

/// The `count` lowest modes.
///
/// `stop` is asked now and then whether to give up.
pub fn lowest_modes(pencil: Pencil<'_>, count: usize, stop: &mut dyn FnMut() -> bool) -> Result<Modes, EigenError> {
    let there = pencil.size().saturating_sub(pencil.rows());
    if count > there {
        return Err(EigenError::TooMany { asked: count, there });
    }
    if count == 0 {
        return Ok(Modes { values: Vec::new(), shapes: Vec::new(), residuals: Vec::new(), certified: true });
    }
    let mut shifted = Shifted::new(pencil)?;
    let (sigma, size) = shifted.choose_shift(count)?;
    let mut found = Basis::default();
    let mut values: Vec<f64> = Vec::new();
    let mut start = Start::new();
    let mut residual = f64::INFINITY;
    for _round in 0..12 {
        shifted.factor(sigma)?;
        let wanted = (count + 2).max(8).min(there - found.v.len());
        let run = lanczos::run(&mut shifted, &found, wanted, &mut start, stop)?;
        residual = run.residual;
        let none = run.vectors.is_empty();
        for vector in run.vectors {
            found.admit(&shifted, &Basis::default(), vector, None);
        }
        if !none {
            values = improve(&mut shifted, sigma, &mut found)?;
        }
        if values.len() < count {
            if none {
                break;
            }
            continue;
        }
        let known = |tau: f64| values.iter().filter(|value| **value < tau).count();
        let tau = above(&values, count, size, sigma);
        let counted = shifted.factor(tau)?;
        if counted.is_none_or(|counted| counted <= known(tau)) || none {
            return Ok(finish(&pencil, count, sigma, &values, found, counted == Some(known(tau))));
        }
    }
    Err(EigenError::NotConverged { asked: count, found: values.len().min(count), residual })
}

/// A value above the last wanted one of increasing values and all that equal it, but below the next. Rounding of values
/// that should be equal goes with the shift.
fn above(values: &[f64], count: usize, size: f64, sigma: f64) -> f64 {
    let close = |last: f64| (1e-6 * last.abs()).max(1e-9 * size).max(1e-5 * sigma.abs());
    let mut last = values[count - 1];
    for &next in &values[count..] {
        if next - last > close(last) {
            return 0.5 * (last + next);
        }
        last = next;
    }
    last + close(last).max(1e-6 * size)
}

/// Inverse iteration of all vectors together, with Ritz values of the inverse: these keep digits that differences of
/// large stiffnesses in φᵀKφ lose. Returns the eigenvalues in increasing order, the basis in the same.
fn improve(shifted: &mut Shifted<'_>, sigma: f64, found: &mut Basis) -> Result<Vec<f64>, EigenError> {
    let size = shifted.pencil.size();
    let mut values = Vec::new();
    for _ in 0..2 {
        let mut moved = Basis::default();
        let mut w = vec![0.0; size];
        for mv in &found.mv {
            shifted.solve(mv, &mut w)?;
            moved.admit(shifted, &Basis::default(), w.clone(), None);
        }
        let n = moved.v.len();
        let mut projection = DMatrix::zeros(n, n);
        for col in 0..n {
            shifted.solve(&moved.mv[col], &mut w)?;
            for row in 0..n {
                projection[(row, col)] = dot(&moved.mv[row], &w);
            }
        }
        let ritz = Ritz::of(&projection);
        *found = Basis::default();
        values.clear();
        for (index, value) in ritz.values.iter().enumerate() {
            if found.admit(shifted, &Basis::default(), ritz.vector(&moved, index), None) > 0.0 {
                values.push(sigma + 1.0 / value);
            }
        }
    }
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    found.v = order.iter().map(|&i| std::mem::take(&mut found.v[i])).collect();
    found.mv = order.iter().map(|&i| std::mem::take(&mut found.mv[i])).collect();
    Ok(order.iter().map(|&i| values[i]).collect())
}

fn finish(pencil: &Pencil<'_>, count: usize, sigma: f64, values: &[f64], mut found: Basis, certified: bool) -> Modes {
    found.v.truncate(count);
    let mut kv = vec![0.0; pencil.size()];
    let mut resisted = Vec::new();
    let mut residuals = Vec::new();
    let norm = |x: &[f64]| dot(x, x).sqrt();
    for ((value, v), mv) in values.iter().zip(&found.v).zip(&found.mv) {
        pencil.pattern.multiply(pencil.stiffness, v, &mut kv);
        let terms = size_of_terms(pencil.pattern, pencil.stiffness, v.iter().map(|v| v.abs()));
        let energy = terms.iter().zip(v).map(|(t, v)| t * v.abs()).sum::<f64>();
        resisted.push(value.abs() > 1e-12 * energy);
        let mut residual: Vec<f64> = kv.iter().zip(mv).map(|(k, m)| k - value * m).collect();
        remove_constraint_forces(pencil, &mut residual);
        residuals.push(norm(&residual) / (norm(&terms) + value.abs() * norm(mv)).max(f64::MIN_POSITIVE));
    }
    let mut values = values[..count].to_vec();
    clear_rounding(&mut values, &resisted, 1e-9 * sigma.abs());
    Modes { values, shapes: found.v, residuals, certified }
}

/// Sets eigenvalues to zero that are so but for rounding: far smaller than the shift, or far smaller than all others and
/// smaller than rounding of the terms of φᵀKφ.
fn clear_rounding(values: &mut [f64], resisted: &[bool], rounding: f64) {
    let weakest = values.iter().zip(resisted).filter(|(_, resisted)| **resisted).map(|(value, _)| value.abs());
    let weakest = weakest.fold(f64::INFINITY, f64::min);
    for (value, resisted) in values.iter_mut().zip(resisted) {
        if value.abs() <= rounding || (!resisted && value.abs() <= 1e-6 * weakest) {
            *value = 0.0;
        }
    }
}

/// Takes out of a force what constraints can carry, by least squares with few steps of conjugate gradients on G Gᵀ.
pub(super) fn remove_constraint_forces(pencil: &Pencil<'_>, force: &mut [f64]) {
    let Some((pattern, g)) = pencil.constraints else { return };
    let rows = pattern.nrows();
    if rows == 0 {
        return;
    }
    let multiply = |x: &[f64]| {
        let mut out = vec![0.0; rows];
        pattern.multiply(g, x, &mut out);
        out
    };
    let transposed = |y: &[f64]| {
        let mut out = vec![0.0; pencil.size()];
        pattern.add_transposed(g, y, &mut out);
        out
    };
    let mut multiplier = vec![0.0; rows];
    let mut residual = multiply(force);
    let mut direction = residual.clone();
    let mut square = dot(&residual, &residual);
    for _ in 0..4 * rows {
        if square == 0.0 {
            break;
        }
        let image = multiply(&transposed(&direction));
        let alpha = square / dot(&direction, &image).max(f64::MIN_POSITIVE);
        multiplier.iter_mut().zip(&direction).for_each(|(m, d)| *m += alpha * d);
        residual.iter_mut().zip(&image).for_each(|(r, i)| *r -= alpha * i);
        let next = dot(&residual, &residual);
        if next <= 1e-30 * square {
            break;
        }
        direction.iter_mut().zip(&residual).for_each(|(d, r)| *d = r + next / square * *d);
        square = next;
    }
    let carried = transposed(&multiplier);
    force.iter_mut().zip(carried).for_each(|(f, c)| *f -= c);
}
