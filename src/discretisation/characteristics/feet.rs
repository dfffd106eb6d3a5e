//! Nodes of a layer and values between them.

use std::ops::{Add, Mul};

use crate::models::Vector;

/// Configuration, velocity and stress at one point of space-time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Node<const D: usize> {
    /// Configuration q.
    pub q: Vector<D>,
    /// Velocity v = q̇.
    pub v: Vector<D>,
    /// Stress n.
    pub n: Vector<D>,
}

impl<const D: usize> Add for Node<D> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { q: self.q + other.q, v: self.v + other.v, n: self.n + other.n }
    }
}

impl<const D: usize> Mul<f64> for Node<D> {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self { q: self.q * factor, v: self.v * factor, n: self.n * factor }
    }
}

/// The layer at time index k + `shift`, |shift| ≤ 1, by the cubic through the four nodes around it; constant beyond the
/// ends of the grid.
pub fn interpolate<const D: usize>(layer: &[Node<D>], k: usize, shift: f64) -> Node<D> {
    let [first, second, third, fourth] = between(layer.len(), k, shift).map(|(weight, index)| layer[index] * weight);
    first + second + third + fourth
}

/// Weights of the four of `count` instants around index k + `shift`, |shift| ≤ 1, whose cubic has the value there.
pub fn between(count: usize, k: usize, shift: f64) -> [(f64, usize); 4] {
    let (base, u) = if shift < 0.0 { (k as isize - 1, 1.0 + shift) } else { (k as isize, shift) };
    let at = |offset: isize| (base + offset).clamp(0, count as isize - 1) as usize;
    // Lagrange weights of the nodes −1, 0, 1, 2 at u ∈ [0, 1].
    let (a, b, c, d) = (u + 1.0, u, u - 1.0, u - 2.0);
    [(-b * c * d / 6.0, at(-1)), (a * c * d / 2.0, at(0)), (-a * b * d / 2.0, at(1)), (a * b * c / 6.0, at(2))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubics_are_reproduced() {
        let f = |t: f64| 0.5 - t + 0.3 * t * t - 0.02 * t * t * t;
        let at =
            |t: f64| Node::<2> { q: Vector::repeat(f(t)), v: Vector::repeat(-f(t)), n: Vector::repeat(2.0 * f(t)) };
        let layer: Vec<_> = (0..10).map(|k| at(k as f64)).collect();
        for shift in [-1.0, -0.7, -0.2, 0.0, 0.4, 1.0] {
            let found = interpolate(&layer, 5, shift);
            let exact = at(5.0 + shift);
            assert!((found.q - exact.q).norm() + (found.v - exact.v).norm() + (found.n - exact.n).norm() < 1e-13);
        }
    }
}
