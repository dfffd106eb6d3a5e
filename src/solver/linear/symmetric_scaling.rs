//! Symmetric scaling S A S that makes the largest entry of every row about one.

use crate::nlp::Pattern;

/// Each sweep halves the range of exponents: five take 128 binary orders to four.
const SWEEPS: usize = 5;
/// Row maxima within this range are even enough for pivots to be compared.
const EVEN: std::ops::RangeInclusive<f64> = 0.0625..=16.0;
/// Beyond this exponent products of two scales could leave the range of normal numbers.
const LIMIT: i64 = 500;

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
    pub fn update(&mut self, pattern: &Pattern, values: &[f64]) {
        self.scales.fill(1.0);
        for _ in 0..SWEEPS {
            self.measure(pattern, values);
            if self.maxima.iter().all(|maximum| *maximum == 0.0 || EVEN.contains(maximum)) {
                break;
            }
            let rows = self.scales.iter_mut().zip(&self.maxima).filter(|(_, maximum)| **maximum > 0.0);
            for (scale, &maximum) in rows {
                let exponent = exponent(*scale) - exponent(maximum).div_euclid(2);
                *scale = power_of_two(exponent.clamp(-LIMIT, LIMIT));
            }
        }
    }

    /// Largest entry of each row of the scaled matrix.
    fn measure(&mut self, pattern: &Pattern, values: &[f64]) {
        let Self { scales, maxima } = self;
        maxima.fill(0.0);
        for (column, &scale) in scales.iter().enumerate() {
            let entries = pattern.column(column);
            let mut largest = maxima[column];
            for (&row, value) in pattern.row_idx()[entries.clone()].iter().zip(&values[entries]) {
                let size = (value * scales[row]).abs() * scale;
                maxima[row] = maxima[row].max(size);
                largest = largest.max(size);
            }
            maxima[column] = largest;
        }
    }

    /// Writes the values of S A S and the sums of the magnitudes in each of its rows.
    pub fn apply(&self, pattern: &Pattern, values: &[f64], scaled: &mut [f64], row_norms: &mut [f64]) {
        row_norms.fill(0.0);
        for (column, &scale) in self.scales.iter().enumerate() {
            let entries = pattern.column(column);
            let rows = &pattern.row_idx()[entries.clone()];
            let mut norm = 0.0;
            for ((scaled, value), &row) in scaled[entries.clone()].iter_mut().zip(&values[entries]).zip(rows) {
                *scaled = value * self.scales[row] * scale;
                if row != column {
                    row_norms[row] += scaled.abs();
                }
                norm += scaled.abs();
            }
            row_norms[column] += norm;
        }
    }
}

/// ⌊log₂ value⌋ of a positive normal number, read from its bits; −1023 for subnormal ones.
fn exponent(value: f64) -> i64 {
    (value.to_bits() >> 52) as i64 - 1023
}

/// 2^exponent within the range of normal numbers.
fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nlp::PatternBuilder;

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
        let unit = [1e12, 1e-12, 1e3, 1e-5];
        let mut values = vec![0.0; pattern.nnz()];
        for column in 0..4 {
            for place in pattern.column(column) {
                let row = pattern.row_idx()[place];
                values[place] = if row == 3 && column == 3 { 0.0 } else { unit[row] * unit[column] };
            }
        }
        let mut scales = SymmetricScales::new(5);
        scales.update(&pattern, &values);
        let mut scaled = vec![0.0; values.len()];
        let mut norms = [f64::NAN; 5];
        scales.apply(&pattern, &values, &mut scaled, &mut norms);
        assert_eq!(scales.scales[4], 1.0);
        assert!(scales.scales.iter().all(|scale| scale.log2().fract() == 0.0));
        let mut maxima = [0.0f64; 4];
        let mut sums = [0.0f64; 5];
        for column in 0..4 {
            for place in pattern.column(column) {
                let row = pattern.row_idx()[place];
                maxima[row] = maxima[row].max(scaled[place].abs());
                maxima[column] = maxima[column].max(scaled[place].abs());
                sums[row] += scaled[place].abs();
                sums[column] += if row == column { 0.0 } else { scaled[place].abs() };
                assert_eq!(scaled[place], values[place] * scales.scales[row] * scales.scales[column]);
            }
        }
        assert!(maxima.iter().all(|maximum| EVEN.contains(maximum)), "{maxima:?}");
        for (norm, sum) in norms.iter().zip(&sums) {
            assert!((norm - sum).abs() <= 1e-15 * sum, "{norms:?} against {sums:?}");
        }
    }
}
