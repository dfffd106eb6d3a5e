//! What a simulation of a system is about.

use std::fmt::Write;

use crate::discretisation::multirate::MacroStep;
use crate::nlp::SquareSystem;
use crate::tasks::resting::{Asked, RestingSystem};
use crate::tasks::simulation::lagrangian::{MovingSystem, MultirateMarcher, Scheme};

/// Explains the system, its grids and the size of a step.
pub fn explain(file: &str, system: &MovingSystem) -> String {
    let mut out = format!("{file}: {}\n", if system.title.is_empty() { "no title" } else { &system.title });
    let grid = system.grid;
    // Writing to a String cannot fail.
    let _ = writeln!(
        out,
        "  task simulate from {} s to {} s in {} steps of {:.6} s",
        grid.start,
        grid.end(),
        grid.steps,
        grid.dt
    );
    let _ = writeln!(out, "  {}", system.scheme.name());
    let names = system.mechanics.coordinates();
    let _ = writeln!(out, "  {} coordinates: {}", names.len(), names.join(", "));
    if let Scheme::Multirate(rates) = &system.scheme {
        let of = |wanted: bool| {
            let list = names.iter().zip(&rates.fast).filter(|(_, fast)| **fast == wanted);
            list.map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ")
        };
        let _ = writeln!(out, "  slow, steps of {:.3e} s: {}", grid.dt, of(false));
        let _ = writeln!(out, "  fast, steps of {:.3e} s: {}", grid.dt / rates.micro as f64, of(true));
        let begun = MultirateMarcher::new(rates, grid.dt, grid.start, &system.start.0, &system.start.1);
        if let Ok(marcher) = begun {
            let step: &MacroStep = marcher.step();
            let _ = writeln!(out, "  {} unknowns in a macro step", step.size());
        }
    }
    out
}

/// Explains a system of which the equilibrium or vibrations about it are asked.
pub fn explain_rest(file: &str, system: &RestingSystem) -> String {
    let mut out = format!("{file}: {}\n", if system.title.is_empty() { "no title" } else { &system.title });
    let names = system.mechanics.coordinates();
    let near = names.iter().zip(&system.start).map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>();
    let what = match system.asked {
        Asked::Equilibrium => String::new(),
        Asked::Modes { count, .. } => format!("{count} modes about "),
    };
    let task = system.task();
    // Writing to a String cannot fail.
    let _ = writeln!(out, "  task {task}: {what}the stationary point of the Lagrangian near {}", near.join(", "));
    let _ = writeln!(out, "  {} coordinates: {}", names.len(), names.join(", "));
    out
}
