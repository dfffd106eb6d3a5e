//! The form all methods work on: c(x) − s = 0 with bounds on v = (x, s) alone.
//!
//! Every row has a slack sᵢ between its bounds; that of an equation is fixed at the right-hand side. Methods then know
//! bounded and fixed entries of v only, and inequalities cost no extra rows: slacks are eliminated from the linear systems.

use super::staged::Staged;
use crate::nlp::{EvalFailure, Nlp};

/// Bounds are widened by this, relative to their size, so that a feasible set without interior gets one.
const RELAXATION: f64 = 1e-8;

/// Share of the tolerated violation that widening may use up.
const WIDENING_SHARE: f64 = 0.1;

fn widening(bound: f64, widest: f64) -> f64 {
    (RELAXATION * bound.abs().max(1.0)).min(widest)
}

/// Sizes and bounds of v = (x, s).
#[derive(Debug, Clone)]
pub(super) struct Standard {
    /// Number of variables x.
    pub n: usize,
    /// Number of rows and slacks s.
    pub m: usize,
    pub lower: Vec<f64>,
    pub upper: Vec<f64>,
    /// Entries with equal bounds: they never move.
    pub fixed: Vec<bool>,
    /// Rows that never matter: without any bound, or without a variable that can move.
    pub open: Vec<bool>,
    /// Largest widening of each bound; empty where bounds are as they are.
    widest: Vec<f64>,
}

impl Standard {
    /// Bounds of the program as they are.
    pub fn exact(nlp: &dyn Nlp) -> Self {
        Self::new(nlp, Vec::new())
    }

    /// Bounds widened by a rounding error's worth, but by no more than a share of the violation that is tolerated; rows are
    /// scaled by these factors.
    pub fn widened(nlp: &dyn Nlp, violation: f64, row_scales: &[f64]) -> Self {
        let variables = nlp.bounds().variables();
        let scales = std::iter::repeat_n(&1.0, variables).chain(row_scales);
        Self::new(nlp, scales.map(|scale| WIDENING_SHARE * violation * scale).collect())
    }

    fn new(nlp: &dyn Nlp, widest: Vec<f64>) -> Self {
        let bounds = nlp.bounds();
        let (n, m) = (bounds.variables(), bounds.rows());
        let mut lower: Vec<f64> = bounds.x_lower.iter().chain(&bounds.c_lower).copied().collect();
        let mut upper: Vec<f64> = bounds.x_upper.iter().chain(&bounds.c_upper).copied().collect();
        let fixed: Vec<bool> = lower.iter().zip(&upper).map(|(lower, upper)| lower == upper).collect();
        let mut open = vec![true; m];
        for column in (0..n).filter(|&column| !fixed[column]) {
            for &row in &nlp.jacobian_pattern().row_idx()[nlp.jacobian_pattern().column(column)] {
                open[row] = lower[n + row] == f64::NEG_INFINITY && upper[n + row] == f64::INFINITY;
            }
        }
        for (i, widest) in widest.iter().enumerate().filter(|(i, _)| !fixed[*i]) {
            if lower[i].is_finite() {
                lower[i] -= widening(lower[i], *widest);
            }
            if upper[i].is_finite() {
                upper[i] += widening(upper[i], *widest);
            }
        }
        Self { n, m, lower, upper, fixed, open, widest }
    }

    /// Number of entries of v.
    pub fn len(&self) -> usize {
        self.n + self.m
    }

    pub fn has_lower(&self, i: usize) -> bool {
        !self.fixed[i] && self.lower[i] > f64::NEG_INFINITY
    }

    pub fn has_upper(&self, i: usize) -> bool {
        !self.fixed[i] && self.upper[i] < f64::INFINITY
    }

    /// Distance from the lower bound, never less than rounding allows to see.
    pub fn above(&self, v: &[f64], i: usize) -> f64 {
        (v[i] - self.lower[i]).max(f64::EPSILON * f64::EPSILON.max(self.lower[i].abs()))
    }

    /// Distance from the upper bound, never less than rounding allows to see.
    pub fn below(&self, v: &[f64], i: usize) -> f64 {
        (self.upper[i] - v[i]).max(f64::EPSILON * f64::EPSILON.max(self.upper[i].abs()))
    }

    /// By how much a bound of entry i was widened.
    pub fn widening(&self, i: usize, bound: f64) -> f64 {
        self.widest.get(i).map_or(0.0, |widest| widening(bound, *widest))
    }

    /// Whether bounds were widened.
    pub fn is_relaxed(&self) -> bool {
        !self.widest.is_empty()
    }

    /// Moves each variable at least the share κ of its room (or κ max(1, |bound|)) inside its bounds.
    pub fn push_variables(&self, x: &mut [f64], kappa: f64) {
        self.push(0, x, kappa);
    }

    /// Moves each slack at least the share κ of its room (or κ max(1, |bound|)) inside its bounds.
    pub fn push_slacks(&self, s: &mut [f64], kappa: f64) {
        self.push(self.n, s, kappa);
    }

    fn push(&self, first: usize, v: &mut [f64], kappa: f64) {
        for (i, v) in (first..).zip(v) {
            let (lower, upper) = (self.lower[i], self.upper[i]);
            if self.fixed[i] {
                *v = lower;
                continue;
            }
            let room = kappa * (upper - lower);
            if lower > f64::NEG_INFINITY {
                *v = v.max(lower + (kappa * lower.abs().max(1.0)).min(room));
            }
            if upper < f64::INFINITY {
                *v = v.min(upper - (kappa * upper.abs().max(1.0)).min(room));
            }
        }
    }

    /// Writes c(x) − s.
    pub fn residual(&self, nlp: &mut dyn Staged, v: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        nlp.constraints(&v[..self.n], out)?;
        for (row, value) in out.iter().enumerate() {
            if !value.is_finite() {
                return Err(EvalFailure { place: nlp.row_name(row), reason: format!("its value is {value}") });
            }
        }
        for (row, value) in out.iter_mut().enumerate() {
            *value = if self.open[row] { 0.0 } else { *value - v[self.n + row] };
        }
        Ok(())
    }

    /// The objective, checked to be finite.
    pub fn objective(&self, nlp: &mut dyn Staged, v: &[f64]) -> Result<f64, EvalFailure> {
        let value = nlp.objective(&v[..self.n])?;
        if value.is_finite() {
            Ok(value)
        } else {
            Err(EvalFailure { place: "objective".to_owned(), reason: format!("its value is {value}") })
        }
    }
}
