//! The current point with its derivatives, and how far it is from being optimal.

use super::staged::Staged;
use super::standard::Standard;
use crate::nlp::{EvalFailure, Pattern};

/// Multipliers of this average size begin to weaken the dual tolerance.
const LARGE_MULTIPLIER: f64 = 100.0;

/// Primal and dual variables of the standard form, with values and first derivatives.
#[derive(Debug, Clone)]
pub(super) struct Point {
    /// v = (x, s).
    pub v: Vec<f64>,
    /// Multipliers of c(x) − s = 0.
    pub lambda: Vec<f64>,
    /// Multipliers of the lower bounds of v; zero where there is none.
    pub z_lower: Vec<f64>,
    /// Multipliers of the upper bounds of v; zero where there is none.
    pub z_upper: Vec<f64>,
    pub objective: f64,
    /// c(x) − s.
    pub residual: Vec<f64>,
    pub gradient: Vec<f64>,
    pub jacobian: Vec<f64>,
}

impl Point {
    pub fn new(standard: &Standard, nnz: usize) -> Self {
        let (n, m) = (standard.n, standard.m);
        Self {
            v: vec![0.0; n + m],
            lambda: vec![0.0; m],
            z_lower: vec![0.0; n + m],
            z_upper: vec![0.0; n + m],
            objective: 0.0,
            residual: vec![0.0; m],
            gradient: vec![0.0; n],
            jacobian: vec![0.0; nnz],
        }
    }

    pub fn evaluate(&mut self, standard: &Standard, nlp: &mut dyn Staged) -> Result<(), EvalFailure> {
        self.objective = standard.objective(nlp, &self.v)?;
        standard.residual(nlp, &self.v, &mut self.residual)?;
        self.differentiate(standard, nlp)
    }

    pub fn differentiate(&mut self, standard: &Standard, nlp: &mut dyn Staged) -> Result<(), EvalFailure> {
        let x = &self.v[..standard.n];
        nlp.gradient(x, &mut self.gradient)?;
        nlp.jacobian(x, &mut self.jacobian)?;
        if let Some(j) = self.gradient.iter().position(|value| !value.is_finite()) {
            let reason = format!("its derivative by {} is {}", nlp.variable_name(j), self.gradient[j]);
            return Err(EvalFailure { place: "objective".to_owned(), reason });
        }
        if let Some(entry) = self.jacobian.iter().position(|value| !value.is_finite()) {
            let pattern = nlp.jacobian_pattern();
            let column = pattern.col_ptr().partition_point(|&start| start <= entry) - 1;
            let reason = format!("its derivative by {} is {}", nlp.variable_name(column), self.jacobian[entry]);
            return Err(EvalFailure { place: nlp.row_name(pattern.row_idx()[entry]), reason });
        }
        Ok(())
    }

    /// ‖c(x) − s‖₁.
    pub fn violation(&self) -> f64 {
        self.residual.iter().map(|r| r.abs()).sum()
    }

    /// Writes the gradient of the Lagrangian by v without bound multipliers: (∇f + Jᵀλ, −λ).
    pub fn lagrangian_gradient(&self, standard: &Standard, jacobian: &Pattern, out: &mut [f64]) {
        let (x, s) = out.split_at_mut(standard.n);
        x.copy_from_slice(&self.gradient);
        jacobian.add_transposed(&self.jacobian, &self.lambda, x);
        for (out, lambda) in s.iter_mut().zip(&self.lambda) {
            *out = -lambda;
        }
    }

    /// The errors of the optimality conditions of the barrier problem with parameter μ (0: of the program).
    ///
    /// `work` has the size of v.
    pub fn errors(&self, standard: &Standard, jacobian: &Pattern, mu: f64, work: &mut [f64]) -> Errors {
        self.lagrangian_gradient(standard, jacobian, work);
        let mut errors = Errors::default();
        let (mut z_sum, mut z_count) = (0.0, 0usize);
        for (i, gradient) in work.iter().enumerate() {
            if standard.fixed[i] || (i >= standard.n && standard.open[i - standard.n]) {
                continue;
            }
            errors.dual = errors.dual.max((gradient - self.z_lower[i] + self.z_upper[i]).abs());
            if standard.has_lower(i) {
                let product = standard.above(&self.v, i) * self.z_lower[i];
                errors.take_product(product, mu, standard.lower[i] * self.z_lower[i]);
                (z_sum, z_count) = (z_sum + self.z_lower[i], z_count + 1);
            }
            if standard.has_upper(i) {
                let product = standard.below(&self.v, i) * self.z_upper[i];
                errors.take_product(product, mu, standard.upper[i] * self.z_upper[i]);
                (z_sum, z_count) = (z_sum + self.z_upper[i], z_count + 1);
            }
        }
        errors.primal = self.residual.iter().fold(0.0, |largest, r| largest.max(r.abs()));
        let lambda_sum: f64 = self.lambda.iter().map(|l| l.abs()).sum();
        let weaken = |sum: f64, count: usize| (sum / count.max(1) as f64).max(LARGE_MULTIPLIER) / LARGE_MULTIPLIER;
        errors.dual_scale = weaken(lambda_sum + z_sum, standard.m + z_count);
        errors.complementarity_scale = weaken(z_sum, z_count);
        errors
    }
}

/// Largest violations of the optimality conditions.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Errors {
    /// ‖∇f + Jᵀλ − z_L + z_U‖∞, with the rows of the slacks.
    pub dual: f64,
    /// ‖c(x) − s‖∞.
    pub primal: f64,
    /// Largest |(v − l) z − μ|.
    pub complementarity: f64,
    /// Sum of all (v − l) z.
    pub gap: f64,
    /// Large multipliers weaken the tolerances by these factors.
    pub dual_scale: f64,
    pub complementarity_scale: f64,
}

impl Errors {
    /// Takes in the product of a multiplier with the distance from its bound; `reach` is the multiplier times the bound,
    /// whose rounding errors the product cannot fall below.
    fn take_product(&mut self, product: f64, mu: f64, reach: f64) {
        let rounding = 4.0 * f64::EPSILON * reach.abs();
        self.complementarity = self.complementarity.max((product - mu).abs() - rounding);
        self.gap += (product - rounding).max(0.0);
    }

    /// The scaled optimality error.
    pub fn total(&self) -> f64 {
        let dual = self.dual / self.dual_scale;
        self.primal.max(dual).max(self.complementarity / self.complementarity_scale)
    }
}
