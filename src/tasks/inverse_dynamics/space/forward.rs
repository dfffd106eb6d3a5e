//! The rod in space as a mechanism that is simulated: states from poses of its sections, forces of its actuators.

use nalgebra::{Vector3, Vector6};

use super::marching::six;
use crate::discretisation::TimeGrid;
use crate::discretisation::assembly::{Assembly, Load, LoadSource, build};
use crate::discretisation::stepping::{State, momentum_of_velocity};
use crate::kernel::cubic;
use crate::models::{DrivenRod, Pose, Quaternion};
use crate::results::Table;
use crate::tasks::simulation::march::{Marcher, StepFailure};
use crate::tasks::{Channel, Observer, SimulationError, TaskError};

/// Poses of all sections and their velocities (in space) at one instant.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// Poses from s = 0 to s = L.
    pub poses: Vec<Pose>,
    /// Velocity and spin.
    pub velocities: Vec<Vector6<f64>>,
}

impl Snapshot {
    /// At rest.
    pub fn resting(poses: Vec<Pose>) -> Self {
        let velocities = vec![Vector6::zeros(); poses.len()];
        Self { poses, velocities }
    }

    /// On another number of equal elements, by cubics; neighbouring quaternions have like signs.
    pub fn resampled(&self, elements: usize) -> Self {
        let ratio = self.poses.len().saturating_sub(1) as f64 / elements as f64;
        let along = |of: &dyn Fn(usize) -> f64| -> Vec<f64> {
            let samples: Vec<f64> = (0..self.poses.len()).map(of).collect();
            (0..=elements).map(|i| cubic(&samples, i as f64 * ratio)).collect()
        };
        let x: [Vec<f64>; 3] = std::array::from_fn(|c| along(&|i| self.poses[i].position[c]));
        let p: [Vec<f64>; 4] = std::array::from_fn(|c| along(&|i| self.poses[i].orientation.to_array()[c]));
        let v: [Vec<f64>; 6] = std::array::from_fn(|c| along(&|i| self.velocities[i][c]));
        let pose = |i: usize| Pose {
            position: Vector3::from_fn(|c, _| x[c][i]),
            orientation: Quaternion::new(p[0][i], p[1][i], p[2][i], p[3][i]).normalised(),
        };
        let velocity = |i: usize| Vector6::from_fn(|c, _| v[c][i]);
        Self { poses: (0..=elements).map(pose).collect(), velocities: (0..=elements).map(velocity).collect() }
    }

    /// The state of an assembly of the rod with as many elements.
    pub fn state(&self, assembly: &Assembly, t: f64) -> State {
        let layout = &assembly.layout;
        let mut q = assembly.reference.clone();
        let mut momentum = vec![0.0; layout.freedom_count()];
        for ((_, at), (pose, v)) in assembly.sections[0].iter().zip(self.poses.iter().zip(&self.velocities)) {
            let orientation = pose.orientation * at.turn.conjugate();
            let arm = orientation.rotate(at.offset);
            layout.set_pose(&mut q, at.node, &Pose { position: pose.position - arm, orientation }, 0.0);
            let spin = v.fixed_rows::<3>(3).into_owned();
            let velocity = v.fixed_rows::<3>(0) - spin.cross(&arm);
            let v = six(velocity, orientation.to_material(spin));
            let p = momentum_of_velocity(layout, at.node, &q, &v, &assembly.masses[at.node]);
            let dof = layout.freedom(at.node);
            momentum[dof..dof + 6].copy_from_slice(p.as_slice());
        }
        State { t, q, momentum }
    }
}

/// The rod with `elements` elements, driven by the columns of an actuation table times `factor` and nothing else.
pub fn driven(
    rod: &DrivenRod,
    elements: usize,
    channels: &[Channel],
    actuation: &Table,
    grid: TimeGrid,
    factor: f64,
) -> Assembly {
    let mut structure = rod.structure.clone();
    let coarse = structure.rods[0].elements;
    structure.rods[0].elements = elements;
    // Ends keep their names; their number changes with that of the elements.
    let moved = |frame: &mut crate::models::structure::Frame| {
        if let crate::models::structure::Frame::Section { boundary, .. } = frame {
            *boundary = if *boundary == coarse { elements } else { 0 };
        }
    };
    structure.joints.iter_mut().flat_map(|joint| &mut joint.between).for_each(moved);
    structure.loads.iter_mut().for_each(|load| moved(&mut load.at));
    let mut assembly = build(&structure);
    for (channel, &frame) in channels.iter().zip(&rod.drives) {
        let mut frame = frame;
        moved(&mut frame);
        let (Some(at), Some(column)) = (assembly.frame(frame), actuation.column(&channel.name)) else {
            continue;
        };
        let mut values: [Vec<f64>; 6] = std::array::from_fn(|_| Vec::new());
        values[channel.coordinate] = column.iter().map(|value| value * factor).collect();
        let source = LoadSource::Sampled { start: grid.start, dt: grid.dt, values };
        assembly.loads.push(Load { name: channel.name.clone(), at, source, follows: false });
    }
    assembly
}

/// Halvings of one step before giving up.
const MAX_HALVINGS: u32 = 6;

/// Simulates `steps` steps of length `h`; `sink` receives every configuration but the first. Returns how often a step was
/// halved.
pub fn simulate(
    assembly: &Assembly,
    from: State,
    h: f64,
    steps: usize,
    observer: &mut dyn Observer,
    sink: &mut dyn FnMut(usize, &[f64]),
) -> Result<usize, TaskError> {
    let start = from.t;
    let mut marcher = Marcher::new(assembly, from, h);
    let mut halved = 0;
    for k in 1..=steps {
        let end = start + k as f64 * h;
        let rest = end - marcher.state().t;
        advance(&mut marcher, rest, 0, &mut halved)?;
        marcher.arrive(end);
        sink(k, &marcher.state().q);
        if observer.interrupted() {
            return Err(SimulationError::Interrupted.into());
        }
    }
    Ok(halved)
}

fn advance(marcher: &mut Marcher<'_>, h: f64, depth: u32, halved: &mut usize) -> Result<(), TaskError> {
    match marcher.advance(h) {
        Ok(()) => Ok(()),
        Err(StepFailure::NotConverged { .. }) if depth < MAX_HALVINGS => {
            *halved += 1;
            advance(marcher, 0.5 * h, depth + 1, halved)?;
            advance(marcher, 0.5 * h, depth + 1, halved)
        }
        Err(StepFailure::Interrupted { .. }) => Err(SimulationError::Interrupted.into()),
        Err(failure) => {
            let t = marcher.state().t;
            Err(SimulationError::NoConvergence { t, step: h, reason: failure.to_string() }.into())
        }
    }
}
