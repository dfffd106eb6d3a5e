//! Files written by hand against the formulas they stand for.

use super::{HS71, PIECEWISE};
use crate::nlp::Nlp;
use crate::nlp::ampl::{SolveResult, parse, read, solution};
use std::path::Path;

#[test]
fn hs71_is_read_with_names_start_bounds_and_duals() {
    let mut model = read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/nl/hs71.nl"))).unwrap();
    let program = &mut model.program;
    assert_eq!(program.start(), [1.0, 5.0, 5.0, 1.0]);
    let x = [1.5, 4.5, 3.5, 1.25];
    assert_eq!(program.objective(&x), Ok(1.5 * 1.25 * (1.5 + 4.5 + 3.5) + 3.5));
    let mut rows = [0.0; 2];
    program.constraints(&x, &mut rows).unwrap();
    assert_eq!(rows, [1.5 * 4.5 * 3.5 * 1.25, 1.5 * 1.5 + 4.5 * 4.5 + 3.5 * 3.5 + 1.25 * 1.25]);
    assert_eq!(program.bounds().x_lower, [1.0; 4]);
    assert_eq!(program.bounds().x_upper, [5.0; 4]);
    assert_eq!(program.bounds().c_lower, [25.0, 40.0]);
    assert_eq!(program.bounds().c_upper, [f64::INFINITY, 40.0]);
    assert_eq!((program.variable_name(2), program.row_name(1)), ("x3".to_string(), "sphere".to_string()));
    assert!(!program.is_maximised());
    assert_eq!(model.multipliers, [-0.5, 0.25]);
    assert_eq!(model.options, [1, 1, 0]);

    let unnamed = parse(HS71.as_bytes(), None, None).unwrap().program;
    assert_eq!((unnamed.variable_name(2), unnamed.row_name(1)), ("x[3]".to_string(), "c[2]".to_string()));
}

#[test]
fn hs71_has_its_known_minimiser() {
    let mut program = parse(HS71.as_bytes(), None, None).unwrap().program;
    let x = [1.0, 4.742_999_643, 3.821_149_984, 1.379_408_291];
    assert!((program.objective(&x).unwrap() - 17.014_017_3).abs() < 1e-6);
    let mut rows = [0.0; 2];
    program.constraints(&x, &mut rows).unwrap();
    assert!((rows[0] - 25.0).abs() < 1e-6 && (rows[1] - 40.0).abs() < 1e-6);
    // Multipliers of the literature (IPOPT): the gradient of the Lagrangian vanishes in the free variables.
    let lambda = [-0.552_293_66, 0.161_468_564];
    let (mut gradient, mut jacobian) = ([0.0; 4], [0.0; 8]);
    program.gradient(&x, &mut gradient).unwrap();
    program.jacobian(&x, &mut jacobian).unwrap();
    for (variable, gradient) in gradient.iter().enumerate().skip(1) {
        let column = program.jacobian_pattern().column(variable);
        let slope: f64 = jacobian[column].iter().zip(lambda).map(|(entry, lambda)| entry * lambda).sum();
        assert!((gradient + slope).abs() < 1e-6);
    }
}

#[test]
fn all_segments_and_rare_operators_mean_what_they_should() {
    let mut model = parse(PIECEWISE.as_bytes(), None, None).unwrap();
    let program = &mut model.program;
    assert!(program.is_maximised());
    assert_eq!(program.start(), [0.5, 1.25, 0.0, -2.0, 0.0]);
    let inf = f64::INFINITY;
    assert_eq!(program.bounds().c_lower, [-1.0, -inf, -800.0, 1.5, -inf]);
    assert_eq!(program.bounds().c_upper, [4.0, 7.0, inf, 1.5, inf]);
    assert_eq!(program.bounds().x_lower, [-10.0, -inf, -30.0, -inf, 0.75]);
    assert_eq!(program.bounds().x_upper, [10.0, 20.0, inf, inf, 0.75]);
    assert_eq!((0..5).filter(|&row| program.is_linear(row)).collect::<Vec<_>>(), [4]);
    for x in [[2.25, 0.5, -4.0, -1.0, 0.75], [-1.0, 5.0, 1.0, 0.5, 2.0], [101.0, 1.0, 0.0, 9.0, 0.0]] {
        let [a, b, c, d, e]: [f64; 5] = x;
        let shared = 2.0 * a - e + b.sin();
        let chosen = if (0.0..=100.0).contains(&a) { a.sqrt() } else { -(3.0 * c + shared * shared) };
        let expected =
            [shared * c, chosen, a.min(b).min(4.0) + c.max(-3.0) + a + 2.0 * c, 2f64.powf(b) - a.powi(3) - b, a - b];
        let mut rows = [0.0; 5];
        program.constraints(&x, &mut rows).unwrap();
        for (row, (ours, expected)) in rows.iter().zip(expected).enumerate() {
            assert!((ours - expected).abs() <= 1e-12 * (1.0 + expected.abs()), "row {row} at {x:?}: {ours} {expected}");
        }
        let objective = (shared.abs() - d.exp()).max(0.0) + 0.5 * d;
        assert!((program.objective(&x).unwrap() + objective).abs() < 1e-12);
    }
}

#[test]
fn a_solution_repeats_options_and_gives_duals_as_rates() {
    let model = parse(HS71.as_bytes(), None, None).unwrap();
    let sol = solution(&model, "done\n\nwell", &[1.0, 2.5, 0.0, 1e-20], &[0.5, -0.0], SolveResult::Acceptable);
    let expected = "done\n \nwell\n\nOptions\n3\n1\n1\n0\n2\n2\n4\n4\n-0.5\n0\n1\n2.5\n0\n1e-20\nobjno 0 100\n";
    assert_eq!(sol, expected);
    let maximised = parse(PIECEWISE.as_bytes(), None, None).unwrap();
    let sol = solution(&maximised, "", &[], &[0.5, 0.0, 0.0, 0.0, 0.0], SolveResult::Failure);
    assert_eq!(sol, "\nOptions\n3\n1\n1\n0\n5\n5\n5\n0\n0.5\n0\n0\n0\n0\nobjno 0 500\n");
}
