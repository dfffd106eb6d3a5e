//! Band Arnoldi: eigenvalues of largest magnitude from several start vectors at once, so that equal ones come together.

use nalgebra::{Complex, DMatrix};

use super::pencil::EigenError;
use crate::solver::linear::dense::eigenpairs;

type Vector = Vec<Complex<f64>>;

/// The operator: its image of a vector.
pub(super) type Operator<'a> = dyn FnMut(&[Complex<f64>]) -> Result<Vector, EigenError> + 'a;

/// An approximate eigenvalue with its weights in the basis.
pub(super) struct Ritz {
    pub value: Complex<f64>,
    pub weights: Vector,
    /// Relative to the value.
    pub residual: f64,
}

/// A basis V with A V = V H + W B over its processed members, W those not yet processed.
pub(super) struct Arnoldi {
    basis: Vec<Vector>,
    h: DMatrix<Complex<f64>>,
    /// Members processed.
    pub done: usize,
}

impl Arnoldi {
    /// Room for so many members.
    pub fn new(most: usize) -> Self {
        Self { basis: Vec::new(), h: DMatrix::zeros(most, most), done: 0 }
    }

    /// Whether nothing new can be processed.
    pub fn exhausted(&self) -> bool {
        self.done == self.basis.len() || self.done == self.h.ncols()
    }

    /// Takes in what of w is new; its parts are those of a column of H if there is one.
    pub fn admit(&mut self, mut w: Vector, column: Option<usize>) {
        let first = norm(&w);
        let mut now = first;
        for _ in 0..4 {
            let before = now;
            for (k, member) in self.basis.iter().enumerate() {
                let along: Complex<f64> = member.iter().zip(&w).map(|(m, w)| m.conj() * w).sum();
                w.iter_mut().zip(member).for_each(|(w, m)| *w -= along * m);
                if let Some(column) = column {
                    self.h[(k, column)] += along;
                }
            }
            now = norm(&w);
            if !(now > 1e-14 * first) {
                return;
            }
            if now > 0.7 * before {
                break;
            }
        }
        if self.basis.len() == self.h.nrows() {
            return;
        }
        if let Some(column) = column {
            self.h[(self.basis.len(), column)] = Complex::new(now, 0.0);
        }
        w.iter_mut().for_each(|w| *w /= now);
        self.basis.push(w);
    }

    /// Processes the next member.
    pub fn step(&mut self, apply: &mut Operator<'_>) -> Result<(), EigenError> {
        let image = apply(&self.basis[self.done])?;
        self.admit(image, Some(self.done));
        self.done += 1;
        Ok(())
    }

    /// Approximate eigenvalues by decreasing magnitude.
    pub fn ritz(&self) -> Result<Vec<Ritz>, EigenError> {
        let n = self.done;
        let (values, vectors) = eigenpairs(&self.h.view((0, 0), (n, n)).into_owned()).ok_or(EigenError::Projection)?;
        let outside = self.h.view((n, 0), (self.basis.len() - n, n)) * &vectors;
        let of = |(k, value): (usize, &Complex<f64>)| Ritz {
            value: *value,
            weights: vectors.column(k).iter().copied().collect(),
            residual: outside.column(k).norm() / value.norm().max(f64::MIN_POSITIVE),
        };
        let mut found: Vec<Ritz> = values.iter().enumerate().map(of).collect();
        found.sort_by(|a, b| b.value.norm().total_cmp(&a.value.norm()));
        Ok(found)
    }

    /// The first `size` components of a vector with these weights.
    pub fn vector(&self, weights: &[Complex<f64>], size: usize) -> Vector {
        let mut out = vec![Complex::new(0.0, 0.0); size];
        for (weight, member) in weights.iter().zip(&self.basis) {
            out.iter_mut().zip(member).for_each(|(out, m)| *out += weight * m);
        }
        out
    }
}

pub(super) fn norm(x: &[Complex<f64>]) -> f64 {
    x.iter().map(Complex::norm_sqr).sum::<f64>().sqrt()
}
