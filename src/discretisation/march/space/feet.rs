//! Feet of characteristic lines on the known layer, and where the lines meet.

use nalgebra::{SMatrix, SVector};

/// Weights of the four of `count` instants around index k + `shift`, |shift| ≤ 1, whose cubic has the value there.
pub fn between(count: usize, k: usize, shift: f64) -> [(f64, usize); 4] {
    let (base, u) = if shift < 0.0 { (k as isize - 1, 1.0 + shift) } else { (k as isize, shift) };
    let at = |offset: isize| (base + offset).clamp(0, count as isize - 1) as usize;
    // Lagrange weights of the nodes −1, 0, 1, 2 at u ∈ [0, 1].
    let (a, b, c, d) = (u + 1.0, u, u - 1.0, u - 2.0);
    [(-b * c * d / 6.0, at(-1)), (a * c * d / 2.0, at(0)), (-a * b * d / 2.0, at(1)), (a * b * c / 6.0, at(2))]
}

/// Solve W₊ n + E₊ v = r₊, W₋ n + E₋ v = r₋ by eliminating n.
pub fn solve<const D: usize>(
    [w_plus, w_minus]: [SMatrix<f64, D, D>; 2],
    [e_plus, e_minus]: [SMatrix<f64, D, D>; 2],
    [r_plus, r_minus]: [SVector<f64, D>; 2],
) -> Option<(SVector<f64, D>, SVector<f64, D>)> {
    let inverse = w_plus.try_inverse()?;
    let transfer = w_minus * inverse;
    let v = (e_minus - transfer * e_plus).try_inverse()? * (r_minus - transfer * r_plus);
    Some((inverse * (r_plus - e_plus * v), v))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubics_are_reproduced() {
        let f = |t: f64| 0.5 - t + 0.3 * t * t - 0.02 * t * t * t;
        for shift in [-1.0, -0.7, -0.2, 0.0, 0.4, 1.0] {
            let found: f64 = between(10, 5, shift).iter().map(|(weight, index)| weight * f(*index as f64)).sum();
            assert!((found - f(5.0 + shift)).abs() < 1e-13);
        }
    }
}
