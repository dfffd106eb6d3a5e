//! Modes by the task, as a problem file would ask for them.

use lariat::mechanism::Mechanism;
use lariat::results::Outcome;
use lariat::tasks::{ForwardSystem, ModesMethod, ModesSpec, Silent, modes};
use nalgebra::Complex;

pub fn system(mechanism: &Mechanism) -> ForwardSystem {
    ForwardSystem {
        title: String::new(),
        mechanism: mechanism.clone(),
        histories: lariat::tasks::Histories::default(),
        time: None,
        frames: Vec::new(),
        expect: Vec::new(),
    }
}

pub fn outcome(mechanism: &Mechanism, spec: &ModesSpec) -> Outcome {
    let outcome = modes::run(&system(mechanism), spec, &mut Silent);
    assert_eq!(outcome.report.status, "solved", "{:?}", outcome.report.message);
    outcome
}

/// The lowest angular frequencies, rad/s; their number is certified.
pub fn frequencies(mechanism: &Mechanism, count: usize) -> Vec<f64> {
    let outcome = outcome(mechanism, &ModesSpec { count, ..ModesSpec::default() });
    assert!(outcome.report.warnings.is_empty(), "{:?}", outcome.report.warnings);
    (1..=count).map(|k| outcome.report.scalars[&format!("modes.{k}.omega")]).collect()
}

/// The same by exact dynamic stiffness.
pub fn exact_frequencies(mechanism: &Mechanism, count: usize) -> Vec<f64> {
    let outcome = outcome(mechanism, &exact(count));
    assert!(outcome.report.warnings.is_empty(), "{:?}", outcome.report.warnings);
    (1..=count).map(|k| outcome.report.scalars[&format!("modes.{k}.omega")]).collect()
}

pub fn exact(count: usize) -> ModesSpec {
    ModesSpec { method: ModesMethod::Exact, count, ..ModesSpec::default() }
}

/// Eigenvalues of the lowest damped modes, oscillating or not.
pub fn eigenvalues(mechanism: &Mechanism, count: usize) -> Vec<Complex<f64>> {
    let outcome = outcome(mechanism, &ModesSpec { count, oscillating: false, ..ModesSpec::default() });
    let scalar = |k: usize, what: &str| outcome.report.scalars[&format!("modes.{k}.{what}")];
    (1..=count).map(|k| Complex::new(scalar(k, "real"), scalar(k, "omega"))).collect()
}

/// Both lists in one, by size.
pub fn together(lists: &[&[f64]]) -> Vec<f64> {
    let mut all: Vec<f64> = lists.iter().flat_map(|list| list.iter().copied()).collect();
    all.sort_by(f64::total_cmp);
    all
}

pub fn assert_close(found: &[f64], wanted: &[f64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), wanted.len(), "{what}");
    for (k, (found, wanted)) in found.iter().zip(wanted).enumerate() {
        let error = (found - wanted).abs() / wanted.abs().max(f64::MIN_POSITIVE);
        let right = if *wanted == 0.0 { *found == 0.0 } else { error < tolerance };
        assert!(right, "{what}, mode {}: {found} instead of {wanted}, off by {error:.1e}", k + 1);
    }
}

/// Largest relative error.
pub fn worst(found: &[f64], wanted: &[f64]) -> f64 {
    found.iter().zip(wanted).filter(|(_, w)| **w != 0.0).map(|(f, w)| (f / w - 1.0).abs()).fold(0.0, f64::max)
}

/// A quantity in the limit of infinite stiffness, from its values at a stiffness, twice and four times that: the first
/// two terms of a series in one over the stiffness are removed.
pub fn stiff_limit(of: impl Fn(f64) -> Vec<f64>, stiffness: f64) -> Vec<f64> {
    let [one, two, four] = [1.0, 2.0, 4.0].map(|times| of(times * stiffness));
    (0..one.len()).map(|k| (one[k] - 6.0 * two[k] + 8.0 * four[k]) / 3.0).collect()
}
