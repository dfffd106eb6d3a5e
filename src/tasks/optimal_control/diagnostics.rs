//! What tells how good a solution is, and within which bounds it lies.

use std::collections::BTreeMap;

use super::Optimum;
use super::lagrangian::variable_names;
use super::question::ControlSystem;
use crate::results::{Hamiltonian, Limits, Report, WorkBalance};

/// Error of the steps, Hamiltonian, and work against energy.
pub(super) fn diagnostics(system: &ControlSystem, optimum: &Optimum, report: &mut Report) {
    let found = &optimum.trajectory;
    if let Ok(sizes) = system.sizes(found.u.len()) {
        report.sizes.insert("variables".into(), sizes.variables as f64);
        report.sizes.insert("rows".into(), sizes.rows as f64);
    }
    report.refinement.clone_from(&optimum.refinement);
    if let Some(last) = optimum.refinement.last().filter(|_| !optimum.errors.is_empty()) {
        report.residuals.insert("largest_step_error".into(), last.error);
        if let Some(tolerance) = system.options.tolerance.filter(|tolerance| last.error > *tolerance) {
            let warning = format!(
                "the error of a step is up to {:.1e} with {} steps, above `mesh.tolerance` = {tolerance:.1e}; `mesh.most` or memory limits the steps to {}",
                last.error, last.time_steps, system.options.most_intervals
            );
            report.warnings.push(warning);
        }
    }
    if let Some(values) = found.hamiltonian.as_ref().filter(|values| values.iter().all(|value| value.is_finite())) {
        let (low, high) = values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (v.min(l), v.max(h)));
        let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
        report.hamiltonian = Some(Hamiltonian { mean, spread: high - low });
    }
    let controls: BTreeMap<String, f64> =
        system.controls().into_iter().zip(found.control_work.iter().copied()).collect();
    let balance = found.balance;
    let work = WorkBalance {
        other_forces: balance.work - controls.values().sum::<f64>(),
        controls,
        energy_change: balance.energy,
        residual: balance.defect(),
    };
    report.work = Some(work);
}

/// Bounds of coordinates, velocities and controls, where there are any.
pub(super) fn limits(system: &ControlSystem) -> BTreeMap<String, Limits> {
    let problem = &system.problem;
    let bounds = problem.coordinate_bounds.iter().chain(&problem.control_bounds).copied();
    let named = system.coordinates().into_iter().chain(system.controls()).zip(bounds);
    let velocities = variable_names(&system.coordinates(), &[]).split_off(problem.coordinate_bounds.len());
    let speeds = problem.path.iter().filter(|path| velocities.contains(&path.name));
    let speeds = speeds.map(|path| (path.name.clone(), (path.lower, path.upper)));
    let finite = |bound: f64| bound.is_finite().then_some(bound);
    let limits =
        named.chain(speeds).map(|(name, (lower, upper))| (name, Limits { lower: finite(lower), upper: finite(upper) }));
    limits.filter(|(_, limits)| *limits != Limits::default()).collect()
}
