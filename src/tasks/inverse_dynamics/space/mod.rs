//! Inverse dynamics of a rod in space whose one end follows a path and whose other end is driven.

mod analysis;
mod layers;
mod marching;
mod outcome;
mod reverify;
mod sampling;
mod verify;

pub use analysis::{SpaceSubject, analyse};
pub use outcome::build;
pub use reverify::reverify;
pub use sampling::hanging;
pub use verify::Snapshot;

use super::sampling::window;
use super::{Analysis, Answer, MOST_ELEMENTS, Motion, Stage, galerkin_substeps, promise, slow_warning};
use crate::discretisation::march::space::Unfit;
use crate::models::{DrivenRod, Pose};
use crate::tasks::{Method, Observer, System, TaskError};

/// Poses of the sections; velocity and spin, force and moment, forces and torques about the ends, all in space.
pub type SpaceMotion = Motion<6, Pose>;

/// Why a rod cannot be marched along, in words.
pub fn unfit(rod: &str, why: Unfit) -> TaskError {
    let reason = match why {
        Unfit::Damped => {
            "damping (Kelvin-Voigt) makes the equations parabolic along the rod, so its state does not follow from one end; remove `damping`, or use method \"optimise\""
        }
        Unfit::Coupled => {
            "stretch and shear must not be coupled with bending and twist, nor with each other under a law that is not quadratic"
        }
        Unfit::Eccentric => "mass centre and elastic centre of all sections must lie on the axis",
        Unfit::Stiffening => "bending must be linear in the curvature",
        Unfit::Soft => "all stiffnesses must be positive",
    };
    TaskError::NotApplicable { method: "space-march", reason: format!("cannot treat rod `{rod}`: {reason}") }
}

/// Whether the chosen method may run: a warning, or the reason why not.
pub fn guard(system: &System, rod: &DrivenRod, analysis: &Analysis) -> Result<Option<String>, TaskError> {
    analysis.judge(system.grid, &|_| Ok(Box::new(SpaceSubject::new(rod, system.grid)?)))
}

/// The motion by the method the analysis names.
pub fn solve(
    system: &System,
    rod: &DrivenRod,
    analysis: &Analysis,
    observer: &mut dyn Observer,
) -> Result<Answer<6, Pose>, TaskError> {
    let mut warnings: Vec<String> = guard(system, rod, analysis)?.into_iter().collect();
    match analysis.method {
        Method::Galerkin => return galerkin(system, rod, analysis, warnings, observer),
        Method::Characteristics => {
            return Err(TaskError::NotApplicable {
                method: "characteristics",
                reason: "treats strings, and beams in the plane; use \"space-march\" for rods in space".into(),
            });
        }
        Method::SpaceMarch | Method::Auto | Method::Sequential | Method::Optimise => {}
    }
    let promised = promise(system.grid);
    let subject = SpaceSubject::new(rod, system.grid)?;
    let allows = |refine: usize| analysis.permits(&subject, system.grid, refine, promised);
    let stage = Stage { slowest_at_rest: analysis.speeds[0], bandwidth: analysis.bandwidth, allows: &allows };
    let marched = marching::run(rod, system.grid, analysis, &stage, observer)?;
    warnings.extend(slow_warning(&marched));
    Ok(Answer::of_march(marched, warnings))
}

fn galerkin(
    system: &System,
    rod: &DrivenRod,
    analysis: &Analysis,
    warnings: Vec<String>,
    observer: &mut dyn Observer,
) -> Result<Answer<6, Pose>, TaskError> {
    let (grid, part) = (system.grid, rod.rod());
    let reach = window(grid, 1, &analysis.activity, part.length, analysis.speeds[0], 2 * grid.steps);
    let mut substeps = galerkin_substeps(part.length / part.elements as f64, analysis.speeds[0] * grid.dt);
    let finest = 4 * substeps;
    let nodes = (grid.steps * part.elements) as f64 * substeps as f64;
    if nodes > MOST_ELEMENTS {
        return Err(TaskError::TooLarge { rod: part.name.clone(), speed: analysis.speeds[0], dt: grid.dt, nodes });
    }
    let solved = loop {
        match layers::run(rod, part.elements * substeps, &reach, observer) {
            // A wave slower than at rest shows as growth from layer to layer: try once or twice with shorter steps.
            Err(TaskError::NotConverged { .. } | TaskError::Breakdown { .. }) if substeps < finest => {
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
