//! The quadratic axial law.

use super::AxialLaw;
use crate::scalar::Scalar;

/// ψ = EA/2 (ν − 1)², N = EA (ν − 1).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Quadratic;

impl AxialLaw for Quadratic {
    #[inline]
    fn energy<T: Scalar>(&self, ea: f64, stretch: T) -> T {
        let strain = stretch - 1.0;
        strain * strain * (0.5 * ea)
    }
    #[inline]
    fn force(&self, ea: f64, stretch: f64) -> f64 {
        ea * (stretch - 1.0)
    }
    #[inline]
    fn tangent(&self, ea: f64, _stretch: f64) -> f64 {
        ea
    }
    #[inline]
    fn stretch(&self, ea: f64, force: f64) -> f64 {
        1.0 + force / ea
    }
}
