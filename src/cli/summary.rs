//! What a person reads after a run.

mod carried;
mod control;
mod forward;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use super::mobility;
use crate::results::{Expectation, Report};
use crate::tasks::mobility as mobility_task;
use crate::tasks::{nonlinear_program, optimal_control};

/// The summary of a run; `dir` is where its files are, if they could be written.
pub fn solved(report: &Report, dir: Option<&Path>) -> String {
    let mut out = head(report);
    match report.task.as_str() {
        nonlinear_program::TASK => program(report, &mut out),
        "statics" => forward::statics(report, &mut out),
        "simulate" => forward::motion(report, &mut out),
        "modes" => forward::modes(report, &mut out),
        mobility_task::TASK => out.extend(report.mobility.iter().map(mobility::words)),
        optimal_control::TASK => control::optimum(report, &mut out),
        _ => mechanism(report, &mut out),
    }
    expectations(report, &mut out);
    for warning in &report.warnings {
        let _ = writeln!(out, "  warning: {warning}");
    }
    if let Some(dir) = dir {
        let files: Vec<&str> =
            ["result.json"].into_iter().chain(report.files.iter().map(|f| f.name.as_str())).collect();
        let _ = writeln!(out, "  {}: {}", dir.display(), files.join(", "));
    }
    out
}

/// Title, status, method, time and message.
fn head(report: &Report) -> String {
    let mut out = String::new();
    let seconds = report.timings.iter().fold(0.0, |sum, timing| sum + timing.seconds);
    let title = if report.title.is_empty() { &report.problem.file } else { &report.title };
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{title}");
    let by = if report.method.is_empty() { String::new() } else { format!(" by {}", report.method) };
    let _ = writeln!(out, "  {}{by} in {seconds:.2} s", report.status);
    if let Some(message) = report.message.as_ref().filter(|message| message.as_str() != report.status.as_str()) {
        let _ = writeln!(out, "  {message}");
    }
    if !report.adapted.is_empty() {
        let grid = report.adapted.join(", ");
        let _ = writeln!(out, "  on a finer grid than stated, where the proof failed: {grid}");
    }
    out
}

/// What the solution of a program is worth.
fn program(report: &Report, out: &mut String) {
    let number = |map: &BTreeMap<String, f64>, name: &str| map.get(name).copied();
    if let Some(objective) = number(&report.scalars, "objective") {
        let _ = writeln!(out, "  objective                {objective:.10}");
    }
    for (name, words) in [("violation", "largest violation"), ("optimality_error", "optimality error")] {
        if let Some(value) = number(&report.residuals, name) {
            let _ = writeln!(out, "  {words:<24} {value:.1e}");
        }
    }
    if let Some(iterations) = number(&report.scalars, "iterations") {
        let _ = writeln!(out, "  iterations               {iterations}");
    }
    if let (Some(variables), Some(rows)) = (number(&report.sizes, "variables"), number(&report.sizes, "rows")) {
        let _ = writeln!(out, "  size                     {variables} variables, {rows} rows");
    }
}

/// What the actuation of a mechanism looks like, and how it was verified.
fn mechanism(report: &Report, out: &mut String) {
    let structured = report.method == "sequential";
    if !report.method_reason.is_empty() && (report.method_reason.starts_with("auto") || structured) {
        let _ = writeln!(out, "  {}", report.method_reason);
    }
    carried::actuators(report, out);
    if let (Some(begins), Some(ends)) = (report.scalars.get("actuation.begins"), report.scalars.get("actuation.ends")) {
        let path =
            report.servo_interval.map_or(String::new(), |[a, b]| format!(", the path from {a:.3} s to {b:.3} s"));
        let _ = writeln!(out, "  actuation acts from {begins:.3} s to {ends:.3} s{path}");
    }
    carried::sections(report, out);
    if let Some(error) = report.residuals.get("estimated_relative_error") {
        let _ = writeln!(out, "  estimated relative error of the forces {error:.1e}");
    }
    if let Some(tracking) = &report.tracking {
        control::trade_off(tracking, out);
    }
    if let Some(verification) = &report.verification {
        let errors: Vec<String> = verification
            .max_error
            .iter()
            .map(|(name, error)| {
                let unit = report.units.get(name).map_or("", String::as_str);
                format!("{name} {error:.1e} {unit}")
            })
            .collect();
        let word = if verification.passed { "verified" } else { "NOT verified" };
        let _ = writeln!(out, "  {word} by forward simulation, largest deviation: {}", errors.join(", "));
    }
}

/// How the known answers fared.
fn expectations(report: &Report, out: &mut String) {
    // Without a solution there is nothing to expect of it.
    for expectation in report.expectations.iter().filter(|e| report.status.is_solved() || e.found.is_some()) {
        let found = expectation.found.map_or("not found".to_owned(), |found| format!("{found:.7}"));
        let word = if expectation.met { "as expected" } else { "NOT AS EXPECTED" };
        let _ = writeln!(
            out,
            "  {word}: {} = {found}, known {} ± {:.1e}",
            expectation.name, expectation.expected, expectation.allowed
        );
    }
}

/// One line for a run that did not end well.
pub fn trouble(report: &Report) -> String {
    let missed = |e: &&Expectation| !e.met && e.found.is_some();
    let missed = report.expectations.iter().filter(missed).map(|e| {
        let found = e.found.map_or_else(String::new, |found| format!(" = {found:.7}"));
        format!("{}{found}, known {} ± {:.1e}", e.name, e.expected, e.allowed)
    });
    let missed: Vec<String> = missed.collect();
    let why = match &report.message {
        Some(message) if message != report.status.as_str() => format!(": {message}"),
        _ if !missed.is_empty() => format!(", but not as expected: {}", missed.join("; ")),
        _ => String::new(),
    };
    format!("{}: {}{why}", report.problem.file, report.status)
}
