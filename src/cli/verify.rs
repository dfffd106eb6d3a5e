//! `lariat verify`.

use super::progress::{Level, Progress};
use super::{Exit, VerifyArgs, complain, interrupt, tell};
use crate::problem;
use crate::results::store;
use crate::tasks::{TaskSpec, inverse_dynamics};

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
    let source = &outcome.report.problem;
    let problem = match problem::load(&source.file, &source.text, &source.overrides) {
        Ok(problem) => problem,
        Err(diagnostics) => {
            tell(&diagnostics);
            return Exit::BadInput;
        }
    };
    let changed = store::changed_files(store::folder(&args.result), &outcome.report);
    let mut progress = Progress::new(if args.quiet { Level::Quiet } else { Level::Normal });
    let TaskSpec::InverseDynamics(spec) = &problem.spec.task;
    let verified = inverse_dynamics::reverify(&problem.system, spec, &outcome, &mut progress);
    progress.finish();
    let verification = match verified {
        Ok(verification) => verification,
        Err(error) => {
            complain(&error.to_string());
            return Exit::Unsolved;
        }
    };
    println!("{}: {}", source.file, verification.scheme);
    for (name, error) in &verification.max_error {
        let tolerance = verification.tolerance.get(name).copied().unwrap_or(0.0);
        let word = if *error <= tolerance { "within" } else { "OUTSIDE" };
        println!("  {name}: largest deviation {error:.3e}, {word} tolerance {tolerance:.1e}");
    }
    for name in &changed {
        println!("  {name} is not the file that was written with this result");
    }
    let actuation_changed = changed.iter().any(|name| name == "actuation.csv");
    if verification.passed && !actuation_changed {
        println!("  verified");
        Exit::Success
    } else {
        println!("  NOT verified");
        Exit::Unsolved
    }
}
