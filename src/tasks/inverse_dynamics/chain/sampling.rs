//! What is known at the section that follows the path, sampled in time, and the equilibrium that follows from it.

use nalgebra::{Vector3, Vector6};

use super::hanging::reactions;
use super::{function, hung, stopped};
use crate::discretisation::TimeGrid;
use crate::discretisation::Window;
use crate::discretisation::chain::{Branch, Moving, RodChain, SpaceScheme, Traversal};
use crate::discretisation::galerkin::space::join;
use crate::discretisation::march::Lowpass;
use crate::discretisation::march::space::{SpaceLayer, SpaceState};
use crate::mechanism::{Frame, Pose};
use crate::tasks::TaskError;
use crate::tasks::inverse_dynamics::activity::Activity;

/// The first section beyond its station: what moves with it needs force less what acts on it, unless all is `at_rest`.
pub fn first_state(chain: &RodChain, t: f64, at_rest: bool) -> Result<SpaceState, TaskError> {
    let end = chain.servo(t).map_err(|bad| function(chain, bad))?;
    let mut state = SpaceState { pose: end.pose, n: Vector3::zeros(), m: Vector3::zeros() };
    let (leg, boundary) = chain.ends()[0];
    let Some(station) = chain.station(leg.first + boundary) else { return Ok(state) };
    let moving = match at_rest {
        true => Moving::resting(end.pose),
        false => Moving { pose: end.pose, velocity: end.velocity, spin: end.spin },
    };
    let known = chain.known(station, t, &moving).map_err(|bad| function(chain, bad))?;
    (state.n, state.m) = (-known.force, -known.torque);
    if !at_rest {
        let inertia = station.inertia(&end);
        state.n += inertia.force;
        state.m += inertia.torque;
    }
    state.n *= leg.sense();
    state.m *= leg.sense();
    Ok(state)
}

/// Adds what hangs on the first section to its states, at instants `dt` apart.
pub fn hang_first(
    chain: &RodChain,
    states: &mut [SpaceState],
    start: f64,
    dt: f64,
    lowpass: Option<&Lowpass>,
) -> Result<(), TaskError> {
    let (leg, boundary) = chain.ends()[0];
    let poses: Vec<Pose> = states.iter().map(|state| state.pose).collect();
    for branch in chain.branches.iter().filter(|branch| branch.section == leg.first + boundary) {
        let needed = reactions(chain, branch, &poses, start, dt, lowpass);
        let needed = needed.map_err(|reason| hung(chain.rod(leg).name.clone(), reason))?;
        for (state, needed) in states.iter_mut().zip(needed) {
            state.n += needed.force * leg.sense();
            state.m += needed.torque * leg.sense();
        }
    }
    Ok(())
}

/// The first section on a window, and its velocity and spin in space.
pub fn first_states(
    chain: &RodChain,
    window: &Window,
    lowpass: Option<&Lowpass>,
) -> Result<(Vec<SpaceState>, Vec<Vector6<f64>>), TaskError> {
    let (mut states, mut velocities) = (Vec::with_capacity(window.count()), Vec::with_capacity(window.count()));
    for t in (0..window.count()).map(|j| window.time(j)) {
        states.push(first_state(chain, t, false)?);
        let end = chain.servo(t).map_err(|bad| function(chain, bad))?;
        velocities.push(join(end.velocity, end.spin));
    }
    hang_first(chain, &mut states, window.time(0), window.dt(), lowpass)?;
    Ok((states, velocities))
}

/// When the path and the loads change.
pub fn activity(chain: &RodChain, grid: &TimeGrid) -> Result<Activity, TaskError> {
    let bad = |bad| function(chain, bad);
    let mut samples = Vec::with_capacity(2 * grid.steps + 1);
    let mut first: Option<Vec<Vector3<f64>>> = None;
    for j in 0..=2 * grid.steps {
        let t = grid.start + 0.5 * grid.dt * j as f64;
        let largest = |v: Vector3<f64>, a: Vector3<f64>| v.norm().max(a.norm() * grid.dt);
        let mut speed = 0.0_f64;
        for guide in &chain.guides {
            let end = guide.path.at(t).map_err(bad)?;
            speed = speed.max(largest(end.velocity, end.acceleration)).max(largest(end.spin, end.spin_rate));
        }
        let mut forces = chain.line_samples(t).map_err(bad)?;
        // Loads are taken in the reference configuration: when they change, not how they act, matters here.
        for (leg, boundary, station) in chain.stations() {
            let still = chain.mechanism.reference_pose(Frame::Section { rod: leg.rod, boundary });
            let loads = chain.loads(station, t, &Moving::resting(still)).map_err(bad)?;
            forces.extend([loads.force, loads.torque]);
        }
        let reference = first.get_or_insert_with(|| forces.clone());
        let change = forces.iter().zip(reference).map(|(a, b)| (a - *b).norm()).fold(0.0, f64::max);
        samples.push((t, speed, change));
    }
    let mut activity = Activity::of(&samples, grid);
    if !chain.branches.is_empty() {
        // What hangs on the rods may go on swinging after the path has come to rest.
        activity.rests_after = false;
        activity.interval = activity.interval.map(|[first, _]| [first, grid.end()]);
    }
    Ok(activity)
}

/// Equilibrium with the path where it is at time t, by marching along s: all sections by number.
pub fn hanging(chain: &RodChain, t: f64) -> Result<Vec<SpaceState>, TaskError> {
    // One instant, no neighbours in time: nothing moves and there is no step limit.
    let mut first = [first_state(chain, t, true)?];
    hang_first(chain, &mut first, t, f64::INFINITY, None)?;
    let mut states = vec![first[0]; chain.sections()];
    let mut sink = |section: usize, layer: &SpaceLayer| {
        states[section] = layer.state(0);
        true
    };
    let (scheme, dt) = (SpaceScheme::Verlet, f64::INFINITY);
    let hang = |branch: &Branch, poses: &[Pose]| reactions(chain, branch, poses, t, dt, None);
    let traversal = Traversal { chain, scheme, dt, instant: &|_| t, lowpass: None, substeps: &|_| 4, reactions: &hang };
    traversal.run(&first, &[Vector6::zeros()], &mut sink).map_err(|error| stopped(chain, error, &|_| t))?;
    Ok(states)
}
