//! Natural frequencies and shapes of small motions about a configuration, damped or not, at rest or in a turning frame.

mod campbell;
mod contrast;
mod elements;
mod exact;
mod independence;
mod onset;
mod spectrum;
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

/// How well an eigenvalue is known.
#[derive(Debug, Clone, Copy)]
struct Trust {
    /// Residual relative to the size of its terms.
    backward_error: f64,
    /// How far it may be off, 1/s; none if that is not estimated.
    uncertainty: Option<f64>,
}

/// Scalars of all modes, and what they mean.
fn told(modes: Vec<ModeShape>, trusts: &[Trust], outcome: &mut Outcome) {
    let report = &mut outcome.report;
    let mut zero = 0;
    let (mut growing, mut undecided) = (0, Vec::new());
    for (mode, trust) in modes.iter().zip(trusts) {
        let (number, re, im) = (mode.number, mode.real, mode.imaginary);
        let size = re.hypot(im);
        let doubt = trust.uncertainty.unwrap_or(1e-9 * size);
        zero += usize::from(size == 0.0);
        growing += usize::from(re > doubt);
        if re != 0.0 && re.abs() <= doubt {
            undecided.push(number.to_string());
        }
        let scalars = &mut report.scalars;
        scalars.insert(format!("modes.{number}.omega"), im);
        scalars.insert(format!("modes.{number}.frequency"), im / std::f64::consts::TAU);
        scalars.insert(format!("modes.{number}.real"), re);
        scalars.insert(format!("modes.{number}.damping_ratio"), if re != 0.0 { -re / size } else { 0.0 });
        scalars.insert(format!("modes.{number}.backward_error"), trust.backward_error);
        if let (Some(uncertainty), true) = (trust.uncertainty, size > 0.0) {
            scalars.insert(format!("modes.{number}.error"), uncertainty / size);
        }
    }
    report.scalars.insert("modes.zero".into(), zero as f64);
    if growing > 0 {
        report.warnings.push(format!(
            "{growing} of the modes grow: the configuration is unstable and small motions do not stay small"
        ));
    }
    if !undecided.is_empty() {
        report.warnings.push(format!(
            "whether motions grow or die away is undecided for mode {}: rounding may have made their rates",
            undecided.join(", ")
        ));
    }
    outcome.modes = modes;
}
