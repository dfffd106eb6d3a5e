//! Where rods and bodies are in a configuration: what is drawn and stored.

use nalgebra::Vector3;

use super::Multibody;
use crate::discretisation::assembly::{Assembly, Instant};
use crate::mechanism::{Frame, JointPart, Mechanism};
use crate::terms::Anchor;

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
    points: Vec<Anchor>,
}

/// Lines of all rods, and of the bodies that have joints or springs away from their mass centre.
pub(super) fn tracks(mechanism: &Mechanism, assembly: &Assembly) -> Vec<Track> {
    let mut tracks = Vec::new();
    for (rod, sections) in mechanism.rods.iter().zip(&assembly.sections) {
        let s = sections.iter().map(|(s, _)| *s).collect();
        let points = sections.iter().map(|(_, at)| Anchor::Node(*at)).collect();
        tracks.push(Track { name: rod.name.clone(), body: false, s, points });
    }
    let sides: Vec<(Frame, Vector3<f64>)> = mechanism.joints.iter().flat_map(JointPart::sides).collect();
    for (index, body) in mechanism.bodies.iter().enumerate() {
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
        let points = points.into_iter().map(|point| assembly.anchor(Frame::Body(index), point)).collect();
        tracks.push(Track { name: body.name.clone(), body: true, s, points });
    }
    for joint in mechanism.joints.iter().filter(|joint| joint.kind.is_bar()) {
        let points = joint.sides().map(|(frame, point)| assembly.anchor(frame, point)).to_vec();
        tracks.push(Track { name: joint.name.clone(), body: true, s: vec![0.0, joint.length()], points });
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

    /// Coordinates of all nodes of the assembly in a configuration at a time. Where the motion of a support has no value, its
    /// node is where it was at first.
    pub fn whole(&self, q: &[f64], t: f64) -> Vec<f64> {
        let mut whole = self.assembly.reference.clone();
        if self.assembly.prescribe(Instant { t, factor: 1.0 }, &mut whole).is_err() {
            whole.clone_from(&self.assembly.reference);
        }
        for ((place, _), value) in self.coordinates.iter().zip(q) {
            whole[*place] = *value;
        }
        whole
    }

    /// The coordinates that those of all nodes of the assembly are.
    pub fn coordinates_of(&self, whole: &[f64]) -> Vec<f64> {
        self.coordinates.iter().map(|(place, _)| whole[*place]).collect()
    }

    /// Points of a line in a configuration at a time.
    pub fn positions(&self, track: &Track, q: &[f64], t: f64) -> Vec<[f64; 3]> {
        let whole = self.whole(q, t);
        let nodes = crate::terms::Nodes { layout: &self.assembly.layout, q: &whole };
        track.points.iter().map(|point| point.point_over(&nodes, [0.0; 3])).collect()
    }
}
