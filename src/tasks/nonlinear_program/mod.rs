//! A nonlinear program from a modelling language: solved, described, and checked again from its files.

mod measures;
mod options;
mod outcome;
mod reverify;
mod survey;

use std::time::Instant;

use super::Observer;
use super::iteration::row;
use crate::nlp::ampl::Model;
use crate::results::Outcome;
use crate::solver::constrained::{Iterate, IterationRecord, Options, solve};

pub use measures::Measures;
pub use options::{OptionError, is_option, options};
pub use outcome::{CONSTRAINTS, SOLUTION, TASK};
pub(in crate::tasks) use outcome::{ended, meaning, refused};
pub use reverify::{Check, Reverified, reverify};
pub use survey::{Survey, examine, survey};

/// What a run leaves behind.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The record of the run.
    pub outcome: Outcome,
    /// The tables of variables and rows, by file name; none where solving could not begin.
    pub tables: Vec<(String, Vec<u8>)>,
    /// The contents of the `.sol` file that answers the `.nl` file.
    pub sol: String,
}

/// Solves the program from the start in its file.
pub fn run(model: &mut Model, options: &Options, observer: &mut dyn Observer) -> Answer {
    let clock = Instant::now();
    let sense = sense(model);
    let start = start(model, options);
    let mut begun = false;
    observer.phase("solving", 0);
    let mut observe = |record: &IterationRecord| {
        if record.iter == 0 && begun {
            observer.note("starting over: from elsewhere, or to find out which constraints conflict");
        }
        begun = true;
        observer.iteration(&row(record, sense));
        !observer.interrupted()
    };
    let solved = solve(&mut model.program, &start, options, &mut observe);
    outcome::answer(model, options, solved, clock.elapsed())
}

/// The start of the file; its multipliers count only where it is said to be near a solution.
fn start(model: &Model, options: &Options) -> Iterate {
    let lambda = if options.warm { model.multipliers.clone() } else { Vec::new() };
    Iterate { lambda, ..Iterate::at(model.program.start()) }
}

/// The factor between the objective that is minimised and the one of the file.
fn sense(model: &Model) -> f64 {
    if model.program.is_maximised() { -1.0 } else { 1.0 }
}
