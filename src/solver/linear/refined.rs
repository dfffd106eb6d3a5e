//! Symmetric solves refined towards the system without its shift, whatever the factorisation underneath.
//!
//! The factors are those of Â + Ŝ with Â = E A E equilibrated. The iteration x ← x + (Â + Ŝ)⁻¹ (b̂ − Â x) contracts an
//! error along an eigenvector of eigenvalue λ by σ/(λ + σ), σ the shift: at once where |λ| ≫ |σ|, not at all where
//! λ = 0. A right-hand side that contradicts dependent rows is therefore found by its residual, which stays.

use super::backward_error::BackwardError;
use super::krylov::Krylov;
use super::probe::{largest, normalise, random_number};
use super::symmetric::{System, diagonal_places};
use super::symmetric_scaling::SymmetricScales;
use super::{
    FactorQuality, Inertia, LinearError, LinearSolver, SolveQuality, SymmetricSolver, expect_size, first_not_finite,
};
use crate::nlp::Pattern;

/// Refinement stops at this componentwise backward error,
const GOAL: f64 = 1e-14;
/// or at this one of whole rows.
const ROW_GOAL: f64 = 1e-15;
/// A backward error above this, measured as [`SIZE_BOUND`] says, makes the answer unusable.
const ACCEPTABLE: f64 = 1e-8;
/// In measuring, ‖x̂‖∞ counts up to this multiple of ‖b̂‖∞ / ‖Â‖∞ only. Along a direction that only the shift sees, x
/// grows with every step while the residual stays; set against so large an x any residual would look small.
const SIZE_BOUND: f64 = 1e6;
const MAX_REFINEMENTS: usize = 10;
/// Plain refinement goes on as long as each step reduces the error by this factor.
const PROGRESS: f64 = 0.5;
/// A backward error above this after plain refinement is reduced further over a Krylov space.
const SATISFACTORY: f64 = 1e-14;
/// Below this reciprocal condition the matrix counts as singular: rounding of its entries alone could make it so.
const SINGULAR: f64 = 4.0 * f64::EPSILON;
/// Size of the shift, against an equilibrated matrix, that helps a factorisation over a vanishing pivot.
const BREAKDOWN_SHIFT: f64 = 1e-8;

/// Factors of a symmetric matrix; what depends on the pattern is computed and allocated when they are made.
pub(super) trait SymmetricFactors: Sized {
    /// What the caller may choose before the analysis.
    type Options;

    /// Prepares for matrices with this pattern, a lower triangle with its diagonal.
    fn analyse(options: &Self::Options, pattern: &Pattern) -> Result<Self, LinearError>;

    /// Factorises and counts the signs; the error is the unknown whose pivot vanished or overflowed.
    fn factor(&mut self, values: &[f64]) -> Result<Inertia, usize>;

    /// Replaces `x` by the solution of the factorised system.
    fn substitute(&mut self, x: &mut [f64]);
}

/// A symmetric solver made of factors and refinement.
pub(super) struct Refined<F: SymmetricFactors> {
    options: F::Options,
    row_goal: f64,
    analysed: Option<Analysed<F>>,
}

impl<F: SymmetricFactors> Refined<F> {
    pub fn new(options: F::Options) -> Self {
        Self { options, row_goal: ROW_GOAL, analysed: None }
    }

    /// The factors; `None` before the analysis.
    pub fn factors(&self) -> Option<&F> {
        self.analysed.as_ref().map(|analysed| &analysed.factors)
    }

    fn analysed(&mut self) -> Result<&mut Analysed<F>, LinearError> {
        self.analysed.as_mut().ok_or(LinearError::OutOfTurn { missing: "analysed" })
    }
}

impl<F: SymmetricFactors> LinearSolver for Refined<F> {
    fn analyse(&mut self, pattern: &Pattern) -> Result<(), LinearError> {
        if self.analysed.as_ref().is_none_or(|analysed| analysed.pattern != *pattern) {
            self.analysed = None;
            let mut analysed = Analysed::new(&self.options, pattern)?;
            analysed.row_goal = self.row_goal;
            self.analysed = Some(analysed);
        }
        Ok(())
    }

    fn factor(&mut self, values: &[f64]) -> Result<FactorQuality, LinearError> {
        let analysed = self.analysed()?;
        analysed.prepare(values)?;
        let plain = analysed.factor_scaled().map_err(singular).and_then(|_| analysed.quality());
        if plain.is_ok() {
            return plain;
        }
        // Without pivoting across the matrix a pivot may vanish although the matrix is regular: mostly that of a
        // multiplier, whose shift must be negative.
        for &place in &analysed.diagonal {
            analysed.shifted[place] += if analysed.values[place] > 0.0 { BREAKDOWN_SHIFT } else { -BREAKDOWN_SHIFT };
        }
        analysed.factor_scaled().map_err(singular)?;
        analysed.quality()
    }

    fn solve(&mut self, rhs: &mut [f64]) -> Result<SolveQuality, LinearError> {
        let analysed = self.analysed.as_mut().ok_or(LinearError::OutOfTurn { missing: "factorised" })?;
        match analysed.state {
            State::Empty => return Err(LinearError::OutOfTurn { missing: "factorised" }),
            State::Broken { unknown } => return Err(singular(unknown)),
            State::Factorised => {}
        }
        expect_size("right-hand side", rhs.len(), analysed.rhs.len())?;
        if let Some(index) = first_not_finite(rhs) {
            return Err(LinearError::NotFinite { operand: "right-hand side", index });
        }
        for ((scaled, rhs), scale) in analysed.rhs.iter_mut().zip(rhs.iter()).zip(&analysed.scales.scales) {
            *scaled = rhs * scale;
        }
        let quality = analysed.solve_scaled()?;
        for ((rhs, x), scale) in rhs.iter_mut().zip(&analysed.x).zip(&analysed.scales.scales) {
            *rhs = x * scale;
        }
        match first_not_finite(rhs) {
            Some(index) => Err(LinearError::NotFinite { operand: "solution", index }),
            None => Ok(quality),
        }
    }
}

impl<F: SymmetricFactors> SymmetricSolver for Refined<F> {
    fn refine_to(&mut self, backward_error: f64) {
        self.row_goal = backward_error.max(ROW_GOAL);
        if let Some(analysed) = &mut self.analysed {
            analysed.row_goal = self.row_goal;
        }
    }

    fn factor_shifted(&mut self, values: &[f64], shift: &[f64]) -> Result<Inertia, LinearError> {
        let analysed = self.analysed()?;
        expect_size("shift", shift.len(), analysed.diagonal.len())?;
        if let Some(index) = first_not_finite(shift) {
            return Err(LinearError::NotFinite { operand: "shift", index });
        }
        analysed.prepare(values)?;
        for (&place, shift) in analysed.diagonal.iter().zip(shift) {
            analysed.shifted[place] += shift;
        }
        let size = shift.len();
        Ok(analysed.factor_scaled().unwrap_or(Inertia { positive: 0, negative: 0, zero: size }))
    }
}

fn singular(unknown: usize) -> LinearError {
    LinearError::Singular { row: unknown, column: unknown, reciprocal_condition: 0.0 }
}

#[derive(Clone, Copy)]
enum State {
    Empty,
    Factorised,
    Broken { unknown: usize },
}

/// Everything sized by the pattern.
struct Analysed<F> {
    pattern: Pattern,
    diagonal: Vec<usize>,
    factors: F,
    scales: SymmetricScales,
    /// Â.
    values: Vec<f64>,
    /// Â + Ŝ.
    shifted: Vec<f64>,
    row_norms: Vec<f64>,
    /// ‖Â‖∞.
    norm: f64,
    state: State,
    rhs: Vec<f64>,
    x: Vec<f64>,
    best: Vec<f64>,
    residual: Vec<f64>,
    size: Vec<f64>,
    krylov: Krylov,
    /// Refinement stops at this backward error per row.
    row_goal: f64,
}

impl<F: SymmetricFactors> Analysed<F> {
    fn new(options: &F::Options, pattern: &Pattern) -> Result<Self, LinearError> {
        let diagonal = diagonal_places(pattern)?;
        let factors = F::analyse(options, pattern)?;
        let zeros = vec![0.0; pattern.ncols()];
        let values = vec![0.0; pattern.nnz()];
        Ok(Self {
            pattern: pattern.clone(),
            diagonal,
            factors,
            scales: SymmetricScales::new(pattern.ncols()),
            shifted: values.clone(),
            values,
            row_norms: zeros.clone(),
            norm: 0.0,
            state: State::Empty,
            rhs: zeros.clone(),
            x: zeros.clone(),
            best: zeros.clone(),
            residual: zeros.clone(),
            size: zeros,
            krylov: Krylov::default(),
            row_goal: ROW_GOAL,
        })
    }

    /// Equilibrates the matrix; `shifted` is Â, still without shift.
    fn prepare(&mut self, values: &[f64]) -> Result<(), LinearError> {
        self.state = State::Empty;
        expect_size("value array", values.len(), self.pattern.nnz())?;
        if let Some(index) = first_not_finite(values) {
            return Err(LinearError::NotFinite { operand: "matrix", index });
        }
        self.scales.update(&self.pattern, values);
        self.scales.apply(&self.pattern, values, &mut self.values, &mut self.row_norms);
        self.shifted.copy_from_slice(&self.values);
        self.norm = self.row_norms.iter().copied().fold(0.0, f64::max);
        Ok(())
    }

    fn factor_scaled(&mut self) -> Result<Inertia, usize> {
        let outcome = self.factors.factor(&self.shifted);
        self.state = match outcome {
            Ok(_) => State::Factorised,
            Err(unknown) => State::Broken { unknown },
        };
        outcome
    }

    /// Estimates 1 / (‖Â‖∞ ‖Â⁻¹‖₂) from refined solves.
    ///
    /// For a random vector r of variance 1 the expectation of ‖Â⁻¹ r‖² is the squared Frobenius norm of Â⁻¹; where Â is
    /// singular, r contradicts its dependent rows and refinement cannot converge.
    fn quality(&mut self) -> Result<FactorQuality, LinearError> {
        if self.rhs.is_empty() {
            return Ok(FactorQuality { reciprocal_condition: 1.0 });
        }
        self.rhs.iter_mut().enumerate().for_each(|(index, rhs)| *rhs = random_number(index));
        let solved = self.solve_scaled();
        let reciprocal = 1.0 / (self.norm * normalise(&mut self.x));
        let reciprocal_condition = if solved.is_ok() && reciprocal.is_finite() { reciprocal } else { 0.0 };
        if reciprocal_condition < SINGULAR {
            let unknown = largest(&self.x);
            self.state = State::Broken { unknown };
            return Err(LinearError::Singular { row: unknown, column: unknown, reciprocal_condition });
        }
        Ok(FactorQuality { reciprocal_condition })
    }

    /// Solves Â x = `rhs`.
    fn solve_scaled(&mut self) -> Result<SolveQuality, LinearError> {
        self.x.copy_from_slice(&self.rhs);
        self.factors.substitute(&mut self.x);
        let mut error = self.measure();
        let mut refinements = 0;
        while error.strict > GOAL && error.lenient > self.row_goal && refinements < MAX_REFINEMENTS {
            self.best.copy_from_slice(&self.x);
            self.factors.substitute(&mut self.residual);
            self.x.iter_mut().zip(&self.residual).for_each(|(x, correction)| *x += correction);
            let refined = self.measure();
            let worse = |refined: f64, error: f64| refined.is_nan() || refined >= error;
            if worse(refined.lenient, error.lenient) && worse(refined.strict, error.strict) {
                self.x.copy_from_slice(&self.best);
                break;
            }
            refinements += 1;
            let progress = refined.lenient <= PROGRESS * error.lenient || refined.strict <= PROGRESS * error.strict;
            error = refined;
            if !progress {
                break;
            }
        }
        if error.lenient > SATISFACTORY.max(self.row_goal) || error.lenient.is_nan() {
            error = self.minimise_residual(error);
        }
        let backward_error = error.lenient;
        if backward_error.is_nan() || backward_error > ACCEPTABLE {
            return Err(LinearError::Inaccurate { backward_error });
        }
        Ok(SolveQuality { backward_error, refinements })
    }

    /// Corrects `x` over a Krylov space, and takes the correction back if it does not help.
    fn minimise_residual(&mut self, before: BackwardError) -> BackwardError {
        self.best.copy_from_slice(&self.x);
        self.measure();
        let goal = (0.1 * SATISFACTORY.max(self.row_goal) / before.lenient).max(f64::EPSILON);
        let Self { krylov, factors, pattern, values, x, residual, .. } = self;
        let mut precondition = |vector: &mut [f64]| factors.substitute(vector);
        let mut multiply = |vector: &[f64], out: &mut [f64]| pattern.multiply_symmetric(values, vector, out);
        krylov.correct(x, residual, goal, &mut precondition, &mut multiply);
        let after = self.measure();
        if after.lenient < before.lenient {
            return after;
        }
        self.x.copy_from_slice(&self.best);
        before
    }

    fn measure(&mut self) -> BackwardError {
        let b_norm = self.rhs.iter().fold(0.0f64, |largest, b| largest.max(b.abs()));
        let system = System {
            pattern: &self.pattern,
            values: &self.values,
            row_norms: &self.row_norms,
            b: &self.rhs,
            x_bound: SIZE_BOUND * b_norm / self.norm,
        };
        system.residual(&self.x, &mut self.residual, &mut self.size)
    }
}
