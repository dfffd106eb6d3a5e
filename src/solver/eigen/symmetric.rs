//! The lowest eigenvalues of K φ = μ M φ with G φ = 0, K symmetric, by Lanczos with (K − σM)⁻¹ M in the M-product.
//!
//! Every vector is orthogonalised against all others, so that none comes twice by rounding; a single start vector never
//! sees the second of two equal eigenvalues in exact arithmetic, so the count is certified: by Sylvester's law the
//! negative eigenvalues of K − τM (bordered by G) number the eigenvalues below τ. While some are missing, Lanczos starts
//! again orthogonally to all that was found.

use nalgebra::{DMatrix, SymmetricEigen};

use super::pencil::{EigenError, Pencil, Start, dot};
use crate::solver::linear::{LinearSolver, SparseLdl, SymmetricSolver};

/// The lowest modes of a symmetric pencil.
#[derive(Debug, Clone)]
pub struct Modes {
    /// μ = ω² in increasing order; negative for unstable directions.
    pub values: Vec<f64>,
    /// Shapes φ with φᵀMφ = 1.
    pub shapes: Vec<Vec<f64>>,
    /// ‖(K − μM)φ‖ relative to ‖Kφ‖ + |μ| ‖Mφ‖ with the largest μ found, without the part that constraints carry.
    pub residuals: Vec<f64>,
    /// Whether the inertia of K − τM confirms that no lower one is missing.
    pub certified: bool,
    /// An estimate of the size of eigenvalues that are zero but for rounding.
    pub zero: f64,
}

struct Operator<'a> {
    pencil: Pencil<'a>,
    ldl: SparseLdl,
    work: Vec<f64>,
}

impl<'a> Operator<'a> {
    /// Factorises K − σM and counts the eigenvalues below σ.
    fn new(pencil: Pencil<'a>, sigma: f64) -> Result<(Self, usize), EigenError> {
        let (pattern, values) = pencil.lower(|entry| pencil.stiffness[entry] - sigma * pencil.mass[entry]);
        let mut ldl = SparseLdl::new();
        ldl.analyse(&pattern)?;
        let (size, rows) = (pencil.size(), pencil.rows());
        let mut shift = vec![0.0; size];
        // Between rounding, which grows as the shift shrinks, and the softness it gives to constraints. For rods that
        // cannot shear counts are right to 1e-7 of an eigenvalue with it, and wrong by up to 1e-4 with 1e-13.
        shift.resize(size + rows, -1e-8);
        let inertia = ldl.factor_shifted(&values, &shift)?;
        let below = inertia.negative.saturating_sub(rows);
        Ok((Self { pencil, ldl, work: vec![0.0; size + rows] }, below))
    }

    /// out = M v.
    fn mass(&self, v: &[f64], out: &mut [f64]) {
        self.pencil.pattern.multiply(self.pencil.mass, v, out);
    }

    /// out = (K − σM)⁻¹ b.
    fn solve(&mut self, b: &[f64], out: &mut [f64]) -> Result<(), EigenError> {
        let size = self.pencil.size();
        self.work[..size].copy_from_slice(b);
        self.work[size..].fill(0.0);
        self.ldl.solve(&mut self.work)?;
        out.copy_from_slice(&self.work[..size]);
        Ok(())
    }
}

/// Vectors with their products with M.
#[derive(Default)]
struct Basis {
    v: Vec<Vec<f64>>,
    mv: Vec<Vec<f64>>,
}

impl Basis {
    /// Takes the parts along all members out of w, twice.
    fn orthogonalise(&self, w: &mut [f64]) {
        for _ in 0..2 {
            for (v, mv) in self.v.iter().zip(&self.mv) {
                let along = dot(mv, w);
                w.iter_mut().zip(v).for_each(|(w, v)| *w -= along * v);
            }
        }
    }
}

/// The `count` lowest modes.
///
/// `stop` is asked now and then whether to give up.
pub fn lowest_modes(pencil: Pencil<'_>, count: usize, stop: &mut dyn FnMut() -> bool) -> Result<Modes, EigenError> {
    let size = pencil.size();
    let there = size.saturating_sub(pencil.rows());
    if count > there {
        return Err(EigenError::TooMany { asked: count, there });
    }
    let high = largest_ratio(&pencil)?;
    // The size of the wanted eigenvalues, by counting. Rods may be so slender that it lies twenty decades below the
    // largest; where motions without resistance seem to set the scale, a few more are counted.
    let mut size_of_wanted = high;
    for wanted in [count, (count + 7).min(there)] {
        size_of_wanted = high;
        while size_of_wanted > 1e-20 * high && Operator::new(pencil, 0.1 * size_of_wanted)?.1 >= wanted {
            size_of_wanted *= 0.1;
        }
        if size_of_wanted > 1e-20 * high {
            break;
        }
    }
    // Below zero by a little, so that motions without resistance can be inverted, and further down while K − σM has
    // negative eigenvalues of its own.
    let mut sigma = -0.1 * size_of_wanted;
    let (mut operator, mut below) = Operator::new(pencil, sigma)?;
    for _ in 0..60 {
        if below == 0 {
            break;
        }
        sigma *= 4.0;
        (operator, below) = Operator::new(pencil, sigma)?;
    }
    let mut found = Basis::default();
    let mut values: Vec<f64> = Vec::new();
    let mut start = Start::new();
    let mut residual_left = f64::INFINITY;
    for _round in 0..12 {
        if stop() {
            return Err(EigenError::Interrupted);
        }
        let wanted = count + 2;
        let fresh =
            lanczos(&mut operator, sigma, &found, wanted.min(there - found.v.len()), &mut start, &mut residual_left)?;
        let none = fresh.is_empty();
        for (value, v, mv) in fresh {
            values.push(value);
            found.v.push(v);
            found.mv.push(mv);
        }
        if values.len() < count {
            if none {
                break;
            }
            continue;
        }
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
        // Above the last wanted one and all that equal it, but below the next.
        let value = |k: usize| order.get(k).map(|i| values[*i]);
        let mut last = values[order[count - 1]];
        let close = |last: f64| 1e-6 * last.abs().max(1e-3 * size_of_wanted);
        let mut k = count;
        while let Some(next) = value(k).filter(|next| next - last <= close(last)) {
            last = next;
            k += 1;
        }
        let tau = value(k).map_or(last + close(last), |next| 0.5 * (last + next).min(2.0 * (last + close(last))));
        let known = values.iter().filter(|value| **value < tau).count();
        let counted = Operator::new(pencil, tau)?.1;
        if counted <= known || none {
            let zero = 1e-9 * sigma.abs();
            return Ok(finish(&pencil, &order[..count], &values, found, counted == known, zero));
        }
    }
    Err(EigenError::NotConverged { asked: count, found: values.len().min(count), residual: residual_left })
}

/// Largest ratio of diagonal entries of K and M: the size of the largest eigenvalues.
fn largest_ratio(pencil: &Pencil<'_>) -> Result<f64, EigenError> {
    let (mut high, mut massive) = (0.0_f64, false);
    for col in 0..pencil.size() {
        let range = pencil.pattern.column(col);
        if let Ok(place) = pencil.pattern.row_idx()[range.clone()].binary_search(&col) {
            let (k, m) = (pencil.stiffness[range.start + place], pencil.mass[range.start + place]);
            if m > 0.0 {
                massive = true;
                high = high.max(k.abs() / m);
            }
        }
    }
    match (massive, high > 0.0) {
        (false, _) => Err(EigenError::NoMass),
        (true, true) => Ok(high),
        (true, false) => Ok(1.0),
    }
}

type Found = (f64, Vec<f64>, Vec<f64>);

/// Eigenvalues nearest to σ among the vectors M-orthogonal to `known`.
fn lanczos(
    operator: &mut Operator<'_>,
    sigma: f64,
    known: &Basis,
    wanted: usize,
    start: &mut Start,
    residual_left: &mut f64,
) -> Result<Vec<Found>, EigenError> {
    let size = operator.pencil.size();
    let most = (size - operator.pencil.rows()).saturating_sub(known.v.len()).min((6 * wanted + 60).max(100));
    if most == 0 || wanted == 0 {
        return Ok(Vec::new());
    }
    let mut basis = Basis::default();
    let (mut diagonal, mut beside): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
    let mut w: Vec<f64> = (0..size).map(|_| start.next()).collect();
    let mut mw = vec![0.0; size];
    // Into the range of the operator, where massless parts follow the others.
    operator.mass(&w.clone(), &mut mw);
    operator.solve(&mw.clone(), &mut w)?;
    loop {
        known.orthogonalise(&mut w);
        basis.orthogonalise(&mut w);
        operator.mass(&w, &mut mw);
        let square = dot(&w, &mw);
        let norm = square.max(0.0).sqrt();
        let reach = diagonal.iter().fold(0.0_f64, |m, d: &f64| m.max(d.abs()));
        let exhausted = !(norm > 1e-13 * reach.max(f64::MIN_POSITIVE)) || basis.v.len() >= most;
        if !basis.v.is_empty() {
            beside.push(norm);
        }
        let steps = basis.v.len();
        if steps > 0 && (exhausted || steps >= 2 * wanted && steps % 10 == 0) {
            let ritz = ritz(&diagonal, &beside);
            // Residual of a Ritz pair: the last component of its vector times the norm of what is left.
            let tolerance = 1e-13;
            let good: Vec<usize> = (0..steps)
                .filter(|&i| {
                    (norm * ritz.vectors[(steps - 1, i)]).abs() <= tolerance * ritz.values[i].abs()
                        || (exhausted && norm <= 1e-12 * reach)
                })
                .collect();
            // The eigenvalues of the inverse with the largest magnitude are those nearest to σ.
            let converged_in_row = good.iter().take(wanted).enumerate().take_while(|(k, i)| k == *i).count();
            if converged_in_row >= wanted.min(steps) || exhausted {
                *residual_left = (0..steps)
                    .filter(|i| !good.contains(i))
                    .map(|i| (norm * ritz.vectors[(steps - 1, i)] / ritz.values[i]).abs())
                    .fold(f64::INFINITY, f64::min);
                let mut out = Vec::new();
                for &i in good.iter().take(wanted) {
                    if ritz.values[i] == 0.0 {
                        continue;
                    }
                    let mut v = vec![0.0; size];
                    for (k, member) in basis.v.iter().enumerate() {
                        let share = ritz.vectors[(k, i)];
                        v.iter_mut().zip(member).for_each(|(v, b)| *v += share * b);
                    }
                    out.push(polish(operator, sigma, v)?);
                }
                return Ok(out);
            }
        }
        if exhausted {
            return Ok(Vec::new());
        }
        w.iter_mut().for_each(|w| *w /= norm);
        mw.iter_mut().for_each(|mw| *mw /= norm);
        let mut next = vec![0.0; size];
        operator.solve(&mw, &mut next)?;
        diagonal.push(dot(&mw, &next));
        basis.v.push(std::mem::replace(&mut w, next));
        basis.mv.push(mw.clone());
    }
}

/// One step of inverse iteration takes rounding of the projection out. The eigenvalue is that of the inverse, which
/// keeps digits that differences of large stiffnesses in vᵀKv lose.
fn polish(operator: &mut Operator<'_>, sigma: f64, v: Vec<f64>) -> Result<Found, EigenError> {
    let size = v.len();
    let (mut mv, mut better) = (vec![0.0; size], vec![0.0; size]);
    operator.mass(&v, &mut mv);
    operator.solve(&mv, &mut better)?;
    operator.mass(&better, &mut mv);
    let norm = dot(&better, &mv).max(f64::MIN_POSITIVE).sqrt();
    better.iter_mut().for_each(|x| *x /= norm);
    mv.iter_mut().for_each(|x| *x /= norm);
    let mut again = vec![0.0; size];
    operator.solve(&mv, &mut again)?;
    Ok((sigma + 1.0 / dot(&mv, &again), better, mv))
}

struct Ritz {
    values: Vec<f64>,
    vectors: DMatrix<f64>,
}

/// Eigenvalues of the tridiagonal matrix by decreasing magnitude.
fn ritz(diagonal: &[f64], beside: &[f64]) -> Ritz {
    let n = diagonal.len();
    let mut t = DMatrix::zeros(n, n);
    for i in 0..n {
        t[(i, i)] = diagonal[i];
        if i + 1 < n {
            t[(i, i + 1)] = beside[i];
            t[(i + 1, i)] = beside[i];
        }
    }
    let eigen = SymmetricEigen::new(t);
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|a, b| eigen.eigenvalues[*b].abs().total_cmp(&eigen.eigenvalues[*a].abs()));
    let values = order.iter().map(|&i| eigen.eigenvalues[i]).collect();
    let vectors = DMatrix::from_fn(n, n, |r, c| eigen.eigenvectors[(r, order[c])]);
    Ritz { values, vectors }
}

fn finish(pencil: &Pencil<'_>, order: &[usize], values: &[f64], found: Basis, certified: bool, zero: f64) -> Modes {
    let size = pencil.size();
    let mut out = Modes { values: Vec::new(), shapes: Vec::new(), residuals: Vec::new(), certified, zero };
    let mut kv = vec![0.0; size];
    let largest = order.iter().fold(0.0_f64, |m, i| m.max(values[*i].abs()));
    for &i in order {
        let (value, v, mv) = (values[i], &found.v[i], &found.mv[i]);
        pencil.pattern.multiply(pencil.stiffness, v, &mut kv);
        let mut residual: Vec<f64> = kv.iter().zip(mv).map(|(k, m)| k - value * m).collect();
        remove_constraint_forces(pencil, &mut residual);
        let size_of = |x: &[f64]| dot(x, x).sqrt();
        let whole = size_of(&kv) + largest * size_of(mv);
        out.residuals.push(size_of(&residual) / whole.max(f64::MIN_POSITIVE));
        out.values.push(value);
        out.shapes.push(v.clone());
    }
    out
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
