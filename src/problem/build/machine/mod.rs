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
use crate::discretisation::transcription::mechanism::{MechanismError, Multibody};
use crate::models::Machine;
pub(super) use ends::WayTable;

impl Check<'_> {
    /// The mechanism, if it can be put together.
    pub(super) fn machine(&mut self, names: &Names) -> Option<Arc<Multibody>> {
        let before = self.found.errors();
        let gravity = self.gravity();
        self.system_there()?;
        if self.task_name() != Some("inverse-dynamics") {
            self.no_servos();
        }
        let spec = self.spec;
        let grid = spec.time.map(|time| TimeGrid::new(time.start, time.end, time.steps.max(1)));
        let instants = Instants::new(self.task_name(), &spec.task, grid);
        let Parts { mut scene, structure } = self.parts_of(names, &instants, gravity);
        if self.spec.dimension.is_none() && self.sure(&["dimension"]) {
            self.missing_key(&["dimension"], "an integer", "2 for the plane, 3 for space.");
        }
        let structure = structure?;
        self.turning_points(&structure);
        let mut machine = Machine { structure, drives: Vec::new() };
        machine.drives = self.drives(&mut scene, &machine);
        self.frames_of_task(&mut scene);
        self.frames_of_servos(&mut scene, &machine);
        let tables = ["dimension", "rod", "body", "joint", "spring", "actuator", "support", "load", "let"];
        if self.found.errors() > before || !tables.iter().all(|table| self.sure(&[table])) {
            return None;
        }
        let frames = told_frames(&machine.structure, &scene.mentioned);
        match Multibody::new(&machine, &frames) {
            Ok(made) => Some(Arc::new(made)),
            Err(error) => {
                self.impossible(&error);
                None
            }
        }
    }

    /// The mechanism with its actuators as the forward simulation takes it, of a file without mistakes.
    pub(super) fn driven_machine(&mut self) -> Option<Machine> {
        if self.found.errors() > 0 {
            return None;
        }
        // What there is to tell of these parts has been told.
        let (told, attached) = (self.found.clone(), self.attachments.clone());
        let (names, gravity) = (self.scope(), self.gravity());
        let spec = self.spec;
        let grid = spec.time.map(|time| TimeGrid::new(time.start, time.end, time.steps.max(1)));
        let instants = Instants::new(self.task_name(), &spec.task, grid);
        let Parts { mut scene, structure } = self.parts_of(&names, &instants, gravity);
        let machine = structure.map(|structure| {
            let mut machine = Machine { structure, drives: Vec::new() };
            machine.drives = self.drives(&mut scene, &machine);
            machine
        });
        (self.found, self.attachments) = (told, attached);
        machine
    }

    /// Tells why a mechanism cannot be one, at the part at fault.
    fn impossible(&mut self, error: &MechanismError) {
        let task = vec!["task", self.task_name().unwrap_or("optimal-control")];
        let (path, help): (Vec<&str>, &str) = match error {
            MechanismError::NothingMoves | MechanismError::Rigid => (task, "let something free"),
            MechanismError::SameBody(joint) | MechanismError::NoOrientation { joint, .. } => {
                (vec!["joint", joint], "remove it, or let it connect other frames")
            }
            MechanismError::Massless { frame, .. } => (vec!["body", frame], "give it mass and rotary inertia"),
            MechanismError::Redundant { part, .. } => {
                let table = if self.spec.support.contains_key(part) { "support" } else { "joint" };
                (vec![table, part], "a mechanism at a dead centre must begin beside it")
            }
            MechanismError::Evaluation(_) => (task, "check the reference positions"),
        };
        let message = error.to_string();
        // Everything is understood, only the equations of such a mechanism are not solved.
        let unsolvable =
            matches!(error, MechanismError::Redundant { .. } | MechanismError::Rigid | MechanismError::NothingMoves);
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

    /// Servo paths are for inverse dynamics.
    fn no_servos(&mut self) {
        for name in self.spec.servo.keys() {
            let message = format!(
                "[servo.{name}] has no meaning in [task.optimal-control], expected it with [task.inverse-dynamics]"
            );
            self.error(&["servo", name], message, "not used by this task")
                .help("`path` holds a motion along the way, `objective.running` makes what is far from it dear");
        }
    }

    /// Frames whose motion is prescribed.
    fn frames_of_servos(&mut self, scene: &mut Scene<'_>, machine: &Machine) {
        if self.task_name() != Some("inverse-dynamics") {
            return;
        }
        let spec = self.spec;
        for (name, servo) in &spec.servo {
            let joint = scene.body(&servo.at).is_none() && machine.structure.joint(&servo.at).is_some();
            if servo.path.is_none() && !joint {
                self.frame_at(scene, &["servo", name, "at"], &servo.at, false);
            }
        }
    }

    /// Places of rods that the task mentions: `end = { "beam@0.5.x" = 1.0 }`.
    fn frames_of_task(&mut self, scene: &mut Scene<'_>) {
        let crate::tasks::TaskSpec::OptimalControl(task) = &self.spec.task else { return };
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
