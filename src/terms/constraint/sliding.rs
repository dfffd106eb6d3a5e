//! Rows of joints that slide: the way between two points along a direction that turns with the first frame, and its
//! length. With d = y_b − y_a, w = R_a u, Y = ∂y and W = ∂w by the degrees of freedom of a node
//!
//! δ(d·w) = w·(Y_b δb − Y_a δa) + d·W_a δa,  δ|d| = d·(Y_b δb − Y_a δa)/|d|.

use nalgebra::{Matrix3, Matrix6, SMatrix, Vector3};

use super::{Anchor, Constraint, GroundTravel, RowCurvature, RowDerivative, rotations_only};
use crate::geometry::Quaternion;
use crate::terms::attachment::Attachment;
use crate::terms::layout::Layout;

/// The tip of a direction u of a node, as if it stood at the node.
fn tip(node: usize, u: &Vector3<f64>) -> Attachment {
    Attachment { node, offset: *u, turn: Quaternion::IDENTITY, angle: 0.0, plain: false }
}

impl Anchor {
    /// ∂(R u)/∂(degrees of freedom of the node).
    pub(super) fn direction_derivative(&self, layout: &Layout, q: &[f64], u: &Vector3<f64>) -> SMatrix<f64, 3, 6> {
        let Some(node) = self.node() else { return SMatrix::zeros() };
        let mut derivative = tip(node, u).position_derivative(layout, q);
        (0..layout.kind(node).positions()).for_each(|c| derivative.column_mut(c).fill(0.0));
        derivative
    }

    /// Σ f_c ∂²(R u)_c by the degrees of freedom of the node.
    pub(super) fn direction_curvature(
        &self,
        layout: &Layout,
        q: &[f64],
        u: &Vector3<f64>,
        f: &Vector3<f64>,
    ) -> Matrix6<f64> {
        self.node().map_or_else(Matrix6::zeros, |node| {
            rotations_only(layout.kind(node), &tip(node, u).position_curvature(layout, q, f))
        })
    }
}

impl Constraint {
    fn way(&self, layout: &Layout, q: &[f64], motion: &GroundTravel) -> Vector3<f64> {
        let [a, b] = &self.sides;
        b.position(layout, q, motion) - a.position(layout, q, motion)
    }

    pub(super) fn across_derivative(&self, layout: &Layout, q: &[f64], u: &Vector3<f64>) -> RowDerivative {
        let [a, b] = &self.sides;
        let d = self.way(layout, q, &STILL);
        let w = a.rotation(layout, q) * u;
        let turned = d.transpose() * a.direction_derivative(layout, q, u);
        [turned - w.transpose() * a.position_derivative(layout, q), w.transpose() * b.position_derivative(layout, q)]
    }

    pub(super) fn across_curvature(&self, layout: &Layout, q: &[f64], u: &Vector3<f64>) -> RowCurvature {
        let [a, b] = &self.sides;
        let d = self.way(layout, q, &STILL);
        let w = a.rotation(layout, q) * u;
        let turn = a.direction_derivative(layout, q, u);
        let mixed = a.position_derivative(layout, q).tr_mul(&turn);
        let own = a.direction_curvature(layout, q, u, &d) + a.position_curvature(layout, q, &-w);
        [
            own - mixed - mixed.transpose(),
            b.position_curvature(layout, q, &w),
            turn.tr_mul(&b.position_derivative(layout, q)),
        ]
    }

    pub(super) fn distance_derivative(&self, layout: &Layout, q: &[f64]) -> RowDerivative {
        let along = self.way(layout, q, &STILL).normalize().transpose();
        let [a, b] = &self.sides;
        [-along * a.position_derivative(layout, q), along * b.position_derivative(layout, q)]
    }

    pub(super) fn distance_curvature(&self, layout: &Layout, q: &[f64]) -> RowCurvature {
        let way = self.way(layout, q, &STILL);
        let along = way.normalize();
        let turned = (Matrix3::identity() - along * along.transpose()) / way.norm();
        let [a, b] = &self.sides;
        let [ya, yb] = [a, b].map(|side| side.position_derivative(layout, q));
        [
            ya.tr_mul(&(turned * ya)) + a.position_curvature(layout, q, &-along),
            yb.tr_mul(&(turned * yb)) + b.position_curvature(layout, q, &along),
            -ya.tr_mul(&(turned * yb)),
        ]
    }
}

/// The ground at rest.
const STILL: GroundTravel = GroundTravel(Vector3::new(0.0, 0.0, 0.0));
