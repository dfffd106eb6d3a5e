//! Inverse dynamics of a trolley on a rail with a winch.

use std::sync::Arc;

use nalgebra::{Matrix3, Vector3};

use super::super::Check;
use super::super::forward::Parts;
use super::super::forward::instants::Instants;
use super::row::Row;
use crate::discretisation::chain::{DrivePoint, Guide};
use crate::geometry::Pose;
use crate::mechanism::{
    Component, DrivePlace, Frame, JointPart, JointRow, Mechanism, Mesh, RodPart, SupportPart, WinchPart,
};
use crate::tasks::capability::Way;
use crate::tasks::cost::{Cost, Sizes, limit};
use crate::tasks::inverse_dynamics::hoist::HoistSystem;
use crate::tasks::{Channel, Method, System};

impl Check<'_> {
    /// Whether inverse dynamics is asked of a winch, by the one method that knows it.
    pub(in crate::problem::build) fn is_hoisted(&self) -> bool {
        let march = |method: Method| matches!(method, Method::Auto | Method::SpaceMarch);
        !self.spec.winch.is_empty() && self.spec.task.inverse_dynamics().is_some_and(|task| march(task.method))
    }

    /// The system, if it can be put together; whether it is right is told by `found`.
    pub(in crate::problem::build) fn hoist_system(&mut self) -> Option<HoistSystem> {
        let before = self.found.errors();
        let spec = self.spec;
        let (grid, gravity) = (self.time(true), self.gravity());
        self.inverse_task();
        self.no_search();
        let names = self.scope();
        let instants = Instants::new(Some("inverse-dynamics"), &spec.task, grid);
        let Parts { mut scene, mechanism, .. } = self.parts_of(&names, &instants, gravity);
        let servos = self.row_servos(&mut scene, &names, &instants);
        let drives = mechanism.as_ref().map(|mechanism| self.drives(&mut scene, mechanism));
        let tables =
            ["dimension", "rod", "body", "joint", "actuator", "servo", "winch", "support", "load", "let", "table"];
        if self.found.errors() > before || !names.whole || !tables.iter().all(|table| self.sure(&[table])) {
            return None;
        }
        let (mut mechanism, servos, grid) = (mechanism?, servos?, grid?);
        mechanism.drives = drives?;
        let trolley = self.trolley(&mechanism)?;
        let rail = self.rail(&mechanism, trolley)?;
        self.nothing_else(&mechanism, trolley);
        let channels = self.level_forces(&mechanism, trolley)?;
        let [guide] = servos.as_slice() else {
            let name = servos.last().map_or("", |servo| servo.name.as_str());
            let message = format!(
                "{} servo paths, expected one: that of the load on rod `{}`",
                servos.len(),
                self.rope(&mechanism).name
            );
            self.error(&["servo", name], message, "one too many");
            return None;
        };
        let load = guide.frame;
        let (material, path) = self.as_material(&mechanism, guide)?;
        if self.found.errors() > before {
            return None;
        }
        let at = Frame::Section { rod: 0, boundary: 0 };
        let sought = channels.iter().enumerate().map(|(component, name)| {
            let channel = Channel { name: name.clone(), coordinate: component };
            (channel, DrivePoint { frame: at, component, follows: false })
        });
        let row = Row { mechanism: material, servos: vec![path], drives: sought.collect(), grid };
        let system = self.put_together(row)?;
        self.method(&system);
        let task = spec.task.inverse_dynamics()?.clone();
        let hoist = HoistSystem { system, spec: task, mechanism, trolley, load, rail, channels };
        let expect = self.expectations(Some(&hoist.scalar_names()));
        Some(HoistSystem { system: System { expect, ..hoist.system }, ..hoist })
    }

    fn rope<'m>(&self, mechanism: &'m Mechanism) -> &'m RodPart {
        &mechanism.rods[mechanism.winches[0].rope]
    }

    /// The body that carries the only sheave.
    fn trolley(&mut self, mechanism: &Mechanism) -> Option<usize> {
        if let Some(second) = mechanism.winches.get(1) {
            let message = "there are several winches, expected one: inverse dynamics follows one rope".to_owned();
            self.error(&["winch", &second.name], message, "one too many");
            return None;
        }
        let WinchPart { name, counter, at, .. } = mechanism.winches.first()?;
        if counter.is_some() {
            let message = format!(
                "winch `{name}` has `counter`, expected a drum: how a rope on the other side swings is not sought yet"
            );
            self.error(&["winch", name, "counter"], message, "not taken by inverse dynamics");
            return None;
        }
        let Frame::Body(trolley) = at else {
            let message = format!(
                "winch `{name}` is at \"{}\", expected a body on a rail, the trolley",
                mechanism.frame_name(*at)
            );
            self.error(&["winch", name, "at"], message, "no trolley").help(
                "add [body.trolley] at the start of the rope, [support.rail] that fixes its height and [actuator.drive] that acts on it",
            );
            return None;
        };
        Some(*trolley)
    }

    /// The constant coordinate of the trolley, the last of space, and where the sheave is.
    fn rail(&mut self, mechanism: &Mechanism, trolley: usize) -> Option<(usize, f64)> {
        let up = mechanism.dimension - 1;
        let axis = Vector3::ith(up, 1.0);
        let on = |support: &&SupportPart| support.at == Frame::Body(trolley);
        let supports: Vec<&SupportPart> = mechanism.supports.iter().filter(on).collect();
        let name = mechanism.bodies[trolley].name.clone();
        for support in &supports {
            let level = support.displacement.iter().enumerate().find(|(c, held)| *c != up && held.is_some());
            if let Some((c, _)) = level {
                let message = format!(
                    "support `{}` holds {} of trolley `{name}`, expected {} alone: the trolley follows the rope",
                    support.name,
                    ["x", "y", "z"][c],
                    ["x", "y", "z"][up]
                );
                self.error(&["support", &support.name], message, "not free along the rail");
                return None;
            }
            if support.moves() {
                let message = format!("support `{}` moves trolley `{name}`, expected a rail that rests", support.name);
                self.error(&["support", &support.name], message, "moves");
                return None;
            }
        }
        let held = supports.iter().any(|support| support.displacement[up].is_some());
        // Joints that hold no place but the height.
        let level = |joint: &&JointPart| {
            let rows = joint.kind.conditions(mechanism.dimension);
            let places: Vec<JointRow> =
                rows.into_iter().map(|(_, row)| row).filter(|row| !row.is_of_rotations()).collect();
            let is_height = |row: &JointRow| matches!(row, JointRow::Across(u) if u.dot(&axis).abs() > 1.0 - 1e-9);
            !places.is_empty() && places.iter().all(is_height)
        };
        let guided = mechanism
            .joints
            .iter()
            .filter(level)
            .any(|joint| joint.between.contains(&Frame::Ground) && joint.between.contains(&Frame::Body(trolley)));
        if !held && !guided {
            let height = ["x", "y", "z"][up];
            let message = format!("trolley `{name}` is on no rail, expected its {height} to be held");
            self.error(&["body", &name], message, "which height?")
                .help(format!("add [support.rail] with at = \"{name}\" and fixes = [\"{height}\"]"));
            return None;
        }
        Some((up, (self.rope(mechanism).reference)(0.0).position[up]))
    }

    /// Parts that the march does not meet, or that act on the trolley.
    fn nothing_else(&mut self, mechanism: &Mechanism, trolley: usize) {
        let (rope, own) = (mechanism.winches[0].rope, Frame::Body(trolley));
        let end = Frame::Section { rod: rope, boundary: mechanism.rods[rope].elements };
        let winch = &mechanism.winches[0].name;
        let hung = |body: usize| {
            let pair = [Frame::Body(body), end];
            mechanism.joints.iter().any(|joint| pair.iter().all(|frame| joint.between.contains(frame)))
        };
        let mut beside: Vec<(&str, &str, &str)> = Vec::new();
        let rods = mechanism.rods.iter().enumerate().filter(|(rod, _)| *rod != rope);
        beside.extend(rods.map(|(_, rod)| ("rod", rod.name.as_str(), "is not the rope of the winch")));
        let bodies = mechanism.bodies.iter().enumerate().filter(|(body, _)| *body != trolley && !hung(*body));
        beside.extend(
            bodies.map(|(_, body)| {
                ("body", body.name.as_str(), "is neither the trolley nor joined to the end of the rope")
            }),
        );
        beside.extend(
            mechanism.springs.iter().map(|spring| ("spring", spring.name.as_str(), "acts beside rope and rail")),
        );
        let loads = mechanism.loads.iter().filter(|load| load.at == own);
        beside.extend(loads.map(|load| ("load", load.name.as_str(), "acts on the trolley")));
        let supports = mechanism.supports.iter().filter(|support| support.at != own);
        beside.extend(supports.map(|support| ("support", support.name.as_str(), "holds more than the trolley")));
        let allowed = |joint: &JointPart| {
            joint.name == *winch
                || joint.between.contains(&end)
                || (joint.between.contains(&Frame::Ground) && joint.between.contains(&own))
        };
        let joints = mechanism.joints.iter().filter(|joint| !allowed(joint));
        beside.extend(joints.map(|joint| ("joint", joint.name.as_str(), "joins other parts than load, rope and rail")));
        if mechanism.fluid.is_there() {
            beside.push(("winch", winch.as_str(), "stands in a fluid"));
        }
        for (table, name, what) in beside {
            let message = format!("{table} `{name}` {what}, which inverse dynamics of a winch does not take yet");
            self.error(&[table, name], message, "not on the way of the march")
                .help("a trolley on a rail, a winch on it, its rope and a load at the rope's end are taken");
        }
    }

    /// Names of the forces on the trolley along the rail, and of what drives the winch.
    fn level_forces(&mut self, mechanism: &Mechanism, trolley: usize) -> Option<Vec<String>> {
        let own = DrivePlace::Frame(Frame::Body(trolley));
        let level = mechanism.dimension - 1;
        let mut found: Vec<Option<String>> = vec![None; level];
        for drive in &mechanism.drives {
            for (index, (name, component)) in drive.components.iter().enumerate() {
                let Component::Force(axis @ 0..) = component else {
                    return self.not_level(mechanism, trolley, &drive.name, index);
                };
                match found.get_mut(*axis).filter(|_| drive.place == own && !drive.follows) {
                    Some(slot) => *slot = Some(format!("{}.{name}", drive.name)),
                    None => return self.not_level(mechanism, trolley, &drive.name, index),
                }
            }
        }
        if let Some(axis) = found.iter().position(Option::is_none) {
            let name = self.spec.actuator.keys().next().map_or("", String::as_str);
            let message = format!(
                "nothing acts on trolley `{}` along {}, expected an actuator there: the winch alone cannot follow the path",
                mechanism.bodies[trolley].name,
                ["x", "y"][axis]
            );
            self.error(&["actuator", name], message, "a force is missing");
            return None;
        }
        Some(found.into_iter().flatten().chain([mechanism.winches[0].channel()]).collect())
    }

    fn not_level(&mut self, mechanism: &Mechanism, trolley: usize, name: &str, index: usize) -> Option<Vec<String>> {
        let known = if mechanism.dimension == 2 { "\"force_x\"" } else { "\"force_x\" and \"force_y\"" };
        let message = format!(
            "actuator `{name}` acts otherwise than along the rail, expected {known} on trolley `{}`",
            mechanism.bodies[trolley].name
        );
        self.error(&["actuator", name, "acts", &index.to_string()], message, "not along the rail");
        None
    }

    /// The rope as material with the load at its end: straight through the sheave and on, as long as there is rope.
    fn as_material(&mut self, mechanism: &Mechanism, guide: &Guide) -> Option<(Mechanism, Guide)> {
        let winch = &mechanism.winches[0];
        let part = self.rope(mechanism);
        let end = Frame::Section { rod: winch.rope, boundary: part.elements };
        let length = part.length + winch.stored;
        let elements = (part.elements as f64 * length / part.length).ceil() as usize;
        let (sizes, _) = self.sizes();
        let cost = Cost::of(Way::SpaceMarch, Sizes { nodes: elements as f64, ..sizes });
        if !(cost.bytes <= limit()) {
            let message = format!(
                "`winch.{}.stored` is {}, {elements} elements of rope with those of rod `{}`, more than fit into memory",
                winch.name, winch.stored, part.name
            );
            self.error(&["winch", &winch.name, "stored"], message, "too large")
                .help("take a shorter store, or fewer elements");
            return None;
        }
        let section = (part.section)(0.0);
        let natural = part.prestrain.as_ref().map_or_else(Default::default, |prestrain| prestrain(0.0));
        let (first, last) = ((part.reference)(0.0), (part.reference)(part.length));
        let (along, stored) = ((last.position - first.position) / part.length, winch.stored);
        let reference = move |s: f64| Pose { position: first.position + along * (s - stored), ..first };
        let rope = RodPart {
            length,
            elements,
            mesh: Mesh::default(),
            reference: Arc::new(reference),
            section: Arc::new(move |_| section),
            prestrain: part.prestrain.as_ref().map(|_| Arc::new(move |_: f64| natural) as _),
            velocity: None,
            ..part.clone()
        };
        let own_end = Frame::Section { rod: 0, boundary: elements };
        let mut out =
            Mechanism { gravity: mechanism.gravity, rods: vec![rope], ..Mechanism::empty(mechanism.dimension) };
        let mut places = vec![None; mechanism.bodies.len()];
        for joint in mechanism.joints.iter().filter(|joint| joint.between.contains(&end)) {
            let Some(body) = joint.between.iter().find_map(|frame| match frame {
                Frame::Body(body) => Some(*body),
                _ => None,
            }) else {
                continue;
            };
            let load = &mechanism.bodies[body];
            if (load.pose.position - joint.at[0]).norm() > 1e-9 * length {
                let message = format!(
                    "joint `{}` hangs body `{}` beside its mass centre, expected it there: how it turns is not sought",
                    joint.name, load.name
                );
                self.error(&["joint", &joint.name], message, "not at the mass centre");
                return None;
            }
            places[body] = Some(out.bodies.len());
            let own = Frame::Body(out.bodies.len());
            out.bodies.push(crate::mechanism::BodyPart { inertia: Matrix3::zeros(), ..load.clone() });
            out.joints.push(JointPart::rigid(&joint.name, [own, own_end], last.position));
        }
        let carried = |frame: Frame| match frame {
            Frame::Body(body) => places[body].map(Frame::Body),
            frame if frame == end => Some(own_end),
            _ => None,
        };
        for load in &mechanism.loads {
            if let Some(at) = carried(load.at) {
                out.loads.push(crate::mechanism::LoadPart { at, ..load.clone() });
            }
        }
        let Some(frame) = carried(guide.frame) else {
            let message = format!(
                "servo `{}` is at \"{}\", expected the load or the end of rod `{}`",
                guide.name,
                mechanism.frame_name(guide.frame),
                part.name
            );
            self.error(&["servo", &guide.name, "at"], message, "not the load");
            return None;
        };
        Some((out, Guide { frame, ..guide.clone() }))
    }
}
