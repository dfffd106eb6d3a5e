use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;

use super::*;
use crate::solver::linear::saddle_samples::{Numbers, Saddle};
use crate::solver::linear::{SparseLdl, SparseLu};

fn random_vector(size: usize, numbers: &mut Numbers) -> Vec<f64> {
    (0..size).map(|_| numbers.next()).collect()
}

/// A chain with stages of the given sizes, unknowns shuffled; `border` unknowns are coupled with every third stage.
fn chain(sizes: &[usize], border: usize, numbers: &mut Numbers) -> (Saddle, Stages) {
    let mut stage_of: Vec<Option<usize>> = vec![None; border];
    for (stage, &size) in sizes.iter().enumerate() {
        stage_of.extend(vec![Some(stage); size]);
    }
    for index in (1..stage_of.len()).rev() {
        stage_of.swap(index, numbers.index(index + 1));
    }
    let mut entries = Vec::new();
    for row in 0..stage_of.len() {
        for column in 0..=row {
            let coupled = match (stage_of[row], stage_of[column]) {
                (Some(a), Some(b)) => a.abs_diff(b) <= 1,
                (Some(a), None) | (None, Some(a)) => a % 3 == 1,
                (None, None) => true,
            };
            if coupled && (row == column || numbers.index(3) > 0) {
                entries.push((row, column, numbers.next()));
            }
        }
    }
    (Saddle { primal: stage_of.len(), dual: 0, entries }, Stages::new(stage_of))
}

proptest! {
    #[test]
    fn inertia_and_solution_agree_with_dense_algebra(
        seed in any::<u64>(),
        sizes in prop::collection::vec(0usize..6, 0..8),
        border in 1usize..4,
    ) {
        let mut numbers = Numbers(seed);
        let (sample, stages) = chain(&sizes, border, &mut numbers);
        let size = sample.size();
        let (pattern, values, dense) = sample.assemble();
        let eigenvalues = DMatrix::clone(&dense).symmetric_eigenvalues();
        prop_assume!(eigenvalues.iter().all(|value| value.abs() > 1e-3));
        let mut solver = StageRecursion::new(stages);
        solver.analyse(&pattern).unwrap();
        let inertia = solver.factor_shifted(&values, &vec![0.0; size]).unwrap();
        let positive = eigenvalues.iter().filter(|value| **value > 0.0).count();
        prop_assert_eq!(inertia, Inertia { positive, negative: size - positive, zero: 0 });
        let rhs = random_vector(size, &mut numbers);
        let mut x = rhs.clone();
        solver.solve(&mut x).unwrap();
        let expected = dense.lu().solve(&DVector::from_vec(rhs)).unwrap();
        let error = DVector::from_vec(x) - &expected;
        prop_assert!(error.iter().all(|error| error.abs() < 1e-9 * expected.amax()));
        prop_assert!(solver.factor(&values).is_ok());
    }
}

#[test]
fn transcribed_control_problems_agree_with_sparse_ldl_and_lu() {
    for (seed, states, controls, intervals) in [(0, 4, 1, 20), (1, 5, 2, 60), (2, 6, 3, 400), (3, 4, 1, 2000)] {
        let mut numbers = Numbers(seed);
        let saddle = Saddle::control(states, controls, intervals, &mut numbers);
        let (pattern, values) = saddle.assemble_sparse();
        let stages = Stages::detect(&pattern).unwrap();
        assert_eq!(stages.border(), 1, "the end time");
        assert!(stages.len() >= intervals - 2, "{} stages of {intervals} intervals", stages.len());
        let shift = saddle.shift(1e-8);
        let rhs = random_vector(saddle.size(), &mut numbers);

        let mut recursion = StageRecursion::new(stages);
        recursion.analyse(&pattern).unwrap();
        let inertia = recursion.factor_shifted(&values, &shift).unwrap();
        assert_eq!(inertia, Inertia { positive: saddle.primal, negative: saddle.dual, zero: 0 });
        let mut x = rhs.clone();
        let quality = recursion.solve(&mut x).unwrap();
        assert!(quality.backward_error < 1e-14, "{quality:?}");

        let mut ldl = SparseLdl::new();
        ldl.analyse(&pattern).unwrap();
        assert_eq!(ldl.factor_shifted(&values, &shift).unwrap(), inertia);
        let mut by_ldl = rhs.clone();
        ldl.solve(&mut by_ldl).unwrap();

        let size = x.iter().fold(0.0f64, |size, x| size.max(x.abs()));
        assert!(x.iter().zip(&by_ldl).all(|(x, ldl)| (x - ldl).abs() < 1e-9 * size));
        // LU fills the dense row of the end time, so it is asked about short chains only.
        if intervals < 100 {
            let (full, full_values) = saddle.assemble_full();
            let mut lu = SparseLu::new();
            lu.analyse(&full).unwrap();
            lu.factor(&full_values).unwrap();
            let mut by_lu = rhs;
            lu.solve(&mut by_lu).unwrap();
            assert!(x.iter().zip(&by_lu).all(|(x, lu)| (x - lu).abs() < 1e-9 * size));
        }
    }
}

#[test]
fn a_chain_without_unknowns_or_border_is_solved() {
    let mut numbers = Numbers(4);
    for sizes in [vec![], vec![3], vec![0, 2, 0, 0, 2, 1]] {
        let (sample, stages) = chain(&sizes, 0, &mut numbers);
        let (pattern, values, dense) = sample.assemble();
        let mut solver = StageRecursion::new(stages);
        solver.analyse(&pattern).unwrap();
        solver.factor(&values).unwrap();
        let rhs = random_vector(sample.size(), &mut numbers);
        let mut x = rhs.clone();
        solver.solve(&mut x).unwrap();
        let rest = dense * DVector::from_vec(x) - DVector::from_vec(rhs);
        assert!(rest.iter().all(|rest| rest.abs() < 1e-12));
    }
}

#[test]
fn couplings_of_distant_stages_are_named() {
    let saddle = Saddle { primal: 3, dual: 0, entries: vec![(0, 0, 1.0), (1, 1, 1.0), (2, 2, 1.0), (2, 0, 1.0)] };
    let pattern = saddle.assemble().0;
    let error = StageRecursion::new(Stages::new(vec![Some(3), Some(2), Some(1)])).analyse(&pattern).unwrap_err();
    assert_eq!(error, LinearError::DistantStages { row: 2, row_stage: 1, column: 0, column_stage: 3 });
    let error = StageRecursion::new(Stages::new(vec![Some(0); 2])).analyse(&pattern).unwrap_err();
    assert_eq!(error, LinearError::WrongSize { operand: "stage description", found: 2, expected: 3 });
    assert!(StageRecursion::new(Stages::new(vec![Some(3), None, None])).analyse(&pattern).is_ok());
}

#[test]
fn a_singular_matrix_is_a_breakdown_that_names_the_unknown() {
    // Unknown 1 stands alone with a zero.
    let saddle = Saddle { primal: 3, dual: 0, entries: vec![(0, 0, 1.0), (1, 1, 0.0), (2, 2, 1.0), (2, 0, 0.5)] };
    let (pattern, values, _) = saddle.assemble();
    let mut solver = StageRecursion::new(Stages::new(vec![Some(0), Some(0), Some(1)]));
    solver.analyse(&pattern).unwrap();
    assert_eq!(solver.factor_shifted(&values, &[0.0; 3]).unwrap(), Inertia { positive: 0, negative: 0, zero: 3 });
    let singular = LinearError::Singular { row: 1, column: 1, reciprocal_condition: 0.0 };
    assert_eq!(solver.solve(&mut [1.0; 3]), Err(singular.clone()));
    assert_eq!(solver.factor(&values), Err(singular));
}
