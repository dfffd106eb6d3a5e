//! What can move in a mechanism of parts, and what solvers make of conditions that repeat each other.

use super::super::{Exit, mobility};
use super::Explanation;
use crate::mechanism::Mechanism;
use crate::problem::{Diagnostics, Question};
use crate::results::Mobility;
use crate::tasks::mobility::survey;

/// Tells what can move, and what becomes of conditions that repeat each other: those that do so in every configuration are left
/// out by the solvers, as long as the configuration is no singular one.
pub fn explain(question: &Question, mechanism: &Mechanism) -> Explanation {
    let found = match survey(mechanism) {
        Ok(found) => found,
        Err(error) => return Explanation::failed(error.to_string()),
    };
    let mut out = mobility::words(&found);
    let needs_independence = matches!(question, Question::Statics(..) | Question::Simulate(..) | Question::Modes(..));
    let mut exit = Exit::Success;
    let singular = found.infinitesimal > found.finite;
    if needs_independence && singular && !found.solver_overlaps().is_empty() {
        out.push_str(&format!("  NOT SOLVABLE as it stands: {}\n", verdict(&found)));
        exit = Exit::Unsolved;
    }
    Explanation::new(exit, out)
}

/// Which conditions stand in the way.
fn verdict(found: &Mobility) -> String {
    let repeated: Vec<String> = found.solver_overlaps().iter().map(mobility::repeated).collect();
    format!("conditions of joints or supports are redundant, and the equations are singular: {}", repeated.join("; "))
}

/// A file that is understood, but whose task cannot be done with its mechanism: tells what can move, and why not. Other mistakes
/// are told as such.
pub fn refused(file: &str, mistakes: Diagnostics, mechanism: Option<&Mechanism>) -> Explanation {
    let found = mechanism.filter(|_| mistakes.list.iter().all(|mistake| mistake.unsolvable)).map(survey);
    let Some(Ok(found)) = found else {
        let told = Explanation::new(Exit::BadInput, String::new());
        return Explanation { mistakes: Some(mistakes), ..told };
    };
    let mut out = format!("{file}\n{}", mobility::words(&found));
    for mistake in &mistakes.list {
        let help = mistake.help.as_ref().map_or(String::new(), |help| format!(" ({help})"));
        out.push_str(&format!("  NOT SOLVABLE as it stands: {}{help}\n", mistake.message));
    }
    Explanation::new(Exit::Unsolved, out)
}
