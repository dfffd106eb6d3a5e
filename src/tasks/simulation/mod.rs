//! Motion of a mechanism from initial data.

pub mod march;

use super::{ForwardSystem, Observer, SimulateSpec};
use crate::results::Outcome;

/// Runs the task.
pub fn run(system: &ForwardSystem, _spec: &SimulateSpec, _observer: &mut dyn Observer) -> Outcome {
    let mut outcome = system.blank_outcome("simulate");
    outcome.report.status = "not-solved".into();
    outcome.report.message = Some("this version checks [task.simulate] but does not solve it".into());
    system.judge(&mut outcome);
    outcome
}
