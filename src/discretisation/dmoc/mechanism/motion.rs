//! Where rods and bodies are in a configuration: what is drawn and stored.

use nalgebra::Vector3;

use super::Multibody;
use super::nodes::{Placed, Placement};
use crate::geometry::{Pose, Quaternion};
use crate::models::Machine;
use crate::models::machine::{CouplingKind, JointRef};
use crate::models::structure::Frame;

/// A line through points of the mechanism: the sections of a rod, the joints and the mass centre of a body, or the points that
/// a joint keeps at a distance.
#[derive(Debug, Clone)]
pub struct Track {
    /// Name of the rod or body.
    pub name: String,
    /// Whether it is a body or a joint.
    pub body: bool,
    /// Distance along the line in the reference configuration, metre.
    pub s: Vec<f64>,
    points: Vec<Placed>,
}

/// Lines of all rods, and of the bodies that have joints or springs away from their mass centre.
pub(super) fn tracks(machine: &Machine, places: &Placement) -> Vec<Track> {
    let structure = &machine.structure;
    let mut tracks = Vec::new();
    for (index, rod) in structure.rods.iter().enumerate() {
        let s = (0..=rod.elements).map(|boundary| rod.boundary(boundary)).collect();
        tracks.push(Track { name: rod.name.clone(), body: false, s, points: places.sections[index].clone() });
    }
    let joints = (0..structure.joints.len()).map(JointRef::Joint);
    let sides = joints
        .chain((0..machine.structure.couplings.len()).map(JointRef::Coupling))
        .flat_map(|j| machine.structure.sides(j));
    let sides: Vec<(Frame, Vector3<f64>)> = sides.collect();
    for (index, body) in structure.bodies.iter().enumerate() {
        let centre = body.pose.position;
        let anchors = sides.iter().filter(|(frame, _)| *frame == Frame::Body(index)).map(|(_, point)| *point);
        let mut points: Vec<Vector3<f64>> = vec![centre];
        for point in anchors {
            if points.iter().all(|known| (known - point).norm() > 1e-9) {
                points.push(point);
            }
        }
        // In the order of the direction to the farthest.
        let farthest = points.iter().map(|p| p - centre).max_by(|a, b| a.norm().total_cmp(&b.norm()));
        let along = farthest.unwrap_or_else(Vector3::zeros);
        points.sort_by(|a, b| a.dot(&along).total_cmp(&b.dot(&along)));
        let mut s = vec![0.0];
        for pair in points.windows(2) {
            s.push(s[s.len() - 1] + (pair[1] - pair[0]).norm());
        }
        let points = points.into_iter().map(|point| places.point(Frame::Body(index), point)).collect();
        tracks.push(Track { name: body.name.clone(), body: true, s, points });
    }
    for coupling in machine.structure.couplings.iter().filter(|coupling| coupling.kind == CouplingKind::Distance) {
        let points = [0, 1].map(|side| places.point(coupling.between[side], coupling.at[side])).to_vec();
        let s = vec![0.0, (coupling.at[1] - coupling.at[0]).norm()];
        tracks.push(Track { name: coupling.name.clone(), body: true, s, points });
    }
    tracks
}

impl Multibody {
    /// Whether it lies in the plane.
    pub fn is_plane(&self) -> bool {
        self.dimension == 2
    }

    /// Rods and bodies as lines.
    pub fn tracks(&self) -> &[Track] {
        &self.tracks
    }

    /// Points of a line in a configuration.
    pub fn positions(&self, track: &Track, q: &[f64]) -> Vec<[f64; 3]> {
        track.points.iter().map(|placed| self.pose(placed, q).position.into()).collect()
    }

    /// Pose of a frame in a configuration.
    pub(super) fn pose(&self, placed: &Placed, q: &[f64]) -> Pose {
        let Some(index) = placed.node else { return placed.pose };
        let node = &self.nodes[index];
        let position = Vector3::from_fn(|i, _| if i < self.dimension { q[node.first + i] } else { 0.0 });
        let orientation = match (node.turns, self.dimension) {
            (false, _) => Quaternion::IDENTITY,
            (true, 2) => Quaternion::from_rotation_vector(Vector3::z() * q[node.first + 2]),
            (true, _) => Quaternion::from_slice(&q[node.first + 3..]).normalised(),
        };
        let node = Pose { position, orientation };
        Pose { position: node.point(placed.pose.position), orientation: orientation * placed.pose.orientation }
    }
}
