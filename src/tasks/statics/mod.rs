//! Equilibria of a mechanism under its loads.

use super::{ForwardSystem, Observer, StaticsSpec};
use crate::results::Outcome;

/// Runs the task.
pub fn run(system: &ForwardSystem, _spec: &StaticsSpec, _observer: &mut dyn Observer) -> Outcome {
    let mut outcome = system.blank_outcome("statics");
    outcome.report.status = "not-solved".into();
    outcome.report.message = Some("this version checks [task.statics] but does not solve it".into());
    system.judge(&mut outcome);
    outcome
}
