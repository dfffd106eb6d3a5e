//! The search for singular points of matrix functions whose roots are known.

use lariat::nlp::{Pattern, PatternBuilder};
use lariat::solver::eigen::{EigenError, MatrixFunction, Roots, Search};

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// Two equal chains of masses and springs that are not connected, D = K − λ, and one entry 1 − λ − λ²/10.
struct Chains {
    length: usize,
    pattern: Pattern,
    matrix: Vec<f64>,
    slope: Vec<f64>,
}

impl Chains {
    fn new(length: usize) -> Self {
        let size = 2 * length + 1;
        let mut builder = PatternBuilder::new(size, size);
        for column in 0..size {
            let linked = (column + 1) % length != 0 && column + 1 < 2 * length;
            let rows: Vec<usize> = if linked { vec![column, column + 1] } else { vec![column] };
            builder.add(&rows, &[column]).unwrap();
        }
        Self { length, pattern: builder.build().0, matrix: Vec::new(), slope: Vec::new() }
    }

    /// 2 − 2 cos(kπ/(n + 1)), each twice, and (√1.4 − 1)/0.2.
    fn roots(&self) -> Vec<f64> {
        let n = self.length;
        let of = |k: usize| 2.0 - 2.0 * (k as f64 * std::f64::consts::PI / (n + 1) as f64).cos();
        let mut roots: Vec<f64> = (1..=n).flat_map(|k| [of(k); 2]).chain([(1.4_f64.sqrt() - 1.0) / 0.2]).collect();
        roots.sort_by(f64::total_cmp);
        roots
    }
}

impl MatrixFunction for Chains {
    fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    fn evaluate(&mut self, lambda: f64, matrix: &mut [f64], slope: &mut [f64]) {
        for column in 0..self.pattern.ncols() {
            for entry in self.pattern.column(column) {
                let diagonal = self.pattern.row_idx()[entry] == column;
                let own = column == 2 * self.length;
                (matrix[entry], slope[entry]) = match (diagonal, own) {
                    (_, true) => (1.0 - lambda - 0.1 * lambda * lambda, 1.0 + 0.2 * lambda),
                    (true, false) => (2.0 - lambda, 1.0),
                    (false, false) => (-1.0, 0.0),
                };
            }
        }
        (self.matrix, self.slope) = (matrix.to_vec(), slope.to_vec());
    }

    fn forms(&self, x: &[f64], y: &[f64]) -> [f64; 2] {
        [&self.matrix, &self.slope].map(|values| {
            let mut image = vec![0.0; y.len()];
            self.pattern.multiply_symmetric(values, y, &mut image);
            dot(x, &image)
        })
    }
}

/// All roots with their multiplicities, counts between them, independent shapes.
#[test]
fn double_and_nonlinear_roots_are_found() {
    for length in [1, 4, 30] {
        let mut chains = Chains::new(length);
        let wanted = chains.roots();
        let mut search = Search::new(&mut chains, 0).unwrap();
        for lambda in [0.05, 0.9, 1.3, 3.7] {
            let below = wanted.iter().filter(|root| **root < lambda).count();
            assert_eq!(search.count(lambda).unwrap(), below, "{length}: {lambda}");
        }
        assert_eq!(search.count(5.0).unwrap(), wanted.len());
        let Roots { values, shapes, residuals } = search.roots(wanted.len(), &mut || false).unwrap();
        assert_eq!(values.len(), wanted.len());
        for (found, wanted) in values.iter().zip(&wanted) {
            assert!((found / wanted - 1.0).abs() < 2e-14, "{length}: {found} instead of {wanted}");
        }
        assert!(residuals.iter().all(|residual| *residual < 1e-12));
        for i in 1..shapes.len() {
            let between = dot(&shapes[i - 1], &shapes[i]).abs();
            let norms = (dot(&shapes[i], &shapes[i]) * dot(&shapes[i - 1], &shapes[i - 1])).sqrt();
            // Those of coincident roots are independent, not always orthogonal.
            assert!(between < 0.99 * norms, "{length}: shapes {i} and the one before are alike");
        }
    }
}

/// More roots than counted below the bound are not invented.
#[test]
fn roots_beyond_the_bound_are_an_error() {
    let mut chains = Chains::new(3);
    let mut search = Search::new(&mut chains, 0).unwrap();
    let below = search.count(1.0).unwrap();
    assert!(search.roots(below, &mut || false).is_ok());
    assert!(matches!(search.roots(below + 1, &mut || false), Err(EigenError::NotConverged { .. })));
    assert!(matches!(search.roots(1, &mut || true), Err(EigenError::Interrupted)));
}
