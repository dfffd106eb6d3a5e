//! Points and frames that move with a node: y = x + R r, turned by a constant rotation.
//!
//! Several bodies and rod ends that are joined rigidly share one node; each is attached to it. In the plane the frame
//! of a node has its first axis along (cos θ, sin θ), its second along (−sin θ, cos θ).

use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};

use super::layout::{Layout, NodeKind, plane_angle, plane_orientation};
use super::nodes::Nodes;
use crate::geometry::{Pose, Quaternion, cross_matrix};

/// Force and torque at an instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wrench {
    /// N.
    pub force: Vector3<f64>,
    /// N m.
    pub torque: Vector3<f64>,
}

/// A frame attached to a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Attachment {
    /// The node.
    pub node: usize,
    /// r in the frame of the node, metre.
    pub offset: Vector3<f64>,
    /// Orientation relative to the node, in space.
    pub turn: Quaternion,
    /// Angle relative to the node, in the plane.
    pub angle: f64,
    /// Whether it is the node itself.
    pub plain: bool,
}

impl Attachment {
    /// The frame with pose `part` of a node with pose `node`, both in the reference configuration.
    pub fn new(node: usize, kind: NodeKind, node_pose: &Pose, part: &Pose) -> Self {
        let offset = node_pose.offset_of(part.position);
        let mut turn = node_pose.orientation.conjugate() * part.orientation;
        // The product of an orientation with its own conjugate may be off by rounding.
        if turn.re > 0.0 && turn.im.norm() < 1e-14 {
            turn = Quaternion::IDENTITY;
        }
        let (offset, angle) = match kind {
            NodeKind::PlaneFrame => {
                let of = |orientation| plane_angle(orientation, 0.0);
                let angle = of(part.orientation) - of(node_pose.orientation);
                // Directors (d₁, d₂, d₃) of a plane section are its (second, normal, first) axes.
                (Vector3::new(offset[2], offset[0], offset[1]), angle)
            }
            NodeKind::SpaceFrame => (offset, 0.0),
            NodeKind::PlanePoint | NodeKind::SpacePoint => (part.position - node_pose.position, 0.0),
        };
        let plain = offset == Vector3::zeros()
            && (turn == Quaternion::IDENTITY || kind != NodeKind::SpaceFrame)
            && angle == 0.0;
        Self { node, offset, turn, angle, plain }
    }

    /// The attachment moved by a vector of its own section, along (d₁, d₂).
    pub fn shifted(mut self, kind: NodeKind, along: [f64; 2]) -> Self {
        if along == [0.0; 2] {
            return self;
        }
        match kind {
            NodeKind::SpaceFrame => self.offset += self.turn.rotate(Vector3::new(along[0], along[1], 0.0)),
            NodeKind::PlaneFrame => {
                let (sin, cos) = self.angle.sin_cos();
                self.offset += Vector3::new(-sin, cos, 0.0) * along[0];
            }
            NodeKind::PlanePoint | NodeKind::SpacePoint => {}
        }
        self.plain = false;
        self
    }

    /// Rotation of the node: from its frame to space.
    #[inline]
    pub fn node_rotation(&self, layout: &Layout, q: &[f64]) -> Matrix3<f64> {
        node_rotation(layout, q, self.node)
    }

    /// y.
    #[inline]
    pub fn position(&self, layout: &Layout, q: &[f64]) -> Vector3<f64> {
        Nodes { layout, q }.point(self).into()
    }

    /// The frame in space, d₂ along z in the plane.
    pub fn pose(&self, layout: &Layout, q: &[f64]) -> Pose {
        let orientation = match layout.kind(self.node) {
            NodeKind::SpaceFrame => layout.orientation(q, self.node).normalised() * self.turn,
            NodeKind::PlaneFrame => plane_orientation(layout.angle(q, self.node) + self.angle),
            NodeKind::PlanePoint | NodeKind::SpacePoint => Quaternion::IDENTITY,
        };
        Pose { position: self.position(layout, q), orientation }
    }

    /// Forces on the degrees of freedom of the node as force and torque about this frame, in space.
    pub fn wrench_of(&self, layout: &Layout, q: &[f64], forces: &Vector6<f64>) -> Wrench {
        let kind = layout.kind(self.node);
        let force = Vector3::from_fn(|c, _| if c < kind.positions() { forces[c] } else { 0.0 });
        let rotation = self.node_rotation(layout, q);
        let torque = match kind {
            NodeKind::SpaceFrame => rotation * forces.fixed_rows::<3>(3),
            NodeKind::PlaneFrame => Vector3::new(0.0, 0.0, forces[2]),
            NodeKind::PlanePoint | NodeKind::SpacePoint => Vector3::zeros(),
        };
        let arm = if kind.turns() { rotation * self.offset } else { Vector3::zeros() };
        Wrench { force, torque: torque - arm.cross(&force) }
    }

    /// Writes the coordinates of the node whose frame is at a pose, in the plane at an angle. Returns the vector from the node
    /// to the frame, in space.
    pub fn place(&self, layout: &Layout, pose: &Pose, angle: f64, q: &mut [f64]) -> Vector3<f64> {
        let first = layout.coordinate(self.node);
        let arm = match layout.kind(self.node) {
            NodeKind::SpaceFrame => {
                let orientation = (pose.orientation * self.turn.conjugate()).normalised();
                q[first + 3..first + 7].copy_from_slice(&orientation.to_array());
                orientation.rotate(self.offset)
            }
            NodeKind::PlaneFrame => {
                let angle = angle - self.angle;
                q[first + 2] = angle;
                let (sin, cos) = angle.sin_cos();
                let r = self.offset;
                Vector3::new(cos * r[0] - sin * r[1], sin * r[0] + cos * r[1], 0.0)
            }
            NodeKind::PlanePoint | NodeKind::SpacePoint => Vector3::zeros(),
        };
        for c in 0..layout.kind(self.node).positions() {
            q[first + c] = pose.position[c] - arm[c];
        }
        arm
    }

    /// ∂y/∂(degrees of freedom of the node): three rows, as many columns as there are freedoms.
    #[inline]
    pub fn position_derivative(&self, layout: &Layout, q: &[f64]) -> nalgebra::SMatrix<f64, 3, 6> {
        let mut out = nalgebra::SMatrix::<f64, 3, 6>::zeros();
        let kind = layout.kind(self.node);
        for c in 0..kind.positions() {
            out[(c, c)] = 1.0;
        }
        match kind {
            NodeKind::SpaceFrame => {
                let turn = -(self.node_rotation(layout, q) * cross_matrix(self.offset));
                out.fixed_view_mut::<3, 3>(0, 3).copy_from(&turn);
            }
            NodeKind::PlaneFrame => {
                let arm = self.node_rotation(layout, q) * self.offset;
                out[(0, 2)] = -arm[1];
                out[(1, 2)] = arm[0];
            }
            NodeKind::PlanePoint | NodeKind::SpacePoint => {}
        }
        out
    }

    /// Σ f_c ∂²y_c over the rotations of the node: (3, 3) in space, the entry (0, 0) in the plane.
    #[inline]
    pub fn position_curvature(&self, layout: &Layout, q: &[f64], f: &Vector3<f64>) -> Matrix3<f64> {
        match layout.kind(self.node) {
            NodeKind::SpaceFrame => turning_curvature(&self.offset, &self.node_rotation(layout, q).tr_mul(f)),
            NodeKind::PlaneFrame => {
                let arm = self.node_rotation(layout, q) * self.offset;
                Matrix3::new(-(arm[0] * f[0] + arm[1] * f[1]), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
            }
            NodeKind::PlanePoint | NodeKind::SpacePoint => Matrix3::zeros(),
        }
    }
}

/// From the frame of a node to space.
#[inline]
pub fn node_rotation(layout: &Layout, q: &[f64], node: usize) -> Matrix3<f64> {
    match layout.kind(node) {
        NodeKind::SpaceFrame => {
            let p = layout.orientation(q, node);
            p.matrix() / p.norm_squared()
        }
        NodeKind::PlaneFrame => {
            let (sin, cos) = layout.angle(q, node).sin_cos();
            Matrix3::new(cos, -sin, 0.0, sin, cos, 0.0, 0.0, 0.0, 1.0)
        }
        NodeKind::PlanePoint | NodeKind::SpacePoint => Matrix3::identity(),
    }
}

/// The second derivative of f·R r along R exp(ξ): ½ (r fᵀ + f rᵀ) − (r·f) I with f in the turning frame.
#[inline]
pub fn turning_curvature(r: &Vector3<f64>, f: &Vector3<f64>) -> Matrix3<f64> {
    let outer = r * f.transpose();
    (outer + outer.transpose()) * 0.5 - Matrix3::from_diagonal_element(r.dot(f))
}

/// (δy, ξ of the section) = T (δx, ξ of the node).
#[inline]
pub fn space_attachment(end: &Attachment, layout: &Layout, q: &[f64]) -> Matrix6<f64> {
    let mut t = Matrix6::identity();
    let arm = end.position_derivative(layout, q);
    t.fixed_view_mut::<3, 3>(0, 3).copy_from(&arm.fixed_view::<3, 3>(0, 3));
    t.fixed_view_mut::<3, 3>(3, 3).copy_from(&end.turn.matrix().transpose());
    t
}
