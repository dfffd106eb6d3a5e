//! How well a point with multipliers satisfies the first-order conditions of a program, without the solver's scaling.

use crate::nlp::{EvalFailure, Nlp};
use crate::solver::constrained::Iterate;

/// What is left of the conditions of Karush, Kuhn and Tucker.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measures {
    /// Objective that is minimised.
    pub objective: f64,
    /// Largest violation of a row or of a bound of a variable, relative to the bound, or to the largest derivative ·
    /// variable in the row, where that exceeds 1.
    pub violation: f64,
    /// Largest entry of ∇f + Jᵀλ − z_L + z_U.
    pub stationarity: f64,
    /// Largest product of a multiplier and the distance from its bound; the multiplier itself where that is smaller.
    pub complementarity: f64,
    /// The size the last two are to be compared with: the largest term of the gradient of the Lagrangian, or of that of
    /// the objective at the start, but at least 1.
    pub scale: f64,
}

impl Measures {
    /// Evaluates the program at a point.
    pub fn of(nlp: &mut dyn Nlp, at: &Iterate, start: &[f64]) -> Result<Self, EvalFailure> {
        let bounds = nlp.bounds().clone();
        let (n, m) = (bounds.variables(), bounds.rows());
        let mut slope = vec![0.0; n];
        // A start that cannot be evaluated says nothing about the size of the objective.
        let first = if nlp.gradient(start, &mut slope).is_ok() { largest(&slope) } else { 0.0 };
        let objective = nlp.objective(&at.x)?;
        let mut rows = vec![0.0; m];
        nlp.constraints(&at.x, &mut rows)?;
        nlp.gradient(&at.x, &mut slope)?;
        let mut scale = largest(&slope).max(first).max(1.0);
        let mut jacobian = vec![0.0; nlp.jacobian_pattern().nnz()];
        nlp.jacobian(&at.x, &mut jacobian)?;
        let pattern = nlp.jacobian_pattern();
        let mut size = vec![1.0f64; m];
        for (column, slope) in slope.iter_mut().enumerate() {
            for entry in pattern.column(column) {
                let row = pattern.row_idx()[entry];
                size[row] = size[row].max((jacobian[entry] * at.x[column]).abs());
                let term = jacobian[entry] * at.lambda[row];
                *slope += term;
                scale = scale.max(term.abs());
            }
            *slope += at.z_upper[column] - at.z_lower[column];
            scale = scale.max(at.z_lower[column].abs()).max(at.z_upper[column].abs());
        }
        let (mut violation, mut complementarity) = (0.0f64, 0.0f64);
        let mut meet = |value: f64, size: f64, [lower, upper]: [f64; 2], [below, above]: [f64; 2]| {
            for (bound, excess) in [(lower, lower - value), (upper, value - upper)] {
                // An infinite bound is never exceeded, and −∞/∞ would be no number.
                violation = if bound.is_finite() { violation.max(excess / bound.abs().max(size)) } else { violation };
            }
            // A fixed value needs no sign of its multiplier.
            if lower < upper {
                complementarity = complementarity.max(product(below, value - lower)).max(product(above, upper - value));
            }
        };
        for i in 0..m {
            let multipliers = [(-at.lambda[i]).max(0.0), at.lambda[i].max(0.0)];
            meet(rows[i], size[i], [bounds.c_lower[i], bounds.c_upper[i]], multipliers);
        }
        for i in 0..n {
            meet(at.x[i], 1.0, [bounds.x_lower[i], bounds.x_upper[i]], [at.z_lower[i], at.z_upper[i]]);
        }
        Ok(Self { objective, violation, stationarity: largest(&slope), complementarity, scale })
    }
}

/// The largest magnitude; NaN where there is one.
fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |worst, value| if value.abs() <= worst { worst } else { value.abs() + 0.0 * worst })
}

/// What is left of z ≥ 0, z · gap = 0.
fn product(z: f64, gap: f64) -> f64 {
    if z < 0.0 { -z } else { z.min(z * gap.abs()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nlp::graph::{Graph, Program};

    /// min x² + y subject to x + y ≥ 1, y ≤ 3, at x = 1/2, y = 1/2 with multiplier −1 of the row.
    fn program() -> Program {
        let g = Graph::new();
        let x = g.variable("x", 0.0, f64::NEG_INFINITY, f64::INFINITY);
        let y = g.variable("y", 0.0, f64::NEG_INFINITY, 3.0);
        g.subject_to("sum", x + y, 1.0, f64::INFINITY);
        g.minimise(x.square() + y);
        g.build()
    }

    fn at(x: [f64; 2], lambda: f64, above: f64) -> Measures {
        let iterate = Iterate { x: x.to_vec(), lambda: vec![lambda], z_lower: vec![0.0; 2], z_upper: vec![0.0, above] };
        Measures::of(&mut program(), &iterate, &[0.0, 0.0]).unwrap()
    }

    #[test]
    fn a_solution_leaves_nothing() {
        let left = at([0.5, 0.5], -1.0, 0.0);
        let wanted = Measures { objective: 0.75, violation: 0.0, stationarity: 0.0, complementarity: 0.0, scale: 1.0 };
        assert_eq!(left, wanted);
    }

    #[test]
    fn every_condition_is_missed_by_its_own_measure() {
        assert_eq!(at([0.5, 0.25], -1.0, 0.0).violation, 0.25);
        assert_eq!(at([0.5, 4.5], 0.0, 0.0).violation, 0.5);
        // The terms of the row are 8 and −8 where its value should be 1.
        assert_eq!(at([8.0, -8.0], 0.0, 0.0).violation, 0.125);
        assert_eq!(at([0.75, 0.5], -1.0, 0.0).stationarity, 0.5);
        // The row is 1/4 away from its bound, and its multiplier is 1.
        assert_eq!(at([0.5, 0.75], -1.0, 0.0).complementarity, 0.25);
        // An infinite bound has no multiplier at all.
        assert_eq!(at([0.5, 0.5], 2.0, 0.0).complementarity, 2.0);
        assert_eq!(at([0.5, 0.5], -1.0, -0.125).complementarity, 0.125);
        assert_eq!(at([3.0, 0.5], -1.0, 0.0).scale, 6.0);
        assert!(at([0.5, 0.5], f64::NAN, 0.0).stationarity.is_nan());
    }
}
