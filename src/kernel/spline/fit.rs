//! From samples to a spline.
//!
//! Of degree d = 2m − 1 the spline through samples is the function with the least ∫ (f⁽ᵐ⁾)² dt; with smoothing it is that with the
//! least Σ (f(tᵢ) − yᵢ)² + λ ∫ (f⁽ᵐ⁾)² dt (Reinsch 1967, Schoenberg 1964), λ being chosen such that the root mean square of the
//! deviations is the one stated. An end at rest has as many continuous derivatives as the inside, where the samples allow it without
//! swings: there (d − 1)/2 further knots make up for the conditions. Both are found in the basis of B-splines by orthogonal rotations, not by normal equations.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::basis::Basis;
use super::triangle::{Triangle, WIDTH};
use super::{Outside, Spline};
use crate::kernel::gauss;

/// The largest degree.
const LARGEST_DEGREE: usize = 7;

/// How samples become a function.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    /// Degree of the polynomials: 0, 1, 3, 5 or 7.
    pub degree: usize,
    /// Root mean square deviation from the samples; 0 goes through them.
    pub smoothing: f64,
    /// What is known of the two ends; none: the function rests where the first (last) two samples are equal.
    pub ends: [Option<Ends>; 2],
    /// Beyond the samples.
    pub outside: Outside,
}

/// What is known of the end of a spline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Ends {
    /// The derivatives 1 to degree − 1 vanish, so that it goes on as a constant smoothly.
    Rest,
    /// Nothing: it is as smooth as it can be, and the derivatives (degree + 1)/2 to degree − 1 vanish.
    Free,
}

impl Default for Fit {
    fn default() -> Self {
        Self { degree: 7, smoothing: 0.0, ends: [None; 2], outside: Outside::Constant }
    }
}

/// Why samples make no spline.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum FitError {
    /// Not one of the degrees there are.
    #[error("the degree is {0}, expected 0, 1, 3, 5 or 7")]
    Degree(usize),
    /// Too few samples.
    #[error("a spline of degree {degree} needs at least {needed} samples, found {found}")]
    TooFew {
        /// Of the spline.
        degree: usize,
        /// How many are needed.
        needed: usize,
        /// How many there are.
        found: usize,
    },
    /// Times and values in different numbers, or numbers that are not finite, or times that do not increase.
    #[error("sample {0} has no finite time and value after the one before it")]
    Sample(usize),
    /// Smoothing is negative, not a number, or of steps.
    #[error("the smoothing is {0}, expected a number that is not negative, and 0 for degree 0")]
    Smoothing(f64),
    /// The samples lie so unevenly that the equations cannot be solved.
    #[error("the distances of the samples differ too much for a spline of this degree")]
    Uneven,
}

/// Powers of ten between which λ is sought, times being measured in distances of the samples: a tenth of a distance to some
/// thousands of them are smoothed out.
const WEIGHTS: [f64; 2] = [-16.0, 24.0];
/// A spline that leaves its rest with all derivatives is taken where its largest second derivative is at most this much larger than
/// that of one that leaves it with half of them.
const SWINGS: f64 = 1.5;
/// Halvings of that interval: the deviation is met to about 1e-6.
const HALVINGS: usize = 26;

impl Spline {
    /// The spline through, or near, samples at increasing times.
    pub fn fit(times: &[f64], values: &[f64], fit: &Fit) -> Result<Spline, FitError> {
        let (degree, found) = (fit.degree, times.len());
        if degree > LARGEST_DEGREE || !(degree == 0 || degree % 2 == 1) {
            return Err(FitError::Degree(degree));
        }
        if !(fit.smoothing >= 0.0 && fit.smoothing.is_finite()) || (degree == 0 && fit.smoothing > 0.0) {
            return Err(FitError::Smoothing(fit.smoothing));
        }
        let needed = degree.div_ceil(2).max(2);
        if found < needed {
            return Err(FitError::TooFew { degree, needed, found });
        }
        let ordered = |i: usize| i == 0 || times[i] > times[i - 1];
        let right = |i: usize| times[i].is_finite() && values.get(i).is_some_and(|y| y.is_finite()) && ordered(i);
        if let Some(wrong) = (0..found.max(values.len())).find(|i| *i >= found || !right(*i)) {
            return Err(FitError::Sample(wrong));
        }
        let domain = [times[0], times[found - 1]];
        if degree == 0 {
            return Ok(Spline::new(fit, domain, times.to_vec(), values.to_vec()));
        }
        let flat = |a: usize, b: usize| values[a] == values[b];
        let ends = [flat(0, 1), flat(found - 2, found - 1)];
        let ends = [0, 1].map(|end| fit.ends[end].unwrap_or(if ends[end] { Ends::Rest } else { Ends::Free }));
        // Where samples are equal before the first change, or after the last, the function rests.
        let (mut first, mut last) = (0, found - 1);
        while ends[0] == Ends::Rest && first < last && flat(first, first + 1) {
            first += 1;
        }
        while ends[1] == Ends::Rest && last > first && flat(last - 1, last) {
            last -= 1;
        }
        if first == last {
            let constant: Vec<f64> = std::iter::once(values[0]).chain(std::iter::repeat_n(0.0, degree)).collect();
            return Ok(Spline::new(fit, domain, vec![times[0]], constant));
        }
        let (times, values) = (&times[first..=last], &values[first..=last]);
        let through = |tied: usize| -> Result<(Pieces<'_>, Vec<f64>), FitError> {
            let pieces = Pieces::new(degree, ends, tied, times, values);
            let coefficients = pieces.coefficients(fit.smoothing).ok_or(FitError::Uneven)?;
            let polynomials = pieces.polynomials(&coefficients);
            Ok((pieces, polynomials))
        };
        let (mut pieces, mut polynomials) = through(degree.saturating_sub(1))?;
        // Where nobody states that a function leaves its rest with all derivatives, the samples decide: those that do not would be
        // met by swings between them.
        let open = (0..2).any(|end| ends[end] == Ends::Rest && fit.ends[end].is_none());
        if open && degree > 1 {
            let (fewer, plain) = through((degree - 1) / 2)?;
            let [full, least] = [(&pieces, &polynomials), (&fewer, &plain)].map(|(pieces, list)| pieces.sharpest(list));
            if full > SWINGS * least {
                (pieces, polynomials) = (fewer, plain);
            }
        }
        Ok(Spline::new(fit, domain, pieces.knots(times[0]), polynomials))
    }
}

/// What is fitted, with times measured in mean distances of the samples.
struct Pieces<'a> {
    basis: Basis,
    /// Scaled times at which polynomials meet: those of the samples, and further ones near ends at rest.
    knots: Vec<f64>,
    ends: [Ends; 2],
    /// Scaled times of the samples.
    times: Vec<f64>,
    values: &'a [f64],
    /// Mean distance of the samples.
    unit: f64,
    /// At an end that rests, so many further coefficients are equal to the outermost one.
    tied: [usize; 2],
}

impl<'a> Pieces<'a> {
    /// Ends at rest are left with so many derivatives that vanish.
    fn new(degree: usize, ends: [Ends; 2], vanishing: usize, times: &[f64], values: &'a [f64]) -> Self {
        let unit = (times[times.len() - 1] - times[0]) / (times.len() - 1) as f64;
        let scaled: Vec<f64> = times.iter().map(|t| (t - times[0]) / unit).collect();
        let tied = ends.map(|end| if end == Ends::Rest { vanishing } else { 0 });
        let knots = with_further(&scaled, tied.map(|tied| tied.saturating_sub((degree - 1) / 2)));
        Self { basis: Basis::new(degree, &knots), knots, ends, times: scaled, values, unit, tied }
    }

    /// The knots in the unit of the times, from the first sample on.
    fn knots(&self, first: f64) -> Vec<f64> {
        self.knots.iter().map(|x| first + self.unit * x).collect()
    }

    fn unknowns(&self) -> usize {
        self.basis.len() - self.tied[0] - self.tied[1]
    }

    /// The unknown that stands for a coefficient.
    fn unknown(&self, coefficient: usize) -> usize {
        coefficient.saturating_sub(self.tied[0]).min(self.unknowns() - 1)
    }

    /// Adds an equation for a derivative at x in a piece, with a weight.
    fn add(&self, triangle: &mut Triangle, piece: usize, x: f64, order: usize, weight: f64, right: f64) {
        let first = self.unknown(piece);
        let mut row = [0.0; WIDTH];
        for (k, entry) in self.basis.row(piece, x, order).iter().take(self.basis.degree + 1).enumerate() {
            row[self.unknown(piece + k) - first] += weight * entry;
        }
        triangle.add(first, row, weight * right);
    }

    /// The piece that begins at or before x; the last one ends in the last sample.
    fn piece(&self, x: f64) -> usize {
        self.knots.partition_point(|knot| *knot <= x).saturating_sub(1).min(self.knots.len() - 2)
    }

    /// The unknowns: through the samples, or at the stated distance from them.
    fn coefficients(&self, smoothing: f64) -> Option<Vec<f64>> {
        if smoothing == 0.0 {
            return self.through();
        }
        let [mut low, mut high] = WEIGHTS;
        if self.deviation(&self.near(10f64.powf(low))?) >= smoothing {
            return self.through();
        }
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            // Far beyond what smooths the equations may lose a digit too many.
            let stays = self.near(10f64.powf(middle)).is_some_and(|found| self.deviation(&found) <= smoothing);
            if stays { low = middle } else { high = middle }
        }
        self.near(10f64.powf(low))
    }

    /// Through all samples; at a free end the derivatives (degree + 1)/2 to degree − 1 vanish.
    fn through(&self) -> Option<Vec<f64>> {
        let mut triangle = Triangle::new(self.unknowns());
        let degree = self.basis.degree;
        let last = self.times.len() - 1;
        for (i, (x, y)) in self.times.iter().zip(self.values).enumerate() {
            self.add(&mut triangle, self.piece(*x), *x, 0, 1.0, *y);
            for (end, sample) in [0, last].into_iter().enumerate() {
                if i == sample && self.ends[end] == Ends::Free {
                    (degree.div_ceil(2)..degree)
                        .for_each(|order| self.add(&mut triangle, self.piece(*x), *x, order, 1.0, 0.0));
                }
            }
        }
        triangle.solve()
    }

    /// The least sum of squares and λ ∫ (f⁽ᵐ⁾)². A free end then is natural by itself. The integral is exact by Gauss.
    fn near(&self, weight: f64) -> Option<Vec<f64>> {
        let mut triangle = Triangle::new(self.unknowns());
        let m = self.basis.degree.div_ceil(2);
        let points = gauss(m);
        let mut samples = self.times.iter().zip(self.values).peekable();
        for (piece, ends) in self.knots.windows(2).enumerate() {
            let (begin, length) = (ends[0], ends[1] - ends[0]);
            while let Some((x, y)) = samples.next_if(|(x, _)| **x < ends[1] || piece + 2 == self.knots.len()) {
                self.add(&mut triangle, piece, *x, 0, 1.0, *y);
            }
            for (place, share) in &points {
                self.add(&mut triangle, piece, begin + length * place, m, (weight * share * length).sqrt(), 0.0);
            }
        }
        triangle.solve()
    }

    /// Root mean square deviation from the samples.
    fn deviation(&self, unknowns: &[f64]) -> f64 {
        let square = |(x, y): (&f64, &f64)| (self.derivative(unknowns, self.piece(*x), *x, 0) - y).powi(2);
        let sum: f64 = self.times.iter().zip(self.values).map(square).sum();
        (sum / self.times.len() as f64).sqrt()
    }

    fn derivative(&self, unknowns: &[f64], piece: usize, x: f64, order: usize) -> f64 {
        let row = self.basis.row(piece, x, order);
        // The B-splines add up to 1: differences from one coefficient leave what rests exactly at rest.
        let first = unknowns[self.unknown(piece)];
        let differences = (1..=self.basis.degree).map(|k| row[k] * (unknowns[self.unknown(piece + k)] - first));
        differences.sum::<f64>() + if order == 0 { first } else { 0.0 }
    }

    /// Of each piece, the coefficients of powers of the distance from its knot, in the unit of the times.
    fn polynomials(&self, unknowns: &[f64]) -> Vec<f64> {
        let mut found = Vec::with_capacity((self.knots.len() - 1) * (self.basis.degree + 1));
        for piece in 0..self.knots.len() - 1 {
            let mut factor = 1.0;
            for order in 0..=self.basis.degree {
                found.push(factor * self.derivative(unknowns, piece, self.knots[piece], order));
                factor /= self.unit * (order + 1) as f64;
            }
        }
        found
    }
}

/// Points of a piece at which its curvature is looked at.
const LOOKS: usize = 4;

impl Pieces<'_> {
    /// The largest second derivative of these polynomials.
    fn sharpest(&self, polynomials: &[f64]) -> f64 {
        let width = self.basis.degree + 1;
        let of = |(ends, powers): (&[f64], &[f64])| {
            let length = self.unit * (ends[1] - ends[0]);
            let curvature = |look: usize| {
                let x = length * look as f64 / LOOKS as f64;
                let term = |k: usize| (k * (k - 1)) as f64 * powers[k] * x.powi(k as i32 - 2);
                (2..width).map(term).sum::<f64>().abs()
            };
            (0..=LOOKS).map(curvature).fold(0.0, f64::max)
        };
        self.knots.windows(2).zip(polynomials.chunks_exact(width)).map(of).fold(0.0, f64::max)
    }
}

/// Times with so many further knots near the first and the last: in the middles of as many distances from there, or where there are
/// few, of the widest.
fn with_further(times: &[f64], further: [usize; 2]) -> Vec<f64> {
    let mut knots = times.to_vec();
    let (count, distances) = (further[0] + further[1], times.len() - 1);
    if count <= distances {
        let middle = |i: usize| 0.5 * (times[i] + times[i + 1]);
        knots.extend((0..further[0]).chain(distances - further[1]..distances).map(middle));
        knots.sort_by(f64::total_cmp);
        return knots;
    }
    for _ in 0..count {
        let widest = (1..knots.len()).max_by(|a, b| {
            let width = |i: usize| knots[i] - knots[i - 1];
            width(*a).total_cmp(&width(*b))
        });
        let at = widest.unwrap_or(1);
        knots.insert(at, 0.5 * (knots[at - 1] + knots[at]));
    }
    knots
}
