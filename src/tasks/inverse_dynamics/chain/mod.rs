//! Inverse dynamics of rods in a row, of which one end follows a path and the other is driven.

mod analysis;
mod at_once;
mod hanging;
mod kinks;
mod layers;
mod marching;
mod outcome;
mod reverify;
mod sampling;
mod tables;
mod verify;

pub use analysis::{ChainSubject, analyse};
pub use at_once::resting;
pub use kinks::told as kinks;
pub use outcome::build;
pub use reverify::reverify;
pub(super) use reverify::usable;
pub(super) use tables::path_value;
pub use tables::{coordinate, coordinate_name, field_names};
pub use verify::Snapshot;
pub(super) use verify::{judged, paths};

use self::marching::Settled;
use super::activity::window;
use super::{
    Analysis, Answer, LEAST_LAYERS, MOST_ELEMENTS, Scheme, SpaceMotion, Stage, galerkin_substeps, promise, slow_warning,
};
use crate::discretisation::Window;
use crate::discretisation::chain::{RodChain, Stopped};
use crate::discretisation::march::SidewaysError;
use crate::discretisation::march::space::{SpaceError, Unfit};
use crate::mechanism::{BadFunction, RodPart};
use crate::tasks::capability::{Feature, Way};
use crate::tasks::{Method, Observer, Sweep, System, TaskError};

/// What a march takes of damped sections that couple their strains.
pub const UNEVEN_DAMPING: &str =
    "its section couples strains that are damped with different times; state one damping time for the section";
/// What a march takes of laws beside damping.
pub const DAMPED_LAW: &str = "damped rods are marched along with a quadratic law and without stiffening";

/// Why a rod cannot be marched along, in words.
pub fn unfit(rod: &str, why: Unfit) -> TaskError {
    let reason = match why {
        Unfit::Damped => UNEVEN_DAMPING,
        Unfit::DampedLaw => DAMPED_LAW,
        Unfit::Unsheared => {
            "a rod without shear needs a stiffness that couples nothing and bending that is linear in the curvature"
        }
        Unfit::Uneven => {
            "its sections are eccentric or couple their strains between the boundaries of elements only; take more elements"
        }
        Unfit::Soft => "all stiffnesses must be positive",
    };
    TaskError::NotApplicable { method: "space-march", reason: format!("cannot treat rod `{rod}`: {reason}") }
}

/// A path or a load that cannot be evaluated.
pub fn function(chain: &RodChain, bad: BadFunction) -> TaskError {
    let (leg, _) = chain.ends()[0];
    TaskError::pose_function(&chain.rod(leg).name, leg.side, bad)
}

/// Why the motion of what hangs on a rod was not found.
pub fn hung(rod: String, reason: String) -> TaskError {
    TaskError::NotConverged { phase: "forward simulation of what hangs on it".into(), rod, reason }
}

/// What the end of a march means; `time` tells the time of an instant.
pub fn stopped(chain: &RodChain, (leg, error): Stopped, time: &dyn Fn(usize) -> f64) -> TaskError {
    let rod = chain.rod(&chain.legs[leg]).name.clone();
    match error {
        SpaceError::Unfit(why) => unfit(&rod, why),
        SpaceError::Load(bad) => function(chain, bad),
        SpaceError::Branch(reason) => hung(rod, reason),
        SpaceError::Sideways(SidewaysError::Breakdown { s, index, cause }) => {
            TaskError::Breakdown { rod, s, t: time(index), cause }
        }
        SpaceError::Sideways(SidewaysError::NotFinite { s, index }) => TaskError::NotFinite { rod, s, t: time(index) },
        SpaceError::Sideways(SidewaysError::StepLimit { slowest }) => TaskError::StandingWave { rod, speed: slowest },
        SpaceError::Sideways(SidewaysError::Interrupted) => TaskError::Interrupted,
    }
}

/// Whether the chosen method may run: a warning, or the reason why not.
pub fn guard(system: &System, chain: &RodChain, analysis: &Analysis) -> Result<Option<String>, TaskError> {
    analysis.judge(system.grid, &|| Ok(Box::new(ChainSubject::new(chain, system.grid)?)))
}

/// The motion by the method the analysis names.
pub fn solve(
    system: &System,
    chain: &RodChain,
    analysis: &Analysis,
    observer: &mut dyn Observer,
) -> Result<Answer, TaskError> {
    let mut warnings: Vec<String> = guard(system, chain, analysis)?.into_iter().collect();
    warnings.extend(kinks(chain, system.grid));
    let scheme = match analysis.method {
        Method::Galerkin => return galerkin(system, chain, analysis, warnings, observer),
        Method::Characteristics => Scheme::Characteristics,
        Method::SpaceMarch | Method::Auto | Method::Sequential | Method::BoundaryValue | Method::Optimise => {
            Scheme::Verlet
        }
    };
    if !chain.is_complete() {
        return Err(TaskError::NotApplicable {
            method: if scheme == Scheme::Verlet { "space-march" } else { "characteristics" },
            reason: "needs one end with all motion and forces known and the other fully actuated; use \"galerkin\""
                .into(),
        });
    }
    let unsheared = chain.legs.iter().map(|leg| chain.rod(leg)).find(|rod| rod.kind.is_unsheared());
    if let (Scheme::Characteristics, Some(rod)) = (scheme, unsheared) {
        return Err(TaskError::NotApplicable {
            method: "characteristics",
            reason: format!(
                "cannot treat rod `{}`: {}; use \"space-march\"",
                rod.name,
                Feature::Kirchhoff.ability(Way::Characteristics).reason()
            ),
        });
    }
    if let (Scheme::Characteristics, Some(rod)) = (scheme, damped(chain)) {
        return Err(TaskError::NotApplicable {
            method: "characteristics",
            reason: format!(
                "cannot treat rod `{}`: {}",
                rod.name,
                Feature::Damped.ability(Way::Characteristics).reason()
            ),
        });
    }
    if scheme == Scheme::Characteristics && resisted(chain) {
        return Err(in_fluid("characteristics", Feature::Drag.ability(Way::Characteristics).reason()));
    }
    let promised = promise(system.grid);
    let subject = ChainSubject::new(chain, system.grid)?;
    let allows = |refine: usize| analysis.permits(&subject, system.grid, refine, promised);
    let settled = match analysis.bandwidth {
        Some(widest) if analysis.scans => Some(marching::settle(chain, system.grid, analysis, widest, observer)?),
        Some(bandwidth) => {
            let change = marching::filtered_away(chain, system.grid, analysis, bandwidth, observer)?;
            Some(Settled { bandwidth, change })
        }
        None => None,
    };
    if let Some(settled) = settled.filter(|settled| !(settled.change <= UNSETTLED)) {
        return Err(unsettled(chain, analysis, settled));
    }
    let bandwidth = settled.map(|settled| settled.bandwidth);
    let stage = Stage { slowest_at_rest: analysis.speeds[0], bandwidth, allows: &allows };
    let mut marched = marching::run(chain, scheme, system.grid, analysis, &stage, observer)?;
    let mut of_filter = Vec::new();
    if let Some(Settled { bandwidth, change }) = settled {
        of_filter = vec![("bandwidth", bandwidth)];
        if change > marched.promised.max(marched.error) {
            warnings.push(format!(
                "the forces change by {:.1} % of their largest change where the bandwidth of {bandwidth:.4} rad/s changes by a tenth: take a smoother or slower path{}",
                100.0 * change,
                if analysis.scans { "" } else { ", or another bandwidth" }
            ));
        }
        // Steps and filter add up; the change was measured between corners, of which either may be off by as much again.
        marched.error += DOUBT * change;
    } else {
        warnings.extend(slow_warning(&marched, analysis, system.grid));
    }
    let mut answer = Answer::of_march(marched, warnings);
    answer.grid.extend(of_filter);
    Ok(answer)
}

/// Whether a fluid resists rods on the way.
fn resisted(chain: &RodChain) -> bool {
    chain.legs.iter().any(|leg| chain.mechanism.drag_along(leg.rod).is_some())
}

/// What to say of a fluid that a method does not know.
fn in_fluid(method: &'static str, reason: &str) -> TaskError {
    TaskError::NotApplicable { method, reason: format!("cannot treat drag along rods: {reason}") }
}

/// Layers of strings know the direction of their sections only when they are found.
const LIMP: &str = "layers of strings have none; use \"space-march\"";

/// A rod on the way that is damped, if there is one.
fn damped(chain: &RodChain) -> Option<&RodPart> {
    let is_damped = |rod: &RodPart| (0..=rod.elements).any(|i| (rod.section)(rod.boundary(i)).damping.amax() > 0.0);
    chain.legs.iter().map(|leg| chain.rod(leg)).find(|rod| is_damped(rod))
}

/// Above this change of the forces with the bandwidth there is no answer to speak of.
const UNSETTLED: f64 = 0.1;
/// What the forces change with the bandwidth is believed to be this part of what they are off at least.
const DOUBT: f64 = 2.0;
/// A path with eleven derivatives at rest on both sides needs this many times √(τ L/c) for its motion along damped rods.
const SLOW_ENOUGH: f64 = 27.0;

/// Why a bandwidth gives no answer, and what would help.
fn unsettled(chain: &RodChain, analysis: &Analysis, Settled { bandwidth, change }: Settled) -> TaskError {
    let changes = match change.is_finite() {
        true => format!("they change by {:.0} % of their largest change", 100.0 * change),
        false => "the march breaks down".to_owned(),
    };
    let advice = match analysis.retardation > 0.0 {
        true => format!(
            "the path is too fast for the damping of rod `{}`: with a retardation time of {:.4} s and waves that take {:.4} s, a path such as rest(t, t0, t1, 12) needs t1 - t0 of {:.4} s or more",
            chain.name(),
            analysis.retardation,
            analysis.transit,
            SLOW_ENOUGH * (analysis.retardation * analysis.transit).sqrt()
        ),
        false if analysis.scans => "take a smoother or slower path".to_owned(),
        false => "leave out `bandwidth`, so that it is chosen, or take a smoother or slower path".to_owned(),
    };
    TaskError::NotApplicable {
        method: "space-march",
        reason: format!(
            "cannot tell the forces: where the bandwidth of {bandwidth:.4} rad/s changes by a tenth, {changes}; {advice}"
        ),
    }
}

fn galerkin(
    system: &System,
    chain: &RodChain,
    analysis: &Analysis,
    warnings: Vec<String>,
    observer: &mut dyn Observer,
) -> Result<Answer, TaskError> {
    match (resisted(chain), analysis.sweep) {
        (true, Sweep::Global) => return Err(in_fluid("galerkin", Feature::Drag.ability(Way::Global).reason())),
        (true, _) if chain.is_limp() => return Err(in_fluid("galerkin", LIMP)),
        _ => {}
    }
    let grid = system.grid;
    // Beyond what waves reach, and some more for an implicit scheme, nothing matters.
    let cells = ((1.5 * analysis.transit / grid.dt).ceil() as usize + 8).min(2 * grid.steps);
    let reach = window(grid, 1, &analysis.activity, chain.length(), analysis.speeds[0], cells);
    // Where no end is complete the past decides the future: nothing acts before the first instant.
    let whole = if chain.is_complete() { reach } else { Window { before: 0, after: 0, ..reach } };
    // The longest element decides: all are cut into as many layers.
    let spans =
        chain.legs.iter().flat_map(|leg| (0..chain.rod(leg).elements).map(|element| chain.rod(leg).span(element).1));
    let longest = spans.fold(0.0, f64::max);
    let fewest = LEAST_LAYERS.div_ceil(chain.elements());
    let mut substeps = galerkin_substeps(longest, analysis.speeds[0] * grid.dt).max(fewest);
    let finest = 4 * substeps;
    let nodes = (grid.steps * chain.elements()) as f64 * substeps as f64;
    if nodes > MOST_ELEMENTS {
        return Err(TaskError::TooLarge { rod: chain.name(), speed: analysis.speeds[0], dt: grid.dt, nodes });
    }
    let solved = loop {
        let by_layers = |observer: &mut dyn Observer| layers::run(chain, substeps, &reach, analysis.transit, observer);
        let attempt = match analysis.sweep {
            Sweep::Global => match at_once::run(chain, substeps, &whole, observer) {
                // The same equations are block triangular where the data are complete.
                Err(TaskError::Singular { .. }) if chain.is_complete() => {
                    observer.note("nearly singular as a whole: solving layer by layer");
                    by_layers(observer)
                }
                other => other,
            },
            _ => by_layers(observer),
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
        motion: solved.motion,
        grid: vec![("substeps_per_element", substeps as f64)],
        sizes: vec![("unknowns", solved.unknowns as f64)],
        residuals: vec![("newton_residual", last)],
        iterations: solved.iterations,
        warnings,
        applied: solved.applied,
    })
}
