//! Natural frequencies and shapes of small motions about a configuration, damped or not, at rest or in a turning frame.

mod campbell;
mod shape;
mod vibration;

use std::time::Instant;

use super::forward::{Failure, expect_motion};
use super::{ForwardSystem, ModesSpec, Observer};
use crate::discretisation::assembly::{Assembly, TurningFrame, build};
use crate::results::{Outcome, Timing};
use crate::solver::eigen::EigenError;
use campbell::Branches;
use vibration::{Vibration, vibrate};

impl From<EigenError> for Failure {
    fn from(error: EigenError) -> Self {
        let status = match error {
            EigenError::Interrupted => "interrupted",
            EigenError::NoMass | EigenError::TooMany { .. } => "ill-posed",
            EigenError::Linear(_) => "singular",
            EigenError::NotConverged { .. } | EigenError::Projection => "not-converged",
        };
        Failure { status, message: error.to_string() }
    }
}

/// Runs the task.
pub fn run(system: &ForwardSystem, spec: &ModesSpec, observer: &mut dyn Observer) -> Outcome {
    let clock = Instant::now();
    let mut outcome = system.blank_outcome("modes");
    match solve(system, spec, observer, &mut outcome) {
        Ok(()) => outcome.report.status = "solved".into(),
        Err(failure) => {
            outcome.report.status = failure.status.into();
            outcome.report.message = Some(failure.message);
        }
    }
    outcome.report.timings.push(Timing { phase: "solve".into(), seconds: clock.elapsed().as_secs_f64() });
    system.judge(&mut outcome);
    outcome
}

fn solve(
    system: &ForwardSystem,
    spec: &ModesSpec,
    observer: &mut dyn Observer,
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    let mut assembly = build(&system.structure);
    expect_motion(&assembly)?;
    let mass: f64 = assembly.masses.iter().map(|node| node.mass).sum();
    outcome.report.scalars.insert("mass".into(), mass);
    let Some(spin) = &system.structure.spin else {
        observer.phase("modes", 1);
        let found = vibrate(system, spec, &assembly, observer, outcome)?;
        tell(system, spec, &assembly, found, outcome);
        return Ok(());
    };
    let mut branches = Branches::default();
    observer.phase("modes over the rate", spin.rates.len());
    for (k, &rate) in spin.rates.iter().enumerate() {
        assembly.turning = Some(TurningFrame::new(spin, rate));
        let found = vibrate(system, spec, &assembly, observer, outcome)
            .map_err(|failure| Failure { message: format!("at {rate} rad/s: {}", failure.message), ..failure })?;
        branches.add(rate, &found);
        if spin.rates.len() > 1 {
            campbell::tell(k + 1, &found, outcome);
        }
        observer.progress(k + 1);
        if k + 1 == spin.rates.len() {
            tell(system, spec, &assembly, found, outcome);
        }
    }
    if spin.rates.len() > 1 {
        outcome.report.campbell = Some(branches.diagram(&spec.orders));
    }
    Ok(())
}

/// Shapes, scalars and what they mean.
fn tell(system: &ForwardSystem, spec: &ModesSpec, assembly: &Assembly, found: Vibration, outcome: &mut Outcome) {
    let Vibration { linearised, q, modes } = found;
    let report = &mut outcome.report;
    if modes.len() < spec.count {
        let there = if modes.len() == 1 { "is only 1 mode".into() } else { format!("are only {} modes", modes.len()) };
        report.warnings.push(format!("there {there}, {} were asked for", spec.count));
    }
    let mut zero = 0;
    let mut growing = 0;
    for (index, mode) in modes.iter().enumerate() {
        let number = index + 1;
        let (re, im) = (mode.value.re, mode.value.im);
        let size = mode.value.norm();
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
    outcome.modes = modes
        .into_iter()
        .enumerate()
        .map(|(index, mode)| shape::shape(system, assembly, &linearised, &q, index + 1, mode))
        .collect();
}
