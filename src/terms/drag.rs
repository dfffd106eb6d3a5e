//! Drag: forces of a fluid that depend on the velocity relative to its current.
//!
//! At a point y = x + R r of a node the velocity is v = ẋ + R(Ω × r) − U, and the force f(v, t) of [`DragLaw`] does the power
//! f·v of the same motion. Along rods the tangent t is the director d₃ of the section; a string has none, and the tangent is that
//! of the line through the nodes of the element. Rotation is resisted by the moment −c_r Ω.

use nalgebra::{Matrix3, Matrix6, SMatrix, Vector3};

use super::attachment::{Attachment, node_rotation};
use super::layout::{Layout, NodeKind};
use super::nodes::{ByFreedom, MovingNodes, Nodes, Works, length};
use crate::geometry::algebra::{Vector, add, lifted, scale, sub};
use crate::geometry::{Quaternion, cross_matrix};
use crate::material::DragLaw;
use crate::scalar::Scalar;

/// Drag at a point that moves with a node.
#[derive(Debug, Clone)]
pub struct Drag {
    /// What it acts on, in the user's words.
    pub name: String,
    /// Where it acts.
    pub at: Attachment,
    /// The direction it distinguishes.
    pub axis: Axis,
    /// Force.
    pub law: DragLaw,
    /// c_r, N m s.
    pub rotary: f64,
}

/// The direction along which the drag is tangential.
#[derive(Debug, Clone, PartialEq)]
pub enum Axis {
    /// None: it is the same in all directions.
    None,
    /// A unit vector in the frame of the node.
    Director(Vector3<f64>),
    /// The derivative by s of a line through points: slopes of their shape functions, 1/m.
    Line(Vec<(Attachment, f64)>),
}

/// ∂(generalised force)/∂(freedoms) and ∂(generalised force)/∂(velocities) of nodes: row node, column node, both matrices.
pub type TakeSlopes<'a> = dyn FnMut(usize, usize, &Matrix6<f64>, &Matrix6<f64>) + 'a;

impl Drag {
    /// Nodes by which the force changes; its own comes first.
    pub fn nodes(&self) -> impl Iterator<Item = usize> + '_ {
        let line: &[(Attachment, f64)] = match &self.axis {
            Axis::Line(points) => points,
            Axis::None | Axis::Director(_) => &[],
        };
        let others = line.iter().map(|(point, _)| point.node).filter(|node| *node != self.at.node);
        std::iter::once(self.at.node).chain(others)
    }

    /// t.
    fn tangent_over<T: Scalar>(&self, nodes: &Nodes<'_, T>) -> Option<Vector<T>> {
        match &self.axis {
            Axis::None => None,
            Axis::Director(axis) => Some(nodes.direction(self.at.node, axis)),
            Axis::Line(points) => {
                let part = |(at, slope): &(Attachment, f64)| nodes.point(at).map(|x| x * *slope);
                let line = points.iter().map(part).fold(nodes.zero(), add);
                let size = length(line);
                Some(line.map(|x| x / size))
            }
        }
    }

    /// Generalised forces in a current, times a factor.
    pub fn work_over<T: Scalar>(
        &self,
        moving: &MovingNodes<'_, T>,
        current: Vector<T>,
        factor: f64,
        works: &mut Works<'_, T>,
    ) {
        let number = moving.nodes.number(factor);
        if !self.law.is_none() {
            let v = sub(moving.point_velocity(&self.at), current);
            let force = self.law.force_over(v, self.tangent_over(&moving.nodes));
            works.force(&self.at, scale(number, force));
        }
        if self.rotary != 0.0 {
            works.moment(self.at.node, moving.spin(self.at.node).map(|spin| spin * (-factor * self.rotary)));
        }
    }

    /// Adds the generalised forces to those of the degrees of freedom.
    pub fn add(&self, moving: &MovingNodes<'_, f64>, current: &Vector3<f64>, factor: f64, out: &mut [f64]) {
        let mut take = |freedom: usize, force: f64| out[freedom] += force;
        let mut receiver = ByFreedom { layout: moving.nodes.layout, take: &mut take };
        let mut works = Works { nodes: moving.nodes, receiver: &mut receiver };
        self.work_over(moving, lifted(factor, current), factor, &mut works);
    }

    /// Derivatives of the generalised forces. The velocities are (ẋ, Ω or θ̇) with Ω in the frame of the node, at fixed values of
    /// which the freedoms change.
    pub fn slopes(
        &self,
        moving: &MovingNodes<'_, f64>,
        current: &Vector3<f64>,
        factor: f64,
        take: &mut TakeSlopes<'_>,
    ) {
        let Nodes { layout, q } = moving.nodes;
        let (node, arm) = (self.at.node, cross_matrix(self.at.offset));
        let kind = layout.kind(node);
        let rotation = node_rotation(layout, q, node);
        let spin: Vector3<f64> = moving.spin(node).into();
        let v = Vector3::from(moving.point_velocity(&self.at)) - current;
        let tangent = self.tangent_over(&moving.nodes).map(Vector3::from);
        let slopes = self.law.slopes(&v, tangent.as_ref());
        let force = self.law.force(v, tangent);
        let position = self.at.position_derivative(layout, q);
        // A turn ξ of the node changes R a by R (ξ × a).
        let turned = |vector: Vector3<f64>| by_turn(kind, &(-(rotation * cross_matrix(vector))));
        let mut by_place = slopes.velocity * turned(spin.cross(&self.at.offset));
        let by_rate = slopes.velocity * position;
        if let Axis::Director(axis) = &self.axis {
            by_place += slopes.tangent * turned(*axis);
        }
        // r × RᵀF changes by the turn of F as well.
        let lever = by_turn(kind, &(arm * cross_matrix(rotation.tr_mul(&force))));
        let mut own = position.tr_mul(&by_place);
        add_moment(kind, &lever, &mut own);
        let mut rate = position.tr_mul(&by_rate);
        add_moment(kind, &by_turn(kind, &Matrix3::from_diagonal_element(-self.rotary)), &mut rate);
        own *= factor;
        rate *= factor;
        take(node, node, &own, &rate);
        if let (Axis::Line(points), Some(t)) = (&self.axis, tangent) {
            let line = |(at, slope): &(Attachment, f64)| at.position(layout, q) * *slope;
            let size = points.iter().map(line).sum::<Vector3<f64>>().norm();
            let turning = slopes.tangent * (Matrix3::identity() - t * t.transpose()) * (factor / size);
            for (at, slope) in points {
                let moved = turning * at.position_derivative(layout, q) * *slope;
                take(node, at.node, &position.tr_mul(&moved), &Matrix6::zeros());
            }
        }
    }

    /// Power that the fluid takes from what moves through it, watt; in a current it may be negative.
    pub fn power(&self, moving: &MovingNodes<'_, f64>, current: &Vector3<f64>, factor: f64) -> f64 {
        let velocity = Vector3::from(moving.point_velocity(&self.at));
        let force = self.law.force(velocity - current, self.tangent_over(&moving.nodes).map(Vector3::from));
        let spin = Vector3::from(moving.spin(self.at.node));
        factor * (self.rotary * spin.norm_squared() - force.dot(&velocity))
    }
}

/// Columns by the turns of a node: (ξ₁, ξ₂, ξ₃) in its frame, in the plane the third alone.
fn by_turn(kind: NodeKind, matrix: &Matrix3<f64>) -> SMatrix<f64, 3, 6> {
    let mut out = SMatrix::<f64, 3, 6>::zeros();
    match kind {
        NodeKind::SpaceFrame => out.fixed_view_mut::<3, 3>(0, 3).copy_from(matrix),
        NodeKind::PlaneFrame => out.set_column(2, &matrix.column(2)),
        NodeKind::PlanePoint | NodeKind::SpacePoint => {}
    }
    out
}

/// Adds rows of a moment in the frame of a node.
fn add_moment(kind: NodeKind, rows: &SMatrix<f64, 3, 6>, out: &mut Matrix6<f64>) {
    match kind {
        NodeKind::SpaceFrame => {
            let mut lower = out.fixed_view_mut::<3, 6>(3, 0);
            lower += rows;
        }
        NodeKind::PlaneFrame => {
            let mut third = out.row_mut(2);
            third += rows.row(2);
        }
        NodeKind::PlanePoint | NodeKind::SpacePoint => {}
    }
}

/// Writes the rates of the coordinates of a node that moves with (ẋ, Ω or θ̇): ṗ = ½ p Ω of a unit quaternion.
pub fn write_rates(layout: &Layout, node: usize, q: &[f64], velocity: &[f64], rates: &mut [f64]) {
    let (kind, at) = (layout.kind(node), layout.coordinate(node));
    let additive = kind.coordinates().min(3);
    rates[at..at + additive].copy_from_slice(&velocity[..additive]);
    if kind == NodeKind::SpaceFrame {
        let spin = Vector3::new(velocity[3], velocity[4], velocity[5]);
        let p = layout.orientation(q, node);
        // As a product with any length of p, 2 Im(p̄ṗ)/|p|² is Ω.
        let rate = p * Quaternion::new(0.0, spin[0], spin[1], spin[2]);
        rates[at + 3..at + 7].copy_from_slice(&(rate * (0.5 / p.norm_squared())).to_array());
    }
}
