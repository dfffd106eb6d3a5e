//! Nonlinear programs: an objective to minimise under sparse constraints.

use super::{EvalFailure, Pattern};

/// Bounds of the variables and rows of a program; an infinite bound is no bound.
///
/// Equal bounds fix a variable or make a row an equation.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bounds {
    /// Lower bounds of the variables, x_L.
    pub x_lower: Vec<f64>,
    /// Upper bounds of the variables, x_U.
    pub x_upper: Vec<f64>,
    /// Lower bounds of the rows, c_L.
    pub c_lower: Vec<f64>,
    /// Upper bounds of the rows, c_U.
    pub c_upper: Vec<f64>,
}

impl Bounds {
    /// Free variables and rows that are equations c(x) = 0.
    pub fn free(variables: usize, rows: usize) -> Self {
        Self {
            x_lower: vec![f64::NEG_INFINITY; variables],
            x_upper: vec![f64::INFINITY; variables],
            c_lower: vec![0.0; rows],
            c_upper: vec![0.0; rows],
        }
    }

    /// Number of variables.
    pub fn variables(&self) -> usize {
        self.x_lower.len()
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.c_lower.len()
    }
}

/// The program min f(x) subject to c_L ≤ c(x) ≤ c_U and x_L ≤ x ≤ x_U.
///
/// Patterns never change during the life of the program; values are asked for many times. The Lagrangian is
/// σ f + Σᵢ λᵢ cᵢ, so at a solution ∇f + Jᵀλ − z_L + z_U = 0 with z_L, z_U ≥ 0, and λᵢ ≥ 0 where row i rests on its upper
/// bound. Values that are not finite are taken for a failure to evaluate; an implementation that knows the place and the
/// reason returns an [`EvalFailure`] instead.
pub trait Nlp {
    /// Bounds of variables and rows; their number is that of the program.
    fn bounds(&self) -> &Bounds;

    /// Pattern of ∂c/∂x, rows × variables.
    fn jacobian_pattern(&self) -> &Pattern;

    /// Pattern of the lower triangle (row ≥ column) of the Hessian of the Lagrangian.
    fn hessian_pattern(&self) -> &Pattern;

    /// The objective f(x).
    fn objective(&mut self, x: &[f64]) -> Result<f64, EvalFailure>;

    /// Writes ∇f(x).
    fn gradient(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure>;

    /// Writes c(x).
    fn constraints(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure>;

    /// Writes the values of ∂c/∂x, overwriting what is there.
    fn jacobian(&mut self, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure>;

    /// Writes the lower triangle of σ ∇²f + Σᵢ λᵢ ∇²cᵢ, overwriting what is there.
    fn hessian(&mut self, x: &[f64], sigma: f64, lambda: &[f64], values: &mut [f64]) -> Result<(), EvalFailure>;

    /// The variable in the user's words, for example `hip torque at t = 0.42`.
    fn variable_name(&self, variable: usize) -> String;

    /// The row in the user's words.
    fn row_name(&self, row: usize) -> String;
}
