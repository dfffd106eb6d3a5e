//! Vectors that probe an inverse: the image of random signs shows its norm and the direction it amplifies most.

/// A sign that looks random but is the same in every run.
pub(super) fn random_sign(index: usize) -> f64 {
    if random_bits(index) & 1 == 0 { 1.0 } else { -1.0 }
}

/// Like [`random_sign`], but uniform over [−√3, √3): the variance is 1 as well, and hardly two numbers are the same.
pub(super) fn random_number(index: usize) -> f64 {
    ((random_bits(index) >> 11) as f64 / (1u64 << 52) as f64 - 1.0) * 3f64.sqrt()
}

/// Finaliser of SplitMix64.
fn random_bits(index: usize) -> u64 {
    let mut bits = (index as u64).wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// Divides a vector by its Euclidean norm and returns the norm.
pub(super) fn normalise(x: &mut [f64]) -> f64 {
    let size = x.iter().fold(0.0f64, |largest, x| largest.max(x.abs()));
    let norm = size * x.iter().map(|x| (x / size).powi(2)).sum::<f64>().sqrt();
    x.iter_mut().for_each(|x| *x /= norm);
    norm
}

/// Index of the entry of largest magnitude.
pub(super) fn largest(x: &[f64]) -> usize {
    x.iter().enumerate().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())).map_or(0, |(index, _)| index)
}
