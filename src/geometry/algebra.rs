//! Vectors, rotations and quaternions over any scalar.
//!
//! Nothing here branches on values, so that all of it exists over expressions of a graph as well.

use nalgebra::{Matrix3, Vector3};

use super::Quaternion;
use crate::scalar::Scalar;

/// Three components of space.
pub type Vector<T> = [T; 3];

/// p₀; p₁, p₂, p₃.
pub type Turn<T> = [T; 4];

/// A vector of numbers.
pub fn lifted<T: Scalar>(like: T, v: &Vector3<f64>) -> Vector<T> {
    [v[0], v[1], v[2]].map(|x| like.lift(x))
}

/// a + b.
pub fn add<T: Scalar>(a: Vector<T>, b: Vector<T>) -> Vector<T> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// a − b.
pub fn sub<T: Scalar>(a: Vector<T>, b: Vector<T>) -> Vector<T> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// A vector times a scalar.
pub fn scale<T: Scalar>(factor: T, a: Vector<T>) -> Vector<T> {
    a.map(|x| factor * x)
}

/// a · b.
pub fn dot<T: Scalar>(a: Vector<T>, b: Vector<T>) -> T {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// a × b.
pub fn cross<T: Scalar>(a: Vector<T>, b: Vector<T>) -> Vector<T> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// A vector times a matrix of numbers from the left.
pub fn times<T: Scalar>(matrix: &Matrix3<f64>, a: Vector<T>) -> Vector<T> {
    [0, 1, 2].map(|i| a[0] * matrix[(i, 0)] + a[1] * matrix[(i, 1)] + a[2] * matrix[(i, 2)])
}

/// A rotation by the rows of its matrix.
#[derive(Debug, Clone, Copy)]
pub struct Rotation<T>([Vector<T>; 3]);

impl<T: Scalar> Rotation<T> {
    /// By an angle about the normal of the plane.
    pub fn in_plane(angle: T) -> Self {
        let (c, s, zero, one) = (angle.cos(), angle.sin(), angle.lift(0.0), angle.lift(1.0));
        Self([[c, -s, zero], [s, c, zero], [zero, zero, one]])
    }

    /// None.
    pub fn none(like: T) -> Self {
        let (zero, one) = (like.lift(0.0), like.lift(1.0));
        Self([[one, zero, zero], [zero, one, zero], [zero, zero, one]])
    }

    /// R(p)/|p|²: a rotation also where p is a mean of unit quaternions.
    pub fn of(p: Turn<T>) -> Self {
        let [a, b, c, d] = p;
        let (one, over) = (a.lift(1.0), a.lift(2.0) / norm_squared(p));
        let (ab, ac, ad, bc, bd, cd) = (a * b, a * c, a * d, b * c, b * d, c * d);
        let (bb, cc, dd) = (b.square(), c.square(), d.square());
        Self([
            [one - over * (cc + dd), over * (bc - ad), over * (bd + ac)],
            [over * (bc + ad), one - over * (bb + dd), over * (cd - ab)],
            [over * (bd - ac), over * (cd + ab), one - over * (bb + cc)],
        ])
    }

    /// R v.
    pub fn rotate(&self, v: Vector<T>) -> Vector<T> {
        self.0.map(|row| dot(row, v))
    }

    /// Rᵀ v: material components of a vector of space.
    pub fn to_material(&self, v: Vector<T>) -> Vector<T> {
        [0, 1, 2].map(|j| self.0[0][j] * v[0] + self.0[1][j] * v[1] + self.0[2][j] * v[2])
    }
}

/// |p|².
pub fn norm_squared<T: Scalar>(p: Turn<T>) -> T {
    p[0].square() + p[1].square() + p[2].square() + p[3].square()
}

/// p ∘ o with numbers o.
pub fn followed<T: Scalar>(p: Turn<T>, o: Quaternion) -> Turn<T> {
    let [a, b, c, d] = o.to_array();
    [
        p[0] * a - p[1] * b - p[2] * c - p[3] * d,
        p[0] * b + p[1] * a + p[2] * d - p[3] * c,
        p[0] * c - p[1] * d + p[2] * a + p[3] * b,
        p[0] * d + p[1] * c - p[2] * b + p[3] * a,
    ]
}

/// conj(p) ∘ r.
pub fn relative<T: Scalar>(p: Turn<T>, r: Turn<T>) -> Turn<T> {
    [
        p[0] * r[0] + p[1] * r[1] + p[2] * r[2] + p[3] * r[3],
        p[0] * r[1] - p[1] * r[0] - p[2] * r[3] + p[3] * r[2],
        p[0] * r[2] + p[1] * r[3] - p[2] * r[0] - p[3] * r[1],
        p[0] * r[3] - p[1] * r[2] + p[2] * r[1] - p[3] * r[0],
    ]
}

/// p ∘ (0; v).
pub fn times_imaginary<T: Scalar>(p: Turn<T>, v: Vector<T>) -> Turn<T> {
    [
        -(p[1] * v[0]) - p[2] * v[1] - p[3] * v[2],
        p[0] * v[0] + p[2] * v[2] - p[3] * v[1],
        p[0] * v[1] - p[1] * v[2] + p[3] * v[0],
        p[0] * v[2] + p[1] * v[1] - p[2] * v[0],
    ]
}

/// The imaginary part.
pub fn imaginary<T: Scalar>(p: Turn<T>) -> Vector<T> {
    [p[1], p[2], p[3]]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Products and rotations by components against those of quaternions.
    #[test]
    fn components_turn_as_quaternions_do() {
        let (p, r) =
            (Quaternion::new(0.3, -0.5, 0.7, 0.2).normalised(), Quaternion::new(-0.1, 0.4, 0.9, 0.6).normalised());
        let v = Vector3::new(0.4, -1.2, 0.8);
        let (turn, fixed) = (p.to_array(), lifted(0.0, &v));
        let mut found: Vec<f64> = Vec::new();
        let mut expected: Vec<f64> = Vec::new();
        found.extend(followed(turn, r));
        expected.extend((p * r).to_array());
        found.extend(relative(turn, r.to_array()));
        expected.extend((p.conjugate() * r).to_array());
        found.extend(times_imaginary(turn, fixed));
        expected.extend((p * Quaternion { re: 0.0, im: v }).to_array());
        // A quaternion of length 2 is the same rotation.
        found.extend(Rotation::of(turn.map(|x| 2.0 * x)).rotate(fixed));
        expected.extend(p.rotate(v).iter());
        found.extend(Rotation::of(turn).to_material(fixed));
        expected.extend(p.to_material(v).iter());
        found.extend(Rotation::in_plane(p.re).rotate(fixed));
        expected.extend(Quaternion::from_rotation_vector(Vector3::z() * p.re).rotate(v).iter());
        for (found, expected) in found.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-15, "{found} {expected}");
        }
    }
}
