//! Vectors, rotations and quaternions of expressions.

use nalgebra::{Matrix3, Vector3};

use crate::geometry::Quaternion;
use crate::nlp::graph::{Expr, Graph};

/// Three components.
pub(super) type Vector<'g> = [Expr<'g>; 3];
/// p₀; p₁, p₂, p₃.
pub(super) type Turn<'g> = [Expr<'g>; 4];

/// A vector of numbers.
pub(super) fn constant(graph: &Graph, v: Vector3<f64>) -> Vector<'_> {
    [v[0], v[1], v[2]].map(|x| graph.constant(x))
}

pub(super) fn add<'g>(a: Vector<'g>, b: Vector<'g>) -> Vector<'g> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(super) fn sub<'g>(a: Vector<'g>, b: Vector<'g>) -> Vector<'g> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(super) fn scale<'g>(factor: Expr<'g>, a: Vector<'g>) -> Vector<'g> {
    a.map(|x| factor * x)
}

pub(super) fn dot<'g>(a: Vector<'g>, b: Vector<'g>) -> Expr<'g> {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross<'g>(a: Vector<'g>, b: Vector<'g>) -> Vector<'g> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// A vector times a matrix of numbers from the left.
pub(super) fn times<'g>(matrix: &Matrix3<f64>, a: Vector<'g>) -> Vector<'g> {
    [0, 1, 2].map(|i| a[0] * matrix[(i, 0)] + a[1] * matrix[(i, 1)] + a[2] * matrix[(i, 2)])
}

/// A rotation by its rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rotation<'g>([Vector<'g>; 3]);

impl<'g> Rotation<'g> {
    /// By an angle about the normal of the plane.
    pub fn in_plane(graph: &'g Graph, angle: Expr<'g>) -> Self {
        let (c, s, zero, one) = (angle.cos(), angle.sin(), graph.constant(0.0), graph.constant(1.0));
        Self([[c, -s, zero], [s, c, zero], [zero, zero, one]])
    }

    /// None.
    pub fn none(graph: &'g Graph) -> Self {
        let (zero, one) = (graph.constant(0.0), graph.constant(1.0));
        Self([[one, zero, zero], [zero, one, zero], [zero, zero, one]])
    }

    /// R(p)/|p|²: a rotation also where p is a mean of unit quaternions.
    pub fn of(p: Turn<'g>) -> Self {
        let [a, b, c, d] = p;
        let over = 2.0 / norm_squared(p);
        let (ab, ac, ad, bc, bd, cd) = (a * b, a * c, a * d, b * c, b * d, c * d);
        let (bb, cc, dd) = (b.square(), c.square(), d.square());
        Self([
            [1.0 - over * (cc + dd), over * (bc - ad), over * (bd + ac)],
            [over * (bc + ad), 1.0 - over * (bb + dd), over * (cd - ab)],
            [over * (bd - ac), over * (cd + ab), 1.0 - over * (bb + cc)],
        ])
    }

    /// R v.
    pub fn rotate(&self, v: Vector<'g>) -> Vector<'g> {
        self.0.map(|row| dot(row, v))
    }

    /// Rᵀ v.
    pub fn to_material(self, v: Vector<'g>) -> Vector<'g> {
        [0, 1, 2].map(|j| self.0[0][j] * v[0] + self.0[1][j] * v[1] + self.0[2][j] * v[2])
    }
}

pub(super) fn norm_squared(p: Turn<'_>) -> Expr<'_> {
    p[0].square() + p[1].square() + p[2].square() + p[3].square()
}

/// p ∘ o with numbers o.
pub(super) fn followed<'g>(p: Turn<'g>, o: Quaternion) -> Turn<'g> {
    let [a, b, c, d] = o.to_array();
    [
        p[0] * a - p[1] * b - p[2] * c - p[3] * d,
        p[0] * b + p[1] * a + p[2] * d - p[3] * c,
        p[0] * c - p[1] * d + p[2] * a + p[3] * b,
        p[0] * d + p[1] * c - p[2] * b + p[3] * a,
    ]
}

/// conj(p) ∘ r.
pub(super) fn relative<'g>(p: Turn<'g>, r: Turn<'g>) -> Turn<'g> {
    [
        p[0] * r[0] + p[1] * r[1] + p[2] * r[2] + p[3] * r[3],
        p[0] * r[1] - p[1] * r[0] - p[2] * r[3] + p[3] * r[2],
        p[0] * r[2] + p[1] * r[3] - p[2] * r[0] - p[3] * r[1],
        p[0] * r[3] - p[1] * r[2] + p[2] * r[1] - p[3] * r[0],
    ]
}

/// p ∘ (0; v).
pub(super) fn times_imaginary<'g>(p: Turn<'g>, v: Vector<'g>) -> Turn<'g> {
    [
        -(p[1] * v[0]) - p[2] * v[1] - p[3] * v[2],
        p[0] * v[0] + p[2] * v[2] - p[3] * v[1],
        p[0] * v[1] - p[1] * v[2] + p[3] * v[0],
        p[0] * v[2] + p[1] * v[1] - p[2] * v[0],
    ]
}

/// The imaginary part.
pub(super) fn imaginary(p: Turn<'_>) -> Vector<'_> {
    [p[1], p[2], p[3]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nlp::Nlp;

    /// Products and rotations of expressions against those of numbers.
    #[test]
    fn expressions_turn_as_numbers_do() {
        let (p, r) =
            (Quaternion::new(0.3, -0.5, 0.7, 0.2).normalised(), Quaternion::new(-0.1, 0.4, 0.9, 0.6).normalised());
        let v = Vector3::new(0.4, -1.2, 0.8);
        let graph = Graph::new();
        let turn: Turn<'_> = p.to_array().map(|x| graph.variable("p", x, -2.0, 2.0));
        let doubled = turn.map(|x| 2.0 * x);
        let fixed = constant(&graph, v);
        let other = followed([1.0, 0.0, 0.0, 0.0].map(|x| graph.constant(x)), r);
        let mut expected: Vec<f64> = Vec::new();
        let mut told: Vec<Expr<'_>> = Vec::new();
        told.extend(followed(turn, r));
        expected.extend((p * r).to_array());
        told.extend(relative(turn, other));
        expected.extend((p.conjugate() * r).to_array());
        told.extend(times_imaginary(turn, fixed));
        expected.extend((p * Quaternion { re: 0.0, im: v }).to_array());
        // A quaternion of length 2 is the same rotation.
        told.extend(Rotation::of(doubled).rotate(fixed));
        expected.extend(p.rotate(v).iter());
        told.extend(Rotation::of(turn).to_material(fixed));
        expected.extend(p.to_material(v).iter());
        told.extend(Rotation::in_plane(&graph, turn[0]).rotate(fixed));
        expected.extend(Quaternion::from_rotation_vector(Vector3::z() * p.re).rotate(v).iter());
        told.iter().for_each(|value| graph.subject_to("value", *value, 0.0, 0.0));
        let mut program = graph.build();
        let mut values = vec![0.0; told.len()];
        program.constraints(&p.to_array(), &mut values).unwrap();
        for (found, expected) in values.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-15, "{found} {expected}");
        }
    }
}
