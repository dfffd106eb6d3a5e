//! What a servo problem of a discrete mechanism asks, and what its structure tells.

use std::fmt::Write;

use super::super::Exit;
use super::Explanation;
use crate::discretisation::index::breaks;
use crate::tasks::inverse_dynamics::boundary_value::prospects;
use crate::tasks::inverse_dynamics::sequential::{ServoSystem, Solving};

/// Forces at rest that are printed with six digits are none below this.
const ROUNDING: f64 = 5e-7;

/// Explains a servo problem.
pub fn explain(file: &str, system: &ServoSystem) -> Explanation {
    if system.solving == Solving::Bounded {
        return bounded(file, system);
    }
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

/// Explains one that is solved over all time at once: what holds the mechanism at rest, and its zero dynamics.
fn bounded(file: &str, system: &ServoSystem) -> Explanation {
    let (grid, problem) = (system.grid, &system.problem);
    let mut out = format!("{file}: {}\n", if system.title.is_empty() { "no title" } else { &system.title });
    // Writing to a String cannot fail.
    let _ = writeln!(out, "  time {} s to {} s in {} steps of {:.6} s", grid.start, grid.end(), grid.steps, grid.dt);
    let controls = problem.mechanics.controls();
    let _ = writeln!(out, "  {} coordinates", problem.reference.len());
    let outputs: Vec<&str> = problem.outputs.iter().map(|output| output.name.as_str()).collect();
    let _ = writeln!(out, "  {} servo outputs: {}", outputs.len(), outputs.join(", "));
    let _ = writeln!(out, "  {} actuator inputs: {}", controls.len(), controls.join(", "));
    let reason = if system.reason.is_empty() { String::new() } else { format!(" ({})", system.reason) };
    let _ = writeln!(out, "  method boundary-value{reason}: {} instants at once", grid.steps + 1);
    let found = match prospects(problem, grid) {
        Ok(found) => found,
        Err(error) => {
            let _ = writeln!(out, "  NOT SOLVABLE as it stands: {error}");
            return Explanation::new(Exit::Unsolved, out);
        }
    };
    for (name, [start, end]) in controls.iter().zip(&found.holding) {
        let unit = system.units.get(name).map_or_else(String::new, |unit| format!(" {unit}"));
        let [start, end] = [start, end].map(|value| if value.abs() < ROUNDING { 0.0 } else { *value });
        let _ = writeln!(out, "  {name} at rest: {start:.6}{unit} at the start, {end:.6}{unit} at the end");
    }
    match found.zeros.iter().find(|zero| zero.growth > 0.0) {
        Some(zero) => {
            let _ = writeln!(
                out,
                "  the motion begins before the path and ends after it, within a few times {:.4} s",
                1.0 / zero.growth
            );
        }
        None => {
            let _ = writeln!(out, "  no mode of the zero dynamics in reach of the time step grows or decays");
        }
    }
    if let Some(zero) = found.zeros.iter().filter(|zero| zero.rings()).max_by(|a, b| a.excited.total_cmp(&b.excited)) {
        let _ = writeln!(out, "  {}", zero.told());
    }
    Explanation::new(Exit::Success, out)
}
