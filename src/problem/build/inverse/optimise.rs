//! Inverse dynamics as an optimisation: limits of the actuators, and how closely the paths are followed.

use super::super::Check;
use super::super::functions::Names;
use crate::tasks::inverse_dynamics::optimise::{Following, TrackingSystem};
use crate::tasks::{FollowingSpec, InverseDynamicsSpec, Method};

const TASK: [&str; 2] = ["task", "inverse-dynamics"];
/// Weight of the effort unless stated: forces matter where the path leaves them open.
const EFFORT: f64 = 1e-6;
/// The same of actuators with bounds, whose forces are told relative to these: one that is weighed less jumps from bound to bound
/// for hardly any gain.
const BOUNDED: f64 = 1e-3;

impl Check<'_> {
    /// Whether an optimised motion is asked for.
    pub(in crate::problem::build) fn is_optimised(&self) -> bool {
        self.spec.task.inverse_dynamics().is_some_and(|task| task.method == Method::Optimise)
    }

    /// The system, if it can be put together; whether it is right is told by `found`.
    pub(in crate::problem::build) fn tracking_system(&mut self) -> Option<TrackingSystem> {
        let task = self.spec.task.inverse_dynamics()?;
        let servo = self.servo_parts()?;
        let names = self.scope();
        if servo.grid.start != 0.0 {
            let message = format!("`time.start` is {}, expected 0 with method \"optimise\"", servo.grid.start);
            self.error(&["time", "start"], message, "must be zero").help("leave it out: motions begin at t = 0");
        }
        let controls = servo.problem.mechanics.controls();
        if controls.is_empty() && self.sure(&["actuator"]) {
            self.error(
                &["actuator"],
                "nothing drives the mechanism, expected an actuator",
                "no [actuator.*] in this file",
            )
            .help("for example [actuator.hub] with at = \"hub\" and acts = [\"torque\"]");
        }
        let [_, _, control_bounds] = self.bounds(&[TASK[0], TASK[1], "bounds"], &task.bounds, &[], &controls, &names);
        let rates = self.largest_rates(task, &controls, &names);
        let mut system = TrackingSystem {
            servo,
            control_bounds,
            rates,
            following: self.following(task),
            compromise: task.effort.is_some() || task.following == Some(FollowingSpec::Best),
            alternatives: task.trade_off.clone(),
            begin: None,
        };
        let (inputs, outputs) = (controls.len(), system.servo.problem.outputs.len());
        if system.following == Following::Exact && outputs > inputs {
            let message = format!(
                "`task.inverse-dynamics.following` is \"exact\", but {outputs} outputs cannot follow paths of their own by {inputs} inputs, expected at most as many outputs as inputs"
            );
            self.error(&[TASK[0], TASK[1], "following"], message, "more outputs than inputs")
                .help("set following = \"best\", add actuators, or prescribe fewer coordinates");
        }
        let scalars = system.scalar_names();
        system.servo.expect = self.expectations(Some(&scalars));
        Some(system)
    }

    fn largest_rates(&mut self, task: &InverseDynamicsSpec, controls: &[String], names: &Names) -> Vec<(usize, f64)> {
        let mut rates = Vec::new();
        for (name, source) in &task.rates {
            let path = [TASK[0], TASK[1], "rates", name.as_str()];
            let place = self.known_name(&path, name, controls, "actuator component");
            let Some(rate) = self.fixed_number(&path, source, names) else { continue };
            if let (true, Some(place)) = (self.positive(&path, rate), place) {
                rates.push((place, rate));
            }
        }
        rates
    }

    fn following(&mut self, task: &InverseDynamicsSpec) -> Following {
        let effort = task.effort.unwrap_or(if task.bounds.is_empty() { EFFORT } else { BOUNDED });
        self.positive(&[TASK[0], TASK[1], "effort"], effort);
        for weight in &task.trade_off {
            self.positive(&[TASK[0], TASK[1], "trade-off"], *weight);
        }
        if task.following.unwrap_or_default() == FollowingSpec::Best {
            return Following::Best(effort);
        }
        let given = [("effort", task.effort.is_some()), ("trade-off", !task.trade_off.is_empty())];
        for (key, _) in given.into_iter().filter(|(_, given)| *given) {
            let path = [TASK[0], TASK[1], key];
            let here = self.document.path_text(&path);
            let message = format!("`{here}` has no effect where the paths are followed exactly");
            self.error(&path, message, "nothing to weigh").help("set following = \"best\", or remove it");
        }
        Following::Exact
    }

    /// Settings of `optimise` have no meaning for other methods.
    pub(super) fn only_optimised(&mut self, task: &InverseDynamicsSpec) {
        if task.method == Method::Optimise || !self.sure(&[TASK[0], TASK[1], "method"]) {
            return;
        }
        let given = [
            ("bounds", !task.bounds.is_empty()),
            ("rates", !task.rates.is_empty()),
            ("following", task.following.is_some()),
            ("effort", task.effort.is_some()),
            ("trade-off", !task.trade_off.is_empty()),
        ];
        for (key, _) in given.into_iter().filter(|(_, given)| *given) {
            let path = [TASK[0], TASK[1], key];
            let here = self.document.path_text(&path);
            let message = format!("`{here}` has no effect here, expected method \"optimise\"");
            self.error(&path, message, "not used by this method").help("set method = \"optimise\", or remove it");
        }
    }
}
