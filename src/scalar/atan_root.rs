//! g(x) = atan √x / √x, analytic for x > −1: half the angle of a rotation over its tangent, with x the square of the tangent.
//!
//! It obeys 2 x g' + g = 1/(1 + x), so its derivatives and Taylor coefficients cₙ = g⁽ⁿ⁾/n! follow from
//!
//! 2 (n + 1) x cₙ₊₁ + (2n + 1) cₙ = (−1)ⁿ/(1 + x)ⁿ⁺¹.
//!
//! Upwards this divides by x and loses digits where x is small; downwards it does not, and errors shrink by x each time.

use super::Real;

/// Below this the power series is used.
const SMALL: f64 = 0.05;
/// Terms of the series: 0.05¹³/27 is below rounding.
const TERMS: usize = 13;

/// g(x) for numbers and dual numbers.
#[inline]
pub fn atan_root<T: Real>(x: T) -> T {
    if x.re().abs() < SMALL {
        // Σ (−x)ᵏ/(2k + 1).
        let term = |k: usize| if k.is_multiple_of(2) { 1.0 } else { -1.0 } / (2 * k + 1) as f64;
        return (0..TERMS - 1).rev().fold(T::from(term(TERMS - 1)), |sum, k| sum * x + term(k));
    }
    let root = x.sqrt();
    root.atan() / root
}

/// g'(x) = Σ (−1)ᵏ k xᵏ⁻¹/(2k + 1) where x is small.
pub(super) fn slope_series<T: Real>(x: T) -> T {
    let term = |k: usize| if k.is_multiple_of(2) { 1.0 } else { -1.0 } * k as f64 / (2 * k + 1) as f64;
    (1..TERMS).rev().fold(T::from(term(TERMS)), |sum, k| sum * x + term(k))
}

/// g with its first two derivatives, for x ≥ 0.
#[inline]
pub fn atan_root_jet(x: f64) -> [f64; 3] {
    if x < SMALL {
        let mut sum = [0.0; 3];
        for k in (0..TERMS).rev() {
            let sign = if k.is_multiple_of(2) { 1.0 } else { -1.0 };
            // p'' and p' of Horner's scheme before p itself.
            sum[2] = sum[2] * x + 2.0 * sum[1];
            sum[1] = sum[1] * x + sum[0];
            sum[0] = sum[0] * x + sign / (2 * k + 1) as f64;
        }
        return sum;
    }
    let value = atan_root(x);
    let over = 1.0 / (1.0 + x);
    let first = (over - value) / (2.0 * x);
    [value, first, (-over * over - 3.0 * first) / (2.0 * x)]
}

/// The derivative of g of an order, for x ≥ 0.
#[inline]
pub fn atan_root_derivative(x: f64, order: usize) -> f64 {
    if x < SMALL {
        // Σ (−1)ᵏ k!/(k − n)! xᵏ⁻ⁿ/(2k + 1) from k = n on.
        let term = |k: usize| {
            let falling: f64 = (k - order + 1..=k).map(|factor| factor as f64).product();
            let signed = if k.is_multiple_of(2) { falling } else { -falling };
            signed / (2 * k + 1) as f64
        };
        let last = order + TERMS;
        return (order..last).rev().fold(term(last), |sum, k| sum * x + term(k));
    }
    let mut value = atan_root(x);
    let mut source = 1.0 / (1.0 + x);
    for n in 0..order {
        value = (source - (2 * n + 1) as f64 * value) / (2.0 * x);
        source *= -((n + 1) as f64) / (1.0 + x);
    }
    value
}

/// The Taylor coefficients of g at x ≥ 0, as many as there is room for.
pub fn atan_root_series(x: f64, out: &mut [f64]) {
    /// Below this the recurrence is used downwards,
    const DOWNWARDS: f64 = 0.8;
    /// from so far beyond the last coefficient: 0.8¹⁷⁰ is below rounding.
    const BEYOND: usize = 170;
    let count = out.len();
    let source = |n: usize| if n.is_multiple_of(2) { 1.0 } else { -1.0 } * (1.0 + x).powi(-(n as i32) - 1);
    if x < DOWNWARDS {
        let mut c = 0.0;
        for n in (0..count + BEYOND).rev() {
            c = (source(n) - 2.0 * (n + 1) as f64 * x * c) / (2 * n + 1) as f64;
            if n < count {
                out[n] = c;
            }
        }
        return;
    }
    let mut c = atan_root(x);
    for (n, out) in out.iter_mut().enumerate() {
        *out = c;
        c = (source(n) - (2 * n + 1) as f64 * c) / (2.0 * (n + 1) as f64 * x);
    }
}

#[cfg(test)]
mod tests {
    use num_dual::{Dual2_64, Dual3_64};

    use super::*;

    /// Series and closed form, and both recurrences, meet; third-order dual numbers are the witness of the derivatives.
    #[test]
    fn derivatives_of_all_orders_agree() {
        for x in [0.0, 1e-9, 0.01, 0.0499, 0.0501, 0.3, 0.79, 0.81, 2.0] {
            let witness = atan_root(Dual3_64::from_re(x).derivative());
            let found: [f64; 4] = std::array::from_fn(|n| atan_root_derivative(x, n));
            for (found, expected) in found.iter().zip([witness.re, witness.v1, witness.v2, witness.v3]) {
                assert!((found - expected).abs() < 1e-11 * expected.abs(), "x = {x}: {found} {expected}");
            }
            for (found, expected) in atan_root_jet(x).iter().zip(found) {
                assert!((found - expected).abs() < 1e-12 * expected.abs(), "x = {x}: {found} {expected}");
            }
            let mut series = [0.0; 4];
            atan_root_series(x, &mut series);
            for (n, (c, derivative)) in series.iter().zip(found).enumerate() {
                let factorial = [1.0, 1.0, 2.0, 6.0][n];
                assert!((c * factorial - derivative).abs() < 1e-11 * derivative.abs(), "x = {x}, n = {n}");
            }
        }
        assert_eq!(atan_root(0.0), 1.0);
        assert!((atan_root(1.0) - std::f64::consts::FRAC_PI_4).abs() < 1e-15);
        let at = atan_root(Dual2_64::from_re(0.04).derivative());
        assert!((at.v1 - atan_root_derivative(0.04, 1)).abs() < 1e-14);
    }

    /// The Taylor polynomial of degree 30 at 0.3 has the value at 0.8; coefficients do not blow up.
    #[test]
    fn long_series_are_right() {
        let mut series = [0.0; 31];
        atan_root_series(0.3, &mut series);
        let value = series.iter().rev().fold(0.0, |sum, c| sum * 0.5 + c);
        assert!((value - atan_root(0.8)).abs() < 1e-13, "{value}");
    }
}
