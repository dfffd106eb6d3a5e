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

/// The cubic through the four samples nearest to position `x` (in sample steps) that no cut separates from it. A sample on a
/// cut belongs to what follows.
pub fn cubic_between(samples: &[f64], x: f64, cuts: &[f64]) -> f64 {
    const ON_CUT: f64 = 1e-6;
    let end = samples.len();
    let before = cuts.iter().copied().filter(|cut| *cut <= x + ON_CUT).fold(0.0, f64::max);
    let after = cuts.iter().copied().filter(|cut| *cut > x + ON_CUT).fold(end as f64, f64::min);
    let (mut low, mut high) = ((before - ON_CUT).ceil().max(0.0) as usize, ((after - ON_CUT).ceil() as usize).min(end));
    if low >= high {
        (low, high) = (0, end);
    }
    let first = (x.floor().max(0.0) as usize).saturating_sub(1).clamp(low, high.saturating_sub(4).max(low));
    let points = &samples[first..high.min(first + 4)];
    let x = x - first as f64;
    let weight = |i: usize| {
        (0..points.len()).filter(|&j| j != i).map(|j| (x - j as f64) / (i as f64 - j as f64)).product::<f64>()
    };
    points.iter().enumerate().map(|(i, value)| value * weight(i)).sum()
}

/// Rows at a share, 0 to 1, of the way along rows that stand at equal distances: on straight lines between them.
pub fn linear(rows: &[Vec<f64>], share: f64) -> Vec<f64> {
    let last = rows.len().saturating_sub(1);
    let place = share.clamp(0.0, 1.0) * last as f64;
    let before = (place as usize).min(last.saturating_sub(1));
    let part = place - before as f64;
    let at = |k: usize| rows.get(k).map_or(&[][..], Vec::as_slice);
    at(before).iter().zip(at((before + 1).min(last))).map(|(a, b)| a + part * (b - a)).collect()
}

#[cfg(test)]
mod tests {
    use super::{cubic, cubic_between, linear};

    #[test]
    fn linear_reproduces_lines_and_stays_at_the_ends() {
        let rows: Vec<Vec<f64>> = (0..5).map(|k| vec![f64::from(k), 3.0 - 0.5 * f64::from(k)]).collect();
        for share in [0.0f64, 0.1, 0.25, 0.6, 1.0] {
            let found = linear(&rows, share);
            assert!((found[0] - 4.0 * share).abs() < 1e-14 && (found[1] - 3.0 + 2.0 * share).abs() < 1e-14);
        }
        assert_eq!(linear(&rows, -1.0), rows[0]);
        assert_eq!(linear(&rows, 2.0), rows[4]);
        assert_eq!(linear(&rows[..1], 0.7), rows[0]);
        assert!(linear(&[], 0.5).is_empty());
    }

    #[test]
    fn cubic_reproduces_cubics_up_to_the_ends() {
        let f = |u: f64| 1.0 + u - 0.5 * u * u + 0.1 * u * u * u;
        let samples: Vec<f64> = (0..8).map(|k| f(k as f64)).collect();
        for u in [0.0, 0.3, 1.5, 3.99, 6.5, 7.0] {
            assert!((cubic(&samples, u) - f(u)).abs() < 1e-12);
        }
        assert_eq!(cubic(&[2.0, 4.0], 0.5), 3.0);
    }

    /// Cubics are reproduced on either side of a jump, up to it and to the ends.
    #[test]
    fn samples_are_not_mixed_across_jumps() {
        let cubic = |x: f64| 1.0 + x - 0.5 * x * x + 0.1 * x * x * x;
        for cut in [5.0, 4.5] {
            let value = |x: f64| if x < cut { cubic(x) } else { cubic(x) + 7.0 };
            let samples: Vec<f64> = (0..11).map(|k| value(f64::from(k))).collect();
            for x in [0.0, 0.3, 3.9, 4.2, 4.49, 5.5, 9.7, 10.0] {
                assert!((cubic_between(&samples, x, &[0.0, cut]) - value(x)).abs() < 1e-11, "{x} {cut}");
            }
            let x = 4.8;
            assert!((cubic_between(&samples, x, &[cut]) - value(x)).abs() < 1e-11, "{cut}");
        }
        assert_eq!(cubic_between(&[2.0, 4.0], 0.5, &[]), 3.0);
    }
}
