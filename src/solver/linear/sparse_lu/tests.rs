use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;

use super::*;
use crate::nlp::PatternBuilder;

type Entries = Vec<(usize, usize, f64)>;

fn assemble(size: usize, entries: &Entries) -> (Pattern, Vec<f64>, DMatrix<f64>) {
    let mut builder = PatternBuilder::new(size, size);
    let mut dense = DMatrix::zeros(size, size);
    for &(row, col, value) in entries {
        builder.add(&[row], &[col]).unwrap();
        dense[(row, col)] += value;
    }
    let (pattern, map) = builder.build();
    let mut values = vec![0.0; pattern.nnz()];
    for (block, &(_, _, value)) in entries.iter().enumerate() {
        map.scatter(block, &[value], &mut values);
    }
    (pattern, values, dense)
}

/// A hidden permutation keeps the structure regular; its entries are large enough to keep the matrix well conditioned.
fn sparse_entries(size: usize) -> impl Strategy<Value = Entries> {
    let rest = prop::collection::vec((0..size, 0..size, -1.0..1.0f64), 0..4 * size);
    (Just((0..size).collect::<Vec<_>>()).prop_shuffle(), rest).prop_map(|(hidden, mut entries)| {
        entries.extend(hidden.into_iter().enumerate().map(|(row, col)| (row, col, 9.0)));
        entries
    })
}

fn factorised(pattern: &Pattern, values: &[f64], order: Option<Vec<usize>>) -> Result<SparseLu, LinearError> {
    let mut lu = order.map_or_else(SparseLu::new, SparseLu::with_order);
    lu.analyse(pattern)?;
    lu.factor(values)?;
    Ok(lu)
}

proptest! {
    #[test]
    fn solutions_agree_with_dense_lu(
        entries in sparse_entries(25),
        rhs in prop::collection::vec(-1.0..1.0f64, 25),
        order in Just((0..25).collect::<Vec<usize>>()).prop_shuffle(),
        exponents in prop::collection::vec(-14i32..14, 50),
    ) {
        let (pattern, values, dense) = assemble(25, &entries);
        let expected = dense.clone().lu().solve(&DVector::from_vec(rhs.clone())).unwrap();
        for order in [None, Some(order)] {
            let mut lu = factorised(&pattern, &values, order.clone()).unwrap();
            let mut x = rhs.clone();
            let quality = lu.solve(&mut x).unwrap();
            prop_assert!(quality.backward_error < 1e-13);
            prop_assert!((DVector::from_vec(x) - &expected).amax() < 1e-11 * expected.amax());

            // The same system in other units: rows and columns scaled by up to 1e±14, same symbolic part.
            let scale = |k: usize| 10f64.powi(exponents[k]);
            let mut scaled = values.clone();
            for col in 0..25 {
                for entry in pattern.column(col) {
                    scaled[entry] *= scale(pattern.row_idx()[entry]) * scale(25 + col);
                }
            }
            lu.factor(&scaled).unwrap();
            let mut x: Vec<f64> = rhs.iter().enumerate().map(|(row, rhs)| rhs * scale(row)).collect();
            let quality = lu.solve(&mut x).unwrap();
            let x = DVector::from_fn(25, |col, _| x[col] * scale(25 + col));
            let error = (x - &expected).amax() / expected.amax();
            prop_assert!(error < 1e-11, "{:e}, {:?}", error, quality);
        }
    }

    #[test]
    fn dependent_rows_are_reported(entries in sparse_entries(20), weights in prop::collection::vec(0.5..2.0f64, 3)) {
        // Row 3 becomes a combination of rows 5, 8 and 11.
        let (_, _, mut dense) = assemble(20, &entries);
        let combination = dense.row(5) * weights[0] + dense.row(8) * weights[1] + dense.row(11) * weights[2];
        dense.set_row(3, &combination);
        let entries = (0..400).map(|k| (k / 20, k % 20, dense[(k / 20, k % 20)])).collect();
        let (pattern, values, _) = assemble(20, &entries);
        match factorised(&pattern, &values, None).err() {
            Some(LinearError::Singular { row, reciprocal_condition, .. }) => {
                prop_assert!([3, 5, 8, 11].contains(&row), "row {}", row);
                prop_assert!(reciprocal_condition < 1e-15);
            }
            other => prop_assert!(false, "{:?}", other),
        }
    }
}

#[test]
fn the_condition_estimate_is_of_the_right_size() {
    // The Hilbert matrix of order 6 has condition number 2.9e7 in the infinity norm.
    let entries = (0..36).map(|k| (k / 6, k % 6, 1.0 / (k / 6 + k % 6 + 1) as f64)).collect();
    let (pattern, values, _) = assemble(6, &entries);
    let mut lu = SparseLu::new();
    lu.analyse(&pattern).unwrap();
    let quality = lu.factor(&values).unwrap();
    assert!((1e-9..1e-6).contains(&quality.reciprocal_condition), "{quality:?}");
    let identity = (0..500).map(|k| (k, k, 3.0)).collect();
    let (pattern, values, _) = assemble(500, &identity);
    lu.analyse(&pattern).unwrap();
    assert!(lu.factor(&values).unwrap().reciprocal_condition > 1e-2);
}

/// Laplacian with free edges on a square grid: singular, its null vector is constant.
fn free_laplacian(side: usize) -> (Pattern, Vec<f64>) {
    let node = |i: usize, k: usize| i * side + k;
    let mut builder = PatternBuilder::new(side * side, side * side);
    for i in 0..side {
        for k in 0..side - 1 {
            builder.add(&[node(i, k), node(i, k + 1)], &[node(i, k), node(i, k + 1)]).unwrap();
            builder.add(&[node(k, i), node(k + 1, i)], &[node(k, i), node(k + 1, i)]).unwrap();
        }
    }
    let (pattern, map) = builder.build();
    let mut values = vec![0.0; pattern.nnz()];
    for edge in 0..map.len() {
        map.scatter(edge, &[1.1, -1.1, -1.1, 1.1], &mut values);
    }
    (pattern, values)
}

#[test]
fn a_floating_structure_is_singular_and_one_support_cures_it() {
    let (pattern, mut values) = free_laplacian(60);
    let error = factorised(&pattern, &values, None).err();
    assert!(matches!(error, Some(LinearError::Singular { .. })), "{error:?}");
    values[pattern.col_ptr()[0]] += 1.0;
    let mut lu = factorised(&pattern, &values, None).unwrap();
    // With the support at node 0 of stiffness 1, a unit load there moves every node by 1.
    let mut x = vec![0.0; 3600];
    x[0] = 1.0;
    let quality = lu.solve(&mut x).unwrap();
    assert!(quality.backward_error < 1e-14);
    assert!(x.iter().all(|x| (x - 1.0).abs() < 1e-9));
}

#[test]
fn exactly_singular_matrices_name_row_and_column() {
    // Unknown 2 enters no equation (explicit zeros), equation 4 holds no unknown.
    let mut entries: Entries = (0..6).map(|k| (k, k, 2.0 + k as f64)).collect();
    entries.extend([(0, 1, 1.0), (3, 0, -1.0), (5, 4, 1.0), (2, 5, 1.0), (1, 2, 0.0)]);
    entries[2].2 = 0.0;
    entries[4].2 = 0.0;
    entries.push((2, 4, 1.5));
    let (pattern, values, _) = assemble(6, &entries);
    let error = factorised(&pattern, &values, None).err();
    assert_eq!(error, Some(LinearError::Singular { row: 4, column: 2, reciprocal_condition: 0.0 }));
}

#[test]
fn a_structurally_singular_matrix_is_refused_by_the_analysis() {
    let entries: Entries =
        vec![(0, 0, 1.0), (1, 0, 1.0), (2, 0, 1.0), (2, 1, 1.0), (1, 2, 1.0), (2, 2, 1.0), (3, 0, 1.0)];
    let (pattern, _, _) = assemble(4, &entries);
    let error = SparseLu::new().analyse(&pattern).unwrap_err();
    assert!(matches!(error, LinearError::StructurallySingular { column: 3, deficiency: 1, .. }), "{error}");
}

#[test]
fn misuse_is_an_error() {
    let (pattern, mut values, _) = assemble(3, &vec![(0, 0, 1.0), (1, 1, 1.0), (2, 2, 1.0), (0, 2, 5.0)]);
    let mut lu = SparseLu::new();
    assert_eq!(lu.factor(&values), Err(LinearError::OutOfTurn { missing: "analysed" }));
    lu.analyse(&pattern).unwrap();
    assert_eq!(lu.solve(&mut [0.0; 3]), Err(LinearError::OutOfTurn { missing: "factorised" }));
    assert!(matches!(lu.factor(&values[1..]), Err(LinearError::WrongSize { .. })));
    values[2] = f64::NAN;
    assert_eq!(lu.factor(&values), Err(LinearError::NotFinite { operand: "matrix", index: 2 }));
    values[2] = 1.0;
    lu.factor(&values).unwrap();
    assert!(matches!(lu.solve(&mut [0.0; 2]), Err(LinearError::WrongSize { .. })));
    let infinite = &mut [0.0, f64::INFINITY, 0.0];
    assert_eq!(lu.solve(infinite), Err(LinearError::NotFinite { operand: "right-hand side", index: 1 }));
    let twice = SparseLu::with_order(vec![0, 1, 1]).analyse(&pattern);
    assert_eq!(twice, Err(LinearError::BadOrder { column: 1, occurrences: 2 }));
    let (empty, values, _) = assemble(0, &vec![]);
    lu.analyse(&empty).unwrap();
    lu.factor(&values).unwrap();
    lu.solve(&mut []).unwrap();
}
