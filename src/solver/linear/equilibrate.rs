//! Row and column scaling that frees a matrix from the units of its equations and unknowns.

use crate::nlp::Pattern;

/// Scales R and C of the equilibrated matrix R A C; powers of two, so scaling commits no rounding error.
#[derive(Debug, Clone, Default)]
pub(super) struct Scales {
    pub rows: Vec<f64>,
    pub cols: Vec<f64>,
    /// Work space: γⱼ, and for each row the sum and the number of its exponents.
    exponents: Vec<f64>,
    sums: Vec<(f64, f64)>,
}

/// Sweeps of the least-squares scaling; more would change exponents by little.
const SWEEPS: usize = 6;

impl Scales {
    /// Makes the entries as equal as possible, then the largest of each row and column about 1.
    ///
    /// The first part minimises Σ (log₂|aᵢⱼ| + ρᵢ + γⱼ)² over row and column exponents (A. R. Curtis and J. K. Reid,
    /// IMA J. Appl. Math. 10, 1972), alternating between rows and columns. Unlike scaling by largest entries alone it
    /// undoes a change of units in both rows and columns. Rows and columns of zeros keep the scale 1.
    pub fn update(&mut self, pattern: &Pattern, values: &[f64]) {
        self.find_column_exponents(pattern, values);
        self.level(pattern, values);
    }

    /// Makes the largest entry of each row and column about 1, starting from the units as they are. Where zeros of the matrix are
    /// rounding errors, these have no say here, as they have in a least-squares scaling.
    pub fn update_by_largest(&mut self, pattern: &Pattern, values: &[f64]) {
        self.exponents.clear();
        self.exponents.resize(pattern.ncols(), 0.0);
        self.level(pattern, values);
    }

    fn level(&mut self, pattern: &Pattern, values: &[f64]) {
        self.cols.clear();
        self.cols.extend(self.exponents.iter().map(|exponent| power_of_two(exponent.round() as i64)));
        self.rows.clear();
        self.rows.resize(pattern.nrows(), 0.0);
        for (col, &scale) in self.cols.iter().enumerate() {
            for entry in pattern.column(col) {
                let largest = &mut self.rows[pattern.row_idx()[entry]];
                *largest = largest.max(values[entry].abs() * scale);
            }
        }
        self.rows.iter_mut().for_each(|scale| *scale = inverse_power_of_two(*scale));
        for (col, scale) in self.cols.iter_mut().enumerate() {
            let entries = pattern.column(col).map(|entry| values[entry].abs() * self.rows[pattern.row_idx()[entry]]);
            *scale = inverse_power_of_two(entries.fold(0.0, f64::max));
        }
    }

    /// Exponents γⱼ of the least-squares scaling.
    fn find_column_exponents(&mut self, pattern: &Pattern, values: &[f64]) {
        let Self { exponents: cols, sums: rows, .. } = self;
        cols.clear();
        cols.resize(pattern.ncols(), 0.0);
        rows.resize(pattern.nrows(), (0.0, 0.0));
        for _ in 0..SWEEPS {
            rows.fill((0.0, 0.0));
            for (col, exponent) in cols.iter().enumerate() {
                for entry in pattern.column(col).filter(|&entry| values[entry] != 0.0) {
                    let (sum, count) = &mut rows[pattern.row_idx()[entry]];
                    *sum -= binary_exponent(values[entry]) + exponent;
                    *count += 1.0;
                }
            }
            rows.iter_mut().filter(|row| row.1 > 0.0).for_each(|(sum, count)| *sum /= *count);
            let mut change = 0.0f64;
            for (col, exponent) in cols.iter_mut().enumerate() {
                let (mut sum, mut count) = (0.0, 0.0);
                for entry in pattern.column(col).filter(|&entry| values[entry] != 0.0) {
                    sum -= binary_exponent(values[entry]) + rows[pattern.row_idx()[entry]].0;
                    count += 1.0;
                }
                if count > 0.0 {
                    change = change.max((sum / count - *exponent).abs());
                    *exponent = sum / count;
                }
            }
            if change < 1.0 {
                break;
            }
        }
    }

    /// The values of R A C.
    pub fn apply(&self, pattern: &Pattern, values: &[f64], scaled: &mut [f64]) {
        for (col, &scale) in self.cols.iter().enumerate() {
            for entry in pattern.column(col) {
                scaled[entry] = values[entry] * (self.rows[pattern.row_idx()[entry]] * scale);
            }
        }
    }
}

/// ⌊log₂ |value|⌋ of a normal number, read from its bits; −1023 for subnormal ones.
fn binary_exponent(value: f64) -> f64 {
    exponent(value) as f64
}

fn exponent(value: f64) -> i64 {
    ((value.to_bits() >> 52) & 0x7ff) as i64 - 1023
}

/// Beyond this exponent products of a row and a column scale could leave the range of normal numbers.
const LIMIT: i64 = 500;

/// The power of two nearest to 1/size on a logarithmic scale; 1 for size 0.
pub(super) fn inverse_power_of_two(size: f64) -> f64 {
    const MANTISSA: u64 = (1 << 52) - 1;
    if size == 0.0 {
        return 1.0;
    }
    // Above √2 times a power of two the next one is nearer.
    let nearest = exponent(size) + i64::from(size.to_bits() & MANTISSA > std::f64::consts::SQRT_2.to_bits() & MANTISSA);
    power_of_two(-nearest)
}

/// 2^exponent, the exponent being kept within the limit.
fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(((exponent.clamp(-LIMIT, LIMIT) + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nlp::PatternBuilder;

    #[test]
    fn entries_near_one_by_powers_of_two() {
        let mut builder = PatternBuilder::new(3, 3);
        builder.add(&[0, 1, 2], &[0, 1, 2]).unwrap();
        let (pattern, map) = builder.build();
        let mut values = vec![0.0; 9];
        map.scatter(0, &[3e12, 2e3, 0.0, 1.0, -5e-9, 0.0, 7e-30, 1e-40, 0.0], &mut values);
        let mut scales = Scales::default();
        scales.update(&pattern, &values);
        let mut scaled = vec![0.0; 9];
        scales.apply(&pattern, &values, &mut scaled);
        for col in 0..2 {
            let largest = scaled[3 * col..3 * col + 3].iter().fold(0.0f64, |m, v| m.max(v.abs()));
            assert!((0.5..=2.0).contains(&largest), "column {col}: {largest}");
        }
        assert_eq!(scales.cols[2], 1.0);
        for scale in scales.rows.iter().chain(&scales.cols) {
            assert_eq!(scale.log2().fract(), 0.0);
        }
    }

    /// A well-scaled matrix whose zeros are rounding errors, most of the entries in its rows, keeps its scale.
    #[test]
    fn rounding_errors_have_no_say_in_the_largest() {
        let mut builder = PatternBuilder::new(12, 12);
        let all: Vec<usize> = (0..12).collect();
        builder.add(&all, &all).unwrap();
        let pattern = builder.build().0;
        let mut values = vec![0.0; pattern.nnz()];
        for col in 0..12 {
            for entry in pattern.column(col) {
                let row = pattern.row_idx()[entry];
                values[entry] = if row / 2 == col / 2 { 1.0 } else { 1e-16 * (1.0 + ((row * 7 + col * 3) % 5) as f64) };
                // Some rows have no such zeros.
                if row < 2 && row / 2 != col / 2 {
                    values[entry] = 0.0;
                }
            }
        }
        let mut scales = Scales::default();
        scales.update_by_largest(&pattern, &values);
        assert!(scales.rows.iter().chain(&scales.cols).all(|scale| *scale == 1.0), "{scales:?}");
    }

    #[test]
    fn a_change_of_units_is_undone() {
        // All entries 1 in suitable units; rows in units of 10^±12, columns too.
        let mut builder = PatternBuilder::new(5, 5);
        for row in 0..5 {
            builder.add(&[row], &[row, (row + 1) % 5, (row + 3) % 5]).unwrap();
        }
        let pattern = builder.build().0;
        let unit = |k: usize| 10f64.powi([12, -7, 3, -12, 9][k]);
        let mut values = vec![0.0; pattern.nnz()];
        for col in 0..5 {
            for entry in pattern.column(col) {
                values[entry] = unit(pattern.row_idx()[entry]) * unit(4 - col);
            }
        }
        let mut scales = Scales::default();
        scales.update(&pattern, &values);
        let mut scaled = vec![0.0; pattern.nnz()];
        scales.apply(&pattern, &values, &mut scaled);
        assert!(scaled.iter().all(|value| (0.1..=2.0).contains(value)), "{scaled:?}");
    }
}
