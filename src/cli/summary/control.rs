//! What a person reads of optimal control.

use std::fmt::Write;

use crate::results::{Optima, Report, Tracking};

/// Most lines about controls or states.
const MOST: usize = 12;

/// Cost, duration, largest controls and how the controls were verified.
pub fn optimum(report: &Report, out: &mut String) {
    // Writing to a String cannot fail.
    if !report.method_reason.is_empty() {
        let _ = writeln!(out, "  {}", report.method_reason);
    }
    if let Some(optima) = &report.optima {
        starts(optima, out);
    }
    if let Some(objective) = report.scalars.get("objective") {
        let word = if report.status.is_solved() { "objective" } else { "objective there" };
        let _ = writeln!(out, "  {word:<24} {objective:.10}");
    }
    if let Some(duration) = report.scalars.get("duration") {
        let _ = writeln!(out, "  {:<24} {duration:.8} s", "duration");
    }
    let mut phases: Vec<(&str, f64)> = report.scalars.iter().filter_map(phase_end).collect();
    phases.sort_by(|a, b| a.1.total_cmp(&b.1));
    for (name, end) in phases.into_iter().take(MOST) {
        let _ = writeln!(out, "  {:<24} ends at {end:.8} s", format!("phase {name}"));
    }
    let controls = report.scalars.iter().filter_map(|(name, value)| {
        let name = name.strip_prefix("controls.")?.strip_suffix(".max")?;
        Some((name, value))
    });
    for (name, value) in controls.take(MOST) {
        let unit = report.units.get(name).map_or("", String::as_str);
        let line = format!("  {name:<24} up to {value:.6} {unit}");
        let _ = writeln!(out, "{}", line.trim_end());
    }
    if let (Some(variables), Some(rows)) = (report.sizes.get("variables"), report.sizes.get("rows")) {
        let _ = writeln!(out, "  {:<24} {variables} variables, {rows} equations and path constraints", "size");
    }
    diagnostics(report, out);
    if let Some(verification) = &report.verification {
        let allowed = |name: &str| verification.tolerance.get(name).copied().unwrap_or(0.0);
        let share = |(name, error): (&String, &f64)| if *error > 0.0 { error / allowed(name) } else { 0.0 };
        let largest = verification.max_error.iter().max_by(|a, b| share(*a).total_cmp(&share(*b)));
        let word = if verification.passed { "verified" } else { "NOT verified" };
        let (name, error) = largest.map_or(("", 0.0), |(name, error)| (name.as_str(), *error));
        let _ = writeln!(
            out,
            "  {word}: {}; {name} misses its end by {error:.1e}, tolerance {:.1e}",
            verification.scheme,
            allowed(name)
        );
    }
}

/// Deviation against effort for several weights.
pub fn trade_off(tracking: &Tracking, out: &mut String) {
    if tracking.trade_off.len() < 2 {
        return;
    }
    let _ =
        writeln!(out, "  trade-off                weight of the effort, deviation of the path, effort (both relative)");
    for row in tracking.trade_off.iter().take(MOST) {
        let weight = format!("{:e}", row.weight);
        let _ = writeln!(out, "    {weight:<22} {:<10.3e} {:.4}", row.deviation, row.effort);
    }
}

/// Name of a phase and the instant of its end.
fn phase_end<'a>((name, value): (&'a String, &f64)) -> Option<(&'a str, f64)> {
    Some((name.strip_prefix("phase.")?.strip_suffix(".end")?, *value))
}

/// The optima of several starts, best first.
fn starts(optima: &Optima, out: &mut String) {
    let _ = writeln!(out, "  local optima             on {} steps; reached by starts, iterations", optima.time_steps);
    for optimum in optima.found.iter().take(MOST) {
        let iterations = match (optimum.least_iterations, optimum.most_iterations) {
            (least, most) if least == most => least.to_string(),
            (least, most) => format!("{least} to {most}"),
        };
        let word = if optimum.continued { ", continued" } else { "" };
        let of = format!("{} of {}", optimum.reached, optima.starts);
        let _ = writeln!(out, "    {:<22.10} {of:>9}  {iterations}{word}", optimum.objective);
    }
    if optima.found.len() > MOST {
        let _ = writeln!(out, "    and {} more", optima.found.len() - MOST);
    }
    let failures: Vec<String> = optima.failures.iter().map(|(status, count)| format!("{count} {status}")).collect();
    if !failures.is_empty() {
        let _ = writeln!(out, "    starts without an optimum: {}", failures.join(", "));
    }
}

/// Error of the steps, Hamiltonian, and energy against work.
fn diagnostics(report: &Report, out: &mut String) {
    if report.refinement.len() > 1 {
        let _ = writeln!(out, "  meshes                   steps, objective, largest error of a step");
        for mesh in &report.refinement {
            let _ = writeln!(out, "    {:<8} {:<18.10} {:.1e}", mesh.time_steps, mesh.objective, mesh.error);
        }
    } else if let Some(error) = report.residuals.get("largest_step_error") {
        let _ = writeln!(out, "  {:<24} {error:.1e} of the range of the motion at most", "error of a step");
    }
    if let Some(hamiltonian) = &report.hamiltonian {
        let _ = writeln!(out, "  {:<24} {:.6}, varies by {:.1e}", "Hamiltonian", hamiltonian.mean, hamiltonian.spread);
    }
    if let Some(work) = &report.work {
        let controls: f64 = work.controls.values().sum();
        let _ = writeln!(
            out,
            "  {:<24} {:.6} of controls, {:.6} of other forces; the energy changes by {:.6}, {:.1e} is left",
            "work",
            controls,
            work.other_forces,
            work.energy_change,
            work.residual.abs()
        );
    }
}
