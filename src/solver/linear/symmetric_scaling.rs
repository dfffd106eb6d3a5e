//! Symmetric scaling S A S that makes the largest entry of every row about one.

use super::symmetric::for_each_below;
use crate::nlp::Pattern;

/// Each sweep halves the range of exponents: five take 32 binary orders to one.
const SWEEPS: usize = 5;
/// Row maxima within this range count as one.
const EVEN: std::ops::RangeInclusive<f64> = 0.25..=4.0;
/// Beyond this exponent products of two scales could leave the range of normal numbers.
const LIMIT: f64 = 500.0;

/// Scales S of a symmetric matrix; powers of two, so scaling commits no rounding error.
#[derive(Debug, Clone)]
pub(super) struct SymmetricScales {
    pub scales: Vec<f64>,
    maxima: Vec<f64>,
}

impl SymmetricScales {
    /// Unit scales of a matrix of this size.
    pub fn new(size: usize) -> Self {
        Self { scales: vec![1.0; size], maxima: vec![0.0; size] }
    }

    /// Divides rows and columns by the square root of the row maxima, again and again (D. Ruiz, "A scaling algorithm to
    /// equilibrate both rows and columns norms in matrices", RAL-TR-2001-034). Rows of zeros keep the scale 1.
    pub fn update(&mut self, pattern: &Pattern, diagonal: &[usize], values: &[f64]) {
        let Self { scales, maxima } = self;
        scales.fill(1.0);
        for _ in 0..SWEEPS {
            for ((maximum, scale), &place) in maxima.iter_mut().zip(scales.iter()).zip(diagonal) {
                *maximum = (values[place] * scale).abs() * scale;
            }
            for_each_below(pattern, |row, column, place| {
                let size = (values[place] * scales[row]).abs() * scales[column];
                maxima[row] = maxima[row].max(size);
                maxima[column] = maxima[column].max(size);
            });
            if maxima.iter().all(|maximum| *maximum == 0.0 || EVEN.contains(maximum)) {
                break;
            }
            for (scale, &maximum) in scales.iter_mut().zip(maxima.iter()).filter(|(_, maximum)| **maximum > 0.0) {
                let exponent = scale.log2() - 0.5 * maximum.log2();
                *scale = exponent.round().clamp(-LIMIT, LIMIT).exp2();
            }
        }
    }

    /// The values of S A S.
    pub fn apply(&self, pattern: &Pattern, values: &[f64], scaled: &mut [f64]) {
        for (column, &scale) in self.scales.iter().enumerate() {
            let entries = pattern.column(column);
            let rows = &pattern.row_idx()[entries.clone()];
            for ((scaled, value), &row) in scaled[entries.clone()].iter_mut().zip(&values[entries]).zip(rows) {
                *scaled = value * self.scales[row] * scale;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nlp::PatternBuilder;
    use crate::solver::linear::symmetric::diagonal_places;

    #[test]
    fn units_are_undone_by_powers_of_two() {
        // Ones in units of 10^±12, a row of zeros, a zero diagonal.
        let mut builder = PatternBuilder::new(5, 5);
        for column in 0..5 {
            builder.add(&[column], &[column]).unwrap();
        }
        for (row, column) in [(1, 0), (2, 0), (3, 1), (3, 2)] {
            builder.add(&[row], &[column]).unwrap();
        }
        let pattern = builder.build().0;
        let diagonal = diagonal_places(&pattern).unwrap();
        let unit = [1e12, 1e-12, 1e3, 1e-5];
        let mut values = vec![0.0; pattern.nnz()];
        for column in 0..4 {
            for place in pattern.column(column) {
                let row = pattern.row_idx()[place];
                values[place] = if row == 3 && column == 3 { 0.0 } else { unit[row] * unit[column] };
            }
        }
        let mut scales = SymmetricScales::new(5);
        scales.update(&pattern, &diagonal, &values);
        let mut scaled = vec![0.0; values.len()];
        scales.apply(&pattern, &values, &mut scaled);
        assert_eq!(scales.scales[4], 1.0);
        assert!(scales.scales.iter().all(|scale| scale.log2().fract() == 0.0));
        let mut maxima = [0.0f64; 4];
        for column in 0..4 {
            for place in pattern.column(column) {
                let row = pattern.row_idx()[place];
                maxima[row] = maxima[row].max(scaled[place].abs());
                maxima[column] = maxima[column].max(scaled[place].abs());
                assert_eq!(scaled[place], values[place] * scales.scales[row] * scales.scales[column]);
            }
        }
        assert!(maxima.iter().all(|maximum| (0.1..=10.0).contains(maximum)), "{maxima:?}");
    }
}
