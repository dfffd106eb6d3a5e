//! Formulas over scalars.

use num_dual::Dual64;

use super::Formula;
use crate::scalar::{Rated, Real, Scalar};

/// A scalar over which formulas of problem files can be evaluated.
pub trait FormulaScalar: Scalar {
    /// The value of a formula that does not depend on the time; not a number where it has none.
    fn formula(formula: &Formula, variables: &[Self]) -> Self;
}

impl<T: Real> FormulaScalar for T {
    fn formula(formula: &Formula, variables: &[Self]) -> Self {
        formula.eval(variables, T::from(0.0)).unwrap_or_else(|_| T::from(f64::NAN))
    }
}

impl FormulaScalar for Rated<f64> {
    fn formula(formula: &Formula, variables: &[Self]) -> Self {
        let variables: Vec<Dual64> = variables.iter().map(|x| Dual64::new(x.value, x.rate)).collect();
        let found = Dual64::formula(formula, &variables);
        Rated { value: found.re, rate: found.eps }
    }
}
