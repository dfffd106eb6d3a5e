//! Joints, and rods that cannot shear, as equations g(q) = 0 between attached frames.
//!
//! Few kinds of rows make all joints: a coordinate of the way between two points, along an axis of space or of the first
//! frame, the length of that way, the scalar product of a direction of one frame with a direction of the other, and the
//! angle between plane frames. One more keeps the middle section of an element perpendicular to its axis.

mod shear;
mod sliding;
mod turning;

use nalgebra::{Matrix3, Matrix6, SMatrix, Vector3};

use super::attachment::{Attachment, node_rotation, turning_curvature};
use super::layout::{Layout, NodeKind};
use super::nodes::{Nodes, length};
use crate::geometry::algebra::{Rotation, Vector, add, dot, lifted, sub};
use crate::geometry::cross_matrix;
use crate::kernel::Function;
use crate::scalar::Scalar;

pub use shear::Shear;
use turning::Measured;
pub use turning::Turn;

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
pub enum ConditionRow {
    /// (y_b − y_a) along an axis of space, 0 to 2.
    Coordinate(usize),
    /// (R_a u)·(R_b v) with u and v in the frames of the nodes (or of space for the ground).
    Perpendicular(Vector3<f64>, Vector3<f64>),
    /// (y_b − y_a)·R_a u with u in the frame of the first node (or of space for the ground).
    Across(Vector3<f64>),
    /// |y_b − y_a| − ℓ with the length ℓ, metre. Its multiplier is the force along the line.
    Distance(f64),
    /// θ_b − θ_a of two plane frames less its value in the reference configuration, radian.
    Angle(f64),
    /// Angle of the second frame about an axis of the first, radian, less than a full turn either way; space.
    Turn(Turn),
    /// Component along an axis of the rotation vector of the second frame against the first, radian, shorter than half a turn; space.
    Rotation(Turn),
    /// ∫γ ds across the axis over the element between two sections, by its strain in the middle. Its multiplier is the force across
    /// the section, newton.
    Shear(Shear),
}

/// A joint.
#[derive(Debug, Clone)]
pub struct Constraint {
    /// Name of the joint or support, or of the rod that cannot shear, in the problem file.
    pub name: String,
    /// Its two sides.
    pub sides: [Anchor; 2],
    /// Its equations.
    pub rows: Vec<ConditionRow>,
}

/// Derivative of one equation by the degrees of freedom of the nodes of both sides.
pub type RowDerivative = [SMatrix<f64, 1, 6>; 2];

/// Second derivative of one equation by the degrees of freedom of the nodes: (a, a), (b, b) and (a, b). For rotations in
/// space it is the one along exp(ξ/2), as for elements.
pub type RowCurvature = [Matrix6<f64>; 3];

impl Anchor {
    /// The node, if it has one.
    pub fn node(&self) -> Option<usize> {
        match self {
            Anchor::Node(attachment) => Some(attachment.node),
            Anchor::Ground(..) => None,
        }
    }

    /// A point of the reference configuration that moves with an attached frame.
    pub fn at(mut frame: Attachment, layout: &Layout, reference: &[f64], point: Vector3<f64>) -> Self {
        let away = point - layout.position(reference, frame.node);
        frame.offset = node_rotation(layout, reference, frame.node).tr_mul(&away);
        frame.plain = false;
        Anchor::Node(frame)
    }

    /// A vector of the reference configuration in the frame of its node.
    pub fn in_frame(&self, layout: &Layout, reference: &[f64], vector: Vector3<f64>) -> Vector3<f64> {
        self.rotation(layout, reference).tr_mul(&vector)
    }

    /// Its point, where the ground is displaced by `ground`.
    pub fn point_over<T: Scalar>(&self, nodes: &Nodes<'_, T>, ground: Vector<T>) -> Vector<T> {
        match self {
            Anchor::Node(attachment) => nodes.point(attachment),
            Anchor::Ground(point, _) => add(lifted(nodes.q[0], point), ground),
        }
    }

    /// From the frame of its node to space.
    pub fn rotation_over<T: Scalar>(&self, nodes: &Nodes<'_, T>) -> Rotation<T> {
        match self {
            Anchor::Node(attachment) => nodes.rotation(attachment.node),
            Anchor::Ground(..) => Rotation::none(nodes.q[0]),
        }
    }

    /// Angle of its plane frame.
    pub fn angle_over<T: Scalar>(&self, nodes: &Nodes<'_, T>) -> T {
        match self {
            Anchor::Node(attachment) => nodes.angle_of(attachment),
            Anchor::Ground(..) => nodes.number(0.0),
        }
    }

    fn position(&self, layout: &Layout, q: &[f64], motion: &GroundTravel) -> Vector3<f64> {
        self.point_over(&Nodes { layout, q }, motion.0.into()).into()
    }

    pub(super) fn rotation(&self, layout: &Layout, q: &[f64]) -> Matrix3<f64> {
        match self {
            Anchor::Node(attachment) => node_rotation(layout, q, attachment.node),
            Anchor::Ground(..) => Matrix3::identity(),
        }
    }

    /// Angle of its plane frame.
    pub fn angle(&self, layout: &Layout, q: &[f64]) -> f64 {
        self.angle_over(&Nodes { layout, q })
    }

    /// ∂y/∂(degrees of freedom of the node).
    fn position_derivative(&self, layout: &Layout, q: &[f64]) -> SMatrix<f64, 3, 6> {
        match self {
            Anchor::Node(attachment) => attachment.position_derivative(layout, q),
            Anchor::Ground(..) => SMatrix::zeros(),
        }
    }

    /// Σ f_c ∂²y_c by the degrees of freedom of the node.
    fn position_curvature(&self, layout: &Layout, q: &[f64], f: &Vector3<f64>) -> Matrix6<f64> {
        match self {
            Anchor::Node(attachment) => {
                rotations_only(layout.kind(attachment.node), &attachment.position_curvature(layout, q, f))
            }
            Anchor::Ground(..) => Matrix6::zeros(),
        }
    }
}

/// A matrix over the rotations of a node among all its degrees of freedom.
fn rotations_only(kind: NodeKind, block: &Matrix3<f64>) -> Matrix6<f64> {
    let (first, end) = (kind.positions(), kind.freedoms());
    Matrix6::from_fn(|r, c| {
        if (first..end).contains(&r) && (first..end).contains(&c) { block[(r - first, c - first)] } else { 0.0 }
    })
}

/// Displacement of the ground side of a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroundTravel(pub Vector3<f64>);

impl Constraint {
    /// The nodes of both sides.
    pub fn nodes(&self) -> impl Iterator<Item = usize> + '_ {
        self.sides.iter().filter_map(Anchor::node)
    }

    /// g of one row over any scalar, with the displacement of the ground.
    pub fn value_over<T: Scalar>(&self, nodes: &Nodes<'_, T>, ground: Vector<T>, row: usize) -> T {
        let [a, b] = &self.sides;
        let way = || sub(b.point_over(nodes, ground), a.point_over(nodes, ground));
        let direction = |side: &Anchor, u: &Vector3<f64>| side.rotation_over(nodes).rotate(lifted(nodes.q[0], u));
        match &self.rows[row] {
            ConditionRow::Coordinate(c) => b.point_over(nodes, ground)[*c] - a.point_over(nodes, ground)[*c],
            ConditionRow::Perpendicular(u, v) => dot(direction(a, u), direction(b, v)),
            ConditionRow::Across(u) => dot(way(), direction(a, u)),
            ConditionRow::Distance(rest) => length(way()) - *rest,
            ConditionRow::Angle(rest) => b.angle_over(nodes) - a.angle_over(nodes) - *rest,
            ConditionRow::Turn(turn) => turn.angle([a, b], nodes),
            ConditionRow::Rotation(turn) => turn.component([a, b], nodes),
            ConditionRow::Shear(shear) => shear.value_over(nodes),
        }
    }

    /// g of one row.
    pub fn value(&self, layout: &Layout, q: &[f64], motion: &GroundTravel, row: usize) -> f64 {
        self.value_over(&Nodes { layout, q }, motion.0.into(), row)
    }

    /// ∂g of one row.
    pub fn derivative(&self, layout: &Layout, q: &[f64], row: usize) -> RowDerivative {
        let mut out = [SMatrix::<f64, 1, 6>::zeros(); 2];
        match &self.rows[row] {
            ConditionRow::Coordinate(c) => {
                for (side, sign) in [(0, -1.0), (1, 1.0)] {
                    out[side] = self.sides[side].position_derivative(layout, q).row(*c) * sign;
                }
            }
            ConditionRow::Perpendicular(u, v) => {
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
            ConditionRow::Across(u) => out = self.across_derivative(layout, q, u),
            ConditionRow::Distance(_) => out = self.distance_derivative(layout, q),
            ConditionRow::Angle(_) => {
                for (side, sign) in [(0, -1.0), (1, 1.0)] {
                    if self.sides[side].node().is_some() {
                        out[side][ANGLE] = sign;
                    }
                }
            }
            ConditionRow::Turn(turn) => out = self.turn_derivative(layout, q, turn, Measured::Angle),
            ConditionRow::Rotation(turn) => out = self.turn_derivative(layout, q, turn, Measured::Component),
            ConditionRow::Shear(shear) => out = shear.derivatives(layout, q).0,
        }
        out
    }

    /// ∂²g of one row.
    pub fn curvature(&self, layout: &Layout, q: &[f64], row: usize) -> RowCurvature {
        let mut out = [Matrix6::zeros(); 3];
        match &self.rows[row] {
            ConditionRow::Coordinate(c) => {
                let axis = Vector3::from_fn(|i, _| if i == *c { 1.0 } else { 0.0 });
                for (side, sign) in [(0, -1.0), (1, 1.0)] {
                    out[side] = self.sides[side].position_curvature(layout, q, &(axis * sign));
                }
            }
            ConditionRow::Perpendicular(u, v) => {
                let [a, b] = [0, 1].map(|side| self.sides[side].rotation(layout, q));
                let blocks = [
                    turning_curvature(u, &a.tr_mul(&(b * v))),
                    turning_curvature(v, &b.tr_mul(&(a * u))),
                    cross_matrix(*u).transpose() * a.transpose() * b * cross_matrix(*v),
                ];
                out = blocks.map(|block| rotations_only(NodeKind::SpaceFrame, &block));
            }
            ConditionRow::Across(u) => out = self.across_curvature(layout, q, u),
            ConditionRow::Distance(_) => out = self.distance_curvature(layout, q),
            ConditionRow::Angle(_) => {}
            ConditionRow::Turn(turn) => out = self.turn_curvature(layout, q, turn, Measured::Angle),
            ConditionRow::Rotation(turn) => out = self.turn_curvature(layout, q, turn, Measured::Component),
            ConditionRow::Shear(shear) => out = shear.derivatives(layout, q).1,
        }
        out
    }

    /// The equation in the user's words.
    pub fn row_name(&self, row: usize) -> String {
        let held = |side: &Anchor| matches!(side, Anchor::Ground(_, moved) if moved.iter().any(Option::is_some));
        let what = if self.sides.iter().any(held) { "support" } else { "joint" };
        match self.rows[row] {
            ConditionRow::Coordinate(c) => format!("{what} `{}` along {}", self.name, ["x", "y", "z"][c]),
            ConditionRow::Perpendicular(..) => format!("axis of joint `{}`", self.name),
            ConditionRow::Across(_) => format!("joint `{}` across its axis", self.name),
            ConditionRow::Distance(_) => format!("length of joint `{}`", self.name),
            ConditionRow::Angle(_) | ConditionRow::Turn(_) | ConditionRow::Rotation(_) => {
                format!("angle of joint `{}`", self.name)
            }
            ConditionRow::Shear(Shear { middle, .. }) => format!("shear of rod `{}` at s = {middle:.4} m", self.name),
        }
    }
}

/// Place of the angle among the degrees of freedom of a plane frame.
const ANGLE: usize = 2;

#[cfg(test)]
mod tests;
