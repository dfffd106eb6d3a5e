//! Inverse dynamics: which actuation makes the mechanism follow its servo paths?

mod activity;
mod analysis;
pub mod boundary_value;
pub mod chain;
mod effort;
pub mod hoist;
mod marching;
mod motion;
pub mod optimise;
mod outcome;
mod scalars;
pub mod sequential;

pub use activity::Activity;
pub use analysis::{Analysis, Conditioning};
pub use marching::{Marched, Scheme, promise};
pub use motion::SpaceMotion;
pub use scalars::scalar_names;

use super::{InverseDynamicsSpec, Observer, System, TaskError};
use crate::discretisation::TimeGrid;
use crate::results::{Iteration, Outcome, Verification};

/// Largest step along s of the finite elements in units of c dt at rest. Marched along s, bilinear elements are stable up to
/// ds = 2 c dt; waves may become slower than at rest.
const GALERKIN_STEP: f64 = 1.2;

/// Space-time elements that would take minutes and gigabytes.
const MOST_ELEMENTS: f64 = 3e7;

/// Layers of finite elements along all rods, at least: strips in which the strain is constant replace a bending stiffness EI by
/// EI/(1 − 1/(4n²)), a thousandth off with 16 of them.
pub const LEAST_LAYERS: usize = 16;

/// Layers of finite elements per element of the user's grid, for elements of length `ds` and the travel `reach` = c dt of the
/// slowest wave in one time step.
pub fn galerkin_substeps(ds: f64, reach: f64) -> usize {
    (ds / (GALERKIN_STEP * reach)).ceil().max(1.0) as usize
}

/// Settings of a march that follow from the analysis.
pub struct Stage<'a> {
    /// Slowest wave at rest, m/s.
    pub slowest_at_rest: f64,
    /// Corner of the low-pass filter, rad/s.
    pub bandwidth: Option<f64>,
    /// Whether the internal grid may be refined that often without amplifying noise.
    pub allows: &'a dyn Fn(usize) -> Result<bool, TaskError>,
}

/// A motion and how it was found, whatever the method.
#[derive(Debug)]
pub struct Answer {
    /// The motion on the user's grid.
    pub motion: SpaceMotion,
    /// Iteration table.
    pub iterations: Vec<Iteration>,
    /// Named numbers about the grid.
    pub grid: Vec<(&'static str, f64)>,
    /// Named sizes.
    pub sizes: Vec<(&'static str, f64)>,
    /// Named residuals and error estimates.
    pub residuals: Vec<(&'static str, f64)>,
    /// What the user should know.
    pub warnings: Vec<String>,
    /// What each drive applies at the instants, where it does not follow from the driven section.
    pub applied: Option<Vec<Vec<f64>>>,
}

/// Analyse without solving.
pub fn analyse(system: &System, spec: &InverseDynamicsSpec) -> Result<Analysis, TaskError> {
    chain::analyse(&system.chain, system.grid, spec)
}

/// Whether a march along the rod would be worth its result; a warning, or the reason to refuse.
pub fn guard(system: &System, analysis: &Analysis) -> Result<Option<String>, TaskError> {
    chain::guard(system, &system.chain, analysis)
}

/// What jumps where in the servo paths.
pub fn kinks(system: &System) -> Vec<String> {
    chain::kinks(&system.chain, system.grid)
}

/// Solve, verify and report. The outcome always has a status; what was found before a failure is in it.
pub fn run(system: &System, spec: &InverseDynamicsSpec, observer: &mut dyn Observer) -> Outcome {
    chain::build(system, &system.chain, spec, observer)
}

/// The motion by the method the analysis names, without verification.
pub fn solve(system: &System, analysis: &Analysis, observer: &mut dyn Observer) -> Result<Answer, TaskError> {
    chain::solve(system, &system.chain, analysis, observer)
}

/// Simulate with the stored actuation. The stored motion is not used, but for the initial state of a rod that is already
/// moving at the first instant and for the segments of an unstable motion, which the actuation alone does not determine.
pub fn reverify(
    system: &System,
    spec: &InverseDynamicsSpec,
    outcome: &Outcome,
    observer: &mut dyn Observer,
) -> Result<Verification, TaskError> {
    chain::reverify(system, &system.chain, spec, outcome, observer)
}

impl Answer {
    fn of_march(marched: Marched, warnings: Vec<String>) -> Self {
        Answer {
            motion: marched.motion,
            iterations: Vec::new(),
            grid: vec![
                ("fine_steps_per_step", marched.refine as f64),
                ("substeps_per_element", marched.substeps as f64),
                ("slowest_wave_met", marched.slowest),
            ],
            sizes: vec![("fine_nodes", marched.nodes as f64)],
            residuals: vec![("estimated_relative_error", marched.error)],
            warnings,
            applied: None,
        }
    }
}

/// What to say of a march whose error is larger than its grid should give.
fn slow_warning(marched: &Marched, analysis: &Analysis, grid: TimeGrid) -> Option<String> {
    (marched.error > marched.promised).then(|| {
        format!(
            "the estimated relative error of the forces is {:.1e}, more than the grid should give ({:.1e}): {}",
            marched.error,
            marched.promised,
            if marched.noisy {
                let known = analysis.conditioning.as_ref().map(|c| c.distortion).filter(|(share, _)| *share > 0.0);
                // Without a valley in the spectrum: half of what the grid carries.
                let bandwidth = known.map_or(0.5 * std::f64::consts::PI / grid.dt, |(_, frequency)| frequency);
                format!("finer grids would amplify noise along this rod; set `bandwidth = {bandwidth:.0}` in [task.inverse-dynamics], or take a smoother path")
            } else {
                format!("steep fronts form in this motion; set `time.steps = {}`, or take a slower or smoother path", 2 * grid.steps)
            }
        )
    })
}
