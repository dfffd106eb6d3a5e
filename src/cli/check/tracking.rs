//! What an optimised motion along servo paths asks.

use std::fmt::Write;

use super::super::Exit;
use super::Explanation;
use crate::discretisation::index::kinks_of_outputs;
use crate::tasks::inverse_dynamics::optimise::{Following, TrackingSystem};

/// Explains a tracking problem.
pub fn explain(file: &str, system: &TrackingSystem) -> Explanation {
    let posed = match system.pose(&|| true) {
        Ok(posed) => posed,
        Err(error) => return Explanation::failed(format!("{file}: {error}")),
    };
    let (grid, servo) = (system.servo.grid, &system.servo);
    let mut out = format!("{file}: {}\n", if servo.title.is_empty() { "no title" } else { &servo.title });
    // Writing to a String cannot fail.
    let _ = writeln!(out, "  time {} s to {} s in {} steps of {:.6} s", grid.start, grid.end(), grid.steps, grid.dt);
    let outputs = servo.problem.outputs.iter().zip(&posed.sizes);
    let outputs: Vec<String> = outputs.map(|(output, size)| format!("{} (size {size:.4})", output.name)).collect();
    let _ = writeln!(out, "  {} servo outputs: {}", outputs.len(), outputs.join(", "));
    let inputs = servo.problem.mechanics.controls().into_iter().zip(&posed.needed).zip(&system.control_bounds);
    let inputs: Vec<String> = inputs
        .map(|((name, needed), (lower, upper))| match lower.is_finite() || upper.is_finite() {
            true => format!("{name} (from {lower} to {upper}, about {needed:.3e} needed)"),
            false => format!("{name} (about {needed:.3e} needed)"),
        })
        .collect();
    let _ = writeln!(out, "  {} actuator inputs: {}", inputs.len(), inputs.join(", "));
    let _ = match system.following {
        Following::Exact => writeln!(out, "  method optimise: the paths are followed exactly, with the least effort"),
        Following::Best(weight) => {
            writeln!(out, "  method optimise: least deviation from rest to rest, weight of the effort {weight:e}")
        }
    };
    // Masses that a path drives through springs need more derivatives; from the acceleration on any mechanism has finite forces.
    for found in kinks_of_outputs(&servo.problem, 2, &grid.times()) {
        let _ = writeln!(out, "  note: {}", found.words(&servo.problem.outputs[found.output].name));
    }
    if let Ok(sizes) = posed.control.sizes(grid.steps) {
        let _ = writeln!(out, "  a program of {} variables and {} equations", sizes.variables, sizes.rows);
    }
    for warning in &posed.warnings {
        let _ = writeln!(out, "  warning: {warning}");
    }
    Explanation::new(Exit::Success, out)
}
