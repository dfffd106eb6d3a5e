//! Functions given by samples: splines of one variable, with exact derivatives.

mod basis;
mod fit;
mod triangle;

#[cfg(test)]
mod tests;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::scalar::Real;

pub use fit::{Ends, Fit, FitError};

/// What a function is beyond its samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Outside {
    /// The value at the first (last) sample.
    #[default]
    Constant,
    /// It has none.
    Error,
}

/// Which of the two pieces that meet in a knot is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// That below.
    Below,
    /// That above.
    Above,
}

/// A piecewise polynomial: of degree d with d − 1 continuous derivatives, also where it begins or ends at rest; of degree 0 it jumps
/// at each sample.
///
/// ```
/// use lariat::kernel::{Fit, Spline};
///
/// let times: Vec<f64> = (0..9).map(f64::from).collect();
/// let values: Vec<f64> = times.iter().map(|t| t.powi(3)).collect();
/// let spline = Spline::fit(&times, &values, &Fit { degree: 1, ..Fit::default() }).unwrap();
/// assert_eq!((spline.derivative(2.5, 0), spline.derivative(2.5, 1)), (17.5, 19.0));
/// // Beyond the samples it holds.
/// assert_eq!((spline.derivative(9.0, 0), spline.derivative(9.0, 1)), (512.0, 0.0));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Spline {
    degree: usize,
    /// First and last sample. Where the first (last) samples are equal and the function rests there, the knots begin (end) inside.
    domain: [f64; 2],
    outside: Outside,
    /// Increasing.
    knots: Vec<f64>,
    /// Of each piece, degree + 1 coefficients of powers of the distance from its knot.
    coefficients: Vec<f64>,
    /// The values before the first knot and after the last.
    held: [f64; 2],
    /// Knots in the unit of the variable, on average: where they are equally distant it tells the piece at once.
    pace: f64,
}

/// Where an argument lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Region {
    Before,
    Piece(usize),
    After,
}

impl Spline {
    fn new(fit: &Fit, domain: [f64; 2], knots: Vec<f64>, coefficients: Vec<f64>) -> Spline {
        let (first, last) = (knots[0], knots[knots.len() - 1]);
        let pace = if last > first { (knots.len() - 1) as f64 / (last - first) } else { 0.0 };
        let mut spline =
            Spline { degree: fit.degree, domain, outside: fit.outside, knots, coefficients, held: [0.0; 2], pace };
        spline.held = [first, last].map(|t| spline.polynomial(spline.piece(t), t, 0));
        spline
    }

    /// First and last sample.
    pub fn domain(&self) -> [f64; 2] {
        self.domain
    }

    /// The degree of its polynomials.
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// Whether it has a value there.
    pub fn holds(&self, x: f64) -> bool {
        self.outside == Outside::Constant || !(x < self.domain[0] || x > self.domain[1])
    }

    /// Whether it does not change nearby.
    pub fn is_steady(&self, x: f64) -> bool {
        self.degree == 0 || !matches!(self.region(x), Region::Piece(_))
    }

    /// The value for an argument that may carry derivatives; beyond samples that do not hold, of the polynomial nearest.
    pub fn eval<T: Real>(&self, x: T) -> T {
        match self.region(x.re()) {
            Region::Before => T::from(self.held[0]),
            Region::After => T::from(self.held[1]),
            Region::Piece(piece) => {
                let distance = x - self.knots[piece];
                self.of_piece(piece).iter().rev().fold(T::zero(), |sum, c| sum * distance + *c)
            }
        }
    }

    /// The derivative of an order, 0 for the value; in a knot that of the piece above. Not a number where there is none.
    pub fn derivative(&self, x: f64, order: usize) -> f64 {
        if !self.holds(x) {
            return f64::NAN;
        }
        match (self.region(x), order) {
            (Region::Before, 0) => self.held[0],
            (Region::After, 0) => self.held[1],
            (Region::Piece(piece), _) => self.polynomial(piece, x, order),
            _ => 0.0,
        }
    }

    /// The Taylor coefficients f⁽ᵏ⁾/k! of the derivative of an order at x, on one side of it.
    pub fn series(&self, x: f64, order: usize, side: Side, out: &mut [f64]) {
        if !self.holds(x) {
            return out.fill(f64::NAN);
        }
        out.fill(0.0);
        match self.beside(x, side) {
            Region::Before if order == 0 => out[0] = self.held[0],
            Region::After if order == 0 => out[0] = self.held[1],
            Region::Piece(piece) => {
                let mut factorial = 1.0;
                for (k, out) in out.iter_mut().enumerate() {
                    factorial *= k.max(1) as f64;
                    *out = self.polynomial(piece, x, order + k) / factorial;
                }
            }
            _ => {}
        }
    }

    /// A number of the part of the axis on one side of x in which the derivatives up to an order do not jump: what is before,
    /// between and after the samples, and the piece where the order is that of its jumps.
    pub fn part(&self, x: f64, order: usize, side: Side) -> u32 {
        match self.beside(x, side) {
            Region::Before => 0,
            Region::After => u32::MAX,
            Region::Piece(piece) if order >= self.degree => piece as u32 + 1,
            Region::Piece(_) => 1,
        }
    }

    fn of_piece(&self, piece: usize) -> &[f64] {
        &self.coefficients[piece * (self.degree + 1)..(piece + 1) * (self.degree + 1)]
    }

    /// The derivative of an order of the polynomial of a piece, by Horner's scheme.
    fn polynomial(&self, piece: usize, x: f64, order: usize) -> f64 {
        let distance = x - self.knots[piece];
        let coefficients = self.of_piece(piece).iter().enumerate().skip(order).rev();
        coefficients.fold(0.0, |sum, (k, c)| {
            let falling: f64 = (k + 1 - order..=k).map(|factor| factor as f64).product();
            sum * distance + c * falling
        })
    }

    /// Samples that do not hold have no region beyond their ends.
    fn region(&self, x: f64) -> Region {
        let (first, last) = (self.knots[0], self.knots[self.knots.len() - 1]);
        let ends = |end: usize| self.outside == Outside::Constant || self.domain[end] != [first, last][end];
        if x < first && ends(0) {
            Region::Before
        } else if x > last && ends(1) {
            Region::After
        } else {
            Region::Piece(self.piece(x))
        }
    }

    /// The region on one side of x.
    fn beside(&self, x: f64, side: Side) -> Region {
        let last = self.knots[self.knots.len() - 1];
        match (self.region(x), side) {
            (Region::Piece(piece), Side::Below) if x == self.knots[piece] => match piece {
                0 if self.region(x.next_down()) == Region::Before => Region::Before,
                _ => Region::Piece(piece.saturating_sub(1)),
            },
            (Region::Piece(piece), Side::Above) if x == last => match self.region(x.next_up()) {
                Region::After => Region::After,
                _ => Region::Piece(piece),
            },
            (region, _) => region,
        }
    }

    /// The piece that x lies in, or the nearest. Where the knots are equally distant it is guessed, else found by bisection.
    fn piece(&self, x: f64) -> usize {
        let last = self.coefficients.len() / (self.degree + 1) - 1;
        let guess = (((x - self.knots[0]) * self.pace) as usize).min(last);
        let is = |piece: usize| {
            self.knots[piece] <= x && (piece == last || self.knots.get(piece + 1).is_some_and(|next| x < *next))
        };
        // Rounding may put the guess into a neighbour.
        let near = [guess, guess.saturating_sub(1), (guess + 1).min(last)];
        near.into_iter()
            .find(|piece| is(*piece))
            .unwrap_or_else(|| self.knots.partition_point(|knot| *knot <= x).saturating_sub(1).min(last))
    }
}
