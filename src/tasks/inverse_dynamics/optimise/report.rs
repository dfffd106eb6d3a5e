//! How well the paths are followed, at which effort, and how far the actuation reaches beyond them.

use super::super::scalars::table_scalars;
use super::limited;
use super::outcome::outputs_along;
use super::{Posed, TrackingSystem};
use crate::discretisation::transcription::Trajectory;
use crate::nlp::EvalFailure;
use crate::results::{Outcome, Report, RunStatus, TrackedOutput, Tracking};

/// A control counts as acting where it differs from its value at rest by more than this share of its largest difference.
const ACTS: f64 = 0.01;
/// A path counts as moving where it differs from its value before by more than this share of its size.
const MOVES: f64 = 1e-6;

/// How far the actuation reaches beyond the interval in which the paths move, second.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Reach {
    /// Before the paths begin.
    pub before: f64,
    /// After they end.
    pub after: f64,
}

/// A motion, judged by its paths.
pub(super) struct Judged {
    pub outputs: Vec<TrackedOutput>,
    /// Root of the mean square of all deviations over their sizes.
    pub deviation: f64,
    /// Root of the mean square of all controls over their scales.
    pub effort: f64,
    /// When the paths move, second.
    pub interval: Option<[f64; 2]>,
    pub reach: Option<Reach>,
}

impl Judged {
    pub fn new(system: &TrackingSystem, posed: &Posed, found: &Trajectory) -> Result<Self, EvalFailure> {
        let values = outputs_along(system, posed, &found.times, &found.q)?;
        let mut outputs = Vec::with_capacity(values.len());
        let paths = system.paths(&found.times)?;
        let interval = moving(&found.times, &paths, &posed.sizes, MOVES);
        for (((output, size), values), path) in system.outputs().iter().zip(&posed.sizes).zip(&values).zip(&paths) {
            let apart: Vec<f64> = values.iter().zip(path).map(|(value, path)| value - path).collect();
            let squares = apart.iter().map(|apart| apart * apart).sum::<f64>();
            outputs.push(TrackedOutput {
                name: output.name.clone(),
                size: *size,
                max_error: apart.iter().fold(0.0f64, |most, apart| most.max(apart.abs())),
                rms_error: (squares / apart.len().max(1) as f64).sqrt(),
            });
        }
        let mean = |squares: f64, count: usize| (squares / count.max(1) as f64).sqrt();
        let deviation = outputs.iter().map(|output| (output.rms_error / output.size).powi(2)).sum::<f64>();
        let efforts = found.u.iter().flat_map(|u| u.iter().zip(&posed.scales)).map(|(u, scale)| (u / scale).powi(2));
        let reach = interval.and_then(|interval| reach(found, interval));
        Ok(Self { outputs, deviation: deviation.sqrt(), effort: mean(efforts.sum(), found.u.len()), interval, reach })
    }

    /// The output that misses its path the most, relative to its size.
    pub fn worst(&self) -> Option<&TrackedOutput> {
        self.outputs.iter().max_by(|a, b| (a.max_error / a.size).total_cmp(&(b.max_error / b.size)))
    }

    /// By how much that is, relative to the size.
    pub fn miss(&self) -> f64 {
        self.worst().map_or(0.0, |worst| worst.max_error / worst.size)
    }

    /// For the report.
    pub fn tracking(&self, posed: &Posed) -> Tracking {
        Tracking {
            exact: posed.weight.is_none(),
            outputs: self.outputs.clone(),
            deviation: self.deviation,
            effort: self.effort,
            begins_before: self.reach.map(|reach| reach.before),
            ends_after: self.reach.map(|reach| reach.after),
            ..Tracking::default()
        }
    }
}

/// When paths move, by more than a share of their sizes; none if they never do.
pub(super) fn moving(times: &[f64], paths: &[Vec<f64>], sizes: &[f64], share: f64) -> Option<[f64; 2]> {
    let of = |(path, size): (&Vec<f64>, &f64)| {
        let ends = (path.first()?, path.last()?);
        let begins = path.iter().position(|value| (value - ends.0).abs() > share * size)?;
        let ceases = path.iter().rposition(|value| (value - ends.1).abs() > share * size)?;
        Some([times[begins.saturating_sub(1)], times[(ceases + 1).min(path.len() - 1)]])
    };
    let all = paths.iter().zip(sizes).filter_map(of);
    all.reduce(|all, here| [all[0].min(here[0]), all[1].max(here[1])])
}

/// How far controls act beyond an interval.
fn reach(found: &Trajectory, [begins, ends]: [f64; 2]) -> Option<Reach> {
    let (first, last) = (found.u.first()?, found.u.last()?);
    let h = found.step();
    let mut reach = Reach::default();
    for i in 0..first.len() {
        let changed = |from: f64| found.u.iter().map(|u| (u[i] - from).abs()).fold(0.0, f64::max);
        let (up, down) = (changed(first[i]), changed(last[i]));
        let acts = found.u.iter().position(|u| (u[i] - first[i]).abs() > ACTS * up);
        let rests = found.u.iter().rposition(|u| (u[i] - last[i]).abs() > ACTS * down);
        if let (Some(acts), Some(rests)) = (acts, rests) {
            reach.before = reach.before.max(begins - acts as f64 * h);
            reach.after = reach.after.max((rests + 1) as f64 * h - ends);
        }
    }
    Some(reach)
}

/// Writes all of it into a report, in numbers and in words. A motion that misses its path by more than the tolerance is not what was asked
/// for, unless that was a compromise and the actuators are free to make it.
pub(super) fn tell(
    system: &TrackingSystem,
    posed: &Posed,
    found: &Trajectory,
    judged: &Judged,
    tracking: Tracking,
    report: &mut Report,
) {
    let (inputs, outputs) = (posed.scales.len(), system.outputs().len());
    report.servo_interval = judged.interval;
    let following = match posed.weight {
        None => format!(
            "{outputs} outputs follow their paths exactly, with the least effort of {inputs} inputs, from rest to rest but for what the motion before and after the paths leaves there"
        ),
        Some(weight) => format!(
            "{outputs} outputs follow their paths as well as {inputs} inputs can, from rest to rest; weight of the effort {weight:e}"
        ),
    };
    report.method_reason = format!("{following}; {}", report.method_reason);
    let early = judged.reach.zip(judged.interval).and_then(|(reach, [begins, _])| {
        let early = reach.before > begins - 1.5 * found.step() && reach.before > 2.0 * found.step();
        early.then_some(reach.before)
    });
    if let Some(before) = early {
        report.warnings.push(format!(
            "the actuation begins at the first instant, {before:.3} s before the path: more time before the path would let it follow more closely"
        ));
    }
    let tolerance = system.servo.verify.tolerance;
    if let Some(worst) = judged.worst() {
        let miss = worst.max_error / worst.size;
        let limits: Vec<String> = tracking.limited.iter().map(limited::words).collect();
        let missed = format!(
            "{} misses its path by up to {:.3e} ({:.2} % of it, tolerance {:.2} %)",
            worst.name,
            worst.max_error,
            100.0 * miss,
            100.0 * tolerance
        );
        if miss > tolerance && !limits.is_empty() {
            let otherwise = tracking.missed_without_limits.filter(|miss| *miss > tolerance);
            let otherwise = otherwise.map_or_else(String::new, |miss| {
                format!("; without any limits the path would still be missed by {:.2} %", 100.0 * miss)
            });
            blame(
                report,
                format!("{missed} although no motion within the limits comes closer: {}{otherwise}", limits.join("; ")),
            );
        } else if miss > tolerance {
            let why = match (outputs > inputs, system.compromise) {
                (true, true) => format!("{inputs} inputs cannot make {outputs} outputs follow paths of their own exactly"),
                (true, false) => format!(
                    "{inputs} inputs cannot make {outputs} outputs follow paths of their own exactly; set `following = \"best\"` if the best compromise is what is wanted"
                ),
                (false, true) => "at this weight of the effort, from rest to rest in the time given, the path is not followed more closely: lower the weight, or let the path begin later and end earlier".to_owned(),
                (false, false) => "from rest to rest in the time given the path is not followed more closely: let it begin later and end earlier".to_owned(),
            };
            match system.compromise {
                true => report.warnings.push(format!("{missed}: {why}")),
                false => blame(report, format!("{missed}: {why}")),
            }
        } else if !limits.is_empty() {
            report.warnings.push(format!("actuators reach their limits: {}; {missed}", limits.join("; ")));
        }
    }
    report.tracking = Some(tracking);
}

/// What was found is not what was asked for.
fn blame(report: &mut Report, message: String) {
    if report.status.is_solved() {
        report.status = RunStatus::PathMissed;
        report.message = Some(message);
    } else {
        report.warnings.push(message);
    }
}

/// Scalars under the names `[expect]` uses.
pub(super) fn scalars(system: &TrackingSystem, judged: &Judged, outcome: &mut Outcome) {
    table_scalars(system.servo.grid.dt, outcome);
    system.servo.tell_parts(outcome);
    let scalars = &mut outcome.report.scalars;
    for sample in &system.servo.samples {
        let table = if sample.actuation { &outcome.actuation } else { &outcome.motion };
        if let Some(value) = table.column(&sample.column).and_then(|column| column.get(sample.instant)) {
            scalars.insert(sample.name.clone(), *value);
        }
    }
    for output in &judged.outputs {
        scalars.insert(format!("tracking.{}.max_error", output.name), output.max_error);
        scalars.insert(format!("tracking.{}.rms_error", output.name), output.rms_error);
    }
    scalars.insert("tracking.deviation".into(), judged.deviation);
    scalars.insert("tracking.effort".into(), judged.effort);
    if let (Some(reach), Some([begins, ends])) = (judged.reach, judged.interval) {
        scalars.insert("tracking.begins_before".into(), reach.before);
        scalars.insert("tracking.ends_after".into(), reach.after);
        scalars.insert("actuation.begins".into(), begins - reach.before);
        scalars.insert("actuation.ends".into(), ends + reach.after);
    }
}
