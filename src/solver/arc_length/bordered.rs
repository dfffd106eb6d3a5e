//! Linear systems with one more row and column than the Jacobian, solved with factors of the Jacobian.
//!
//! ```text
//! ⎡ J  b ⎤ ⎡x⎤   ⎡f⎤        w = J⁻¹ f,  v = J⁻¹ b,
//! ⎣ cᵀ d ⎦ ⎣y⎦ = ⎣g⎦        y = (g − c·w) / (d − c·v),  x = w − y v
//! ```
//!
//! At a limit point J is singular although the whole matrix is not. There the elimination is carried out with a matrix
//! changed at random by a tiny relative amount, and refined against the true one: the change and the rounding errors
//! that a nearly singular J magnifies are both small for the whole matrix, so refinement removes them.

use crate::nlp::Pattern;
use crate::solver::linear::{LinearError, LinearSolver};

/// Relative changes of J to be tried in turn. The second leaves a condition of about 1e10 to a singular J: errors of the
/// elimination are then about 1e-6, the change itself is smaller still.
const CHANGES: [f64; 4] = [0.0, 1e-10, 1e-8, 1e-12];
/// Refinement stops at this backward error.
const GOAL: f64 = 1e-14;
/// A backward error above this makes the answer unusable.
const ACCEPTABLE: f64 = 1e-11;
const MAX_REFINEMENTS: usize = 12;

/// The bordered matrix and what is needed to solve with it.
pub(super) struct Bordered<'a> {
    linear: &'a mut dyn LinearSolver,
    /// J.
    pub jacobian: Vec<f64>,
    /// b.
    pub column: Vec<f64>,
    /// c.
    pub row: Vec<f64>,
    /// d.
    pub corner: f64,
    /// Sizes of the unknowns x and y, which make rows comparable.
    pub sizes: Vec<f64>,
    /// Size of y.
    pub last_size: f64,
    /// One over the size of each row of (J b).
    pub weights: Vec<f64>,
    factorised: bool,
    /// Relative change of the matrix that was factorised.
    change: f64,
    changed: Vec<f64>,
    /// J⁻¹ b.
    image: Vec<f64>,
    rhs: Vec<f64>,
    rest: Vec<f64>,
    best: Vec<f64>,
}

/// Which factors a solve begins with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Factors {
    /// Those at hand, of a Jacobian nearby.
    AtHand,
    /// New ones.
    New,
}

impl<'a> Bordered<'a> {
    /// A bordered matrix around Jacobians with `nnz` entries; `linear` must have analysed their pattern.
    pub fn new(linear: &'a mut dyn LinearSolver, size: usize, nnz: usize) -> Self {
        let zeros = || vec![0.0; size];
        Self {
            linear,
            jacobian: vec![0.0; nnz],
            column: zeros(),
            row: zeros(),
            corner: 0.0,
            sizes: vec![1.0; size],
            last_size: 1.0,
            weights: zeros(),
            factorised: false,
            change: 0.0,
            changed: vec![0.0; nnz],
            image: zeros(),
            rhs: zeros(),
            rest: zeros(),
            best: zeros(),
        }
    }

    /// Computes the weights of the rows; to be called when the matrix or the sizes have changed.
    pub fn weigh(&mut self, pattern: &Pattern) {
        for (weight, b) in self.weights.iter_mut().zip(&self.column) {
            *weight = b.abs() * self.last_size;
        }
        for (col, size) in self.sizes.iter().enumerate() {
            for entry in pattern.column(col) {
                let weight = &mut self.weights[pattern.row_idx()[entry]];
                *weight = weight.max(self.jacobian[entry].abs() * size);
            }
        }
        self.weights.iter_mut().for_each(|weight| *weight = if *weight > 0.0 { 1.0 / *weight } else { 1.0 });
    }

    /// Replaces `x` = f by the solution x and returns y.
    pub fn solve(&mut self, pattern: &Pattern, factors: Factors, x: &mut [f64], g: f64) -> Result<f64, LinearError> {
        self.rhs.copy_from_slice(x);
        if factors == Factors::AtHand
            && self.factorised
            && let Ok(y) = self.eliminate(pattern, x, g)
        {
            return Ok(y);
        }
        let mut finding = None;
        for change in CHANGES {
            match self.factor(pattern, change).and_then(|()| self.eliminate(pattern, x, g)) {
                Ok(y) => return Ok(y),
                Err(error) => {
                    finding.get_or_insert(error);
                }
            }
        }
        Err(finding.unwrap_or(LinearError::OutOfTurn { missing: "factorised" }))
    }

    fn factor(&mut self, pattern: &Pattern, change: f64) -> Result<(), LinearError> {
        self.factorised = false;
        self.changed.copy_from_slice(&self.jacobian);
        if change > 0.0 {
            // Relative to the size of the row, so that entries that vanish are changed as well.
            for (col, size) in self.sizes.iter().enumerate() {
                for entry in pattern.column(col) {
                    let natural = 1.0 / (self.weights[pattern.row_idx()[entry]] * size);
                    self.changed[entry] += change * natural * random(entry);
                }
            }
        }
        self.linear.factor(&self.changed)?;
        (self.factorised, self.change) = (true, change);
        Ok(())
    }

    /// Block elimination and refinement against the bordered matrix itself.
    fn eliminate(&mut self, pattern: &Pattern, x: &mut [f64], g: f64) -> Result<f64, LinearError> {
        self.image.copy_from_slice(&self.column);
        // Rounding errors of these solves are refined away below, with those of the elimination.
        self.linear.solve_roughly(&mut self.image)?;
        let pivot = self.corner - dot(&self.row, &self.image);
        x.fill(0.0);
        let (mut y, mut best_y, mut least) = (0.0, 0.0, f64::INFINITY);
        self.rest.copy_from_slice(&self.rhs);
        let mut last_rest = g;
        for _ in 0..=MAX_REFINEMENTS {
            self.linear.solve_roughly(&mut self.rest)?;
            let dy = (last_rest - dot(&self.row, &self.rest)) / pivot;
            for ((x, w), v) in x.iter_mut().zip(&self.rest).zip(&self.image) {
                *x += w - dy * v;
            }
            y += dy;
            last_rest = g - dot(&self.row, x) - self.corner * y;
            let error = self.residual(pattern, x, y, last_rest, g);
            if !(error < least) {
                break;
            }
            let stalls = error > 0.5 * least;
            (least, best_y) = (error, y);
            self.best.copy_from_slice(x);
            if error <= GOAL || stalls {
                break;
            }
        }
        x.copy_from_slice(&self.best);
        // A solution that owes its size to the change of the matrix belongs to a matrix that is singular as a whole.
        let scaled = self.rhs.iter().zip(&self.weights).map(|(f, weight)| f.abs() * weight);
        let asked = scaled.fold(g.abs() / self.last_row_size(), f64::max);
        let genuine = self.change * self.length(x, best_y) <= 0.01 * asked;
        if least <= ACCEPTABLE && genuine {
            Ok(best_y)
        } else {
            Err(LinearError::Inaccurate { backward_error: if genuine { least } else { 1.0 } })
        }
    }

    /// Writes f − J x − b y to `rest` and returns the backward error of (x, y).
    fn residual(&mut self, pattern: &Pattern, x: &[f64], y: f64, last_rest: f64, g: f64) -> f64 {
        let length = self.length(x, y);
        pattern.multiply(&self.jacobian, x, &mut self.rest);
        let mut worst = 0.0;
        for (((rest, f), b), weight) in self.rest.iter_mut().zip(&self.rhs).zip(&self.column).zip(&self.weights) {
            *rest = f - *rest - b * y;
            worst = larger(worst, *rest, length / weight + f.abs());
        }
        larger(worst, last_rest, self.last_row_size() * length + g.abs())
    }

    /// Largest entry of (x, y) relative to the sizes of the unknowns.
    fn length(&self, x: &[f64], y: f64) -> f64 {
        x.iter().zip(&self.sizes).fold(y.abs() / self.last_size, |longest, (x, size)| longest.max(x.abs() / size))
    }

    /// Size of the row (cᵀ d).
    fn last_row_size(&self) -> f64 {
        let row = self.row.iter().zip(&self.sizes).map(|(c, size)| c.abs() * size);
        row.fold(self.corner.abs() * self.last_size, f64::max)
    }
}

/// The larger of a backward error and that of another row, |rest| / reach; NaN wins.
fn larger(error: f64, rest: f64, reach: f64) -> f64 {
    let other = if rest == 0.0 { 0.0 } else { rest.abs() / reach };
    if error.is_nan() || other <= error { error } else { other }
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A number of magnitude 0.5 to 1 that looks random but is the same in every run (finaliser of SplitMix64).
fn random(index: usize) -> f64 {
    let mut bits = (index as u64).wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^= bits >> 31;
    let magnitude = 0.5 + 0.5 * (bits >> 11) as f64 / (1u64 << 53) as f64;
    if bits & 1 == 0 { magnitude } else { -magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nlp::PatternBuilder;
    use crate::solver::linear::SparseLu;
    use nalgebra::{DMatrix, DVector};
    use proptest::prelude::*;

    fn check(j: &DMatrix<f64>, b: &[f64], c: &[f64], d: f64, f: &[f64], g: f64, tolerance: f64) {
        let n = j.nrows();
        let mut builder = PatternBuilder::new(n, n);
        builder.add(&(0..n).collect::<Vec<_>>(), &(0..n).collect::<Vec<_>>()).unwrap();
        let pattern = builder.build().0;
        let mut lu = SparseLu::new();
        lu.analyse(&pattern).unwrap();
        let mut bordered = Bordered::new(&mut lu, n, pattern.nnz());
        bordered.jacobian.copy_from_slice(j.as_slice());
        bordered.column.copy_from_slice(b);
        bordered.row.copy_from_slice(c);
        bordered.corner = d;
        bordered.weigh(&pattern);
        let mut x = f.to_vec();
        let y = bordered.solve(&pattern, Factors::New, &mut x, g).unwrap();
        let mut whole = DMatrix::zeros(n + 1, n + 1);
        whole.view_mut((0, 0), (n, n)).copy_from(j);
        (0..n).for_each(|i| (whole[(i, n)], whole[(n, i)]) = (b[i], c[i]));
        whole[(n, n)] = d;
        let rhs = DVector::from_iterator(n + 1, f.iter().copied().chain([g]));
        let expected = whole.lu().solve(&rhs).unwrap();
        for (found, expected_entry) in x.iter().chain([&y]).zip(expected.iter()) {
            assert!((found - expected_entry).abs() <= tolerance * expected.amax(), "{x:?}, {y}: {expected}");
        }
    }

    proptest! {
        /// J of rank n − 1 bordered by its own null vectors plus noise: well conditioned, J exactly or nearly singular.
        #[test]
        fn singular_blocks_are_no_obstacle(
            entries in prop::collection::vec(-1.0..1.0f64, 25),
            f in prop::collection::vec(-1.0..1.0f64, 5),
            noise in prop::collection::vec(-0.2..0.2f64, 10),
            smallest in prop::sample::select(vec![0.0, 1e-17, 1e-15, 1e-13, 1e-10, 1e-5, 1.0]),
        ) {
            let svd = DMatrix::from_vec(5, 5, entries).svd(true, true);
            let (u, vt) = (svd.u.unwrap(), svd.v_t.unwrap());
            let values = DVector::from_vec(vec![2.0, 1.5, 1.0, 0.7, smallest]);
            let j = &u * DMatrix::from_diagonal(&values) * &vt;
            let b: Vec<f64> = (0..5).map(|i| u[(i, 4)] + noise[i]).collect();
            let c: Vec<f64> = (0..5).map(|i| vt[(4, i)] + noise[5 + i]).collect();
            check(&j, &b, &c, 0.1, &f, 0.3, 1e-10);
        }
    }

    #[test]
    fn a_block_of_zeros_is_bordered_too() {
        // The circle at its limit point: x² + p² = 1 at (0, 1).
        check(&DMatrix::zeros(1, 1), &[2.0], &[1.0], 0.0, &[0.5], 0.25, 1e-15);
    }

    #[test]
    fn a_singular_whole_is_an_error() {
        let mut builder = PatternBuilder::new(2, 2);
        builder.add(&[0, 1], &[0, 1]).unwrap();
        let pattern = builder.build().0;
        let mut lu = SparseLu::new();
        lu.analyse(&pattern).unwrap();
        let mut bordered = Bordered::new(&mut lu, 2, 4);
        bordered.jacobian.copy_from_slice(&[1.0, 1.0, 1.0, 1.0]);
        bordered.column.copy_from_slice(&[1.0, 1.0]);
        bordered.row.copy_from_slice(&[1.0, 0.0]);
        bordered.weigh(&pattern);
        assert!(bordered.solve(&pattern, Factors::New, &mut [1.0, 2.0], 0.0).is_err());
    }
}
