//! Joints: between which frames, where, and what they let free.

use nalgebra::Vector3;

use super::super::Check;
use super::geometry::vector;
use super::scene::{PositionSource, Scene};
use crate::mechanism::{Frame, JointKind, JointPart, JointSpec, JointTable, JointType, JointWord};

/// Points nearer than this, as a fraction of the size of the mechanism, are the same.
const SAME: f64 = 1e-6;

impl Check<'_> {
    /// All joints; bodies without a position get that of the rod end they are rigidly joined to.
    pub fn joints(&mut self, scene: &mut Scene<'_>) -> Vec<JointPart> {
        let spec = self.spec;
        let before = self.found.errors();
        let mut between: Vec<(&str, &JointSpec, [Frame; 2])> = Vec::new();
        for (name, joint) in &spec.joint {
            let [a, b] = &joint.between;
            let first = self.frame_at(scene, &["joint", name, "between", "0"], a, true);
            let second = self.frame_at(scene, &["joint", name, "between", "1"], b, true);
            let (Some(first), Some(second)) = (first, second) else { continue };
            if first == second {
                let message = format!("joint `{name}` connects \"{a}\" with itself, expected two frames");
                self.error(&["joint", name, "between"], message, "the same frame twice");
                continue;
            }
            between.push((name, joint, [first, second]));
        }
        for (_, joint, frames) in &between {
            if joint.r#type.is_rigid() {
                scene.place(frames[0], frames[1]);
                scene.place(frames[1], frames[0]);
            }
        }
        if self.found.errors() == before && self.sure(&["joint"]) {
            self.unplaced_bodies(scene);
        }
        let size = scene.size();
        let mut joints: Vec<JointPart> = Vec::new();
        for (name, joint, frames) in between {
            if joint.r#type == JointType::Word(JointWord::Distance) {
                joints.extend(self.distance(scene, name, joint, frames));
                continue;
            }
            if joint.to.is_some() {
                let message = format!("joint `{name}` has `to`, expected it with type = \"distance\" only");
                self.error(&["joint", name, "to"], message, "not used by this type").help("remove it");
            }
            let kind = self.joint_kind(scene, name, joint, frames);
            let at = self.joint_position(scene, name, joint, frames, size);
            let (Some(kind), Some(at)) = (kind, at) else { continue };
            let same_pair = |other: &&JointPart| {
                let [a, b] = other.between;
                let pair = frames == [a, b] || frames == [b, a];
                !other.kind.is_bar() && pair && (other.at[0] - at).norm() <= SAME * size
            };
            if let Some(other) = joints.iter().find(same_pair) {
                let message =
                    format!("joint `{name}` connects the same frames at the same place as joint `{}`", other.name);
                self.error(&["joint", name], message, "connected already");
                continue;
            }
            joints.push(JointPart::at_point(name, frames, at, kind));
        }
        joints
    }

    fn unplaced_bodies(&mut self, scene: &mut Scene<'_>) {
        for body in scene.bodies.iter_mut().filter(|body| body.place == PositionSource::FromJoint) {
            body.place = PositionSource::Unknown;
            body.part = None;
            let message = format!(
                "body `{}` has no position, expected `position` or a rigid joint with a rod end, which gives it",
                body.name
            );
            self.error(&["body", body.name], message, "where is it?").help(format!(
                "add `position`, the reference position of its mass centre, or [joint.NAME] with between = [\"{}\", \"ROD.end\"] and type = \"rigid\"",
                body.name
            ));
        }
    }

    fn joint_kind(
        &mut self,
        scene: &Scene<'_>,
        name: &str,
        joint: &JointSpec,
        frames: [Frame; 2],
    ) -> Option<JointKind> {
        let path = ["joint", name, "type"];
        let plane = self.dimension().filter(|_| self.sure(&path))? == 2;
        match &joint.r#type {
            // Its points need not coincide: `distance` reads it.
            JointType::Word(JointWord::Distance) => None,
            JointType::Word(JointWord::Rigid) => Some(JointKind::Rigid),
            JointType::Word(JointWord::Spherical) => Some(JointKind::Spherical),
            JointType::Word(JointWord::Revolute) if plane => Some(JointKind::Revolute(Vector3::z())),
            JointType::Word(JointWord::Revolute) => {
                let message = format!("joint `{name}` is revolute without an axis, expected one in space");
                self.error(&path, message, "about which axis?")
                    .help("for example type.revolute = { axis = [0, 1, 0] }");
                None
            }
            JointType::Table(JointTable::Revolute { .. }) if plane => {
                let message = format!("joint `{name}` has an axis, but in the plane all hinges turn about its normal");
                self.error(&path, message, "no axis in the plane").help("write type = \"revolute\"");
                None
            }
            JointType::Table(JointTable::Revolute { axis }) => {
                let path = ["joint", name, "type", "revolute", "axis"];
                if !self.length_of_vector(&path, axis.len()) {
                    return None;
                }
                let axis = vector(axis);
                if axis.norm() == 0.0 {
                    let message = format!("the axis of joint `{name}` is zero, expected a direction");
                    self.error(&path, message, "no direction");
                    return None;
                }
                if frames.iter().any(|frame| scene.turns(*frame) == Some(false)) {
                    let message = format!("joint `{name}` is revolute, but a string has no orientation to turn");
                    self.error(&["joint", name, "type"], message, "not for strings").help("write type = \"spherical\"");
                    return None;
                }
                Some(JointKind::Revolute(axis.normalize()))
            }
            JointType::Table(table) => self.directed_kind(scene, name, table, frames),
        }
    }

    pub(super) fn joint_position(
        &mut self,
        scene: &Scene<'_>,
        name: &str,
        joint: &JointSpec,
        frames: [Frame; 2],
        size: f64,
    ) -> Option<Vector3<f64>> {
        let [a, b] = &joint.between;
        let path = ["joint", name, "at"];
        let sections = frames.map(|frame| match frame {
            Frame::Section { .. } => scene.position(frame),
            Frame::Ground | Frame::Body(_) => None,
        });
        if let Some(at) = &joint.at {
            if !self.length_of_vector(&path, at.len()) {
                return None;
            }
            let at = vector(at);
            for ((section, frame), name_of_frame) in sections.iter().zip(frames).zip([a, b]) {
                let Some(distance) = section.map(|section| (section - at).norm()).filter(|d| *d > SAME * size) else {
                    continue;
                };
                if scene.turns(frame) == Some(false) {
                    let message = format!(
                        "joint `{name}` is {distance:.6} m away from \"{name_of_frame}\", expected it there: a string carries no arm"
                    );
                    self.error(&path, message, "not on the string");
                    return None;
                }
                let message = format!(
                    "joint `{name}` is {distance:.6} m away from \"{name_of_frame}\": a rigid arm is taken to lead there"
                );
                self.warn(&path, message, "not on the rod");
            }
            return Some(at);
        }
        match (frames, sections) {
            (_, [Some(first), Some(second)]) => {
                let distance = (first - second).norm();
                if distance > SAME * size {
                    let message = format!(
                        "joint `{name}` connects points that do not coincide: \"{a}\" is at {}, \"{b}\" at {}, {distance:.6} m apart",
                        self.point(first),
                        self.point(second)
                    );
                    self.error(&["joint", name, "between"], message, "apart from each other")
                        .help("move the rods, or add `at` for a joint at the end of rigid arms");
                    return None;
                }
                Some(first)
            }
            (_, [Some(only), None] | [None, Some(only)]) => Some(only),
            ([Frame::Body(body), Frame::Ground] | [Frame::Ground, Frame::Body(body)], _) => {
                scene.position(Frame::Body(body))
            }
            ([Frame::Body(_), Frame::Body(_)], _) => {
                let (first, second) = (scene.position(frames[0])?, scene.position(frames[1])?);
                if (first - second).norm() > SAME * size {
                    let message =
                        format!("joint `{name}` connects two bodies, expected `at`: the point where they meet");
                    self.error(&["joint", name], message, "where is it?");
                    return None;
                }
                Some(first)
            }
            _ => None,
        }
    }

    /// A point with as many coordinates as space.
    fn point(&self, point: Vector3<f64>) -> String {
        let coordinates: Vec<String> = point
            .iter()
            .take(self.spec.dimension.unwrap_or(3))
            .map(|x| format!("{}", (x * 1e6).round() / 1e6))
            .collect();
        format!("({})", coordinates.join(", "))
    }
}
