//! The proof: a forward simulation driven by the computed actuation and nothing else.

use std::collections::BTreeMap;

use super::rest::{chain, rest};
use super::simulate::{EndDrive, SimulationError, State, simulate};
use super::{Observer, System, TaskError, VerifySpec};
use crate::discretisation::TimeGrid;
use crate::discretisation::sideways::Sideways;
use crate::models::{Rod, Side, Vector};
use crate::results::{Table, Verification};

/// Where the simulation may take its state from.
pub struct States<'a, const D: usize> {
    /// The rod is moving at the first instant: begin with the computed state instead of rest.
    pub from_first: bool,
    /// Computed state at an instant of the grid, any number of nodes.
    pub at: &'a dyn Fn(usize) -> State<D>,
    /// Length of a segment, in steps of the grid, if the motion must be verified piecewise.
    pub segment: usize,
}

/// A motion is called unstable if a relative change of the forces shows magnified by more than this.
const UNSTABLE: f64 = 1e3;
/// Share of the tolerance that each of many segments may use up.
const LEAST_SHARE: f64 = 0.1;
/// Relative change of the forces by which stability is tried.
const NUDGE: f64 = 1e-7;

/// Drive the rod by the actuation table on a grid `spec.refine` times finer than the system's in space and time, and
/// compare with the servo paths.
///
/// Some motions are unstable under given forces (a rod pushed from behind or balanced from below): then no simulation
/// from the first instant can follow them, however exact the forces. If that is found, the motion is verified in
/// segments, each begun with the computed state and held to its share of the tolerance.
///
/// A simulation that misses the path is repeated on finer grids as long as that is cheap: the error may be its own.
pub fn verify<C: Sideways<D>, const D: usize>(
    system: &System,
    rod: &Rod<C, D>,
    actuation: &Table,
    states: &States<'_, D>,
    spec: &VerifySpec,
    observer: &mut dyn Observer,
) -> Result<(Verification, Table), TaskError> {
    let mut refine = spec.refine;
    loop {
        let run = Run { system, rod, actuation, tolerance: spec.tolerance, refine, elements: rod.elements * refine };
        let (found, table) = once(&run, states, observer)?;
        refine *= 2;
        if found.passed || refine > FINEST * spec.refine || rod.elements * system.grid.steps * refine * refine > CHEAP {
            return Ok((found, table));
        }
        observer.note(&format!("the simulation misses the path: trying one {refine} times finer than the grid"));
    }
}

/// A failed simulation is repeated up to this much finer than asked for.
const FINEST: usize = 4;
/// Nodes that are simulated in a few seconds.
const CHEAP: usize = 4_000_000;

fn once<C: Sideways<D>, const D: usize>(
    run: &Run<'_, C, D>,
    states: &States<'_, D>,
    observer: &mut dyn Observer,
) -> Result<(Verification, Table), TaskError> {
    let (system, rod) = (run.system, run.rod);
    let start = match states.from_first {
        true => run.resampled(&(states.at)(0)),
        false => {
            let rest = rest(rod, run.elements, system.grid.start)?;
            State { v: vec![Vector::zeros(); rest.q.len()], q: rest.q }
        }
    };
    let tolerance = run.tolerance()?;
    let begun = if states.from_first { "from the computed initial state" } else { "from rest" };
    let whole = run.simulate(&[(0, start.clone())], 1.0, observer);
    let failure = match whole {
        Ok((table, halved)) => {
            let found = run.judge(&table, &tolerance, 1.0, states.from_first, begun, halved)?;
            if found.passed || !run.is_unstable(&table, start, observer)? {
                return Ok((found, table));
            }
            None
        }
        Err(TaskError::Simulation(error @ SimulationError::NoConvergence { .. })) => Some(error),
        Err(other) => return Err(other),
    };
    let instants = (0..system.grid.steps).step_by(states.segment.max(1));
    let restarts: Vec<(usize, State<D>)> = instants.map(|k| (k, run.resampled(&(states.at)(k)))).collect();
    let (table, halved) = match run.simulate(&restarts, 1.0, observer) {
        Ok(found) => found,
        // What failed first is the better explanation.
        Err(TaskError::Simulation(second)) => return Err(TaskError::Simulation(failure.unwrap_or(second))),
        Err(other) => return Err(other),
    };
    let share = (1.0 / restarts.len() as f64).max(LEAST_SHARE);
    let begun = format!(
        "in {} segments from computed states, because the motion is unstable under given forces",
        restarts.len()
    );
    let mut verification = run.judge(&table, &tolerance, share, states.from_first, &begun, halved)?;
    verification.segments = restarts.len();
    Ok((verification, table))
}

struct Run<'a, C, const D: usize> {
    system: &'a System,
    rod: &'a Rod<C, D>,
    actuation: &'a Table,
    tolerance: f64,
    refine: usize,
    elements: usize,
}

impl<C: Sideways<D>, const D: usize> Run<'_, C, D> {
    /// Simulate from restart to restart with the forces scaled by `factor`; the servo outputs on the system's grid and
    /// the number of halved steps.
    fn simulate(
        &self,
        restarts: &[(usize, State<D>)],
        factor: f64,
        observer: &mut dyn Observer,
    ) -> Result<(Table, usize), TaskError> {
        let (grid, rod, refine) = (self.system.grid, self.rod, self.refine);
        let chain = chain(rod, self.elements);
        let outputs = &self.system.outputs;
        let columns: Vec<(Side, usize, &[f64])> = self
            .system
            .channels
            .iter()
            .filter_map(|c| Some((c.side, c.coordinate, self.actuation.column(&c.name)?)))
            .collect();
        // Loads were evaluated on the whole interval before; a failure here would be one between two instants.
        let mut failure = None;
        let mut force = |t: f64| {
            let mut forces = [Vector::zeros(); 2];
            for (force, side) in forces.iter_mut().zip(Side::BOTH) {
                match rod.end(side).known_force(t) {
                    Ok(known) => *force = known - rod.end(side).weight,
                    Err(bad) => failure = Some(TaskError::function(rod, side, bad)),
                }
            }
            for &(side, coordinate, column) in &columns {
                forces[side.index()][coordinate] += factor * cubic(column, (t - grid.start) / grid.dt);
            }
            forces
        };
        let held = Side::BOTH.map(|side| rod.end(side).held.map(|h| h.is_some()));
        let mut table = Table {
            t: grid.times(),
            columns: outputs.iter().map(|o| (o.name.clone(), vec![0.0; grid.steps + 1])).collect(),
        };
        let mut halved = 0;
        observer.phase("forward simulation", grid.steps * refine);
        for (i, (first, state)) in restarts.iter().enumerate() {
            let last = restarts.get(i + 1).map_or(grid.steps, |(next, _)| *next);
            let fine =
                TimeGrid { start: grid.time(*first), dt: grid.dt / refine as f64, steps: (last - first) * refine };
            let drive = EndDrive { force: &mut force, held };
            let count = simulate(&chain, fine, state.clone(), drive, observer, &mut |k, q| {
                // The end of a segment is told by the simulation that ran up to it.
                if k % refine == 0 && (k > 0 || i == 0) {
                    for (output, (_, column)) in outputs.iter().zip(&mut table.columns) {
                        column[first + k / refine] = q[output.side.node(self.elements)][output.coordinate];
                    }
                }
            })?;
            halved += count.halved;
        }
        match failure {
            Some(error) => Err(error),
            None => Ok((table, halved)),
        }
    }

    /// Whether a nudge of the forces shows magnified in the outputs.
    fn is_unstable(&self, table: &Table, start: State<D>, observer: &mut dyn Observer) -> Result<bool, TaskError> {
        let nudged = match self.simulate(&[(0, start)], 1.0 + NUDGE, observer) {
            Ok((nudged, _)) => nudged,
            Err(TaskError::Simulation(SimulationError::NoConvergence { .. })) => return Ok(true),
            Err(other) => return Err(other),
        };
        let pairs = table.columns.iter().zip(&nudged.columns);
        let change = pairs.flat_map(|((_, a), (_, b))| a.iter().zip(b).map(|(a, b)| (a - b).abs())).fold(0.0, f64::max);
        Ok(change > UNSTABLE * NUDGE * self.rod.length)
    }

    /// Tolerance of each output: a fraction of the rod's length or of the size of the manoeuvre, whichever is smaller.
    fn tolerance(&self) -> Result<BTreeMap<String, f64>, TaskError> {
        let (grid, length) = (self.system.grid, self.rod.length);
        let mut size = 0.0_f64;
        for output in &self.system.outputs {
            let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
            for k in 0..=grid.steps {
                let value = self.wanted(output.side, output.coordinate, k)?;
                (least, most) = (least.min(value), most.max(value));
            }
            size = size.max((most - least) * if self.is_angle(output.coordinate) { length } else { 1.0 });
        }
        // Where nothing is to move, the length is the only scale.
        let scale = if size > 0.0 { size.min(length) } else { length };
        let of = |coordinate: usize| self.tolerance * scale / if self.is_angle(coordinate) { length } else { 1.0 };
        Ok(self.system.outputs.iter().map(|output| (output.name.clone(), of(output.coordinate))).collect())
    }

    fn judge(
        &self,
        table: &Table,
        tolerance: &BTreeMap<String, f64>,
        share: f64,
        from_moving_state: bool,
        begun: &str,
        halved: usize,
    ) -> Result<Verification, TaskError> {
        let refine = self.refine;
        let mut verification = Verification {
            passed: true,
            scheme: format!(
                "variational midpoint in time, midpoint-quadrature elements in space, {refine} times finer, {begun}"
            ),
            elements: self.elements,
            steps: self.system.grid.steps * refine,
            halved_steps: halved,
            from_moving_state,
            segments: 1,
            ..Verification::default()
        };
        for (output, (name, column)) in self.system.outputs.iter().zip(&table.columns) {
            let mut worst = 0.0_f64;
            for (k, found) in column.iter().enumerate() {
                let deviation = (found - self.wanted(output.side, output.coordinate, k)?).abs();
                worst = if deviation.is_nan() { f64::NAN } else { worst.max(deviation) };
            }
            let allowed = tolerance.get(name).copied().unwrap_or(0.0) * share;
            verification.passed &= worst <= allowed;
            verification.max_error.insert(name.clone(), worst);
            verification.tolerance.insert(name.clone(), allowed);
        }
        Ok(verification)
    }

    fn wanted(&self, side: Side, coordinate: usize, k: usize) -> Result<f64, TaskError> {
        let jet = self.rod.end(side).prescribed(coordinate, self.system.grid.time(k));
        Ok(jet.map_err(|bad| TaskError::function(self.rod, side, bad))?.unwrap_or_default().value)
    }

    fn is_angle(&self, coordinate: usize) -> bool {
        self.rod.model.coordinates()[coordinate] == "angle"
    }

    fn resampled(&self, state: &State<D>) -> State<D> {
        State { q: resample(&state.q, self.elements), v: resample(&state.v, self.elements) }
    }
}

/// Cubic through the four samples around position `u` (in sample steps); the interpolation error is of fourth order, below
/// that of the simulation.
pub(super) fn cubic(samples: &[f64], u: f64) -> f64 {
    let last = samples.len().saturating_sub(1);
    let base = (u.floor().max(0.0) as usize).saturating_sub(1).min(last.saturating_sub(3));
    let points = &samples[base..samples.len().min(base + 4)];
    let x = u - base as f64;
    let weight = |i: usize| {
        (0..points.len()).filter(|&j| j != i).map(|j| (x - j as f64) / (i as f64 - j as f64)).product::<f64>()
    };
    points.iter().enumerate().map(|(i, value)| value * weight(i)).sum()
}

/// Nodal values on `elements` equal elements from those on another number, by the same cubic.
fn resample<const D: usize>(values: &[Vector<D>], elements: usize) -> Vec<Vector<D>> {
    let ratio = values.len().saturating_sub(1) as f64 / elements as f64;
    let components: Vec<Vec<f64>> = (0..D).map(|c| values.iter().map(|v| v[c]).collect()).collect();
    (0..=elements).map(|i| Vector::from_fn(|c, _| cubic(&components[c], i as f64 * ratio))).collect()
}

#[cfg(test)]
mod tests {
    use super::cubic;

    #[test]
    fn cubic_reproduces_cubics_up_to_the_ends() {
        let f = |u: f64| 1.0 + u - 0.5 * u * u + 0.1 * u * u * u;
        let samples: Vec<f64> = (0..8).map(|k| f(k as f64)).collect();
        for u in [0.0, 0.3, 1.5, 3.99, 6.5, 7.0] {
            assert!((cubic(&samples, u) - f(u)).abs() < 1e-12);
        }
        assert_eq!(cubic(&[2.0, 4.0], 0.5), 3.0);
    }
}
