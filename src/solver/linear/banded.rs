//! Band LU for sparse systems that are narrow once their unknowns are numbered along the structure.
//!
//! Made for small systems that are solved many thousand times, as the time steps and the slabs of a marching scheme are:
//! nothing is allocated after the analysis, and the whole cost is that of a few loops over the band.

use super::backward_error::BackwardError;
use super::band_lu::BandLu;
use super::band_plan::BandPlan;
use super::equilibrate::{Scales, inverse_power_of_two};
use super::lanes::{dot, larger, largest_magnitude, product_and_size, sum_of_magnitudes};
use super::probe::{largest, normalise, random_sign};
use super::{FactorQuality, LinearError, LinearSolver, SolveQuality, expect_size, first_not_finite};
use crate::nlp::Pattern;

/// Below this reciprocal condition the matrix counts as singular: rounding of its entries alone could make it so.
const SINGULAR: f64 = 4.0 * f64::EPSILON;
/// Below this first estimate of the reciprocal condition the matrix is scaled with more care and estimated sharply.
const SUSPECT: f64 = 1e-10;
/// A solution is refined if its backward errors exceed both this one by components
const GOAL: f64 = 1e-14;
/// and this one by rows.
const ROW_GOAL: f64 = 1e-15;
/// A backward error above this makes the answer unusable.
const ACCEPTABLE: f64 = 1e-9;
/// Size of the random change that makes an exactly singular matrix invertible, to find out what was singular.
const DIAGNOSTIC_CHANGE: f64 = 1e-9;

/// Direct solver for general square systems of small bandwidth, in whatever order rows and columns come.
///
/// ```
/// use lariat::nlp::PatternBuilder;
/// use lariat::solver::linear::{Banded, LinearSolver};
/// let mut builder = PatternBuilder::new(3, 3);
/// builder.add(&[0, 2], &[0, 2])?;
/// builder.add(&[1, 2], &[1, 2])?;
/// let (pattern, map) = builder.build();
/// let mut values = vec![0.0; pattern.nnz()];
/// map.scatter(0, &[2.0, -1.0, -1.0, 1.0], &mut values);
/// map.scatter(1, &[2.0, -1.0, -1.0, 1.0], &mut values);
/// let mut solver = Banded::new();
/// solver.analyse(&pattern)?;
/// assert_eq!(solver.bandwidth(), Some((1, 1)));
/// solver.factor(&values)?;
/// let mut x = [0.0, 0.0, 1.0];
/// solver.solve(&mut x)?;
/// assert!(x.iter().zip([0.5, 0.5, 1.0]).all(|(x, exact)| (x - exact).abs() < 1e-15));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct Banded {
    analysed: Option<Analysed>,
}

impl Banded {
    /// A solver that finds the order of rows and columns itself (reverse Cuthill-McKee).
    pub fn new() -> Self {
        Self::default()
    }

    /// Numbers of diagonals below and above the main one; `None` before the analysis.
    pub fn bandwidth(&self) -> Option<(usize, usize)> {
        self.analysed.as_ref().map(|analysed| (analysed.plan.below, analysed.plan.above))
    }

    /// A solver for this pattern with the plan already made.
    pub(super) fn with_plan(pattern: &Pattern, plan: BandPlan) -> Self {
        Self { analysed: Some(Analysed::new(pattern, plan)) }
    }

    /// The factors, if there are any and the right-hand side fits them.
    fn ready(&mut self, rhs: &[f64]) -> Result<&mut Analysed, LinearError> {
        let analysed = self.analysed.as_mut().filter(|analysed| analysed.factorised);
        let analysed = analysed.ok_or(LinearError::OutOfTurn { missing: "factorised" })?;
        expect_size("right-hand side", rhs.len(), analysed.x.len())?;
        match first_not_finite(rhs) {
            Some(index) => Err(LinearError::NotFinite { operand: "right-hand side", index }),
            None => Ok(analysed),
        }
    }
}

impl LinearSolver for Banded {
    fn analyse(&mut self, pattern: &Pattern) -> Result<(), LinearError> {
        if self.analysed.as_ref().is_some_and(|analysed| analysed.pattern == *pattern) {
            return Ok(());
        }
        self.analysed = None;
        expect_size("number of rows", pattern.nrows(), pattern.ncols())?;
        *self = Self::with_plan(pattern, BandPlan::new(pattern)?);
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
        self.ready(rhs)?.solve(rhs)
    }

    fn solve_roughly(&mut self, rhs: &mut [f64]) -> Result<(), LinearError> {
        self.ready(rhs)?.solve_roughly(rhs)
    }
}

/// Everything sized by the pattern. Works throughout on the equilibrated and reordered matrix Â = P R A C Q.
struct Analysed {
    pattern: Pattern,
    plan: BandPlan,
    /// Place in `matrix` of each entry of the pattern.
    places: Vec<usize>,
    /// Scales from columns and rows as they come; used where those below do not suffice.
    careful: Scales,
    /// R and C by places.
    row_scales: Vec<f64>,
    col_scales: Vec<f64>,
    /// Rows of Â, each with the columns i − below … i + above.
    matrix: Vec<f64>,
    /// ‖aᵢ‖₁ of every row.
    row_norms: Vec<f64>,
    lu: BandLu,
    factorised: bool,
    signs: Vec<f64>,
    rhs: Vec<f64>,
    x: Vec<f64>,
    residual: Vec<f64>,
}

impl Analysed {
    fn new(pattern: &Pattern, plan: BandPlan) -> Self {
        let size = pattern.ncols();
        let width = plan.below + plan.above + 1;
        let mut row_place = vec![0; size];
        plan.rows.iter().enumerate().for_each(|(at, &row)| row_place[row] = at);
        let mut places = vec![0; pattern.nnz()];
        for (at, &col) in plan.cols.iter().enumerate() {
            for entry in pattern.column(col) {
                let row = row_place[pattern.row_idx()[entry]];
                places[entry] = row * width + at + plan.below - row;
            }
        }
        Self {
            pattern: pattern.clone(),
            places,
            careful: Scales::default(),
            row_scales: vec![1.0; size],
            col_scales: vec![1.0; size],
            matrix: vec![0.0; size * width],
            row_norms: vec![0.0; size],
            lu: BandLu::new(&plan),
            plan,
            factorised: false,
            signs: (0..size).map(random_sign).collect(),
            rhs: vec![0.0; size],
            x: vec![0.0; size],
            residual: vec![0.0; size],
        }
    }

    fn factor(&mut self, values: &[f64]) -> Result<FactorQuality, LinearError> {
        self.equilibrate(values);
        let mut reciprocal_condition = self.factor_scaled(false);
        if reciprocal_condition < SUSPECT {
            let simple = reciprocal_condition;
            self.equilibrate_carefully(values);
            reciprocal_condition = self.factor_scaled(true);
            if reciprocal_condition < simple {
                // Entries that are nothing but rounding mislead the careful scaling.
                self.equilibrate(values);
                reciprocal_condition = self.factor_scaled(true);
            }
        }
        if reciprocal_condition >= SINGULAR {
            Ok(FactorQuality { reciprocal_condition })
        } else {
            Err(self.explain_singularity(reciprocal_condition))
        }
    }

    /// Makes the largest entry of each row and then of each column about 1: cheap, and enough unless units differ wildly
    /// between rows and between columns.
    fn equilibrate(&mut self, values: &[f64]) {
        self.places.iter().zip(values).for_each(|(&place, &value)| self.matrix[place] = value);
        self.col_scales.fill(0.0);
        for_each_row(&self.plan, &mut self.matrix, |i, first, row| {
            let scale = inverse_power_of_two(largest_magnitude(row));
            self.row_scales[i] = scale;
            for (largest, entry) in self.col_scales[first..].iter_mut().zip(row) {
                *entry *= scale;
                *largest = larger(*largest, entry.abs());
            }
        });
        self.col_scales.iter_mut().for_each(|scale| *scale = inverse_power_of_two(*scale));
        for_each_row(&self.plan, &mut self.matrix, |_, first, row| {
            row.iter_mut().zip(&self.col_scales[first..]).for_each(|(entry, scale)| *entry *= scale);
        });
    }

    /// Undoes a change of units in both rows and columns.
    fn equilibrate_carefully(&mut self, values: &[f64]) {
        self.careful.update(&self.pattern, values);
        let Scales { rows, cols, .. } = &self.careful;
        self.row_scales.iter_mut().zip(&self.plan.rows).for_each(|(scale, &row)| *scale = rows[row]);
        self.col_scales.iter_mut().zip(&self.plan.cols).for_each(|(scale, &col)| *scale = cols[col]);
        for (col, &scale) in cols.iter().enumerate() {
            for entry in self.pattern.column(col) {
                self.matrix[self.places[entry]] = values[entry] * (rows[self.pattern.row_idx()[entry]] * scale);
            }
        }
    }

    fn factor_scaled(&mut self, sharply: bool) -> f64 {
        match self.lu.factor(&self.matrix) {
            Ok(()) => self.reciprocal_condition(sharply),
            Err(_) => 0.0,
        }
    }

    /// Estimates 1 / (‖Â‖∞ ‖Â⁻¹‖₂); 0 if a pivot vanished.
    ///
    /// For a random vector of signs r the expectation of ‖Â⁻¹ r‖² is the squared Frobenius norm of Â⁻¹; one step of the
    /// power method for Â⁻¹Â⁻ᵀ gives a sharper lower bound of ‖Â⁻¹‖₂. Afterwards `x` and, if asked sharply, `residual`
    /// hold, up to scale, nearly the right and the left vector that Â nearly maps to zero.
    fn reciprocal_condition(&mut self, sharply: bool) -> f64 {
        if self.x.is_empty() {
            return 1.0;
        }
        for_each_row(&self.plan, &mut self.matrix, |i, _, row| self.row_norms[i] = sum_of_magnitudes(row));
        let norm = self.row_norms.iter().copied().fold(0.0, f64::max);
        self.x.copy_from_slice(&self.signs);
        self.lu.solve(&mut self.x);
        let mut inverse_norm = dot(&self.x, &self.x).sqrt();
        if sharply {
            normalise(&mut self.x);
            self.residual.copy_from_slice(&self.x);
            self.lu.solve_transposed(&mut self.residual);
            inverse_norm = normalise(&mut self.residual);
        }
        let reciprocal = 1.0 / (norm * inverse_norm);
        // A vanishing pivot makes the probe infinite or NaN.
        if reciprocal.is_finite() { reciprocal } else { 0.0 }
    }

    /// Names the row and the column that weigh most in the two null vectors.
    fn explain_singularity(&mut self, reciprocal_condition: f64) -> LinearError {
        if reciprocal_condition == 0.0 {
            // No factors to compute null vectors with: take those of a matrix nearby that is singular no more.
            for (index, &place) in self.places.iter().enumerate() {
                self.matrix[place] += DIAGNOSTIC_CHANGE * random_sign(index) * (1.0 + 0.5 * random_sign(!index));
            }
            match self.lu.factor(&self.matrix) {
                Ok(()) => {
                    self.reciprocal_condition(true);
                }
                Err(at) => {
                    self.x.fill(0.0);
                    self.residual.fill(0.0);
                    (self.x[at], self.residual[at]) = (1.0, 1.0);
                }
            }
        }
        let (row, column) = (self.plan.rows[largest(&self.residual)], self.plan.cols[largest(&self.x)]);
        LinearError::Singular { row, column, reciprocal_condition }
    }

    /// P R b to `rhs` and Â⁻¹ of it to `x`.
    fn substitute(&mut self, rhs: &[f64]) {
        for ((scaled, &row), scale) in self.rhs.iter_mut().zip(&self.plan.rows).zip(&self.row_scales) {
            *scaled = rhs[row] * scale;
        }
        self.x.copy_from_slice(&self.rhs);
        self.lu.solve(&mut self.x);
    }

    fn expect_finite(&self) -> Result<(), LinearError> {
        match first_not_finite(&self.x) {
            Some(place) => Err(LinearError::NotFinite { operand: "solution", index: self.plan.cols[place] }),
            None => Ok(()),
        }
    }

    /// C Q x in place of b.
    fn give_back(&self, rhs: &mut [f64]) {
        for ((x, &col), scale) in self.x.iter().zip(&self.plan.cols).zip(&self.col_scales) {
            rhs[col] = x * scale;
        }
    }

    fn solve_roughly(&mut self, rhs: &mut [f64]) -> Result<(), LinearError> {
        self.substitute(rhs);
        self.expect_finite()?;
        self.give_back(rhs);
        Ok(())
    }

    /// Solves Â y = P R b and returns x = C Q y in place of b.
    fn solve(&mut self, rhs: &mut [f64]) -> Result<SolveQuality, LinearError> {
        self.substitute(rhs);
        let mut error = self.measure();
        let mut refinements = 0;
        if error.strict > GOAL && error.lenient > ROW_GOAL {
            self.lu.solve(&mut self.residual);
            self.x.iter_mut().zip(&self.residual).for_each(|(x, correction)| *x += correction);
            let refined = self.measure();
            if refined.lenient < error.lenient {
                (error, refinements) = (refined, 1);
            } else {
                // Take the correction back by computing the solution anew.
                self.x.copy_from_slice(&self.rhs);
                self.lu.solve(&mut self.x);
            }
        }
        self.expect_finite()?;
        let backward_error = error.lenient;
        if backward_error.is_nan() || backward_error > ACCEPTABLE {
            return Err(LinearError::Inaccurate { backward_error });
        }
        self.give_back(rhs);
        Ok(SolveQuality { backward_error, refinements })
    }

    /// Writes b − Â x to `residual` and measures it.
    fn measure(&mut self) -> BackwardError {
        let x_norm = largest_magnitude(&self.x);
        let mut worst = BackwardError::ZERO;
        for_each_row(&self.plan, &mut self.matrix, |i, first, row| {
            let (product, size) = product_and_size(row, &self.x[first..]);
            let b = self.rhs[i];
            self.residual[i] = b - product;
            worst.include(b - product, size + b.abs(), self.row_norms[i] * x_norm + b.abs());
        });
        worst
    }
}

/// Calls `visit` with the place, the first column and the entries of each row of Â, up to its last entry.
#[inline(always)]
fn for_each_row(plan: &BandPlan, matrix: &mut [f64], mut visit: impl FnMut(usize, usize, &mut [f64])) {
    for (i, row) in matrix.chunks_exact_mut(plan.below + plan.above + 1).enumerate() {
        let first = i.saturating_sub(plan.below);
        let start = first + plan.below - i;
        visit(i, first, &mut row[start..start + plan.last_col[i] + 1 - first]);
    }
}

#[cfg(test)]
mod tests;
