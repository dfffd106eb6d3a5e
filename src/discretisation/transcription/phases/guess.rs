//! Where a phase may be guessed to end.

use nalgebra::{DMatrix, DVector};

use super::super::{ControlProblem, Formula};
use super::programs;
use crate::nlp::Nlp;

const MAX_ITERATIONS: usize = 20;
/// Violation of a condition that is none.
const CLOSE: f64 = 1e-12;

/// A configuration near q, at rest, in which the conditions that end a phase hold: Newton's method with least changes. Where it
/// leads nowhere, q itself.
pub fn nearest_switch(problem: &ControlProblem, until: &[(String, Formula)], q: &[f64]) -> Vec<f64> {
    let mut program = programs::switching(problem, until);
    let (n, rows) = (q.len(), until.len());
    let mut x = [q, &vec![0.0; n]].concat();
    x.resize(program.bounds().variables(), problem.guess.duration);
    let pattern = program.jacobian_pattern().clone();
    let (mut values, mut entries) = (vec![0.0; rows], vec![0.0; pattern.nnz()]);
    for _ in 0..MAX_ITERATIONS {
        if program.constraints(&x, &mut values).is_err() || program.jacobian(&x, &mut entries).is_err() {
            break;
        }
        if values.iter().all(|value| value.abs() < CLOSE) {
            return x[..n].to_vec();
        }
        let mut slopes = DMatrix::zeros(rows, n);
        for col in 0..n {
            pattern.column(col).for_each(|entry| slopes[(pattern.row_idx()[entry], col)] = entries[entry]);
        }
        let Some(inverse) = (&slopes * slopes.transpose()).try_inverse() else { break };
        let change = slopes.transpose() * inverse * DVector::from_column_slice(&values);
        x.iter_mut().zip(change.iter()).for_each(|(x, change)| *x -= change);
    }
    q.to_vec()
}
