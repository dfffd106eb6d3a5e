//! What is known at the end that follows the path, sampled on a window of time, and the equilibrium that follows from it.

use nalgebra::Vector3;

use crate::discretisation::march::space::{SpaceData, SpaceError, SpaceLayer, SpaceState, march_space};
use crate::discretisation::march::{Cut, SidewaysError};
use crate::discretisation::{TimeGrid, Window};
use crate::models::{DrivenRod, Side};
use crate::tasks::TaskError;
use crate::tasks::inverse_dynamics::sampling::Activity;
use crate::tasks::inverse_dynamics::space::unfit;

/// Pose and stress at the end that follows the path: what acts there less what its bodies need; these do not move if
/// `at_rest`.
pub fn end_state(rod: &DrivenRod, t: f64, at_rest: bool) -> Result<SpaceState, TaskError> {
    let side = rod.side;
    let bad = |bad| TaskError::pose_function(&rod.rod().name, side, bad);
    let end = rod.servo(t).map_err(bad)?;
    let mut known = rod.known(side, t, &end.pose).map_err(bad)?;
    if !at_rest {
        let inertia = rod.inertia(side, &end);
        known.force -= inertia.force;
        known.torque -= inertia.torque;
    }
    Ok(SpaceState { pose: end.pose, n: known.force * side.sign(), m: known.torque * side.sign() })
}

/// The end that follows the path on a window.
pub fn end_data(rod: &DrivenRod, window: &Window) -> Result<SpaceData, TaskError> {
    let states = (0..window.count()).map(|j| end_state(rod, window.time(j), false)).collect::<Result<_, _>>()?;
    Ok(SpaceData { dt: window.dt(), states })
}

/// When the path and the loads of both ends change.
pub fn activity(rod: &DrivenRod, grid: &TimeGrid) -> Result<Activity, TaskError> {
    let part = rod.rod();
    let mut samples = Vec::with_capacity(2 * grid.steps + 1);
    let mut first = None;
    // Loads at the driven end are taken in its reference orientation: when they change, not how they act, matters here.
    let driven = rod.side.other();
    let boundary = driven.node(part.elements);
    let still = rod.structure.reference_pose(crate::models::structure::Frame::Section { rod: 0, boundary });
    for j in 0..=2 * grid.steps {
        let t = grid.start + 0.5 * grid.dt * j as f64;
        let end = rod.servo(t).map_err(|bad| TaskError::pose_function(&part.name, rod.side, bad))?;
        let largest = |v: Vector3<f64>, a: Vector3<f64>| v.norm().max(a.norm() * grid.dt);
        let speed = largest(end.velocity, end.acceleration).max(largest(end.spin, end.spin_rate));
        let mut forces = [Vector3::zeros(); 4];
        for (i, (side, pose)) in [(rod.side, &still), (driven, &still)].into_iter().enumerate() {
            let loads = rod.loads(side, t, pose).map_err(|bad| TaskError::pose_function(&part.name, side, bad))?;
            (forces[2 * i], forces[2 * i + 1]) = (loads.force, loads.torque);
        }
        let reference = *first.get_or_insert(forces);
        let change = forces.iter().zip(&reference).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        samples.push((t, speed, change));
    }
    Ok(Activity::of(&samples, grid))
}

/// Equilibrium with the path where it is at time t, by marching along s: states from s = 0 to s = L.
pub fn hanging(rod: &DrivenRod, elements: usize, t: f64) -> Result<Vec<SpaceState>, TaskError> {
    let part = rod.rod();
    // One instant, no neighbours in time: nothing moves and there is no step limit.
    let data = SpaceData { dt: f64::INFINITY, states: vec![end_state(rod, t, true)?] };
    let cut = Cut { length: part.length, elements, substeps: 4, direction: -rod.side.sign() };
    let mut states = Vec::with_capacity(elements + 1);
    let mut sink = |_: usize, layer: &SpaceLayer| {
        states.push(layer.state(0));
        true
    };
    march_space(part, rod.structure.gravity, &data, cut, None, &mut sink).map_err(|error| {
        let name = part.name.clone();
        match error {
            SpaceError::Unfit(why) => unfit(&name, why),
            SpaceError::Sideways(SidewaysError::Breakdown { s, cause, .. }) => {
                TaskError::Breakdown { rod: name, s, t, cause }
            }
            SpaceError::Sideways(SidewaysError::NotFinite { s, .. }) => TaskError::NotFinite { rod: name, s, t },
            SpaceError::Sideways(SidewaysError::StepLimit { slowest }) => {
                TaskError::StandingWave { rod: name, speed: slowest }
            }
            SpaceError::Sideways(SidewaysError::Interrupted) => TaskError::Interrupted,
        }
    })?;
    if rod.side == Side::End {
        states.reverse();
    }
    Ok(states)
}
