//! Small motions about one configuration.

use nalgebra::{Complex, Vector3};

use crate::discretisation::assembly::{Anchor, Assembly};
use crate::discretisation::equilibrium::Equilibrium;
use crate::discretisation::linearised::Linearised;
use crate::nlp::ParametricSystem;
use crate::results::{Outcome, RunStatus};
use crate::solver::PointKind;
use crate::solver::eigen::{Modes, Pencil, damped_modes, lowest_modes};
use crate::tasks::forward::Failure;
use crate::tasks::statics::{Wanted, branch};
use crate::tasks::{Configuration, ForwardSystem, ModesSpec, Observer};

/// λ and φ over the free degrees of freedom.
pub struct Mode {
    pub value: Complex<f64>,
    pub shape: Vec<Complex<f64>>,
}

/// The modes about a configuration.
pub struct Vibration {
    /// The matrices they belong to.
    pub linearised: Linearised,
    /// The configuration.
    pub q: Vec<f64>,
    /// By increasing |λ|.
    pub modes: Vec<Mode>,
}

/// Why eigenvalues are complex.
struct Rates<'a> {
    /// Damping and gyroscopic matrix together, if there are any.
    matrix: Option<std::borrow::Cow<'a, [f64]>>,
    reason: &'static str,
}

fn rates(linearised: &Linearised, damped: bool) -> Rates<'_> {
    use std::borrow::Cow;
    let turning = !linearised.gyroscopic.is_empty();
    let both = || linearised.damping.iter().zip(&linearised.gyroscopic).map(|(c, g)| c + g).collect();
    let (matrix, reason) = match (damped, turning) {
        (true, true) => (Some(Cow::Owned(both())), "damping and the turning frame make the modes complex"),
        (true, false) => (Some(Cow::Borrowed(linearised.damping.as_slice())), "damping makes the eigenvalues complex"),
        (false, true) => {
            (Some(Cow::Borrowed(linearised.gyroscopic.as_slice())), "gyroscopic forces make the modes complex")
        }
        (false, false) => (None, "loads without potential make the stiffness unsymmetric"),
    };
    Rates { matrix, reason }
}

/// Modes of a gyroscopic system below this part of the shift meet no resistance: double roots at zero are known to the
/// root of rounding only.
const STILL: f64 = 1e-3;
/// Least shift relative to the rate of the frame: motions that only the rotation resists have frequencies like it.
const OF_RATE: f64 = 0.3;

/// Most free motions of a rigid body, each a double root.
const DOUBLE: usize = 6;

/// All modes, but of those at zero each motion once: a double root comes as two roots with one shape.
fn told_once(modes: impl Iterator<Item = Mode>) -> Vec<Mode> {
    let product =
        |a: &Mode, b: &Mode| -> Complex<f64> { a.shape.iter().zip(&b.shape).map(|(a, b)| a.conj() * b).sum() };
    let parallel = |a: &Mode, b: &Mode| product(a, b).norm_sqr() > 0.99 * product(a, a).re * product(b, b).re;
    let mut told: Vec<Mode> = Vec::new();
    for mode in modes {
        let zero = |other: &Mode| other.value.norm() == 0.0;
        if !(zero(&mode) && told.iter().any(|other| zero(other) && parallel(other, &mode))) {
            told.push(mode);
        }
    }
    told
}

/// The modes of an assembly, as its frame turns.
pub fn vibrate(
    system: &ForwardSystem,
    spec: &ModesSpec,
    assembly: &Assembly,
    observer: &mut dyn Observer,
    outcome: &mut Outcome,
) -> Result<Vibration, Failure> {
    let mut equilibrium = Equilibrium::new(assembly, system.first_instant());
    let x = rest(system, spec, &mut equilibrium, assembly, outcome)?;
    let linearised = Linearised::new(&mut equilibrium, &x)?;
    super::independence::independent(&linearised.joints, &linearised.joint_values)?;
    let q = equilibrium.configuration(&x)?;
    outcome.report.sizes.insert("unknowns".into(), linearised.free.len() as f64);
    outcome.report.sizes.insert("joint_equations".into(), linearised.joints.nrows() as f64);
    outcome.report.sizes.insert("elements".into(), assembly.elements.len() as f64);

    let damped = spec.damped.unwrap_or(linearised.damped) && linearised.damped;
    let symmetric = linearised.asymmetry <= 1e-9;
    let turning = !linearised.gyroscopic.is_empty();
    let rows = linearised.joints.nrows();
    let rates = rates(&linearised, damped);
    let pencil = Pencil {
        pattern: &linearised.pattern,
        stiffness: &linearised.stiffness,
        mass: &linearised.mass,
        damping: rates.matrix.as_deref(),
        constraints: (rows > 0).then_some((&linearised.joints, linearised.joint_values.as_slice())),
    };
    let there = linearised.free.len().saturating_sub(rows);
    // Two real rates may take the place of an oscillation.
    let complex = damped || turning || !symmetric;
    let count = spec.count.min(if complex { 2 * there } else { there });
    let mut stop = || observer.interrupted();
    let report = &mut outcome.report;
    let residual = |report: &mut crate::results::Report, found: f64| {
        let largest = report.residuals.entry("largest_relative_residual".into()).or_insert(0.0);
        *largest = largest.max(found);
    };
    let modes: Vec<Mode> = if complex {
        report.method = "shift-invert Arnoldi".into();
        report.method_reason = rates.reason.into();
        let (sigma, free) = shift(&pencil, count.min(there), symmetric && !turning);
        let sigma = sigma.max(OF_RATE * assembly.turning.map_or(0.0, |frame| frame.omega.norm()));
        let found = match count - free.len() {
            0 => Vec::new(),
            rest => {
                let found = damped_modes(pencil, &free, rest, sigma, &mut stop)?;
                match found.iter().any(|mode| turning && mode.value.norm() < STILL * sigma) {
                    // Of double roots at zero both halves are found, and one is told.
                    true => damped_modes(pencil, &free, (rest + DOUBLE).min(2 * there), sigma, &mut stop)?,
                    false => found,
                }
            }
        };
        let still = |shape: Vec<f64>| Mode {
            value: Complex::new(0.0, 0.0),
            shape: shape.into_iter().map(|s| Complex::new(s, 0.0)).collect(),
        };
        residual(report, found.iter().fold(0.0, |m, f| f.residual.max(m)));
        let found = found.into_iter().map(|mode| {
            let value = mode.value;
            let zero = turning && value.norm() < STILL * sigma;
            // Nothing damps a gyroscopic system: a real part far below the imaginary one is rounding.
            let undamped = turning && !damped && symmetric && value.re.abs() < 1e-9 * value.im.abs();
            let value = match (zero, undamped) {
                (true, _) => Complex::new(0.0, 0.0),
                (false, true) => Complex::new(0.0, value.im),
                (false, false) => value,
            };
            Mode { value, shape: mode.shape }
        });
        let mut modes = told_once(free.into_iter().map(still).chain(found));
        modes.truncate(count);
        modes
    } else {
        report.method = "shift-invert Lanczos".into();
        report.method_reason =
            "the pencil is symmetric; the count is certified by the inertia of the shifted stiffness".into();
        let found = lowest_modes(pencil, count, &mut stop)?;
        residual(report, found.residuals.iter().fold(0.0, |m, r| r.max(m)));
        if !found.certified {
            report
                .warnings
                .push("the number of modes below the last one could not be certified: one may be missing".into());
        }
        let of = |(&value, shape): (&f64, Vec<f64>)| {
            let value = if value < 0.0 { Complex::new((-value).sqrt(), 0.0) } else { Complex::new(0.0, value.sqrt()) };
            Mode { value, shape: shape.into_iter().map(|s| Complex::new(s, 0.0)).collect() }
        };
        found.values.iter().zip(found.shapes).map(of).collect()
    };
    drop(rates);
    Ok(Vibration { linearised, q, modes })
}

/// A real shift for Arnoldi: a fraction of the lowest frequency above zero, on the side where nothing decays. With it up to
/// `count` motions that meet no resistance, if the matrices are symmetric.
fn shift(pencil: &Pencil<'_>, count: usize, symmetric: bool) -> (f64, Vec<Vec<f64>>) {
    let undamped = Pencil { damping: None, ..*pencil };
    let there = pencil.size().saturating_sub(pencil.rows());
    let find = |count: usize| lowest_modes(undamped, count.min(there), &mut || false).ok();
    let lowest = |modes: &Modes| modes.values.iter().map(|value| value.abs()).find(|value| *value > 0.0);
    let modes = find(2).filter(|modes| lowest(modes).is_some() && !modes.values.contains(&0.0));
    let Some(modes) = modes.or_else(|| find(count + 6)) else { return (1.0, Vec::new()) };
    let sigma = lowest(&modes).map_or(1.0, |value| 0.37 * value.sqrt());
    let free = modes.values.iter().zip(modes.shapes).filter(|(value, _)| **value == 0.0 && symmetric);
    (sigma, free.map(|(_, shape)| shape).take(count).collect())
}

/// The configuration about which the mechanism vibrates.
fn rest(
    system: &ForwardSystem,
    spec: &ModesSpec,
    equilibrium: &mut Equilibrium<'_>,
    assembly: &Assembly,
    outcome: &mut Outcome,
) -> Result<Vec<f64>, Failure> {
    let unloaded = system.mechanism.gravity == Vector3::zeros()
        && assembly.loads.is_empty()
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
        equilibrium.set_parameter(if spec.about == Configuration::Reference { 0.0 } else { 1.0 });
        return Ok(equilibrium.start());
    }
    let no = |reason: String| Failure {
        status: RunStatus::NotConverged,
        message: format!("no equilibrium to vibrate about: {reason}; about = \"reference\" takes the stated shape"),
    };
    let path = branch(equilibrium, &Wanted { indifferent: true, ..Wanted::at(&[1.0]) }, &mut |_| true)
        .map_err(|error| no(error.to_string()))?;
    let point = path.of_kind(PointKind::Target).next().ok_or_else(|| no(path.end.to_string()))?;
    equilibrium.set_parameter(1.0);
    outcome.report.scalars.insert("path.points".into(), path.points.len() as f64);
    Ok(point.x.clone())
}
