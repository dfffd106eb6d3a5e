//! Statics, simulations and modes are verified by running them again.

use std::fmt::Write;
use std::path::Path;

use super::super::{Exit, say};
use crate::results::Outcome;
use crate::tasks::forward::{Difference, compare};

/// More differences than this are only counted.
const MOST_TOLD: usize = 20;

/// Compares a stored outcome with that of a second run of its problem.
pub fn verdict(folder: &Path, stored: &Outcome, again: &Outcome, changed: &[String]) -> Exit {
    let comparison = compare(stored, again);
    let report = &stored.report;
    // Writing to a String cannot fail.
    let mut out = format!("{}: {} run again\n", report.problem.file, report.task);
    let _ = writeln!(
        out,
        "  {} numbers compared, largest relative difference {:.1e}",
        comparison.compared, comparison.largest
    );
    for difference in comparison.differences.iter().take(MOST_TOLD) {
        let _ = match difference {
            Difference::Status { stored, found } => writeln!(out, "  the status was {stored}, is now {found}"),
            Difference::Value { name, stored, found } => {
                writeln!(out, "  {name}: {stored} is stored, {found} was found")
            }
            Difference::Shape { name } => writeln!(out, "  {name} is in one of the two only, or has another size"),
        };
    }
    if comparison.differences.len() > MOST_TOLD {
        let _ = writeln!(out, "  and {} more differences", comparison.differences.len() - MOST_TOLD);
    }
    let problem_changed = super::told_changes(folder, report, changed, &mut out);
    let solved = again.report.status.is_solved();
    if !solved {
        let message = again.report.message.as_deref().unwrap_or_default();
        let _ = writeln!(out, "  the second run ended as {}: {message}", again.report.status);
    }
    let (word, exit) = match solved && comparison.passed() && changed.is_empty() && !problem_changed {
        true => ("verified", Exit::Success),
        false => ("NOT verified", Exit::Unsolved),
    };
    let _ = writeln!(out, "  {word}");
    exit.max(say(&out))
}
