//! A program with one bound dropped and the quantity it bounded as the objective.

use crate::nlp::{Bounds, EvalFailure, Nlp, Pattern};

/// A variable or row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    Variable(usize),
    Row(usize),
}

/// Which bound is dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Lower,
    Upper,
}

impl Side {
    /// +1 where the bound has to grow to admit more points.
    pub fn sign(self) -> f64 {
        match self {
            Self::Lower => -1.0,
            Self::Upper => 1.0,
        }
    }
}

/// Minimises the target if its upper bound is dropped, maximises it if its lower bound is.
pub(super) struct Extremal<'a> {
    nlp: &'a mut dyn Nlp,
    target: Target,
    sign: f64,
    bounds: Bounds,
    rows: Vec<f64>,
    jacobian: Vec<f64>,
    lambda: Vec<f64>,
}

impl<'a> Extremal<'a> {
    pub fn new(nlp: &'a mut dyn Nlp, target: Target, side: Side) -> Self {
        let mut bounds = nlp.bounds().clone();
        match (target, side) {
            (Target::Variable(i), Side::Lower) => bounds.x_lower[i] = f64::NEG_INFINITY,
            (Target::Variable(i), Side::Upper) => bounds.x_upper[i] = f64::INFINITY,
            (Target::Row(i), Side::Lower) => bounds.c_lower[i] = f64::NEG_INFINITY,
            (Target::Row(i), Side::Upper) => bounds.c_upper[i] = f64::INFINITY,
        }
        let (m, nnz) = (bounds.rows(), nlp.jacobian_pattern().nnz());
        Self {
            nlp,
            target,
            sign: side.sign(),
            bounds,
            rows: vec![0.0; m],
            jacobian: vec![0.0; nnz],
            lambda: vec![0.0; m],
        }
    }
}

impl Nlp for Extremal<'_> {
    fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    fn jacobian_pattern(&self) -> &Pattern {
        self.nlp.jacobian_pattern()
    }

    fn hessian_pattern(&self) -> &Pattern {
        self.nlp.hessian_pattern()
    }

    fn objective(&mut self, x: &[f64]) -> Result<f64, EvalFailure> {
        match self.target {
            Target::Variable(i) => Ok(self.sign * x[i]),
            Target::Row(i) => {
                self.nlp.constraints(x, &mut self.rows)?;
                Ok(self.sign * self.rows[i])
            }
        }
    }

    fn gradient(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        out.fill(0.0);
        match self.target {
            Target::Variable(i) => out[i] = self.sign,
            Target::Row(i) => {
                self.nlp.jacobian(x, &mut self.jacobian)?;
                let pattern = self.nlp.jacobian_pattern();
                for (column, out) in out.iter_mut().enumerate() {
                    for entry in pattern.column(column).filter(|&entry| pattern.row_idx()[entry] == i) {
                        *out += self.sign * self.jacobian[entry];
                    }
                }
            }
        }
        Ok(())
    }

    fn constraints(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        self.nlp.constraints(x, out)
    }

    fn jacobian(&mut self, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        self.nlp.jacobian(x, values)
    }

    fn hessian(&mut self, x: &[f64], sigma: f64, lambda: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        self.lambda.copy_from_slice(lambda);
        if let Target::Row(i) = self.target {
            self.lambda[i] += sigma * self.sign;
        }
        self.nlp.hessian(x, 0.0, &self.lambda, values)
    }

    fn variable_name(&self, variable: usize) -> String {
        self.nlp.variable_name(variable)
    }

    fn row_name(&self, row: usize) -> String {
        self.nlp.row_name(row)
    }
}
