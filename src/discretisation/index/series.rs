//! Taylor coefficients of the unknowns at an instant.

/// Coefficients of all unknowns: y(t₀ + τ) = Σ yₖ τᵏ.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    stride: usize,
    values: Vec<f64>,
}

impl Series {
    /// All zero, with coefficients up to `degree`.
    pub fn zero(unknowns: usize, degree: usize) -> Self {
        Self { stride: degree + 1, values: vec![0.0; unknowns * (degree + 1)] }
    }

    /// The largest degree.
    pub fn degree(&self) -> usize {
        self.stride - 1
    }

    /// Coefficients of an unknown.
    pub fn of(&self, unknown: usize) -> &[f64] {
        &self.values[unknown * self.stride..(unknown + 1) * self.stride]
    }

    /// Coefficients of an unknown, to be written.
    pub fn of_mut(&mut self, unknown: usize) -> &mut [f64] {
        &mut self.values[unknown * self.stride..(unknown + 1) * self.stride]
    }

    /// Forgets the coefficients of an unknown from `first` on.
    pub fn truncate(&mut self, unknown: usize, first: usize) {
        self.of_mut(unknown).iter_mut().skip(first).for_each(|x| *x = 0.0);
    }

    /// The series about an instant later by h.
    pub fn shifted(&self, h: f64) -> Self {
        let mut other = self.clone();
        for own in other.values.chunks_exact_mut(self.stride) {
            // Horner's scheme, once for each coefficient.
            for first in 0..own.len() {
                for k in (first..own.len() - 1).rev() {
                    own[k] += h * own[k + 1];
                }
            }
        }
        other
    }

    /// The value of an unknown later by h.
    pub fn value(&self, unknown: usize, h: f64) -> f64 {
        self.of(unknown).iter().rev().fold(0.0, |sum, x| sum * h + x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (1 + τ)³ about τ = 2 is 27 + 27 τ + 9 τ² + τ³.
    #[test]
    fn polynomials_shift_exactly() {
        let mut series = Series::zero(2, 3);
        series.of_mut(1).copy_from_slice(&[1.0, 3.0, 3.0, 1.0]);
        let shifted = series.shifted(2.0);
        assert_eq!(shifted.of(0), [0.0; 4]);
        assert_eq!(shifted.of(1), [27.0, 27.0, 9.0, 1.0]);
        assert_eq!(series.value(1, 2.0), 27.0);
    }
}
