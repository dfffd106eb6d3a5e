//! Optimal control is verified by the stored controls alone.

use std::fmt::Write;
use std::path::Path;

use super::super::{Exit, complain, say};
use crate::results::Outcome;
use crate::tasks::optimal_control::{ControlSystem, reverify};

/// Drives the system by the stored controls.
pub fn verdict(folder: &Path, system: &ControlSystem, stored: &Outcome, changed: &[String]) -> Exit {
    let found = match reverify(system, stored) {
        Ok(found) => found,
        Err(error) => {
            complain(&error.to_string());
            return Exit::Unsolved;
        }
    };
    let verification = &found.verification;
    // Writing to a String cannot fail.
    let mut out = format!("{}: {}\n", stored.report.problem.file, verification.scheme);
    for (name, error) in &verification.max_error {
        let tolerance = verification.tolerance.get(name).copied().unwrap_or(0.0);
        let word = if *error <= tolerance { "within" } else { "OUTSIDE" };
        let _ = writeln!(out, "  {name}: misses the end by {error:.3e}, {word} tolerance {tolerance:.1e}");
    }
    for overrun in &found.overruns {
        let _ = writeln!(out, "  {overrun}");
    }
    if let Some([told, costs]) = found.objective {
        let word = if found.costs_as_told() { "as stored" } else { "NOT as stored" };
        let _ = writeln!(out, "  motion and controls cost {costs:.10}, {word} ({told:.10})");
    }
    let problem_changed = super::told_changes(folder, &stored.report, changed, &mut out);
    let actuation_changed = changed.iter().any(|name| name == "controls.csv" || name == "motion.csv");
    let sound = verification.passed && found.overruns.is_empty() && found.costs_as_told();
    let passed = sound && !problem_changed && !actuation_changed;
    let (word, exit) = if passed { ("verified", Exit::Success) } else { ("NOT verified", Exit::Unsolved) };
    let _ = writeln!(out, "  {word}");
    exit.max(say(&out))
}
