//! Positions, rotations and velocities of frames as expressions of the coordinates.

use nalgebra::Vector3;

use super::Multibody;
use super::algebra::{Rotation, Turn, Vector, add, constant, cross, followed, imaginary, relative};
use super::nodes::Placed;
use crate::discretisation::dmoc::At;
use crate::geometry::Quaternion;
use crate::nlp::graph::Expr;

/// A mechanism at a state.
pub(super) struct View<'a, 'g> {
    pub body: &'a Multibody,
    pub at: &'a At<'g>,
}

impl<'g> View<'_, 'g> {
    pub fn number(&self, value: f64) -> Expr<'g> {
        self.at.graph.constant(value)
    }

    pub fn zero(&self) -> Vector<'g> {
        [self.number(0.0); 3]
    }

    /// Entries of a list of coordinates that are the position of a node.
    fn positions(&self, list: &[Expr<'g>], node: usize) -> Vector<'g> {
        let first = self.body.nodes[node].first;
        [0, 1, 2].map(|i| if i < self.body.dimension { list[first + i] } else { self.number(0.0) })
    }

    pub fn position(&self, node: usize) -> Vector<'g> {
        self.positions(&self.at.q, node)
    }

    pub fn velocity(&self, node: usize) -> Vector<'g> {
        self.positions(&self.at.v, node)
    }

    /// Angle of a node in the plane.
    fn node_angle(&self, node: usize) -> Expr<'g> {
        let node = &self.body.nodes[node];
        if node.turns { self.at.q[node.first + 2] } else { self.number(node.angle) }
    }

    /// Quaternion of a node in space, of a list of coordinates or velocities.
    fn quadruple(&self, list: &[Expr<'g>], node: usize) -> Turn<'g> {
        let first = self.body.nodes[node].first + 3;
        [0, 1, 2, 3].map(|i| list[first + i])
    }

    pub fn rotation(&self, node: usize) -> Rotation<'g> {
        let known = &self.body.nodes[node];
        match (known.turns, self.body.dimension) {
            (false, _) => Rotation::none(self.at.graph),
            (true, 2) => Rotation::in_plane(self.at.graph, self.node_angle(node)),
            (true, _) => Rotation::of(self.quadruple(&self.at.q, node)),
        }
    }

    /// Angular velocity in the frame of the node: (0, 0, θ̇) or 2 Im(p̄ ṗ).
    pub fn spin(&self, node: usize) -> Vector<'g> {
        let known = &self.body.nodes[node];
        match (known.turns, self.body.dimension) {
            (false, _) => self.zero(),
            (true, 2) => [self.number(0.0), self.number(0.0), self.at.v[known.first + 2]],
            (true, _) => {
                imaginary(relative(self.quadruple(&self.at.q, node), self.quadruple(&self.at.v, node))).map(|x| 2.0 * x)
            }
        }
    }

    /// Quaternion of a node that turns in space.
    pub fn quaternion(&self, node: usize) -> Turn<'g> {
        self.quadruple(&self.at.q, node)
    }

    /// Quaternion of a frame; space.
    pub fn turn(&self, placed: &Placed) -> Turn<'g> {
        let fixed = |o: Quaternion| o.to_array().map(|x| self.number(x));
        match placed.node.filter(|node| self.body.nodes[*node].turns) {
            Some(node) => followed(self.quaternion(node), placed.pose.orientation),
            None => fixed(placed.pose.orientation),
        }
    }

    /// Angle of a frame; plane.
    pub fn angle(&self, placed: &Placed) -> Expr<'g> {
        match placed.node {
            Some(node) => self.node_angle(node) + placed.angle,
            None => self.number(placed.angle),
        }
    }

    /// The origin of a frame.
    pub fn point(&self, placed: &Placed) -> Vector<'g> {
        let offset = constant(self.at.graph, placed.pose.position);
        match placed.node {
            None => offset,
            Some(node) if placed.pose.position == Vector3::zeros() => self.position(node),
            Some(node) => add(self.position(node), self.rotation(node).rotate(offset)),
        }
    }

    /// Velocity of the origin of a frame: v + R (Ω × ρ).
    pub fn point_velocity(&self, placed: &Placed) -> Vector<'g> {
        let offset = constant(self.at.graph, placed.pose.position);
        match placed.node {
            None => self.zero(),
            Some(node) if placed.pose.position == Vector3::zeros() => self.velocity(node),
            Some(node) => add(self.velocity(node), self.rotation(node).rotate(cross(self.spin(node), offset))),
        }
    }

    /// Angular velocity of a frame in space.
    pub fn turning(&self, placed: &Placed) -> Vector<'g> {
        placed.node.map_or_else(|| self.zero(), |node| self.rotation(node).rotate(self.spin(node)))
    }

    /// A direction of a frame, given in its axes, in space.
    pub fn direction(&self, placed: &Placed, direction: Vector3<f64>) -> Vector<'g> {
        let own = constant(self.at.graph, placed.pose.orientation.rotate(direction));
        placed.node.map_or(own, |node| self.rotation(node).rotate(own))
    }

    /// A direction of space in the frame of a node.
    pub fn to_node(&self, node: usize, v: Vector<'g>) -> Vector<'g> {
        self.rotation(node).to_material(v)
    }
}
