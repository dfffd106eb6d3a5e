//! Linear systems: sparse LU for general patterns, band LU where they are narrow, sparse LDLᵀ and a recursion along stages
//! for symmetric ones, block-tridiagonal LU for chains of nodes.
//!
//! A solver is used in three steps: [`LinearSolver::analyse`] once per pattern, [`LinearSolver::factor`] once per
//! matrix, [`LinearSolver::solve`] once per right-hand side. No step may return a wrong answer in silence: singular
//! matrices are errors that name the unknown, and every solve measures its own backward error.

use thiserror::Error;

use crate::nlp::Pattern;

#[cfg(test)]
mod assembled_samples;
mod backward_error;
mod band_lu;
mod band_plan;
mod banded;
mod block_lu;
mod block_tridiagonal;
mod bordered;
mod bunch_kaufman;
mod choice;
mod cuthill_mckee;
pub mod dense;
pub mod dissection;
mod equilibrate;
mod factors;
mod krylov;
mod lanes;
mod matching;
mod probe;
mod refined;
#[cfg(test)]
mod saddle_samples;
mod sparse_ldl;
mod sparse_lu;
mod stage_detection;
mod stage_recursion;
mod stages;
mod symmetric;
mod symmetric_scaling;

pub use banded::Banded;
pub use block_tridiagonal::BlockTridiagonal;
pub use bordered::best_bordered_solver;
pub use choice::{best_general_solver, best_symmetric_solver};
pub use factors::FillEstimate;
pub use matching::{Overdetermined, overdetermined};
pub use sparse_ldl::SparseLdl;
pub use sparse_lu::SparseLu;
pub use stage_recursion::StageRecursion;
pub use stages::Stages;

/// A direct solver of sparse square linear systems A x = b.
pub trait LinearSolver {
    /// Prepares for matrices with this pattern; nothing is done when the pattern is the one already analysed.
    fn analyse(&mut self, pattern: &Pattern) -> Result<(), LinearError>;

    /// Factorises the matrix with these values, in the order of the analysed pattern.
    fn factor(&mut self, values: &[f64]) -> Result<FactorQuality, LinearError>;

    /// Replaces `rhs` by the solution of A x = `rhs`.
    fn solve(&mut self, rhs: &mut [f64]) -> Result<SolveQuality, LinearError>;

    /// As [`LinearSolver::solve`], but rounding errors may be left as they come: for callers that correct or refine the
    /// solution anyway, as steps with factors of another matrix are by the next step.
    fn solve_roughly(&mut self, rhs: &mut [f64]) -> Result<(), LinearError> {
        self.solve(rhs).map(|_| ())
    }
}

/// A solver of symmetric systems that also tells the inertia of the matrix.
///
/// Patterns and values are those of the lower triangle (row ≥ column), every diagonal entry included.
pub trait SymmetricSolver: LinearSolver {
    /// Factorises A + S and counts the signs of its eigenvalues.
    ///
    /// S is diagonal, `shift` times the largest entry of each row, or nearly so: the matrix is equilibrated first, and the
    /// shift is that of the equilibrated one.
    ///
    /// A breakdown, which is a pivot that vanishes or overflows, is told by counting every eigenvalue as zero; the matrix
    /// cannot be solved with then.
    ///
    /// The shift makes factorisation without pivoting across blocks safe (typically +1e-8 on primal, −1e-8 on dual
    /// unknowns); [`LinearSolver::solve`] then refines towards the solution of A x = b itself, and fails with
    /// [`LinearError::Inaccurate`] where A is too close to singular for that.
    fn factor_shifted(&mut self, values: &[f64], shift: &[f64]) -> Result<Inertia, LinearError>;

    /// Lets refinement stop at this backward error per row; without a word it goes on to the last digit.
    fn refine_to(&mut self, backward_error: f64);
}

/// Numbers of positive, negative and zero eigenvalues of a symmetric matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inertia {
    /// Number of positive eigenvalues.
    pub positive: usize,
    /// Number of negative eigenvalues.
    pub negative: usize,
    /// Number of eigenvalues that are zero to working precision.
    pub zero: usize,
}

/// How well conditioned a factorised matrix is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FactorQuality {
    /// Estimate of 1 / (‖A‖ ‖A⁻¹‖) of the equilibrated matrix; 1 is ideal, 1e-16 is singular to double precision.
    pub reciprocal_condition: f64,
}

/// How well a linear system was solved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolveQuality {
    /// Largest relative change of the entries of A and b for which the answer is exact.
    pub backward_error: f64,
    /// Number of refinement steps taken.
    pub refinements: usize,
}

/// Why a linear system could not be solved.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum LinearError {
    /// No choice of values makes the matrix regular: some set of columns shares too few rows.
    #[error(
        "the matrix is structurally singular: {deficiency} unknown(s) have no equation to determine them \
         (first: unknown {column}), and as many equations are superfluous (first: equation {row})"
    )]
    StructurallySingular {
        /// A row left without a column.
        row: usize,
        /// A column left without a row.
        column: usize,
        /// Size minus structural rank.
        deficiency: usize,
    },
    /// The matrix is singular to working precision.
    #[error(
        "the matrix is singular (reciprocal condition {reciprocal_condition:.1e}): unknown {column} is not determined, \
         equation {row} contradicts or repeats others"
    )]
    Singular {
        /// The row that weighs most in the dependency of the rows.
        row: usize,
        /// The column that weighs most in the direction the matrix does not see.
        column: usize,
        /// Estimated reciprocal condition, 0 when a pivot vanished exactly.
        reciprocal_condition: f64,
    },
    /// A symmetric matrix is given by its lower triangle only.
    #[error("entry ({row}, {column}) of a symmetric matrix lies above the diagonal; give the lower triangle only")]
    AboveDiagonal {
        /// Row of the entry.
        row: usize,
        /// Its column.
        column: usize,
    },
    /// The pattern of a symmetric matrix lacks a diagonal entry.
    #[error(
        "diagonal entry {column} of a symmetric matrix is missing from its pattern; it may be zero, but not absent"
    )]
    NoDiagonal {
        /// The column.
        column: usize,
    },
    /// An entry couples stages that are not neighbours.
    #[error(
        "unknown {row} of stage {row_stage} is coupled with unknown {column} of stage {column_stage}: only neighbouring \
         stages may be coupled"
    )]
    DistantStages {
        /// An unknown.
        row: usize,
        /// Its stage.
        row_stage: usize,
        /// The other unknown.
        column: usize,
        /// The stage of the other unknown.
        column_stage: usize,
    },
    /// A diagonal block of a block-tridiagonal matrix became singular during elimination.
    #[error("pivot block {block} is singular in its column {column}")]
    SingularBlock {
        /// The block row.
        block: usize,
        /// The column inside the block.
        column: usize,
    },
    /// The matrix or the right-hand side holds an infinity or a NaN.
    #[error("the {operand} holds a value that is not finite (entry {index})")]
    NotFinite {
        /// `"matrix"`, `"right-hand side"` or `"solution"`.
        operand: &'static str,
        /// Index of the first such value.
        index: usize,
    },
    /// The answer does not satisfy the equations, even after iterative refinement.
    #[error("the linear system was solved inaccurately: backward error {backward_error:.1e}")]
    Inaccurate {
        /// The best backward error reached.
        backward_error: f64,
    },
    /// An array does not have the size of the matrix.
    #[error("the {operand} has size {found}, expected {expected}")]
    WrongSize {
        /// What has the wrong size.
        operand: &'static str,
        /// Its size.
        found: usize,
        /// The size it should have.
        expected: usize,
    },
    /// The elimination order given by the caller is not a permutation of the columns.
    #[error("the elimination order is not a permutation: column {column} occurs {occurrences} times")]
    BadOrder {
        /// A column that does not occur exactly once.
        column: usize,
        /// How often it occurs.
        occurrences: usize,
    },
    /// A step was called before the step it builds on.
    #[error("the matrix must be {missing} first")]
    OutOfTurn {
        /// `"analysed"` or `"factorised"`.
        missing: &'static str,
    },
    /// The factors do not fit into memory.
    #[error("out of memory while {doing} a matrix of size {size}")]
    OutOfMemory {
        /// What was being done.
        doing: &'static str,
        /// Number of unknowns.
        size: usize,
    },
}

impl LinearError {
    /// What was found, without numbers of rows and columns: for messages that name equations and unknowns themselves.
    pub fn finding(&self) -> String {
        match self {
            LinearError::StructurallySingular { deficiency: 1, .. } => {
                "one unknown has no equation of its own, and one equation is superfluous".to_owned()
            }
            LinearError::StructurallySingular { deficiency, .. } => {
                format!("{deficiency} unknowns have no equations of their own, and as many equations are superfluous")
            }
            LinearError::Singular { reciprocal_condition, .. } => {
                format!(
                    "the equations contradict or repeat each other (reciprocal condition {reciprocal_condition:.1e})"
                )
            }
            other => other.to_string(),
        }
    }
}

/// Index of the first value that is not finite.
fn first_not_finite(values: &[f64]) -> Option<usize> {
    // Summing first is several times faster than testing each value, and almost always enough; four sums do not wait for
    // each other.
    let (fours, rest) = values.as_chunks::<4>();
    let sums = fours.iter().fold([0.0; 4], |sums, four| std::array::from_fn(|k| sums[k] + four[k] * 0.0));
    let sum: f64 = sums.iter().sum::<f64>() + rest.iter().map(|value| value * 0.0).sum::<f64>();
    if sum == 0.0 { None } else { values.iter().position(|value| !value.is_finite()) }
}

/// Checks the size of an array.
pub(super) fn expect_size(operand: &'static str, found: usize, expected: usize) -> Result<(), LinearError> {
    if found == expected { Ok(()) } else { Err(LinearError::WrongSize { operand, found, expected }) }
}
