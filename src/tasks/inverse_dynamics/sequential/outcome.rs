//! From a servo problem to the report and tables a user sees.

use std::time::Instant;

use super::super::outcome::unverified;
use super::super::scalars::table_scalars;
use super::power::Gauge;
use super::resimulation::{States, deviations, verify};
use super::{ServoSystem, Solving, bounded};
use crate::discretisation::index::{self, IndexStructure, Instant as Found, Marched, ServoError, march};
use crate::results::{Outcome, Report, RunStatus, SCHEMA_VERSION, Table, Timing};
use crate::tasks::Observer;
use crate::tasks::lines::lines;
use crate::tasks::loads;
use crate::tasks::velocity_name;
use crate::tasks::verify::Proved;

/// Solve, verify and report. The outcome always has a status.
pub fn run(system: &ServoSystem, observer: &mut dyn Observer) -> Outcome {
    if system.solving == Solving::Bounded {
        return bounded::run(system, observer);
    }
    let mut outcome = begun(system, "sequential");
    let found = fill(system, observer, &mut outcome).map(|found| {
        let states = |k: usize| (found[k].q.clone(), found[k].v.clone());
        if !found.is_empty() {
            simulate(system, &states, observer, &mut outcome);
        }
    });
    if let Err((error, index)) = found {
        let unstable = matches!(error, ServoError::Unstable { .. }) && system.solving == Solving::Either;
        if let Some(found) = unstable.then(|| bounded::instead(system, &error, observer)).flatten() {
            return found;
        }
        let advice = index.and_then(|index| system.recommendation(index));
        let advice = advice.map_or_else(String::new, |advice| format!(". {advice}"));
        outcome.report.status = status_of(&error);
        outcome.report.message = Some(format!("{error}{advice}"));
    }
    judge(system, &mut outcome);
    outcome
}

/// Solves, and reports what is read off the answer without a proof of it.
pub fn answer(system: &ServoSystem, observer: &mut dyn Observer) -> Outcome {
    let mut outcome = begun(system, "sequential");
    if let Err((error, _)) = fill(system, observer, &mut outcome) {
        outcome.report.status = status_of(&error);
        outcome.report.message = Some(error.to_string());
    }
    outcome
}

/// An outcome of which only the question is known.
pub(super) fn begun(system: &ServoSystem, method: &str) -> Outcome {
    Outcome {
        report: Report {
            schema: SCHEMA_VERSION,
            program: format!("lariat {}", env!("CARGO_PKG_VERSION")),
            title: system.title.clone(),
            task: "inverse-dynamics".into(),
            method: method.into(),
            method_reason: system.reason.clone(),
            status: RunStatus::Solved,
            ..Report::default()
        },
        ..Outcome::default()
    }
}

/// Compares with the known answers.
pub(super) fn judge(system: &ServoSystem, outcome: &mut Outcome) {
    let scalars = &outcome.report.scalars;
    outcome.report.expectations = system.expect.iter().map(|known| known.judge(scalars)).collect();
}

/// What was found at the instants, nothing where it has no numbers. The index, where it is known, stands beside the error.
fn fill(
    system: &ServoSystem,
    observer: &mut dyn Observer,
    outcome: &mut Outcome,
) -> Result<Vec<Found>, (ServoError, Option<usize>)> {
    let clock = Instant::now();
    let (mut equations, structure) = system.analyse().map_err(|error| (error, None))?;
    let known = |error: ServoError| (error, Some(structure.index));
    describe(system, &structure, &mut outcome.report);
    let times = system.grid.times();
    observer.phase("following the paths", times.len());
    let marched = march(&system.problem, &mut equations, &structure, &times, &mut |done| {
        observer.progress(done);
        !observer.interrupted()
    });
    let marched = marched.map_err(known)?;
    let report = &mut outcome.report;
    report.timings.push(Timing { phase: "solve".into(), seconds: clock.elapsed().as_secs_f64() });
    if marched.conditioning.0.is_finite() {
        report.residuals.insert("smallest_relative_singular_value".into(), marched.conditioning.0);
    }
    report.sizes.insert("instants_solved".into(), marched.solved as f64);
    report.warnings.extend(system.multibody.as_ref().and_then(|body| body.redundancy()));
    report.warnings.extend(warnings(system, &structure, &marched));
    Ok(if store(system, &marched.instants, outcome) { marched.instants } else { Vec::new() })
}

/// Tables, lines and what is read off them; whether all numbers are finite.
pub(super) fn store(system: &ServoSystem, found: &[Found], outcome: &mut Outcome) -> bool {
    (outcome.actuation, outcome.motion) = tables(system, found);
    if [&outcome.actuation, &outcome.motion].iter().any(|table| table.check().is_err()) {
        (outcome.actuation, outcome.motion) = (Table::default(), Table::default());
        outcome.report.status = RunStatus::Undefined;
        outcome.report.message = Some("the motion found has numbers that are not finite; it is not stored".into());
        return false;
    }
    let q: Vec<Vec<f64>> = found.iter().map(|instant| instant.q.clone()).collect();
    outcome.rods = lines(system.multibody.as_deref(), &system.grid.times(), &q, false);
    for (name, _) in outcome.actuation.columns.iter().chain(&outcome.motion.columns) {
        let unit = system.unit(name);
        if !unit.is_empty() {
            outcome.report.units.insert(name.clone(), unit);
        }
    }
    measure(system, found, outcome);
    read_off(system, outcome);
    true
}

/// Scalars of the tables.
pub(super) fn read_off(system: &ServoSystem, outcome: &mut Outcome) {
    table_scalars(system.grid.dt, outcome);
    for sample in &system.samples {
        let table = if sample.actuation { &outcome.actuation } else { &outcome.motion };
        if let Some(value) = table.column(&sample.column).and_then(|column| column.get(sample.instant)) {
            outcome.report.scalars.insert(sample.name.clone(), *value);
        }
    }
    system.tell_parts(outcome);
}

/// What is known before solving.
fn describe(system: &ServoSystem, structure: &IndexStructure, report: &mut Report) {
    let told = system.describe(structure);
    report.method_reason = match report.method_reason.is_empty() {
        true => told,
        false => format!("{}; {told}", report.method_reason),
    };
    let [coordinates, multipliers, inputs] =
        [system.problem.reference.len(), structure.unknowns.len(), system.problem.outputs.len()];
    let sizes = [
        ("coordinates", coordinates),
        ("constraints", multipliers - coordinates - inputs),
        ("actuator_inputs", inputs),
        ("servo_outputs", inputs),
        ("index", structure.index),
        ("internal_states", structure.freedoms),
    ];
    report.sizes.extend(sizes.map(|(name, size)| (name.to_owned(), size as f64)));
    describe_grid(system, report);
    report.scalars.insert("structure.index".into(), structure.index as f64);
    report.scalars.insert("structure.internal_states".into(), structure.freedoms as f64);
    for (output, degree) in system.problem.outputs.iter().zip(&structure.relative_degrees) {
        report.scalars.insert(format!("structure.relative_degree.{}", output.name), *degree as f64);
    }
}

/// The instants.
pub(super) fn describe_grid(system: &ServoSystem, report: &mut Report) {
    let grid = system.grid;
    let numbers = [("start", grid.start), ("end", grid.end()), ("dt", grid.dt), ("time_steps", grid.steps as f64)];
    report.grid.extend(numbers.map(|(name, value)| (name.to_owned(), value)));
}

/// What the user should know although there is an answer.
fn warnings(system: &ServoSystem, structure: &IndexStructure, marched: &Marched) -> Vec<String> {
    let jump = |found: &index::Break| {
        let output = &system.problem.outputs[found.output].name;
        format!(
            "the actuation jumps at t = {:.6} s: derivative {} of the path of {output} jumps by {:.4e} there, the highest that is used (index {}); for forces without jumps take a path with one more continuous derivative",
            found.time,
            found.order,
            found.after - found.before,
            structure.index
        )
    };
    let mut list: Vec<String> = marched.jumps.iter().map(jump).collect();
    if structure.freedoms > 0 {
        let fastest = marched.modes.iter().map(|mode| mode.growth).fold(f64::NEG_INFINITY, f64::max);
        let slowest = marched.modes.iter().map(|mode| mode.frequency).fold(0.0, f64::max);
        let word = match fastest {
            _ if marched.modes.is_empty() => "its stability could not be judged".to_owned(),
            fastest if fastest > 1e-6 * (1.0 + slowest) => {
                format!("it grows slowly (time constant {:.4} s)", 1.0 / fastest)
            }
            fastest if fastest < -1e-6 * (1.0 + slowest) => {
                format!("it decays (time constant {:.4} s)", -1.0 / fastest)
            }
            _ => format!("it neither grows nor decays (frequencies up to {slowest:.4} rad/s)"),
        };
        list.push(format!(
            "the paths leave {} states of internal dynamics free, which begin at rest; at the first instant {word}",
            structure.freedoms
        ));
    }
    list.extend(system.recommendation(structure.index));
    list
}

/// Actuation and motion.
fn tables(system: &ServoSystem, found: &[Found]) -> (Table, Table) {
    let t: Vec<f64> = found.iter().map(|instant| instant.t).collect();
    let column = |of: &dyn Fn(usize) -> f64| (0..found.len()).map(of).collect::<Vec<f64>>();
    let controls = system.problem.mechanics.controls().into_iter().enumerate();
    let controls = controls.map(|(i, name)| (name, column(&|k| found[k].u[i]))).collect();
    let names = system.problem.mechanics.coordinates();
    let mut motion: Vec<(String, Vec<f64>)> = Vec::new();
    motion.extend(names.iter().enumerate().map(|(i, name)| (name.clone(), column(&|k| found[k].q[i]))));
    motion.extend(names.iter().enumerate().map(|(i, name)| (velocity_name(name), column(&|k| found[k].v[i]))));
    let (q, v): (Vec<_>, Vec<_>) = found.iter().map(|instant| (instant.q.clone(), instant.v.clone())).unzip();
    if let Some(Ok(joints)) = system.multibody.as_ref().map(|body| body.joint_motion(&t, &q, &v)) {
        motion.extend(joints.into_iter().flat_map(|joint| {
            let rate = velocity_name(&joint.name);
            [(joint.name, joint.values), (rate, joint.rates)]
        }));
    }
    (Table { t: t.clone(), columns: controls }, Table { t, columns: motion })
}

/// Work of the actuators by the trapezoidal rule, which is very accurate where the motion begins and ends at rest, and the
/// interval in which the paths move; the paths themselves are stored.
fn measure(system: &ServoSystem, found: &[Found], outcome: &mut Outcome) {
    let mut gauge = Gauge::new(&system.problem);
    let (mut work, mut last) = (0.0, None);
    let inputs = system.problem.mechanics.controls().len();
    let mut paths: Vec<Vec<f64>> = Vec::new();
    for instant in found {
        let Ok(power) = gauge.power(&instant.q, &instant.v, &instant.u, instant.t) else { return };
        if let Some((t, before)) = last.replace((instant.t, power)) {
            work += 0.5 * (power + before) * (instant.t - t);
        }
        let Ok(values) = gauge.outputs(&instant.q, inputs, instant.t) else { return };
        paths.push(values.into_iter().map(|[_, wanted]| wanted).collect());
    }
    let columns = system
        .problem
        .outputs
        .iter()
        .enumerate()
        .map(|(output, named)| (named.name.clone(), paths.iter().map(|values| values[output]).collect()));
    outcome.servo = Table { t: found.iter().map(|instant| instant.t).collect(), columns: columns.collect() };
    for output in &system.problem.outputs {
        let unit = system.unit(&output.name);
        if !unit.is_empty() {
            outcome.report.units.insert(output.name.clone(), unit);
        }
    }
    let report = &mut outcome.report;
    report.scalars.insert("energy.actuator_work".into(), work);
    let differs = |from: &[f64]| {
        let from = from.to_vec();
        move |values: &Vec<f64>| values.iter().zip(&from).any(|(a, b)| (a - b).abs() > 1e-9 * (1.0 + b.abs()))
    };
    let (Some(first), Some(end)) = (paths.first(), paths.last()) else { return };
    if let (Some(begin), Some(stop)) = (paths.iter().position(differs(first)), paths.iter().rposition(differs(end))) {
        let time = |k: usize| found[k.min(paths.len() - 1)].t;
        report.servo_interval = Some([time(begin.saturating_sub(1)), time(stop + 1)]);
    }
}

/// The status of a result that ends so.
fn status_of(error: &ServoError) -> RunStatus {
    match error {
        ServoError::OverDetermined { .. }
        | ServoError::UnderDetermined { .. }
        | ServoError::NoAssignment(_)
        | ServoError::Singular { .. } => RunStatus::IllPosed,
        ServoError::NotSmooth { .. } | ServoError::NoDerivative { .. } => RunStatus::NotSmooth,
        ServoError::Unstable { .. } => RunStatus::Unstable,
        ServoError::SingularAt { .. } => RunStatus::Singular,
        ServoError::NotConverged { .. } | ServoError::Stuck { .. } => RunStatus::NotConverged,
        ServoError::Evaluation { .. } => RunStatus::Undefined,
        ServoError::Interrupted { .. } => RunStatus::Interrupted,
    }
}

/// Lets the controls drive the mechanism.
pub(super) fn simulate(system: &ServoSystem, states: States<'_>, observer: &mut dyn Observer, outcome: &mut Outcome) {
    let clock = Instant::now();
    let verified = verify(system, &outcome.actuation, states, observer);
    let report = &mut outcome.report;
    report.timings.push(Timing { phase: "verify".into(), seconds: clock.elapsed().as_secs_f64() });
    match verified {
        Ok(Proved { verification, outputs: table, loads: proved }) => {
            report.scalars.extend(deviations(&verification));
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
            report.verification = Some(verification);
            if table.check().is_ok() {
                outcome.resimulated = table;
            }
            loads::store(proved, outcome);
        }
        Err(error) => {
            let interrupted = error == crate::tasks::TaskError::Interrupted;
            report.status = if interrupted { RunStatus::Interrupted } else { RunStatus::NotVerified };
            report.message = Some(error.to_string());
        }
    }
}
