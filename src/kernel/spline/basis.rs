//! B-splines (de Boor 2001, chapters IX and X).

use super::triangle::WIDTH;

/// The B-splines of a degree on knots, the first and the last of them repeated.
pub struct Basis {
    pub degree: usize,
    /// With the repetitions.
    knots: Vec<f64>,
}

impl Basis {
    pub fn new(degree: usize, knots: &[f64]) -> Self {
        let ends = |knot: f64| std::iter::repeat_n(knot, degree);
        let (first, last) = (knots[0], knots[knots.len() - 1]);
        Self { degree, knots: ends(first).chain(knots.iter().copied()).chain(ends(last)).collect() }
    }

    /// How many B-splines there are.
    pub fn len(&self) -> usize {
        self.knots.len() - self.degree - 1
    }

    /// The derivatives of an order of the B-splines that do not vanish in a piece: of the number `piece` and the `degree`
    /// following ones.
    pub fn row(&self, piece: usize, x: f64, order: usize) -> [f64; WIDTH] {
        let (d, span) = (self.degree, piece + self.degree);
        let mut row = [0.0; WIDTH];
        if order > d {
            return row;
        }
        // The B-splines of degree p = d − order, by the recursion of Cox and de Boor.
        let p = d - order;
        row[0] = 1.0;
        for q in 1..=p {
            let mut saved = 0.0;
            for r in 0..q {
                let (right, left) = (self.knots[span + r + 1] - x, x - self.knots[span + 1 + r - q]);
                let part = row[r] / (right + left);
                row[r] = saved + right * part;
                saved = left * part;
            }
            row[q] = saved;
        }
        // A derivative has the coefficients p (cᵢ − cᵢ₋₁)/(τᵢ₊ₚ − τᵢ), p the degree above it.
        for p in p + 1..=d {
            let mut higher = [0.0; WIDTH];
            for (r, weight) in row.iter().take(p).enumerate() {
                let i = span + 1 + r - p;
                let factor = weight * p as f64 / (self.knots[i + p] - self.knots[i]);
                higher[r + 1] += factor;
                higher[r] -= factor;
            }
            row = higher;
        }
        row
    }
}
