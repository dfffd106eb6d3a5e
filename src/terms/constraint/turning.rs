//! The angle of one frame about an axis of another in space, φ = 2 atan2(a·Im r, Re r) with the relative rotation
//! r = P_a p̄_a p_b P̄_b, which is 1 in the reference configuration with the orientations P_a and P_b.
//!
//! The component along a of the rotation vector of the same rotation is 2 g(|Im r|²/(Re r)²) (a·Im r)/Re r with g(x) = atan √x/√x; it
//! does not depend on the sign of r and belongs to the shorter of both ways to turn.
//!
//! With m = p̄_a p_b both arguments are linear, α = c_α·m and β = c_β·m, and along p exp(ξ/2)
//! ∂m = ½ (m ξ_b − ξ_a m), ∂²m = −¼ (|ξ_a|² m + 2 ξ_a m ξ_b + |ξ_b|² m).

use nalgebra::{Matrix2, Matrix3, Matrix6, SMatrix, Vector2, Vector3, Vector6};

use super::{Anchor, Constraint, RowCurvature, RowDerivative};
use crate::geometry::Quaternion;
use crate::geometry::algebra::{Turn as Components, relative};
use crate::kernel::derivative::second_order;
use crate::scalar::Scalar;
use crate::terms::layout::{Layout, NodeKind};
use crate::terms::nodes::Nodes;

/// An axis and the orientations between which the angle about it is zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turn {
    /// Unit vector of space in the reference configuration.
    pub axis: Vector3<f64>,
    /// Orientations of both nodes in the reference configuration; 1 of the ground.
    pub reference: [Quaternion; 2],
}

impl Turn {
    /// c_α and c_β.
    fn weights(&self) -> [nalgebra::Vector4<f64>; 2] {
        let [first, second] = self.reference;
        [Quaternion { re: 0.0, im: self.axis }, Quaternion::IDENTITY]
            .map(|of| (first.conjugate() * of * second).to_vector())
    }

    /// φ between two sides over any scalar.
    pub fn angle<T: Scalar>(&self, sides: [&Anchor; 2], nodes: &Nodes<'_, T>) -> T {
        let [a, b] = sides.map(|side| quaternion(side, nodes));
        let m = relative(a, b);
        let [alpha, beta] = self.weights().map(|w| m[0] * w[0] + m[1] * w[1] + m[2] * w[2] + m[3] * w[3]);
        alpha.atan2(beta) * 2.0
    }

    /// The component of the rotation vector along the axis over any scalar.
    pub fn component<T: Scalar>(&self, sides: [&Anchor; 2], nodes: &Nodes<'_, T>) -> T {
        let [a, b] = sides.map(|side| quaternion(side, nodes));
        let m = relative(a, b);
        let [alpha, beta] = self.weights().map(|w| m[0] * w[0] + m[1] * w[1] + m[2] * w[2] + m[3] * w[3]);
        component(alpha, beta, m[0].square() + m[1].square() + m[2].square() + m[3].square())
    }
}

/// 2 g(|Im r|²/β²) α/β with |Im r|² = |r|² − β².
fn component<T: Scalar>(alpha: T, beta: T, square: T) -> T {
    let ratio = square / beta.square() - 1.0;
    ratio.atan_root() * alpha / beta * 2.0
}

/// What is measured of the rotation about an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measured {
    /// The angle φ.
    Angle,
    /// The component of the rotation vector.
    Component,
}

impl Measured {
    /// First and second derivatives by (α, β), at a quaternion of the given square.
    fn derivatives(self, value: Vector2<f64>, square: f64) -> (Vector2<f64>, Matrix2<f64>) {
        match self {
            // ∂φ = 2 (β ∂α − α ∂β)/(α² + β²).
            Measured::Angle => {
                let ([alpha, beta], n): ([f64; 2], f64) = (value.into(), value.norm_squared());
                let (own, mixed) = (4.0 * alpha * beta / (n * n), 2.0 * (alpha * alpha - beta * beta) / (n * n));
                (Vector2::new(beta, -alpha) * (2.0 / n), Matrix2::new(-own, mixed, mixed, own))
            }
            // |r| does not change with the angles.
            Measured::Component => {
                let (_, first, second) = second_order(|[a, b]| component(a, b, a.lift(square)), value.into());
                (first, second)
            }
        }
    }
}

/// Quaternion of the node of a side; 1 where it has none.
fn quaternion<T: Scalar>(side: &Anchor, nodes: &Nodes<'_, T>) -> Components<T> {
    match side.node() {
        Some(node) if nodes.layout.kind(node) == NodeKind::SpaceFrame => nodes.quaternion(node),
        _ => Quaternion::IDENTITY.to_array().map(|x| nodes.number(x)),
    }
}

/// α and β with their derivatives by (ξ_a, ξ_b).
struct Arguments {
    value: Vector2<f64>,
    /// |m|².
    square: f64,
    slopes: [Vector6<f64>; 2],
    curvatures: [Matrix6<f64>; 2],
}

fn orientation(side: &Anchor, layout: &Layout, q: &[f64]) -> Quaternion {
    match side.node() {
        Some(node) if layout.kind(node) == NodeKind::SpaceFrame => layout.orientation(q, node),
        _ => Quaternion::IDENTITY,
    }
}

fn imaginary(axis: usize) -> Quaternion {
    Quaternion { re: 0.0, im: Vector3::from_fn(|i, _| if i == axis { 1.0 } else { 0.0 }) }
}

impl Constraint {
    fn arguments(&self, layout: &Layout, q: &[f64], turn: &Turn) -> Arguments {
        let [a, b] = [0, 1].map(|side: usize| orientation(&self.sides[side], layout, q));
        let m = a.conjugate() * b;
        let weights = turn.weights();
        let slope = |c: usize| match c {
            0..3 => imaginary(c) * m * -0.5,
            _ => m * imaginary(c - 3) * 0.5,
        };
        let own = |weight: &nalgebra::Vector4<f64>| Matrix3::from_diagonal_element(-0.25 * weight.dot(&m.to_vector()));
        Arguments {
            value: Vector2::from(weights.map(|weight| weight.dot(&m.to_vector()))),
            square: m.to_vector().norm_squared(),
            slopes: weights.map(|weight| Vector6::from_fn(|c, _| weight.dot(&slope(c).to_vector()))),
            curvatures: weights.map(|weight| {
                let mixed = Matrix3::from_fn(|i, j| -0.25 * weight.dot(&(imaginary(i) * m * imaginary(j)).to_vector()));
                let mut out = Matrix6::zeros();
                out.fixed_view_mut::<3, 3>(0, 0).copy_from(&own(&weight));
                out.fixed_view_mut::<3, 3>(3, 3).copy_from(&own(&weight));
                out.fixed_view_mut::<3, 3>(0, 3).copy_from(&mixed);
                out.fixed_view_mut::<3, 3>(3, 0).copy_from(&mixed.transpose());
                out
            }),
        }
    }

    pub(super) fn turn_derivative(&self, layout: &Layout, q: &[f64], turn: &Turn, of: Measured) -> RowDerivative {
        let Arguments { value, square, slopes, .. } = self.arguments(layout, q, turn);
        let (first, _) = of.derivatives(value, square);
        let slope = slopes[0] * first[0] + slopes[1] * first[1];
        let mut out = [SMatrix::<f64, 1, 6>::zeros(); 2];
        for side in 0..2 {
            if self.turns(side, layout) {
                for c in 0..3 {
                    out[side][3 + c] = slope[3 * side + c];
                }
            }
        }
        out
    }

    pub(super) fn turn_curvature(&self, layout: &Layout, q: &[f64], turn: &Turn, of: Measured) -> RowCurvature {
        let Arguments { value, square, slopes: [da, db], curvatures } = self.arguments(layout, q, turn);
        let (first, second) = of.derivatives(value, square);
        let mixed = da * db.transpose();
        let squares = da * da.transpose() * second[(0, 0)] + db * db.transpose() * second[(1, 1)];
        let crossed = (mixed + mixed.transpose()) * second[(0, 1)];
        let whole = curvatures[0] * first[0] + curvatures[1] * first[1] + squares + crossed;
        let mut out = [Matrix6::zeros(); 3];
        for (place, (row, col)) in [(0, 0), (1, 1), (0, 1)].into_iter().enumerate() {
            if self.turns(row, layout) && self.turns(col, layout) {
                let block = whole.fixed_view::<3, 3>(3 * row, 3 * col);
                out[place].fixed_view_mut::<3, 3>(3, 3).copy_from(&block);
            }
        }
        out
    }

    fn turns(&self, side: usize, layout: &Layout) -> bool {
        self.sides[side].node().is_some_and(|node| layout.kind(node) == NodeKind::SpaceFrame)
    }
}
