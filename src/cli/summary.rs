//! What a person reads after a run.

use std::fmt::Write;
use std::path::Path;

use crate::results::{Expectation, Report};

/// The summary of a run; `dir` is where its files are, if they could be written.
pub fn solved(report: &Report, dir: Option<&Path>) -> String {
    let mut out = String::new();
    let seconds = report.timings.iter().fold(0.0, |sum, timing| sum + timing.seconds);
    let title = if report.title.is_empty() { &report.problem.file } else { &report.title };
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{title}");
    let by = if report.method.is_empty() { String::new() } else { format!(" by {}", report.method) };
    let _ = writeln!(out, "  {}{by} in {seconds:.2} s", report.status);
    if let Some(message) = report.message.as_ref().filter(|message| **message != report.status) {
        let _ = writeln!(out, "  {message}");
    }
    if !report.method_reason.is_empty() && report.method_reason.starts_with("auto") {
        let _ = writeln!(out, "  {}", report.method_reason);
    }
    for (name, unit) in &report.units {
        if let Some(peak) = report.scalars.get(&format!("actuation.{name}.max")) {
            let _ = writeln!(out, "  {name:<24} peak {peak:.6} {unit}");
        }
    }
    if let (Some(begins), Some(ends)) = (report.scalars.get("actuation.begins"), report.scalars.get("actuation.ends")) {
        let path =
            report.servo_interval.map_or(String::new(), |[a, b]| format!(", the path from {a:.3} s to {b:.3} s"));
        let _ = writeln!(out, "  actuation acts from {begins:.3} s to {ends:.3} s{path}");
    }
    if let Some(error) = report.residuals.get("estimated_relative_error") {
        let _ = writeln!(out, "  estimated relative error of the forces {error:.1e}");
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
    // Without a solution there is nothing to expect of it.
    for expectation in report.expectations.iter().filter(|e| report.status == "solved" || e.found.is_some()) {
        let found = expectation.found.map_or("not found".to_owned(), |found| format!("{found:.7}"));
        let word = if expectation.met { "as expected" } else { "NOT AS EXPECTED" };
        let _ = writeln!(
            out,
            "  {word}: {} = {found}, known {} ± {:.1e}",
            expectation.name, expectation.expected, expectation.allowed
        );
    }
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

/// One line for a run that did not end well.
pub fn trouble(report: &Report) -> String {
    let missed = |e: &&Expectation| !e.met && e.found.is_some();
    let missed = report.expectations.iter().filter(missed).map(|e| {
        let found = e.found.map_or_else(String::new, |found| format!(" = {found:.7}"));
        format!("{}{found}, known {} ± {:.1e}", e.name, e.expected, e.allowed)
    });
    let missed: Vec<String> = missed.collect();
    let why = match &report.message {
        Some(message) if *message != report.status => format!(": {message}"),
        _ if !missed.is_empty() => format!(", but not as expected: {}", missed.join("; ")),
        _ => String::new(),
    };
    format!("{}: {}{why}", report.problem.file, report.status)
}
