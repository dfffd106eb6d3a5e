//! Loops over short rows, in pieces that compilers turn into vector instructions.
//!
//! Sums are taken in independent lanes: a single one would wait for each addition before the next, and rounding forbids
//! the compiler to split it.

use std::array::from_fn;

/// Length of a piece.
pub(super) const LANES: usize = 4;

/// `row −= factor · pivot`; lengths are multiples of [`LANES`].
#[inline]
pub(super) fn subtract(row: &mut [f64], factor: f64, pivot: &[f64]) {
    for (row, pivot) in row.as_chunks_mut::<LANES>().0.iter_mut().zip(pivot.as_chunks::<LANES>().0) {
        *row = from_fn(|k| row[k] - factor * pivot[k]);
    }
}

/// Scalar product over the length of `b`.
#[inline]
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let ((a, rest_a), (b, rest_b)) = (a[..b.len()].as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let sums = a.iter().zip(b).fold([0.0; LANES], |sums, (a, b)| from_fn(|k| sums[k] + a[k] * b[k]));
    join(sums) + rest_a.iter().zip(rest_b).map(|(a, b)| a * b).sum::<f64>()
}

/// Σ aₖ xₖ and Σ |aₖ xₖ| over the length of `a`.
#[inline]
pub(super) fn product_and_size(a: &[f64], x: &[f64]) -> (f64, f64) {
    let ((x, rest_x), (a, rest_a)) = (x[..a.len()].as_chunks::<LANES>(), a.as_chunks::<LANES>());
    let (mut products, mut sizes) = ([0.0; LANES], [0.0; LANES]);
    for (a, x) in a.iter().zip(x) {
        let terms: [f64; LANES] = from_fn(|k| a[k] * x[k]);
        products = from_fn(|k| products[k] + terms[k]);
        sizes = from_fn(|k| sizes[k] + terms[k].abs());
    }
    let (mut product, mut size) = (join(products), join(sizes));
    for (a, x) in rest_a.iter().zip(rest_x) {
        product += a * x;
        size += (a * x).abs();
    }
    (product, size)
}

/// Σ |aₖ|.
#[inline]
pub(super) fn sum_of_magnitudes(a: &[f64]) -> f64 {
    let (a, rest) = a.as_chunks::<LANES>();
    let sums = a.iter().fold([0.0; LANES], |sums, a| from_fn(|k| sums[k] + a[k].abs()));
    join(sums) + rest.iter().map(|a| a.abs()).sum::<f64>()
}

/// max |aₖ|; none is NaN.
#[inline]
pub(super) fn largest_magnitude(a: &[f64]) -> f64 {
    let (a, rest) = a.as_chunks::<LANES>();
    let maxima = a.iter().fold([0.0; LANES], |maxima, a| from_fn(|k| larger(maxima[k], a[k].abs())));
    let rest = rest.iter().fold(0.0, |largest, a| larger(largest, a.abs()));
    maxima.into_iter().fold(rest, larger)
}

/// The larger number; neither is NaN.
#[inline]
pub(super) fn larger(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

#[inline]
fn join(sums: [f64; LANES]) -> f64 {
    (sums[0] + sums[2]) + (sums[1] + sums[3])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_agree_with_plain_sums_for_every_length() {
        // Multiples of 1/8: no rounding, so the order of additions makes no difference.
        let a: Vec<f64> = (0..11).map(|k| (k as f64 - 4.0) / 8.0).collect();
        let b: Vec<f64> = (0..11).map(|k| ((k * k) as f64 - 30.0) / 8.0).collect();
        for length in 0..=11 {
            let (a, b) = (&a[..length], &b[..length]);
            let products: Vec<f64> = a.iter().zip(b).map(|(a, b)| a * b).collect();
            let product: f64 = products.iter().sum();
            assert_eq!(dot(a, b), product);
            assert_eq!(product_and_size(a, b), (product, products.iter().map(|p| p.abs()).sum()));
            assert_eq!(sum_of_magnitudes(a), a.iter().map(|a| a.abs()).sum::<f64>());
            assert_eq!(largest_magnitude(a), a.iter().fold(0.0f64, |m, a| m.max(a.abs())));
            if length % LANES == 0 {
                let mut row = a.to_vec();
                subtract(&mut row, 2.0, b);
                assert!(row.iter().zip(a).zip(b).all(|((row, a), b)| *row == a - 2.0 * b));
            }
        }
    }
}
