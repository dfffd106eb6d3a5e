//! A program seen by a method of Gauss and Newton.

use super::{Bounds, EvalFailure, Nlp, Pattern};

/// A program whose first Hessians are those of its objective alone. Where the objective is a sum of squares that can become
/// small, so are the multipliers of a solution, and what is left out with them hardly matters; but far from it they are wrong,
/// and their curvature misleads. Near the solution the whole Hessian lets the last steps converge quadratically.
pub struct GaussNewton<P> {
    program: P,
    zeros: Vec<f64>,
    /// Number of Hessians that are still to be those of the objective.
    left: usize,
}

impl<P: Nlp> GaussNewton<P> {
    /// The same program without the curvature of its rows in the first Hessians.
    pub fn new(program: P, first: usize) -> Self {
        let zeros = vec![0.0; program.bounds().rows()];
        Self { program, zeros, left: first }
    }
}

impl<P: Nlp> Nlp for GaussNewton<P> {
    fn bounds(&self) -> &Bounds {
        self.program.bounds()
    }

    fn jacobian_pattern(&self) -> &Pattern {
        self.program.jacobian_pattern()
    }

    fn hessian_pattern(&self) -> &Pattern {
        self.program.hessian_pattern()
    }

    fn objective(&mut self, x: &[f64]) -> Result<f64, EvalFailure> {
        self.program.objective(x)
    }

    fn gradient(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        self.program.gradient(x, out)
    }

    fn constraints(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        self.program.constraints(x, out)
    }

    fn jacobian(&mut self, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        self.program.jacobian(x, values)
    }

    fn hessian(&mut self, x: &[f64], sigma: f64, lambda: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        let lambda = if self.left > 0 { &self.zeros } else { lambda };
        self.left = self.left.saturating_sub(1);
        self.program.hessian(x, sigma, lambda, values)
    }

    fn variable_name(&self, variable: usize) -> String {
        self.program.variable_name(variable)
    }

    fn row_name(&self, row: usize) -> String {
        self.program.row_name(row)
    }
}
