//! Values between samples.

/// Cubic through the four samples around position `u` (in sample steps); the error is of fourth order.
pub fn cubic(samples: &[f64], u: f64) -> f64 {
    let last = samples.len().saturating_sub(1);
    let base = (u.floor().max(0.0) as usize).saturating_sub(1).min(last.saturating_sub(3));
    let points = &samples[base..samples.len().min(base + 4)];
    let x = u - base as f64;
    let weight = |i: usize| {
        (0..points.len()).filter(|&j| j != i).map(|j| (x - j as f64) / (i as f64 - j as f64)).product::<f64>()
    };
    points.iter().enumerate().map(|(i, value)| value * weight(i)).sum()
}

#[cfg(test)]
mod tests {
    use super::cubic;

    #[test]
    fn cubic_reproduces_cubics_up_to_the_ends() {
        let f = |u: f64| 1.0 + u - 0.5 * u * u + 0.1 * u * u * u;
        let samples: Vec<f64> = (0..8).map(|k| f(k as f64)).collect();
        for u in [0.0, 0.3, 1.5, 3.99, 6.5, 7.0] {
            assert!((cubic(&samples, u) - f(u)).abs() < 1e-12);
        }
        assert_eq!(cubic(&[2.0, 4.0], 0.5), 3.0);
    }
}
