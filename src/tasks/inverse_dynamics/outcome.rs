//! What every answer of inverse dynamics along rods reports.

use std::collections::BTreeMap;
use std::time::Instant;

use super::Analysis;
use crate::mechanism::Mechanism;
use crate::results::{Outcome, Report, RunStatus, SCHEMA_VERSION, Timing, Verification};
use crate::tasks::loads::store;
use crate::tasks::verify::Proved;
use crate::tasks::{Method, Sweep, System, TaskError};

/// The machine that a system is simulated as.
pub fn mechanism(system: &System) -> Result<&Mechanism, TaskError> {
    system.mechanism.as_ref().ok_or_else(|| TaskError::Incomplete {
        reason: "the mechanism is not known as one of rods, bodies and joints".into(),
    })
}

/// The record before anything is known.
pub fn blank(system: &System) -> Outcome {
    Outcome {
        report: Report {
            schema: SCHEMA_VERSION,
            program: format!("lariat {}", env!("CARGO_PKG_VERSION")),
            title: system.title.clone(),
            task: "inverse-dynamics".into(),
            status: RunStatus::Solved,
            ..Report::default()
        },
        ..Outcome::default()
    }
}

/// Puts what the verification found into the outcome.
pub fn conclude(proved: Proved, clock: Instant, outcome: &mut Outcome) {
    let Proved { verification, outputs, loads } = proved;
    store(loads, outcome);
    let report = &mut outcome.report;
    report.timings.push(Timing { phase: "verify".into(), seconds: clock.elapsed().as_secs_f64() });
    for (name, error) in &verification.max_error {
        report.scalars.insert(format!("verification.{name}.max_error"), *error);
    }
    if !verification.passed {
        report.status = RunStatus::NotVerified;
        report.message = Some(unverified(&verification));
    }
    if verification.segments > 1 {
        report.warnings.push(format!(
            "the motion is unstable under the computed forces alone: a simulation from the start leaves the path however exact they are, so it was verified in {} segments; on a machine it needs feedback",
            verification.segments
        ));
    }
    if verification.halved_steps > 0 {
        report.warnings.push(format!(
            "the forward simulation of {} steps had to halve its step {} times",
            verification.steps, verification.halved_steps
        ));
    }
    report.verification = Some(verification);
    outcome.resimulated = outputs;
}

/// Why an answer is not verified: its simulation misses the path, or does not settle.
pub(super) fn unverified(verification: &Verification) -> String {
    let largest = |of: &BTreeMap<String, f64>, above: f64| {
        let shares = of.iter().filter_map(|(name, e)| verification.tolerance.get(name).map(|t| (name.clone(), *e, *t)));
        let above = shares.filter(|(_, e, t)| !(*e <= above * *t));
        above.max_by(|a, b| (a.1 / a.2).total_cmp(&(b.1 / b.2)))
    };
    let advice = "raise `time.steps`, or the `elements` of the rods, or `verify.refine` for a finer simulation, or take a smoother path";
    if let Some((name, off, t)) = largest(&verification.own_error, 0.0).filter(|_| verification.unsettled) {
        return format!(
            "the forward simulation driven by the computed actuation does not settle: finer steps or a finer mesh still change {name} by about {off:.2e} (tolerance {t:.1e}), so that it proves nothing; {advice}"
        );
    }
    match largest(&verification.max_error, 1.0) {
        Some((name, e, t)) => format!(
            "the forward simulation driven by the computed actuation misses the path: {name} is off by up to {e:.2e} (tolerance {t:.1e}); {advice}"
        ),
        None => "the forward simulation misses the path".into(),
    }
}

/// What is known before solving, of a rod of so many elements and such a length.
pub fn describe(system: &System, [elements, length]: [f64; 2], analysis: &Analysis, report: &mut Report) {
    report.method = match analysis.method {
        Method::Galerkin => "galerkin",
        Method::Characteristics => "characteristics",
        Method::SpaceMarch | Method::Auto | Method::Sequential | Method::BoundaryValue | Method::Optimise => {
            "space-march"
        }
    }
    .into();
    report.method_reason = analysis.reason.clone();
    report.servo_interval = analysis.activity.interval;
    let grid = [
        ("start", system.grid.start),
        ("end", system.grid.end()),
        ("dt", system.grid.dt),
        ("time_steps", system.grid.steps as f64),
        ("elements", elements),
        ("ds", length / elements),
        ("slowest_wave_at_rest", analysis.speeds[0]),
        ("fastest_wave_at_rest", analysis.speeds[1]),
        ("wave_transit", analysis.transit),
    ];
    report.grid.extend(grid.map(|(name, value)| (name.to_owned(), value)));
    if analysis.method == Method::Galerkin {
        report.grid.insert("layer_by_layer".into(), if analysis.sweep == Sweep::Layers { 1.0 } else { 0.0 });
    }
    report.sizes.insert("nodes".into(), (elements + 1.0) * (system.grid.steps + 1) as f64);
    report.sizes.insert("servo_outputs".into(), system.outputs.len() as f64);
    report.sizes.insert("actuator_inputs".into(), system.channels.len() as f64);
    if let Some(bandwidth) = analysis.bandwidth {
        report.grid.insert("bandwidth".into(), bandwidth);
    }
    if let Some(conditioning) = &analysis.conditioning {
        if conditioning.is_steep() {
            report.bandwidth = conditioning.bandwidth(analysis.bandwidth);
        }
        report.residuals.insert("growth_digits".into(), conditioning.growth.digits());
        report.residuals.insert("distortion".into(), conditioning.distortion.0);
    }
}

/// What to say of a rod that moves at the first instant.
pub fn moving(rod: &str, start: f64, speed: f64) -> String {
    format!(
        "rod `{rod}` must already be moving at t = {start} (up to {speed:.2e} m/s or rad/s): the actuation begins earlier, because waves need time along the rod; begin the servo path later to see all of it"
    )
}

/// What to say of a rod that stands still at the first instant, but away from its rest.
pub fn displaced(rod: &str, start: f64, away: f64) -> String {
    format!(
        "rod `{rod}` is up to {away:.2e} m away from its rest at t = {start}: the actuation begins earlier, because waves need time along the rod; begin the servo path later to see all of it"
    )
}

/// Steps of a verification segment: two transits of the slowest wave, but at most 40 segments.
pub fn segment(system: &System, analysis: &Analysis) -> usize {
    let transits = (2.0 * analysis.transit / system.grid.dt).ceil() as usize;
    transits.max(system.grid.steps.div_ceil(40)).max(4)
}
