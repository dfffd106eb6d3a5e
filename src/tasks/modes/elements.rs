//! Modes by finite elements: small motions about an equilibrium or the stated shape, damped or not, at rest or in a turning frame.

use super::campbell::{self, Branches};
use super::onset::over_loads;
use super::spectrum::Mode;
use super::vibration::{Vibration, vibrate};
use super::{Trust, told};
use crate::discretisation::assembly::{Assembly, TurningFrame, build};
use crate::results::Outcome;
use crate::tasks::forward::{Failure, expect_motion, shape};
use crate::tasks::{ForwardSystem, ModesSpec, Observer};

pub(super) fn solve(
    system: &ForwardSystem,
    spec: &ModesSpec,
    observer: &mut dyn Observer,
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    let mut assembly = build(&system.mechanism);
    outcome.report.warnings.extend(assembly.repetition());
    expect_motion(&assembly)?;
    let mass: f64 = assembly.masses.iter().map(|node| node.mass).sum();
    outcome.report.scalars.insert("mass".into(), mass);
    let Some(spin) = &system.mechanism.spin else {
        observer.phase("modes", spec.factors.len().max(1));
        let found = match spec.factors.is_empty() {
            true => vibrate(system, spec, &assembly, 1.0, observer, outcome)?,
            false => over_loads(system, spec, &assembly, observer, outcome)?,
        };
        tell(system, spec, &assembly, &found, outcome);
        return Ok(());
    };
    let mut branches = Branches::default();
    observer.phase("modes over the rate", spin.rates.len());
    for (k, &rate) in spin.rates.iter().enumerate() {
        assembly.turning = Some(TurningFrame::new(spin, rate));
        let found = vibrate(system, spec, &assembly, 1.0, observer, outcome)
            .map_err(|failure| Failure { message: format!("at {rate} rad/s: {}", failure.message), ..failure })?;
        branches.add(rate, &found);
        if spin.rates.len() > 1 {
            campbell::tell(k + 1, &found, outcome);
        }
        observer.progress(k + 1);
        if k + 1 == spin.rates.len() {
            tell(system, spec, &assembly, &found, outcome);
        }
    }
    if spin.rates.len() > 1 {
        outcome.report.campbell = Some(branches.diagram(&spec.orders));
    }
    Ok(())
}

/// Shapes, scalars and what they mean.
fn tell(system: &ForwardSystem, spec: &ModesSpec, assembly: &Assembly, found: &Vibration, outcome: &mut Outcome) {
    let Vibration { linearised, q, modes } = found;
    if modes.len() < spec.count {
        let there = if modes.len() == 1 { "is only 1 mode".into() } else { format!("are only {} modes", modes.len()) };
        let damped = linearised.damped && spec.damped != Some(false) && spec.oscillating;
        let others =
            if damped { "; `oscillating = false` tells those that die away without oscillating as well" } else { "" };
        outcome.report.warnings.push(format!("there {there}, {} were asked for{others}", spec.count));
    }
    let shapes = modes
        .iter()
        .enumerate()
        .map(|(k, mode)| shape(system, assembly, &linearised.free, q, k + 1, (mode.value, &mode.shape)));
    let trust = |mode: &Mode| Trust {
        backward_error: mode.accuracy.backward_error,
        uncertainty: Some(mode.accuracy.uncertainty),
    };
    let trusts: Vec<Trust> = modes.iter().map(trust).collect();
    told(shapes.collect(), &trusts, outcome);
}
