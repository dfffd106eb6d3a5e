//! Power series of even and odd functions on [−1, 1], for parts of rods that are shorter than about half a wave.

/// Coefficients kept. The parts are so short that wave numbers over the half length stay below 3; 3⁴⁰/40! = 1.5e-29.
pub(super) const TERMS: usize = 40;

/// Points of Gauss quadrature on [0, 1]. Products of two shape functions have wave numbers below 6; the error of 14
/// points is of the size 6²⁸ (14!)⁴/(29 (28!)³) = 2e-26.
pub(super) const POINTS: usize = 14;

/// Taylor coefficients about the middle.
pub(super) type Series = [f64; TERMS];

/// Σ c_n xⁿ over even n.
#[inline]
pub(super) fn even(c: &Series, x: f64) -> f64 {
    let square = x * x;
    (0..TERMS / 2).rev().fold(0.0, |sum, k| sum * square + c[2 * k])
}

/// Σ c_n xⁿ over odd n.
#[inline]
pub(super) fn odd(c: &Series, x: f64) -> f64 {
    let square = x * x;
    x * (0..TERMS / 2).rev().fold(0.0, |sum, k| sum * square + c[2 * k + 1])
}

/// Whether motions of a part are the same or opposite on both sides of its middle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Parity {
    /// Displacement even, rotation odd.
    Even,
    /// Displacement odd, rotation even.
    Odd,
}

impl Parity {
    /// The sum of a series of a displacement.
    #[inline]
    pub fn displacement(self, c: &Series, x: f64) -> f64 {
        match self {
            Parity::Even => even(c, x),
            Parity::Odd => odd(c, x),
        }
    }

    /// The sum of a series of a rotation.
    #[inline]
    pub fn rotation(self, c: &Series, x: f64) -> f64 {
        match self {
            Parity::Even => odd(c, x),
            Parity::Odd => even(c, x),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discretisation::assembly::shape::gauss;

    /// The series of cos and sin at wave number 3, and the quadrature of their squares: ½ ± sin(6)/12.
    #[test]
    fn waves_of_a_part_are_summed_and_integrated_to_rounding() {
        let mut c = [1.0; TERMS];
        for n in 1..TERMS {
            c[n] = c[n - 1] * 3.0 / n as f64;
        }
        let alternating: Series = std::array::from_fn(|n| if n % 4 < 2 { c[n] } else { -c[n] });
        for x in [-1.0, -0.3, 0.0, 0.7, 1.0_f64] {
            assert!((even(&alternating, x) - (3.0 * x).cos()).abs() < 4e-15);
            assert!((odd(&alternating, x) - (3.0 * x).sin()).abs() < 4e-15);
        }
        let square = |f: fn(&Series, f64) -> f64| {
            gauss(POINTS).iter().map(|(x, weight)| weight * f(&alternating, *x).powi(2)).sum::<f64>()
        };
        assert!((square(even) - 0.5 - 6.0_f64.sin() / 12.0).abs() < 1e-15);
        assert!((square(odd) - 0.5 + 6.0_f64.sin() / 12.0).abs() < 1e-15);
    }
}
