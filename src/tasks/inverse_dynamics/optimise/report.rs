//! How well the paths are followed, at which effort, and how far the actuation reaches beyond them.

use super::super::scalars::table_scalars;
use super::limited::Limited;
use super::outcome::outputs_along;
use super::{Following, Posed, TrackingSystem};
use crate::discretisation::transcription::Trajectory;
use crate::nlp::EvalFailure;
use crate::results::{Outcome, Report, TrackedOutput, Tracking, TradeOff};

/// A control counts as acting where it differs from its value at rest by more than this share of its largest difference.
const ACTS: f64 = 0.01;
/// A path counts as moving where it differs from its value before by more than this share of its size.
const MOVES: f64 = 1e-6;
/// Deviations above this share of the size of the path are told as such.
const CLOSE: f64 = 0.01;

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
        let mut interval: Option<[f64; 2]> = None;
        let paths = system.paths(&found.times)?;
        for (((output, size), values), path) in system.outputs().iter().zip(&posed.sizes).zip(&values).zip(&paths) {
            let apart: Vec<f64> = values.iter().zip(path).map(|(value, path)| value - path).collect();
            let squares = apart.iter().map(|apart| apart * apart).sum::<f64>();
            outputs.push(TrackedOutput {
                name: output.name.clone(),
                size: *size,
                max_error: apart.iter().fold(0.0f64, |most, apart| most.max(apart.abs())),
                rms_error: (squares / apart.len().max(1) as f64).sqrt(),
            });
            let ends = (path.first().copied().unwrap_or(0.0), path.last().copied().unwrap_or(0.0));
            let begins = path.iter().position(|value| (value - ends.0).abs() > MOVES * size);
            let ceases = path.iter().rposition(|value| (value - ends.1).abs() > MOVES * size);
            if let (Some(begins), Some(ceases)) = (begins, ceases) {
                let here = [found.times[begins.saturating_sub(1)], found.times[(ceases + 1).min(path.len() - 1)]];
                interval = Some(interval.map_or(here, |all| [all[0].min(here[0]), all[1].max(here[1])]));
            }
        }
        let mean = |squares: f64, count: usize| (squares / count.max(1) as f64).sqrt();
        let deviation = outputs.iter().map(|output| (output.rms_error / output.size).powi(2)).sum::<f64>();
        let efforts = found.u.iter().flat_map(|u| u.iter().zip(&posed.scales)).map(|(u, scale)| (u / scale).powi(2));
        let reach = interval.and_then(|interval| reach(found, interval));
        Ok(Self { outputs, deviation: deviation.sqrt(), effort: mean(efforts.sum(), found.u.len()), interval, reach })
    }
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

/// Writes all of it into a report, in numbers and in words.
pub(super) fn tell(
    system: &TrackingSystem,
    posed: &Posed,
    found: &Trajectory,
    judged: &Judged,
    trade_off: Vec<TradeOff>,
    report: &mut Report,
) {
    let (inputs, outputs) = (posed.scales.len(), system.outputs().len());
    report.servo_interval = judged.interval;
    let following = match system.following {
        Following::Exact => format!(
            "{outputs} outputs follow their paths exactly, with the least effort of {inputs} inputs; the ends of the motion are free"
        ),
        Following::Best(weight) => format!(
            "{outputs} outputs follow their paths as well as {inputs} inputs can, from rest to rest; weight of the effort {weight:e}"
        ),
    };
    report.method_reason = format!("{following}; {}", report.method_reason);
    let worst = judged.outputs.iter().max_by(|a, b| (a.max_error / a.size).total_cmp(&(b.max_error / b.size)));
    let limited = Limited::all(&posed.control.problem, found);
    if let (Some(worst), true) = (worst, !limited.is_empty()) {
        let words: Vec<String> = limited.iter().map(ToString::to_string).collect();
        let miss = worst.max_error / worst.size;
        let how = if miss > CLOSE {
            "the path cannot be followed within the limits of the actuators"
        } else {
            "actuators reach their limits"
        };
        report.warnings.push(format!(
            "{how}: {}; the best motion misses {} by up to {:.3e} ({:.2} % of the path)",
            words.join(", "),
            worst.name,
            worst.max_error,
            100.0 * miss
        ));
    } else if let Some(worst) = worst.filter(|worst| worst.max_error > CLOSE * worst.size) {
        let why = if outputs > inputs {
            format!("{inputs} inputs cannot make {outputs} outputs follow paths of their own exactly")
        } else {
            "from rest to rest in the time given, and at this weight of the effort, the path is not followed more closely: let it begin later and end earlier, or lower the weight".to_owned()
        };
        report.warnings.push(format!(
            "{} misses its path by up to {:.3e} ({:.2} % of it): {why}",
            worst.name,
            worst.max_error,
            100.0 * worst.max_error / worst.size
        ));
    }
    if let (Some(reach), Some([begins, _])) = (judged.reach, judged.interval) {
        let early = reach.before > begins - 1.5 * found.step() && reach.before > 2.0 * found.step();
        if early {
            report.warnings.push(format!(
                "the actuation begins at the first instant, {:.3} s before the path: more time before the path would let it follow more closely",
                reach.before
            ));
        }
    }
    report.tracking = Some(Tracking {
        exact: system.following == Following::Exact,
        outputs: judged.outputs.clone(),
        deviation: judged.deviation,
        effort: judged.effort,
        begins_before: judged.reach.map(|reach| reach.before),
        ends_after: judged.reach.map(|reach| reach.after),
        trade_off,
    });
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
