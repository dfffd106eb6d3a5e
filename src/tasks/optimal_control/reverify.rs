//! A stored result, checked by its controls alone.

use super::question::ControlSystem;
use super::resimulation::{Course, Leg, resimulate, wanted};
use crate::discretisation::dmoc::{ControlProblem, End, Given};
use crate::results::{Outcome, Table, Verification};
use crate::tasks::TaskError;

/// Overrun of a bound, relative to its size, that counts as none.
const OVERRUN: f64 = 1e-6;

/// What a second look found.
#[derive(Debug, Clone, PartialEq)]
pub struct Reverified {
    /// The motion that the stored controls produce.
    pub verification: Verification,
    /// Bounds that the stored controls exceed, in words.
    pub overruns: Vec<String>,
}

/// Lets the stored controls drive the system, from the start that the problem states. Only where the problem leaves a
/// state free is the stored motion asked for it.
pub fn reverify(system: &ControlSystem, stored: &Outcome) -> Result<Reverified, TaskError> {
    let (names, inputs) = (system.coordinates(), system.controls());
    let missing = |reason: String| TaskError::Incomplete { reason };
    let nodes = stored.actuation.t.len();
    if nodes < 2 {
        return Err(missing("there is no actuation with at least one step".into()));
    }
    let columns = inputs.iter().map(|name| {
        let column = stored.actuation.column(name);
        column.ok_or_else(|| missing(format!("actuation.csv has no column `{name}`")))
    });
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    let controls: Vec<Vec<f64>> = (0..nodes - 1).map(|k| columns.iter().map(|column| column[k]).collect()).collect();
    let start = state(&system.problem.start, &stored.motion, &names, false)?;
    let end = state(&system.problem.end, &stored.motion, &names, true)?;
    let (position, velocity) = start.split_at(names.len());
    let duration = stored.actuation.t[nodes - 1] - stored.actuation.t[0];
    let legs = legs(system, &stored.actuation.t, &controls)?;
    let course = Course { position, velocity, legs: &legs };
    let wanted = wanted(&system.problem.end, end.split_at(names.len()));
    let (verification, _) = resimulate(course, &wanted).map_err(|error| missing(error.to_string()))?;
    let mut overruns = Vec::new();
    for ((name, column), (lower, upper)) in inputs.iter().zip(columns).zip(&system.problem.control_bounds) {
        for (k, value) in column.iter().enumerate() {
            if *value < lower - OVERRUN * (1.0 + lower.abs()) || *value > upper + OVERRUN * (1.0 + upper.abs()) {
                overruns.push(format!("{name} is {value} at t = {:.6} s, beyond its bounds", stored.actuation.t[k]));
                break;
            }
        }
    }
    for (leg, phase) in legs.iter().zip(system.phases.iter().flat_map(|phases| phases.phases())) {
        let (least, most) = phase.problem.duration.bounds();
        if leg.duration < least - OVERRUN * (1.0 + least) || leg.duration > most + OVERRUN * (1.0 + most) {
            overruns.push(format!("phase `{}` lasts {} s, beyond its bounds", phase.name, leg.duration));
        }
    }
    let (least, most) = system.problem.duration.bounds();
    if duration < least - OVERRUN * (1.0 + least) || duration > most + OVERRUN * (1.0 + most) {
        overruns.push(format!("the motion lasts {duration} s, beyond its bounds"));
    }
    Ok(Reverified { verification, overruns })
}

/// The stored phases, as long as their steps are; one where the problem has none.
fn legs<'a>(system: &'a ControlSystem, t: &[f64], controls: &'a [Vec<f64>]) -> Result<Vec<Leg<'a>>, TaskError> {
    if system.phases.is_none() {
        let duration = t[controls.len()] - t[0];
        return Ok(vec![Leg { problem: &system.problem, duration, controls }]);
    }
    let stated = system.legs();
    let steps: usize = stated.iter().map(|(_, steps)| steps).sum();
    if steps != controls.len() {
        let reason = format!("actuation.csv has {} steps, the phases have {steps}", controls.len());
        return Err(TaskError::Incomplete { reason });
    }
    let mut first = 0;
    let leg = |(problem, steps): (&'a ControlProblem, usize)| {
        let range = first..first + steps;
        first += steps;
        Leg { problem, duration: t[range.end] - t[range.start], controls: &controls[range] }
    };
    Ok(stated.into_iter().map(leg).collect())
}

/// Coordinates and velocities at an end: what the problem gives, and of the stored motion what it leaves open.
fn state(end: &End, motion: &Table, names: &[String], last: bool) -> Result<Vec<f64>, TaskError> {
    let names = super::lagrangian::variable_names(names, &[]);
    let given = end.position.iter().chain(&end.velocity);
    let of = |(given, name): (&Given, String)| match given {
        Given::Fixed(value) => Ok(*value),
        Given::Between(..) => {
            let column = motion.column(&name).filter(|column| !column.is_empty());
            let reason = || format!("motion.csv has no column `{name}`, which the problem leaves free");
            let column = column.ok_or_else(|| TaskError::Incomplete { reason: reason() })?;
            Ok(if last { column[column.len() - 1] } else { column[0] })
        }
    };
    given.zip(names).map(of).collect()
}
