//! Inverse dynamics: rods in a row, or a mechanism.

mod broken;
mod drives;
mod hoist;
mod optimise;
mod orientations;
mod path;
mod refusals;
mod relative;
mod row;
mod sequential;

use super::Check;
use crate::mechanism::RodSpec;
use crate::tasks::{Configuration, InverseDynamicsSpec, Method, MotionStart, Sweep, System};

impl Check<'_> {
    /// Whether the rods that deform are strings.
    fn is_limp(&self) -> bool {
        let mut deforming = self.spec.rod.values().filter(|rod| !rod.rigid).peekable();
        deforming.peek().is_some() && deforming.all(|rod| rod.model.is_string())
    }

    /// Whether dimension and models of the rods are stated and fit each other, so that it is known which coordinates there are.
    fn coordinates_are_known(&self) -> bool {
        let fits = |(name, rod): (&String, &RodSpec)| {
            let kind = self.dimension().and_then(|dimension| rod.model.kind(dimension));
            self.sure(&["rod", name, "model"]) && kind.is_some()
        };
        self.sure(&["dimension"]) && self.dimension().is_some() && self.spec.rod.iter().all(fits)
    }

    /// Entries that only the sequential method reads.
    fn no_search(&mut self) {
        let Some(spec) = self.spec.task.inverse_dynamics() else { return };
        // Rods in a row always begin at rest under their loads.
        if !matches!(spec.start, None | Some(MotionStart::Word(Configuration::Equilibrium))) {
            let message = "`task.inverse-dynamics.start` has no effect here: rods in a row begin in the equilibrium of their path, expected \"equilibrium\" or method \"sequential\"";
            self.error(&["task", "inverse-dynamics", "start"], message, "not used by this method").help("remove it");
        }
        let servos = &self.spec.servo;
        for name in servos.iter().filter(|(_, servo)| servo.path.is_some()).map(|(name, _)| name) {
            let message = format!("`servo.{name}.path` has no meaning here, expected x, y, z or angle of a rod end");
            self.error(&["servo", name, "path"], message, "not used by this method")
                .help("method = \"sequential\" takes coordinates, joint angles and expressions of them");
        }
    }

    fn inverse_task(&mut self) {
        let Some(spec) = self.spec.task.inverse_dynamics() else { return };
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
                Method::BoundaryValue => Some("boundary-value"),
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
        self.profile_instants(TASK[1], &spec.profile);
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
        let Some(spec) = self.spec.task.inverse_dynamics() else { return };
        let marchable = system.chain.is_complete();
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
            Method::Auto | Method::Galerkin | Method::Sequential | Method::BoundaryValue | Method::Optimise => return,
        };
        self.error(
            &["task", "inverse-dynamics", key],
            format!("{key} \"{name}\" cannot be used here: it needs one end whose whole motion is prescribed and whose forces are known, and an actuator for every component at the other end"),
            "the end data are not complete",
        )
        .help("set method = \"galerkin\" and sweep = \"global\" (or leave both out), or complete the servo and actuator");
    }
}
