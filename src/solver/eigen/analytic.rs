//! Singular points of a symmetric matrix function D(λ) whose eigenvalues all fall as λ grows, as those of dynamic
//! stiffnesses do: no root is missed, none comes twice.
//!
//! By Sylvester's law the negative pivots of D(λ) number the roots below λ, each as often as its multiplicity. Bisection by
//! this count encloses roots; inverse iteration finds as many independent shapes in an enclosure as the count says;
//! residual inverse iteration (A. Neumaier, SIAM J. Numer. Anal. 22, 1985) refines each. Where it does not find them all
//! inside, the enclosure is halved again.

use nalgebra::DMatrix;

use super::pencil::{EigenError, Start, dot, size_of_terms};
use crate::nlp::Pattern;
use crate::solver::linear::{LinearError, LinearSolver, SparseLdl, SymmetricSolver};

/// An enclosure is searched for shapes once it is narrower than this, relative to λ.
const NARROW: f64 = 0.05;
/// Roots nearer to each other than this, relative to λ, may be one of higher multiplicity and share their shapes.
const TOGETHER: f64 = 1e-7;
/// Distances of shifts from roots, relative to λ: near enough to converge fast, far enough to be factorised. The second and
/// third serve where another root lies at the first.
const ASIDE: [f64; 3] = [1e-5, 2.3e-5, -1.1e-5];
/// A residual that needs no further steps.
const SETTLED: f64 = 1e-14;
/// Largest residual of a root relative to the terms of D x.
const RESIDUAL: f64 = 1e-9;

/// A symmetric matrix function with −dD/dλ positive definite, analytic in the range of interest.
pub trait MatrixFunction {
    /// Pattern of the lower triangle with a full diagonal.
    fn pattern(&self) -> &Pattern;
    /// Writes D(λ) and −dD/dλ.
    fn evaluate(&mut self, lambda: f64, matrix: &mut [f64], slope: &mut [f64]);
    /// x D y and −x dD/dλ y at the λ of the last evaluation, as exactly as possible.
    fn forms(&self, x: &[f64], y: &[f64]) -> [f64; 2];
}

/// Roots with their shapes.
#[derive(Debug, Clone, Default)]
pub struct Roots {
    /// λ in increasing order, as often as they occur.
    pub values: Vec<f64>,
    /// Null vectors of D(λ), of norm 1 in −dD/dλ.
    pub shapes: Vec<Vec<f64>>,
    /// ‖D x‖ relative to the size of its terms.
    pub residuals: Vec<f64>,
}

/// Roots between 0 and a bound.
pub struct Search<'a, F: MatrixFunction> {
    function: &'a mut F,
    ldl: SparseLdl,
    matrix: Vec<f64>,
    slope: Vec<f64>,
    zeros: Vec<f64>,
    start: Start,
    /// λ and the number of roots below, in increasing order.
    counts: Vec<(f64, usize)>,
    /// Factorisations made.
    pub factorisations: usize,
}

impl<'a, F: MatrixFunction> Search<'a, F> {
    /// Analyses the pattern. `still` roots are known to lie at λ = 0.
    pub fn new(function: &'a mut F, still: usize) -> Result<Self, EigenError> {
        let pattern = function.pattern();
        let (size, entries) = (pattern.ncols(), pattern.nnz());
        let mut ldl = SparseLdl::new();
        ldl.analyse(pattern)?;
        Ok(Self {
            function,
            ldl,
            matrix: vec![0.0; entries],
            slope: vec![0.0; entries],
            zeros: vec![0.0; size],
            start: Start::new(),
            counts: vec![(0.0, still)],
            factorisations: 0,
        })
    }

    fn size(&self) -> usize {
        self.zeros.len()
    }

    /// Factorises D near λ, aside by a few roundings if a pivot vanishes; returns where, and the number of roots below.
    fn factor(&mut self, lambda: f64) -> Result<(f64, usize), EigenError> {
        let mut at = lambda;
        for attempt in 1..=8 {
            self.function.evaluate(at, &mut self.matrix, &mut self.slope);
            self.factorisations += 1;
            let inertia = self.ldl.factor_shifted(&self.matrix, &self.zeros)?;
            if inertia.zero == 0 {
                return Ok((at, inertia.negative));
            }
            at = lambda * (1.0 + 1e-11 * f64::from(attempt));
        }
        let vanished = LinearError::Singular { row: 0, column: 0, reciprocal_condition: 0.0 };
        Err(EigenError::Linear(vanished))
    }

    /// The number of roots below λ.
    pub fn count(&mut self, lambda: f64) -> Result<usize, EigenError> {
        let (at, count) = self.factor(lambda)?;
        let place = self.counts.partition_point(|(other, _)| *other < at);
        self.counts.insert(place, (at, count));
        Ok(count)
    }

    /// The roots with numbers from the first above zero to `count`; a [`Search::count`] must have found that many.
    pub fn roots(&mut self, count: usize, stop: &mut dyn FnMut() -> bool) -> Result<Roots, EigenError> {
        let mut found = Roots::default();
        let still = self.counts[0].1;
        while still + found.values.len() < count {
            if stop() {
                return Err(EigenError::Interrupted);
            }
            let number = still + found.values.len();
            let (low, high) = self.enclosure(number, count)?;
            let inside = self.resolve(low, high)?;
            found.values.extend(inside.values);
            found.shapes.extend(inside.shapes);
            found.residuals.extend(inside.residuals);
        }
        found.values.truncate(count - still);
        found.shapes.truncate(count - still);
        found.residuals.truncate(count - still);
        Ok(found)
    }

    /// Narrow bounds with `number` roots below the lower and more below the upper one.
    fn enclosure(&mut self, number: usize, count: usize) -> Result<((f64, usize), (f64, usize)), EigenError> {
        loop {
            let after = self.counts.iter().position(|(_, below)| *below > number);
            let missing = EigenError::NotConverged { asked: count, found: number, residual: f64::INFINITY };
            let Some(after) = after.filter(|after| *after > 0) else { return Err(missing) };
            let (low, high) = (self.counts[after - 1], self.counts[after]);
            if low.1 == number && high.0 - low.0 <= NARROW * high.0 {
                return Ok((low, high));
            }
            if high.0 - low.0 <= 4.0 * f64::EPSILON * high.0 {
                return Err(missing);
            }
            self.count(between(low.0, high.0))?;
        }
    }

    /// All roots of an enclosure: found at once, or in its halves.
    fn resolve(&mut self, low: (f64, usize), high: (f64, usize)) -> Result<Roots, EigenError> {
        let wanted = high.1 - low.1;
        if wanted == 0 {
            return Ok(Roots::default());
        }
        if let Some(found) = self.attempt(low.0, high.0, wanted)? {
            return Ok(found);
        }
        let middle = between(low.0, high.0);
        // An enclosure as narrow as rounding of the counts cannot be halved.
        if high.0 - low.0 <= 1e-13 * high.0 {
            return Err(EigenError::NotConverged { asked: high.1, found: low.1, residual: RESIDUAL });
        }
        let count = self.count(middle)?;
        let middle = (middle, count.clamp(low.1, high.1));
        let mut found = self.resolve(low, middle)?;
        let upper = self.resolve(middle, high)?;
        found.values.extend(upper.values);
        found.shapes.extend(upper.shapes);
        found.residuals.extend(upper.residuals);
        Ok(found)
    }

    /// Looks for `wanted` independent shapes with roots between the bounds; `None` if it does not find all of them.
    fn attempt(&mut self, low: f64, high: f64, wanted: usize) -> Result<Option<Roots>, EigenError> {
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

    fn refine_from(
        &mut self,
        estimate: f64,
        mut x: Vec<Vec<f64>>,
        aside: f64,
    ) -> Result<Option<Roots>, EigenError> {
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
                worst = self.residual(x, &mut work).max(worst);
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
            found.residuals.push(self.residual(&shape, &mut work));
            found.values.push(lambda + spread[i]);
            found.shapes.push(shape);
        }
        Ok(Some(found))
    }

    /// Writes D x and returns its norm relative to that of its terms, with the matrix at hand.
    fn residual(&self, x: &[f64], out: &mut [f64]) -> f64 {
        let pattern = self.function.pattern();
        pattern.multiply_symmetric(&self.matrix, x, out);
        let terms = size_of_terms(pattern, &self.matrix, x.iter().map(|x| x.abs()));
        (dot(out, out) / dot(&terms, &terms).max(f64::MIN_POSITIVE)).sqrt()
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

/// Where to count next: in the middle, of the logarithms where the bounds differ much.
fn between(low: f64, high: f64) -> f64 {
    if low <= 0.0 {
        0.1 * high
    } else if high > 4.0 * low {
        (low * high).sqrt()
    } else {
        0.5 * (low + high)
    }
}
