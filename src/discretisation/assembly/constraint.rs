//! Joints as equations g(q) = 0 between attached frames.
//!
//! Two kinds of rows are enough: a coordinate of the distance between two points, and the scalar product of a direction
//! of one frame with a direction of the other.

use nalgebra::{Matrix3, SMatrix, Vector3};

use super::attachment::{Attachment, node_rotation, turning_curvature};
use super::layout::{Layout, NodeKind};
use crate::geometry::cross_matrix;
use crate::kernel::Function;

/// One side of a joint.
#[derive(Debug, Clone)]
pub enum Anchor {
    /// A frame of a node; directions are given in the frame of the node.
    Node(Attachment),
    /// A point of space that may move: its reference position and displacement.
    Ground(Vector3<f64>, [Option<Function>; 3]),
}

/// One equation of a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Row {
    /// (y_b − y_a) along an axis of space, 0 to 2.
    Coordinate(usize),
    /// (R_a u)·(R_b v) with u and v in the frames of the nodes (or of space for the ground).
    Perpendicular(Vector3<f64>, Vector3<f64>),
}

/// A joint.
#[derive(Debug, Clone)]
pub struct Constraint {
    /// Name of the joint or support in the problem file.
    pub name: String,
    /// Its two sides.
    pub sides: [Anchor; 2],
    /// Its equations.
    pub rows: Vec<Row>,
}

/// Derivative of one equation by the degrees of freedom of the nodes of both sides.
pub type RowDerivative = [SMatrix<f64, 1, 6>; 2];

impl Anchor {
    /// The node, if it has one.
    pub fn node(&self) -> Option<usize> {
        match self {
            Anchor::Node(attachment) => Some(attachment.node),
            Anchor::Ground(..) => None,
        }
    }

    fn position(&self, layout: &Layout, q: &[f64], motion: &Motion) -> Vector3<f64> {
        match self {
            Anchor::Node(attachment) => attachment.position(layout, q),
            Anchor::Ground(point, _) => point + motion.0,
        }
    }

    fn rotation(&self, layout: &Layout, q: &[f64]) -> Matrix3<f64> {
        match self {
            Anchor::Node(attachment) => node_rotation(layout, q, attachment.node),
            Anchor::Ground(..) => Matrix3::identity(),
        }
    }
}

/// Displacement of the ground side of a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion(pub Vector3<f64>);

impl Constraint {
    /// The nodes of both sides.
    pub fn nodes(&self) -> impl Iterator<Item = usize> + '_ {
        self.sides.iter().filter_map(Anchor::node)
    }

    /// g of one row.
    pub fn value(&self, layout: &Layout, q: &[f64], motion: &Motion, row: usize) -> f64 {
        let [a, b] = &self.sides;
        match &self.rows[row] {
            Row::Coordinate(c) => b.position(layout, q, motion)[*c] - a.position(layout, q, motion)[*c],
            Row::Perpendicular(u, v) => (a.rotation(layout, q) * u).dot(&(b.rotation(layout, q) * v)),
        }
    }

    /// ∂g of one row.
    pub fn derivative(&self, layout: &Layout, q: &[f64], row: usize) -> RowDerivative {
        let mut out = [SMatrix::<f64, 1, 6>::zeros(); 2];
        match &self.rows[row] {
            Row::Coordinate(c) => {
                for (side, sign) in [(0, -1.0), (1, 1.0)] {
                    if let Anchor::Node(attachment) = &self.sides[side] {
                        out[side] = attachment.position_derivative(layout, q).row(*c) * sign;
                    }
                }
            }
            Row::Perpendicular(u, v) => {
                let [a, b] = [0, 1].map(|side| self.sides[side].rotation(layout, q));
                // δ(R u)·w = (ξ × u)·Rᵀw = ξ·(u × Rᵀw).
                let turns = [u.cross(&a.tr_mul(&(b * v))), v.cross(&b.tr_mul(&(a * u)))];
                for side in 0..2 {
                    if let Some(node) = self.sides[side].node()
                        && layout.kind(node) == NodeKind::SpaceFrame
                    {
                        out[side].fixed_view_mut::<1, 3>(0, 3).copy_from(&turns[side].transpose());
                    }
                }
            }
        }
        out
    }

    /// ∂²g of one row over the rotations: (a, a), (b, b) and (a, b).
    pub fn curvature(&self, layout: &Layout, q: &[f64], row: usize) -> [Matrix3<f64>; 3] {
        let mut out = [Matrix3::zeros(); 3];
        match &self.rows[row] {
            Row::Coordinate(c) => {
                let axis = Vector3::from_fn(|i, _| if i == *c { 1.0 } else { 0.0 });
                for (side, sign) in [(0, -1.0), (1, 1.0)] {
                    if let Anchor::Node(attachment) = &self.sides[side] {
                        out[side] = attachment.position_curvature(layout, q, &(axis * sign));
                    }
                }
            }
            Row::Perpendicular(u, v) => {
                let [a, b] = [0, 1].map(|side| self.sides[side].rotation(layout, q));
                out[0] = turning_curvature(u, &a.tr_mul(&(b * v)));
                out[1] = turning_curvature(v, &b.tr_mul(&(a * u)));
                out[2] = cross_matrix(*u).transpose() * a.transpose() * b * cross_matrix(*v);
            }
        }
        out
    }

    /// The equation in the user's words.
    pub fn row_name(&self, row: usize) -> String {
        match self.rows[row] {
            Row::Coordinate(c) => format!("joint `{}` along {}", self.name, ["x", "y", "z"][c]),
            Row::Perpendicular(..) => format!("axis of joint `{}`", self.name),
        }
    }
}
