//! What a march or finite elements along a plane rod or a string have to prove: the ends follow their paths.

use nalgebra::Vector3;

use crate::discretisation::march::Sideways;
use crate::discretisation::remesh::{Sample, Shape, Transfer};
use crate::discretisation::stepping::State as NodalState;
use crate::models::structure::Frame;
use crate::models::{Machine, Pose, Quaternion, Rod, Side, Vector};
use crate::results::{Table, Verification};
use crate::tasks::rest::rest;
use crate::tasks::simulate::State;
use crate::tasks::verify::{Judged, Proof};
use crate::tasks::{Observer, Output, System, TaskError, VerifySpec};
use crate::terms::{NodeKind, plane_orientation};

/// Where the simulation may take its state from.
pub struct States<'a, const D: usize> {
    /// The rod is moving at the first instant: begin with the computed state instead of rest.
    pub from_first: bool,
    /// Computed state at an instant of the grid, any number of nodes.
    pub at: &'a dyn Fn(usize) -> State<D>,
    /// Length of a segment, in steps of the grid, if the motion must be verified piecewise.
    pub segment: usize,
}

/// The machine that a system is simulated as.
pub fn machine(system: &System) -> Result<&Machine, TaskError> {
    system.machine.as_ref().ok_or_else(|| TaskError::Incomplete {
        reason: "the mechanism is not known as one of rods, bodies and joints".into(),
    })
}

/// Drives the rod by the actuation table and compares its ends with their paths.
pub fn verify<C: Sideways<D>, const D: usize>(
    system: &System,
    rod: &Rod<C, D>,
    actuation: &Table,
    states: &States<'_, D>,
    spec: &VerifySpec,
    observer: &mut dyn Observer,
) -> Result<(Verification, Table), TaskError> {
    let judged = judged(system, rod, spec.tolerance)?;
    let names = rod.model.coordinates();
    let turns = names.contains(&"angle");
    let measure = |transfer: &Transfer<'_>, state: &NodalState, _: usize| {
        system.outputs.iter().map(|output| end_value(transfer, state, output, names[output.coordinate])).collect()
    };
    // Where the motion begins at rest does not follow from the computed motion.
    let rest = match states.from_first {
        true => None,
        false => {
            let rest = rest(rod, rod.elements, system.grid.start)?;
            Some(State { v: vec![Vector::zeros(); rest.q.len()], q: rest.q })
        }
    };
    let state = |k: usize| match (&rest, k) {
        (Some(rest), 0) => shape(rest, rod.length, turns),
        _ => shape(&(states.at)(k), rod.length, turns),
    };
    let elements = machine(system)?.structure.rods[0].elements;
    let frame = |side: Side| Frame::Section { rod: 0, boundary: side.node(elements) };
    let held = system.outputs.iter().map(|output| (frame(output.side), output.coordinate)).collect();
    let proof = Proof {
        machine: machine(system)?,
        grid: system.grid,
        actuation,
        stepped: false,
        jumps: Vec::new(),
        judged: &judged,
        measure: &measure,
        state: &state,
        rests: (!states.from_first).then_some(held),
        segment: states.segment,
        refine: spec.refine,
    };
    proof.run(observer)
}

/// Paths, and tolerances: a fraction of the rod's length or of the size of the manoeuvre, whichever is smaller.
fn judged<C: Sideways<D>, const D: usize>(
    system: &System,
    rod: &Rod<C, D>,
    fraction: f64,
) -> Result<Vec<Judged>, TaskError> {
    let (grid, length) = (system.grid, rod.length);
    let names = rod.model.coordinates();
    let per_length = |output: &Output| if names[output.coordinate] == "angle" { length } else { 1.0 };
    let mut paths: Vec<Vec<f64>> = Vec::new();
    let mut size = 0.0_f64;
    for output in &system.outputs {
        let value = |k: usize| {
            let jet = rod.end(output.side).prescribed(output.coordinate, grid.time(k));
            Ok(jet.map_err(|bad| TaskError::function(rod, output.side, bad))?.unwrap_or_default().value)
        };
        let path = (0..=grid.steps).map(value).collect::<Result<Vec<f64>, TaskError>>()?;
        let least = path.iter().copied().fold(f64::INFINITY, f64::min);
        let most = path.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        size = size.max((most - least) * per_length(output));
        paths.push(path);
    }
    // Where nothing is to move, the length is the only scale.
    let scale = if size > 0.0 { size.min(length) } else { length };
    let of = |(output, wanted): (&Output, Vec<f64>)| Judged {
        name: output.name.clone(),
        wanted,
        allowed: fraction * scale / per_length(output),
        size: length / per_length(output),
    };
    Ok(system.outputs.iter().zip(paths).map(of).collect())
}

/// A coordinate of an end of the rod in the simulation.
fn end_value(transfer: &Transfer<'_>, state: &NodalState, output: &Output, name: &str) -> f64 {
    let sections = &transfer.assembly.sections[0];
    let (_, at) = sections[output.side.node(sections.len() - 1)];
    let layout = &transfer.assembly.layout;
    match name {
        "angle" if layout.kind(at.node) == NodeKind::PlaneFrame => layout.angle(&state.q, at.node) + at.angle,
        _ => at.position(layout, &state.q)[output.coordinate],
    }
}

/// The nodes of a rod at equal distances as sections.
fn shape<const D: usize>(state: &State<D>, length: f64, turns: bool) -> Shape {
    let last = state.q.len().saturating_sub(1).max(1) as f64;
    let positions = if turns { 2 } else { D };
    let sample = |(i, (q, v)): (usize, (&Vector<D>, &Vector<D>))| {
        let vector = |of: &Vector<D>| Vector3::from_fn(|c, _| if c < positions { of[c] } else { 0.0 });
        let (angle, spin) = if turns { (q[D - 1], v[D - 1]) } else { (0.0, 0.0) };
        let orientation = if turns { plane_orientation(angle) } else { Quaternion::IDENTITY };
        let pose = Pose { position: vector(q), orientation };
        let spin = Vector3::new(0.0, 0.0, spin);
        (length * i as f64 / last, Sample { pose, angle, velocity: vector(v), spin })
    };
    let sections = state.q.iter().zip(&state.v).enumerate().map(sample).collect();
    Shape { rods: vec![sections], bodies: Vec::new() }
}
