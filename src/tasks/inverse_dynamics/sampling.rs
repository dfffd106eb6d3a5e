//! What is known at the marching end, sampled on a window of time.

use super::TaskError;
use crate::discretisation::march::EndData;
use crate::discretisation::{TimeGrid, Window};
use crate::models::{Continuum, Rod, Side, Vector};

/// When the data at an end change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Activity {
    /// First and last instant at which something moves or a load changes; `None` if nothing ever does.
    pub interval: Option<[f64; 2]>,
    /// Path and loads are at rest at the first instant.
    pub rests_before: bool,
    /// Path and loads are at rest at the last instant.
    pub rests_after: bool,
}

/// Configuration, velocity and stress at an end with complete data, at time t.
pub fn end_state<C: Continuum<D>, const D: usize>(
    rod: &Rod<C, D>,
    side: Side,
    t: f64,
) -> Result<[Vector<D>; 3], TaskError> {
    let end = rod.end(side);
    let [mut q, mut v, mut a] = [Vector::zeros(); 3];
    for c in 0..D {
        let jet = end.prescribed(c, t).map_err(|bad| TaskError::function(rod, side, bad))?.unwrap_or_default();
        (q[c], v[c], a[c]) = (jet.value, jet.first, jet.second);
    }
    // Balance of the body at the end: ±n is what the rod receives there.
    let force = end.known_force(t).map_err(|bad| TaskError::function(rod, side, bad))?;
    Ok([q, v, (force - a.component_mul(&end.mass)) * side.sign()])
}

/// Sample an end with complete data on a window.
pub fn end_data<C: Continuum<D>, const D: usize>(
    rod: &Rod<C, D>,
    side: Side,
    window: &Window,
) -> Result<EndData<D>, TaskError> {
    let count = window.count();
    let mut data = EndData {
        dt: window.dt(),
        q: Vec::with_capacity(count),
        v: Vec::with_capacity(count),
        n: Vec::with_capacity(count),
    };
    for j in 0..count {
        let [q, v, n] = end_state(rod, side, window.time(j))?;
        data.q.push(q);
        data.v.push(v);
        data.n.push(n);
    }
    Ok(data)
}

/// When the prescribed motion and the known forces of both ends change, found on the grid and halfway between.
pub fn activity<C: Continuum<D>, const D: usize>(rod: &Rod<C, D>, grid: &TimeGrid) -> Result<Activity, TaskError> {
    let mut speeds = Vec::with_capacity(2 * grid.steps + 1);
    let mut first_force = None;
    for j in 0..=2 * grid.steps {
        let t = grid.start + 0.5 * grid.dt * j as f64;
        let mut speed = 0.0_f64;
        let mut forces = [Vector::<D>::zeros(); 2];
        for (force, side) in forces.iter_mut().zip(Side::BOTH) {
            let end = rod.end(side);
            for c in 0..D {
                if let Some(jet) = end.prescribed(c, t).map_err(|bad| TaskError::function(rod, side, bad))? {
                    speed = speed.max(jet.first.abs()).max(jet.second.abs() * grid.dt);
                }
            }
            *force = end.known_force(t).map_err(|bad| TaskError::function(rod, side, bad))?;
        }
        let reference = *first_force.get_or_insert(forces);
        let change = (forces[0] - reference[0]).amax().max((forces[1] - reference[1]).amax());
        speeds.push((t, speed, change));
    }
    Ok(Activity::of(&speeds, grid))
}

impl Activity {
    /// From samples on the grid and halfway between: instant, speed of the prescribed motion, change of the known forces
    /// since the first instant.
    pub fn of(speeds: &[(f64, f64, f64)], grid: &TimeGrid) -> Self {
        let fastest = speeds.iter().map(|s| s.1).fold(0.0, f64::max);
        let largest = speeds.iter().map(|s| s.2).fold(0.0, f64::max);
        let moves = |s: &&(f64, f64, f64)| s.1 > 1e-12 * fastest || s.2 > 1e-12 * largest;
        let first = speeds.iter().find(moves).map(|s| s.0);
        let load_changes = |pair: &[(f64, f64, f64)]| (pair[1].2 - pair[0].2).abs() > 1e-9 * largest;
        // A load that ends at another value than it began has changed for good, but changes no more.
        let last_change = speeds.windows(2).rev().find(|w| (w[1].2 - w[0].2).abs() > 1e-12 * largest).map(|w| w[1].0);
        let last_motion = speeds.iter().rev().find(|s| s.1 > 1e-12 * fastest).map(|s| s.0);
        let last = last_change.into_iter().chain(last_motion).reduce(f64::max);
        // Motion begins after the last sample at rest and ends before the first one at rest again.
        let half = 0.5 * grid.dt;
        let within = |t: f64| t.clamp(grid.start, grid.end());
        Activity {
            interval: first.zip(last).map(|(a, b)| [within(a - half), within(b.max(a) + half)]),
            rests_before: first.is_none_or(|t| t > grid.start) && !load_changes(&speeds[..2]),
            rests_after: last.is_none_or(|t| t < grid.end()) && !load_changes(&speeds[speeds.len() - 2..]),
        }
    }
}

/// The window on which the march must run so that the answer on `grid` is right: extended as far as waves of speed
/// `slowest` reach in from motion near or beyond its ends. `cells` is how many fine steps the scheme's stencil spreads
/// over the whole rod.
pub fn window(grid: TimeGrid, refine: usize, activity: &Activity, length: f64, slowest: f64, cells: usize) -> Window {
    let dt = grid.dt / refine as f64;
    let transit = length / slowest + 4.0 * dt;
    let needed = |rests: bool, margin: f64| match rests {
        false => cells,
        true => (((transit - margin) / dt).ceil().max(0.0) as usize).min(cells),
    };
    let [first, last] = activity.interval.unwrap_or([grid.end(), grid.start]);
    Window {
        grid,
        refine,
        before: needed(activity.rests_before, first - grid.start),
        after: needed(activity.rests_after, grid.end() - last),
    }
}
