//! Sparse LU with equilibration, iterative refinement and singularity tests.

use super::backward_error::{BackwardError, residual_and_backward_error};
use super::equilibrate::Scales;
use super::factors::{FactorFailure, Factors, FillEstimate, Symbolic, require_permutation};
use super::matching::require_full_structural_rank;
use super::probe::{largest, normalise, random_sign};
use super::{FactorQuality, LinearError, LinearSolver, SolveQuality, expect_size, first_not_finite};
use crate::nlp::Pattern;

/// Below this reciprocal condition the matrix counts as singular: rounding of its entries alone could make it so.
const SINGULAR: f64 = 4.0 * f64::EPSILON;
/// Below this first estimate of the reciprocal condition a sharper one is computed.
const SUSPECT: f64 = 1e-10;
/// How many times better conditioned a matrix must be in another scaling for that to be taken.
const FAR_BETTER: f64 = 1e4;
/// Refinement stops at this backward error.
const GOAL: f64 = 1e-14;
/// A backward error above this makes the answer unusable.
const ACCEPTABLE: f64 = 1e-9;
const MAX_REFINEMENTS: usize = 3;
/// Size of the random change that makes an exactly singular matrix invertible, to find out what was singular.
const DIAGNOSTIC_CHANGE: f64 = 1e-9;

/// Direct solver for general sparse square systems.
///
/// ```
/// use lariat::nlp::PatternBuilder;
/// use lariat::solver::linear::{LinearSolver, SparseLu};
/// let mut builder = PatternBuilder::new(2, 2);
/// builder.add(&[0, 1], &[0, 1])?;
/// let (pattern, map) = builder.build();
/// let mut values = vec![0.0; 4];
/// map.scatter(0, &[0.0, 2.0, 4.0, 1.0], &mut values);
/// let mut lu = SparseLu::new();
/// lu.analyse(&pattern)?;
/// lu.factor(&values)?;
/// let mut x = [4.0, 6.0];
/// lu.solve(&mut x)?;
/// assert_eq!(x, [1.0, 2.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct SparseLu {
    order: Option<Vec<usize>>,
    analysed: Option<Analysed>,
}

impl SparseLu {
    /// A solver that chooses its own elimination order (COLAMD).
    pub fn new() -> Self {
        Self::default()
    }

    /// A solver that eliminates columns in the given order, for example one of [`super::dissection`].
    pub fn with_order(order: Vec<usize>) -> Self {
        Self { order: Some(order), analysed: None }
    }

    /// Size of the factors as foreseen by the analysis; `None` before it.
    pub fn fill(&self) -> Option<FillEstimate> {
        self.analysed.as_ref().map(|analysed| analysed.symbolic.fill)
    }
}

impl LinearSolver for SparseLu {
    fn analyse(&mut self, pattern: &Pattern) -> Result<(), LinearError> {
        if self.analysed.as_ref().is_some_and(|analysed| analysed.pattern == *pattern) {
            return Ok(());
        }
        self.analysed = None;
        expect_size("number of rows", pattern.nrows(), pattern.ncols())?;
        if let Some(order) = &self.order {
            require_permutation(order, pattern.ncols())?;
        }
        require_full_structural_rank(pattern)?;
        self.analysed = Some(Analysed::new(pattern, self.order.as_deref())?);
        Ok(())
    }

    fn factor(&mut self, values: &[f64]) -> Result<FactorQuality, LinearError> {
        let analysed = self.analysed.as_mut().ok_or(LinearError::OutOfTurn { missing: "analysed" })?;
        analysed.factorised = false;
        expect_size("value array", values.len(), analysed.pattern.nnz())?;
        if let Some(index) = first_not_finite(values) {
            return Err(LinearError::NotFinite { operand: "matrix", index });
        }
        let quality = analysed.factor(values)?;
        analysed.factorised = true;
        Ok(quality)
    }

    fn solve(&mut self, rhs: &mut [f64]) -> Result<SolveQuality, LinearError> {
        let analysed = self.analysed.as_mut().filter(|analysed| analysed.factorised);
        let analysed = analysed.ok_or(LinearError::OutOfTurn { missing: "factorised" })?;
        expect_size("right-hand side", rhs.len(), analysed.pattern.ncols())?;
        if let Some(index) = first_not_finite(rhs) {
            return Err(LinearError::NotFinite { operand: "right-hand side", index });
        }
        analysed.solve(rhs)
    }
}

/// Everything sized by the pattern. Works throughout on the equilibrated matrix Â = R A C.
struct Analysed {
    pattern: Pattern,
    transposed: Pattern,
    /// Place in `values` of each entry of the transposed matrix.
    source: Vec<usize>,
    symbolic: Symbolic,
    factors: Factors,
    scales: Scales,
    values: Vec<f64>,
    transposed_values: Vec<f64>,
    factorised: bool,
    rhs: Vec<f64>,
    x: Vec<f64>,
    best: Vec<f64>,
    residual: Vec<f64>,
}

impl Analysed {
    fn new(pattern: &Pattern, order: Option<&[usize]>) -> Result<Self, LinearError> {
        let size = pattern.ncols();
        let (transposed, source) = pattern.transpose();
        let symbolic = Symbolic::new(pattern, &transposed, order)?;
        let factors = Factors::new(&symbolic)?;
        Ok(Self {
            pattern: pattern.clone(),
            transposed,
            source,
            symbolic,
            factors,
            scales: Scales::default(),
            values: vec![0.0; pattern.nnz()],
            transposed_values: vec![0.0; pattern.nnz()],
            factorised: false,
            rhs: vec![0.0; size],
            x: vec![0.0; size],
            best: vec![0.0; size],
            residual: vec![0.0; size],
        })
    }

    fn factor(&mut self, values: &[f64]) -> Result<FactorQuality, LinearError> {
        self.scales.update(&self.pattern, values);
        let mut reciprocal_condition = self.factor_equilibrated(values)?;
        if reciprocal_condition < SUSPECT {
            // Rounding errors in place of zeros can spoil the first scaling; then the second is better by far.
            let first = std::mem::take(&mut self.scales);
            self.scales.update_by_largest(&self.pattern, values);
            let second = self.factor_equilibrated(values)?;
            if second < FAR_BETTER * reciprocal_condition {
                self.scales = first;
                reciprocal_condition = self.factor_equilibrated(values)?;
            } else {
                reciprocal_condition = second;
            }
        }
        if reciprocal_condition >= SINGULAR {
            Ok(FactorQuality { reciprocal_condition })
        } else {
            Err(self.explain_singularity(reciprocal_condition))
        }
    }

    /// Factorises the matrix in the present scaling; the reciprocal of its condition, 0 if a pivot vanished.
    fn factor_equilibrated(&mut self, values: &[f64]) -> Result<f64, LinearError> {
        self.scales.apply(&self.pattern, values, &mut self.values);
        match self.factor_scaled() {
            Ok(()) => Ok(self.reciprocal_condition()),
            Err(FactorFailure::NoPivot { .. }) => Ok(0.0),
            Err(FactorFailure::OutOfMemory) => Err(self.out_of_memory()),
        }
    }

    fn factor_scaled(&mut self) -> Result<(), FactorFailure> {
        for (value, &source) in self.transposed_values.iter_mut().zip(&self.source) {
            *value = self.values[source];
        }
        self.factors.factor(&self.symbolic, &self.values, &self.transposed_values)
    }

    fn out_of_memory(&self) -> LinearError {
        LinearError::OutOfMemory { doing: "factorising", size: self.pattern.ncols() }
    }

    /// Estimates 1 / (‖Â‖∞ ‖Â⁻¹‖₂); 0 if a pivot vanished.
    ///
    /// For a random vector of signs r the expectation of ‖Â⁻¹ r‖² is the squared Frobenius norm of Â⁻¹. If that is
    /// suspiciously large, one step of the power method for Â⁻¹Â⁻ᵀ gives a lower bound of ‖Â⁻¹‖₂ itself.
    /// Afterwards `x` and `residual` hold, up to scale, nearly the right and the left vector that Â nearly maps to zero.
    fn reciprocal_condition(&mut self) -> f64 {
        if self.x.is_empty() {
            return 1.0;
        }
        for (index, x) in self.x.iter_mut().enumerate() {
            *x = random_sign(index);
        }
        self.factors.solve(&self.symbolic, &mut self.x);
        let mut inverse_norm = normalise(&mut self.x);
        let row_sum = |row| self.transposed_values[self.transposed.column(row)].iter().map(|v| v.abs()).sum::<f64>();
        let norm = (0..self.pattern.nrows()).map(row_sum).fold(0.0, f64::max);
        if inverse_norm * norm * SUSPECT > 1.0 {
            self.residual.copy_from_slice(&self.x);
            self.factors.solve_transposed(&self.symbolic, &mut self.residual);
            inverse_norm = normalise(&mut self.residual);
        }
        let reciprocal = 1.0 / (norm * inverse_norm);
        // A zero pivot makes the probe infinite or NaN.
        if reciprocal.is_finite() { reciprocal } else { 0.0 }
    }

    /// Names the row and the column that weigh most in the two null vectors.
    fn explain_singularity(&mut self, reciprocal_condition: f64) -> LinearError {
        if reciprocal_condition == 0.0 {
            // No factors to compute null vectors with: take those of a matrix nearby that is singular no more.
            for (index, value) in self.values.iter_mut().enumerate() {
                *value += DIAGNOSTIC_CHANGE * random_sign(index) * (1.0 + 0.5 * random_sign(!index));
            }
            match self.factor_scaled() {
                Ok(()) => {
                    self.reciprocal_condition();
                    self.residual.copy_from_slice(&self.x);
                    self.factors.solve_transposed(&self.symbolic, &mut self.residual);
                }
                Err(FactorFailure::NoPivot { column }) => {
                    self.x.fill(0.0);
                    self.x[column] = 1.0;
                    self.residual.fill(0.0);
                }
                Err(FactorFailure::OutOfMemory) => return self.out_of_memory(),
            }
        }
        let (row, column) = (largest(&self.residual), largest(&self.x));
        LinearError::Singular { row, column, reciprocal_condition }
    }

    /// Solves Â y = R b with refinement and returns x = C y in place of b.
    fn solve(&mut self, rhs: &mut [f64]) -> Result<SolveQuality, LinearError> {
        for ((scaled, rhs), scale) in self.rhs.iter_mut().zip(rhs.iter()).zip(&self.scales.rows) {
            *scaled = rhs * scale;
        }
        self.x.copy_from_slice(&self.rhs);
        self.factors.solve(&self.symbolic, &mut self.x);
        let mut error = self.measure();
        let mut refinements = 0;
        while error.strict > GOAL && refinements < MAX_REFINEMENTS {
            self.best.copy_from_slice(&self.x);
            self.factors.solve(&self.symbolic, &mut self.residual);
            self.x.iter_mut().zip(&self.residual).for_each(|(x, correction)| *x += correction);
            let refined = self.measure();
            if refined.strict.is_nan() || refined.strict >= error.strict {
                self.x.copy_from_slice(&self.best);
                break;
            }
            refinements += 1;
            let stalls = refined.strict > 0.5 * error.strict;
            error = refined;
            if stalls {
                break;
            }
        }
        if let Some(index) = first_not_finite(&self.x) {
            return Err(LinearError::NotFinite { operand: "solution", index });
        }
        let backward_error = error.lenient;
        if backward_error.is_nan() || backward_error > ACCEPTABLE {
            return Err(LinearError::Inaccurate { backward_error });
        }
        for ((rhs, x), scale) in rhs.iter_mut().zip(&self.x).zip(&self.scales.cols) {
            *rhs = x * scale;
        }
        Ok(SolveQuality { backward_error, refinements })
    }

    fn measure(&mut self) -> BackwardError {
        residual_and_backward_error(&self.transposed, &self.transposed_values, &self.x, &self.rhs, &mut self.residual)
    }
}

#[cfg(test)]
mod tests;
