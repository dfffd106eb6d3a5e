//! Verification of a saved result from its actuation table.

use super::proof::{States, verify};
use crate::discretisation::march::Sideways;
use crate::models::{Rod, Vector};
use crate::results::{Outcome, Verification};
use crate::tasks::simulate::State;
use crate::tasks::{InverseDynamicsSpec, Mechanism, Observer, System, TaskError};

/// Simulate with the stored actuation. The stored motion is not used, but for the initial state of a rod that is already
/// moving at the first instant and for the segments of an unstable motion, which the actuation alone does not determine.
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
        Mechanism::Chain(chain) => super::chain::reverify(system, chain, spec, outcome, observer),
    }
}

/// The number of instants of a stored actuation that fits the problem.
pub(super) fn usable(system: &System, outcome: &Outcome) -> Result<usize, TaskError> {
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
    Ok(wanted)
}

fn of_rod<C: Sideways<D>, const D: usize>(
    system: &System,
    rod: &Rod<C, D>,
    spec: &InverseDynamicsSpec,
    outcome: &Outcome,
    observer: &mut dyn Observer,
) -> Result<Verification, TaskError> {
    let table = &outcome.actuation;
    let wanted = usable(system, outcome)?;
    let incomplete = |reason: String| Err(TaskError::Incomplete { reason });
    let recorded = outcome.report.verification.as_ref();
    let fields = Fields::new(rod, outcome);
    let from_first = recorded.is_some_and(|v| v.from_moving_state);
    let segments = recorded.map_or(1, |v| v.segments.max(1));
    // Only a motion that is already moving, or was found unstable, needs stored states.
    if (from_first || segments > 1) && !fields.as_ref().is_ok_and(|f| f.fits(wanted, rod.elements + 1)) {
        fields?;
        return incomplete("motion.npz does not fit the problem's grid".into());
    }
    let at = |k: usize| match &fields {
        Ok(fields) => fields.state(k),
        Err(_) => State { q: vec![Vector::zeros(); 2], v: vec![Vector::zeros(); 2] },
    };
    let states = States { from_first, at: &at, segment: system.grid.steps.div_ceil(segments) };
    let (verification, _) = verify(system, rod, table, &states, &spec.verify, observer)?;
    Ok(verification)
}

/// Stored configurations and velocities.
struct Fields<'a, const D: usize> {
    nodes: usize,
    instants: usize,
    q: [&'a [f64]; D],
    v: [&'a [f64]; D],
}

impl<'a, const D: usize> Fields<'a, D> {
    fn new<C: Sideways<D>>(rod: &Rod<C, D>, outcome: &'a Outcome) -> Result<Self, TaskError> {
        let missing =
            |name: &str| TaskError::Incomplete { reason: format!("motion.npz has no field `{}.{name}`", rod.name) };
        let field = outcome.rods.iter().find(|field| field.rod == rod.name).ok_or_else(|| missing("x"))?;
        let mut fields = Self { nodes: field.s.len(), instants: field.t.len(), q: [&[]; D], v: [&[]; D] };
        for (c, name) in rod.model.coordinates().into_iter().enumerate() {
            let velocity = format!("velocity_{name}");
            fields.q[c] = field.field(name).ok_or_else(|| missing(name))?;
            fields.v[c] = field.field(&velocity).ok_or_else(|| missing(&velocity))?;
        }
        Ok(fields)
    }

    fn fits(&self, instants: usize, nodes: usize) -> bool {
        let size = instants * nodes;
        (self.nodes, self.instants) == (nodes, instants)
            && self.q.iter().chain(&self.v).all(|f| f.len() == size && f.iter().all(|x| x.is_finite()))
    }

    fn state(&self, k: usize) -> State<D> {
        let pick = |field: &[&[f64]; D]| -> Vec<Vector<D>> {
            (0..self.nodes).map(|i| Vector::from_fn(|c, _| field[c][i * self.instants + k])).collect()
        };
        State { q: pick(&self.q), v: pick(&self.v) }
    }
}
