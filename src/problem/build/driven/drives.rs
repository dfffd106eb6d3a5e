//! Actuators of mechanisms: forces and torques on frames, motors of joints.

use super::super::forward::scene::Scene;
use super::super::{Check, list};
use crate::kernel::suggest::nearest;
use crate::mechanism::{ActuatorSpec, Component, Drive, DrivePlace, ForceComponent, Frame, Mechanism};

impl Check<'_> {
    pub(in crate::problem::build) fn drives(&mut self, scene: &mut Scene<'_>, mechanism: &Mechanism) -> Vec<Drive> {
        let spec = self.spec;
        if spec.actuator.is_empty() && self.task_name() != Some("simulate") && self.sure(&["actuator"]) {
            let message =
                "there is no actuator, expected a table such as [actuator.motor]: what may act on the mechanism?";
            self.error(&["actuator"], message, "no [actuator.*] in this file")
                .help("for example at = \"beam.start\" and acts = [\"force_x\", \"torque\"]; or at = \"elbow\", a joint, and acts = [\"torque\"]");
        }
        let mut drives: Vec<Drive> = Vec::new();
        for (name, actuator) in &spec.actuator {
            let path = ["actuator", name.as_str(), "at"];
            if !self.sure(&path) {
                continue;
            }
            let joint = scene.body(&actuator.at).is_none().then(|| mechanism.joint(&actuator.at)).flatten();
            let place = match joint {
                Some(joint) => DrivePlace::Joint(joint),
                None if spec.joint.contains_key(&actuator.at) && scene.body(&actuator.at).is_none() => continue,
                None => match self.driven_frame(scene, &path, &actuator.at) {
                    Some(frame) => DrivePlace::Frame(frame),
                    None => continue,
                },
            };
            if actuator.acts.is_empty() {
                let message =
                    format!("actuator `{name}` applies nothing: `acts` is empty, expected at least one component");
                self.error(&["actuator", name, "acts"], message, "no component");
            }
            let components = self.components_of(scene, mechanism, name, actuator, place);
            for (i, (component, _)) in components.iter().enumerate() {
                let again = drives
                    .iter()
                    .find(|other| other.place == place && other.components.iter().any(|(known, _)| known == component));
                if let Some(other) = again {
                    let message =
                        format!("\"{component}\" at \"{}\" is applied by actuator `{}`, too", actuator.at, other.name);
                    self.error(&["actuator", name, "acts", &i.to_string()], message, "applied already");
                }
            }
            drives.push(Drive { name: name.clone(), place, components, follows: actuator.follows });
        }
        drives
    }

    /// The frame of this name; what looks like a joint is told to be one.
    fn driven_frame(&mut self, scene: &mut Scene<'_>, path: &[&str], name: &str) -> Option<Frame> {
        let near = nearest(name, self.spec.joint.keys().map(String::as_str)).map(str::to_owned);
        let is_part = name.contains(['.', '@']) || scene.body(name).is_some() || scene.rod(name).is_some();
        if let Some(near) = near.filter(|_| !is_part) {
            let here = self.document.path_text(path);
            let message = format!("`{here}` is \"{name}\", expected a frame or a joint");
            self.error(path, message, "unknown name").help(format!("did you mean the joint \"{near}\"?"));
            return None;
        }
        self.frame_at(scene, path, name, false)
    }

    fn components_of(
        &mut self,
        scene: &Scene<'_>,
        mechanism: &Mechanism,
        name: &str,
        actuator: &ActuatorSpec,
        place: DrivePlace,
    ) -> Vec<(String, Component)> {
        let possible = possible(scene, mechanism, place);
        let mut found: Vec<(String, Component)> = Vec::new();
        for (i, component) in actuator.acts.iter().enumerate() {
            let path = ["actuator", name, "acts", &i.to_string()];
            let known = possible.iter().find(|(known, _)| known == component);
            let here = self.document.path_text(&path);
            match known {
                None => {
                    let names: Vec<&str> = possible.iter().map(|(component, _)| component.name()).collect();
                    let message = format!(
                        "`{here}` is \"{}\", which cannot act at \"{}\", expected one of {}",
                        component.name(),
                        actuator.at,
                        list(&names)
                    );
                    self.error(&path, message, "cannot act there");
                }
                Some(_) if found.iter().any(|(other, _)| other == component.name()) => {
                    self.error(&path, format!("`{here}` repeats \"{}\"", component.name()), "twice");
                }
                Some((_, component_of)) => found.push((component.name().to_owned(), *component_of)),
            }
        }
        found
    }
}

/// What can act at a place.
fn possible(scene: &Scene<'_>, mechanism: &Mechanism, place: DrivePlace) -> Vec<(ForceComponent, Component)> {
    use ForceComponent::{Force, ForceX, ForceY, ForceZ, Torque, TorqueX, TorqueY, TorqueZ};
    let plane = mechanism.dimension == 2;
    let forces = [(ForceX, Component::Force(0)), (ForceY, Component::Force(1)), (ForceZ, Component::Force(2))];
    let torques = [(TorqueX, Component::Torque(0)), (TorqueY, Component::Torque(1)), (TorqueZ, Component::Torque(2))];
    let mut list = Vec::new();
    match place {
        DrivePlace::Frame(frame) => {
            let turns = match frame {
                Frame::Body(body) => mechanism.bodies[body].inertia != nalgebra::Matrix3::zeros(),
                _ => scene.turns(frame) == Some(true),
            };
            list.extend(forces.into_iter().take(mechanism.dimension));
            match (turns, plane) {
                (false, _) => {}
                (true, true) => list.push((Torque, Component::Torque(2))),
                (true, false) => list.extend(torques),
            }
        }
        DrivePlace::Joint(joint) => {
            let kind = mechanism.joints[joint].kind;
            list.extend(kind.turning_axis(mechanism.dimension).map(|_| (Torque, Component::AboutAxis)));
            list.extend(kind.sliding_axis().map(|_| (Force, Component::AlongAxis)));
            if !plane && list.is_empty() && kind.is_ball() {
                list.extend(torques);
            }
        }
    }
    list
}
