//! Springs and dampers of mechanisms.

use nalgebra::Vector3;

use super::super::Check;
use super::geometry::vector;
use super::scene::Scene;
use crate::kernel::suggest::nearest;
use crate::mechanism::spring::{Spring, SpringPlace};
use crate::mechanism::{Frame, Mechanism, SpringSpec};

impl Check<'_> {
    pub(super) fn springs(&mut self, scene: &mut Scene<'_>, mechanism: &Mechanism) -> Vec<Spring> {
        let spec = self.spec;
        let mut springs = Vec::new();
        for (name, spring) in &spec.spring {
            let path = |key| ["spring", name.as_str(), key];
            let right = self.not_negative(&path("stiffness"), spring.stiffness)
                & self.not_negative(&path("damping"), spring.damping);
            if right && spring.stiffness == 0.0 && spring.damping == 0.0 && self.sure(&["spring", name]) {
                let message = format!("spring `{name}` does nothing, expected a positive `stiffness` or `damping`");
                self.error(&["spring", name], message, "without effect");
            }
            let place = match (&spring.between, &spring.at) {
                (Some(between), None) => self.spring_between(scene, name, spring, between),
                (None, Some(joint)) => self.spring_on_joint(mechanism, name, spring, joint),
                (None, None) => {
                    self.missing_key(&path("between"), "an array of strings", "The two frames it pulls at.");
                    None
                }
                (Some(_), Some(_)) => {
                    let message = format!("spring `{name}` has `between` and `at`, expected one of them");
                    self.error(&path("at"), message, "between frames or on a joint?");
                    None
                }
            };
            let Some(place) = place else { continue };
            let (stiffness, damping, rest) = (spring.stiffness, spring.damping, spring.rest);
            springs.push(Spring { name: name.clone(), place, stiffness, damping, rest });
        }
        springs
    }

    fn spring_between(
        &mut self,
        scene: &mut Scene<'_>,
        name: &str,
        spring: &SpringSpec,
        between: &[String; 2],
    ) -> Option<SpringPlace> {
        let [a, b] = [0, 1].map(|side: usize| {
            self.frame_at(scene, &["spring", name, "between", &side.to_string()], &between[side], true)
        });
        let frames = [a?, b?];
        let mut points = [Vector3::zeros(); 2];
        for side in 0..2 {
            points[side] = match &spring.points {
                Some(given)
                    if !self.length_of_vector(&["spring", name, "points", &side.to_string()], given[side].len()) =>
                {
                    return None;
                }
                Some(given) => vector(&given[side]),
                None if frames[side] == Frame::Ground => {
                    let message =
                        format!("spring `{name}` pulls at the ground, expected `points`: both points it connects");
                    self.error(&["spring", name], message, "where is it?");
                    return None;
                }
                None => scene.position(frames[side])?,
            };
        }
        if points[0] == points[1] {
            let message =
                format!("spring `{name}` has length 0 in the reference configuration, expected two points apart");
            self.error(&["spring", name], message, "no direction");
            return None;
        }
        Some(SpringPlace::Between(frames, points))
    }

    fn spring_on_joint(
        &mut self,
        mechanism: &Mechanism,
        name: &str,
        spring: &SpringSpec,
        at: &str,
    ) -> Option<SpringPlace> {
        let path = ["spring", name, "at"];
        if spring.points.is_some() {
            let message = format!("spring `{name}` acts on a joint, expected no `points`");
            self.error(&["spring", name, "points"], message, "not used");
        }
        let Some(joint) = mechanism.joint(at) else {
            if self.sure(&path) && !self.spec.joint.contains_key(at) {
                let hint = nearest(at, self.spec.joint.keys().map(String::as_str));
                let message = format!("`spring.{name}.at` is \"{at}\", expected the name of a joint");
                let help = hint.map_or_else(|| "see [joint.*]".to_owned(), |near| format!("did you mean \"{near}\"?"));
                self.error(&path, message, "unknown joint").help(help);
            }
            return None;
        };
        let kind = mechanism.joints[joint].kind;
        if kind.turning_axis(mechanism.dimension).is_none() && kind.sliding_axis().is_none() {
            let message = format!(
                "joint `{at}` has neither an angle nor a travel, expected a revolute, prismatic or cylindrical one"
            );
            self.error(&path, message, "no angle, no travel");
            return None;
        }
        Some(SpringPlace::Joint(joint))
    }
}
