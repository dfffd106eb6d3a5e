//! Polynomials through the points of an interval, and where integrals along them are evaluated.

use super::Rule;
use crate::discretisation::assembly::shape::{MAX_ORDER, gauss, lobatto, shape};

/// Highest degree of polynomials.
pub(super) const MAX_DEGREE: usize = MAX_ORDER;

/// The path of a rule in an interval, by shares of its length.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Interpolation {
    /// Lobatto points, both ends included.
    points: Vec<f64>,
    /// Gauss points and weights.
    quadrature: Vec<(f64, f64)>,
}

impl Interpolation {
    /// Degrees beyond the limits are taken as the limits; a problem with such a degree is refused before.
    pub fn new(rule: Rule) -> Self {
        let degree = match rule {
            Rule::Midpoint | Rule::Trapezoidal => 1,
            Rule::Galerkin { degree } => degree.clamp(1, MAX_DEGREE),
        };
        Self { points: lobatto(degree), quadrature: gauss(degree) }
    }

    /// Number of points between the ends.
    pub fn inner(&self) -> usize {
        self.points.len() - 2
    }

    /// All points.
    pub fn points(&self) -> &[f64] {
        &self.points
    }

    pub fn quadrature(&self) -> &[(f64, f64)] {
        &self.quadrature
    }

    /// Values and slopes, by the share, of the polynomials that are 1 at one of the points.
    pub fn at(&self, share: f64) -> (Vec<f64>, Vec<f64>) {
        let shape = shape(&self.points, share);
        let count = self.points.len();
        (shape.n[..count].to_vec(), shape.dn[..count].to_vec())
    }
}
