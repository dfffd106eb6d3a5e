//! Inverse dynamics of rods in a row: the whole pose of one end is prescribed, the other end is driven.

mod path;
mod refusals;

use nalgebra::Vector3;

use super::super::Check;
use super::super::forward::Parts;
use super::super::forward::instants::Instants;
use super::super::forward::scene::Scene;
use super::super::list;
use crate::discretisation::TimeGrid;
use crate::discretisation::chain::{PosePath, RodChain, Route};
use crate::models::structure::Frame;
use crate::models::{ForceComponent, Side, Structure};
use crate::tasks::Mechanism;
use crate::tasks::inverse_dynamics::chain::coordinate_name;
use crate::tasks::inverse_dynamics::scalar_names;
use crate::tasks::{Channel, Output, System, force_name};

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
    pub fn chain_system(&mut self) -> Option<System> {
        let before = self.found.errors();
        let spec = self.spec;
        let grid = self.time(true);
        let gravity = self.gravity();
        self.inverse_task();
        let names = self.scope();
        self.chain_refusals();
        let instants = Instants::new(Some("inverse-dynamics"), &spec.task, grid);
        let Parts { mut scene, structure, .. } = self.parts_of(&names, &instants, gravity);
        let servo = self.chain_servo(&mut scene, &names, &instants);
        let drives = self.chain_drives(&mut scene);
        let tables = ["dimension", "rod", "body", "joint", "spring", "actuator", "servo", "load", "support", "let"];
        let sure = tables.iter().all(|table| self.sure(&[table]));
        let whole = self.found.errors() == before && sure && names.whole;
        let system = match (structure, servo, whole) {
            (Some(structure), Some(servo), true) => self.driven(structure, servo, drives, grid),
            _ => None,
        };
        if let Some(system) = &system {
            self.method(system);
        }
        let scalars = system.as_ref().map(scalar_names);
        let expect = self.expectations(scalars.as_deref());
        system.map(|system| System { expect, ..system })
    }

    /// Components of force and torque at one place, in the order of the file, and whether they follow their frame.
    fn chain_drives(&mut self, scene: &mut Scene<'_>) -> Vec<(Channel, Frame, bool)> {
        let spec = self.spec;
        let plane = self.dimension() == Some(2);
        let all =
            if plane { "force_x, force_y, torque" } else { "force_x, force_y, force_z, torque_x, torque_y, torque_z" };
        if spec.actuator.is_empty() && self.sure(&["actuator"]) {
            let message = "there is no actuator, expected a table such as [actuator.base]: what may act on the rod?";
            let quoted: Vec<String> = all.split(", ").map(|name| format!("\"{name}\"")).collect();
            self.error(&["actuator"], message, "no [actuator.*] in this file")
                .help(format!("for example at = \"rod.start\" and acts = [{}]", quoted.join(", ")));
        }
        let mut found: Vec<(Channel, Frame, bool)> = Vec::new();
        for (name, actuator) in &spec.actuator {
            let frame = self.frame_at(scene, &["actuator", name, "at"], &actuator.at, false);
            for (i, component) in actuator.acts.iter().enumerate() {
                let index = i.to_string();
                let path = ["actuator", name.as_str(), "acts", index.as_str()];
                let coordinate = match (component, plane) {
                    (ForceComponent::ForceX, _) => 0,
                    (ForceComponent::ForceY, _) => 1,
                    (ForceComponent::ForceZ, false) => 2,
                    (ForceComponent::TorqueX, false) => 3,
                    (ForceComponent::TorqueY, false) => 4,
                    (ForceComponent::TorqueZ, false) | (ForceComponent::Torque, true) => 5,
                    _ => {
                        let here = self.document.path_text(&path);
                        let where_to = if plane { "in the plane" } else { "in space" };
                        let message =
                            format!("`{here}` is \"{}\", expected one of {all} on a rod {where_to}", component.name());
                        self.error(&path, message, "which direction?");
                        continue;
                    }
                };
                if let Some((other, ..)) = found.iter().find(|(channel, ..)| channel.coordinate == coordinate) {
                    let message = format!("\"{}\" is applied twice (also as `{}`)", component.name(), other.name);
                    self.error(&path, message, "applied already");
                    continue;
                }
                let Some(frame) = frame else { continue };
                let channel = Channel { name: format!("{name}.{}", component.name()), side: Side::Start, coordinate };
                found.push((channel, frame, actuator.follows));
            }
        }
        found
    }

    /// The rods with their ends, if these are complete.
    fn driven(
        &mut self,
        structure: Structure,
        servo: Servo,
        drives: Vec<(Channel, Frame, bool)>,
        grid: Option<TimeGrid>,
    ) -> Option<System> {
        let before = self.found.errors();
        let plane = structure.dimension == 2;
        let components: &[usize] = if plane { &[0, 1, 5] } else { &[0, 1, 2, 3, 4, 5] };
        let frames: Vec<Frame> = drives.iter().map(|(_, frame, _)| *frame).collect();
        let missing: Vec<&str> = components
            .iter()
            .filter(|c| !drives.iter().any(|(channel, ..)| channel.coordinate == **c))
            .map(|c| force_name(coordinate_name(plane, *c)).0)
            .collect();
        if !missing.is_empty() {
            let name = self.spec.actuator.keys().next().map_or("", String::as_str);
            let place = frames.first().map_or_else(String::new, |frame| structure.frame_name(*frame));
            let message = format!(
                "{} at \"{place}\" cannot be applied, but servo `{}` prescribes a whole pose: its {count} coordinates need {count} components",
                list(&missing),
                servo.name,
                count = if plane { "three" } else { "six" }
            );
            self.error(&["actuator", name, "acts"], message, "fewer inputs than outputs").help(INCOMPLETE);
        }
        let route = match Route::find(&structure, servo.frame, &frames) {
            Ok(route) => route,
            Err(broken) => {
                let names: Vec<&str> = drives.iter().map(|(channel, ..)| channel.name.as_str()).collect();
                self.broken(&structure, &servo.name, &names, &broken);
                return None;
            }
        };
        let mixed = drives.iter().any(|(_, frame, follows)| (*frame, *follows) != (drives[0].1, drives[0].2));
        if mixed && drives.iter().any(|(_, _, follows)| *follows) {
            let name = self.spec.actuator.keys().next().map_or("", String::as_str);
            let message = "actuators that follow a frame stand beside others, expected all of them on one frame and all following it";
            self.error(&["actuator", name, "follows"], message, "not all follow the same frame");
        }
        self.unfit_sections(&structure, &route.legs);
        if self.found.errors() > before {
            return None;
        }
        let grid = grid.unwrap_or_else(|| TimeGrid::new(0.0, 1.0, 4));
        self.pose_start(&structure, &servo, grid);
        let (first, last) = (route.legs[0].side, route.legs[route.legs.len() - 1].side.other());
        let outputs = components.iter().map(|coordinate| Output {
            name: format!("{}.{}", servo.name, coordinate_name(plane, *coordinate)),
            side: first,
            coordinate: *coordinate,
        });
        let outputs = outputs.collect();
        let mut channels = Vec::new();
        let mut places = Vec::new();
        for (channel, frame, follows) in drives {
            channels.push(Channel { side: last, ..channel });
            places.push((frame, follows));
        }
        let chain = RodChain::new(structure, route, servo.path, servo.frame, places);
        Some(System {
            title: self.spec.title.clone(),
            mechanism: Mechanism::Chain(Box::new(chain)),
            machine: None,
            bodies: Vec::new(),
            channels,
            outputs,
            grid,
            expect: Vec::new(),
        })
    }

    /// A rod without gravity and loads rests in its reference shape, so a path that begins elsewhere is suspicious; it is
    /// solved all the same, with the rod where the path begins.
    fn pose_start(&mut self, structure: &Structure, servo: &Servo, grid: TimeGrid) {
        let Ok(start) = servo.path.at(grid.start) else { return };
        let loaded = !structure.loads.is_empty() || !structure.line_loads.is_empty() || !structure.springs.is_empty();
        if structure.gravity != Vector3::zeros() || loaded {
            return;
        }
        let reference = servo.path.reference;
        let length: f64 = structure.rods.iter().map(|rod| rod.length).sum();
        let moved = (start.pose.position - reference.position).norm();
        let turned = (start.pose.orientation * reference.orientation.conjugate()).rotation_vector().norm();
        if start.velocity.norm() == 0.0 && moved.max(turned * length) > 1e-6 * length {
            let message = format!(
                "servo `{}` starts {moved:.6} m and {turned:.6} rad away from \"{}\" in the reference configuration: the rod is taken to rest where the path starts",
                servo.name,
                structure.frame_name(servo.frame)
            );
            self.warn(&["servo", &servo.name], message, "starts elsewhere");
        }
    }
}
