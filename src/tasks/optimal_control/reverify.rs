//! A stored result, checked by its controls alone.

use super::proof;
use super::question::ControlSystem;
use super::resimulation::{Course, Leg, resimulate, wanted};
use crate::discretisation::transcription::{Audit, ControlProblem, End, Given, Overrun, audit};
use crate::nlp::EvalFailure;
use crate::results::{Outcome, Table, Verification};
use crate::tasks::{Silent, TaskError};

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
    /// The cost as stored, and as the stored motion and controls have it, where they tell.
    pub objective: Option<[f64; 2]>,
    /// How far these may be apart.
    pub allowed: f64,
}

impl Reverified {
    /// Whether the stored cost is that of the stored motion and controls.
    pub fn costs_as_told(&self) -> bool {
        self.objective.is_none_or(|[told, found]| (told - found).abs() <= self.allowed)
    }
}

/// Lets the stored controls drive the system, from the start that the problem states. Only where the problem leaves a
/// state free is the stored motion asked for it.
pub fn reverify(system: &ControlSystem, stored: &Outcome) -> Result<Reverified, TaskError> {
    let (names, inputs) = (system.coordinates(), system.controls());
    let missing = |reason: String| TaskError::Incomplete { reason };
    let steps = stored.steps();
    let nodes = steps.t.len();
    if nodes < 2 {
        return Err(missing("there is no actuation with at least one step".into()));
    }
    let columns = inputs.iter().map(|name| {
        let column = steps.column(name);
        column.ok_or_else(|| missing(format!("controls.csv has no column `{name}`")))
    });
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    let controls: Vec<Vec<f64>> = (0..nodes - 1).map(|k| columns.iter().map(|column| column[k]).collect()).collect();
    let start = state(&system.problem.start, &stored.motion, &names, false)?;
    let end = state(&system.problem.end, &stored.motion, &names, true)?;
    let (position, velocity) = start.split_at(names.len());
    let duration = steps.t[nodes - 1] - steps.t[0];
    let legs = legs(system, &steps.t, &controls)?;
    let course = Course { position, velocity, legs: &legs };
    let wanted = wanted(&system.problem.end, end.split_at(names.len()));
    let verification = match &system.multibody {
        Some(body) => {
            let all = |list: &[String]| -> Result<Vec<Vec<f64>>, TaskError> {
                let columns = list.iter().map(|name| {
                    let column = stored.motion.column(name).filter(|values| values.len() == nodes);
                    column.ok_or_else(|| missing(format!("motion.csv has no column `{name}`")))
                });
                let columns = columns.collect::<Result<Vec<_>, _>>()?;
                Ok((0..nodes).map(|k| columns.iter().map(|column| column[k]).collect()).collect())
            };
            let rates: Vec<String> = names.iter().map(|name| crate::tasks::velocity_name(name)).collect();
            let (mut q, mut v) = (all(&names)?, all(&rates)?);
            (q[0], v[0]) = (position.to_vec(), velocity.to_vec());
            let motion = proof::JudgedMotion { times: &steps.t, q: &q, v: &v, u: &controls };
            proof::prove(system, body, &motion, &mut Silent)?
        }
        None => resimulate(course, &wanted).map_err(|error| missing(error.to_string()))?.0,
    };
    let column = |name: &String| {
        let values = stored.motion.column(name).filter(|values| values.len() == nodes);
        values.ok_or_else(|| {
            missing(format!("motion.csv has no column `{name}` with a value for each row of controls.csv"))
        })
    };
    let motion = names.iter().map(column).collect::<Result<Vec<_>, _>>()?;
    let q: Vec<Vec<f64>> = (0..nodes).map(|k| motion.iter().map(|values| values[k]).collect()).collect();
    let found = audited(&legs, &q, &end[names.len()..]);
    let found = found.map_err(|error| missing(format!("the stored motion cannot be evaluated: {error}")))?;
    let beyond = |overrun: &Overrun| {
        let bound = if overrun.value > overrun.upper { overrun.upper } else { overrun.lower };
        format!("{} is {} at t = {:.6} s, beyond its bound {bound}", overrun.name, overrun.value, overrun.time)
    };
    let mut overruns: Vec<String> = found.overruns.iter().map(beyond).collect();
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
    let told = stored.report.scalars.get("objective").copied();
    let told = told.ok_or_else(|| missing("result.json tells no objective".into()))?;
    let objective = found.objective.map(|again| [told, again]);
    let cost = &system.problem.cost;
    let kinks = (cost.fuel.len() + cost.energy.len()) * (nodes - 1) + cost.peak.len();
    let allowed = OVERRUN * (1.0 + told.abs()) + LIFTED * kinks as f64;
    Ok(Reverified { verification, overruns, objective, allowed })
}

/// Judges the stored motion part by part; costs are told where all parts tell one.
fn audited(legs: &[Leg<'_>], q: &[Vec<f64>], end_velocity: &[f64]) -> Result<Audit, EvalFailure> {
    let mut whole = Audit { objective: Some(0.0), overruns: Vec::new() };
    let (mut first, mut time) = (0, 0.0);
    for (k, leg) in legs.iter().enumerate() {
        let last = first + leg.controls.len();
        // Where a phase ends on the way, no velocity is stored: the one before it is near, and costs of ends are those of the last.
        let velocity: Vec<f64> = match k + 1 == legs.len() {
            true => end_velocity.to_vec(),
            false => {
                let h = leg.duration / leg.controls.len().max(1) as f64;
                q[last].iter().zip(&q[last - 1]).map(|(b, a)| (b - a) / h).collect()
            }
        };
        let part = audit(leg.problem, leg.duration, &q[first..=last], leg.controls, &velocity, OVERRUN)?;
        whole.objective = whole.objective.zip(part.objective).map(|(a, b)| a + b);
        whole
            .overruns
            .extend(part.overruns.into_iter().map(|overrun| Overrun { time: time + overrun.time, ..overrun }));
        (first, time) = (last, time + leg.duration);
    }
    Ok(whole)
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
        let reason = format!("controls.csv has {} steps, the phases have {steps}", controls.len());
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
