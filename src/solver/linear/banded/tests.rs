use nalgebra::DMatrix;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::*;
use crate::nlp::PatternBuilder;
use crate::solver::linear::SparseLu;
use crate::solver::linear::saddle_samples::Numbers;

type Entries = Vec<(usize, usize, f64)>;

fn assemble(size: usize, entries: &Entries) -> (Pattern, Vec<f64>) {
    let mut builder = PatternBuilder::new(size, size);
    for &(row, col, _) in entries {
        builder.add(&[row], &[col]).unwrap();
    }
    let (pattern, map) = builder.build();
    let mut values = vec![0.0; pattern.nnz()];
    for (block, &(_, _, value)) in entries.iter().enumerate() {
        map.scatter(block, &[value], &mut values);
    }
    (pattern, values)
}

fn shuffled(size: usize, numbers: &mut Numbers) -> Vec<usize> {
    let mut names: Vec<usize> = (0..size).collect();
    (1..size).rev().for_each(|last| names.swap(last, numbers.index(last + 1)));
    names
}

/// A random band whose diagonal is no larger than the rest, so that pivots are exchanged all the time. A share of the
/// entries is left out; one diagonal, not always the main one, is kept so that the structure stays regular.
fn random_band(size: usize, below: usize, above: usize, numbers: &mut Numbers) -> Entries {
    let mut entries = Vec::new();
    for row in 0..size {
        for col in row.saturating_sub(below)..(row + above + 1).min(size) {
            if row == col || numbers.next() > -0.3 {
                entries.push((row, col, numbers.next()));
            }
        }
    }
    entries
}

fn factorised<S: LinearSolver>(mut solver: S, pattern: &Pattern, values: &[f64]) -> Result<S, LinearError> {
    solver.analyse(pattern)?;
    solver.factor(values)?;
    Ok(solver)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn solutions_agree_with_sparse_lu_in_any_order_and_units(
        seed in any::<u64>(), size in 1usize..60, below in 0usize..7, above in 0usize..7, together in any::<bool>(),
    ) {
        let mut numbers = Numbers(seed);
        let rows = shuffled(size, &mut numbers);
        let cols = if together { rows.clone() } else { shuffled(size, &mut numbers) };
        let entries = random_band(size, below, above, &mut numbers);
        let entries = entries.into_iter().map(|(row, col, value)| (rows[row], cols[col], value)).collect();
        let (pattern, values) = assemble(size, &entries);
        let reference = factorised(SparseLu::new(), &pattern, &values);
        prop_assume!(reference.is_ok());
        let mut reference = reference.unwrap();
        let condition = reference.factor(&values).unwrap().reciprocal_condition;
        // Units can make a matrix that is nearly singular in its own quite singular.
        prop_assume!(condition > 1e-7);
        let mut banded = factorised(Banded::new(), &pattern, &values).unwrap();
        let rhs: Vec<f64> = (0..size).map(|_| numbers.next()).collect();
        let (mut expected, mut found) = (rhs.clone(), rhs.clone());
        reference.solve(&mut expected).unwrap();
        let quality = banded.solve(&mut found).unwrap();
        prop_assert!(quality.backward_error < 1e-14, "{:e}", quality.backward_error);
        let size_of = |x: &[f64]| x.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        let difference: Vec<f64> = found.iter().zip(&expected).map(|(a, b)| a - b).collect();
        // Both are exact for matrices that differ by rounding errors, which the condition magnifies.
        prop_assert!(size_of(&difference) <= 1e-14 / condition * size_of(&expected));
        let mut rough = rhs.clone();
        banded.solve_roughly(&mut rough).unwrap();
        let difference: Vec<f64> = rough.iter().zip(&expected).map(|(a, b)| a - b).collect();
        prop_assert!(size_of(&difference) <= 1e-12 / condition * size_of(&expected));

        // The same system in other units: three kinds of rows and of columns along the band, scaled by up to 1e±14. The
        // analysis is kept.
        let kinds: Vec<f64> = (0..6).map(|_| 10f64.powi((14.0 * numbers.next()) as i32)).collect();
        let mut units = vec![0.0; 2 * size];
        for at in 0..size {
            (units[rows[at]], units[size + cols[at]]) = (kinds[at % 3], kinds[3 + at % 3]);
        }
        let mut scaled = values.clone();
        for col in 0..size {
            for entry in pattern.column(col) {
                scaled[entry] *= units[pattern.row_idx()[entry]] * units[size + col];
            }
        }
        banded.factor(&scaled).unwrap();
        let mut found: Vec<f64> = rhs.iter().zip(&units).map(|(rhs, unit)| rhs * unit).collect();
        banded.solve(&mut found).unwrap();
        let difference: Vec<f64> = (0..size).map(|col| found[col] * units[size + col] - expected[col]).collect();
        prop_assert!(size_of(&difference) <= 1e-11 / condition * size_of(&expected));
    }

    #[test]
    fn dependent_rows_are_reported(seed in any::<u64>(), weights in prop::collection::vec(0.5..2.0f64, 2)) {
        // Row 20 becomes a combination of rows 18 and 23: the band has to hold both.
        let mut numbers = Numbers(seed);
        let mut dense = DMatrix::zeros(40, 40);
        for (row, col, value) in random_band(40, 5, 5, &mut numbers) {
            dense[(row, col)] = value + if row == col { 4.0 } else { 0.0 };
        }
        let combination = dense.row(18) * weights[0] + dense.row(23) * weights[1];
        dense.set_row(20, &combination);
        let names = shuffled(40, &mut numbers);
        let near = (0..1600usize).map(|k| (k / 40, k % 40)).filter(|(row, col)| row.abs_diff(*col) <= 8);
        let entries = near.map(|(row, col)| (names[row], names[col], dense[(row, col)])).collect();
        let (pattern, values) = assemble(40, &entries);
        let involved = [18, 20, 23].map(|row| names[row]);
        match factorised(Banded::new(), &pattern, &values).err() {
            Some(LinearError::Singular { row, reciprocal_condition, .. }) => {
                prop_assert!(involved.contains(&row), "row {}", row);
                prop_assert!(reciprocal_condition < 1e-15);
            }
            other => prop_assert!(false, "{:?}", other),
        }
    }
}

#[test]
fn nearly_singular_matrices_are_solved_as_well_as_they_can_be() {
    // The second difference with free ends, held by one spring of stiffness k: a rigid motion costs k only, so the
    // condition is about 1/k.
    for spring in [1e-3, 1e-6, 1e-9, 1e-12] {
        let size = 40;
        let mut entries: Entries = vec![(0, 0, spring)];
        for i in 0..size - 1 {
            entries.extend([(i, i, 1.0), (i + 1, i + 1, 1.0), (i, i + 1, -1.0), (i + 1, i, -1.0)]);
        }
        let (pattern, values) = assemble(size, &entries);
        let mut banded = Banded::new();
        banded.analyse(&pattern).unwrap();
        let mut reference = SparseLu::new();
        reference.analyse(&pattern).unwrap();
        let condition = banded.factor(&values).unwrap().reciprocal_condition;
        let expected = reference.factor(&values).unwrap().reciprocal_condition;
        assert!((0.02..50.0).contains(&(condition / expected)), "{condition:e} against {expected:e}");
        // A unit force at the free end moves the spring by 1/k, and every further node by one unit more.
        let mut x = vec![0.0; size];
        x[size - 1] = 1.0;
        let quality = banded.solve(&mut x).unwrap();
        assert!(quality.backward_error < 1e-15);
        let worst = (0..size).map(|i| (x[i] * spring / (1.0 + i as f64 * spring) - 1.0).abs()).fold(0.0, f64::max);
        // The stiffness against a rigid motion is known no better than to a rounding error of 1 in each row.
        assert!(worst < size as f64 * f64::EPSILON / spring + 1e-12, "{spring}: {worst:e}");
    }
}

#[test]
fn exactly_singular_matrices_name_row_and_column_and_do_no_lasting_harm() {
    // Unknown 2 enters no equation (explicit zeros), equation 4 holds no unknown.
    let mut entries: Entries = (0..6).map(|k| (k, k, 2.0 + k as f64)).collect();
    entries.extend([(0, 1, 1.0), (3, 0, -1.0), (5, 4, 1.0), (2, 5, 1.0), (1, 2, 0.0), (2, 4, 1.5)]);
    entries[2].2 = 0.0;
    entries[4].2 = 0.0;
    let (pattern, values) = assemble(6, &entries);
    let mut banded = Banded::new();
    banded.analyse(&pattern).unwrap();
    let error = banded.factor(&values);
    assert_eq!(error, Err(LinearError::Singular { row: 4, column: 2, reciprocal_condition: 0.0 }));
    assert_eq!(banded.solve(&mut [1.0; 6]), Err(LinearError::OutOfTurn { missing: "factorised" }));
    entries[2].2 = 4.0;
    entries[4].2 = 6.0;
    let (_, values) = assemble(6, &entries);
    banded.factor(&values).unwrap();
    let (mut x, mut product) = ([1.0, -1.0, 2.0, 0.5, 3.0, -2.0], [0.0; 6]);
    let rhs = x;
    banded.solve(&mut x).unwrap();
    pattern.multiply(&values, &x, &mut product);
    assert!(product.iter().zip(&rhs).all(|(a, b)| (a - b).abs() < 1e-14), "{product:?}");
}

#[test]
fn a_zero_diagonal_is_no_obstacle() {
    // A chain of masses with a constraint between neighbours: [[H, Jᵀ], [J, 0]], all multipliers last.
    let (masses, mut entries) = (30, Entries::new());
    for i in 0..masses {
        entries.push((i, i, 1.0 + i as f64));
    }
    for i in 0..masses - 1 {
        for (k, value) in [(i, 1.0), (i + 1, -1.0)] {
            entries.extend([(masses + i, k, value), (k, masses + i, value)]);
        }
    }
    let (pattern, values) = assemble(2 * masses - 1, &entries);
    let mut banded = factorised(Banded::new(), &pattern, &values).unwrap();
    assert_eq!(banded.bandwidth().map(|(below, above)| below.max(above)), Some(1));
    let mut x = vec![0.0; 2 * masses - 1];
    x[0] = 1.0;
    banded.solve(&mut x).unwrap();
    // All masses move alike: by 1 / Σ m, Σ m = 30 · 31 / 2.
    assert!(x[..masses].iter().all(|x| (x - 1.0 / 465.0).abs() < 1e-15));
}

#[test]
fn a_structurally_singular_matrix_is_refused_by_the_analysis() {
    let entries = vec![(0, 0, 1.0), (1, 0, 1.0), (2, 0, 1.0), (2, 1, 1.0), (1, 2, 1.0), (2, 2, 1.0), (3, 0, 1.0)];
    let (pattern, _) = assemble(4, &entries);
    let error = Banded::new().analyse(&pattern).unwrap_err();
    assert!(matches!(error, LinearError::StructurallySingular { column: 3, deficiency: 1, .. }), "{error}");
}

#[test]
fn misuse_is_an_error() {
    let (pattern, mut values) = assemble(3, &vec![(0, 0, 1.0), (1, 1, 1.0), (2, 2, 1.0), (0, 2, 5.0)]);
    let mut banded = Banded::new();
    assert_eq!(banded.factor(&values), Err(LinearError::OutOfTurn { missing: "analysed" }));
    banded.analyse(&pattern).unwrap();
    assert_eq!(banded.solve(&mut [0.0; 3]), Err(LinearError::OutOfTurn { missing: "factorised" }));
    assert!(matches!(banded.factor(&values[1..]), Err(LinearError::WrongSize { .. })));
    values[2] = f64::NAN;
    assert_eq!(banded.factor(&values), Err(LinearError::NotFinite { operand: "matrix", index: 2 }));
    values[2] = 1.0;
    banded.factor(&values).unwrap();
    assert!(matches!(banded.solve(&mut [0.0; 2]), Err(LinearError::WrongSize { .. })));
    let infinite = &mut [0.0, f64::INFINITY, 0.0];
    assert_eq!(banded.solve(infinite), Err(LinearError::NotFinite { operand: "right-hand side", index: 1 }));
    let wide = PatternBuilder::new(2, 3).build().0;
    assert!(matches!(banded.analyse(&wide), Err(LinearError::WrongSize { .. })));
    let (empty, values) = assemble(0, &vec![]);
    banded.analyse(&empty).unwrap();
    banded.factor(&values).unwrap();
    banded.solve(&mut []).unwrap();
}
