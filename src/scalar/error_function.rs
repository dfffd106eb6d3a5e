//! The error function erf x = 2/√π ∫₀ˣ exp(−ξ²) dξ with its derivatives.
//!
//! The value is that of libm, good to one unit in the last place; the derivatives are
//! erf⁽ⁿ⁾ x = 2/√π (−1)ⁿ⁻¹ Hₙ₋₁(x) exp(−x²) with Hermite's polynomials (Abramowitz and Stegun 1964, 7.1.19).

use std::f64::consts::FRAC_2_SQRT_PI;

use super::Real;

/// Beyond this exp(−x²) and all that it multiplies is below the smallest number.
const FAR: f64 = 30.0;

/// The derivative of erf of an order at x; order 0 is the value.
pub fn erf_derivative(x: f64, order: usize) -> f64 {
    if order == 0 {
        return libm::erf(x);
    }
    if x.abs() > FAR {
        return 0.0;
    }
    // Hₙ₊₁ = 2 x Hₙ − 2 n Hₙ₋₁, with the signs of the derivatives.
    let (mut before, mut now) = (0.0, FRAC_2_SQRT_PI * (-x * x).exp());
    for n in 0..order - 1 {
        (before, now) = (now, -2.0 * (x * now + n as f64 * before));
    }
    now
}

/// erf x of numbers and dual numbers.
pub fn erf<T: Real>(x: T) -> T {
    // What a dual number is beyond its real part vanishes in powers above its order, so Taylor's series ends there.
    let beside = x - x.re();
    let mut factorial = 1.0;
    let mut sum = T::from(libm::erf(x.re()));
    let mut power = T::one();
    for order in 1..=T::NDERIV {
        factorial *= order as f64;
        power *= beside;
        sum += power * (erf_derivative(x.re(), order) / factorial);
    }
    sum
}

#[cfg(test)]
mod tests {
    use num_dual::{Dual3_64, DualNum};

    use super::*;

    /// Abramowitz and Stegun (1964), table 7.1, to its ten digits; two of them to sixteen from the same table's continuation in the DLMF, 7.23.
    #[test]
    fn tabulated_values() {
        for (x, value) in
            [(0.1, 0.1124629160), (0.5, 0.5204998778), (1.0, 0.8427007929), (1.5, 0.9661051465), (2.0, 0.9953222650)]
        {
            assert!((erf_derivative(x, 0) - value).abs() < 0.5e-10, "{x}");
            assert_eq!(erf_derivative(-x, 0), -erf_derivative(x, 0));
        }
        for (x, value) in [(0.5, 0.520_499_877_813_046_5), (1.0, 0.842_700_792_949_714_9)] {
            assert!((erf_derivative(x, 0) / value - 1.0_f64).abs() < 4e-16, "{x}");
        }
    }

    /// The power series 2/√π Σ (−1)ᵏ x²ᵏ⁺¹/(k! (2k + 1)) where it does not cancel.
    #[test]
    fn small_arguments() {
        for x in [1e-300, 1e-12, 1e-3, 0.1, 0.3, 0.6] {
            let mut term = x;
            let series: f64 = (0..30)
                .map(|k| {
                    let now = term / f64::from(2 * k + 1);
                    term *= -x * x / f64::from(k + 1);
                    now
                })
                .sum();
            assert!((erf_derivative(x, 0) / (FRAC_2_SQRT_PI * series) - 1.0).abs() < 1e-15, "{x}");
        }
    }

    /// Dual numbers through exp are the witness: erf' = 2/√π exp(−x²), and its derivatives.
    #[test]
    fn derivatives_are_those_of_the_bell() {
        for x in [-3.0, -0.7, 0.0, 0.2, 1.4, 5.0] {
            let at = Dual3_64::from_re(x).derivative();
            let bell = (-at * at).exp() * FRAC_2_SQRT_PI;
            for (order, expected) in [(1, bell.re), (2, bell.v1), (3, bell.v2), (4, bell.v3)] {
                let found = erf_derivative(x, order);
                assert!(
                    (found - expected).abs() <= 1e-13 * expected.abs().max(1e-9),
                    "{x} {order}: {found} {expected}"
                );
            }
            let inner = at * at + at;
            let found = erf(inner);
            let first = (-inner * inner).exp() * FRAC_2_SQRT_PI * (at * 2.0 + 1.0);
            for (found, expected) in [(found.v1, first.re), (found.v2, first.v1), (found.v3, first.v2)] {
                assert!((found - expected).abs() <= 1e-13 * expected.abs().max(1e-9), "{x}: {found} {expected}");
            }
        }
        assert_eq!((erf_derivative(1e200, 5), erf_derivative(-1e200, 0)), (0.0, -1.0));
    }
}
