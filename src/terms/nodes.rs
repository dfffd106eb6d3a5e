//! Where nodes and the frames on them are, and how they move, over any scalar.

use nalgebra::Vector3;

use super::attachment::Attachment;
use super::layout::{Layout, NodeKind};
use crate::geometry::algebra::{
    Rotation, Turn, Vector, add, cross, dot, followed, imaginary, lifted, relative, times_imaginary,
};
use crate::scalar::Scalar;

/// A configuration of all nodes.
#[derive(Debug, Clone, Copy)]
pub struct Nodes<'a, T> {
    /// Where each node stands in the list.
    pub layout: &'a Layout,
    /// Coordinates of all nodes. Quaternions may have any length: only their directions count.
    pub q: &'a [T],
}

impl<T: Scalar> Nodes<'_, T> {
    /// A plain number.
    #[inline]
    pub fn number(&self, value: f64) -> T {
        self.q[0].lift(value)
    }

    /// No vector.
    #[inline]
    pub fn zero(&self) -> Vector<T> {
        [self.number(0.0); 3]
    }

    /// Position of a node; z = 0 in the plane.
    #[inline]
    pub fn position(&self, node: usize) -> Vector<T> {
        positions(self.layout, self.q, node)
    }

    /// Quaternion of a frame in space.
    #[inline]
    pub fn quaternion(&self, node: usize) -> Turn<T> {
        let first = self.layout.coordinate(node) + 3;
        [0, 1, 2, 3].map(|i| self.q[first + i])
    }

    /// Angle of a plane frame.
    #[inline]
    pub fn angle(&self, node: usize) -> T {
        self.q[self.layout.coordinate(node) + 2]
    }

    /// From the frame of a node to space.
    #[inline]
    pub fn rotation(&self, node: usize) -> Rotation<T> {
        match self.layout.kind(node) {
            NodeKind::SpaceFrame => Rotation::of(self.quaternion(node)),
            NodeKind::PlaneFrame => Rotation::in_plane(self.angle(node)),
            NodeKind::PlanePoint | NodeKind::SpacePoint => Rotation::none(self.q[0]),
        }
    }

    /// The origin of an attached frame, y = x + R r.
    #[inline]
    pub fn point(&self, at: &Attachment) -> Vector<T> {
        let x = self.position(at.node);
        if at.offset == Vector3::zeros() {
            return x;
        }
        add(x, self.rotation(at.node).rotate(lifted(self.q[0], &at.offset)))
    }

    /// A vector of a node in space.
    #[inline]
    pub fn direction(&self, node: usize, u: &Vector3<f64>) -> Vector<T> {
        self.rotation(node).rotate(lifted(self.q[0], u))
    }

    /// Quaternion of an attached frame; space.
    #[inline]
    pub fn turn(&self, at: &Attachment) -> Turn<T> {
        let p = self.quaternion(at.node);
        if at.plain { p } else { followed(p, at.turn) }
    }

    /// Angle of an attached frame; plane.
    #[inline]
    pub fn angle_of(&self, at: &Attachment) -> T {
        self.angle(at.node) + at.angle
    }
}

/// Entries of a list of coordinates or velocities that are the position of a node.
#[inline]
fn positions<T: Scalar>(layout: &Layout, list: &[T], node: usize) -> Vector<T> {
    let first = layout.coordinate(node);
    match layout.kind(node) {
        NodeKind::PlanePoint | NodeKind::PlaneFrame => [list[first], list[first + 1], list[first].lift(0.0)],
        NodeKind::SpacePoint | NodeKind::SpaceFrame => [list[first], list[first + 1], list[first + 2]],
    }
}

/// A configuration of all nodes with the rates of its coordinates.
#[derive(Debug, Clone, Copy)]
pub struct MovingNodes<'a, T> {
    /// The configuration.
    pub nodes: Nodes<'a, T>,
    /// Rates of all coordinates.
    pub v: &'a [T],
}

impl<T: Scalar> MovingNodes<'_, T> {
    /// Velocity of a node.
    pub fn velocity(&self, node: usize) -> Vector<T> {
        positions(self.nodes.layout, self.v, node)
    }

    /// Velocity of the origin of an attached frame, ẋ + R(Ω × r).
    pub fn point_velocity(&self, at: &Attachment) -> Vector<T> {
        let velocity = self.velocity(at.node);
        if at.offset == Vector3::zeros() {
            return velocity;
        }
        let arm = lifted(velocity[0], &at.offset);
        add(velocity, self.nodes.rotation(at.node).rotate(cross(self.spin(at.node), arm)))
    }

    /// Angular velocity in the frame of the node: (0, 0, θ̇) or 2 Im(p̄ ṗ). With p the mean and ṗ the difference over h of two
    /// unit quaternions it is the discrete 2 Im(p̄₀p₁)/h.
    pub fn spin(&self, node: usize) -> Vector<T> {
        let first = self.nodes.layout.coordinate(node);
        match self.nodes.layout.kind(node) {
            NodeKind::SpaceFrame => {
                let rate = [0, 1, 2, 3].map(|i| self.v[first + 3 + i]);
                imaginary(relative(self.nodes.quaternion(node), rate)).map(|x| x * 2.0)
            }
            NodeKind::PlaneFrame => {
                let zero = self.nodes.number(0.0);
                [zero, zero, self.v[first + 2]]
            }
            NodeKind::PlanePoint | NodeKind::SpacePoint => self.nodes.zero(),
        }
    }
}

/// Who takes forces on nodes.
pub trait Receiver<T> {
    /// A component of a force on the position of a node, in space.
    fn force(&mut self, node: usize, component: usize, force: T);
    /// A moment about a node, in its frame; in the plane only the third component counts.
    fn moment(&mut self, node: usize, moment: Vector<T>);
}

/// Forces at attached frames as forces and moments of nodes: a force F at r of a node and a torque τ, both in space, do the work
/// F·(v + R(Ω × r)) + τ·RΩ per time, so the node gets F and, in its frame, the moment r × RᵀF + Rᵀτ.
pub struct Works<'a, T> {
    /// Where the forces act.
    pub nodes: Nodes<'a, T>,
    /// Who takes them.
    pub receiver: &'a mut dyn Receiver<T>,
}

impl<T: Scalar> Works<'_, T> {
    /// A force at the origin of an attached frame, in space.
    pub fn force(&mut self, at: &Attachment, force: Vector<T>) {
        (0..self.nodes.layout.kind(at.node).positions()).for_each(|c| self.receiver.force(at.node, c, force[c]));
        if at.offset != Vector3::zeros() {
            let arm = lifted(force[0], &at.offset);
            self.moment(at.node, cross(arm, self.nodes.rotation(at.node).to_material(force)));
        }
    }

    /// A torque on a node, in space.
    pub fn torque(&mut self, node: usize, torque: Vector<T>) {
        match self.nodes.layout.kind(node) {
            // The normal of the plane is the same in the frame.
            NodeKind::PlaneFrame => self.moment(node, torque),
            NodeKind::SpaceFrame => self.moment(node, self.nodes.rotation(node).to_material(torque)),
            NodeKind::PlanePoint | NodeKind::SpacePoint => {}
        }
    }

    /// A moment about a node, in its frame.
    pub fn moment(&mut self, node: usize, moment: Vector<T>) {
        if self.nodes.layout.kind(node).turns() {
            self.receiver.moment(node, moment);
        }
    }
}

/// Takes forces by coordinate: a moment m is the force 2 p ∘ (0; m) on a quaternion.
pub struct ByCoordinate<'a, T> {
    /// Where the forces act.
    pub nodes: Nodes<'a, T>,
    /// Takes what a coordinate gets.
    pub take: &'a mut dyn FnMut(usize, T),
}

impl<T: Scalar> Receiver<T> for ByCoordinate<'_, T> {
    fn force(&mut self, node: usize, component: usize, force: T) {
        (self.take)(self.nodes.layout.coordinate(node) + component, force);
    }

    fn moment(&mut self, node: usize, moment: Vector<T>) {
        let first = self.nodes.layout.coordinate(node);
        if self.nodes.layout.kind(node) == NodeKind::PlaneFrame {
            (self.take)(first + 2, moment[2]);
            return;
        }
        let forces = times_imaginary(self.nodes.quaternion(node), moment);
        (0..4).for_each(|i| (self.take)(first + 3 + i, forces[i] * 2.0));
    }
}

/// Takes forces by degree of freedom.
pub struct ByFreedom<'a, T> {
    /// Where each node stands.
    pub layout: &'a Layout,
    /// Takes what a degree of freedom gets.
    pub take: &'a mut dyn FnMut(usize, T),
}

impl<T: Scalar> Receiver<T> for ByFreedom<'_, T> {
    fn force(&mut self, node: usize, component: usize, force: T) {
        (self.take)(self.layout.freedom(node) + component, force);
    }

    fn moment(&mut self, node: usize, moment: Vector<T>) {
        let first = self.layout.freedom(node);
        match self.layout.kind(node) {
            NodeKind::PlaneFrame => (self.take)(first + 2, moment[2]),
            _ => (0..3).for_each(|c| (self.take)(first + 3 + c, moment[c])),
        }
    }
}

/// |a|.
pub fn length<T: Scalar>(a: Vector<T>) -> T {
    dot(a, a).sqrt()
}
