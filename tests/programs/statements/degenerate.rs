//! The degenerate programs are what their names say.

use super::first_order::first_order;
use crate::problems::degenerate::{Degenerate, Expected, all};
use lariat::nlp::Nlp;
use lariat::nlp::graph::Program;
use std::collections::BTreeSet;

fn violation(program: &mut Program, x: &[f64]) -> f64 {
    let bounds = program.bounds().clone();
    let mut rows = vec![0.0; bounds.rows()];
    program.constraints(x, &mut rows).unwrap();
    let outside = |value: f64, lower: f64, upper: f64| (lower - value).max(value - upper).max(0.0);
    let of_rows = (0..rows.len()).map(|i| outside(rows[i], bounds.c_lower[i], bounds.c_upper[i]));
    let of_variables = (0..x.len()).map(|j| outside(x[j], bounds.x_lower[j], bounds.x_upper[j]));
    of_rows.chain(of_variables).fold(0.0, f64::max)
}

#[test]
fn names_are_unique() {
    let names: BTreeSet<&str> = all().iter().map(|problem| problem.name).collect();
    assert_eq!(names.len(), all().len());
}

#[test]
fn optima_are_feasible_and_stationary_where_multipliers_exist() {
    for Degenerate { name, build, expected, witness, multipliers } in all() {
        let (Expected::Optimum(optimum) | Expected::Undefined(optimum)) = expected else { continue };
        let mut program = build();
        assert!((program.objective(witness).unwrap() - optimum).abs() < 1e-12, "{name}");
        assert!(violation(&mut program, witness) < 1e-12, "{name}");
        let left = first_order(&mut program, witness, 1e-12);
        assert_eq!(left.gradient < 1e-9, multipliers, "{name}: {}", left.gradient);
    }
}

/// No feasible point of a grid around the minimiser is better.
#[test]
fn optima_are_minimal() {
    for Degenerate { name, build, expected, witness, .. } in all() {
        let (Expected::Optimum(optimum) | Expected::Undefined(optimum)) = expected else { continue };
        let mut program = build();
        for x in grid(witness) {
            let Ok(objective) = program.objective(&x) else { continue };
            let mut rows = vec![0.0; program.bounds().rows()];
            if program.constraints(&x, &mut rows).is_ok() && violation(&mut program, &x) <= 0.0 {
                assert!(objective >= optimum - 1e-9, "{name}: {objective} at {x:?}");
            }
        }
    }
}

#[test]
fn infeasible_programs_are_violated_everywhere() {
    for Degenerate { name, build, expected, .. } in all() {
        if expected == Expected::Infeasible {
            let mut program = build();
            let start = program.start().to_vec();
            for x in grid(&start) {
                assert!(violation(&mut program, &x) >= 0.4, "{name}: {x:?}");
            }
        }
    }
}

#[test]
fn unbounded_programs_have_feasible_points_far_down() {
    for Degenerate { name, build, expected, witness, .. } in all() {
        if expected == Expected::Unbounded {
            let mut program = build();
            assert!(program.objective(witness).unwrap() < -1e6, "{name}");
            assert_eq!(violation(&mut program, witness), 0.0, "{name}");
        }
    }
}

#[test]
fn undefined_programs_fail_at_the_start_alone() {
    for Degenerate { name, build, expected, .. } in all() {
        let mut program = build();
        let start = program.start().to_vec();
        let mut rows = vec![0.0; program.bounds().rows()];
        let defined = program.objective(&start).is_ok() && program.constraints(&start, &mut rows).is_ok();
        assert_eq!(defined, !matches!(expected, Expected::Undefined(_)), "{name}");
    }
}

/// Points within 3 of the centre, in steps of 1/4.
fn grid(centre: &[f64]) -> Vec<Vec<f64>> {
    let mut points = vec![Vec::new()];
    for middle in centre {
        points = points
            .into_iter()
            .flat_map(|point: Vec<f64>| (-12..=12).map(move |i| [&point[..], &[middle + 0.25 * f64::from(i)]].concat()))
            .collect();
    }
    points
}
