//! A matrix that is narrow but for a few rows and columns: these are eliminated last, by their Schur complement.
//!
//! [B C; D E] (x, y) = (f, g): with W = B⁻¹C is S = E − D W, y = S⁻¹(g − D B⁻¹f) and x = B⁻¹f − W y, then refined. Where B alone is
//! nearly singular, although the whole is not, the whole is factorised instead.

use nalgebra::{DMatrix, DVector};

use super::backward_error::{BackwardError, residual_and_backward_error};
use super::{FactorQuality, LinearError, LinearSolver, SolveQuality, SparseLu, best_general_solver, expect_size};
use crate::nlp::{Pattern, PatternBuilder};

/// Below this reciprocal condition of B the whole is factorised.
const POOR: f64 = 1e-12;
/// Refinement stops at this backward error.
const GOAL: f64 = 1e-14;
/// A backward error above this makes the answer unusable.
const ACCEPTABLE: f64 = 1e-9;
const MAX_REFINEMENTS: usize = 3;

/// The solver for a pattern with a border of unknowns that stand in many equations.
pub struct Bordered {
    pattern: Pattern,
    transposed: Pattern,
    source: Vec<usize>,
    transposed_values: Vec<f64>,
    /// Unknowns of the border, and those of the rest in their order.
    border: Vec<usize>,
    rest: Vec<usize>,
    /// The place of each unknown in the border or in the rest.
    place: Vec<Result<usize, usize>>,
    inner_pattern: Pattern,
    inner: Box<dyn LinearSolver>,
    whole: Option<SparseLu>,
    /// W, D and S⁻¹.
    across: DMatrix<f64>,
    down: DMatrix<f64>,
    schur: DMatrix<f64>,
}

/// The solver that suits a pattern, some unknowns of which stand in many equations.
pub fn best_bordered_solver(pattern: &Pattern, border: &[usize]) -> Box<dyn LinearSolver> {
    match Bordered::new(pattern, border) {
        Some(bordered) if !border.is_empty() => Box::new(bordered),
        _ => best_general_solver(pattern),
    }
}

impl Bordered {
    fn new(pattern: &Pattern, border: &[usize]) -> Option<Self> {
        let size = pattern.ncols();
        let rest: Vec<usize> = (0..size).filter(|unknown| !border.contains(unknown)).collect();
        let mut place = vec![Ok(0); size];
        rest.iter().enumerate().for_each(|(at, unknown)| place[*unknown] = Err(at));
        border.iter().enumerate().for_each(|(at, unknown)| place[*unknown] = Ok(at));
        let mut builder = PatternBuilder::new(rest.len(), rest.len());
        for (col, unknown) in rest.iter().enumerate() {
            let rows = pattern.row_idx()[pattern.column(*unknown)].iter().filter_map(|row| place[*row].err());
            builder.add(&rows.collect::<Vec<usize>>(), &[col]).ok()?;
        }
        let inner_pattern = builder.build().0;
        let mut inner = best_general_solver(&inner_pattern);
        inner.analyse(&inner_pattern).ok()?;
        let (transposed, source) = pattern.transpose();
        let (many, few) = (rest.len(), border.len());
        Some(Self {
            pattern: pattern.clone(),
            transposed,
            transposed_values: vec![0.0; source.len()],
            source,
            border: border.to_vec(),
            rest,
            place,
            inner_pattern,
            inner,
            whole: None,
            across: DMatrix::zeros(many, few),
            down: DMatrix::zeros(few, many),
            schur: DMatrix::zeros(few, few),
        })
    }

    /// Factorises B and the Schur complement; `None` where B alone is nearly singular.
    fn eliminate(&mut self, values: &[f64]) -> Option<FactorQuality> {
        let mut own = Vec::with_capacity(self.inner_pattern.nnz());
        self.across.fill(0.0);
        self.down.fill(0.0);
        let few = self.border.len();
        let mut corner = DMatrix::zeros(few, few);
        for col in 0..self.pattern.ncols() {
            for entry in self.pattern.column(col) {
                match (self.place[self.pattern.row_idx()[entry]], self.place[col]) {
                    // Entries of the rest follow each other as in the whole.
                    (Err(_), Err(_)) => own.push(values[entry]),
                    (Err(row), Ok(col)) => self.across[(row, col)] = values[entry],
                    (Ok(row), Err(col)) => self.down[(row, col)] = values[entry],
                    (Ok(row), Ok(col)) => corner[(row, col)] = values[entry],
                }
            }
        }
        let quality = self.inner.factor(&own).ok().filter(|found| found.reciprocal_condition > POOR)?;
        for mut column in self.across.column_iter_mut() {
            let mut solved: Vec<f64> = column.iter().copied().collect();
            self.inner.solve(&mut solved).ok()?;
            column.copy_from_slice(&solved);
        }
        self.schur = (corner - &self.down * &self.across).try_inverse()?;
        self.schur.iter().all(|entry| entry.is_finite()).then_some(quality)
    }

    /// Solves without refinement.
    fn once(&mut self, rhs: &[f64], out: &mut [f64]) -> Result<(), LinearError> {
        let mut first: Vec<f64> = self.rest.iter().map(|unknown| rhs[*unknown]).collect();
        self.inner.solve_roughly(&mut first)?;
        let first = DVector::from_vec(first);
        let given = DVector::from_iterator(self.border.len(), self.border.iter().map(|unknown| rhs[*unknown]));
        let last = &self.schur * (given - &self.down * &first);
        let first = first - &self.across * &last;
        self.rest.iter().zip(first.iter()).for_each(|(unknown, x)| out[*unknown] = *x);
        self.border.iter().zip(last.iter()).for_each(|(unknown, x)| out[*unknown] = *x);
        Ok(())
    }
}

impl LinearSolver for Bordered {
    fn analyse(&mut self, pattern: &Pattern) -> Result<(), LinearError> {
        if self.pattern == *pattern {
            return Ok(());
        }
        expect_size("pattern", pattern.ncols(), self.pattern.ncols())?;
        match Self::new(pattern, &self.border) {
            Some(other) => *self = other,
            None => SparseLu::new().analyse(pattern)?,
        }
        Ok(())
    }

    fn factor(&mut self, values: &[f64]) -> Result<FactorQuality, LinearError> {
        expect_size("value array", values.len(), self.pattern.nnz())?;
        if let Some(index) = super::first_not_finite(values) {
            return Err(LinearError::NotFinite { operand: "matrix", index });
        }
        for (value, source) in self.transposed_values.iter_mut().zip(&self.source) {
            *value = values[*source];
        }
        self.whole = None;
        if let Some(quality) = self.eliminate(values) {
            return Ok(quality);
        }
        let mut whole = SparseLu::new();
        whole.analyse(&self.pattern)?;
        let quality = whole.factor(values)?;
        self.whole = Some(whole);
        Ok(quality)
    }

    fn solve(&mut self, rhs: &mut [f64]) -> Result<SolveQuality, LinearError> {
        if let Some(whole) = &mut self.whole {
            return whole.solve(rhs);
        }
        expect_size("right-hand side", rhs.len(), self.pattern.ncols())?;
        let (mut x, mut better, mut residual) = (vec![0.0; rhs.len()], vec![0.0; rhs.len()], vec![0.0; rhs.len()]);
        self.once(rhs, &mut x)?;
        let measure = |solver: &Self, x: &[f64], residual: &mut [f64]| -> BackwardError {
            residual_and_backward_error(&solver.transposed, &solver.transposed_values, x, rhs, residual)
        };
        let mut error = measure(self, &x, &mut residual);
        let mut refinements = 0;
        while error.strict > GOAL && refinements < MAX_REFINEMENTS {
            self.once(&residual.clone(), &mut better)?;
            better.iter_mut().zip(&x).for_each(|(correction, x)| *correction += x);
            let refined = measure(self, &better, &mut residual);
            if !(refined.strict < error.strict) {
                break;
            }
            std::mem::swap(&mut x, &mut better);
            refinements += 1;
            let stalls = refined.strict > 0.5 * error.strict;
            error = refined;
            if stalls {
                break;
            }
        }
        if let Some(index) = super::first_not_finite(&x) {
            return Err(LinearError::NotFinite { operand: "solution", index });
        }
        let backward_error = error.lenient;
        if !(backward_error <= ACCEPTABLE) {
            return Err(LinearError::Inaccurate { backward_error });
        }
        rhs.copy_from_slice(&x);
        Ok(SolveQuality { backward_error, refinements })
    }

    fn solve_roughly(&mut self, rhs: &mut [f64]) -> Result<(), LinearError> {
        if let Some(whole) = &mut self.whole {
            return whole.solve_roughly(rhs);
        }
        let mut x = vec![0.0; rhs.len()];
        self.once(rhs, &mut x)?;
        rhs.copy_from_slice(&x);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::linear::saddle_samples::Numbers;

    /// A chain with a border of two unknowns, one amid it; its inner part regular or, with the first unknown in no other equation than
    /// those of the border, singular.
    fn chain(size: usize, singular: bool, numbers: &mut Numbers) -> (Pattern, Vec<f64>, [usize; 2]) {
        let border = [size / 2, size - 1];
        let mut builder = PatternBuilder::new(size, size);
        let all: Vec<usize> = (0..size).collect();
        for node in 1..size {
            builder.add(&[node - 1, node], &[node - 1, node]).unwrap();
        }
        builder.add(&all, &border).unwrap();
        builder.add(&border, &all).unwrap();
        let (pattern, _) = builder.build();
        let mut values = vec![0.0; pattern.nnz()];
        for col in 0..size {
            for entry in pattern.column(col) {
                let row = pattern.row_idx()[entry];
                values[entry] = numbers.next() + if row == col { 4.0 } else { 0.0 };
                if singular && (row == 0 || col == 0) && !(border.contains(&row) || border.contains(&col)) {
                    values[entry] = 0.0;
                }
            }
        }
        (pattern, values, border)
    }

    #[test]
    fn bordered_chains_are_solved_as_by_sparse_elimination_also_where_the_chain_alone_cannot_be() {
        let mut numbers = Numbers(5);
        for singular in [false, true] {
            let (pattern, values, border) = chain(60, singular, &mut numbers);
            let rhs: Vec<f64> = (0..60).map(|_| numbers.next()).collect();
            let mut bordered = best_bordered_solver(&pattern, &border);
            let mut whole = SparseLu::new();
            let mut found = Vec::new();
            for solver in [&mut *bordered, &mut whole as &mut dyn LinearSolver] {
                solver.analyse(&pattern).unwrap();
                solver.factor(&values).unwrap();
                let mut x = rhs.clone();
                assert!(solver.solve(&mut x).unwrap().backward_error < 1e-13, "singular chain: {singular}");
                found.push(x);
            }
            assert!(found[0].iter().zip(&found[1]).all(|(a, b)| (a - b).abs() < 1e-10), "{found:?}");
        }
    }

    #[test]
    fn singular_matrices_are_named() {
        let (pattern, mut values, border) = chain(20, false, &mut Numbers(6));
        for col in 0..20 {
            for entry in pattern.column(col).filter(|entry| pattern.row_idx()[*entry] == 3) {
                values[entry] = 0.0;
            }
        }
        let mut solver = best_bordered_solver(&pattern, &border);
        solver.analyse(&pattern).unwrap();
        assert!(matches!(solver.factor(&values), Err(LinearError::Singular { row: 3, .. })));
    }
}
