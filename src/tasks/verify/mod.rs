//! The proof of an answer: a forward simulation driven by the computed actuation and nothing else.
//!
//! It knows nothing of the method that found the actuation. The mechanism is simulated through the [`Assembly`] on another mesh
//! in space, with elements of higher order, and with another step in time. Both are refined until what they still change is small
//! beside the deviation that is told (`settle.rs`). So errors of the method in space and in time show.
//!
//! Some motions are unstable under given forces (a rod pushed from behind or balanced from below): then no simulation from the
//! first instant can follow them, however exact the forces. If that is found, the motion is verified in segments, each begun
//! with the computed state and held to its share of the tolerance.

mod parts;
mod rest;
mod settle;
mod simulate;

use std::cell::Cell;

use crate::discretisation::assembly::{Assembly, build, effects};
use crate::discretisation::remesh::{Shape, Transfer, remeshed};
use crate::discretisation::stepping::State;
use crate::mechanism::{Frame, Mechanism};
use crate::results::{Table, Verification};
use crate::tasks::loads::LoadTable;
use crate::tasks::{Observer, SimulationError, TaskError};
use crate::terms::{Drive, History};
pub use parts::advice;
pub use rest::Rest;
use simulate::simulate;

/// A motion is called unstable if a relative change of the forces shows magnified by more than this.
const UNSTABLE: f64 = 1e3;
/// Relative change of the forces by which stability is tried.
const NUDGE: f64 = 1e-7;
/// Relative difference of steps that counts as none.
const EQUAL: f64 = 1e-9;
/// Share of the tolerance that each of many segments may use up.
const LEAST_SHARE: f64 = 0.1;

/// A quantity whose deviation is judged.
#[derive(Debug, Clone)]
pub struct Judged {
    /// Its name, such as `tip.x`.
    pub name: String,
    /// What it should be at the instants.
    pub wanted: Vec<f64>,
    /// Largest deviation that counts as verified.
    pub allowed: f64,
    /// What counts as large: a length, or an angle.
    pub size: f64,
    /// Whether the problem leaves it open: a deviation beyond what is allowed is told and fails nothing.
    pub open: bool,
}

/// The values of all judged quantities in a configuration at an instant of the grid, by its number.
pub type Measure<'a> = dyn Fn(&Transfer<'_>, &State, usize) -> Vec<f64> + 'a;

/// What is to be proved.
pub struct Proof<'a> {
    /// The mechanism as it was solved.
    pub mechanism: &'a Mechanism,
    /// The instants, second: the steps between them are equal unless the actuation holds.
    pub instants: Vec<f64>,
    /// Actuation: values at the instants, or such that hold from their instant to the next.
    pub actuation: &'a Table,
    /// Whether they hold.
    pub stepped: bool,
    /// Where the actuation may jump, in steps of the grid from the start.
    pub jumps: Vec<f64>,
    /// What is judged.
    pub judged: &'a [Judged],
    /// How it is measured.
    pub measure: &'a Measure<'a>,
    /// The computed state at an instant.
    pub state: &'a dyn Fn(usize) -> Shape,
    /// How the mechanism stands still at the first instant; none if it begins with the computed state.
    pub rests: Option<Rest>,
    /// Length of a segment, in steps of the grid, if the motion must be verified piecewise.
    pub segment: usize,
    /// Steps of the simulation for each of the grid, at least.
    pub refine: usize,
    /// Whether the motion has turned out to be unstable: from then on it is simulated in segments alone.
    pub unstable: Cell<bool>,
}

/// What a proof found.
#[derive(Debug, Clone, Default)]
pub struct Proved {
    /// The verdict.
    pub verification: Verification,
    /// The judged quantities as they were simulated.
    pub outputs: Table,
    /// Reactions of supports and forces of joints in that simulation.
    pub loads: Table,
}

/// What a simulation found: values by instant, and how often a step was halved.
struct Run {
    values: Vec<Vec<f64>>,
    halved: usize,
    loads: LoadTable,
}

/// The mechanism on one mesh of the simulation, with its actuators and its first state.
struct Mesh {
    mechanism: Mechanism,
    assembly: Assembly,
    start: State,
    /// Whether the motion has turned out not to be unstable: a finer step changes nothing of that.
    stable: Cell<bool>,
}

impl Mesh {
    fn transfer(&self) -> Transfer<'_> {
        Transfer { mechanism: &self.mechanism, assembly: &self.assembly }
    }
}

impl Proof<'_> {
    /// Number of steps between the instants.
    fn steps(&self) -> usize {
        self.instants.len().saturating_sub(1)
    }

    /// The mechanism on a mesh whose elements were halved so often.
    fn mesh(&self, halvings: u32) -> Result<Mesh, TaskError> {
        self.meshed(remeshed(self.mechanism, halvings))
    }

    fn meshed(&self, mechanism: Mechanism) -> Result<Mesh, TaskError> {
        let mut assembly = build(&mechanism);
        self.drive(&mechanism, &mut assembly, 1.0);
        let start = self.start(&Transfer { mechanism: &mechanism, assembly: &assembly })?;
        Ok(Mesh { mechanism, assembly, start, stable: Cell::new(false) })
    }

    /// The actuators of a machine with their histories, times a factor.
    fn drive(&self, mechanism: &Mechanism, assembly: &mut Assembly, factor: f64) {
        let drives = effects(mechanism, assembly).into_iter().filter_map(|(name, effect)| {
            let values: Vec<f64> = self.actuation.column(&name)?.iter().map(|value| factor * value).collect();
            let history = match self.stepped {
                true => History::Stepped { t: self.actuation.t.clone(), values },
                false => {
                    let (start, dt) = (self.instants[0], self.instants[1] - self.instants[0]);
                    let jumps = self.jumps.clone();
                    History::Sampled { start, dt, values, jumps }
                }
            };
            Some(Drive { name, effect, history })
        });
        let drives: Vec<Drive> = drives.collect();
        assembly.drives = drives;
    }

    /// The first state: in equilibrium under the first actuation, or as it was computed.
    fn start(&self, transfer: &Transfer<'_>) -> Result<State, TaskError> {
        let computed = transfer.state(&(self.state)(0), self.instants[0]).map_err(undefined)?;
        Ok(match &self.rests {
            Some(Rest { held, accelerations }) => {
                let moved = |(frame, freedom): &(Frame, usize)| (self.moved(transfer, *frame), *freedom);
                let held: Vec<(Frame, usize)> = held.iter().map(moved).collect();
                // Momenta of accelerations are inertia forces.
                let inertia = accelerations.as_ref().map(|shape| transfer.state(shape, self.instants[0]));
                let inertia = inertia.transpose().map_err(undefined)?.map(|state| state.momentum);
                rest::settled(transfer, &computed, &held, inertia).unwrap_or(computed)
            }
            None => computed,
        })
    }

    /// A frame of the mechanism on the mesh of the simulation.
    fn moved(&self, transfer: &Transfer<'_>, frame: Frame) -> Frame {
        match frame {
            Frame::Section { rod, boundary } => {
                let elements = |mechanism: &crate::mechanism::Mechanism| mechanism.rods[rod].elements;
                let parts = elements(transfer.mechanism) / elements(self.mechanism);
                Frame::Section { rod, boundary: boundary * parts }
            }
            other => other,
        }
    }

    /// One simulation with so many steps for each of the grid, and what it tells.
    fn once(&self, mesh: &Mesh, refine: usize, observer: &mut dyn Observer) -> Result<Proved, TaskError> {
        let (mechanism, transfer, start) = (&mesh.mechanism, &mesh.transfer(), &mesh.start);
        let begun = match self.rests {
            Some(_) => "from rest",
            None => "from the computed initial state",
        };
        let whole = match self.unstable.get() {
            true => None,
            false => Some(self.simulate(transfer, &[(0, start.clone())], refine, observer)),
        };
        let failure = match whole {
            None => None,
            Some(Ok(run)) => {
                let found = self.judge(transfer, &run, 1.0, refine, begun, 1);
                let known = found.passed || mesh.stable.get();
                if !known {
                    mesh.stable.set(!self.is_unstable(mechanism, transfer, &run, start, refine, observer)?);
                }
                if known || mesh.stable.get() {
                    return Ok(self.proved(found, run));
                }
                self.unstable.set(true);
                None
            }
            Some(Err(TaskError::Simulation(error @ SimulationError::NoConvergence { .. }))) => Some(error),
            Some(Err(other)) => return Err(other),
        };
        let instants = (0..self.steps()).step_by(self.segment.max(1));
        let restarts = instants.map(|k| {
            let state = transfer.state(&(self.state)(k), self.instants[k]).map_err(undefined)?;
            Ok((k, state))
        });
        let restarts = restarts.collect::<Result<Vec<(usize, State)>, TaskError>>()?;
        let run = match self.simulate(transfer, &restarts, refine, observer) {
            Ok(run) => run,
            // What failed first is the better explanation.
            Err(TaskError::Simulation(second)) => return Err(TaskError::Simulation(failure.unwrap_or(second))),
            Err(other) => return Err(other),
        };
        let share = (1.0 / restarts.len() as f64).max(LEAST_SHARE);
        let begun = format!(
            "in {} segments from computed states, because the motion is unstable under given forces",
            restarts.len()
        );
        let found = self.judge(transfer, &run, share, refine, &begun, restarts.len());
        Ok(self.proved(found, run))
    }

    /// Values at all instants, simulated from restart to restart.
    fn simulate(
        &self,
        transfer: &Transfer<'_>,
        restarts: &[(usize, State)],
        refine: usize,
        observer: &mut dyn Observer,
    ) -> Result<Run, TaskError> {
        let steps = self.steps();
        let loads = LoadTable::new(transfer.mechanism);
        let mut run = Run { values: vec![Vec::new(); steps + 1], halved: 0, loads };
        observer.phase("forward simulation", steps * refine);
        for (i, (first, state)) in restarts.iter().enumerate() {
            let last = restarts.get(i + 1).map_or(steps, |(next, _)| *next);
            if i == 0 {
                run.values[0] = (self.measure)(transfer, state, 0);
            }
            let mut state = state.clone();
            for Equal { first, step, count } in equal_steps(&self.instants[..=last], *first) {
                let (h, fine) = (step / refine as f64, count * refine);
                let (values, loads) = (&mut run.values, &mut run.loads);
                let mut reached = None;
                run.halved += simulate(transfer.assembly, state.clone(), h, fine, observer, &mut |k, marcher| {
                    let state = marcher.state();
                    if k % refine == 0 {
                        values[first + k / refine] = (self.measure)(transfer, state, first + k / refine);
                    }
                    // The impulses of a step are those about its beginning.
                    if let Some(State { t, q, .. }) = marcher.before().filter(|_| (k - 1) % refine == 0) {
                        loads.add(transfer.assembly, *t, q, [&marcher.support_force(), &marcher.joint_forces()]);
                    }
                    if k == fine {
                        reached = Some(state.clone());
                    }
                })?;
                state = reached.unwrap_or(state);
            }
            observer.progress(last * refine);
        }
        Ok(run)
    }

    /// Whether a nudge of the forces shows magnified in the motion.
    fn is_unstable(
        &self,
        mechanism: &Mechanism,
        transfer: &Transfer<'_>,
        run: &Run,
        start: &State,
        refine: usize,
        observer: &mut dyn Observer,
    ) -> Result<bool, TaskError> {
        let mut assembly = transfer.assembly.clone();
        self.drive(mechanism, &mut assembly, 1.0 + NUDGE);
        let nudged = Transfer { mechanism: transfer.mechanism, assembly: &assembly };
        let nudged = match self.simulate(&nudged, &[(0, start.clone())], refine, observer) {
            Ok(nudged) => nudged,
            Err(TaskError::Simulation(SimulationError::NoConvergence { .. })) => return Ok(true),
            Err(other) => return Err(other),
        };
        let change = |i: usize| {
            let pairs = run.values.iter().zip(&nudged.values);
            pairs.map(|(a, b)| (a[i] - b[i]).abs()).fold(0.0, f64::max)
        };
        Ok(self.judged.iter().enumerate().any(|(i, judged)| change(i) > UNSTABLE * NUDGE * judged.size))
    }

    fn judge(
        &self,
        transfer: &Transfer<'_>,
        run: &Run,
        share: f64,
        refine: usize,
        begun: &str,
        segments: usize,
    ) -> Verification {
        let elements = transfer.assembly.elements.iter().filter(|element| element.rod.is_some()).count();
        let orders = transfer.mechanism.rods.iter().map(|rod| rod.order);
        let mesh = match orders.max() {
            Some(order) if elements > 0 => format!("{elements} elements of order up to {order} in space, "),
            _ => String::new(),
        };
        let mut verification = Verification {
            passed: true,
            scheme: format!("variational midpoint in time, {mesh}{refine} steps for each of the grid, {begun}"),
            elements,
            steps: self.steps() * refine,
            halved_steps: run.halved,
            from_moving_state: self.rests.is_none(),
            segments,
            ..Verification::default()
        };
        for (i, judged) in self.judged.iter().enumerate() {
            let mut worst = 0.0_f64;
            for (found, wanted) in run.values.iter().zip(&judged.wanted) {
                let deviation = (found[i] - wanted).abs();
                // What is not wanted at an instant is no number, and not judged there.
                if !wanted.is_nan() {
                    worst = worse(worst, deviation);
                }
            }
            let allowed = judged.allowed * share;
            if judged.open {
                if !(worst <= allowed) {
                    verification.open.insert(judged.name.clone(), worst);
                }
                continue;
            }
            verification.passed &= worst <= allowed;
            verification.max_error.insert(judged.name.clone(), worst);
            verification.tolerance.insert(judged.name.clone(), allowed);
        }
        verification
    }

    fn proved(&self, verification: Verification, run: Run) -> Proved {
        Proved { verification, outputs: self.table(&run), loads: run.loads.increasing() }
    }

    fn table(&self, run: &Run) -> Table {
        let column = |i: usize| run.values.iter().map(|values| values[i]).collect();
        let columns = self.judged.iter().enumerate().map(|(i, judged)| (judged.name.clone(), column(i)));
        Table { t: self.instants.clone(), columns: columns.collect() }
    }
}

/// Steps of one length.
struct Equal {
    /// Number of the instant at which the first of them begins.
    first: usize,
    /// Their length, second.
    step: f64,
    /// How many there are.
    count: usize,
}

/// The steps between instants from one of them on, those of one length together: phases have steps of their own.
fn equal_steps(instants: &[f64], first: usize) -> Vec<Equal> {
    let mut found: Vec<Equal> = Vec::new();
    for k in first..instants.len().saturating_sub(1) {
        let step = instants[k + 1] - instants[k];
        match found.last_mut() {
            // Instants are rounded.
            Some(last) if (step - last.step).abs() <= EQUAL * step => {
                last.count += 1;
                last.step = (instants[k + 1] - instants[last.first]) / last.count as f64;
            }
            _ => found.push(Equal { first: k, step, count: 1 }),
        }
    }
    found
}

/// The larger of two numbers; no number if one of them is none.
fn worse(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}

fn undefined(failure: crate::nlp::EvalFailure) -> TaskError {
    TaskError::Incomplete { reason: failure.to_string() }
}

#[cfg(test)]
mod tests {
    use super::equal_steps;

    /// Two phases of three and two steps, from the second instant on.
    #[test]
    fn steps_of_one_length_are_found() {
        let instants = [0.0, 0.1, 0.2, 0.30000000000000004, 0.8, 1.3];
        let found: Vec<(usize, usize)> = equal_steps(&instants, 1).iter().map(|run| (run.first, run.count)).collect();
        assert_eq!(found, [(1, 2), (3, 2)]);
        assert!((equal_steps(&instants, 1)[1].step - 0.5).abs() < 1e-15);
    }
}
