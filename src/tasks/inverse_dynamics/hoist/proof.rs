//! The proof of trolley and winch: a forward simulation with rail, trolley and winch, driven by their forces alone.

use nalgebra::Vector3;

use super::HoistSystem;
use super::cut::{Crossing, Rope, rates, too_short};
use crate::discretisation::remesh::{Sample, Shape, Transfer};
use crate::discretisation::stepping::State;
use crate::mechanism::{Frame, Pose};
use crate::results::{Outcome, Table, Verification};
use crate::tasks::inverse_dynamics::chain::{judged, path_value, paths, usable};
use crate::tasks::verify::{Proof, Proved, Rest};
use crate::tasks::{Observer, TaskError};

/// Trolley, winch and free rope over time.
pub struct Motion {
    /// The rope at its sheave.
    pub crossings: Vec<Crossing>,
    /// Nodes of the free rope, at equal parts of its length.
    pub nodes: Vec<Vec<Vector3<f64>>>,
    /// Force of the rope there, newton.
    pub forces: Vec<Vec<Vector3<f64>>>,
    /// ṡ₀, m/s.
    pub rate: Vec<f64>,
    /// s̈₀, m/s².
    pub rate_change: Vec<f64>,
    /// ẍ of the sheave, m/s².
    pub sheave_acceleration: Vec<Vector3<f64>>,
    velocities: Vec<Vec<Vector3<f64>>>,
}

/// Speed at the first instant, as a part of the largest, that counts as rest.
const REST: f64 = 1e-6;

impl Motion {
    /// From what was cut, at instants `dt` apart.
    pub fn new(
        crossings: Vec<Crossing>,
        nodes: Vec<Vec<Vector3<f64>>>,
        forces: Vec<Vec<Vector3<f64>>>,
        dt: f64,
    ) -> Self {
        let stored: Vec<f64> = crossings.iter().map(|cut| cut.s).collect();
        let sheave: Vec<Vector3<f64>> = crossings.iter().map(|cut| cut.x).collect();
        let (rate, rate_change) = rates(&stored, dt);
        let (_, sheave_acceleration) = rates(&sheave, dt);
        let count = nodes.first().map_or(0, Vec::len);
        let of_node = |i: usize| rates(&nodes.iter().map(|nodes| nodes[i]).collect::<Vec<_>>(), dt).0;
        let by_node: Vec<Vec<Vector3<f64>>> = (0..count).map(of_node).collect();
        let velocities = (0..nodes.len()).map(|k| by_node.iter().map(|values| values[k]).collect()).collect();
        Self { crossings, nodes, forces, rate, rate_change, sheave_acceleration, velocities }
    }

    /// How fast the rope is at the first instant, where it does not rest.
    pub fn begins_moving(&self) -> Option<f64> {
        let fastest = |velocities: &Vec<Vector3<f64>>| velocities.iter().map(|v| v.norm()).fold(0.0, f64::max);
        let largest = self.velocities.iter().map(fastest).fold(0.0, f64::max);
        self.velocities.first().map(fastest).filter(|first| *first > REST * largest)
    }

    /// The mechanism at an instant.
    pub fn shape(&self, hoist: &HoistSystem, k: usize) -> Shape {
        let winch = (hoist.winch().stored - self.crossings[k].s, -self.rate[k]);
        shape(hoist, &self.nodes[k], &self.velocities[k], winch)
    }
}

/// The mechanism with the nodes of its free rope, their velocities, and what is paid out.
fn shape(hoist: &HoistSystem, nodes: &[Vector3<f64>], velocities: &[Vector3<f64>], winch: (f64, f64)) -> Shape {
    let rope = hoist.winch().rope;
    let rod = &hoist.mechanism.rods[rope];
    let sample = |position: Vector3<f64>, velocity: Vector3<f64>, frame: Frame| {
        let reference = hoist.mechanism.reference_pose(frame);
        let angle = if hoist.mechanism.dimension == 2 { hoist.mechanism.reference_angle(frame) } else { 0.0 };
        Sample { pose: Pose { position, ..reference }, angle, velocity, spin: Vector3::zeros() }
    };
    let along = |i: usize| {
        let frame = Frame::Section { rod: rope, boundary: i };
        (rod.boundary(i), sample(nodes[i], velocities[i], frame))
    };
    let mut rods = vec![Vec::new(); hoist.mechanism.rods.len()];
    rods[rope] = (0..nodes.len()).map(along).collect();
    let last = nodes.len() - 1;
    let body = |index: usize| {
        let frame = Frame::Body(index);
        Some(match index == hoist.trolley {
            true => sample(nodes[0] + hoist.offset(), velocities[0], frame),
            false => sample(nodes[last], velocities[last], frame),
        })
    };
    let bodies = (0..hoist.mechanism.bodies.len()).map(body).collect();
    Shape { rods, bodies, winches: vec![winch] }
}

/// The mechanism at rest where the path begins.
fn rest(hoist: &HoistSystem) -> Result<Shape, TaskError> {
    let t = hoist.system.grid.start;
    let rope = Rope::resting(hoist, t)?;
    let cut = rope.crossing().map_err(|missing| too_short(hoist, t, missing))?;
    let (whole, elements) = (hoist.system.chain.length(), hoist.mechanism.rods[hoist.winch().rope].elements);
    let place = |i: usize| cut.s + (whole - cut.s) * i as f64 / elements as f64;
    let nodes: Vec<Vector3<f64>> = (0..=elements).map(|i| rope.at(place(i)).0).collect();
    let still = vec![Vector3::zeros(); nodes.len()];
    Ok(shape(hoist, &nodes, &still, (hoist.winch().stored - cut.s, 0.0)))
}

/// Drives trolley and winch by the actuation table and compares the load with its path.
pub fn verify(
    hoist: &HoistSystem,
    actuation: &Table,
    from_first: bool,
    computed: &dyn Fn(usize) -> Shape,
    segment: usize,
    observer: &mut dyn Observer,
) -> Result<Proved, TaskError> {
    let (system, chain) = (&hoist.system, &hoist.system.chain);
    let paths = paths(system, chain)?;
    let judged = judged(system, chain, &paths, hoist.spec.verify.tolerance);
    let measure = |transfer: &Transfer<'_>, state: &State, k: usize| -> Vec<f64> {
        let place = match hoist.load {
            Frame::Section { rod, .. } => transfer.assembly.sections[rod].last().map(|(_, at)| *at),
            other => transfer.assembly.frame(other),
        };
        let found = place.map_or_else(Vector3::zeros, |at| at.position(&transfer.assembly.layout, &state.q));
        let value = |output: &crate::tasks::Output| {
            let (wanted, psi) = &paths[output.guide][k];
            path_value(chain, output, &Pose { position: found, ..*wanted }, psi)
        };
        system.outputs.iter().map(value).collect()
    };
    let begin = if from_first { None } else { Some(rest(hoist)?) };
    let state = |k: usize| match (&begin, k) {
        (Some(begin), 0) => begin.clone(),
        _ => computed(k),
    };
    let held = chain.components().iter().map(|component| (hoist.load, *component)).collect();
    let proof = Proof {
        mechanism: &hoist.mechanism,
        instants: system.grid.times(),
        actuation,
        stepped: false,
        jumps: Vec::new(),
        judged: &judged,
        measure: &measure,
        state: &state,
        rests: (!from_first).then_some(Rest { held, accelerations: None }),
        segment,
        refine: hoist.spec.verify.refine,
        unstable: std::cell::Cell::new(false),
    };
    proof.run(observer)
}

/// Simulates from the stored actuation.
pub fn reverify(
    hoist: &HoistSystem,
    outcome: &Outcome,
    observer: &mut dyn Observer,
) -> Result<Verification, TaskError> {
    usable(&hoist.system, &hoist.channels, outcome)?;
    let recorded = outcome.report.verification.as_ref();
    if recorded.is_some_and(|found| found.from_moving_state || found.segments > 1) {
        let reason = "its motion begins moving, or was proved in segments, so that it takes more than the actuation; solve it again";
        return Err(TaskError::Incomplete { reason: reason.into() });
    }
    let begin = rest(hoist)?;
    let computed = |_: usize| begin.clone();
    Ok(verify(hoist, &outcome.actuation, false, &computed, hoist.system.grid.steps, observer)?.verification)
}
