//! Band Lanczos: the eigenvalues nearest to a shift from several start vectors at once, so that equal ones come together.

use nalgebra::{DMatrix, SymmetricEigen};

use super::pencil::{EigenError, Start};
use super::shifted::{Basis, Shifted};

/// Start vectors: as many as rigid motions in space.
const BAND: usize = 6;
/// Relative residual of a converged vector. Its eigenvalue errs by the square, and vectors are improved afterwards.
const CONVERGED: f64 = 1e-11;

/// Eigenvalues of (K − σM)⁻¹M by decreasing magnitude, in a basis.
pub(super) struct Ritz {
    pub values: Vec<f64>,
    /// Columns: weights of the members of the basis.
    pub weights: DMatrix<f64>,
}

impl Ritz {
    /// Of a projection, symmetric but for rounding.
    pub fn of(projection: &DMatrix<f64>) -> Self {
        let eigen = SymmetricEigen::new(0.5 * (projection + projection.transpose()));
        let n = projection.nrows();
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|a, b| eigen.eigenvalues[*b].abs().total_cmp(&eigen.eigenvalues[*a].abs()));
        let values = order.iter().map(|&i| eigen.eigenvalues[i]).collect();
        Self { values, weights: DMatrix::from_fn(n, n, |r, c| eigen.eigenvectors[(r, order[c])]) }
    }

    /// The vector of one of them.
    pub fn vector(&self, basis: &Basis, index: usize) -> Vec<f64> {
        let mut out = vec![0.0; basis.v[0].len()];
        for (k, member) in basis.v.iter().enumerate().take(self.weights.nrows()) {
            let share = self.weights[(k, index)];
            out.iter_mut().zip(member).for_each(|(out, b)| *out += share * b);
        }
        out
    }
}

/// What a run has found.
pub(super) struct Run {
    /// Vectors of the eigenvalues nearest to the shift, none of them left out in between.
    pub vectors: Vec<Vec<f64>>,
    /// Relative residual of the first that did not converge.
    pub residual: f64,
}

/// Up to `wanted` eigenvectors nearest to σ among the vectors M-orthogonal to `known`.
///
/// With the processed members V of the basis, (K − σM)⁻¹M V = V H + W B, W being the members not yet processed; a
/// Ritz vector V s has the residual ‖B s‖.
pub(super) fn run(
    shifted: &mut Shifted<'_>,
    known: &Basis,
    wanted: usize,
    start: &mut Start,
    stop: &mut dyn FnMut() -> bool,
) -> Result<Run, EigenError> {
    let size = shifted.pencil.size();
    let room = shifted.pencil.motions().saturating_sub(known.v.len());
    let most = room.min((8 * wanted + 80).max(160));
    let mut basis = Basis::default();
    let (mut w, mut mw) = (vec![0.0; size], vec![0.0; size]);
    for _ in 0..BAND.min(room) {
        w.iter_mut().for_each(|w| *w = start.next());
        // Into the range of the operator, where massless parts follow the others.
        shifted.mass(&w, &mut mw);
        shifted.solve(&mw, &mut w)?;
        basis.admit(shifted, known, w.clone(), None);
    }
    let mut h = DMatrix::<f64>::zeros(most + BAND, most);
    let mut column = vec![0.0; most + BAND];
    let (mut done, mut next_look) = (0, (wanted + BAND).max(20));
    loop {
        let exhausted = done == basis.v.len() || done == most;
        if exhausted || done == next_look {
            if stop() {
                return Err(EigenError::Interrupted);
            }
            next_look += (done / 4).max(5);
            let run = judge(&h, done, &basis, wanted);
            if run.vectors.len() >= wanted || exhausted {
                return Ok(run);
            }
        }
        shifted.solve(&basis.mv[done], &mut w)?;
        column.fill(0.0);
        let norm = match basis.v.len() < most + BAND {
            true => basis.admit(shifted, known, w.clone(), Some(&mut column)),
            false => 0.0,
        };
        h.column_mut(done).copy_from_slice(&column);
        if norm > 0.0 {
            h[(basis.v.len() - 1, done)] = norm;
        }
        done += 1;
    }
}

fn judge(h: &DMatrix<f64>, done: usize, basis: &Basis, wanted: usize) -> Run {
    if done == 0 {
        return Run { vectors: Vec::new(), residual: f64::INFINITY };
    }
    let ritz = Ritz::of(&h.view((0, 0), (done, done)).into_owned());
    let outside = h.view((done, 0), (basis.v.len() - done, done)) * &ritz.weights;
    let largest = ritz.values[0].abs();
    let mut run = Run { vectors: Vec::new(), residual: 0.0 };
    for (index, value) in ritz.values.iter().enumerate().take(wanted) {
        let value = value.abs();
        let residual = outside.column(index).norm();
        // Rounding goes with the largest. What is as small as that is no eigenvalue but the rest of motions without mass.
        let good = residual <= (CONVERGED * value).max((1e-14 * largest).min(1e-8 * value));
        if !good || value <= 1e-15 * largest {
            run.residual = residual / value.max(f64::MIN_POSITIVE);
            break;
        }
        run.vectors.push(ritz.vector(basis, index));
    }
    run
}
