//! Verification of a saved result from its actuation table.

use crate::discretisation::sideways::Sideways;
use crate::models::{Mechanism, Rod, Vector};
use crate::results::{Outcome, Verification};
use crate::tasks::simulate::State;
use crate::tasks::verify::verify;
use crate::tasks::{InverseDynamicsSpec, Observer, System, TaskError};

/// Simulate with the stored actuation. The stored motion is not used, but for the initial state of a rod that is already
/// moving at the first instant, which the actuation alone does not determine.
pub fn reverify(
    system: &System,
    spec: &InverseDynamicsSpec,
    outcome: &Outcome,
    observer: &mut dyn Observer,
) -> Result<Verification, TaskError> {
    match &system.mechanism {
        Mechanism::Beam(rod) => of_rod(system, rod, spec, outcome, observer),
        Mechanism::PlaneString(rod) => of_rod(system, rod, spec, outcome, observer),
        Mechanism::SpaceString(rod) => of_rod(system, rod, spec, outcome, observer),
    }
}

fn of_rod<C: Sideways<D>, const D: usize>(
    system: &System,
    rod: &Rod<C, D>,
    spec: &InverseDynamicsSpec,
    outcome: &Outcome,
    observer: &mut dyn Observer,
) -> Result<Verification, TaskError> {
    let table = &outcome.actuation;
    let incomplete = |reason: String| Err(TaskError::Incomplete { reason });
    if table.t.is_empty() {
        return incomplete(format!("it holds no actuation (status {})", outcome.report.status));
    }
    if let Some(channel) = system.channels.iter().find(|channel| table.column(&channel.name).is_none()) {
        return incomplete(format!("actuation.csv has no column `{}`", channel.name));
    }
    let (found, wanted) = (table.t.len(), system.grid.steps + 1);
    if found != wanted {
        return incomplete(format!("actuation.csv has {found} instants, the problem {wanted}"));
    }
    let off = |k: usize| (table.t[k] - system.grid.time(k)).abs() > 1e-6 * system.grid.dt;
    if let Some(k) = (0..wanted).find(|&k| off(k)) {
        let reason =
            format!("row {} of actuation.csv is for t = {}, expected {}", k + 1, table.t[k], system.grid.time(k));
        return incomplete(reason);
    }
    let moving = outcome.report.verification.as_ref().is_some_and(|v| v.from_moving_state);
    let initial = if moving { Some(first_state(rod, outcome)?) } else { None };
    let (verification, _) = verify(system, rod, table, initial.as_ref(), &spec.verify, observer)?;
    Ok(verification)
}

/// Configuration and velocity at the first instant from the stored fields.
fn first_state<C: Sideways<D>, const D: usize>(rod: &Rod<C, D>, outcome: &Outcome) -> Result<State<D>, TaskError> {
    let missing =
        |name: &str| TaskError::Incomplete { reason: format!("motion.npz has no field `{}.{name}`", rod.name) };
    let field = outcome.rods.iter().find(|field| field.rod == rod.name).ok_or_else(|| missing("x"))?;
    let (nodes, instants) = (field.s.len(), field.t.len());
    let mut state = State { q: vec![Vector::zeros(); nodes], v: vec![Vector::zeros(); nodes] };
    for (c, name) in rod.model.coordinates().into_iter().enumerate() {
        let velocity = format!("velocity_{name}");
        let q = field.field(name).ok_or_else(|| missing(name))?;
        let v = field.field(&velocity).ok_or_else(|| missing(&velocity))?;
        for i in 0..nodes {
            state.q[i][c] = q.get(i * instants).copied().ok_or_else(|| missing(name))?;
            state.v[i][c] = v.get(i * instants).copied().ok_or_else(|| missing(&velocity))?;
        }
    }
    Ok(state)
}
