//! First-order conditions at a point: the best multipliers with the right signs and what they leave of the gradient.

use lariat::nlp::Nlp;
use lariat::nlp::graph::Program;
use nalgebra::{DMatrix, DVector};

/// What is left of the conditions at a point.
pub struct FirstOrder {
    /// The largest violation of a bound, relative to the size of the terms that meet there.
    pub violation: f64,
    /// The largest entry of ∇f + Jᵀλ − z, relative to the largest term in it or the objective.
    pub gradient: f64,
}

/// Measures the conditions of Karush, Kuhn and Tucker at x. Rows and variables count as active within `digits` of their
/// bounds; lengths are measured in units of the entries of x.
pub fn first_order(program: &mut Program, x: &[f64], digits: f64) -> FirstOrder {
    let bounds = program.bounds().clone();
    let (n, m) = (bounds.variables(), bounds.rows());
    let unit: Vec<f64> = x.iter().map(|x| if *x == 0.0 { 1.0 } else { x.abs() }).collect();
    let mut gradient = vec![0.0; n];
    program.gradient(x, &mut gradient).unwrap();
    let mut rows = vec![0.0; m];
    program.constraints(x, &mut rows).unwrap();
    let jacobian = dense_jacobian(program, x);

    let mut violation: f64 = 0.0;
    let mut columns: Vec<DVector<f64>> = Vec::new();
    let mut meet = |value: f64, lower: f64, upper: f64, slope: DVector<f64>| {
        let size = 1e-3_f64.max(slope.amax()).max(value.abs());
        violation = violation.max((lower - value) / size).max((value - upper) / size);
        if value - lower <= 100.0 * digits * size {
            columns.push(slope.clone());
        }
        if upper - value <= 100.0 * digits * size {
            columns.push(-slope);
        }
    };
    for i in 0..m {
        let slope = DVector::from_fn(n, |j, _| jacobian[(i, j)] * unit[j]);
        meet(rows[i], bounds.c_lower[i], bounds.c_upper[i], slope);
    }
    for j in 0..n {
        let slope = DVector::from_fn(n, |k, _| if k == j { unit[j] } else { 0.0 });
        meet(x[j], bounds.x_lower[j], bounds.x_upper[j], slope);
    }

    let right = DVector::from_fn(n, |j, _| gradient[j] * unit[j]);
    let active = if columns.is_empty() { DMatrix::zeros(n, 0) } else { DMatrix::from_columns(&columns) };
    let multipliers = non_negative_least_squares(&active, &right);
    let rest = &right - &active * &multipliers;
    let terms = columns.iter().zip(multipliers.iter()).map(|(column, z)| column.amax() * z);
    let objective = program.objective(x).unwrap();
    let size = terms.fold(right.amax().max(objective.abs()).max(1e-6), f64::max);
    FirstOrder { violation, gradient: rest.amax() / size }
}

fn dense_jacobian(program: &mut Program, x: &[f64]) -> DMatrix<f64> {
    let pattern = program.jacobian_pattern().clone();
    let mut values = vec![0.0; pattern.nnz()];
    program.jacobian(x, &mut values).unwrap();
    let mut dense = DMatrix::zeros(pattern.nrows(), pattern.ncols());
    for col in 0..pattern.ncols() {
        for entry in pattern.col_ptr()[col]..pattern.col_ptr()[col + 1] {
            dense[(pattern.row_idx()[entry], col)] = values[entry];
        }
    }
    dense
}

/// min ‖A z − b‖ over z ≥ 0 by the active set method of Lawson and Hanson.
fn non_negative_least_squares(a: &DMatrix<f64>, b: &DVector<f64>) -> DVector<f64> {
    let count = a.ncols();
    let mut z = DVector::zeros(count);
    let mut passive = vec![false; count];
    for _ in 0..10 * (count + 1) {
        let slope = a.transpose() * (b - a * &z);
        let candidate = (0..count)
            .filter(|&j| !passive[j] && slope[j] > 1e-13 * a.column(j).norm() * (1e-30 + b.norm()))
            .max_by(|&i, &j| (slope[i] / a.column(i).norm()).total_cmp(&(slope[j] / a.column(j).norm())));
        let Some(entering) = candidate else { break };
        passive[entering] = true;
        loop {
            let chosen: Vec<usize> = (0..count).filter(|&j| passive[j]).collect();
            let solved = a.select_columns(&chosen).svd(true, true).solve(b, 1e-13).unwrap();
            if solved.iter().all(|value| *value > 0.0) {
                z.fill(0.0);
                chosen.iter().zip(solved.iter()).for_each(|(&j, value)| z[j] = *value);
                break;
            }
            let blocked = chosen.iter().zip(solved.iter()).filter(|(_, value)| **value <= 0.0);
            let step = blocked.map(|(&j, value)| z[j] / (z[j] - value)).fold(1.0, f64::min);
            for (&j, value) in chosen.iter().zip(solved.iter()) {
                z[j] += step * (value - z[j]);
                if z[j] <= 1e-14 {
                    z[j] = 0.0;
                    passive[j] = false;
                }
            }
            if !passive.contains(&true) {
                break;
            }
        }
    }
    z
}

#[test]
fn multipliers_have_the_right_sign() {
    // z = (1, 0) is best where the unconstrained solution is (1, −2).
    let a = DMatrix::from_row_slice(2, 2, &[1.0, 0.0, 0.0, 1.0]);
    let z = non_negative_least_squares(&a, &DVector::from_row_slice(&[1.0, -2.0]));
    assert_eq!(z.as_slice(), [1.0, 0.0]);
}
