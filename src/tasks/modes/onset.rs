//! Modes as the loads grow, and the load factor at which motions begin to grow: flutter or divergence.
//!
//! Real parts are no smooth functions of the load where undamped frequencies meet, but with μ = λ² of the two modes (μ₁ − μ₂)² is:
//! positive where both oscillate, negative where one of them grows. Where a frequency passes zero μ itself is smooth, and with damping
//! the largest real part.

use super::spectrum::Mode;
use super::vibration::{Vibration, vibrate};
use crate::discretisation::assembly::Assembly;
use crate::results::Outcome;
use crate::solver::smooth_zero::{AROUND, Value, Zero, enclosed, interpolated, shares};
use crate::tasks::forward::Failure;
use crate::tasks::{ForwardSystem, ModesSpec, Observer};

/// What passes zero where motions begin to grow.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Test {
    /// The largest real part.
    RealPart,
    /// The largest μ of motions that do not both oscillate and grow.
    Square,
    /// (μ₁ − μ₂)² of the two modes whose mean is nearest to this, rad²/s².
    Difference(f64),
}

/// A test with the frequency of the motion, rad/s.
#[derive(Clone, Copy)]
struct Tested {
    test: Value,
    omega: f64,
}

/// The modes at the last of the load factors; those at all of them, and where motions begin to grow, are told.
pub fn over_loads(
    system: &ForwardSystem,
    spec: &ModesSpec,
    assembly: &Assembly,
    observer: &mut dyn Observer,
    outcome: &mut Outcome,
) -> Result<Vibration, Failure> {
    let mut stable: Option<(f64, Vibration)> = None;
    let mut onset = None;
    let last = spec.factors.len() - 1;
    for (k, &factor) in spec.factors.iter().enumerate() {
        let mut aside = system.blank_outcome("modes");
        let told = if k == last { &mut *outcome } else { &mut aside };
        let found = vibrate(system, spec, assembly, factor, observer, told).map_err(|failure| Failure {
            message: format!("at load factor {factor}: {}", failure.message),
            ..failure
        })?;
        let scalars = &mut outcome.report.scalars;
        scalars.insert(format!("load.{}.factor", k + 1), factor);
        for (index, mode) in found.modes.iter().enumerate() {
            scalars.insert(format!("load.{}.modes.{}.omega", k + 1, index + 1), mode.value.im);
            scalars.insert(format!("load.{}.modes.{}.real", k + 1, index + 1), mode.value.re);
        }
        observer.progress(k + 1);
        let growing = found.modes.iter().any(grows);
        if let (Some((before, earlier)), true, true) = (&stable, growing, onset.is_none()) {
            let mut at = |p: f64| {
                let mut aside = system.blank_outcome("modes");
                vibrate(system, spec, assembly, p, observer, &mut aside).ok()
            };
            onset = Some(located([(*before, earlier), (factor, &found)], &mut at));
        }
        if k == last {
            tell(stable.is_some(), growing, onset, outcome);
            return Ok(found);
        }
        if !growing && onset.is_none() {
            stable = Some((factor, found));
        }
    }
    Err(Failure { status: crate::results::RunStatus::IllPosed, message: "no load factor is asked for".into() })
}

/// What is known of the beginning of growth.
fn tell(stable: bool, growing: bool, onset: Option<Option<(Zero, f64)>>, outcome: &mut Outcome) {
    let report = &mut outcome.report;
    match onset {
        Some(Some((zero, omega))) => {
            report.scalars.insert("onset.factor".into(), zero.at);
            report.scalars.insert("onset.omega".into(), omega);
            report.scalars.insert("onset.error".into(), zero.doubt / zero.at.abs());
        }
        Some(None) => report.warnings.push(
            "motions begin to grow between two of the load factors, but where could not be found: state factors closer together"
                .into(),
        ),
        None if growing && !stable => {
            report.warnings.push("motions grow at the first of the load factors already".into());
        }
        None => {}
    }
}

fn grows(mode: &Mode) -> bool {
    mode.value.re > mode.accuracy.uncertainty
}

/// Where motions begin to grow between two load factors, and their frequency there.
fn located(
    [(before, stable), (after, unstable)]: [(f64, &Vibration); 2],
    at: &mut dyn FnMut(f64) -> Option<Vibration>,
) -> Option<(Zero, f64)> {
    let fastest = unstable.modes.iter().filter(|mode| grows(mode)).max_by(|a, b| a.value.re.total_cmp(&b.value.re))?;
    let symmetric_in_time = !unstable.linearised.damped && unstable.linearised.gyroscopic.is_empty();
    let kind = match symmetric_in_time {
        false => Test::RealPart,
        true if fastest.value.im == 0.0 => Test::Square,
        true => Test::Difference((fastest.value * fastest.value).re),
    };
    let mut tested: Vec<(f64, Tested)> = Vec::new();
    let mut test = |p: f64| {
        let found = kind.of(&at(p)?)?;
        tested.push((p, found));
        Some(found.test)
    };
    let ends = [(before, kind.of(stable)?.test.value), (after, kind.of(unstable)?.test.value)];
    if ends[0].1 * ends[1].1 >= 0.0 {
        return None;
    }
    let near = enclosed(ends, &mut |p| test(p).map(|found| found.value));
    let zero = interpolated(near, 1e-3 * before.abs().max(after.abs()), &mut test)?;
    let around = &tested[tested.len() - AROUND.len()..];
    let points: Vec<f64> = around.iter().map(|(p, _)| *p).collect();
    let omega = shares(&points, zero.at).iter().zip(around).map(|(share, (_, found))| share * found.omega).sum();
    Some((zero, if kind == Test::Square { 0.0 } else { omega }))
}

impl Test {
    /// Its value for these modes.
    fn of(self, found: &Vibration) -> Option<Tested> {
        // δμ = 2 |λ| δλ.
        let square = |mode: &Mode| (mode.value * mode.value, 2.0 * mode.value.norm() * mode.accuracy.uncertainty);
        match self {
            Test::RealPart => {
                let largest = found.modes.iter().max_by(|a, b| a.value.re.total_cmp(&b.value.re))?;
                let test = Value { value: largest.value.re, doubt: largest.accuracy.uncertainty };
                Some(Tested { test, omega: largest.value.im })
            }
            Test::Square => {
                let real = found.modes.iter().filter(|mode| mode.value.re == 0.0 || mode.value.im == 0.0);
                let (mu, doubt) = real.map(square).max_by(|a, b| a.0.re.total_cmp(&b.0.re))?;
                Some(Tested { test: Value { value: mu.re, doubt }, omega: 0.0 })
            }
            Test::Difference(mean) => {
                let nearest = |pair: &(f64, Value)| (pair.0 - mean).abs();
                let growing = found.modes.iter().filter(|mode| grows(mode) && mode.value.im != 0.0).map(|mode| {
                    let (mu, doubt) = square(mode);
                    (mu.re, Value { value: -4.0 * mu.im * mu.im, doubt: 8.0 * mu.im.abs() * doubt })
                });
                let mut still: Vec<_> = found.modes.iter().filter(|mode| mode.value.re == 0.0).map(square).collect();
                still.sort_by(|a, b| a.0.re.total_cmp(&b.0.re));
                let pairs = still.windows(2).map(|pair| {
                    let [(a, doubt_a), (b, doubt_b)] = [pair[0], pair[1]];
                    let gap = b.re - a.re;
                    (0.5 * (a.re + b.re), Value { value: gap * gap, doubt: 2.0 * gap * (doubt_a + doubt_b) })
                });
                let by = |a: &(f64, Value), b: &(f64, Value)| nearest(a).total_cmp(&nearest(b));
                let (mean, test) = growing.min_by(by).or_else(|| pairs.min_by(by))?;
                Some(Tested { test, omega: (-mean).max(0.0).sqrt() })
            }
        }
    }
}
