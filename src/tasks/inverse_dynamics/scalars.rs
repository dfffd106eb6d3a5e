//! Scalars of a result under the names `[expect]` uses.

use super::chain::{coordinate, field_names};
use super::effort::EFFORT_SCALARS;
use crate::discretisation::chain::RodChain;
use crate::mechanism::{Frame, RodPart};
use crate::results::{Outcome, Table};
use crate::tasks::{System, sections};

/// Scalars under the names `[expect]` uses.
pub fn actuation_scalars(system: &System, outcome: &mut Outcome) {
    table_scalars(system.grid.dt, outcome);
}

/// The same of any mechanism, for a time step.
pub fn table_scalars(dt: f64, outcome: &mut Outcome) {
    let scalars = &mut outcome.report.scalars;
    for (name, values) in &outcome.actuation.columns {
        let upper = peak(values.iter().copied());
        let lower = -peak(values.iter().map(|v| -v));
        let rms = (values.iter().map(|v| v * v).sum::<f64>() / values.len() as f64).sqrt();
        let ends = (values.first().copied().unwrap_or(0.0), values.last().copied().unwrap_or(0.0));
        let values = [upper.abs().max(lower.abs()), upper, lower, rms, ends.0, ends.1];
        for (what, value) in ACTUATION_SCALARS.into_iter().zip(values) {
            scalars.insert(format!("actuation.{name}.{what}"), value);
        }
    }
    for (name, values) in &outcome.motion.columns {
        if let (Some(first), Some(last)) = (values.first(), values.last()) {
            scalars.insert(format!("motion.{name}.initial"), *first);
            scalars.insert(format!("motion.{name}.final"), *last);
        }
    }
    if let Some([begin, end]) = active(&outcome.actuation) {
        scalars.insert("actuation.begins".into(), begin);
        scalars.insert("actuation.ends".into(), end);
    }
    if let Some(error) = outcome.report.residuals.get("estimated_relative_error") {
        scalars.insert("estimated_relative_error".into(), *error);
    }
    scalars.insert("grid.dt".into(), dt);
}

/// What is told of every actuation column.
pub(super) const ACTUATION_SCALARS: [&str; 6] = ["max", "upper", "lower", "rms", "initial", "final"];

/// Names of all scalars a solved system has: what `[expect]` may refer to.
pub fn scalar_names(system: &System) -> Vec<String> {
    let mut names: Vec<String> =
        ["actuation.begins", "actuation.ends", "energy.actuator_work", "estimated_relative_error", "grid.dt"]
            .map(str::to_owned)
            .into();
    for channel in &system.channels {
        names.extend(ACTUATION_SCALARS.map(|what| format!("actuation.{}.{what}", channel.name)));
        names.extend(EFFORT_SCALARS.map(|what| format!("actuation.{}.{what}", channel.name)));
    }
    for output in &system.outputs {
        names.push(format!("verification.{}.max_error", output.name));
    }
    let chain = &system.chain;
    let hanging = chain.branches.iter().flat_map(|branch| branch.frames()).map(|(name, _)| name);
    let frames: Vec<String> = chain.frames().into_iter().map(|(name, ..)| name).chain(hanging).collect();
    let coordinates: Vec<&str> = chain.components().iter().map(|component| coordinate(chain, *component)).collect();
    for frame in &frames {
        for coordinate in &coordinates {
            names.extend(["initial", "final"].map(|when| format!("motion.{frame}.{coordinate}.{when}")));
        }
    }
    let marched = |rod: &RodPart| chain.legs.iter().any(|leg| chain.rod(leg).name == rod.name);
    let fields = |rod: &RodPart| if marched(rod) { field_names(chain)[2].to_vec() } else { Vec::new() };
    names.extend(sections::names(&chain.mechanism, &sections_of(chain), false, fields));
    names
}

/// The sections of a row of rods that are told by themselves: ends of rods.
pub fn sections_of(chain: &RodChain) -> Vec<(String, Frame)> {
    chain.frames().into_iter().map(|(name, frame, ..)| (name, frame)).collect()
}

/// Largest value of a sampled function: the vertex of the parabola through the largest sample and its neighbours.
pub(super) fn peak(values: impl Iterator<Item = f64>) -> f64 {
    let values: Vec<f64> = values.collect();
    let Some(top) = (0..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b])) else { return 0.0 };
    if top == 0 || top + 1 == values.len() {
        return values[top];
    }
    let (a, b, c) = (values[top - 1], values[top], values[top + 1]);
    let curvature = a - 2.0 * b + c;
    if curvature < 0.0 { b - (c - a).powi(2) / (8.0 * curvature) } else { b }
}

/// First and last instant at which a force differs from its first (last) value by more than 10⁻⁶ of the largest change.
fn active(table: &Table) -> Option<[f64; 2]> {
    let mut span: Option<[f64; 2]> = None;
    for (_, values) in &table.columns {
        let (first, last) = (*values.first()?, *values.last()?);
        let change = values.iter().map(|v| (v - first).abs()).fold(0.0, f64::max);
        let differs = |reference: f64| move |v: &f64| (v - reference).abs() > 1e-6 * change;
        if let (Some(begin), Some(end)) =
            (values.iter().position(differs(first)), values.iter().rposition(differs(last)))
        {
            let [a, b] = span.unwrap_or([f64::INFINITY, f64::NEG_INFINITY]);
            span = Some([a.min(*table.t.get(begin)?), b.max(*table.t.get(end)?)]);
        }
    }
    span
}
