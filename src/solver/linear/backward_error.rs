//! Residual and componentwise backward error of an approximate solution.

use crate::nlp::Pattern;

/// The smallest relative change of the entries of A and b that makes x exact, in two measures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct BackwardError {
    /// max |b − A x|ᵢ / (|A| |x| + |b|)ᵢ (Oettli and Prager 1964).
    pub strict: f64,
    /// max |b − A x|ᵢ / (‖aᵢ‖₁ ‖x‖∞ + |bᵢ|): what a backward stable solver guarantees. Where a solution has tails many
    /// orders below its peak, as waves do, no solver is exact in the componentwise sense.
    pub lenient: f64,
}

impl BackwardError {
    /// That of the exact solution.
    pub const ZERO: Self = Self { strict: 0.0, lenient: 0.0 };

    /// Includes a row with residual `rest`, denominator `size` = (|A| |x| + |b|)ᵢ and `reach` = ‖aᵢ‖₁ ‖x‖∞ + |bᵢ|.
    #[inline]
    pub fn include(&mut self, rest: f64, size: f64, reach: f64) {
        if rest != 0.0 {
            self.strict = larger(self.strict, rest.abs() / size);
            self.lenient = larger(self.lenient, rest.abs() / reach);
        }
    }
}

/// Writes b − A x to `residual` and measures it. A is given by rows: column i of `transposed` is row i of A.
pub(super) fn residual_and_backward_error(
    transposed: &Pattern,
    values: &[f64],
    x: &[f64],
    b: &[f64],
    residual: &mut [f64],
) -> BackwardError {
    let x_norm = x.iter().fold(0.0f64, |largest, x| largest.max(x.abs()));
    let mut worst = BackwardError::ZERO;
    for (row, (&b, residual)) in b.iter().zip(residual).enumerate() {
        let entries = transposed.column(row);
        let (mut rest, mut size, mut row_norm) = (b, b.abs(), 0.0);
        for (&col, &value) in transposed.row_idx()[entries.clone()].iter().zip(&values[entries]) {
            let product = value * x[col];
            rest -= product;
            size += product.abs();
            row_norm += value.abs();
        }
        *residual = rest;
        worst.include(rest, size, row_norm * x_norm + b.abs());
    }
    worst
}

/// The larger number; unlike with [`f64::max`], NaN wins.
fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || b <= a { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nlp::PatternBuilder;

    #[test]
    fn known_perturbation_is_recovered() {
        let mut builder = PatternBuilder::new(2, 2);
        builder.add(&[0, 1], &[0, 1]).unwrap();
        let (pattern, map) = builder.build();
        let mut values = vec![0.0; 4];
        // Written transposed: A = [[2, 1], [1e6, 3e6]].
        map.scatter(0, &[2.0, 1e6, 1.0, 3e6], &mut values);
        let x = [1.0, -1.0];
        let mut residual = [0.0; 2];
        // A x = (1, -2e6); the second right-hand side is off by 1e-3 of |A||x| + |b| = 6e6 (1 + 1e-3).
        let b = [1.0, -2e6 - 6e3];
        let error = residual_and_backward_error(&pattern, &values, &x, &b, &mut residual);
        assert_eq!(residual, [0.0, -6e3]);
        assert!((error.strict - 6e3 / 6.006e6).abs() < 1e-15);
        assert_eq!(error.lenient, error.strict);
        let error = residual_and_backward_error(&pattern, &values, &[f64::NAN, 0.0], &b, &mut residual);
        assert!(error.strict.is_nan() && error.lenient.is_nan());
        // Rounding errors of a vanishing solution: wrong by 100 % in the strict measure, nothing in the lenient one.
        let mut diagonal = PatternBuilder::new(2, 2);
        diagonal.add(&[0], &[0]).unwrap();
        diagonal.add(&[1], &[1]).unwrap();
        let pattern = diagonal.build().0;
        let error = residual_and_backward_error(&pattern, &[1.0, 1.0], &[1.0, 1e-16], &[1.0, 0.0], &mut residual);
        assert_eq!(error, BackwardError { strict: 1.0, lenient: 1e-16 / (1.0 + 1e-16) });
    }
}
