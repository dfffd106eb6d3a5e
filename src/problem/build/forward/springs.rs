//! Springs, dampers and bushings of mechanisms.

mod strength;

use nalgebra::{Vector3, Vector6};

use super::super::Check;
use super::super::functions::Names;
use super::geometry::vector;
use super::scene::Scene;
use crate::kernel::suggest::nearest;
use crate::mechanism::spring::{Spring, SpringPlace};
use crate::mechanism::{Frame, Mechanism, SpringSpec};

impl Check<'_> {
    pub(super) fn springs(&mut self, scene: &mut Scene<'_>, mechanism: &Mechanism, names: &Names) -> Vec<Spring> {
        let spec = self.spec;
        let mut springs = Vec::new();
        for (name, spring) in &spec.spring {
            let path = |key| ["spring", name.as_str(), key];
            let place = match (&spring.between, &spring.at) {
                (Some(between), None) => self.spring_between(scene, name, spring, between),
                (None, Some(joint)) => self.spring_on_joint(scene, mechanism, name, spring, joint),
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
            let measures = place.map_or(1, |place| place.measures(mechanism.dimension, &mechanism.joints));
            let strength = self.strength(name, spring, measures, mechanism.dimension, names);
            let rest = self.spring_values(name, "rest", spring.rest.as_ref(), measures, false);
            let (Some(place), Some(strength), Ok(rest)) = (place, strength, rest) else { continue };
            let (stiffness, damping, law) = strength;
            let rest = rest.map(|values| Vector6::from_fn(|i, _| values.get(i).copied().unwrap_or(0.0)));
            springs.push(Spring { name: name.clone(), place, stiffness, damping, law, rest });
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
                // A bushing holds the place where the other frame is.
                None if frames[side] == Frame::Ground
                    && spring.bushing.is_some()
                    && frames[1 - side] != Frame::Ground =>
                {
                    scene.position(frames[1 - side])?
                }
                None if frames[side] == Frame::Ground => {
                    let message =
                        format!("spring `{name}` pulls at the ground, expected `points`: both points it connects");
                    self.error(&["spring", name], message, "where is it?");
                    return None;
                }
                None => scene.position(frames[side])?,
            };
        }
        if spring.bushing.is_some() {
            return self.orientations(scene, name, frames).then_some(SpringPlace::Bushing(frames, points));
        }
        if points[0] == points[1] {
            let message =
                format!("spring `{name}` has length 0 in the reference configuration, expected two points apart");
            self.error(&["spring", name], message, "no direction").help("a `bushing` acts between frames at one point");
            return None;
        }
        Some(SpringPlace::Between(frames, points))
    }

    /// Whether rotations of both frames against each other are known: strings have none.
    fn orientations(&mut self, scene: &Scene<'_>, name: &str, frames: [Frame; 2]) -> bool {
        let limp = frames.into_iter().find_map(|frame| match frame {
            Frame::Section { rod, .. } => scene.rods.get(rod)?.part.as_ref().filter(|rod| !rod.kind.turns()),
            _ => None,
        });
        if let Some(rod) = limp {
            let message =
                format!("spring `{name}` resists rotations, but sections of string `{}` have no orientation", rod.name);
            self.error(&["spring", name], message, "nothing turns there")
                .help("act on beams, rods and bodies, or use a spring along a line");
        }
        limp.is_none()
    }

    fn spring_on_joint(
        &mut self,
        scene: &Scene<'_>,
        mechanism: &Mechanism,
        name: &str,
        spring: &SpringSpec,
        at: &str,
    ) -> Option<SpringPlace> {
        let path = ["spring", name, "at"];
        for (key, _) in [("points", spring.points.is_some()), ("bushing", spring.bushing.is_some())]
            .into_iter()
            .filter(|(_, given)| *given)
        {
            let message = format!("spring `{name}` acts on a joint, expected no `{key}`");
            self.error(&["spring", name, key], message, "not used");
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
        let part = &mechanism.joints[joint];
        let measures = part.kind.measures(mechanism.dimension);
        if measures == 0 {
            let message = format!("joint `{at}` has neither an angle nor a travel, expected one that turns or slides");
            self.error(&path, message, "no angle, no travel")
                .help("revolute, prismatic, cylindrical, planar, universal and spherical joints take springs");
            return None;
        }
        let is_of_rotation = measures > 1 || part.kind.sliding_axis().is_none();
        (!is_of_rotation || self.orientations(scene, name, part.between)).then_some(SpringPlace::Joint(joint))
    }
}
