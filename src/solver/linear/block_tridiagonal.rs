//! Block-tridiagonal LU with small dense blocks, for chains of nodes coupled to their neighbours.
//!
//! Row i reads Lᵢ xᵢ₋₁ + Dᵢ xᵢ + Uᵢ xᵢ₊₁ = bᵢ. Elimination from i = 0 on (block Thomas algorithm):
//! Pᵢ = Dᵢ − Lᵢ Wᵢ₋₁ and Wᵢ = Pᵢ⁻¹ Uᵢ; then yᵢ = Pᵢ⁻¹ (bᵢ − Lᵢ yᵢ₋₁) forwards and xᵢ = yᵢ − Wᵢ xᵢ₊₁ backwards.
//! Rows are exchanged inside a block only, so a pivot block can be singular although the matrix is not; refinement
//! repairs the digits lost when one is nearly so.

use nalgebra::{SMatrix, SVector};

use super::backward_error::BackwardError;
use super::block_lu::{BlockLu, subtract_product};
use super::{LinearError, SolveQuality, expect_size};

/// A block-tridiagonal matrix with its factors; all memory is allocated by [`BlockTridiagonal::new`].
///
/// ```
/// use lariat::solver::linear::BlockTridiagonal;
/// use nalgebra::{SMatrix, SVector};
/// let mut matrix = BlockTridiagonal::<2>::new(3);
/// for block in 0..3 {
///     *matrix.diagonal(block) = SMatrix::identity() * 2.0;
/// }
/// matrix.upper(0).fill_with_identity();
/// matrix.factor()?;
/// let mut x = vec![SVector::from([4.0, 6.0]); 3];
/// matrix.solve(&mut x)?;
/// assert_eq!(x[0], SVector::from([1.0, 1.5]));
/// # Ok::<(), lariat::solver::linear::LinearError>(())
/// ```
#[derive(Debug, Clone)]
pub struct BlockTridiagonal<const B: usize> {
    rows: Vec<Row<B>>,
    pivots: Vec<Pivot<B>>,
    refinement: Option<Refinement<B>>,
    factorised: bool,
}

#[derive(Debug, Clone, Copy)]
struct Row<const B: usize> {
    lower: SMatrix<f64, B, B>,
    diagonal: SMatrix<f64, B, B>,
    upper: SMatrix<f64, B, B>,
}

#[derive(Debug, Clone, Copy)]
struct Pivot<const B: usize> {
    /// Factors of Pᵢ.
    block: BlockLu<B>,
    /// Wᵢ.
    coupling: SMatrix<f64, B, B>,
}

#[derive(Debug, Clone)]
struct Refinement<const B: usize> {
    steps: usize,
    rhs: Vec<SVector<f64, B>>,
    residual: Vec<SVector<f64, B>>,
}

/// A backward error above this makes the answer unusable.
const ACCEPTABLE: f64 = 1e-9;
/// Refinement stops at this backward error.
const GOAL: f64 = 1e-15;

impl<const B: usize> BlockTridiagonal<B> {
    /// A zero matrix of `n` block rows, solved without refinement.
    pub fn new(n: usize) -> Self {
        let zero = SMatrix::zeros();
        let row = Row { lower: zero, diagonal: zero, upper: zero };
        let pivot = Pivot { block: BlockLu::zero(), coupling: zero };
        Self { rows: vec![row; n], pivots: vec![pivot; n], refinement: None, factorised: false }
    }

    /// Measures the backward error of every solve and refines the solution at most `steps` times.
    pub fn with_refinement(mut self, steps: usize) -> Self {
        let zeros = vec![SVector::zeros(); self.rows.len()];
        self.refinement = Some(Refinement { steps, rhs: zeros.clone(), residual: zeros });
        self
    }

    /// Number of block rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether the matrix has no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The block Lᵢ coupling row `i` to unknown `i − 1`; that of row 0 is ignored.
    pub fn lower(&mut self, i: usize) -> &mut SMatrix<f64, B, B> {
        &mut self.rows[i].lower
    }

    /// The block Dᵢ.
    pub fn diagonal(&mut self, i: usize) -> &mut SMatrix<f64, B, B> {
        &mut self.rows[i].diagonal
    }

    /// The block Uᵢ coupling row `i` to unknown `i + 1`; that of the last row is ignored.
    pub fn upper(&mut self, i: usize) -> &mut SMatrix<f64, B, B> {
        &mut self.rows[i].upper
    }

    /// Sets all blocks to zero.
    pub fn clear(&mut self) {
        let zero = SMatrix::zeros();
        self.rows.fill(Row { lower: zero, diagonal: zero, upper: zero });
    }

    /// Factorises the matrix; the blocks stay as they are.
    pub fn factor(&mut self) -> Result<(), LinearError> {
        self.factorised = false;
        let mut coupling = SMatrix::<f64, B, B>::zeros();
        for (block, (row, pivot)) in self.rows.iter().zip(&mut self.pivots).enumerate() {
            let mut reduced = row.diagonal;
            if block > 0 {
                subtract_product(&mut reduced, &row.lower, &coupling);
            }
            let factored = pivot.block.factor(reduced, &row.diagonal);
            factored.map_err(|column| LinearError::SingularBlock { block, column })?;
            coupling = row.upper;
            pivot.block.solve(&mut coupling);
            pivot.coupling = coupling;
        }
        self.factorised = true;
        Ok(())
    }

    /// Replaces `rhs` by the solution.
    ///
    /// Without refinement only finiteness is tested, and the backward error is reported as NaN.
    pub fn solve(&mut self, rhs: &mut [SVector<f64, B>]) -> Result<SolveQuality, LinearError> {
        if !self.factorised {
            return Err(LinearError::OutOfTurn { missing: "factorised" });
        }
        expect_size("right-hand side", rhs.len(), self.rows.len())?;
        require_finite("right-hand side", rhs)?;
        let Some(mut refinement) = self.refinement.take() else {
            self.substitute(rhs);
            require_finite("solution", rhs)?;
            return Ok(SolveQuality { backward_error: f64::NAN, refinements: 0 });
        };
        let quality = self.solve_refined(rhs, &mut refinement);
        self.refinement = Some(refinement);
        quality
    }

    fn solve_refined(
        &self,
        x: &mut [SVector<f64, B>],
        refinement: &mut Refinement<B>,
    ) -> Result<SolveQuality, LinearError> {
        let Refinement { steps, rhs, residual } = refinement;
        rhs.copy_from_slice(x);
        self.substitute(x);
        let mut error = self.measure(x, rhs, |i, rest| residual[i] = rest);
        let mut refinements = 0;
        while error.strict > GOAL && refinements < *steps {
            self.substitute(residual);
            x.iter_mut().zip(residual.iter()).for_each(|(x, correction)| *x += correction);
            // The residual array still holds the correction: it is needed to take the step back.
            let refined = self.measure(x, rhs, |_, _| ());
            if refined.strict.is_nan() || refined.strict >= error.strict {
                x.iter_mut().zip(residual.iter()).for_each(|(x, correction)| *x -= correction);
                break;
            }
            refinements += 1;
            error = refined;
            if error.strict > GOAL && refinements < *steps {
                self.measure(x, rhs, |i, rest| residual[i] = rest);
            }
        }
        require_finite("solution", x)?;
        let backward_error = error.lenient;
        if backward_error.is_nan() || backward_error > ACCEPTABLE {
            return Err(LinearError::Inaccurate { backward_error });
        }
        Ok(SolveQuality { backward_error, refinements })
    }

    fn substitute(&self, x: &mut [SVector<f64, B>]) {
        let mut before = SVector::<f64, B>::zeros();
        for (block, ((row, pivot), x)) in self.rows.iter().zip(&self.pivots).zip(x.iter_mut()).enumerate() {
            if block > 0 {
                subtract_product(x, &row.lower, &before);
            }
            pivot.block.solve(x);
            before = *x;
        }
        for (pivot, pair) in self.pivots.iter().rev().skip(1).zip((1..x.len()).rev()) {
            let after = x[pair];
            subtract_product(&mut x[pair - 1], &pivot.coupling, &after);
        }
    }

    /// Measures the backward error and hands each block row of b − A x to `keep`.
    fn measure(
        &self,
        x: &[SVector<f64, B>],
        b: &[SVector<f64, B>],
        mut keep: impl FnMut(usize, SVector<f64, B>),
    ) -> BackwardError {
        let x_norm = x.iter().fold(0.0f64, |largest, x| largest.max(x.amax()));
        let mut error = BackwardError::ZERO;
        for (i, (row, b)) in self.rows.iter().zip(b).enumerate() {
            let (mut rest, mut size, mut norm) = (*b, b.abs(), SVector::<f64, B>::zeros());
            let mut take = |matrix: &SMatrix<f64, B, B>, x: &SVector<f64, B>| {
                for col in 0..B {
                    for line in 0..B {
                        let product = matrix[(line, col)] * x[col];
                        rest[line] -= product;
                        size[line] += product.abs();
                        norm[line] += matrix[(line, col)].abs();
                    }
                }
            };
            if i > 0 {
                take(&row.lower, &x[i - 1]);
            }
            take(&row.diagonal, &x[i]);
            if i + 1 < x.len() {
                take(&row.upper, &x[i + 1]);
            }
            for line in 0..B {
                error.include(rest[line], size[line], norm[line] * x_norm + b[line].abs());
            }
            keep(i, rest);
        }
        error
    }
}

fn require_finite<const B: usize>(operand: &'static str, x: &[SVector<f64, B>]) -> Result<(), LinearError> {
    let sum: f64 = x.iter().map(|x| x.sum() * 0.0).sum();
    if sum == 0.0 {
        return Ok(());
    }
    match x.iter().flat_map(|x| x.iter()).position(|x| !x.is_finite()) {
        Some(index) => Err(LinearError::NotFinite { operand, index }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
