//! Unit quaternions p = (p₀; p₁, p₂, p₃) as rotations R(p) = [d₁ d₂ d₃], with the derivatives that rods need.
//!
//! Variations are taken in the body frame: δp = ½ p ξ, so that δR = R [ξ]×. Products are Hamilton's.

use nalgebra::{Matrix3, Vector3, Vector4};

/// A quaternion; of unit length wherever it stands for a rotation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quaternion {
    /// Real part p₀.
    pub re: f64,
    /// Imaginary part (p₁, p₂, p₃).
    pub im: Vector3<f64>,
}

impl Quaternion {
    /// No rotation.
    pub const IDENTITY: Self = Self { re: 1.0, im: Vector3::new(0.0, 0.0, 0.0) };

    /// From its four components, as they are.
    pub fn new(p0: f64, p1: f64, p2: f64, p3: f64) -> Self {
        Self { re: p0, im: Vector3::new(p1, p2, p3) }
    }

    /// From four components stored in a row.
    #[inline]
    pub fn from_slice(p: &[f64]) -> Self {
        Self::new(p[0], p[1], p[2], p[3])
    }

    /// The four components.
    pub fn to_array(self) -> [f64; 4] {
        [self.re, self.im[0], self.im[1], self.im[2]]
    }

    /// The four components as a vector.
    pub fn to_vector(self) -> Vector4<f64> {
        Vector4::new(self.re, self.im[0], self.im[1], self.im[2])
    }

    /// Rotation by the rotation vector ψ (axis times angle, radian).
    pub fn from_rotation_vector(psi: Vector3<f64>) -> Self {
        let half = 0.5 * psi.norm();
        // sin x / x to rounding for small x.
        let sinc = if half < 1e-4 { 1.0 - half * half / 6.0 } else { half.sin() / half };
        Self { re: half.cos(), im: psi * (0.5 * sinc) }
    }

    /// The rotation vector of a unit quaternion, of length at most π.
    pub fn rotation_vector(self) -> Vector3<f64> {
        let sine = self.im.norm();
        let (sine_signed, re) = if self.re < 0.0 { (-sine, -self.re) } else { (sine, self.re) };
        let factor = if sine < 1e-8 { 2.0 / self.re } else { 2.0 * sine_signed.atan2(re) / sine };
        self.im * factor
    }

    /// The rotation whose matrix has the orthonormal, right-handed columns d₁, d₂, d₃.
    pub fn from_directors(d: &Matrix3<f64>) -> Self {
        // Shepperd: divide by the largest of the four components.
        let trace = d.trace();
        let candidates = [trace, d[(0, 0)], d[(1, 1)], d[(2, 2)]];
        let largest = (0..4).fold(0, |best, k| if candidates[k] > candidates[best] { k } else { best });
        let vex = Vector3::new(d[(2, 1)] - d[(1, 2)], d[(0, 2)] - d[(2, 0)], d[(1, 0)] - d[(0, 1)]);
        let p = if largest == 0 {
            let re = 0.5 * (1.0 + trace).max(0.0).sqrt();
            Self { re, im: vex / (4.0 * re) }
        } else {
            let k = largest - 1;
            let size = 0.5 * (1.0 + 2.0 * d[(k, k)] - trace).max(0.0).sqrt();
            let mut im = Vector3::zeros();
            for j in 0..3 {
                im[j] = if j == k { size } else { (d[(j, k)] + d[(k, j)]) / (4.0 * size) };
            }
            Self { re: vex[k] / (4.0 * size), im }
        };
        p.normalised()
    }

    /// Conjugate: the inverse rotation.
    #[inline]
    pub fn conjugate(self) -> Self {
        Self { re: self.re, im: -self.im }
    }

    /// Squared length.
    #[inline]
    pub fn norm_squared(self) -> f64 {
        self.re * self.re + self.im.norm_squared()
    }

    /// Of unit length.
    #[inline]
    pub fn normalised(self) -> Self {
        let factor = 1.0 / self.norm_squared().sqrt();
        Self { re: self.re * factor, im: self.im * factor }
    }

    /// R(p) v for unit p.
    #[inline]
    pub fn rotate(self, v: Vector3<f64>) -> Vector3<f64> {
        let twice = self.im.cross(&v) * 2.0;
        v + twice * self.re + self.im.cross(&twice)
    }

    /// R(p)ᵀ v for unit p: material components of a vector of space.
    #[inline]
    pub fn to_material(self, v: Vector3<f64>) -> Vector3<f64> {
        self.conjugate().rotate(v)
    }

    /// The matrix R(p) of a quaternion of any length: |p|² times a rotation.
    #[inline]
    pub fn matrix(self) -> Matrix3<f64> {
        let (a, [b, c, d]) = (self.re, [self.im[0], self.im[1], self.im[2]]);
        Matrix3::new(
            a * a + b * b - c * c - d * d,
            2.0 * (b * c - a * d),
            2.0 * (b * d + a * c),
            2.0 * (b * c + a * d),
            a * a - b * b + c * c - d * d,
            2.0 * (c * d - a * b),
            2.0 * (b * d - a * c),
            2.0 * (c * d + a * b),
            a * a - b * b - c * c + d * d,
        )
    }

    /// The point reached by the body rotation vector ξ: p exp(ξ/2).
    #[inline]
    pub fn turned(self, xi: Vector3<f64>) -> Self {
        self * Self::from_rotation_vector(xi)
    }

    /// The normalised quaternion (1 + η)/|1 + η|, a rotation by 2 atan |η|: the Cayley map of Leitz and Leyendecker (2014).
    #[inline]
    pub fn cayley(eta: Vector3<f64>) -> Self {
        let re = 1.0 / (1.0 + eta.norm_squared()).sqrt();
        Self { re, im: eta * re }
    }
}

impl std::ops::Mul for Quaternion {
    type Output = Self;

    #[inline]
    fn mul(self, b: Self) -> Self {
        Self { re: self.re * b.re - self.im.dot(&b.im), im: b.im * self.re + self.im * b.re + self.im.cross(&b.im) }
    }
}

impl std::ops::Add for Quaternion {
    type Output = Self;

    #[inline]
    fn add(self, b: Self) -> Self {
        Self { re: self.re + b.re, im: self.im + b.im }
    }
}

impl std::ops::Mul<f64> for Quaternion {
    type Output = Self;

    #[inline]
    fn mul(self, factor: f64) -> Self {
        Self { re: self.re * factor, im: self.im * factor }
    }
}

/// The matrix of v ↦ a × v.
#[inline]
pub fn cross_matrix(a: Vector3<f64>) -> Matrix3<f64> {
    Matrix3::new(0.0, -a[2], a[1], a[2], 0.0, -a[0], -a[1], a[0], 0.0)
}

/// A frame in space: where it is and how it is turned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Position, metre.
    pub position: Vector3<f64>,
    /// Orientation, of unit length.
    pub orientation: Quaternion,
}

impl Pose {
    /// At the origin, along the axes.
    pub const IDENTITY: Self = Self { position: Vector3::new(0.0, 0.0, 0.0), orientation: Quaternion::IDENTITY };

    /// The point with these material coordinates.
    pub fn point(&self, offset: Vector3<f64>) -> Vector3<f64> {
        self.position + self.orientation.rotate(offset)
    }

    /// Material coordinates of a point of space.
    pub fn offset_of(&self, point: Vector3<f64>) -> Vector3<f64> {
        self.orientation.to_material(point - self.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples() -> Vec<Vector3<f64>> {
        let (a, b) = (Vector3::new(0.3, -0.5, 0.7), Vector3::new(-2.0, 1.0, 0.5));
        vec![a, b, Vector3::new(1e-6, 0.0, -2e-6), Vector3::zeros(), Vector3::new(0.0, 3.1, 0.0)]
    }

    /// Matrix, quaternion and rotation vector describe the same rotation; nalgebra's rotations are the witness.
    #[test]
    fn conversions_agree_with_nalgebra() {
        for psi in samples() {
            let p = Quaternion::from_rotation_vector(psi);
            let witness = nalgebra::Rotation3::from_scaled_axis(psi);
            assert!((p.matrix() - witness.matrix()).norm() < 1e-15);
            assert!((p.rotate(Vector3::new(1.0, 2.0, 3.0)) - witness * Vector3::new(1.0, 2.0, 3.0)).norm() < 2e-15);
            assert!((p.rotation_vector() - psi).norm() < 1e-14, "{psi}");
            assert!(((p * -1.0).rotation_vector() - psi).norm() < 1e-14, "the other of the two quaternions");
            let back = Quaternion::from_directors(&p.matrix());
            assert!((back.matrix() - p.matrix()).norm() < 1e-15);
        }
    }

    #[test]
    fn products_compose_rotations_and_variations_are_of_the_body() {
        let [a, b] = [samples()[0], samples()[1]].map(Quaternion::from_rotation_vector);
        assert!(((a * b).matrix() - a.matrix() * b.matrix()).norm() < 1e-15);
        // δR = R [ξ]× by a central difference of width 1e-5, whose own error is about 1e-10.
        let xi = Vector3::new(0.2, -0.4, 0.1);
        let slope = (a.turned(xi * 1e-5).matrix() - a.turned(xi * -1e-5).matrix()) / 2e-5;
        assert!((slope - a.matrix() * cross_matrix(xi)).norm() < 1e-10);
        // Cay(η) turns by 2 atan |η|.
        let eta = Vector3::new(0.0, 0.0, 0.4);
        assert!((Quaternion::cayley(eta).rotation_vector()[2] - 2.0 * 0.4_f64.atan()).abs() < 1e-15);
    }
}
