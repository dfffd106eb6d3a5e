use nalgebra::{DMatrix, DVector, SMatrix, SVector};
use proptest::prelude::*;

use super::*;

fn random(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// Random blocks; the ignored corner blocks are filled too.
fn random_matrix<const B: usize>(n: usize, seed: &mut u64) -> BlockTridiagonal<B> {
    let mut matrix = BlockTridiagonal::new(n);
    for i in 0..n {
        *matrix.lower(i) = SMatrix::from_fn(|_, _| random(seed));
        *matrix.diagonal(i) = SMatrix::from_fn(|_, _| random(seed));
        *matrix.upper(i) = SMatrix::from_fn(|_, _| random(seed));
    }
    matrix
}

fn dense<const B: usize>(matrix: &mut BlockTridiagonal<B>) -> DMatrix<f64> {
    let n = matrix.len();
    let mut dense = DMatrix::zeros(n * B, n * B);
    for i in 0..n {
        dense.fixed_view_mut::<B, B>(i * B, i * B).copy_from(matrix.diagonal(i));
        if i > 0 {
            dense.fixed_view_mut::<B, B>(i * B, (i - 1) * B).copy_from(matrix.lower(i));
        }
        if i + 1 < n {
            dense.fixed_view_mut::<B, B>(i * B, (i + 1) * B).copy_from(matrix.upper(i));
        }
    }
    dense
}

fn solve_flat<const B: usize>(matrix: &mut BlockTridiagonal<B>, rhs: &DVector<f64>) -> (DVector<f64>, SolveQuality) {
    let mut x: Vec<SVector<f64, B>> = (0..matrix.len()).map(|i| rhs.fixed_rows::<B>(i * B).into_owned()).collect();
    let quality = matrix.solve(&mut x).unwrap();
    (DVector::from_iterator(rhs.len(), x.iter().flat_map(|x| x.iter().copied())), quality)
}

fn agrees_with_dense<const B: usize>(n: usize, seed: u64) {
    let mut seed = seed;
    let mut matrix = random_matrix::<B>(n, &mut seed);
    for i in 0..n {
        // Dominant entries off the diagonal of the block: elimination must exchange rows.
        for line in 0..B {
            matrix.diagonal(i)[(line, (line + 1) % B)] += 8.0;
        }
    }
    let dense = dense(&mut matrix);
    let rhs = DVector::from_fn(n * B, |_, _| random(&mut seed));
    let expected = dense.lu().solve(&rhs).unwrap();
    matrix.factor().unwrap();
    let (x, quality) = solve_flat(&mut matrix, &rhs);
    assert!(quality.backward_error.is_nan());
    assert!((x - &expected).amax() < 1e-12 * expected.amax(), "B = {B}, n = {n}");
    let mut matrix = matrix.with_refinement(2);
    let (x, quality) = solve_flat(&mut matrix, &rhs);
    assert!(quality.backward_error < 1e-14);
    assert!((x - &expected).amax() < 1e-13 * expected.amax(), "B = {B}, n = {n}, refined");
}

proptest! {
    #[test]
    fn solutions_agree_with_dense_lu(n in 1usize..12, seed in any::<u64>()) {
        agrees_with_dense::<1>(n, seed);
        agrees_with_dense::<2>(n, seed);
        agrees_with_dense::<3>(n, seed);
        agrees_with_dense::<6>(n, seed);
    }

    #[test]
    fn refinement_repairs_poor_pivot_blocks(seed in any::<u64>()) {
        // A pivot block of size 1e-7 beside couplings of size 1 loses about 7 digits without refinement.
        let mut seed = seed;
        let n = 6;
        let mut matrix = random_matrix::<3>(n, &mut seed);
        for i in 0..n {
            *matrix.diagonal(i) += SMatrix::identity() * 6.0;
        }
        *matrix.diagonal(0) *= 1e-7;
        *matrix.lower(1) += SMatrix::identity() * 3.0;
        *matrix.upper(0) += SMatrix::identity() * 3.0;
        let rhs = DVector::from_fn(n * 3, |_, _| random(&mut seed));
        let expected = dense(&mut matrix).lu().solve(&rhs).unwrap();
        let mut matrix = matrix.with_refinement(3);
        matrix.factor().unwrap();
        let (x, quality) = solve_flat(&mut matrix, &rhs);
        prop_assert!(quality.refinements >= 1);
        prop_assert!(quality.backward_error < 1e-13, "{:e}", quality.backward_error);
        prop_assert!((x - &expected).amax() < 1e-11 * expected.amax());
    }
}

#[test]
fn a_zero_on_the_diagonal_of_a_block_is_no_obstacle() {
    let mut matrix = BlockTridiagonal::<2>::new(2);
    *matrix.diagonal(0) = SMatrix::from_row_slice(&[0.0, 1.0, 2.0, 0.0]);
    *matrix.diagonal(1) = SMatrix::from_row_slice(&[1.0, 0.0, 0.0, 4.0]);
    *matrix.lower(1) = SMatrix::identity();
    matrix.factor().unwrap();
    let mut x = [SVector::from([3.0, 4.0]), SVector::from([5.0, 7.0])];
    matrix.solve(&mut x).unwrap();
    assert_eq!(x, [SVector::from([2.0, 3.0]), SVector::from([3.0, 1.0])]);
}

#[test]
fn a_solution_that_vanishes_in_places_is_accurate() {
    // x = (1, 0) in every block; rounding makes the second component of b about 1e-17 instead of 0.
    let mut matrix = BlockTridiagonal::<2>::new(4).with_refinement(1);
    let rotation = SMatrix::from_row_slice(&[0.6, -0.8, 0.8, 0.6]);
    for i in 0..4 {
        *matrix.diagonal(i) = rotation * 3.0;
        *matrix.lower(i) = rotation;
    }
    matrix.factor().unwrap();
    let mut x: Vec<_> = (0..4).map(|i| rotation.column(0) * if i == 0 { 3.0 } else { 4.0 }).collect();
    let quality = matrix.solve(&mut x).unwrap();
    assert!(quality.backward_error < 1e-15);
    assert!(x.iter().all(|x| (x - SVector::from([1.0, 0.0])).amax() < 1e-15));
}

#[test]
fn the_singular_block_is_named() {
    let mut seed = 7;
    let mut matrix = random_matrix::<3>(5, &mut seed);
    matrix.diagonal(3).fill(0.0);
    matrix.lower(3).fill(0.0);
    assert_eq!(matrix.factor(), Err(LinearError::SingularBlock { block: 3, column: 0 }));
    let mut rhs = vec![SVector::zeros(); 5];
    assert_eq!(matrix.solve(&mut rhs), Err(LinearError::OutOfTurn { missing: "factorised" }));
}

#[test]
fn a_block_that_cancels_to_rounding_error_is_singular() {
    // P₁ = D₁ − L₁ D₀⁻¹ U₀ vanishes but for rounding: 1/49 · 49 is not 1.
    let mut matrix = BlockTridiagonal::<1>::new(2);
    matrix.diagonal(0)[0] = 49.0;
    matrix.upper(0)[0] = 1.0;
    matrix.lower(1)[0] = 49.0;
    matrix.diagonal(1)[0] = 1.0;
    assert_ne!(1.0 - 49.0 * (1.0 / 49.0), 0.0);
    assert_eq!(matrix.factor(), Err(LinearError::SingularBlock { block: 1, column: 0 }));
}

#[test]
fn badly_scaled_columns_and_rows_are_not_singular() {
    let mut matrix = BlockTridiagonal::<2>::new(1);
    *matrix.diagonal(0) = SMatrix::from_row_slice(&[1e12, 0.0, 0.0, 1e-9]);
    matrix.factor().unwrap();
    let mut x = [SVector::from([2e12, 3e-9])];
    matrix.solve(&mut x).unwrap();
    assert!((x[0] - SVector::from([2.0, 3.0])).amax() < 1e-15);
}

#[test]
fn infinities_and_wrong_sizes_are_errors() {
    let mut matrix = BlockTridiagonal::<2>::new(2);
    *matrix.diagonal(0) = SMatrix::identity();
    *matrix.diagonal(1) = SMatrix::identity();
    matrix.factor().unwrap();
    let mut x = [SVector::zeros(), SVector::from([0.0, f64::INFINITY])];
    assert_eq!(matrix.solve(&mut x), Err(LinearError::NotFinite { operand: "right-hand side", index: 3 }));
    assert!(matches!(matrix.solve(&mut x[..1]), Err(LinearError::WrongSize { found: 1, expected: 2, .. })));
    matrix.diagonal(1)[(0, 0)] = f64::NAN;
    assert_eq!(matrix.factor(), Err(LinearError::SingularBlock { block: 1, column: 0 }));
}

#[test]
fn clearing_leaves_zeros_and_the_empty_matrix_is_harmless() {
    let mut seed = 3;
    let mut matrix = random_matrix::<2>(3, &mut seed);
    matrix.clear();
    assert_eq!(dense(&mut matrix).amax(), 0.0);
    let mut empty = BlockTridiagonal::<2>::new(0);
    empty.factor().unwrap();
    empty.solve(&mut []).unwrap();
}
