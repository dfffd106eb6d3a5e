//! Natural frequencies and shapes of small motions about a configuration, damped or not, at rest or in a turning frame.

mod campbell;
mod elements;
mod exact;
mod independence;
mod vibration;

use std::time::Instant;

use super::forward::Failure;
use super::{ForwardSystem, ModesMethod, ModesSpec, Observer};
use crate::results::{ModeShape, Outcome, RunStatus, Timing};
use crate::solver::eigen::EigenError;

pub use exact::{Prospect, circumstances, prospect};

/// The method of a report whose modes come from exact members.
pub const EXACT: &str = "exact dynamic stiffness";

impl From<EigenError> for Failure {
    fn from(error: EigenError) -> Self {
        let status = match error {
            EigenError::Interrupted => RunStatus::Interrupted,
            EigenError::NoMass | EigenError::TooMany { .. } => RunStatus::IllPosed,
            EigenError::Linear(_) => RunStatus::Singular,
            EigenError::NotConverged { .. } | EigenError::Projection => RunStatus::NotConverged,
        };
        Failure { status, message: error.to_string() }
    }
}

/// Runs the task.
pub fn run(system: &ForwardSystem, spec: &ModesSpec, observer: &mut dyn Observer) -> Outcome {
    let clock = Instant::now();
    let mut outcome = system.blank_outcome("modes");
    let solved = match spec.method {
        ModesMethod::Elements => elements::solve(system, spec, observer, &mut outcome),
        ModesMethod::Exact => exact::solve(system, spec, observer, &mut outcome),
    };
    match solved {
        Ok(()) => outcome.report.status = RunStatus::Solved,
        Err(failure) => {
            outcome.report.status = failure.status;
            outcome.report.message = Some(failure.message);
        }
    }
    outcome.report.timings.push(Timing { phase: "solve".into(), seconds: clock.elapsed().as_secs_f64() });
    system.judge(&mut outcome);
    outcome
}

/// Scalars of all modes, and what they mean.
fn told(modes: Vec<ModeShape>, outcome: &mut Outcome) {
    let report = &mut outcome.report;
    let mut zero = 0;
    let mut growing = 0;
    for mode in &modes {
        let (number, re, im) = (mode.number, mode.real, mode.imaginary);
        let size = re.hypot(im);
        zero += usize::from(size == 0.0);
        growing += usize::from(re > 1e-9 * size);
        let scalars = &mut report.scalars;
        scalars.insert(format!("modes.{number}.omega"), im);
        scalars.insert(format!("modes.{number}.frequency"), im / std::f64::consts::TAU);
        scalars.insert(format!("modes.{number}.real"), re);
        scalars.insert(format!("modes.{number}.damping_ratio"), if re != 0.0 { -re / size } else { 0.0 });
    }
    report.scalars.insert("modes.zero".into(), zero as f64);
    if growing > 0 {
        report.warnings.push(format!(
            "{growing} of the modes grow: the configuration is unstable and small motions do not stay small"
        ));
    }
    outcome.modes = modes;
}
