//! The logarithmic axial law, whose force tends to −∞ as the rod is compressed to nothing.

use super::AxialLaw;
use crate::scalar::Scalar;

/// ψ = EA/4 (ν² − 2 ln ν − 1), N = EA/2 (ν − 1/ν); its inverse is ν = q + √(q² + 1) with q = N/EA.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Logarithmic;

impl AxialLaw for Logarithmic {
    #[inline]
    fn energy<T: Scalar>(&self, ea: f64, stretch: T) -> T {
        (stretch * stretch - stretch.ln() * 2.0 - 1.0) * (0.25 * ea)
    }
    #[inline]
    fn force(&self, ea: f64, stretch: f64) -> f64 {
        0.5 * ea * (stretch - 1.0 / stretch)
    }
    #[inline]
    fn tangent(&self, ea: f64, stretch: f64) -> f64 {
        0.5 * ea * (1.0 + 1.0 / (stretch * stretch))
    }
    #[inline]
    fn stretch(&self, ea: f64, force: f64) -> f64 {
        let q = force / ea;
        let root = (q * q + 1.0).sqrt();
        // q + √(q²+1) cancels for strong compression; 1/(√(q²+1) − q) is the same number without loss.
        if q < 0.0 { 1.0 / (root - q) } else { q + root }
    }
}
