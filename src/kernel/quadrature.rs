//! Gauss quadrature on [0, 1].

/// Legendre's polynomial of degree n at x ∈ [−1, 1], with its derivative.
pub fn legendre(n: usize, x: f64) -> (f64, f64) {
    let (mut before, mut p) = (1.0, x);
    if n == 0 {
        return (1.0, 0.0);
    }
    for k in 2..=n {
        let k = k as f64;
        (before, p) = (p, ((2.0 * k - 1.0) * x * p - (k - 1.0) * before) / k);
    }
    let slope = if x.abs() == 1.0 {
        x.powi(n as i32 + 1) * (n * (n + 1)) as f64 / 2.0
    } else {
        n as f64 * (x * p - before) / (x * x - 1.0)
    };
    (p, slope)
}

/// Points and weights of Gauss quadrature with `count` points on [0, 1], exact to degree 2 count − 1.
pub fn gauss(count: usize) -> Vec<(f64, f64)> {
    let point = |i: usize| {
        let mut x = (std::f64::consts::PI * (i as f64 + 0.75) / (count as f64 + 0.5)).cos();
        for _ in 0..100 {
            let (p, slope) = legendre(count, x);
            let step = p / slope;
            x -= step;
            if step.abs() < 1e-16 {
                break;
            }
        }
        let (_, slope) = legendre(count, x);
        (0.5 * (1.0 - x), 1.0 / ((1.0 - x * x) * slope * slope))
    };
    (0..count).map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gauss with n points integrates xᵏ exactly up to k = 2n − 1: 1/(k + 1).
    #[test]
    fn gauss_is_exact_to_its_degree() {
        for count in 1..=7 {
            for k in 0..2 * count {
                let sum: f64 = gauss(count).iter().map(|(x, w)| w * x.powi(k as i32)).sum();
                assert!((sum - 1.0 / (k as f64 + 1.0)).abs() < 1e-15, "{count} points, degree {k}: {sum}");
            }
        }
    }
}
