//! `lariat verify`.

mod control;
mod forward;

use std::fmt::Write;
use std::path::Path;

use super::progress::{Level, Progress};
use super::{Exit, VerifyArgs, complain, interrupt, kept_name, model, say, tell};
use crate::problem::{self, Question};
use crate::results::{Report, store};
use crate::tasks::nonlinear_program;

/// Run.
pub fn run(args: &VerifyArgs) -> Exit {
    interrupt::listen();
    let outcome = match store::read(&args.result) {
        Ok(outcome) => outcome,
        Err(error) => {
            complain(&error.to_string());
            return Exit::BadInput;
        }
    };
    if outcome.report.task == nonlinear_program::TASK {
        return model::verify(&args.result, &outcome.report);
    }
    let source = &outcome.report.problem;
    let folder = store::folder(&args.result);
    let read = |name: &str| std::fs::read(folder.join(kept_name(name)));
    let problem = match problem::load_with(&source.file, &source.text, &source.overrides, &read) {
        Ok(problem) => problem,
        Err(diagnostics) => {
            tell(&diagnostics);
            return Exit::BadInput;
        }
    };
    let changed = store::changed_files(folder, &outcome.report);
    let mut progress = Progress::new(if args.quiet { Level::Quiet } else { Level::Normal });
    if let Question::OptimalControl(system) = &problem.question {
        progress.finish();
        return control::verdict(folder, system, &outcome, &changed);
    }
    let Some(verified) = problem.question.task().verify(&outcome, &mut progress) else {
        let again = problem.question.task().run(&mut progress);
        progress.finish();
        return forward::verdict(folder, &outcome, &again, &changed);
    };
    progress.finish();
    let verification = match verified {
        Ok(verification) => verification,
        Err(error) => {
            complain(&error.to_string());
            return Exit::Unsolved;
        }
    };
    // Writing to a String cannot fail.
    let mut out = format!("{}: {}\n", source.file, verification.scheme);
    for (name, error) in &verification.max_error {
        let tolerance = verification.tolerance.get(name).copied().unwrap_or(0.0);
        let word = if *error <= tolerance { "within" } else { "OUTSIDE" };
        let _ = writeln!(out, "  {name}: largest deviation {error:.3e}, {word} tolerance {tolerance:.1e}");
    }
    let problem_changed = told_changes(folder, &outcome.report, &changed, &mut out);
    // The stored motion counts only where the simulation took states from it.
    let used_motion = verification.from_moving_state || verification.segments > 1;
    let states = if matches!(problem.question, Question::Servo(_) | Question::Tracking(_)) {
        "motion.csv"
    } else {
        "motion.npz"
    };
    let actuation_changed = changed.iter().any(|name| {
        let driving = if outcome.controls.is_empty() { "actuation.csv" } else { "controls.csv" };
        name == driving || (used_motion && name == states)
    });
    let (word, exit) = match verification.passed && !actuation_changed && !problem_changed {
        true => ("verified", Exit::Success),
        false => ("NOT verified", Exit::Unsolved),
    };
    let _ = writeln!(out, "  {word}");
    exit.max(say(&out))
}

/// Tells which files and whether the problem text were changed; whether the latter was.
fn told_changes(folder: &Path, report: &Report, changed: &[String], out: &mut String) -> bool {
    for name in changed {
        let what = if folder.join(name).exists() { "is not as it was written with" } else { "is missing from" };
        let _ = writeln!(out, "  {name} {what} this result");
    }
    let problem_changed = store::sha256(report.problem.text.as_bytes()) != report.problem.sha256;
    if problem_changed {
        let _ = writeln!(out, "  the problem text in result.json is not the one that was solved");
    }
    problem_changed
}
