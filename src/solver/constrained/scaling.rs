//! Gradient-based scaling: rows and objective with large derivatives at the start are divided by them.

use super::staged::Staged;
use crate::nlp::{Bounds, EvalFailure, Nlp, Pattern};

/// Derivatives at the start above this are scaled down to it.
const LARGEST: f64 = 100.0;
/// No factor is smaller than this: a derivative that is huge at one point need not be huge elsewhere.
const SMALLEST_FACTOR: f64 = 1e-8;

/// Factors of objective and rows, and the bounds of the scaled rows.
#[derive(Debug, Clone)]
pub(super) struct Scaling {
    pub objective: f64,
    pub rows: Vec<f64>,
    bounds: Bounds,
    lambda: Vec<f64>,
}

impl Scaling {
    /// No scaling at all.
    pub fn identity(nlp: &dyn Nlp) -> Self {
        Self::new(nlp, 1.0, vec![1.0; nlp.bounds().rows()])
    }

    /// Factors min(1, 100 / max |derivative|) from the derivatives at the start; without those of the rows, rows stay as they
    /// are.
    pub fn from_derivatives(nlp: &dyn Nlp, gradient: &[f64], jacobian: &[f64]) -> Self {
        let factor = |largest: f64| if largest > LARGEST { (LARGEST / largest).max(SMALLEST_FACTOR) } else { 1.0 };
        let mut rows = vec![0.0f64; nlp.bounds().rows()];
        for (&row, value) in nlp.jacobian_pattern().row_idx().iter().zip(jacobian) {
            rows[row] = rows[row].max(value.abs());
        }
        rows.iter_mut().for_each(|row| *row = factor(*row));
        Self::new(nlp, factor(gradient.iter().fold(0.0, |largest, g| g.abs().max(largest))), rows)
    }

    fn new(nlp: &dyn Nlp, objective: f64, rows: Vec<f64>) -> Self {
        let mut bounds = nlp.bounds().clone();
        for ((lower, upper), factor) in bounds.c_lower.iter_mut().zip(&mut bounds.c_upper).zip(&rows) {
            *lower *= factor;
            *upper *= factor;
        }
        Self { objective, lambda: vec![0.0; rows.len()], rows, bounds }
    }

    /// The program seen through these factors.
    pub fn view<'a>(&'a mut self, nlp: &'a mut dyn Nlp) -> Scaled<'a> {
        Scaled { scaling: self, nlp }
    }
}

/// A program with scaled objective and rows.
pub(super) struct Scaled<'a> {
    scaling: &'a mut Scaling,
    nlp: &'a mut dyn Nlp,
}

impl Nlp for Scaled<'_> {
    fn bounds(&self) -> &Bounds {
        &self.scaling.bounds
    }

    fn jacobian_pattern(&self) -> &Pattern {
        self.nlp.jacobian_pattern()
    }

    fn hessian_pattern(&self) -> &Pattern {
        self.nlp.hessian_pattern()
    }

    fn objective(&mut self, x: &[f64]) -> Result<f64, EvalFailure> {
        Ok(self.scaling.objective * self.nlp.objective(x)?)
    }

    fn gradient(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        self.nlp.gradient(x, out)?;
        out.iter_mut().for_each(|value| *value *= self.scaling.objective);
        Ok(())
    }

    fn constraints(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        self.nlp.constraints(x, out)?;
        out.iter_mut().zip(&self.scaling.rows).for_each(|(value, factor)| *value *= factor);
        Ok(())
    }

    fn jacobian(&mut self, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        self.nlp.jacobian(x, values)?;
        for (value, &row) in values.iter_mut().zip(self.nlp.jacobian_pattern().row_idx()) {
            *value *= self.scaling.rows[row];
        }
        Ok(())
    }

    fn hessian(&mut self, x: &[f64], sigma: f64, lambda: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        for ((scaled, lambda), factor) in self.scaling.lambda.iter_mut().zip(lambda).zip(&self.scaling.rows) {
            *scaled = lambda * factor;
        }
        self.nlp.hessian(x, sigma * self.scaling.objective, &self.scaling.lambda, values)
    }

    fn variable_name(&self, variable: usize) -> String {
        self.nlp.variable_name(variable)
    }

    fn row_name(&self, row: usize) -> String {
        self.nlp.row_name(row)
    }
}

impl Staged for Scaled<'_> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nlp::graph::Graph;

    #[test]
    fn rows_keep_their_units_where_their_derivatives_are_left_out() {
        let g = Graph::new();
        let x = g.variable("x", 0.0, -1.0, 1.0);
        g.subject_to("steep", 1e4 * x, 1.0, 2.0);
        g.minimise(1e3 * x);
        let program = g.build();
        for (jacobian, factor) in [(&[1e4][..], 0.01), (&[], 1.0)] {
            let scaling = Scaling::from_derivatives(&program, &[1e3], jacobian);
            assert_eq!((scaling.objective, &scaling.rows[..]), (0.1, &[factor][..]));
            assert_eq!((scaling.bounds.c_lower[0], scaling.bounds.c_upper[0]), (factor, 2.0 * factor));
        }
    }
}
