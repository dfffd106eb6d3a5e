//! Nodes of a mechanism and where their coordinates and small motions stand in long vectors.
//!
//! A frame in space has seven coordinates (x; p₀, p₁, p₂, p₃) and six degrees of freedom: the displacement δx in space
//! and the rotation ξ in the frame itself, δp = ½ p ξ. A plane frame has (x, y, θ), points have positions only.

use nalgebra::Vector3;

use crate::geometry::{Pose, Quaternion};

/// What kind of node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    /// (x, y).
    PlanePoint,
    /// (x, y, z).
    SpacePoint,
    /// (x, y, θ); its axes are (cos θ, sin θ) and (−sin θ, cos θ).
    PlaneFrame,
    /// (x, y, z; p₀, p₁, p₂, p₃).
    SpaceFrame,
}

impl NodeKind {
    /// Numbers that describe a configuration.
    pub fn coordinates(self) -> usize {
        match self {
            NodeKind::PlanePoint => 2,
            NodeKind::SpacePoint | NodeKind::PlaneFrame => 3,
            NodeKind::SpaceFrame => 7,
        }
    }

    /// Degrees of freedom.
    pub fn freedoms(self) -> usize {
        match self {
            NodeKind::PlanePoint => 2,
            NodeKind::SpacePoint | NodeKind::PlaneFrame => 3,
            NodeKind::SpaceFrame => 6,
        }
    }

    /// Number of position coordinates, which come first.
    pub fn positions(self) -> usize {
        match self {
            NodeKind::PlanePoint | NodeKind::PlaneFrame => 2,
            NodeKind::SpacePoint | NodeKind::SpaceFrame => 3,
        }
    }

    /// Whether it has an orientation.
    pub fn turns(self) -> bool {
        matches!(self, NodeKind::PlaneFrame | NodeKind::SpaceFrame)
    }

    /// Degrees of freedom in the user's words.
    pub fn freedom_names(self) -> &'static [&'static str] {
        match self {
            NodeKind::PlanePoint => &["x", "y"],
            NodeKind::SpacePoint => &["x", "y", "z"],
            NodeKind::PlaneFrame => &["x", "y", "angle"],
            NodeKind::SpaceFrame => &["x", "y", "z", "rotation about d1", "rotation about d2", "rotation about d3"],
        }
    }
}

/// Where each node stands.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Layout {
    kinds: Vec<NodeKind>,
    coordinates: Vec<usize>,
    freedoms: Vec<usize>,
}

impl Layout {
    /// No nodes.
    pub fn new() -> Self {
        Self { kinds: Vec::new(), coordinates: vec![0], freedoms: vec![0] }
    }

    /// Adds a node and returns its number.
    pub fn push(&mut self, kind: NodeKind) -> usize {
        let node = self.kinds.len();
        self.kinds.push(kind);
        self.coordinates.push(self.coordinates[node] + kind.coordinates());
        self.freedoms.push(self.freedoms[node] + kind.freedoms());
        node
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.kinds.len()
    }

    /// The configuration half-way between two near ones: the mean of positions and angles, and of quaternions, of unit length.
    pub fn between(&self, a: &[f64], b: &[f64]) -> Vec<f64> {
        let mut middle: Vec<f64> = a.iter().zip(b).map(|(a, b)| 0.5 * (a + b)).collect();
        for node in (0..self.nodes()).filter(|node| self.kind(*node) == NodeKind::SpaceFrame) {
            let first = self.coordinate(node) + 3;
            let length = middle[first..first + 4].iter().map(|p| p * p).sum::<f64>().sqrt();
            middle[first..first + 4].iter_mut().for_each(|p| *p /= length);
        }
        middle
    }

    /// Kind of a node.
    #[inline]
    pub fn kind(&self, node: usize) -> NodeKind {
        self.kinds[node]
    }

    /// Number of coordinates of all nodes.
    pub fn coordinate_count(&self) -> usize {
        self.coordinates[self.kinds.len()]
    }

    /// Number of degrees of freedom of all nodes.
    pub fn freedom_count(&self) -> usize {
        self.freedoms[self.kinds.len()]
    }

    /// First coordinate of a node.
    #[inline]
    pub fn coordinate(&self, node: usize) -> usize {
        self.coordinates[node]
    }

    /// First degree of freedom of a node.
    #[inline]
    pub fn freedom(&self, node: usize) -> usize {
        self.freedoms[node]
    }

    /// The node a degree of freedom belongs to, and which of it.
    pub fn node_of_freedom(&self, freedom: usize) -> (usize, usize) {
        let node = self.freedoms.partition_point(|&first| first <= freedom) - 1;
        (node, freedom - self.freedoms[node])
    }

    /// Position of a node; z = 0 in the plane.
    #[inline]
    pub fn position(&self, q: &[f64], node: usize) -> Vector3<f64> {
        let at = self.coordinates[node];
        match self.kinds[node] {
            NodeKind::PlanePoint | NodeKind::PlaneFrame => Vector3::new(q[at], q[at + 1], 0.0),
            NodeKind::SpacePoint | NodeKind::SpaceFrame => Vector3::new(q[at], q[at + 1], q[at + 2]),
        }
    }

    /// Orientation of a frame in space, as stored.
    #[inline]
    pub fn orientation(&self, q: &[f64], node: usize) -> Quaternion {
        let at = self.coordinates[node] + 3;
        Quaternion::from_slice(&q[at..at + 4])
    }

    /// Angle of a plane frame.
    #[inline]
    pub fn angle(&self, q: &[f64], node: usize) -> f64 {
        q[self.coordinates[node] + 2]
    }

    /// Writes a pose into the coordinates of a node; `near` is the angle next to which a plane angle is taken.
    pub fn set_pose(&self, q: &mut [f64], node: usize, pose: &Pose, near: f64) {
        let at = self.coordinates[node];
        let kind = self.kinds[node];
        for c in 0..kind.positions() {
            q[at + c] = pose.position[c];
        }
        match kind {
            NodeKind::PlaneFrame => q[at + 2] = plane_angle(pose.orientation, near),
            NodeKind::SpaceFrame => q[at + 3..at + 7].copy_from_slice(&pose.orientation.to_array()),
            NodeKind::PlanePoint | NodeKind::SpacePoint => {}
        }
    }

    /// Moves by small motions v: x + v, θ + v, p exp(ξ/2); `out` may not be `q`.
    pub fn retract(&self, q: &[f64], v: &[f64], out: &mut [f64]) {
        for (node, kind) in self.kinds.iter().enumerate() {
            let (at, dof) = (self.coordinates[node], self.freedoms[node]);
            let additive = kind.coordinates().min(3);
            for c in 0..additive {
                out[at + c] = q[at + c] + v[dof + c];
            }
            if *kind == NodeKind::SpaceFrame {
                let xi = Vector3::new(v[dof + 3], v[dof + 4], v[dof + 5]);
                let turned = self.orientation(q, node).turned(xi).normalised();
                out[at + 3..at + 7].copy_from_slice(&turned.to_array());
            }
        }
    }
}

/// The orientation of a plane section at angle θ: d₃ = (cos θ, sin θ, 0), d₁ = (−sin θ, cos θ, 0), d₂ = e_z.
pub fn plane_orientation(angle: f64) -> Quaternion {
    // At θ = 0 the directors (d₁, d₂, d₃) are (e_y, e_z, e_x).
    let start = Quaternion::new(0.5, 0.5, 0.5, 0.5);
    Quaternion::from_rotation_vector(Vector3::new(0.0, 0.0, angle)) * start
}

/// The angle of d₃ in the plane, within π of `near`.
pub fn plane_angle(orientation: Quaternion, near: f64) -> f64 {
    let d3 = orientation.rotate(Vector3::z());
    let angle = d3[1].atan2(d3[0]);
    angle + std::f64::consts::TAU * ((near - angle) / std::f64::consts::TAU).round()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plane_frames_are_space_frames_with_d2_along_z() {
        for angle in [0.0, 0.7, -2.0, 3.0, 9.0] {
            let p = plane_orientation(angle);
            let d = p.matrix();
            let expected = [[-angle.sin(), angle.cos(), 0.0], [0.0, 0.0, 1.0], [angle.cos(), angle.sin(), 0.0]];
            for (column, expected) in expected.iter().enumerate() {
                assert!((d.column(column) - Vector3::from(*expected)).norm() < 1e-15);
            }
            assert!((plane_angle(p, angle + 0.3) - angle).abs() < 1e-14);
        }
    }
}
