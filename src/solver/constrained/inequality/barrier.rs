//! The logarithmic barrier φ(v) = f(x) − μ Σ ln(v − l) − μ Σ ln(u − v), and steps that stay inside it.
//!
//! Entries with one bound only are also pulled towards it by κ μ (v − l), which keeps the minimiser bounded where f does
//! not (Wächter and Biegler 2006, section 3.7). With μ = 0 this is the plain objective.

use crate::solver::constrained::direction::Direction;
use crate::solver::constrained::point::Point;
use crate::solver::constrained::standard::Standard;

/// κ of the pull towards single bounds.
const PULL: f64 = 1e-5;

/// φ(v) − f(x).
pub fn barrier(standard: &Standard, v: &[f64], mu: f64) -> f64 {
    if mu == 0.0 {
        return 0.0;
    }
    let mut sum = 0.0;
    for i in 0..standard.len() {
        let (lower, upper) = (standard.has_lower(i), standard.has_upper(i));
        if lower {
            let above = standard.above(v, i);
            sum -= above.ln();
            if !upper {
                sum += PULL * above;
            }
        }
        if upper {
            let below = standard.below(v, i);
            sum -= below.ln();
            if !lower {
                sum += PULL * below;
            }
        }
    }
    mu * sum
}

/// Derivative of φ − f by entry i of v.
pub fn barrier_slope(standard: &Standard, v: &[f64], mu: f64, i: usize) -> f64 {
    let (lower, upper) = (standard.has_lower(i), standard.has_upper(i));
    let mut slope = 0.0;
    if lower {
        slope -= mu / standard.above(v, i);
        if !upper {
            slope += PULL * mu;
        }
    }
    if upper {
        slope += mu / standard.below(v, i);
        if !lower {
            slope -= PULL * mu;
        }
    }
    slope
}

/// Slope of φ along a direction.
pub fn slope_along(standard: &Standard, point: &Point, direction: &Direction, mu: f64) -> f64 {
    let objective: f64 = point.gradient.iter().zip(&direction.v).map(|(g, d)| g * d).sum();
    let moving = (0..standard.len()).filter(|&i| !standard.fixed[i]);
    objective + moving.map(|i| barrier_slope(standard, &point.v, mu, i) * direction.v[i]).sum::<f64>()
}

/// The longest step of v that keeps the share 1 − τ of each distance from a bound.
pub fn longest_primal(standard: &Standard, v: &[f64], direction: &[f64], tau: f64) -> f64 {
    let mut alpha = 1.0f64;
    for (i, &d) in direction.iter().enumerate() {
        if d < 0.0 && standard.has_lower(i) {
            alpha = alpha.min(-tau * standard.above(v, i) / d);
        } else if d > 0.0 && standard.has_upper(i) {
            alpha = alpha.min(tau * standard.below(v, i) / d);
        }
    }
    alpha
}

/// The longest step of the bound multipliers that keeps the share 1 − τ of each.
pub fn longest_dual(point: &Point, direction: &Direction, tau: f64) -> f64 {
    longest_multipliers([(&point.z_lower, &direction.z_lower), (&point.z_upper, &direction.z_upper)], tau)
}

/// The longest step of multipliers z ≥ 0 along their changes that keeps the share 1 − τ of each.
pub fn longest_multipliers(pairs: [(&Vec<f64>, &Vec<f64>); 2], tau: f64) -> f64 {
    let falling = pairs.into_iter().flat_map(|(z, d)| z.iter().zip(d)).filter(|(_, d)| **d < 0.0);
    falling.map(|(z, d)| -tau * z / d).fold(1.0, f64::min)
}
