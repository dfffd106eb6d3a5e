use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::*;
use crate::solver::linear::saddle_samples::Numbers;

/// Symmetric, with entries of very different size and vanishing ones, so that all kinds of pivots occur.
fn indefinite(size: usize, numbers: &mut Numbers) -> DMatrix<f64> {
    let mut matrix = DMatrix::zeros(size, size);
    for column in 0..size {
        for row in column..size {
            let kind = numbers.index(4);
            let value = numbers.next() * [1.0, 1e-3, 0.0, 1.0][kind];
            let value = if row == column && numbers.index(3) > 0 { 0.0 } else { value };
            (matrix[(row, column)], matrix[(column, row)]) = (value, value);
        }
    }
    matrix
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]
    #[test]
    fn inertia_solution_and_complement_agree_with_dense_algebra(seed in any::<u64>(), n in 1usize..12, below in 0usize..6) {
        let mut numbers = Numbers(seed);
        let height = n + below;
        let matrix = indefinite(height, &mut numbers);
        let block = matrix.view((0, 0), (n, n)).into_owned();
        let eigenvalues = block.clone().symmetric_eigenvalues();
        prop_assume!(eigenvalues.iter().all(|value| value.abs() > 1e-4));
        // Entries above the diagonal are never read.
        let mut panel: Vec<f64> = (0..n * height)
            .map(|place| if place % height < place / height { f64::NAN } else { matrix[(place % height, place / height)] })
            .collect();
        let (mut exchanged, mut inverse) = (vec![0; n], vec![[0.0; 2]; n]);
        let mut reduced = vec![f64::NAN; n * below];
        let mut pivots = Pivots { exchanged: &mut exchanged, inverse: &mut inverse };
        let (positive, negative) = factor_panel(&mut panel, height, &mut pivots, &mut reduced).unwrap();
        prop_assert_eq!(positive, eigenvalues.iter().filter(|value| **value > 0.0).count());
        prop_assert_eq!(positive + negative, n);

        let rest = matrix.view((n, 0), (below, n)).into_owned();
        let inverted = block.try_inverse().unwrap();
        // Errors of the inverse grow with the square of its size.
        let tolerance = 1e-12 * (1.0 + inverted.amax()).powi(2);
        let expected = -&rest * &inverted * rest.transpose();
        let mut complement = vec![0.0; below * below];
        subtract_from_complement(&panel, height, &reduced, &mut complement);
        for column in 0..below {
            for row in column..below {
                prop_assert!((complement[column * below + row] - expected[(row, column)]).abs() < tolerance);
            }
        }

        // With the rows below solved for, the columns see b − Rᵀ y.
        let b = DVector::from_fn(n, |_, _| numbers.next());
        let y = DVector::from_fn(below, |_, _| numbers.next());
        let expected = &inverted * (&b - rest.transpose() * &y);
        let mut x: Vec<f64> = b.iter().copied().chain(vec![0.0; below]).collect();
        substitute_forward(&panel, height, &exchanged, &mut x);
        let passed_on = DVector::from_column_slice(&x[n..]);
        prop_assert!((passed_on + &rest * &inverted * &b).amax() < tolerance || below == 0);
        apply_inverse(&inverse, &mut x);
        x[n..].copy_from_slice(y.as_slice());
        substitute_backward(&panel, height, &exchanged, &mut x);
        prop_assert!((0..n).all(|index| (x[index] - expected[index]).abs() < tolerance));
    }
}

#[test]
fn a_column_without_pivot_is_named_by_its_number_before_exchanges() {
    // Columns 1 and 3 are a pair; 0 is zero; the exchanges of the pair bring others to its place.
    let mut panel = vec![0.0; 16];
    (panel[4 + 3], panel[2 * 4 + 2]) = (5.0, 1.0);
    let (mut exchanged, mut inverse) = ([0; 4], [[0.0; 2]; 4]);
    let mut pivots = Pivots { exchanged: &mut exchanged, inverse: &mut inverse };
    assert_eq!(factor_panel(&mut panel, 4, &mut pivots, &mut []), Err(0));
    // [[0, 0, 2], [0, 0, 0], [2, 0, 0]]: the pair (0, 2) brings the empty column 1 to place 2.
    let mut panel = vec![0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let mut pivots = Pivots { exchanged: &mut exchanged[..3], inverse: &mut inverse[..3] };
    assert_eq!(factor_panel(&mut panel, 3, &mut pivots, &mut []), Err(1));
    for bad in [f64::NAN, f64::INFINITY] {
        let mut pivots = Pivots { exchanged: &mut exchanged[..1], inverse: &mut inverse[..1] };
        assert_eq!(factor_panel(&mut [bad], 1, &mut pivots, &mut []), Err(0));
    }
}
