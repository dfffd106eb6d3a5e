//! Singular points of a symmetric matrix function D(λ) whose eigenvalues all fall as λ grows, as those of dynamic
//! stiffnesses do: no root is missed, none comes twice.
//!
//! By Sylvester's law the negative pivots of D(λ) number the roots below λ, each as often as its multiplicity. Bisection by
//! this count encloses roots; inverse iteration finds as many independent shapes in an enclosure as the count says;
//! residual inverse iteration (A. Neumaier, SIAM J. Numer. Anal. 22, 1985) refines each. Where it does not find them all
//! inside, the enclosure is halved again.

mod shapes;

use super::pencil::{EigenError, Start};
use crate::nlp::Pattern;
use crate::solver::linear::{LinearError, LinearSolver, SparseLdl, SymmetricSolver};

/// An enclosure is searched for shapes once it is narrower than this, relative to λ.
const NARROW: f64 = 0.05;
/// Largest residual of a root, relative to the terms.
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
    /// ‖D x‖ relative to the size of the terms of D x and λ (−dD/dλ) x.
    pub residuals: Vec<f64>,
}

/// λ and the number of roots below.
type Counted = (f64, usize);

/// Roots between 0 and a bound.
pub struct Search<'a, F: MatrixFunction> {
    function: &'a mut F,
    ldl: SparseLdl,
    matrix: Vec<f64>,
    slope: Vec<f64>,
    zeros: Vec<f64>,
    start: Start,
    /// Counts made so far, in increasing order.
    counts: Vec<Counted>,
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
            let [low, high] = self.enclosure(number, count)?;
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
    fn enclosure(&mut self, number: usize, count: usize) -> Result<[Counted; 2], EigenError> {
        loop {
            let after = self.counts.iter().position(|(_, below)| *below > number);
            let missing = EigenError::NotConverged { asked: count, found: number, residual: f64::INFINITY };
            let Some(after) = after.filter(|after| *after > 0) else { return Err(missing) };
            let (low, high) = (self.counts[after - 1], self.counts[after]);
            if low.1 == number && high.0 - low.0 <= NARROW * high.0 {
                return Ok([low, high]);
            }
            if high.0 - low.0 <= 4.0 * f64::EPSILON * high.0 {
                return Err(missing);
            }
            self.count(between(low.0, high.0))?;
        }
    }

    /// All roots of an enclosure: found at once, or in its halves.
    fn resolve(&mut self, low: Counted, high: Counted) -> Result<Roots, EigenError> {
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
