//! Moving frames with their first two time derivatives.

use nalgebra::Vector3;

use super::{Pose, Quaternion};

/// A unit quaternion that changes in time, with two derivatives of its components.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QuaternionJet {
    /// q.
    pub value: Quaternion,
    /// q̇.
    pub first: Quaternion,
    /// q̈.
    pub second: Quaternion,
}

/// sin √u / √u with its first two derivatives by u ≥ 0.
fn sinc_of_root(u: f64) -> [f64; 3] {
    if u < 1.0 {
        // Σ (−u)ᵏ/(2k + 1)!, to rounding.
        let (mut sum, mut coefficient) = ([0.0; 3], 1.0);
        let mut powers = [0.0, 0.0, 1.0];
        for k in 0..12 {
            let order = f64::from(k);
            sum[0] += coefficient * powers[2];
            sum[1] += coefficient * order * powers[1];
            sum[2] += coefficient * order * (order - 1.0) * powers[0];
            powers = [powers[1], powers[2], powers[2] * u];
            coefficient /= -(2.0 * order + 2.0) * (2.0 * order + 3.0);
        }
        return sum;
    }
    let root = u.sqrt();
    let (sin, cos) = root.sin_cos();
    let value = sin / root;
    let first = (cos - value) / (2.0 * u);
    [value, first, (-0.5 * value - 3.0 * first) / (2.0 * u)]
}

impl QuaternionJet {
    /// No rotation, at rest.
    pub const IDENTITY: Self = Self {
        value: Quaternion::IDENTITY,
        first: Quaternion { re: 0.0, im: Vector3::new(0.0, 0.0, 0.0) },
        second: Quaternion { re: 0.0, im: Vector3::new(0.0, 0.0, 0.0) },
    };

    /// The rotation by a rotation vector ψ with derivatives ψ̇, ψ̈. With u = |ψ|²/4 and S(u) = sin √u/√u it is
    /// (cos √u; ψ S/2), and d cos √u/du = −S/2.
    pub fn from_rotation_vector([psi, rate, second]: [Vector3<f64>; 3]) -> Self {
        let u = 0.25 * psi.norm_squared();
        let [s, s1, s2] = sinc_of_root(u);
        let (u1, u2) = (0.5 * psi.dot(&rate), 0.5 * (rate.norm_squared() + psi.dot(&second)));
        Self {
            value: Quaternion { re: u.sqrt().cos(), im: psi * (0.5 * s) },
            first: Quaternion { re: -0.5 * s * u1, im: (rate * s + psi * (s1 * u1)) * 0.5 },
            second: Quaternion {
                re: -0.5 * (s1 * u1 * u1 + s * u2),
                im: (second * s + rate * (2.0 * s1 * u1) + psi * (s2 * u1 * u1 + s1 * u2)) * 0.5,
            },
        }
    }

    /// Angular velocity in space, 2 q̇q̄, rad/s.
    pub fn spin(&self) -> Vector3<f64> {
        (self.first * self.value.conjugate()).im * 2.0
    }

    /// Angular acceleration in space, 2 Im(q̈q̄): the product of q̇ with its conjugate is real.
    pub fn spin_rate(&self) -> Vector3<f64> {
        (self.second * self.value.conjugate()).im * 2.0
    }
}

impl std::ops::Mul for QuaternionJet {
    type Output = Self;

    fn mul(self, b: Self) -> Self {
        Self {
            value: self.value * b.value,
            first: self.first * b.value + self.value * b.first,
            second: self.second * b.value + self.first * b.first * 2.0 + self.value * b.second,
        }
    }
}

/// A moving frame: pose, velocity and acceleration, all in space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PoseJet {
    /// Where it is.
    pub pose: Pose,
    /// Velocity, m/s.
    pub velocity: Vector3<f64>,
    /// Angular velocity, rad/s.
    pub spin: Vector3<f64>,
    /// Acceleration, m/s².
    pub acceleration: Vector3<f64>,
    /// Angular acceleration, rad/s².
    pub spin_rate: Vector3<f64>,
}

impl PoseJet {
    /// Velocity of the point that moves with the frame at `arm` from its origin.
    pub fn velocity_at(&self, arm: Vector3<f64>) -> Vector3<f64> {
        self.velocity + self.spin.cross(&arm)
    }

    /// Acceleration of that point: a + ω̇ × r + ω × (ω × r).
    pub fn acceleration_at(&self, arm: Vector3<f64>) -> Vector3<f64> {
        self.acceleration + self.spin_rate.cross(&arm) + self.spin.cross(&self.spin.cross(&arm))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ψ(t) of some course; derivatives by hand.
    fn course(t: f64, size: f64) -> [Vector3<f64>; 3] {
        let (sin, cos) = (1.3 * t).sin_cos();
        [
            Vector3::new(sin, t * t, cos) * size,
            Vector3::new(1.3 * cos, 2.0 * t, -1.3 * sin) * size,
            Vector3::new(-1.69 * sin, 2.0, -1.69 * cos) * size,
        ]
    }

    /// Spin and its rate against central differences of the rotation, whose own error is about h² = 1e-8.
    #[test]
    fn derivatives_agree_with_differences() {
        for (t, size) in [(0.4, 1.0), (0.4, 3.0), (0.9, 1e-3)] {
            let at = |t: f64| QuaternionJet::from_rotation_vector(course(t, size));
            let h = 1e-4;
            let (before, here, after) = (at(t - h), at(t), at(t + h));
            assert!((here.value.norm_squared() - 1.0).abs() < 1e-14);
            let turned = (after.value * before.value.conjugate()).rotation_vector() / (2.0 * h);
            assert!((here.spin() - turned).norm() < 1e-6 * (1.0 + size.powi(3)));
            let rate = (after.spin() - before.spin()) / (2.0 * h);
            assert!((here.spin_rate() - rate).norm() < 1e-6 * (1.0 + size.powi(4)));
        }
    }

    /// Product of two moving rotations: ω = ω₁ + Q₁ω₂, ω̇ = ω̇₁ + Q₁ω̇₂ + ω₁ × Q₁ω₂.
    #[test]
    fn products_add_spins() {
        let (a, b) = (course(0.3, 1.0), course(0.8, 0.7));
        let [a, b] = [a, b].map(QuaternionJet::from_rotation_vector);
        let product = a * b;
        let carried = a.value.rotate(b.spin());
        assert!((product.spin() - a.spin() - carried).norm() < 1e-13);
        let rate = a.spin_rate() + a.value.rotate(b.spin_rate()) + a.spin().cross(&carried);
        assert!((product.spin_rate() - rate).norm() < 1e-12);
    }
}
