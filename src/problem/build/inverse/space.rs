//! Inverse dynamics of one rod in space: the whole pose of one end is prescribed, the other end is driven.

mod path;
mod refusals;

use nalgebra::Vector3;

use super::super::Check;
use super::super::forward::Parts;
use super::super::forward::instants::Instants;
use super::super::forward::scene::Scene;
use super::super::list;
use crate::discretisation::TimeGrid;
use crate::models::structure::Frame;
use crate::models::{DrivenRod, ForceComponent, Mechanism, POSE_COORDINATES, PosePath, Side, Structure};
use crate::tasks::inverse_dynamics::scalar_names;
use crate::tasks::{Channel, Output, System};

/// Where to go with end data that are not complete.
const INCOMPLETE: &str =
    "complete the servo path or the actuator; method = \"optimise\", where it is offered, treats fewer actuators";

/// A servo path whose parts are all there.
struct Servo {
    name: String,
    frame: Frame,
    path: PosePath,
}

impl Check<'_> {
    /// The system, if it can be put together; whether it is right is told by `found`.
    pub fn space_system(&mut self) -> Option<System> {
        let before = self.found.errors();
        let spec = self.spec;
        let grid = self.time(true);
        let gravity = self.gravity();
        self.inverse_task();
        let names = self.scope();
        self.space_refusals();
        let instants = Instants::new(Some("inverse-dynamics"), &spec.task, grid);
        let Parts { mut scene, structure, .. } = self.parts_of(&names, &instants, gravity);
        let servo = self.space_servo(&mut scene, &names, &instants);
        let drives = self.space_drives(&mut scene);
        let tables = ["dimension", "rod", "body", "joint", "actuator", "servo", "load", "support", "let"];
        let sure = tables.iter().all(|table| self.sure(&[table]));
        let whole = self.found.errors() == before && sure && names.whole;
        let system = match (structure, servo, whole) {
            (Some(structure), Some(servo), true) => self.driven(structure, servo, drives, grid),
            _ => None,
        };
        if let Some(system) = &system {
            self.method(system);
            self.space_method();
        }
        let scalars = system.as_ref().map(scalar_names);
        let expect = self.expectations(scalars.as_deref());
        system.map(|system| System { expect, ..system })
    }

    /// Six components of force and torque at one end, in the order of the file.
    fn space_drives(&mut self, scene: &mut Scene<'_>) -> Vec<(Channel, Frame)> {
        let spec = self.spec;
        if spec.actuator.is_empty() && self.sure(&["actuator"]) {
            let message = "there is no actuator, expected a table such as [actuator.base]: what may act on the rod?";
            self.error(&["actuator"], message, "no [actuator.*] in this file")
                .help("for example at = \"rod.start\" and acts = [\"force_x\", \"force_y\", \"force_z\", \"torque_x\", \"torque_y\", \"torque_z\"]");
        }
        let mut found: Vec<(Channel, Frame)> = Vec::new();
        for (name, actuator) in &spec.actuator {
            let frame = self.frame_at(scene, &["actuator", name, "at"], &actuator.at, false);
            if actuator.follows {
                let message = format!("actuator `{name}` follows its frame, expected one in the fixed frame");
                self.error(&["actuator", name, "follows"], message, "not for inverse dynamics").help("remove it");
            }
            for (i, component) in actuator.acts.iter().enumerate() {
                let index = i.to_string();
                let path = ["actuator", name.as_str(), "acts", index.as_str()];
                let coordinate = match component {
                    ForceComponent::ForceX => 0,
                    ForceComponent::ForceY => 1,
                    ForceComponent::ForceZ => 2,
                    ForceComponent::TorqueX => 3,
                    ForceComponent::TorqueY => 4,
                    ForceComponent::TorqueZ => 5,
                    ForceComponent::Torque | ForceComponent::Force => {
                        let here = self.document.path_text(&path);
                        let message = format!(
                            "`{here}` is \"{}\", expected force_x, force_y, force_z, torque_x, torque_y or torque_z on a rod in space",
                            component.name()
                        );
                        self.error(&path, message, "which direction?");
                        continue;
                    }
                };
                if let Some((other, _)) = found.iter().find(|(channel, _)| channel.coordinate == coordinate) {
                    let message = format!("\"{}\" is applied twice (also as `{}`)", component.name(), other.name);
                    self.error(&path, message, "applied already");
                    continue;
                }
                let Some(frame) = frame else { continue };
                let channel = Channel { name: format!("{name}.{}", component.name()), side: Side::Start, coordinate };
                found.push((channel, frame));
            }
        }
        found
    }

    /// The rod with its ends, if they are complete.
    fn driven(
        &mut self,
        structure: Structure,
        servo: Servo,
        drives: Vec<(Channel, Frame)>,
        grid: Option<TimeGrid>,
    ) -> Option<System> {
        let before = self.found.errors();
        let sides = self.sides(&structure);
        let side = self.end_of(&structure, &sides, &["servo", &servo.name, "at"], servo.frame)?;
        let driven = side.other();
        let end = |side: Side| format!("{}.{}", structure.rods[0].name, side.name());
        for (channel, frame) in &drives {
            let name = channel.name.split('.').next().unwrap_or_default();
            let path = ["actuator", name, "at"];
            let found = self.end_of(&structure, &sides, &path, *frame);
            if found == Some(side) {
                let message = format!(
                    "`actuator.{name}.at` is where servo `{}` prescribes the motion, expected the other end, \"{}\": at the end of the path all forces are known",
                    servo.name,
                    end(driven)
                );
                self.error(&path, message, "the end that follows the path").help(INCOMPLETE);
                return None;
            }
        }
        let missing: Vec<&str> = (0..6)
            .filter(|c| !drives.iter().any(|(channel, _)| channel.coordinate == *c))
            .map(|c| crate::tasks::force_name(POSE_COORDINATES[c]).0)
            .collect();
        if !missing.is_empty() {
            let name = self.spec.actuator.keys().next().map_or("", String::as_str);
            let message = format!(
                "{} at \"{}\" cannot be applied, but servo `{}` prescribes a whole pose: its six coordinates need six components",
                list(&missing),
                end(driven),
                servo.name
            );
            self.error(&["actuator", name, "acts"], message, "fewer inputs than outputs").help(INCOMPLETE);
        }
        let loads: Vec<Option<Side>> = structure
            .loads
            .iter()
            .map(|load| self.end_of(&structure, &sides, &["load", &load.name, "at"], load.at))
            .collect();
        self.unfit_sections(&structure);
        let (Some(bodies), Some(loads)) =
            (sides.into_iter().collect::<Option<Vec<_>>>(), loads.into_iter().collect::<Option<Vec<_>>>())
        else {
            return None;
        };
        if self.found.errors() > before {
            return None;
        }
        let grid = grid.unwrap_or_else(|| TimeGrid::new(0.0, 1.0, 4));
        self.pose_start(&structure, &servo, grid);
        let outputs = POSE_COORDINATES.into_iter().enumerate().map(|(coordinate, name)| Output {
            name: format!("{}.{name}", servo.name),
            side,
            coordinate,
        });
        let names = structure.bodies.iter().map(|body| body.name.clone()).zip(bodies.iter().copied()).collect();
        let (channels, frames): (Vec<Channel>, Vec<Frame>) = drives.into_iter().unzip();
        let channels = channels.into_iter().map(|channel| Channel { side: driven, ..channel }).collect();
        let rod = DrivenRod::new(structure, side, servo.path, servo.frame, &bodies, &loads, frames);
        Some(System {
            title: self.spec.title.clone(),
            mechanism: Mechanism::SpaceRod(Box::new(rod)),
            machine: None,
            bodies: names,
            channels,
            outputs: outputs.collect(),
            grid,
            expect: Vec::new(),
        })
    }

    /// The end each body is rigidly joined to, directly or through others.
    fn sides(&mut self, structure: &Structure) -> Vec<Option<Side>> {
        let elements = structure.rods[0].elements;
        let mut sides: Vec<Option<Side>> = vec![None; structure.bodies.len()];
        for _ in 0..structure.bodies.len() {
            for joint in &structure.joints {
                let [a, b] = joint.between;
                for (body, other) in [(a, b), (b, a)] {
                    let Frame::Body(body) = body else { continue };
                    let side = match other {
                        Frame::Section { boundary: 0, .. } => Some(Side::Start),
                        Frame::Section { boundary, .. } if boundary == elements => Some(Side::End),
                        Frame::Body(other) => sides[other],
                        Frame::Section { .. } | Frame::Ground => None,
                    };
                    sides[body] = sides[body].or(side);
                }
            }
        }
        for (body, _) in structure.bodies.iter().zip(&sides).filter(|(_, side)| side.is_none()) {
            let end = format!("{}.end", structure.rods[0].name);
            let name = &body.name;
            let message = format!("body `{name}` is not joined to an end of the rod");
            self.error(&["body", name], message, "not part of the mechanism")
                .help(format!("add [joint.{name}] with between = [\"{name}\", \"{end}\"] and type = \"rigid\""));
        }
        sides
    }

    /// The end a frame belongs to.
    fn end_of(&mut self, structure: &Structure, sides: &[Option<Side>], path: &[&str], frame: Frame) -> Option<Side> {
        match frame {
            Frame::Section { boundary: 0, .. } => Some(Side::Start),
            Frame::Section { boundary, .. } if boundary == structure.rods[0].elements => Some(Side::End),
            Frame::Body(body) => sides.get(body).copied().flatten(),
            Frame::Section { .. } | Frame::Ground => {
                let here = self.document.path_text(path);
                let name = structure.frame_name(frame);
                let message = format!("`{here}` is \"{name}\", expected an end of the rod or a body joined to one");
                self.error(path, message, "not an end of the rod");
                None
            }
        }
    }

    /// A rod without gravity and loads rests in its reference shape, so a path that begins elsewhere is suspicious; it is
    /// solved all the same, with the rod where the path begins.
    fn pose_start(&mut self, structure: &Structure, servo: &Servo, grid: TimeGrid) {
        let Ok(start) = servo.path.at(grid.start) else { return };
        if structure.gravity != Vector3::zeros() || !structure.loads.is_empty() {
            return;
        }
        let reference = servo.path.reference;
        let moved = (start.pose.position - reference.position).norm();
        let turned = (start.pose.orientation * reference.orientation.conjugate()).rotation_vector().norm();
        if start.velocity.norm() == 0.0
            && moved.max(turned * structure.rods[0].length) > 1e-6 * structure.rods[0].length
        {
            let message = format!(
                "servo `{}` starts {moved:.6} m and {turned:.6} rad away from \"{}\" in the reference configuration: the rod is taken to rest where the path starts",
                servo.name,
                structure.frame_name(servo.frame)
            );
            self.warn(&["servo", &servo.name], message, "starts elsewhere");
        }
    }
}
