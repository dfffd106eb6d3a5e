//! Inverse dynamics: one straight rod, driven at its ends.

mod bodies;
mod chain;
mod ends;
mod mechanism;
mod optimise;
mod refusals;
mod rods;
mod sequential;
mod starts;

use super::Check;
use crate::discretisation::TimeGrid;
use crate::models::RodModel;
use crate::tasks::Mechanism;
use crate::tasks::inverse_dynamics::scalar_names;
use crate::tasks::{InverseDynamicsSpec, Method, Sweep, System, TaskSpec};

impl Check<'_> {
    /// The system, if it can be put together; whether it is right is told by `found`.
    pub fn inverse_system(&mut self) -> Option<System> {
        if self.is_about_a_space_rod() {
            return self.chain_system();
        }
        let (told, attached) = (self.found.clone(), self.attachments.clone());
        self.limited = false;
        let system = self.single_rod_system();
        if self.limited && self.is_for_chains() {
            // What one straight uniform rod cannot be is a chain.
            (self.found, self.attachments) = (told, attached);
            return self.chain_system();
        }
        system
    }

    /// Whether a plane mechanism can be marched along as rods in a row.
    fn is_for_chains(&self) -> bool {
        let TaskSpec::InverseDynamics(spec) = &self.spec.task else { return false };
        let marched = match spec.method {
            Method::Auto | Method::SpaceMarch | Method::Characteristics | Method::Galerkin => true,
            Method::Sequential | Method::Optimise => false,
        };
        let bends = |model: RodModel| matches!(model, RodModel::Beam | RodModel::Kirchhoff);
        marched && self.dimension() == Some(2) && self.spec.rod.values().any(|rod| bends(rod.model))
    }

    /// One straight uniform rod.
    fn single_rod_system(&mut self) -> Option<System> {
        let grid = self.time(true);
        let gravity = self.gravity();
        self.inverse_task();
        self.no_search();
        let scope = self.scope();
        let (outline, rod) = self.rod(&scope);
        self.refusals();
        let parts = self.ends(&outline, &scope);
        if let Some(grid) = grid.filter(|_| scope.whole) {
            self.evaluate(&parts, grid);
        }
        if let (Some(rod), Some(grid), true) = (&rod, grid, parts.whole && scope.whole) {
            self.path_starts(rod, &parts, grid);
        }
        let system = rod.filter(|_| parts.whole).map(|rod| System {
            title: self.spec.title.clone(),
            // Mistakes in gravity and time do not change which methods and scalars there are.
            mechanism: mechanism::mechanism(&rod, &gravity.unwrap_or_else(|| vec![0.0; rod.from.len()]), &parts),
            machine: None,
            bodies: parts.bodies.iter().map(|body| (body.name.clone(), body.side)).collect(),
            channels: parts.channels.clone(),
            outputs: parts.outputs.iter().map(|output| output.output.clone()).collect(),
            grid: grid.unwrap_or_else(|| TimeGrid::new(0.0, 1.0, 4)),
            expect: Vec::new(),
        });
        let counted = parts.whole && outline.coordinates.is_some() && self.count(&parts);
        if let Some(system) = system.as_ref().filter(|_| counted) {
            self.method(system);
        }
        let names = system.as_ref().map(scalar_names);
        let expect = self.expectations(names.as_deref());
        system.map(|system| System { expect, ..system })
    }

    /// Entries that only the sequential method reads.
    fn no_search(&mut self) {
        let TaskSpec::InverseDynamics(spec) = &self.spec.task else { return };
        if !spec.start.is_empty() {
            let message = "`task.inverse-dynamics.start` has no effect here, expected method \"sequential\"";
            self.error(&["task", "inverse-dynamics", "start"], message, "not used by this method").help("remove it");
        }
        let servos = &self.spec.servo;
        for name in servos.iter().filter(|(_, servo)| servo.path.is_some()).map(|(name, _)| name) {
            let message = format!("`servo.{name}.path` has no meaning here, expected x, y, z or angle of a rod end");
            self.error(&["servo", name, "path"], message, "not used by this method")
                .help("method = \"sequential\" takes coordinates, joint angles and expressions of them");
        }
    }

    /// Whether the rod is one in space; where its model is mistaken, the path tells what was meant.
    fn is_about_a_space_rod(&self) -> bool {
        let turns = self.spec.servo.values().any(|servo| servo.turn.is_some() || servo.rotation.is_some());
        let mut rods = self.spec.rod.iter();
        self.dimension() != Some(2)
            && rods.any(|(name, rod)| match self.sure(&["rod", name, "model"]) {
                true => matches!(rod.model, RodModel::Rod | RodModel::Kirchhoff),
                false => turns,
            })
    }

    fn inverse_task(&mut self) {
        let TaskSpec::InverseDynamics(spec) = &self.spec.task else { return };
        let InverseDynamicsSpec { method, bandwidth, verify, .. } = spec;
        const TASK: [&str; 2] = ["task", "inverse-dynamics"];
        let path = [TASK[0], TASK[1], "bandwidth"];
        if let Some(bandwidth) = *bandwidth
            && self.positive(&path, bandwidth)
            && self.sure(&[TASK[0], TASK[1], "method"])
        {
            let method = match method {
                Method::Auto | Method::SpaceMarch => None,
                Method::Characteristics => Some("characteristics"),
                Method::Galerkin => Some("galerkin"),
                Method::Sequential => Some("sequential"),
                Method::Optimise => Some("optimise"),
            };
            if let Some(method) = method {
                let here = self.document.path_text(&path);
                let message = format!("`{here}` is {bandwidth}, but method \"{method}\" has no bandwidth");
                self.error(&path, message, "only space-march is band-limited")
                    .help("remove it, or set method = \"space-march\"");
            }
        }
        self.only_optimised(spec);
        self.positive(&[TASK[0], TASK[1], "verify", "tolerance"], verify.tolerance);
        if !(1..=64).contains(&verify.refine) {
            let path = [TASK[0], TASK[1], "verify", "refine"];
            let here = self.document.path_text(&path);
            let message = format!("`{here}` is {}, expected a whole number from 1 to 64", verify.refine);
            self.error(&path, message, "out of range");
        }
    }

    /// Whether the chosen method fits the end data.
    fn method(&mut self, system: &System) {
        let TaskSpec::InverseDynamics(spec) = &self.spec.task else { return };
        let marchable = match &system.mechanism {
            Mechanism::Beam(rod) => rod.marching_side().is_some(),
            Mechanism::PlaneString(rod) => rod.marching_side().is_some(),
            Mechanism::SpaceString(rod) => rod.marching_side().is_some(),
            Mechanism::Chain(_) => true,
        };
        let sure = self.sure(&["task"]);
        if !sure {
            return;
        }
        // A setting without effect would be a silent misunderstanding.
        let by_elements = spec.method == Method::Galerkin || (spec.method == Method::Auto && !marchable);
        if spec.sweep != Sweep::Auto && !by_elements {
            self.error(
                &["task", "inverse-dynamics", "sweep"],
                "`task.inverse-dynamics.sweep` has no effect here: only the finite elements of galerkin are swept, expected method \"galerkin\"",
                "not used by this method",
            )
            .help("set method = \"galerkin\", or remove sweep");
        }
        if let (Some(bandwidth), Method::Auto, false) = (spec.bandwidth, spec.method, marchable) {
            self.error(
                &["task", "inverse-dynamics", "bandwidth"],
                format!("`task.inverse-dynamics.bandwidth` is {bandwidth}, but with these end data \"auto\" means galerkin, which has no bandwidth"),
                "only space-march is band-limited",
            )
            .help("remove it, or complete the data at one end");
        }
        let (key, name) = match spec.method {
            _ if marchable => return,
            Method::SpaceMarch => ("method", "space-march"),
            Method::Characteristics => ("method", "characteristics"),
            Method::Auto | Method::Galerkin if spec.sweep == Sweep::Layers => ("sweep", "layers"),
            Method::Auto | Method::Galerkin | Method::Sequential | Method::Optimise => return,
        };
        self.error(
            &["task", "inverse-dynamics", key],
            format!("{key} \"{name}\" cannot be used here: it needs one end whose whole motion is prescribed and whose forces are known, and an actuator for every component at the other end"),
            "the end data are not complete",
        )
        .help("set method = \"galerkin\" and sweep = \"global\" (or leave both out), or complete the servo and actuator");
    }
}
