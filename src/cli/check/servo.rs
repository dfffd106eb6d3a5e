//! What a servo problem of a discrete mechanism asks, and what its structure tells.

use std::fmt::Write;

use super::super::Exit;
use super::Explanation;
use crate::discretisation::index::breaks;
use crate::tasks::inverse_dynamics::sequential::ServoSystem;

/// Explains a servo problem.
pub fn explain(file: &str, system: &ServoSystem) -> Explanation {
    let mechanism = match system.analyse() {
        Ok((_, mechanism)) => mechanism,
        Err(error) => return Explanation::failed(format!("{file}: {error}")),
    };
    let (grid, problem) = (system.grid, &system.problem);
    let mut out = format!("{file}: {}\n", if system.title.is_empty() { "no title" } else { &system.title });
    // Writing to a String cannot fail.
    let _ = writeln!(out, "  time {} s to {} s in {} steps of {:.6} s", grid.start, grid.end(), grid.steps, grid.dt);
    let (coordinates, controls) = (problem.mechanics.coordinates(), problem.mechanics.controls());
    let constraints = mechanism.unknowns.len() - coordinates.len() - controls.len();
    let _ = writeln!(out, "  {} coordinates, {constraints} constraints", coordinates.len());
    let outputs: Vec<&str> = problem.outputs.iter().map(|output| output.name.as_str()).collect();
    let _ = writeln!(out, "  {} servo outputs: {}", outputs.len(), outputs.join(", "));
    let _ = writeln!(out, "  {} actuator inputs: {}", controls.len(), controls.join(", "));
    let reason = if system.reason.is_empty() { String::new() } else { format!(" ({})", system.reason) };
    let _ = writeln!(out, "  method sequential{reason}: {}", system.describe(&mechanism));
    for (output, degree) in outputs.iter().zip(&mechanism.relative_degrees) {
        let _ = writeln!(
            out,
            "  the path of {output} needs {} continuous derivatives, {degree} for forces without jumps",
            degree.saturating_sub(1)
        );
    }
    let mut exit = Exit::Success;
    match breaks(problem, &mechanism, &grid.times()) {
        Ok((found, _)) => {
            for found in found {
                let (output, degree) = (outputs[found.output], mechanism.relative_degrees[found.output]);
                let (word, worse) = match found.order < degree {
                    true => ("NOT SOLVABLE as it stands", Exit::Unsolved),
                    false => ("the actuation will jump", Exit::Success),
                };
                exit = exit.max(worse);
                let _ = writeln!(
                    out,
                    "  {word}: derivative {} of the path of {output} jumps by {:.4e} at t = {:.6} s",
                    found.order,
                    found.after - found.before,
                    found.time
                );
            }
        }
        Err(error) => {
            exit = Exit::Unsolved;
            let _ = writeln!(out, "  NOT SOLVABLE as it stands: {error}");
        }
    }
    if let Some(advice) = system.recommendation(mechanism.index) {
        let _ = writeln!(out, "  {advice}");
    }
    Explanation::new(exit, out)
}
