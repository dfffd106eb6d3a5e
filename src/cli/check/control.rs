//! What an optimal-control problem asks.

use std::fmt::Write;

use super::forward::digits;
use crate::discretisation::transcription::{End, Given, Reduction};
use crate::tasks::optimal_control::ControlSystem;
use crate::tasks::velocity_name;

/// Explains an optimal-control problem.
pub fn explain(file: &str, system: &ControlSystem) -> String {
    let mut out = format!("{file}: {}\n", if system.title.is_empty() { "no title" } else { &system.title });
    let problem = &system.problem;
    let (coordinates, controls) = (system.coordinates(), system.controls());
    let rule = problem.rule.name();
    // Writing to a String cannot fail.
    let equal = if system.phases.is_some() { "" } else { "equal " };
    let _ =
        writeln!(out, "  task optimal-control by discrete mechanics ({rule}): {} {equal}time steps", system.intervals);
    let _ = writeln!(out, "  minimised: {}", system.cost.join(" + "));
    let _ = match problem.duration {
        Given::Fixed(duration) => writeln!(out, "  duration {} s", digits(duration)),
        Given::Between(lower, upper) => writeln!(
            out,
            "  duration free between {} s and {} s, the search begins at {} s",
            digits(lower),
            digits(upper),
            digits(problem.guess.duration)
        ),
    };
    let ranges = |names: &[String], bounds: &[(f64, f64)]| -> String {
        let one = |(name, (lower, upper)): (&String, &(f64, f64))| match (lower.is_finite(), upper.is_finite()) {
            (false, false) => name.clone(),
            _ => format!("{name} {}", range(*lower, *upper)),
        };
        names.iter().zip(bounds).map(one).collect::<Vec<_>>().join(", ")
    };
    // Places inside rods are many, and follow from the rods.
    let inside = coordinates.iter().filter(|name| name.contains('@')).count();
    let more = if inside > 0 { format!(", and {inside} of places inside rods") } else { String::new() };
    let told: (Vec<String>, Vec<(f64, f64)>) = coordinates
        .iter()
        .cloned()
        .zip(problem.coordinate_bounds.iter().copied())
        .filter(|(name, _)| !name.contains('@'))
        .unzip();
    let _ = writeln!(out, "  {}: {}{more}", count(coordinates.len(), "coordinate"), ranges(&told.0, &told.1));
    if let Some(body) = &system.multibody {
        let _ = writeln!(out, "  {} of freedom besides the joints", count(body.freedoms(), "degree"));
    }
    if let (Reduction::NullSpace, Some(chart)) = (problem.reduction, problem.mechanics.chart()) {
        let names: Vec<&str> = chart.groups().iter().map(|group| group.name.as_str()).collect();
        let _ = writeln!(
            out,
            "  {} of {}, in place of these",
            count(chart.freedoms(), "local coordinate"),
            names.join(", ")
        );
    }
    let _ = writeln!(out, "  {}: {}", count(controls.len(), "control"), ranges(&controls, &problem.control_bounds));
    let _ = writeln!(out, "  at the start: {}", end(&problem.start, &coordinates));
    let _ = writeln!(out, "  at the end: {}", end(&problem.end, &coordinates));
    for (coordinate, change) in &problem.periodic {
        let name = &coordinates[*coordinate];
        let _ = writeln!(out, "  {name} repeats: it ends {} further, with the same velocity", digits(*change));
    }
    for path in &problem.path {
        let _ = writeln!(out, "  along the way: {} {}", path.name, range(path.lower, path.upper));
    }
    for phase in system.phases.iter().flat_map(|phases| phases.phases()) {
        let until: Vec<String> = phase.until.iter().map(|(name, _)| format!("`{name}` = 0")).collect();
        let until = if until.is_empty() { String::new() } else { format!(", until {}", until.join(" and ")) };
        let duration = match phase.problem.duration {
            Given::Fixed(duration) => format!("{} s", digits(duration)),
            Given::Between(lower, upper) => format!("{} s to {} s", digits(lower), digits(upper)),
        };
        let _ = writeln!(out, "  phase {}: {} time steps, {duration}{until}", phase.name, phase.intervals);
    }
    if let Some(tolerance) = system.options.tolerance {
        let most = system.options.most_intervals;
        let _ = writeln!(out, "  steps are doubled up to {most} until the error of each is below {tolerance:.1e}");
    }
    if let Some(starts) = system.options.starts {
        let _ = writeln!(out, "  {} starts: the guess and random changes of it (seed {})", starts.count, starts.seed);
    }
    let _ = match system.sizes(system.intervals) {
        Ok(sizes) => writeln!(out, "  {} variables, {} equations and path constraints", sizes.variables, sizes.rows),
        Err(error) => writeln!(out, "  NOT SOLVABLE as it stands: {error}"),
    };
    out
}

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

fn range(lower: f64, upper: f64) -> String {
    match (lower.is_finite(), upper.is_finite()) {
        (true, true) => format!("from {} to {}", digits(lower), digits(upper)),
        (true, false) => format!("at least {}", digits(lower)),
        (false, true) => format!("at most {}", digits(upper)),
        (false, false) => "free".to_owned(),
    }
}

fn end(end: &End, coordinates: &[String]) -> String {
    let shown = |name: String, given: Given| match given {
        Given::Fixed(value) => format!("{name} = {}", digits(value)),
        Given::Between(lower, upper) => format!("{name} {}", range(lower, upper)),
    };
    let outside = |name: &&String| !name.contains('@');
    let positions = coordinates.iter().zip(&end.position).filter(|(name, _)| outside(name));
    let positions = positions.map(|(name, given)| shown(name.clone(), *given));
    let mut parts: Vec<String> = positions.collect();
    if end.velocity.iter().all(|given| *given == Given::Fixed(0.0)) {
        parts.push("at rest".to_owned());
    } else {
        let velocities = coordinates.iter().zip(&end.velocity).filter(|(name, _)| outside(name));
        parts.extend(velocities.map(|(name, given)| shown(velocity_name(name), *given)));
    }
    parts.join(", ")
}
