//! The matrix of Newton's method against differences of the equations.

use super::*;
use lariat::discretisation::boundary_value::{Differences, Horizon, Local};
use lariat::nlp::SquareSystem;
use lariat::problem::Question;

/// Where nothing is remembered, stresses are those of the strains, and the matrix is the derivative of the equations: against central
/// differences along directions, whose own error is about 1e-8 of the largest term.
#[test]
fn the_matrix_is_the_derivative_of_the_equations() {
    for text in [gallery("two-link-flexible"), space::LINK.to_owned()] {
        let coarse = text.replace("order = 4", "order = 2");
        let Question::Servo(system) = problem(&coarse, &[]).question else { panic!("another question") };
        let mut local = Local::new(&system.problem).unwrap();
        let n = system.problem.reference.len();
        let dt = 0.05;
        let times: Vec<f64> = (0..6).map(|k| 0.7 + f64::from(k) * dt).collect();
        let ends = [system.problem.reference.clone(), system.problem.reference.clone()];
        let mut horizon = Horizon::new(&mut local, times, Differences::central(dt), ends, 1.0, Vec::new());
        let (size, block) = (horizon.size(), horizon.size() / 6);
        // A motion that strains and turns everything; numbers without a pattern.
        let wave = |i: usize, a: f64| (a * (i * i + 3 * i) as f64).sin();
        let x: Vec<f64> = (0..size)
            .map(|i| match i % block {
                j if j < n => system.problem.reference[j] + 0.01 * wave(i, 0.7),
                _ => 0.3 * wave(i, 0.3),
            })
            .collect();
        let mut values = vec![0.0; horizon.pattern().nnz()];
        horizon.jacobian(&x, &mut values).unwrap();
        for direction in 0..3 {
            let d: Vec<f64> = (0..size).map(|i| wave(i, 0.11 + 0.2 * f64::from(direction))).collect();
            let mut product = vec![0.0; size];
            horizon.pattern().multiply(&values, &d, &mut product);
            let mut at = |h: f64| {
                let moved: Vec<f64> = x.iter().zip(&d).map(|(x, d)| x + h * d).collect();
                let mut rows = vec![0.0; size];
                horizon.residual(&moved, &mut rows).unwrap();
                rows
            };
            let (after, before) = (at(1e-6), at(-1e-6));
            let largest = product.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
            for (row, product) in product.iter().enumerate() {
                let difference = (after[row] - before[row]) / 2e-6;
                assert!((product - difference).abs() < 1e-6 * largest, "{row}: {product} against {difference}");
            }
        }
    }
}
