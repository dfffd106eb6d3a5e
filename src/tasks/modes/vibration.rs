//! Small motions about one configuration.

use nalgebra::Vector3;

use super::contrast::{contrast, softest};
use super::spectrum::{Mode, Spectrum, pencil};
use crate::discretisation::assembly::{Anchor, Assembly};
use crate::discretisation::equilibrium::Equilibrium;
use crate::discretisation::linearised::{KEPT, Linearised};
use crate::nlp::ParametricSystem;
use crate::results::{Outcome, RunStatus};
use crate::solver::PointKind;
use crate::solver::eigen::{EigenError, Still};
use crate::tasks::forward::Failure;
use crate::tasks::statics::{Wanted, branch};
use crate::tasks::{Configuration, ForwardSystem, ModesSpec, Observer};

/// The modes about a configuration.
pub struct Vibration {
    /// The matrices they belong to.
    pub linearised: Linearised,
    /// The configuration.
    pub q: Vec<f64>,
    /// By increasing |λ|.
    pub modes: Vec<Mode>,
}

/// Strains that resist by this many times the softest one or more have their stresses as unknowns of their own.
const STIFF: f64 = 1e5;
/// Relative error of an eigenvalue from which on a user is warned,
pub const UNSURE: f64 = 1e-6;
/// and from which on it says nothing.
const UNKNOWN: f64 = 0.1;

/// The modes of an assembly, as its frame turns, under its loads times a factor.
pub fn vibrate(
    system: &ForwardSystem,
    spec: &ModesSpec,
    assembly: &Assembly,
    factor: f64,
    observer: &mut dyn Observer,
    outcome: &mut Outcome,
) -> Result<Vibration, Failure> {
    let mut equilibrium = Equilibrium::new(assembly, system.first_instant());
    let x = rest(system, spec, &mut equilibrium, factor, outcome)?;
    let plain = Linearised::new(&mut equilibrium, &x)?;
    super::independence::independent(&plain.joints, &plain.joint_values)?;
    let q = equilibrium.configuration(&x)?;
    outcome.report.sizes.insert("unknowns".into(), plain.free.len() as f64);
    outcome.report.sizes.insert("joint_equations".into(), plain.joints.nrows() as f64);
    outcome.report.sizes.insert("elements".into(), assembly.elements.len() as f64);

    let still = still(assembly, &q, equilibrium.factor());
    let (soft, ratio) = softest(assembly, &q);
    let mut apart = || Linearised::apart(&mut equilibrium, &x, KEPT * soft).map_err(Failure::from);
    let mut best: Option<(Linearised, Spectrum)> = None;
    let mut failure = None;
    // The likelier first: with stresses apart where strains are very unequal, without otherwise.
    for attempt in if ratio > STIFF { [true, false] } else { [false, true] } {
        let linearised = match attempt {
            true if ratio <= KEPT => continue,
            true => apart()?,
            false => plain.clone(),
        };
        match Spectrum::find(&linearised, spec, assembly, still, &mut || observer.interrupted()) {
            Ok(found) => {
                let better = best.as_ref().is_none_or(|(_, best)| found.worst() < best.worst());
                let enough = found.worst() <= UNSURE;
                if better {
                    best = Some((linearised, found));
                }
                if enough {
                    break;
                }
            }
            Err(EigenError::Interrupted) => return Err(EigenError::Interrupted.into()),
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    let Some((linearised, found)) = best else {
        let failed: Failure = failure.unwrap_or(EigenError::Projection).into();
        let message = match contrast(system, assembly, &q) {
            Some(advice) => format!("{}; {advice}", failed.message),
            None => failed.message,
        };
        return Err(Failure { message, ..failed });
    };
    found.tell(outcome);
    let lost = found.modes.iter().any(|mode| mode.value.norm() > 0.0 && mode.error() > UNKNOWN);
    let more = matches!(still, Some(Still::Known(known)) if found.zero() > known);
    if (lost || more) && ratio > STIFF {
        let advice = contrast(system, assembly, &q).unwrap_or_default();
        let message = format!("rounding leaves nothing of the lowest frequencies: {advice}");
        return Err(Failure { status: RunStatus::NotConverged, message });
    }
    if found.worst() > UNSURE {
        let advice = contrast(system, assembly, &q).map_or_else(String::new, |advice| format!(": {advice}"));
        let unsure = |zero: bool| {
            let errors = found.modes.iter().filter(|mode| (mode.value.norm() == 0.0) == zero).map(Mode::error);
            errors.filter(|error| *error > UNSURE).fold((0, 0.0), |(n, m): (usize, f64), error| (n + 1, m.max(error)))
        };
        let (moving, resting) = (unsure(false), unsure(true));
        if let (count @ 1.., worst) = moving {
            outcome.report.warnings.push(format!(
                "rounding may have moved {count} of the eigenvalues by up to {worst:.0e} of their size{advice}"
            ));
        }
        if let (count @ 1.., worst) = resting {
            outcome.report.warnings.push(format!(
                "{count} of the modes at zero meet resistance of up to {worst:.0e} of the stiffness, by rounding{advice}"
            ));
        }
    }
    if let Some(Still::AtMost(most)) = still {
        let beyond = found.zero().saturating_sub(most);
        if beyond > 0 {
            outcome.report.warnings.push(format!(
                "{beyond} of the modes at zero deform something: the loads are critical to rounding, and whether these \
                 motions grow or oscillate is undecided"
            ));
        }
    }
    Ok(Vibration { linearised, q, modes: found.modes })
}

/// What the geometry tells of motions without resistance: there are as many as deform nothing where nothing is stressed or
/// loaded, up to as many otherwise.
fn still(assembly: &Assembly, q: &[f64], factor: f64) -> Option<Still> {
    let levelled = Linearised::levelled(assembly, q).ok()?;
    let count = pencil(&levelled, None).nullity(1.0 / assembly.size())?;
    let pulled = factor != 0.0
        && (assembly.gravity != Vector3::zeros() || !assembly.loads.is_empty() || !assembly.drags.is_empty());
    let turning = assembly.turning.is_some_and(|frame| frame.omega.norm() > 0.0);
    Some(match pulled || turning || !Linearised::unstressed(assembly, q) {
        true => Still::AtMost(count),
        false => Still::Known(count),
    })
}

/// The configuration about which the mechanism vibrates.
fn rest(
    system: &ForwardSystem,
    spec: &ModesSpec,
    equilibrium: &mut Equilibrium<'_>,
    factor: f64,
    outcome: &mut Outcome,
) -> Result<Vec<f64>, Failure> {
    let assembly = equilibrium.assembly;
    let unloaded = system.mechanism.gravity == Vector3::zeros()
        && assembly.loads.is_empty()
        && assembly.drags.is_empty()
        && assembly.turning.is_none_or(|frame| frame.omega == Vector3::zeros())
        && system.mechanism.rods.iter().all(|rod| rod.prestrain.is_none());
    let moved = assembly.prescribed.iter().any(|support| {
        let moves = |f: &crate::kernel::Function| f.value(system.first_instant()).is_ok_and(|v| v != 0.0);
        support.displacement.iter().flatten().any(moves) || support.rotation.iter().flatten().any(moves)
    });
    let moved = moved
        || assembly.constraints.iter().flat_map(|joint| &joint.sides).any(|side| match side {
            Anchor::Ground(_, displacement) => displacement.iter().any(Option::is_some),
            Anchor::Node(_) => false,
        });
    if spec.about == Configuration::Reference || (unloaded && !moved) {
        equilibrium.set_parameter(if spec.about == Configuration::Reference { 0.0 } else { factor });
        return Ok(equilibrium.start());
    }
    let no = |reason: String| Failure {
        status: RunStatus::NotConverged,
        message: format!("no equilibrium to vibrate about: {reason}; about = \"reference\" takes the stated shape"),
    };
    let path = branch(equilibrium, &Wanted { indifferent: true, ..Wanted::at(&[factor]) }, &mut |_| true)
        .map_err(|error| no(error.to_string()))?;
    let wanted = if factor == 0.0 { PointKind::Start } else { PointKind::Target };
    let point = path.of_kind(wanted).next().ok_or_else(|| no(path.end.to_string()))?;
    equilibrium.set_parameter(factor);
    outcome.report.scalars.insert("path.points".into(), path.points.len() as f64);
    Ok(point.x.clone())
}
