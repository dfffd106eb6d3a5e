//! Null vectors of D(λ): inverse iteration in an enclosure, refinement of single and coincident roots.

use nalgebra::DMatrix;

use super::{MatrixFunction, NARROW, RESIDUAL, Roots, Search};
use crate::solver::eigen::pencil::{EigenError, dot, size_of_terms};
use crate::solver::linear::LinearSolver;

/// Roots nearer to each other than this, relative to λ, may be one of higher multiplicity and share their shapes.
const TOGETHER: f64 = 1e-7;
/// Distances of shifts from roots, relative to λ: near enough to converge fast, far enough to be factorised. The second and
/// third serve where another root lies at the first.
const ASIDE: [f64; 3] = [1e-5, 2.3e-5, -1.1e-5];
/// A residual that needs no further steps.
const SETTLED: f64 = 1e-14;

impl<F: MatrixFunction> Search<'_, F> {
    /// Looks for `wanted` independent shapes with roots between the bounds; `None` if it does not find all of them.
    pub(super) fn attempt(&mut self, low: f64, high: f64, wanted: usize) -> Result<Option<Roots>, EigenError> {
        let block = (wanted + 2).min(self.size());
        let (shift, _) = self.factor(0.5 * (low + high))?;
        let mut x: Vec<Vec<f64>> = (0..block).map(|_| (0..self.size()).map(|_| self.start.next()).collect()).collect();
        let mut estimates = Vec::new();
        for _ in 0..4 {
            for x in &mut x {
                if !self.invert(x) {
                    return Ok(None);
                }
            }
            let Some((values, rotated)) = self.ritz(&x) else { return Ok(None) };
            estimates = values.iter().map(|mu| shift + mu).collect();
            x = rotated;
        }
        // The nearest to the middle, in increasing order.
        let mut order: Vec<usize> = (0..block).collect();
        order.sort_by(|a, b| (estimates[*a] - shift).abs().total_cmp(&(estimates[*b] - shift).abs()));
        order.truncate(wanted);
        order.sort_by(|a, b| estimates[*a].total_cmp(&estimates[*b]));
        let width = high - low;
        if order.iter().any(|&i| estimates[i] < low - width || estimates[i] > high + width) {
            return Ok(None);
        }
        let mut found = Roots::default();
        let mut next = 0;
        while next < wanted {
            let first = estimates[order[next]];
            let together = order[next..].iter().take_while(|&&i| estimates[i] - first <= TOGETHER * first).count();
            let cluster = order[next..next + together].iter().map(|&i| std::mem::take(&mut x[i])).collect();
            let Some(refined) = self.refine(first, cluster)? else { return Ok(None) };
            found.values.extend(refined.values);
            found.shapes.extend(refined.shapes);
            found.residuals.extend(refined.residuals);
            next += together;
        }
        let slack = 1e-9 * high;
        let inside = found.values.iter().all(|value| *value > low - slack && *value < high + slack);
        let small = found.residuals.iter().all(|residual| *residual < RESIDUAL);
        Ok((inside && small && self.independent(&found)).then_some(found))
    }

    /// x ← D⁻¹ (−dD/dλ) x with the factors and matrices at hand; false if that cannot be computed.
    fn invert(&mut self, x: &mut Vec<f64>) -> bool {
        let mut image = vec![0.0; x.len()];
        self.function.pattern().multiply_symmetric(&self.slope, x, &mut image);
        let norm = dot(&image, &image).sqrt().max(f64::MIN_POSITIVE);
        image.iter_mut().for_each(|y| *y /= norm);
        let solved = self.ldl.solve(&mut image).is_ok() && image.iter().all(|y| y.is_finite());
        *x = image;
        solved
    }

    /// Eigenvalues μ of D x = μ (−dD/dλ) x in the span of some vectors, and combinations of norm 1 that belong to them.
    fn ritz(&self, x: &[Vec<f64>]) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
        let n = x.len();
        let (mut d, mut m) = (DMatrix::zeros(n, n), DMatrix::zeros(n, n));
        for i in 0..n {
            for j in 0..=i {
                let [of_d, of_m] = self.function.forms(&x[i], &x[j]);
                (d[(i, j)], d[(j, i)]) = (of_d, of_d);
                (m[(i, j)], m[(j, i)]) = (of_m, of_m);
            }
        }
        // Scaled to norm 1 and then by the eigenvectors of the product: spans may be nearly dependent.
        let scale: Vec<f64> = (0..n).map(|i| 1.0 / m[(i, i)].max(f64::MIN_POSITIVE).sqrt()).collect();
        let scaled = |a: &DMatrix<f64>| DMatrix::from_fn(n, n, |i, j| a[(i, j)] * scale[i] * scale[j]);
        let (d, m) = (scaled(&d), scaled(&m));
        let root = m.cholesky()?.l();
        let inverse = root.clone().try_inverse()?;
        let projected = &inverse * d * inverse.transpose();
        let symmetric = (&projected + projected.transpose()) * 0.5;
        let eigen = symmetric.try_symmetric_eigen(f64::EPSILON, 1000)?;
        let weights = inverse.transpose() * &eigen.eigenvectors;
        let combined = (0..n)
            .map(|k| {
                let mut sum = vec![0.0; self.size()];
                for (i, x) in x.iter().enumerate() {
                    let factor = weights[(i, k)] * scale[i];
                    sum.iter_mut().zip(x).for_each(|(sum, x)| *sum += factor * x);
                }
                sum
            })
            .collect();
        Some((eigen.eigenvalues.iter().copied().collect(), combined))
    }

    /// Roots and shapes to rounding, from estimates of one root or of several that nearly coincide: x ← x − D(σ)⁻¹ D(λ) x
    /// with σ aside of λ, and λ from x D(λ) x = 0.
    fn refine(&mut self, estimate: f64, x: Vec<Vec<f64>>) -> Result<Option<Roots>, EigenError> {
        for aside in ASIDE {
            if let Some(found) = self.refine_from(estimate, x.clone(), aside)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    fn refine_from(&mut self, estimate: f64, mut x: Vec<Vec<f64>>, aside: f64) -> Result<Option<Roots>, EigenError> {
        let mut lambda = estimate;
        let mut spread = vec![0.0; x.len()];
        let mut work = vec![0.0; self.size()];
        let mut sigma = f64::NAN;
        let mut worst = f64::INFINITY;
        for round in 0..12 {
            if round == 0 || (round < 5 && !((sigma - lambda).abs() < 4.0 * aside.abs() * lambda)) {
                sigma = self.factor(lambda * (1.0 - aside))?.0;
            }
            let (before, worst_before) = (lambda, worst);
            self.function.evaluate(lambda, &mut self.matrix, &mut self.slope);
            worst = 0.0;
            for x in &mut x {
                worst = self.residual(lambda, x, &mut work).max(worst);
                if self.ldl.solve(&mut work).is_err() || work.iter().any(|r| !r.is_finite()) {
                    return Ok(None);
                }
                x.iter_mut().zip(&work).for_each(|(x, r)| *x -= r);
            }
            let Some((values, rotated)) = self.ritz(&x) else { return Ok(None) };
            x = rotated;
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            spread = values.iter().map(|mu| mu - mean).collect();
            lambda += mean;
            if !(lambda > 0.0) || !((lambda / estimate - 1.0).abs() < 2.0 * NARROW) {
                return Ok(None);
            }
            let settled = (lambda - before).abs() <= 2.0 * f64::EPSILON * lambda;
            if round > 1 && settled && (worst < SETTLED || worst > 0.5 * worst_before) {
                break;
            }
        }
        self.function.evaluate(lambda, &mut self.matrix, &mut self.slope);
        let mut order: Vec<usize> = (0..x.len()).collect();
        order.sort_by(|a, b| spread[*a].total_cmp(&spread[*b]));
        let mut found = Roots::default();
        for i in order {
            let shape = std::mem::take(&mut x[i]);
            found.residuals.push(self.residual(lambda, &shape, &mut work));
            found.values.push(lambda + spread[i]);
            found.shapes.push(shape);
        }
        Ok(Some(found))
    }

    /// Writes D x and returns its norm relative to that of the terms of D x and λ (−dD/dλ) x, with the matrices at hand: the
    /// second do not vanish where a single unknown moves.
    fn residual(&self, lambda: f64, x: &[f64], out: &mut [f64]) -> f64 {
        let pattern = self.function.pattern();
        pattern.multiply_symmetric(&self.matrix, x, out);
        let terms = |values: &[f64]| size_of_terms(pattern, values, x.iter().map(|x| x.abs()));
        let both = terms(&self.matrix).into_iter().zip(terms(&self.slope));
        let size: f64 = both.map(|(d, m)| (d + lambda * m).powi(2)).sum();
        (dot(out, out) / size.max(f64::MIN_POSITIVE)).sqrt()
    }

    /// Whether no shape is a combination of others: the least eigenvalue of their products in −dD/dλ is far from zero.
    fn independent(&self, found: &Roots) -> bool {
        let n = found.shapes.len();
        let product = |i: usize, j: usize| self.function.forms(&found.shapes[i], &found.shapes[j])[1];
        let gram = DMatrix::from_fn(n, n, |i, j| product(i, j) / (product(i, i) * product(j, j)).sqrt());
        gram.symmetric_eigenvalues().min() > 1e-3
    }

    /// Shapes of the roots at λ = 0, from inverse iteration with a shift below them that is small against the first root
    /// above zero.
    pub fn still_shapes(&mut self, first: f64) -> Result<Vec<Vec<f64>>, EigenError> {
        let still = self.counts[0].1;
        if still == 0 {
            return Ok(Vec::new());
        }
        let block = (still + 2).min(self.size());
        let mut x: Vec<Vec<f64>> = (0..block).map(|_| (0..self.size()).map(|_| self.start.next()).collect()).collect();
        let lost = EigenError::NotConverged { asked: still, found: 0, residual: f64::INFINITY };
        for shift in [-1e-2, -1e-4, -1e-4, -1e-4] {
            self.factor(shift * first)?;
            for x in &mut x {
                if !self.invert(x) {
                    return Err(lost);
                }
            }
            self.function.evaluate(0.0, &mut self.matrix, &mut self.slope);
            let Some((values, rotated)) = self.ritz(&x) else { return Err(lost) };
            let mut order: Vec<usize> = (0..block).collect();
            order.sort_by(|a, b| values[*a].abs().total_cmp(&values[*b].abs()));
            x = order.into_iter().map(|i| rotated[i].clone()).collect();
        }
        x.truncate(still);
        Ok(x)
    }
}
