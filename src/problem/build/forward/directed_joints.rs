//! Joints that slide, universal joints and rods of fixed length without mass.

use nalgebra::Vector3;

use super::super::Check;
use super::geometry::vector;
use super::scene::Scene;
use crate::mechanism::{Frame, JointKind, JointPart, JointSpec, JointTable};

/// Largest scalar product of the unit axes of a universal joint.
const PERPENDICULAR: f64 = 1e-6;

impl Check<'_> {
    pub(super) fn directed_kind(
        &mut self,
        scene: &Scene<'_>,
        name: &str,
        table: &JointTable,
        frames: [Frame; 2],
    ) -> Option<JointKind> {
        let path = ["joint", name, "type"];
        let plane = self.dimension().filter(|_| self.sure(&path))? == 2;
        let (tag, needs_space) = match table {
            JointTable::Prismatic { .. } | JointTable::Revolute { .. } => ("prismatic", false),
            JointTable::Cylindrical { .. } => ("cylindrical", true),
            JointTable::Planar { .. } => ("planar", true),
            JointTable::Universal { .. } => ("universal", true),
        };
        if plane && needs_space {
            let message = format!("joint `{name}` is {tag}, expected it in space: `dimension` is 2");
            self.error(&path, message, "not in the plane")
                .help("in the plane there are revolute, prismatic and distance");
            return None;
        }
        if frames.iter().any(|frame| scene.turns(*frame) == Some(false)) {
            let message = format!("joint `{name}` is {tag}, but a string has no orientation to hold");
            self.error(&path, message, "not for strings").help("write type = \"spherical\"");
            return None;
        }
        match table {
            JointTable::Revolute { .. } => None,
            JointTable::Prismatic { axis } => self.unit(name, tag, "axis", axis).map(JointKind::Prismatic),
            JointTable::Cylindrical { axis } => self.unit(name, tag, "axis", axis).map(JointKind::Cylindrical),
            JointTable::Planar { normal } => self.unit(name, tag, "normal", normal).map(JointKind::Planar),
            JointTable::Universal { axes } => {
                let [first, second] = axes.each_ref().map(|axis| self.unit(name, tag, "axes", axis));
                let (first, second) = (first?, second?);
                if first.dot(&second).abs() > PERPENDICULAR {
                    let message = format!(
                        "the axes of joint `{name}` have an angle of {:.4} degrees, expected 90",
                        first.dot(&second).clamp(-1.0, 1.0).acos().to_degrees()
                    );
                    self.error(&["joint", name, "type", tag, "axes"], message, "not perpendicular");
                    return None;
                }
                Some(JointKind::Universal([first, second]))
            }
        }
    }

    /// A direction of unit length.
    #[allow(clippy::ptr_arg)]
    fn unit(&mut self, name: &str, tag: &str, key: &str, direction: &Vec<f64>) -> Option<Vector3<f64>> {
        let path = ["joint", name, "type", tag, key];
        if !self.length_of_vector(&path, direction.len()) {
            return None;
        }
        let direction = vector(direction);
        if direction.norm() == 0.0 {
            let message = format!("the {key} of joint `{name}` is zero, expected a direction");
            self.error(&path, message, "no direction");
            return None;
        }
        Some(direction.normalize())
    }

    /// Two points at a fixed distance.
    pub(super) fn distance(
        &mut self,
        scene: &Scene<'_>,
        name: &str,
        joint: &JointSpec,
        frames: [Frame; 2],
    ) -> Option<JointPart> {
        let path = ["joint", name, "type"];
        if !self.sure(&path) {
            return None;
        }
        let mut points = [Vector3::zeros(); 2];
        for (side, (key, given)) in [("at", &joint.at), ("to", &joint.to)].into_iter().enumerate() {
            points[side] = match given {
                Some(point) if !self.length_of_vector(&["joint", name, key], point.len()) => return None,
                Some(point) => vector(point),
                None if frames[side] == Frame::Ground => {
                    let message = format!("joint `{name}` begins at the ground, expected `{key}`: the point there");
                    self.error(&["joint", name], message, "where is it?");
                    return None;
                }
                None => scene.position(frames[side])?,
            };
        }
        if points[0] == points[1] {
            let message = format!("joint `{name}` has length 0, expected two points apart");
            self.error(&["joint", name], message, "no length").help("write type = \"spherical\"");
            return None;
        }
        Some(JointPart::bar(name, frames, points))
    }
}
