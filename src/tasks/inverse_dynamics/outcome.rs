//! From an answer to the report and tables a user sees.

use std::collections::BTreeMap;
use std::time::Instant;

use super::proof::{States, verify};
use super::scalars::actuation_scalars;
use super::{Analysis, Answer, Motion, solve};
use crate::discretisation::march::Sideways;
use crate::models::{Rod, Side};
use crate::results::{Outcome, Report, RodField, RunStatus, SCHEMA_VERSION, Table, Timing, Verification};
use crate::tasks::energy::energies;
use crate::tasks::rest::rest;
use crate::tasks::simulate::State;
use crate::tasks::system::{coordinate_unit, force_name};
use crate::tasks::{InverseDynamicsSpec, Method, Observer, Sweep, System, TaskError};

/// Solve, verify, and put everything into an outcome.
pub fn build<C: Sideways<D>, const D: usize, const B: usize>(
    system: &System,
    rod: &Rod<C, D>,
    spec: &InverseDynamicsSpec,
    observer: &mut dyn Observer,
) -> Outcome {
    let mut outcome = blank(system);
    if let Err(error) = fill::<C, D, B>(system, rod, spec, observer, &mut outcome) {
        outcome.report.status = error.status();
        outcome.report.message = Some(error.to_string());
    }
    let scalars = &outcome.report.scalars;
    outcome.report.expectations = system.expect.iter().map(|known| known.judge(scalars)).collect();
    outcome
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

fn fill<C: Sideways<D>, const D: usize, const B: usize>(
    system: &System,
    rod: &Rod<C, D>,
    spec: &InverseDynamicsSpec,
    observer: &mut dyn Observer,
    outcome: &mut Outcome,
) -> Result<(), TaskError> {
    let clock = Instant::now();
    let analysis = Analysis::new(rod, system.grid, spec)?;
    describe(system, [rod.elements as f64, rod.length], &analysis, &mut outcome.report);
    let answer = solve::<C, D, B>(system, rod, &analysis, observer)?;
    tables(system, rod, &answer.motion, outcome);
    let Answer { motion, iterations, grid, sizes, residuals, warnings } = answer;
    let report = &mut outcome.report;
    report.iterations = iterations;
    report.grid.extend(grid.into_iter().map(|(name, value)| (name.to_owned(), value)));
    report.sizes.extend(sizes.into_iter().map(|(name, value)| (name.to_owned(), value)));
    report.residuals.extend(residuals.into_iter().map(|(name, value)| (name.to_owned(), value)));
    report.warnings.extend(warnings);
    report.timings.push(Timing { phase: "solve".into(), seconds: clock.elapsed().as_secs_f64() });
    let (energy, balance) = energies(rod, system.grid, &motion);
    report.scalars.insert("energy.actuator_work".into(), balance.actuator_work);
    report.energy = Some(balance);
    if energy.columns.iter().all(|(_, values)| values.iter().all(|v| v.is_finite())) {
        outcome.energy = energy;
    }
    actuation_scalars(system, outcome);

    let clock = Instant::now();
    let states = States {
        from_first: starts_moving(system, rod, &analysis, &motion, &mut outcome.report.warnings)?,
        at: &|k| State { q: motion.snapshot(k), v: motion.velocities(k) },
        segment: segment(system, &analysis),
    };
    let (verification, resimulated) = verify(system, rod, &outcome.actuation, &states, &spec.verify, observer)?;
    conclude(verification, resimulated, clock, outcome);
    Ok(())
}

/// Puts what the verification found into the outcome.
pub fn conclude(verification: Verification, resimulated: Table, clock: Instant, outcome: &mut Outcome) {
    let report = &mut outcome.report;
    report.timings.push(Timing { phase: "verify".into(), seconds: clock.elapsed().as_secs_f64() });
    for (name, error) in &verification.max_error {
        report.scalars.insert(format!("verification.{name}.max_error"), *error);
    }
    if !verification.passed {
        report.status = RunStatus::NotVerified;
        report.message = Some(unverified(&verification.max_error, &verification.tolerance));
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
    outcome.resimulated = resimulated;
}

pub(super) fn unverified(error: &BTreeMap<String, f64>, tolerance: &BTreeMap<String, f64>) -> String {
    let worst = error
        .iter()
        .filter_map(|(name, e)| tolerance.get(name).map(|t| (name, e, t)))
        .filter(|(_, e, t)| !(*e <= *t))
        .max_by(|a, b| (a.1 / a.2).total_cmp(&(b.1 / b.2)));
    match worst {
        Some((name, e, t)) => format!(
            "the forward simulation driven by the computed actuation misses the path: {name} is off by up to {e:.2e} (tolerance {t:.1e}); take more time steps or elements, a finer simulation (verify.refine), or a smoother path"
        ),
        None => "the forward simulation misses the path".into(),
    }
}

/// What is known before solving, of a rod of so many elements and such a length.
pub fn describe(system: &System, [elements, length]: [f64; 2], analysis: &Analysis, report: &mut Report) {
    report.method = match analysis.method {
        Method::Galerkin => "galerkin",
        Method::Characteristics => "characteristics",
        Method::SpaceMarch | Method::Auto | Method::Sequential | Method::Optimise => "space-march",
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

/// Tables and fields of the answer, and their units.
fn tables<C: Sideways<D>, const D: usize>(system: &System, rod: &Rod<C, D>, motion: &Motion<D>, outcome: &mut Outcome) {
    let t = system.grid.times();
    let coordinates = rod.model.coordinates();
    let node = |side: Side| side.node(rod.elements);
    let units = &mut outcome.report.units;
    units.insert("t".into(), "s".into());
    let series = |side: Side, c: usize| (0..motion.instants).map(|k| motion.q[motion.at(node(side), k)][c]).collect();

    outcome.actuation.t = t.clone();
    for channel in &system.channels {
        let end = channel.side.index();
        let values = motion.forces[end].iter().map(|force| force[channel.coordinate]).collect();
        units.insert(channel.name.clone(), force_name(coordinates[channel.coordinate]).1.into());
        outcome.actuation.columns.push((channel.name.clone(), values));
    }
    outcome.motion.t = t.clone();
    let frames = Side::BOTH.map(|side| (format!("{}.{}", rod.name, side.name()), side));
    for (frame, side) in frames.iter().chain(&system.bodies) {
        for (c, coordinate) in coordinates.into_iter().enumerate() {
            let name = format!("{frame}.{coordinate}");
            units.insert(name.clone(), coordinate_unit(coordinate).into());
            outcome.motion.columns.push((name, series(*side, c)));
        }
    }
    outcome.servo.t = t.clone();
    for output in &system.outputs {
        let end = rod.end(output.side);
        let wanted =
            t.iter().map(|&t| end.prescribed(output.coordinate, t).ok().flatten().map_or(f64::NAN, |jet| jet.value));
        units.insert(output.name.clone(), coordinate_unit(coordinates[output.coordinate]).into());
        outcome.servo.columns.push((output.name.clone(), wanted.collect()));
    }
    let mut field = RodField {
        rod: rod.name.clone(),
        s: (0..=rod.elements).map(|i| rod.length * i as f64 / rod.elements as f64).collect(),
        t,
        fields: Vec::new(),
    };
    for (c, coordinate) in coordinates.into_iter().enumerate() {
        field.fields.push((coordinate.into(), motion.q.iter().map(|q| q[c]).collect()));
        field.fields.push((format!("velocity_{coordinate}"), motion.v.iter().map(|v| v[c]).collect()));
        let (force, _) = force_name(coordinate);
        let name = if force == "torque" { "moment" } else { force };
        field.fields.push((name.into(), motion.n.iter().map(|n| n[c]).collect()));
    }
    outcome.rods.push(field);
}

/// Whether the rod is not at rest at the first instant, because actuation would have to begin earlier.
fn starts_moving<C: Sideways<D>, const D: usize>(
    system: &System,
    rod: &Rod<C, D>,
    analysis: &Analysis,
    motion: &Motion<D>,
    warnings: &mut Vec<String>,
) -> Result<bool, TaskError> {
    let first = analysis.activity.interval.map_or(f64::INFINITY, |[first, _]| first);
    let marched = analysis.marching_side.is_some();
    if !marched || (analysis.activity.rests_before && first - 1.5 * analysis.transit >= system.grid.start) {
        return Ok(false);
    }
    let fastest = motion.v.iter().map(|v| v.amax()).fold(0.0, f64::max);
    let speed = motion.velocities(0).iter().map(|v| v.amax()).fold(0.0, f64::max);
    let rest = rest(rod, rod.elements, system.grid.start)?;
    let away = motion.snapshot(0).iter().zip(&rest.q).map(|(q, r)| (q - r).amax()).fold(0.0, f64::max);
    if speed <= 1e-6 * fastest && away <= 1e-4 * rod.length {
        return Ok(false);
    }
    warnings.push(moving(&rod.name, system.grid.start, speed));
    Ok(true)
}

/// What to say of a rod that moves at the first instant.
pub fn moving(rod: &str, start: f64, speed: f64) -> String {
    format!(
        "rod `{rod}` must already be moving at t = {start} (up to {speed:.2e} m/s or rad/s): the actuation begins earlier, because waves need time along the rod; begin the servo path later to see all of it"
    )
}

/// Steps of a verification segment: two transits of the slowest wave, but at most 40 segments.
pub fn segment(system: &System, analysis: &Analysis) -> usize {
    let transits = (2.0 * analysis.transit / system.grid.dt).ceil() as usize;
    transits.max(system.grid.steps.div_ceil(40)).max(4)
}
