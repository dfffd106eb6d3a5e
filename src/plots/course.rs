//! Coordinates and velocities of a system over time, and its controls as steps, with their bounds.

use std::collections::BTreeMap;

use super::PlotError;
use super::axes::Quantity;
use super::panels::{Changes, Curve, Panel, Panels, time};
use super::snapshots::{COSTATE, moving_interval, tracks};
use super::style::{REFERENCE, Stroke, THIN};
use crate::results::{Limits, Outcome, Table};

/// Tasks whose results have these pictures, simulations only of systems without places.
const TASK: &str = "optimal-control";
const SIMULATION: &str = "simulate";
/// More panels than this become one for each unit.
const MOST_PANELS: usize = 5;
/// Up to so many coordinates are shown with their velocities.
const WITH_VELOCITIES: usize = 2;
/// Relative change up to which a quantity counts as one that is kept.
const STEADY: f64 = 1e-6;
/// Columns of quantities of the time steps begin so.
const STEP: &str = "step.";
/// Bounds beyond this multiple of the largest value are left out of panels with several curves.
const FAR: f64 = 4.0;
/// Dashes of bounds.
const BOUND: Stroke = Stroke { colour: REFERENCE, width: 1.6 * THIN, pattern: &[7.0, 5.0] };

/// Whether a result is one of a system with coordinates and controls of its own.
pub(super) fn applicable(outcome: &Outcome) -> bool {
    let task = outcome.report.task.as_str();
    task == TASK || (task == SIMULATION && !outcome.motion.columns.is_empty() && tracks(outcome).is_empty())
}

/// Whether its coordinates are no places, or nothing changes its place: then curves show more than snapshots.
pub(super) fn is_abstract(outcome: &Outcome) -> bool {
    applicable(outcome) && (outcome.motion.check().is_err() || moving_interval(&tracks(outcome)).is_none())
}

/// The controls, constant in each step.
pub(super) fn controls(outcome: &Outcome) -> Result<Panels, PlotError> {
    let steps = steps(outcome.steps())?;
    let names: Vec<&str> = steps.columns.iter().map(|(name, _)| name.as_str()).collect();
    Ok(panels(outcome, &steps, &names, "controls"))
}

/// A table whose values hold from their instant to the next as a line with jumps.
pub(super) fn steps(table: &Table) -> Result<Table, PlotError> {
    table.check()?;
    let columns = table.columns.iter();
    Ok(Table {
        t: stepped(&table.t, |k, after| if after { table.t[k + 1] } else { table.t[k] }),
        columns: columns.map(|(name, values)| (name.clone(), stepped(&table.t, |k, _| values[k]))).collect(),
    })
}

/// Values at both ends of every step.
fn stepped(t: &[f64], value: impl Fn(usize, bool) -> f64) -> Vec<f64> {
    (0..t.len().saturating_sub(1)).flat_map(|k| [value(k, false), value(k, true)]).collect()
}

/// Coordinates over time; of one or two coordinates the velocities as well.
pub(super) fn motion(outcome: &Outcome) -> Result<Panels, PlotError> {
    let table = &outcome.motion;
    table.check()?;
    let states = states(table);
    let shown: Vec<&str> = match states.len() {
        0..=WITH_VELOCITIES => states.iter().flat_map(|(q, v)| [*q, *v]).collect(),
        _ => states.iter().map(|(q, _)| *q).collect(),
    };
    let mut drawing = panels(outcome, table, &shown, "coordinates");
    if outcome.report.task == SIMULATION {
        let known = |name: &str| states.iter().any(|(q, v)| *q == name || *v == name);
        let others: Vec<&str> =
            table.columns.iter().map(|(name, _)| name.as_str()).filter(|name| !known(name)).collect();
        let (steady, changing): (Vec<&str>, Vec<&str>) =
            others.into_iter().partition(|name| table.column(name).is_some_and(is_steady));
        drawing.panels.extend(grouped(outcome, table, &changing, "observed", 1).panels);
        let changes = Table {
            t: table.t.clone(),
            columns: steady
                .iter()
                .filter_map(|name| Some(((*name).to_owned(), from_start(table.column(name)?))))
                .collect(),
        };
        drawing.panels.extend(grouped(outcome, &changes, &steady, "change from start", 0).panels);
    }
    Ok(drawing)
}

/// Coordinates with their velocities; places inside rods are too many.
pub(super) fn states(table: &Table) -> Vec<(&str, &str)> {
    let velocity = |name: &str| {
        let wanted = format!("{name}_dot");
        table.columns.iter().find(|(other, _)| *other == wanted).map(|(other, _)| other.as_str())
    };
    let others = |name: &&str| !name.starts_with(COSTATE) && !name.starts_with(STEP) && !name.contains('@');
    let names = table.columns.iter().map(|(name, _)| name.as_str()).filter(others);
    names.filter_map(|name| velocity(name).map(|velocity| (name, velocity))).collect()
}

/// Whether a quantity stays as it begins, as momenta do: its change is what is to be seen.
fn is_steady(values: &[f64]) -> bool {
    let first = values.first().copied().unwrap_or(0.0);
    first != 0.0 && values.iter().all(|value| (value - first).abs() <= STEADY * first.abs())
}

fn from_start(values: &[f64]) -> Vec<f64> {
    let first = values.first().copied().unwrap_or(0.0);
    values.iter().map(|value| value - first).collect()
}

fn panels(outcome: &Outcome, table: &Table, names: &[&str], all: &str) -> Panels {
    grouped(outcome, table, names, all, MOST_PANELS)
}

/// A panel for each name, or for each unit if there are more than `most` names.
fn grouped(outcome: &Outcome, table: &Table, names: &[&str], all: &str, most: usize) -> Panels {
    let report = &outcome.report;
    let unit = |name: &str| report.units.get(name).cloned().unwrap_or_default();
    let mut panels: Vec<Panel> = Vec::new();
    for name in names {
        let Some(values) = table.column(name) else { continue };
        let alone = names.len() <= most;
        // Many share a panel with those of the same unit.
        let quantity = Quantity { name: if alone { *name } else { all }.to_owned(), unit: unit(name) };
        let place = panels.iter().position(|panel| !alone && panel.quantity.unit == quantity.unit);
        let place = place.unwrap_or_else(|| {
            panels.push(Panel { quantity, curves: Vec::new() });
            panels.len() - 1
        });
        let panel = &mut panels[place];
        let index = panel.curves.len();
        let stroke = Stroke::curve(index);
        panel.curves.push(Curve { name: (*name).to_owned(), values: values.to_vec(), stroke });
        if alone && let Some(limits) = report.limits.get(*name) {
            panel.curves.extend(bounds(limits, values.len()));
        }
    }
    if names.len() > most {
        panels.iter_mut().for_each(|panel| limit(panel, &report.limits));
    }
    let title = if report.title.is_empty() { &report.problem.file } else { &report.title };
    Panels {
        title: title.clone(),
        along: time(),
        t: table.t.clone(),
        panels,
        interval: None,
        changes: Changes { at: changes(outcome), words: "phases change" },
    }
}

/// Instants at which phases end, the last one aside.
fn changes(outcome: &Outcome) -> Vec<f64> {
    let end = outcome.actuation.t.last().copied().unwrap_or_default();
    let scalars = outcome.report.scalars.iter();
    let ends = scalars.filter(|(name, _)| name.starts_with("phase.") && name.ends_with(".end"));
    ends.map(|(_, time)| *time).filter(|time| *time < end * (1.0 - 1e-9)).collect()
}

/// Adds the limits of the curves of a panel as dashed lines: one pair where all have the same, else in the colour of each. Such far beyond
/// the curves would only flatten these.
pub(super) fn limit(panel: &mut Panel, limits: &BTreeMap<String, Limits>) {
    let all: Vec<Option<Limits>> = panel.curves.iter().map(|curve| limits.get(&curve.name).copied()).collect();
    let count = panel.curves.first().map_or(0, |curve| curve.values.len());
    let largest = panel.curves.iter().flat_map(|curve| &curve.values).fold(0.0f64, |most, value| most.max(value.abs()));
    let near = |curve: &Curve| curve.values.iter().all(|value| value.abs() <= FAR * largest);
    match all.as_slice() {
        [Some(first), others @ ..] if others.iter().all(|other| *other == Some(*first)) => {
            panel.curves.extend(bounds(first, count).filter(near));
        }
        _ => {
            let own = panel.curves.iter().zip(&all).filter_map(|(curve, limits)| {
                let stroke = Stroke { colour: curve.stroke.colour, ..BOUND };
                let named = |bound: Curve| {
                    let name =
                        if bound.name.is_empty() { String::new() } else { format!("{} of {}", bound.name, curve.name) };
                    Curve { name, stroke, ..bound }
                };
                Some(bounds(limits.as_ref()?, count).map(named).collect::<Vec<_>>())
            });
            let own: Vec<Curve> = own.flatten().filter(near).collect();
            panel.curves.extend(own);
        }
    }
}

fn bounds(limits: &Limits, count: usize) -> impl Iterator<Item = Curve> {
    // Both bounds have one entry in the legend.
    let named = match limits.upper {
        Some(_) if limits.lower.is_some() => [("bounds", limits.upper), ("", limits.lower)],
        _ => [("upper bound", limits.upper), ("lower bound", limits.lower)],
    };
    named.into_iter().filter_map(move |(name, bound)| {
        bound.map(|bound| Curve { name: name.to_owned(), values: vec![bound; count], stroke: BOUND })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome() -> Outcome {
        let t = vec![0.0, 1.0, 3.0];
        let mut outcome = Outcome {
            actuation: Table { t: t.clone(), columns: vec![("force".into(), vec![2.0, -1.0, -1.0])] },
            motion: Table {
                t,
                columns: ["x", "x_dot", "costate.x"].map(|name| (name.to_owned(), vec![0.0, 1.0, 2.0])).into(),
            },
            ..Outcome::default()
        };
        outcome.report.task = TASK.into();
        outcome.report.limits.insert("force".into(), Limits { lower: None, upper: Some(2.5) });
        outcome.report.units.insert("x".into(), "m".into());
        outcome
    }

    #[test]
    fn controls_are_steps_under_their_bounds() {
        let drawing = controls(&outcome()).unwrap();
        assert_eq!(drawing.t, [0.0, 1.0, 1.0, 3.0]);
        let curves = &drawing.panels[0].curves;
        assert_eq!(curves[0].values, [2.0, 2.0, -1.0, -1.0]);
        assert_eq!((curves.len(), curves[1].name.as_str(), curves[1].values[3]), (2, "upper bound", 2.5));
    }

    #[test]
    fn changes_of_phases_are_marked_between_the_ends() {
        let mut outcome = outcome();
        assert!(motion(&outcome).unwrap().changes.at.is_empty());
        outcome.report.scalars.insert("phase.first.end".into(), 1.25);
        outcome.report.scalars.insert("phase.second.end".into(), 3.0);
        assert_eq!(motion(&outcome).unwrap().changes.at, [1.25]);
        assert_eq!(controls(&outcome).unwrap().changes.at, [1.25]);
    }

    #[test]
    fn many_columns_share_panels_by_their_units() {
        let mut outcome = outcome();
        let names = ["a", "b", "c", "d", "e", "f"];
        outcome.actuation.columns = names.map(|name| (name.to_owned(), vec![1.0, 2.0, 2.0])).into();
        for (i, name) in names.into_iter().enumerate() {
            outcome.report.units.insert(name.into(), ["N", "N m"][i % 2].into());
        }
        let drawing = controls(&outcome).unwrap();
        let panels: Vec<_> = drawing.panels.iter().map(|p| (p.quantity.unit.as_str(), p.curves.len())).collect();
        assert_eq!(panels, [("N", 3), ("N m", 3)]);
    }

    #[test]
    fn what_is_observed_has_panels_of_its_own_and_what_is_kept_shows_its_change() {
        let mut outcome = outcome();
        outcome.report.task = SIMULATION.into();
        outcome.motion.columns = [("x", 0.0), ("x_dot", 1.0), ("kept", 1e-9), ("a", 1.0), ("b", 2.0)]
            .map(|(name, slope)| (name.to_owned(), outcome.motion.t.iter().map(|t| 14.0 + slope * t).collect()))
            .into();
        let drawing = motion(&outcome).unwrap();
        let panels: Vec<_> = drawing.panels.iter().map(|p| (p.quantity.name.as_str(), p.curves.len())).collect();
        assert_eq!(panels, [("x", 1), ("x_dot", 1), ("observed", 2), ("change from start", 1)]);
        assert!((drawing.panels[3].curves[0].values[2] - 3e-9).abs() < 1e-14);
        assert!(applicable(&outcome) && is_abstract(&outcome));
    }

    #[test]
    fn costates_are_no_film() {
        use crate::plots::{Format, Kind};
        let mut outcome = outcome();
        outcome.motion.columns.push(("costate.y".into(), vec![0.0; 3]));
        assert!(Kind::Motion.available(Format::Png, &outcome) && !Kind::Motion.available(Format::Gif, &outcome));
    }

    #[test]
    fn few_coordinates_are_shown_with_velocities_and_without_costates() {
        let drawing = motion(&outcome()).unwrap();
        let panels: Vec<_> =
            drawing.panels.iter().map(|p| (p.quantity.name.as_str(), p.quantity.unit.as_str())).collect();
        assert_eq!(panels, [("x", "m"), ("x_dot", "")]);
    }
}
