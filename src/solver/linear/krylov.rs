//! Solves that start from approximate factors and finish by minimising the residual over a Krylov space.
//!
//! Plain refinement with factors of A + S contracts an error along an eigenvector of eigenvalue λ by σ/(λ + σ) per step,
//! so a few eigenvalues of the size of the shift stop it. The preconditioned matrix A (A + S)⁻¹ is the identity but for
//! these few, and GMRES needs about one step for each of them (Y. Saad, "A flexible inner-outer preconditioned GMRES
//! algorithm", SIAM J. Sci. Comput. 14, 1993).

/// Largest dimension of the Krylov space.
const MAX_STEPS: usize = 40;

/// Basis vectors and small least-squares problem; memory grows with the steps needed and is kept.
#[derive(Debug, Default)]
pub(super) struct Krylov {
    /// Orthonormal basis of the residuals.
    basis: Vec<Vec<f64>>,
    /// Preconditioned basis vectors, which the solution is a combination of.
    preconditioned: Vec<Vec<f64>>,
    /// Columns of the triangular factor of the Hessenberg matrix.
    triangle: Vec<Vec<f64>>,
    /// Givens rotations that made it triangular.
    rotations: Vec<(f64, f64)>,
    projected: Vec<f64>,
}

impl Krylov {
    /// Adds to `x` a correction that reduces the residual `r` = b − A x by the factor `goal` if it can.
    ///
    /// `precondition` applies approximate factors in place, `multiply` writes A times a vector. Returns the factor reached.
    pub fn correct(
        &mut self,
        x: &mut [f64],
        r: &[f64],
        goal: f64,
        precondition: &mut dyn FnMut(&mut [f64]),
        multiply: &mut dyn FnMut(&[f64], &mut [f64]),
    ) -> f64 {
        let start = norm(r);
        if !(start > 0.0 && start.is_finite()) {
            return 1.0;
        }
        self.rotations.clear();
        self.projected.clear();
        self.projected.push(1.0);
        fill(&mut self.basis, 0, r.iter().map(|r| r / start));
        let mut steps = 0;
        while steps < MAX_STEPS && self.projected[steps].abs() > goal {
            if !self.extend(steps, precondition, multiply) {
                break;
            }
            steps += 1;
        }
        let weights = self.back_substitute(steps);
        for (vector, weight) in self.preconditioned.iter().zip(weights) {
            x.iter_mut().zip(vector).for_each(|(x, v)| *x += start * weight * v);
        }
        self.projected[steps].abs()
    }

    /// One Arnoldi step with modified Gram-Schmidt; false if the space cannot grow.
    fn extend(
        &mut self,
        step: usize,
        precondition: &mut dyn FnMut(&mut [f64]),
        multiply: &mut dyn FnMut(&[f64], &mut [f64]),
    ) -> bool {
        fill(&mut self.preconditioned, step, self.basis[step].iter().copied());
        precondition(&mut self.preconditioned[step]);
        fill(&mut self.basis, step + 1, self.preconditioned[step].iter().copied());
        let (known, new) = self.basis.split_at_mut(step + 1);
        let new = &mut new[0];
        multiply(&self.preconditioned[step], new);
        let mut column: Vec<f64> = Vec::with_capacity(step + 2);
        for vector in known.iter() {
            let share: f64 = vector.iter().zip(new.iter()).map(|(a, b)| a * b).sum();
            new.iter_mut().zip(vector).for_each(|(new, v)| *new -= share * v);
            column.push(share);
        }
        let rest = norm(new);
        if !rest.is_finite() || column.iter().any(|share| !share.is_finite()) {
            return false;
        }
        if rest > 0.0 {
            new.iter_mut().for_each(|new| *new /= rest);
        }
        for (k, &(cosine, sine)) in self.rotations.iter().enumerate() {
            (column[k], column[k + 1]) =
                (cosine * column[k] + sine * column[k + 1], -sine * column[k] + cosine * column[k + 1]);
        }
        let length = column[step].hypot(rest);
        if length == 0.0 {
            return false;
        }
        let (cosine, sine) = (column[step] / length, rest / length);
        column[step] = length;
        self.rotations.push((cosine, sine));
        let last = self.projected[step];
        self.projected[step] = cosine * last;
        self.projected.push(-sine * last);
        self.triangle.truncate(step);
        self.triangle.push(column);
        true
    }

    fn back_substitute(&self, steps: usize) -> Vec<f64> {
        let mut weights = self.projected[..steps].to_vec();
        for k in (0..steps).rev() {
            weights[k] /= self.triangle[k][k];
            for i in 0..k {
                weights[i] -= self.triangle[k][i] * weights[k];
            }
        }
        weights
    }
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Writes a vector to a place of a list, reusing its memory.
fn fill(list: &mut Vec<Vec<f64>>, place: usize, values: impl Iterator<Item = f64>) {
    if list.len() <= place {
        list.push(Vec::new());
    }
    list[place].clear();
    list[place].extend(values);
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    /// A matrix with a few eigenvalues at and below the size of the shift of its factors.
    #[test]
    fn a_few_small_eigenvalues_cost_a_few_steps() {
        let size = 30;
        let rotate = DMatrix::from_fn(size, size, |i, j| ((i * 31 + j * 17) as f64 * 0.37).sin()).qr().q();
        let eigenvalues = DVector::from_fn(size, |i, _| match i {
            0 => 1e-8,
            1 => -3e-9,
            2 => 5e-9,
            _ => 1.0 + i as f64 / 10.0,
        });
        let matrix = &rotate * DMatrix::from_diagonal(&eigenvalues) * rotate.transpose();
        let shifted = &rotate * DMatrix::from_diagonal(&eigenvalues.add_scalar(1e-8)) * rotate.transpose();
        let factors = shifted.lu();
        let wanted = DVector::from_fn(size, |i, _| (i as f64).cos());
        let b = &matrix * &wanted;
        let mut x = vec![0.0; size];
        let mut krylov = Krylov::default();
        let mut applications = 0;
        let reached = krylov.correct(
            &mut x,
            b.as_slice(),
            1e-14,
            &mut |v| {
                applications += 1;
                let solution = factors.solve(&DVector::from_column_slice(v)).unwrap();
                v.copy_from_slice(solution.as_slice());
            },
            &mut |v, out| out.copy_from_slice((&matrix * DVector::from_column_slice(v)).as_slice()),
        );
        let residual = (&b - &matrix * DVector::from_vec(x)).norm() / b.norm();
        assert!(reached <= 1e-13 && residual <= 1e-12, "{reached:e} {residual:e}");
        assert!(applications <= 6, "{applications}");
    }
}
