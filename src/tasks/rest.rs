//! The equilibrium a manoeuvre starts from.

use super::TaskError;
use super::inverse_dynamics::sampling::end_state;
use crate::discretisation::march::{Cut, EndData, Layer, Sideways, SidewaysError, march};
use crate::discretisation::variational::{Chain, StaticSystem};
use crate::models::{Continuum, Rod, Side, Vector};
use crate::solver::linear::SparseLu;
use crate::solver::{ContinuationOptions, Newton, NewtonOptions, continue_to_one};

/// Rest configuration of a rod and the forces that keep it there.
#[derive(Debug, Clone, PartialEq)]
pub struct Rest<const D: usize> {
    /// Configuration per node.
    pub q: Vec<Vector<D>>,
    /// Forces of actuators and supports at the two ends; zero where none acts.
    pub forces: [Vector<D>; 2],
}

/// (side, coordinate) of every force to be found: actuators and supports.
pub fn unknown_forces<C: Continuum<D>, const D: usize>(rod: &Rod<C, D>) -> Vec<(Side, usize)> {
    pick::<D>(|side, c| rod.end(side).actuated[c] || rod.end(side).held[c].is_some())
}

/// (side, coordinate) of every prescribed coordinate: servo outputs and supports.
pub fn prescribed_coordinates<C: Continuum<D>, const D: usize>(rod: &Rod<C, D>) -> Vec<(Side, usize)> {
    pick::<D>(|side, c| rod.end(side).path[c].is_some() || rod.end(side).held[c].is_some())
}

fn pick<const D: usize>(choose: impl Fn(Side, usize) -> bool) -> Vec<(Side, usize)> {
    let all = Side::BOTH.into_iter().flat_map(|side| (0..D).map(move |c| (side, c)));
    all.filter(|&(side, c)| choose(side, c)).collect()
}

/// The chain of elements a rod is simulated with.
pub fn chain<C: Continuum<D>, const D: usize>(rod: &Rod<C, D>, elements: usize) -> Chain<'_, C, D> {
    let [start, end] = &rod.ends;
    Chain::new(&rod.model, rod.length, elements, [start.mass, end.mass], [start.weight, end.weight])
}

/// Equilibrium of `elements` elements with the prescribed coordinates where they are at time t.
pub fn rest<C: Sideways<D>, const D: usize>(rod: &Rod<C, D>, elements: usize, t: f64) -> Result<Rest<D>, TaskError> {
    let mut held = Vec::new();
    for (side, c) in prescribed_coordinates(rod) {
        let jet = rod.end(side).prescribed(c, t).map_err(|bad| TaskError::function(rod, side, bad))?;
        held.push((side, c, jet.unwrap_or_default().value));
    }
    let mut loads = [Vector::zeros(); 2];
    for (load, side) in loads.iter_mut().zip(Side::BOTH) {
        let known = rod.end(side).known_force(t).map_err(|bad| TaskError::function(rod, side, bad))?;
        *load = known - rod.end(side).weight;
    }
    let guess = match rod.marching_side() {
        Some(side) => hanging(rod, side, elements, t)?.iter().map(|layer| layer.q_at(0)).collect(),
        None => straight(rod, elements, &held),
    };
    let unknown = unknown_forces(rod);
    let mut system = StaticSystem::new(chain(rod, elements), loads, &held, &unknown);
    let mut start: Vec<f64> = guess.iter().flat_map(|q| q.iter().copied().collect::<Vec<_>>()).collect();
    start.resize(start.len() + unknown.len(), 0.0);
    let mut newton = Newton::new(Box::new(SparseLu::new()), NewtonOptions::default());
    let phase = "the rest configuration";
    let continued =
        continue_to_one(&mut newton, &mut system, &start, &ContinuationOptions::default(), &mut |_, _| true).map_err(
            |source| TaskError::Singular { phase: phase.into(), rod: rod.name.clone(), source: Box::new(source) },
        )?;
    if let Some(stuck) = continued.stuck {
        return Err(TaskError::NotConverged { phase: phase.into(), rod: rod.name.clone(), reason: stuck.reason });
    }
    let x = &continued.solution.x;
    let mut forces = [Vector::zeros(); 2];
    for (&(side, c), force) in unknown.iter().zip(system.forces(x)) {
        forces[side.index()][c] = *force;
    }
    Ok(Rest { q: system.nodes(x), forces })
}

/// Equilibrium by marching along s from complete data at one instant: layers with one time each, from s = 0 to s = L.
pub fn hanging<C: Sideways<D>, const D: usize>(
    rod: &Rod<C, D>,
    side: Side,
    elements: usize,
    t: f64,
) -> Result<Vec<Layer<D>>, TaskError> {
    let [q, _, _] = end_state(rod, side, t)?;
    let end = rod.end(side);
    let n = end.known_force(t).map_err(|bad| TaskError::function(rod, side, bad))? * side.sign();
    // One instant, no neighbours in time: accelerations are zero and there is no step limit.
    let data = EndData { dt: f64::INFINITY, q: vec![q], v: vec![Vector::zeros()], n: vec![n] };
    let cut = Cut { length: rod.length, elements, substeps: 4, direction: -side.sign() };
    let mut layers = Vec::with_capacity(elements + 1);
    march(&rod.model, &data, cut, None, &mut |_, layer| {
        layers.push(layer.clone());
        true
    })
    .map_err(|error| match error {
        SidewaysError::Breakdown { s, cause, .. } => TaskError::Breakdown { rod: rod.name.clone(), s, t, cause },
        SidewaysError::NotFinite { s, .. } => TaskError::NotFinite { rod: rod.name.clone(), s, t },
        SidewaysError::StepLimit { slowest } => TaskError::StandingWave { rod: rod.name.clone(), speed: slowest },
        SidewaysError::Interrupted => TaskError::Interrupted,
    })?;
    if side == Side::End {
        layers.reverse();
    }
    Ok(layers)
}

/// The reference configuration, moved so that the prescribed positions of one end are met.
fn straight<C: Continuum<D>, const D: usize>(
    rod: &Rod<C, D>,
    elements: usize,
    held: &[(Side, usize, f64)],
) -> Vec<Vector<D>> {
    let node = |i: usize| rod.straight.q + rod.straight.p * (rod.length * i as f64 / elements as f64);
    let mut shift = Vector::zeros();
    for &(side, c, value) in held {
        shift[c] = value - node(side.node(elements))[c];
    }
    (0..=elements).map(|i| node(i) + shift).collect()
}
