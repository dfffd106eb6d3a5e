//! Optimal control of mechanisms made of parts: rods, bodies, joints, springs, loads and actuators.

mod drives;
mod ends;

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Check;
use super::forward::instants::Instants;
use super::forward::scene::Scene;
use super::forward::{Parts, told_frames};
use super::functions::Names;
use crate::discretisation::TimeGrid;
use crate::discretisation::transcription::Mechanics;
use crate::discretisation::transcription::multibody::{Multibody, MultibodyError};
use crate::mechanism::Mechanism;

impl Check<'_> {
    /// The mechanism, if it can be put together.
    pub(super) fn multibody(&mut self, names: &Names) -> Option<Arc<Multibody>> {
        let before = self.found.errors();
        let gravity = self.gravity();
        self.system_there()?;
        let spec = self.spec;
        let grid = spec.time.map(|time| TimeGrid::new(time.start, time.end, time.steps.max(1)));
        let instants = Instants::new(self.task_name(), &spec.task, grid);
        let Parts { mut scene, mechanism } = self.parts_of(names, &instants, gravity);
        if self.spec.dimension.is_none() && self.sure(&["dimension"]) {
            self.missing_key(&["dimension"], "an integer", "2 for the plane, 3 for space.");
        }
        let mut mechanism = mechanism?;
        self.turning_points(&mechanism);
        mechanism.drives = self.drives(&mut scene, &mechanism);
        self.frames_of_task(&mut scene);
        self.frames_of_servos(&mut scene, &mechanism);
        let tables = ["dimension", "rod", "body", "joint", "spring", "actuator", "support", "load", "let", "table"];
        if self.found.errors() > before || !tables.iter().all(|table| self.sure(&[table])) {
            return None;
        }
        let frames = told_frames(&mechanism, &scene.mentioned);
        match Multibody::new(&mechanism, &frames) {
            Ok(made) => Some(Arc::new(made)),
            Err(error) => {
                self.impossible(&error);
                None
            }
        }
    }

    /// The mechanism with its actuators as the forward simulation takes it, of a file without mistakes.
    pub(super) fn driven_mechanism(&mut self) -> Option<Mechanism> {
        if self.found.errors() > 0 {
            return None;
        }
        // What there is to tell of these parts has been told.
        let (told, attached) = (self.found.clone(), self.attachments.clone());
        let (names, gravity) = (self.scope(), self.gravity());
        let spec = self.spec;
        let grid = spec.time.map(|time| TimeGrid::new(time.start, time.end, time.steps.max(1)));
        let instants = Instants::new(self.task_name(), &spec.task, grid);
        let Parts { mut scene, mechanism } = self.parts_of(&names, &instants, gravity);
        let mechanism = mechanism.map(|mut mechanism| {
            mechanism.drives = self.drives(&mut scene, &mechanism);
            mechanism
        });
        (self.found, self.attachments) = (told, attached);
        mechanism
    }

    /// Tells why a mechanism cannot be one, at the part at fault.
    fn impossible(&mut self, error: &MultibodyError) {
        let task = vec!["task", self.task_name().unwrap_or("optimal-control")];
        let (path, help): (Vec<&str>, &str) = match error {
            MultibodyError::NothingMoves | MultibodyError::Rigid => (task, "let something free"),
            MultibodyError::SameBody(joint) | MultibodyError::NoOrientation { joint, .. } => {
                (vec!["joint", joint], "remove it, or let it connect other frames")
            }
            MultibodyError::Massless { frame, .. } => (vec!["body", frame], "give it mass and rotary inertia"),
            MultibodyError::Redundant { part, .. } => {
                let table = if self.spec.support.contains_key(part) { "support" } else { "joint" };
                (vec![table, part], "a mechanism at a dead centre must begin beside it")
            }
            MultibodyError::Evaluation(_) => (task, "check the reference positions"),
        };
        let message = error.to_string();
        // Everything is understood, only the equations of such a mechanism are not solved.
        let unsolvable =
            matches!(error, MultibodyError::Redundant { .. } | MultibodyError::Rigid | MultibodyError::NothingMoves);
        let told = self.error(&path, message, "not possible");
        if let Some(diagnostic) = told.0 {
            diagnostic.help(help).unsolvable = unsolvable;
        }
    }

    /// A system is stated by its Lagrangian or made of rods and bodies.
    fn system_there(&mut self) -> Option<()> {
        let spec = self.spec;
        if !spec.rod.is_empty() || !spec.body.is_empty() {
            return Some(());
        }
        if self.sure(&["rod"]) && self.sure(&["body"]) {
            let task = self.task_name().unwrap_or("optimal-control");
            let message = format!("[task.{task}] needs a system, but there is neither [system] nor a body or rod");
            self.error(&["task", task], message, "of what?").help(
                "state `coordinates`, `controls`, `lagrangian` and `forces` in [system], or put the mechanism together from [body.NAME], [rod.NAME], [joint.NAME] and [actuator.NAME]",
            );
        }
        None
    }

    /// Frames whose motion is prescribed.
    fn frames_of_servos(&mut self, scene: &mut Scene<'_>, mechanism: &Mechanism) {
        if self.task_name() != Some("inverse-dynamics") {
            return;
        }
        let spec = self.spec;
        for (name, servo) in &spec.servo {
            let joint = scene.body(&servo.at).is_none() && mechanism.joint(&servo.at).is_some();
            if servo.path.is_none() && !joint {
                self.frame_at(scene, &["servo", name, "at"], &servo.at, false);
            }
        }
    }

    /// Places of rods that the task mentions: `end = { "beam@0.5.x" = 1.0 }`.
    fn frames_of_task(&mut self, scene: &mut Scene<'_>) {
        let Some(task) = self.spec.task.optimal_control() else { return };
        let keys = [("start", &task.start), ("end", &task.end), ("bounds", &task.bounds)];
        for (table, entries) in keys {
            for name in entries.keys() {
                let Some((rod, after)) = name.split_once('@') else { continue };
                let fraction: String = after.chars().take_while(|c| c.is_ascii_digit() || "./".contains(*c)).collect();
                let frame = format!("{rod}@{}", fraction.trim_end_matches('.'));
                self.frame_at(scene, &["task", "optimal-control", table, name], &frame, false);
            }
        }
    }
}

/// Units of the coordinates and controls of a mechanism.
pub(super) fn units(body: &Multibody) -> BTreeMap<String, String> {
    let unit = |name: &str| match name.rsplit('.').next().unwrap_or(name) {
        "x" | "y" | "z" | "position" => "m",
        "angle" => "rad",
        component if component.starts_with("force") => "N",
        component if component.starts_with("torque") => "N m",
        _ => "",
    };
    let names = body.coordinates().into_iter().chain(body.controls()).chain(body.quantity_names());
    names.map(|name| (name.clone(), unit(&name).to_owned())).filter(|(_, unit)| !unit.is_empty()).collect()
}
