use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::*;
use crate::nlp::PatternBuilder;
use crate::solver::linear::saddle_samples::{Numbers, Saddle};

fn dense_inertia(matrix: DMatrix<f64>) -> Inertia {
    let eigenvalues = matrix.symmetric_eigenvalues();
    let positive = eigenvalues.iter().filter(|value| **value > 0.0).count();
    Inertia { positive, negative: eigenvalues.len() - positive, zero: 0 }
}

fn random_vector(size: usize, numbers: &mut Numbers) -> Vec<f64> {
    (0..size).map(|_| numbers.next()).collect()
}

fn analysed(pattern: &Pattern, order: Option<Vec<usize>>) -> SparseLdl {
    let mut ldl = order.map_or_else(SparseLdl::new, SparseLdl::with_order);
    ldl.analyse(pattern).unwrap();
    ldl
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]
    #[test]
    fn inertia_and_solution_agree_with_dense_algebra(
        seed in any::<u64>(),
        primal in 5usize..40,
        exponents in prop::collection::vec(-3i32..=3, 80),
        concave in 0.0..3.0f64,
    ) {
        let mut numbers = Numbers(seed);
        let dual = primal / 2;
        let mut saddle = Saddle::random(primal, dual, &mut numbers);
        // Some curvatures become negative: the inertia is then anybody's guess, and the dense one must be met.
        for _ in 0..3 {
            let column = numbers.index(primal);
            saddle.entries.push((column, column, -concave));
        }
        let size = saddle.size();
        let (pattern, values, dense) = saddle.assemble();
        let eigenvalues = dense.clone().symmetric_eigenvalues();
        prop_assume!(eigenvalues.iter().all(|value| value.abs() > 1e-3));
        let rhs = random_vector(size, &mut numbers);
        let expected = dense.clone().lu().solve(&DVector::from_vec(rhs.clone())).unwrap();
        let order: Vec<usize> = (0..size).rev().collect();
        for order in [None, Some(order)] {
            let mut ldl = analysed(&pattern, order);
            let shift = saddle.shift(1e-8);
            let inertia = ldl.factor_shifted(&values, &shift).unwrap();
            prop_assert_eq!(inertia, dense_inertia(dense.clone()));
            let mut x = rhs.clone();
            let quality = ldl.solve(&mut x).unwrap();
            prop_assert!(quality.backward_error < 1e-13);
            prop_assert!((DVector::from_vec(x) - &expected).amax() < 1e-10 * expected.amax());

            let condition = ldl.factor(&values).unwrap().reciprocal_condition;
            let least = eigenvalues.iter().fold(f64::INFINITY, |least, value| least.min(value.abs()));
            let estimate = least / eigenvalues.amax();
            prop_assert!(condition > 1e-3 * estimate && condition < 1e3 * estimate, "{condition} against {estimate}");

            // The same system in units that differ by six decades.
            let unit = |index: usize| 10f64.powi(exponents[index % exponents.len()]);
            let mut scaled = values.clone();
            for column in 0..size {
                for place in pattern.column(column) {
                    scaled[place] *= unit(pattern.row_idx()[place]) * unit(column);
                }
            }
            prop_assert_eq!(ldl.factor_shifted(&scaled, &shift).unwrap(), inertia);
            let mut x: Vec<f64> = rhs.iter().enumerate().map(|(index, rhs)| rhs * unit(index)).collect();
            let quality = ldl.solve(&mut x).unwrap();
            prop_assert!(quality.backward_error < 1e-13);
            for (index, x) in x.iter_mut().enumerate() {
                *x *= unit(index);
            }
            // Units may hide a bad condition from equilibration, so digits may be lost here, but not all.
            prop_assert!((DVector::from_vec(x) - &expected).amax() < 1e-4 * expected.amax());
        }
    }
}

#[test]
fn vanishing_curvature_is_refined_away() {
    for (seed, intervals) in [(0, 20), (1, 20), (2, 20), (3, 60)] {
        let mut numbers = Numbers(seed);
        let saddle = Saddle::control(4, 2, intervals, &mut numbers);
        let (pattern, values, dense) = saddle.assemble();
        let mut ldl = analysed(&pattern, None);
        let inertia = ldl.factor_shifted(&values, &saddle.shift(1e-8)).unwrap();
        assert_eq!(inertia, Inertia { positive: saddle.primal, negative: saddle.dual, zero: 0 });
        assert_eq!(inertia, dense_inertia(dense.clone()));
        let rhs = random_vector(saddle.size(), &mut numbers);
        let mut x = rhs.clone();
        let quality = ldl.solve(&mut x).unwrap();
        assert!(quality.backward_error < 1e-14 && quality.refinements > 0, "{quality:?}");
        let expected = dense.lu().solve(&DVector::from_vec(rhs)).unwrap();
        assert!((DVector::from_vec(x) - &expected).amax() < 1e-12 * expected.amax());
    }
}

#[test]
fn negative_curvature_along_the_constraints_shows_in_the_inertia() {
    // x0 + x1 = b leaves the direction (1, -1) free: curvature 1 + 1 - 2 c is negative for c > 1 although every diagonal
    // entry is positive.
    for (coupling, negative) in [(0.5, 1), (3.0, 2)] {
        let entries = vec![(0, 0, 1.0), (1, 1, 1.0), (2, 2, 0.0), (1, 0, coupling), (2, 0, 1.0), (2, 1, 1.0)];
        let saddle = Saddle { primal: 2, dual: 1, entries };
        let (pattern, values, dense) = saddle.assemble();
        let inertia = analysed(&pattern, None).factor_shifted(&values, &saddle.shift(1e-8)).unwrap();
        assert_eq!(inertia, Inertia { positive: 3 - negative, negative, zero: 0 });
        assert_eq!(inertia, dense_inertia(dense));
    }
}

#[test]
fn contradicting_rows_are_found_and_repeated_rows_are_not_minded() {
    let mut numbers = Numbers(5);
    let mut saddle = Saddle::random(20, 8, &mut numbers);
    let last: Vec<_> = saddle.entries.iter().filter(|entry| entry.0 == 27 && entry.1 < 20).copied().collect();
    saddle.dual += 1;
    saddle.entries.extend(last.iter().map(|&(_, column, value)| (28, column, value)));
    saddle.entries.push((28, 28, 0.0));
    let (pattern, values, _) = saddle.assemble();
    let mut ldl = analysed(&pattern, None);
    let inertia = ldl.factor_shifted(&values, &saddle.shift(1e-8)).unwrap();
    assert_eq!(inertia, Inertia { positive: 20, negative: 9, zero: 0 });
    let mut rhs = random_vector(29, &mut numbers);
    rhs[28] = rhs[27];
    assert!(ldl.solve(&mut rhs.clone()).unwrap().backward_error < 1e-13);
    rhs[28] += 1.0;
    let error = ldl.solve(&mut rhs).unwrap_err();
    assert!(matches!(error, LinearError::Inaccurate { backward_error } if backward_error > 1e-7), "{error}");
    let error = ldl.factor(&values).unwrap_err();
    assert!(matches!(error, LinearError::Singular { column: 27 | 28, .. }), "{error}");
    assert!(matches!(ldl.solve(&mut [0.0; 29]), Err(LinearError::Singular { .. })));
}

#[test]
fn a_vanishing_pivot_is_a_breakdown_of_the_shifted_but_not_of_the_plain_factorisation() {
    // [[0, 1], [1, 0]] has no LDLᵀ, but an inverse.
    let saddle = Saddle { primal: 2, dual: 0, entries: vec![(0, 0, 0.0), (1, 0, 1.0), (1, 1, 0.0)] };
    let (pattern, values, _) = saddle.assemble();
    let mut ldl = analysed(&pattern, None);
    let inertia = ldl.factor_shifted(&values, &[0.0; 2]).unwrap();
    assert_eq!(inertia, Inertia { positive: 0, negative: 0, zero: 2 });
    assert!(matches!(ldl.solve(&mut [1.0, 2.0]), Err(LinearError::Singular { .. })));
    assert!(ldl.factor(&values).unwrap().reciprocal_condition > 0.1);
    let mut x = [1.0, 2.0];
    ldl.solve(&mut x).unwrap();
    assert!((x[0] - 2.0).abs() < 1e-15 && (x[1] - 1.0).abs() < 1e-15, "{x:?}");
    assert_eq!(
        ldl.factor(&[0.0; 3]).unwrap_err().to_string().split(':').next(),
        Some("the matrix is singular (reciprocal condition 0.0e0)")
    );
}

#[test]
fn one_unknown_without_a_pivot_is_a_breakdown_too() {
    let (pattern, values, _) = Saddle { primal: 1, dual: 0, entries: vec![(0, 0, 0.0)] }.assemble();
    let inertia = analysed(&pattern, None).factor_shifted(&values, &[0.0]).unwrap();
    assert_eq!(inertia, Inertia { positive: 0, negative: 0, zero: 1 });
    assert!(matches!(analysed(&pattern, None).factor(&values), Err(LinearError::Singular { column: 0, .. })));
}

#[test]
fn misuse_is_an_error() {
    let saddle = Saddle::random(4, 2, &mut Numbers(1));
    let (pattern, mut values, _) = saddle.assemble();
    let shift = saddle.shift(1e-8);
    let mut ldl = SparseLdl::new();
    assert_eq!(ldl.factor_shifted(&values, &shift), Err(LinearError::OutOfTurn { missing: "analysed" }));
    ldl.analyse(&pattern).unwrap();
    assert_eq!(ldl.solve(&mut [0.0; 6]), Err(LinearError::OutOfTurn { missing: "factorised" }));
    let size = |operand, found, expected| LinearError::WrongSize { operand, found, expected };
    assert_eq!(ldl.factor_shifted(&values, &shift[1..]), Err(size("shift", 5, 6)));
    let nnz = values.len();
    assert_eq!(ldl.factor_shifted(&values[1..], &shift), Err(size("value array", nnz - 1, nnz)));
    ldl.factor_shifted(&values, &shift).unwrap();
    assert_eq!(ldl.solve(&mut [0.0; 5]), Err(size("right-hand side", 5, 6)));
    let infinite = [0.0, 0.0, f64::INFINITY, 0.0, 0.0, 0.0];
    let not_finite = |operand, index| LinearError::NotFinite { operand, index };
    assert_eq!(ldl.solve(&mut infinite.clone()), Err(not_finite("right-hand side", 2)));
    assert_eq!(ldl.factor_shifted(&values, &infinite), Err(not_finite("shift", 2)));
    values[3] = f64::NAN;
    assert_eq!(ldl.factor_shifted(&values, &shift), Err(not_finite("matrix", 3)));
    assert_eq!(ldl.factor(&values), Err(not_finite("matrix", 3)));
    let repeated = SparseLdl::with_order(vec![0, 1, 2, 3, 4, 4]).analyse(&pattern);
    assert_eq!(repeated, Err(LinearError::BadOrder { column: 4, occurrences: 2 }));
    let empty = PatternBuilder::new(0, 0).build().0;
    let mut ldl = analysed(&empty, None);
    assert_eq!(ldl.factor_shifted(&[], &[]).unwrap(), Inertia { positive: 0, negative: 0, zero: 0 });
    assert_eq!(ldl.solve(&mut []).unwrap().refinements, 0);
}

#[test]
fn the_fill_of_an_arrow_depends_on_the_order() {
    let entries = (0..30).flat_map(|index| [(index, index, 4.0), (29, index, 1.0)]).collect();
    let (pattern, ..) = Saddle { primal: 30, dual: 0, entries }.assemble();
    let full = analysed(&pattern, Some((0..30).rev().collect())).fill().unwrap();
    assert_eq!(full.nnz, 30.0 * 31.0 / 2.0);
    assert!(analysed(&pattern, None).fill().unwrap().flops < 0.3 * full.flops);
}
