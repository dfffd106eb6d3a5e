//! When the data of a problem change, and the window of time that answers it.

use crate::discretisation::{TimeGrid, Window};

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
