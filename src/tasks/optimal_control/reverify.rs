//! A stored result, checked by its controls alone.

use super::question::ControlSystem;
use super::resimulation::{Course, resimulate, wanted};
use crate::discretisation::dmoc::{End, Given, Overrun, audit};
use crate::results::{Outcome, Table, Verification};
use crate::tasks::TaskError;

/// Overrun of a bound, relative to its size, that counts as none.
const OVERRUN: f64 = 1e-6;
/// What the barrier of the solver may leave of the cost of one variable above a kink; about 1e-9 is usual.
const LIFTED: f64 = 1e-8;

/// What a second look found.
#[derive(Debug, Clone, PartialEq)]
pub struct Reverified {
    /// The motion that the stored controls produce.
    pub verification: Verification,
    /// Bounds that stored motion and controls exceed, in words.
    pub overruns: Vec<String>,
    /// The cost as stored, and as the stored motion and controls have it.
    pub objective: [f64; 2],
    /// How far these may be apart.
    pub allowed: f64,
}

impl Reverified {
    /// Whether the stored cost is that of the stored motion and controls.
    pub fn costs_as_told(&self) -> bool {
        let [told, found] = self.objective;
        (told - found).abs() <= self.allowed
    }
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
    let course = Course { duration, position, velocity, controls: &controls };
    let wanted = wanted(&system.problem.end, end.split_at(names.len()));
    let (verification, _) = resimulate(&system.problem, course, &wanted).map_err(|error| missing(error.to_string()))?;
    let column = |name: &String| {
        let values = stored.motion.column(name).filter(|values| values.len() == nodes);
        values.ok_or_else(|| {
            missing(format!("motion.csv has no column `{name}` with a value for each row of actuation.csv"))
        })
    };
    let motion = names.iter().map(column).collect::<Result<Vec<_>, _>>()?;
    let q: Vec<Vec<f64>> = (0..nodes).map(|k| motion.iter().map(|values| values[k]).collect()).collect();
    let found = audit(&system.problem, duration, &q, &controls, &end[names.len()..], OVERRUN);
    let found = found.map_err(|error| missing(format!("the stored motion cannot be evaluated: {error}")))?;
    let beyond = |overrun: &Overrun| {
        let bound = if overrun.value > overrun.upper { overrun.upper } else { overrun.lower };
        format!("{} is {} at t = {:.6} s, beyond its bound {bound}", overrun.name, overrun.value, overrun.time)
    };
    let mut overruns: Vec<String> = found.overruns.iter().map(beyond).collect();
    let (least, most) = system.problem.duration.bounds();
    if duration < least - OVERRUN * (1.0 + least) || duration > most + OVERRUN * (1.0 + most) {
        overruns.push(format!("the motion lasts {duration} s, beyond its bounds"));
    }
    let told = stored.report.scalars.get("objective").copied();
    let told = told.ok_or_else(|| missing("result.json tells no objective".into()))?;
    let cost = &system.problem.cost;
    let kinks = (cost.fuel.len() + cost.energy.len()) * (nodes - 1) + cost.peak.len();
    let allowed = OVERRUN * (1.0 + told.abs()) + LIFTED * kinks as f64;
    Ok(Reverified { verification, overruns, objective: [told, found.objective], allowed })
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
