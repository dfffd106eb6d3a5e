//! Rank of the conditions in a configuration: which motions they allow, and which conditions follow from others.

use nalgebra::DMatrix;

use crate::discretisation::linkage::{Closure, Posture};
use crate::solver::linear::dense::singular_values;

/// Singular values below this fraction of the largest count as zero. All rows and columns are without dimensions and of order 1;
/// data with seven digits are taken to mean what they nearly say.
const ZERO: f64 = 1e-6;
/// Singular values between these leave the rank in doubt: data with few digits, or a mechanism close to a singular configuration.
const DOUBTFUL: std::ops::Range<f64> = 1e-10..1e-5;

/// How clearly the rank can be told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gap {
    /// Smallest singular value that counts, as a fraction of the largest; none if all conditions are void.
    pub smallest: Option<f64>,
    /// Largest one that counts as zero; none if all conditions are independent.
    pub neglected: Option<f64>,
}

impl Gap {
    /// Whether values that count and values that do not are far apart.
    pub fn is_clear(&self) -> bool {
        !self.smallest.iter().chain(&self.neglected).any(|value| DOUBTFUL.contains(value))
    }
}

/// Null spaces of the first derivatives of the conditions, by orthonormal columns.
#[derive(Debug, Clone)]
pub(super) struct Rank {
    /// Motions that the conditions allow.
    pub motions: DMatrix<f64>,
    /// Combinations of conditions that vanish: states of self-stress.
    pub stresses: DMatrix<f64>,
    pub gap: Gap,
}

/// Why nothing can be told: positions that are not finite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the conditions of the joints cannot be evaluated: positions or axes are not finite")]
pub struct Undefined;

impl Rank {
    pub fn of(closure: &Closure, posture: &Posture) -> Result<Self, Undefined> {
        let (_, slopes) = closure.evaluate(posture);
        let found = singular_values(&slopes).ok_or(Undefined)?;
        let largest = found.values.first().copied().unwrap_or(0.0);
        let rank = found.values.iter().take_while(|value| **value > ZERO * largest.max(f64::MIN_POSITIVE)).count();
        let share = |value: &f64| value / largest.max(f64::MIN_POSITIVE);
        let gap = Gap {
            smallest: rank.checked_sub(1).and_then(|last| found.values.get(last)).map(share),
            neglected: found.values.get(rank).map(share),
        };
        let motions = found.right.columns(rank, closure.columns() - rank).into_owned();
        let stresses = found.left.columns(rank, closure.rows() - rank).into_owned();
        Ok(Self { motions, stresses, gap })
    }

    /// Number of independent motions.
    pub fn nullity(&self) -> usize {
        self.motions.ncols()
    }
}

/// Orthonormal columns that span the same space.
pub(super) fn orthonormal(matrix: &DMatrix<f64>) -> DMatrix<f64> {
    let Some(found) = singular_values(matrix) else { return DMatrix::zeros(matrix.nrows(), 0) };
    let largest = found.values.first().copied().unwrap_or(0.0);
    let rank = found.values.iter().take_while(|value| **value > ZERO * largest.max(f64::MIN_POSITIVE)).count();
    found.left.columns(0, rank).into_owned()
}

/// The part of a space that is perpendicular to another, both by orthonormal columns; `less` lies in `space`.
pub(super) fn without(space: &DMatrix<f64>, less: &DMatrix<f64>) -> DMatrix<f64> {
    if less.ncols() == 0 {
        return space.clone();
    }
    // In coordinates of the space the complement is the null space of lessᵀ space.
    let inside = less.tr_mul(space);
    let Some(found) = singular_values(&inside) else { return DMatrix::zeros(space.nrows(), 0) };
    let left = space.ncols().saturating_sub(less.ncols());
    space * found.right.columns(space.ncols() - left, left)
}
