//! Inverse dynamics: which actuation makes the mechanism follow its servo paths?

mod analysis;
pub mod chain;
mod elements;
mod global;
mod layers;
mod marching;
mod motion;
pub mod optimise;
mod outcome;
pub mod proof;
mod reverify;
pub(super) mod sampling;
mod scalars;
pub mod sequential;

pub use analysis::{Analysis, Conditioning};
pub use elements::Solved;
pub use global::run as solve_global;
pub use layers::run as solve_layers;
pub use marching::{Marched, Scheme, promise, run as march};
pub use motion::Motion;
pub use reverify::reverify;
pub use sampling::{Activity, activity};
pub use scalars::scalar_names;

use super::system::Mechanism;
use super::{InverseDynamicsSpec, Method, Observer, Sweep, System, TaskError};
use crate::discretisation::Window;
use crate::discretisation::march::Sideways;
use crate::models::{Rod, Vector};
use crate::results::{Iteration, Outcome};

/// Largest step along s of the finite elements in units of c dt at rest. Marched along s, bilinear elements are stable up to
/// ds = 2 c dt; waves may become slower than at rest.
const GALERKIN_STEP: f64 = 1.2;

/// Space-time elements that would take minutes and gigabytes.
const MOST_ELEMENTS: f64 = 3e7;

/// Layers of finite elements per element of the user's grid, for elements of length `ds` and the way `reach` = c dt of the
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
pub struct Answer<const D: usize, Q = Vector<D>> {
    /// The motion on the user's grid.
    pub motion: Motion<D, Q>,
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
}

/// Analyse without solving.
pub fn analyse(system: &System, spec: &InverseDynamicsSpec) -> Result<Analysis, TaskError> {
    match &system.mechanism {
        Mechanism::Beam(rod) => Analysis::new(rod, system.grid, spec),
        Mechanism::PlaneString(rod) => Analysis::new(rod, system.grid, spec),
        Mechanism::SpaceString(rod) => Analysis::new(rod, system.grid, spec),
        Mechanism::Chain(chain) => chain::analyse(chain, system.grid, spec),
    }
}

/// Whether a march along the rod would be worth its result; a warning, or the reason to refuse.
pub fn guard(system: &System, analysis: &Analysis) -> Result<Option<String>, TaskError> {
    match &system.mechanism {
        Mechanism::Beam(rod) => analysis.guard(rod, system.grid),
        Mechanism::PlaneString(rod) => analysis.guard(rod, system.grid),
        Mechanism::SpaceString(rod) => analysis.guard(rod, system.grid),
        Mechanism::Chain(chain) => chain::guard(system, chain, analysis),
    }
}

/// Solve, verify and report. The outcome always has a status; what was found before a failure is in it.
pub fn run(system: &System, spec: &InverseDynamicsSpec, observer: &mut dyn Observer) -> Outcome {
    match &system.mechanism {
        Mechanism::Beam(rod) => outcome::build::<_, 3, 6>(system, rod, spec, observer),
        Mechanism::PlaneString(rod) => outcome::build::<_, 2, 4>(system, rod, spec, observer),
        Mechanism::SpaceString(rod) => outcome::build::<_, 3, 6>(system, rod, spec, observer),
        Mechanism::Chain(chain) => chain::build(system, chain, spec, observer),
    }
}

/// The motion by the method the analysis names; `B` = 2 `D`.
pub fn solve<C: Sideways<D>, const D: usize, const B: usize>(
    system: &System,
    rod: &Rod<C, D>,
    analysis: &Analysis,
    observer: &mut dyn Observer,
) -> Result<Answer<D>, TaskError> {
    let mut warnings: Vec<String> = analysis.guard(rod, system.grid)?.into_iter().collect();
    let scheme = match analysis.method {
        Method::Galerkin => return galerkin::<C, D, B>(system, rod, analysis, warnings, observer),
        Method::Characteristics => Scheme::Characteristics,
        Method::SpaceMarch | Method::Auto | Method::Sequential | Method::Optimise => Scheme::Verlet,
    };
    let Some(side) = analysis.marching_side else {
        return Err(TaskError::NotApplicable {
            method: if scheme == Scheme::Verlet { "space-march" } else { "characteristics" },
            reason: "needs one end with all motion and forces known and the other fully actuated; use \"galerkin\""
                .into(),
        });
    };
    let promised = promise(system.grid);
    let allows = |refine: usize| analysis.allows(rod, system.grid, refine, promised);
    let stage = Stage { slowest_at_rest: analysis.speeds[0], bandwidth: analysis.bandwidth, allows: &allows };
    let marched = march(rod, side, scheme, system.grid, &analysis.activity, &stage, observer)?;
    warnings.extend(slow_warning(&marched));
    Ok(Answer::of_march(marched, warnings))
}

impl<const D: usize, Q> Answer<D, Q> {
    fn of_march(marched: Marched<D, Q>, warnings: Vec<String>) -> Self {
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
        }
    }
}

/// What to say of a march whose error is larger than its grid should give.
fn slow_warning<const D: usize, Q>(marched: &Marched<D, Q>) -> Option<String> {
    (marched.error > marched.promised).then(|| {
        format!(
            "the estimated relative error of the forces is {:.1e}, more than the grid should give ({:.1e}): {}",
            marched.error,
            marched.promised,
            if marched.noisy {
                "finer grids would amplify noise along this rod; set a `bandwidth`, or take a smoother path"
            } else {
                "steep fronts form in this motion; take more time steps, or a slower or smoother path"
            }
        )
    })
}

fn galerkin<C: Sideways<D>, const D: usize, const B: usize>(
    system: &System,
    rod: &Rod<C, D>,
    analysis: &Analysis,
    warnings: Vec<String>,
    observer: &mut dyn Observer,
) -> Result<Answer<D>, TaskError> {
    let cells = 2 * system.grid.steps;
    let reach = sampling::window(system.grid, 1, &analysis.activity, rod.length, analysis.speeds[0], cells);
    // With mixed data the past decides the future: nothing acts before the first instant.
    let whole = if analysis.marching_side.is_some() { reach } else { Window { before: 0, after: 0, ..reach } };
    let mut substeps = galerkin_substeps(rod.length / rod.elements as f64, analysis.speeds[0] * system.grid.dt);
    let finest = 4 * substeps;
    let nodes = (system.grid.steps * rod.elements) as f64 * substeps as f64;
    if nodes > MOST_ELEMENTS {
        let (rod, dt) = (rod.name.clone(), system.grid.dt);
        return Err(TaskError::TooLarge { rod, speed: analysis.speeds[0], dt, nodes });
    }
    let solved = loop {
        let fine = Rod { elements: rod.elements * substeps, ..rod.clone() };
        let attempt = match (analysis.sweep, analysis.marching_side) {
            (Sweep::Global, _) => solve_global(&fine, &whole, observer),
            (_, Some(side)) => solve_layers::<C, D, B>(&fine, side, &reach, observer),
            (_, None) => Err(TaskError::NotApplicable {
                method: "galerkin",
                reason: "with sweep = \"layers\" needs complete data at one end; use sweep = \"global\"".into(),
            }),
        };
        match attempt {
            // A wave slower than at rest shows as growth from layer to layer: try once or twice with shorter steps.
            Err(TaskError::NotConverged { .. } | TaskError::Breakdown { .. })
                if substeps < finest && analysis.sweep != Sweep::Global =>
            {
                substeps *= 2;
                observer.note(&format!("no solution: trying {substeps} layers per element"));
            }
            other => break other?,
        }
    };
    let last = solved.iterations.last().map_or(0.0, |row| row.inf_pr);
    Ok(Answer {
        motion: solved.motion.every(substeps),
        grid: vec![("substeps_per_element", substeps as f64)],
        sizes: vec![("unknowns", solved.unknowns as f64)],
        residuals: vec![("newton_residual", last)],
        iterations: solved.iterations,
        warnings,
    })
}
