//! Violation and dual infeasibility over the iterations of a nonlinear program, on a logarithmic scale.

use super::axes::Quantity;
use super::panels::{Changes, Curve, Panel, Panels};
use super::style::Stroke;
use crate::results::{Iteration, Outcome};

/// What is smaller, zero above all, is drawn at this size.
const FLOOR: f64 = 1e-16;

/// Whether there are optimality conditions that converge; a square system has none.
pub(super) fn applicable(outcome: &Outcome) -> bool {
    let rows = &outcome.report.iterations;
    rows.len() > 1 && rows.iter().any(|row| row.inf_du != 0.0)
}

/// The drawing of the iteration table of a result.
pub(super) fn drawing(outcome: &Outcome) -> Panels {
    // Rows that are not finite have no place on the scale.
    let rows = outcome.report.iterations.iter().filter(|row| row.inf_pr.is_finite() && row.inf_du.is_finite());
    let rows: Vec<&Iteration> = rows.collect();
    let exponents = |of: fn(&Iteration) -> f64| rows.iter().map(|row| of(row).max(FLOOR).log10()).collect();
    let curves = vec![
        Curve { name: "violation".to_owned(), values: exponents(|row| row.inf_pr), stroke: Stroke::curve(0) },
        Curve { name: "optimality".to_owned(), values: exponents(|row| row.inf_du), stroke: Stroke::curve(1) },
    ];
    let report = &outcome.report;
    let title = if report.title.is_empty() { &report.problem.file } else { &report.title };
    Panels {
        title: title.clone(),
        along: Quantity { name: "iteration".to_owned(), unit: String::new() },
        t: rows.iter().map(|row| row.iter as f64).collect(),
        panels: vec![Panel {
            quantity: Quantity { name: "log₁₀ of error".to_owned(), unit: String::new() }, curves
        }],
        interval: None,
        changes: Changes::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(table: &[(f64, f64)]) -> Outcome {
        let row = |(iter, (inf_pr, inf_du)): (usize, &(f64, f64))| Iteration {
            iter,
            inf_pr: *inf_pr,
            inf_du: *inf_du,
            ..Iteration::default()
        };
        let mut outcome = Outcome::default();
        outcome.report.iterations = table.iter().enumerate().map(row).collect();
        outcome
    }

    #[test]
    fn errors_are_drawn_as_powers_of_ten_down_to_the_floor() {
        let drawing = drawing(&outcome(&[(10.0, 1.0), (f64::NAN, 1.0), (1e-3, 1e-8), (0.0, 1e-30)]));
        assert_eq!(drawing.t, [0.0, 2.0, 3.0]);
        assert_eq!(drawing.panels[0].curves[0].values, [1.0, -3.0, -16.0]);
        assert_eq!(drawing.panels[0].curves[1].values, [0.0, -8.0, -16.0]);
    }

    #[test]
    fn square_systems_and_single_points_have_no_convergence() {
        assert!(applicable(&outcome(&[(1.0, 1.0), (0.5, 0.0)])));
        assert!(!applicable(&outcome(&[(1.0, 0.0), (0.5, 0.0)])));
        assert!(!applicable(&outcome(&[(1.0, 1.0)])));
    }
}
