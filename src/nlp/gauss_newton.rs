//! A program seen by a method of Gauss and Newton.

use super::{Bounds, EvalFailure, Nlp, Pattern};

/// A program whose first Hessians are those of its objective alone. Where the objective is a sum of squares that can become
/// small, so are the multipliers of a solution, and what is left out with them hardly matters; but far from it they are wrong,
/// and their curvature misleads. Near the solution, where steps have become short, the whole Hessian lets the last ones
/// converge quadratically.
pub struct GaussNewton<P> {
    program: P,
    zeros: Vec<f64>,
    /// Number of Hessians that may still be those of the objective.
    left: usize,
    /// Where the last one was.
    last: Vec<f64>,
}

/// Largest change of a variable from one Hessian to the next, relative to the largest variable, that counts as a short step.
const SHORT: f64 = 1e-2;

impl<P: Nlp> GaussNewton<P> {
    /// The same program without the curvature of its rows in the first Hessians, at most so many.
    pub fn new(program: P, most: usize) -> Self {
        let zeros = vec![0.0; program.bounds().rows()];
        Self { program, zeros, left: most, last: Vec::new() }
    }

    /// Whether the curvature of the rows is still left out at a point.
    fn begins(&mut self, x: &[f64]) -> bool {
        let largest = x.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        let step = x.iter().zip(&self.last).fold(0.0f64, |most, (x, last)| most.max((x - last).abs()));
        // The first steps may be short because they are shortened, but a search moves at its beginning.
        let near = !self.last.is_empty() && step > 0.0 && step <= SHORT * largest;
        self.left = if near { 0 } else { self.left.saturating_sub(1) };
        self.last.clear();
        self.last.extend_from_slice(x);
        self.left > 0
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
        let begins = self.left > 0 && self.begins(x);
        let lambda = if begins { &self.zeros } else { lambda };
        self.program.hessian(x, sigma, lambda, values)
    }

    fn variable_name(&self, variable: usize) -> String {
        self.program.variable_name(variable)
    }

    fn row_name(&self, row: usize) -> String {
        self.program.row_name(row)
    }
}
