//! Marching along a chain of rods.

use nalgebra::Vector6;

use super::hanging::reactions;
use super::sampling::first_states;
use super::{SpaceMotion, stopped};
use crate::discretisation::chain::{Branch, RodChain, SpaceScheme, Traversal, moving};
use crate::discretisation::galerkin::space::join;
use crate::discretisation::march::space::{SpaceError, SpaceLayer};
use crate::discretisation::march::{Lowpass, SidewaysError};
use crate::discretisation::{TimeGrid, Window};
use crate::mechanism::Pose;
use crate::tasks::inverse_dynamics::marching::{Course, Interruption, Level, Marched};
use crate::tasks::inverse_dynamics::{Analysis, Scheme, Stage};
use crate::tasks::{Observer, TaskError};

/// March from the section that follows the path to the driven one.
pub fn run(
    chain: &RodChain,
    scheme: Scheme,
    grid: TimeGrid,
    analysis: &Analysis,
    stage: &Stage<'_>,
    observer: &mut dyn Observer,
) -> Result<Marched, TaskError> {
    let name = chain.name();
    let mut march = |window: &Window, substeps: usize, observer: &mut dyn Observer| {
        attempt(chain, scheme, stage, window, substeps, observer)
    };
    course(chain, &name, scheme, grid, analysis, stage).run(&mut march, difference, observer)
}

fn course<'a>(
    chain: &RodChain,
    rod: &'a str,
    scheme: Scheme,
    grid: TimeGrid,
    analysis: &'a Analysis,
    stage: &'a Stage<'a>,
) -> Course<'a> {
    Course {
        rod,
        length: chain.length(),
        elements: chain.elements(),
        scheme,
        grid,
        activity: &analysis.activity,
        stage,
        slowest: stage.slowest_at_rest,
        retardation: analysis.retardation,
    }
}

/// One march on the user's grid with this bandwidth, rad/s. None where it comes to nothing, as with amplified noise.
fn trial(
    chain: &RodChain,
    grid: TimeGrid,
    analysis: &Analysis,
    bandwidth: f64,
    observer: &mut dyn Observer,
) -> Result<Option<SpaceMotion>, TaskError> {
    let (name, scheme) = (chain.name(), Scheme::Verlet);
    let stage = Stage { slowest_at_rest: analysis.speeds[0], bandwidth: Some(bandwidth), allows: &|_| Ok(false) };
    let mut march = |window: &Window, substeps: usize, observer: &mut dyn Observer| {
        attempt(chain, scheme, &stage, window, substeps, observer)
    };
    match course(chain, &name, scheme, grid, analysis, &stage).level(1, &mut march, observer) {
        Ok(level) => Ok(Some(level.motion)),
        Err(TaskError::NotFinite { .. } | TaskError::Breakdown { .. } | TaskError::StandingWave { .. }) => Ok(None),
        Err(other) => Err(other),
    }
}

/// A bandwidth, and by how much the forces change with it, relative to their largest change in time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settled {
    /// Corner of the filter, rad/s.
    pub bandwidth: f64,
    /// Larger change of the forces to the next lower and higher bandwidth.
    pub change: f64,
}

/// Bandwidths that are compared, as parts of the widest. Along damped rods the growth rises so steeply that little lies between
/// too narrow and too wide; along others a decade is looked through.
const LADDERS: [[f64; 7]; 2] = [[1.0, 0.87, 0.75, 0.65, 0.57, 0.49, 0.43], [1.0, 0.68, 0.46, 0.32, 0.22, 0.15, 0.1]];
/// Bandwidths are compared on a grid that carries this many times the widest of them: finer steps would not change the
/// comparison.
const CARRIED: f64 = 10.0;
/// No comparison is made on fewer steps, unless the user's grid has fewer.
const FEWEST: f64 = 400.0;
/// The next lower bandwidth with which one that is stated is compared. What the filter takes away at ω falls with (ω/ω_c)⁸, so
/// it is 1.3 times as much less there.
const LOWER: f64 = 0.9;

/// The bandwidth at which the forces change least with it. Too wide, rounding errors and kinks of the path are amplified; too
/// narrow, the filter takes away what belongs to the motion.
pub fn settle(
    chain: &RodChain,
    grid: TimeGrid,
    analysis: &Analysis,
    widest: f64,
    observer: &mut dyn Observer,
) -> Result<Settled, TaskError> {
    let ladder = LADDERS[usize::from(analysis.retardation == 0.0)];
    let duration = grid.end() - grid.start;
    let carried = (CARRIED * widest * duration / std::f64::consts::PI).max(FEWEST);
    let grid =
        if carried < grid.steps as f64 { TimeGrid::new(grid.start, grid.end(), carried.ceil() as usize) } else { grid };
    let mut motions = Vec::new();
    for part in ladder {
        motions.push(trial(chain, grid, analysis, part * widest, observer)?);
    }
    let change = |i: usize| match (&motions[i], &motions[i + 1]) {
        (Some(wider), Some(narrower)) => difference(wider, narrower),
        _ => f64::INFINITY,
    };
    let larger = |i: &usize| change(*i - 1).max(change(*i));
    let best = (1..ladder.len() - 1).min_by(|a, b| larger(a).total_cmp(&larger(b))).unwrap_or(1);
    Ok(Settled { bandwidth: ladder[best] * widest, change: larger(&best) })
}

/// By how much the forces change with a bandwidth that is stated.
pub fn filtered_away(
    chain: &RodChain,
    grid: TimeGrid,
    analysis: &Analysis,
    bandwidth: f64,
    observer: &mut dyn Observer,
) -> Result<f64, TaskError> {
    let [stated, lower] = [bandwidth, LOWER * bandwidth].map(|corner| trial(chain, grid, analysis, corner, observer));
    Ok(stated?.zip(lower?).map_or(f64::INFINITY, |(stated, lower)| difference(&stated, &lower)))
}

/// Difference of `fine` and a solution with twice the step: largest |fine − coarse| of force and of torque, each
/// relative to its largest deviation from its first value. It does not depend on the directions of the axes.
pub fn difference(fine: &SpaceMotion, coarse: &SpaceMotion) -> f64 {
    let mut worst = 0.0_f64;
    let (fine, coarse) = (&fine.driven, &coarse.driven);
    if let Some(first) = fine.first() {
        let (mut scale, mut difference) = ([0.0_f64; 2], [0.0_f64; 2]);
        for (f, c) in fine.iter().zip(coarse) {
            for (part, row) in [0, 3].into_iter().enumerate() {
                let size = |v: Vector6<f64>| v.fixed_rows::<3>(row).norm();
                scale[part] = scale[part].max(size(f - first));
                difference[part] = difference[part].max(size(f - c));
            }
        }
        let largest = scale[0].max(scale[1]);
        for (scale, difference) in scale.into_iter().zip(difference) {
            // A part that hardly acts is measured against the other.
            let size = scale.max(1e-6 * largest);
            if difference > 0.0 && size > 0.0 {
                worst = worst.max(difference / size);
            }
        }
    }
    worst
}

/// One march, which stops at the first wave that is too slow for the step; `substeps` is for elements of mean length.
fn attempt(
    chain: &RodChain,
    scheme: Scheme,
    stage: &Stage<'_>,
    window: &Window,
    substeps: usize,
    observer: &mut dyn Observer,
) -> Result<Level, Interruption> {
    let mean = chain.length() / chain.elements() as f64;
    // Twice as many on a grid twice as fine.
    let coarse = substeps as f64 / window.refine as f64;
    let substeps_of = |length: f64| ((coarse * length / mean - 1e-9).ceil().max(1.0) as usize) * window.refine;
    let instant = |k: usize| window.time(k);
    let lowpass = stage.bandwidth.and_then(|corner| Lowpass::new(corner, window.dt()));
    let (scheme, name) = match scheme {
        Scheme::Verlet => (SpaceScheme::Verlet, "space-march"),
        Scheme::Characteristics => (SpaceScheme::Characteristics, "characteristics"),
    };
    let hang = |branch: &Branch, poses: &[Pose]| {
        reactions(chain, branch, poses, window.time(0), window.dt(), lowpass.as_ref())
    };
    let (dt, substeps_of) = (window.dt(), &substeps_of);
    let traversal =
        Traversal { chain, scheme, dt, instant: &instant, lowpass, substeps: substeps_of, reactions: &hang };
    let (first, velocities) = first_states(chain, window, lowpass.as_ref())?;
    let mut motion = SpaceMotion::resting(chain.sections(), window.grid.steps + 1);
    observer.phase(&format!("{name} (1/{} step)", window.refine), chain.sections());
    let mut reached = 0;
    let mut sink = |section: usize, layer: &SpaceLayer| {
        record(&mut motion, window, section, layer);
        reached += 1;
        observer.progress(reached);
        !observer.interrupted()
    };
    let marched = traversal.run(&first, &velocities, &mut sink);
    let found = marched.map_err(|error| match error {
        (_, SpaceError::Sideways(SidewaysError::StepLimit { slowest })) => Interruption::TooLong(slowest),
        error => stopped(chain, error, &instant).into(),
    })?;
    let sense = chain.legs[chain.legs.len() - 1].sense();
    for k in 0..motion.instants {
        let state = found.layer.state(window.index(k));
        motion.driven[k] = join(state.n, state.m) * sense;
    }
    Ok(Level { motion, substeps, nodes: window.count() * found.steps, slowest: found.slowest })
}

/// Copies a layer to a section of the answer.
fn record(motion: &mut SpaceMotion, window: &Window, section: usize, layer: &SpaceLayer) {
    for k in 0..motion.instants {
        let (place, j) = (motion.at(section, k), window.index(k));
        let (state, moving) = (layer.state(j), moving(layer, j, window.dt()));
        motion.poses[place] = state.pose;
        motion.v[place] = join(moving.velocity, moving.spin);
        motion.n[place] = join(state.n, state.m);
    }
}
