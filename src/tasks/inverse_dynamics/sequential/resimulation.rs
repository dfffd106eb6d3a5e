//! Verification: the computed controls drive the mechanism forward in time, by discrete mechanics that knows nothing of the
//! paths.

use std::collections::BTreeMap;

use super::power::Gauge;
use super::{ServoSystem, Solving};
use crate::discretisation::index::breaks;
use crate::discretisation::transcription::{ControlProblem, End, Forward, ForwardError};
use crate::kernel::cubic_between;
use crate::results::{Table, Verification};
use crate::tasks::verify::Proved;
use crate::tasks::{Observer, TaskError};

/// The simulation is made finer by these factors until it follows the paths.
const FINER: [usize; 4] = [1, 2, 4, 8];
/// A relative change of the controls, and how much more the outputs may change before the motion is called unstable.
const NUDGE: f64 = 1e-6;
const UNSTABLE: f64 = 100.0;
/// Segments in which an unstable motion is verified.
const SEGMENTS: [usize; 4] = [4, 16, 64, 256];

/// Coordinates and velocities at an instant of the grid.
pub type States<'a> = &'a dyn Fn(usize) -> (Vec<f64>, Vec<f64>);

/// Simulates, and compares with the paths. The table holds the outputs of the simulation.
pub fn verify(
    system: &ServoSystem,
    actuation: &Table,
    states: States<'_>,
    observer: &mut dyn Observer,
) -> Result<Proved, TaskError> {
    if let Some(body) = system.multibody.as_ref() {
        return super::proof::verify(system, body, actuation, states, observer);
    }
    let problem = problem(system);
    let (q, v) = states(0);
    let moving = v.iter().any(|v| *v != 0.0);
    let mut run = Run {
        system,
        forward: Forward::new(&problem),
        gauge: Gauge::new(&system.problem),
        cuts: cuts(system),
        columns: problem.mechanics.controls().iter().filter_map(|name| actuation.column(name)).collect(),
    };
    let names: Vec<&str> = system.problem.outputs.iter().map(|output| output.name.as_str()).collect();
    let wanted = wanted(system, &mut run.gauge, &q, run.columns.len())?;
    let tolerance = tolerance(system, &wanted);
    let judge = |table: &[Vec<f64>], refine: usize, segments: usize| {
        let mut verification = Verification {
            passed: true,
            scheme: format!(
                "variational midpoint rule under the computed forces alone, {refine} times finer steps{}",
                if segments > 1 { format!(", in {segments} segments") } else { String::new() }
            ),
            steps: system.grid.steps * refine,
            from_moving_state: moving,
            segments,
            ..Verification::default()
        };
        for ((name, found), (wanted, allowed)) in names.iter().zip(table).zip(wanted.iter().zip(&tolerance)) {
            let off = |(found, wanted): (&f64, &f64)| (found - wanted).abs();
            let worst = found.iter().zip(wanted).map(off).fold(0.0, |a: f64, b| if b.is_nan() { b } else { a.max(b) });
            verification.passed &= worst <= *allowed;
            verification.max_error.insert((*name).to_owned(), worst);
            verification.tolerance.insert((*name).to_owned(), *allowed);
        }
        verification
    };
    observer.phase("forward simulation", FINER.len());
    let mut last: Option<(Verification, Vec<Vec<f64>>)> = None;
    let mut failed = None;
    for (k, finer) in FINER.into_iter().enumerate() {
        let refine = finer * system.verify.refine;
        match run.simulate(states, refine, 1, 1.0) {
            Ok(table) => {
                let verification = judge(&table, refine, 1);
                let passed = verification.passed;
                last = Some((verification, table));
                if passed {
                    break;
                }
            }
            Err(error) => failed = Some(error),
        }
        observer.progress(k + 1);
        if observer.interrupted() {
            return Err(TaskError::Interrupted);
        }
    }
    let refine = FINER[FINER.len() - 1] * system.verify.refine;
    if !last.as_ref().is_some_and(|(verification, _)| verification.passed)
        && run.is_unstable(states, refine, last.as_ref().map(|(_, table)| table.as_slice()), &wanted)
    {
        for segments in SEGMENTS.into_iter().filter(|segments| *segments <= system.grid.steps) {
            let Ok(table) = run.simulate(states, refine, segments, 1.0) else { continue };
            let verification = judge(&table, refine, segments);
            let passed = verification.passed;
            last = Some((verification, table));
            if passed {
                break;
            }
        }
    }
    let Some((verification, table)) = last else {
        let reason = failed.map_or_else(String::new, |error| error.to_string());
        return Err(TaskError::Incomplete { reason: format!("the forward simulation ends early: {reason}") });
    };
    let columns = names.into_iter().map(str::to_owned).zip(table).collect();
    let outputs = Table { t: system.grid.times(), columns };
    Ok(Proved { verification, outputs, ..Proved::default() })
}

/// The mechanism as forward simulation takes it; of ends, bounds and cost nothing matters.
fn problem(system: &ServoSystem) -> ControlProblem {
    let (q, duration) = (&system.problem.reference, system.grid.dt * system.grid.steps as f64);
    ControlProblem::new(system.problem.mechanics.clone(), duration, End::at_rest(q), End::at_rest(q))
}

/// Instants at which the controls may jump, in time steps from the start.
pub(super) fn cuts(system: &ServoSystem) -> Vec<f64> {
    if system.solving == Solving::Bounded {
        return Vec::new();
    }
    let Ok((_, structure)) = system.analyse() else { return Vec::new() };
    let Ok((found, _)) = breaks(&system.problem, &structure, &system.grid.times()) else { return Vec::new() };
    found.iter().map(|found| (found.time - system.grid.start) / system.grid.dt).collect()
}

/// Values of the paths at the instants, by output.
pub(super) fn wanted(
    system: &ServoSystem,
    gauge: &mut Gauge,
    q: &[f64],
    controls: usize,
) -> Result<Vec<Vec<f64>>, TaskError> {
    let times = system.grid.times();
    let mut found = vec![Vec::with_capacity(times.len()); system.problem.outputs.len()];
    for t in times {
        let values = gauge.outputs(q, controls, t);
        let values = values.map_err(|error| TaskError::Incomplete { reason: error.to_string() })?;
        found.iter_mut().zip(values).for_each(|(list, [_, wanted])| list.push(wanted));
    }
    Ok(found)
}

/// Tolerance of each output: a fraction of its way, or of the longest where it rests.
pub(super) fn tolerance(system: &ServoSystem, wanted: &[Vec<f64>]) -> Vec<f64> {
    let range = |values: &Vec<f64>| {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        values.iter().copied().fold(f64::NEG_INFINITY, f64::max) - least
    };
    let ranges: Vec<f64> = wanted.iter().map(range).collect();
    let longest = ranges.iter().copied().fold(0.0, f64::max);
    let own = |range: &f64| match (*range > 0.0, longest > 0.0) {
        (true, _) => *range,
        (false, true) => longest,
        (false, false) => 1.0,
    };
    ranges.iter().map(|range| system.verify.tolerance * own(range)).collect()
}

struct Run<'a> {
    system: &'a ServoSystem,
    forward: Forward<'a>,
    gauge: Gauge,
    /// Where the controls jump, in time steps from the start.
    cuts: Vec<f64>,
    columns: Vec<&'a [f64]>,
}

impl Run<'_> {
    /// Outputs at the instants of the grid under the controls times a factor.
    fn simulate(
        &mut self,
        states: States<'_>,
        refine: usize,
        segments: usize,
        factor: f64,
    ) -> Result<Vec<Vec<f64>>, ForwardError> {
        let grid = self.system.grid;
        let mut found = vec![vec![f64::NAN; grid.steps + 1]; self.system.problem.outputs.len()];
        let length = grid.steps.div_ceil(segments.max(1));
        for first in (0..grid.steps).step_by(length.max(1)) {
            let last = (first + length).min(grid.steps);
            let middle = |k: usize| first as f64 + (k as f64 + 0.5) / refine as f64;
            let controls: Vec<Vec<f64>> = (0..(last - first) * refine)
                .map(|k| {
                    self.columns.iter().map(|column| factor * cubic_between(column, middle(k), &self.cuts)).collect()
                })
                .collect();
            let (q, v) = states(first);
            let begin = grid.time(first);
            let motion = self.forward.march_from(begin, (last - first) as f64 * grid.dt, (&q, &v), &controls, 1)?;
            for (k, q) in motion.q.iter().enumerate().step_by(refine) {
                let node = first + k / refine;
                if k == 0 && first > 0 {
                    continue;
                }
                let values = self.gauge.outputs(q, self.columns.len(), grid.time(node));
                let values = values.map_err(|failure| ForwardError::Evaluation { time: grid.time(node), failure })?;
                found.iter_mut().zip(values).for_each(|(list, [value, _])| list[node] = value);
            }
        }
        Ok(found)
    }

    /// Whether a nudge of the controls shows magnified in the outputs.
    fn is_unstable(
        &mut self,
        states: States<'_>,
        refine: usize,
        table: Option<&[Vec<f64>]>,
        wanted: &[Vec<f64>],
    ) -> bool {
        let (Some(table), Ok(nudged)) = (table, self.simulate(states, refine, 1, 1.0 + NUDGE)) else { return true };
        let pairs = table.iter().zip(&nudged).zip(wanted);
        let mut magnified = false;
        for ((table, nudged), wanted) in pairs {
            let size = wanted.iter().fold(0.0, |size: f64, x| size.max(x.abs()));
            let change = table.iter().zip(nudged).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
            magnified |= !(change <= UNSTABLE * NUDGE * size);
        }
        magnified
    }
}

/// Largest deviations by output, as scalars.
pub fn deviations(verification: &Verification) -> BTreeMap<String, f64> {
    let errors = verification.max_error.iter();
    errors.map(|(name, error)| (format!("verification.{name}.max_error"), *error)).collect()
}
