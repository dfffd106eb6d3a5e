//! Modes by finite elements: small motions about an equilibrium or the stated shape, damped or not.

use nalgebra::{Complex, Vector3};

use super::shape::{Displaced, scaled};
use super::told;
use crate::discretisation::assembly::{Anchor, Assembly, Attachment, NodeKind, build, node_rotation};
use crate::discretisation::equilibrium::Equilibrium;
use crate::discretisation::linearised::Linearised;
use crate::nlp::ParametricSystem;
use crate::results::{ModeShape, Outcome};
use crate::solver::PointKind;
use crate::solver::eigen::{Modes, Pencil, damped_modes, lowest_modes};
use crate::tasks::forward::{Failure, expect_motion};
use crate::tasks::statics::{Wanted, branch};
use crate::tasks::{Configuration, ForwardSystem, ModesSpec, Observer};

/// λ and φ over the free degrees of freedom.
struct Mode {
    value: Complex<f64>,
    shape: Vec<Complex<f64>>,
}

pub(super) fn solve(
    system: &ForwardSystem,
    spec: &ModesSpec,
    observer: &mut dyn Observer,
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    let assembly = build(&system.structure);
    outcome.report.warnings.extend(assembly.repetition());
    expect_motion(&assembly)?;
    let mut equilibrium = Equilibrium::new(&assembly, system.first_instant());
    observer.phase("equilibrium", 1);
    let x = rest(system, spec, &mut equilibrium, &assembly, outcome)?;
    observer.progress(1);
    let linearised = Linearised::new(&mut equilibrium, &x)?;
    super::independence::independent(&linearised.joints, &linearised.joint_values)?;
    let q = equilibrium.configuration(&x)?;
    outcome.report.sizes.insert("unknowns".into(), linearised.free.len() as f64);
    outcome.report.sizes.insert("joint_equations".into(), linearised.joints.nrows() as f64);
    outcome.report.sizes.insert("elements".into(), assembly.elements.len() as f64);

    let damped = spec.damped.unwrap_or(linearised.damped) && linearised.damped;
    let symmetric = linearised.asymmetry <= 1e-9;
    let rows = linearised.joints.nrows();
    let pencil = Pencil {
        pattern: &linearised.pattern,
        stiffness: &linearised.stiffness,
        mass: &linearised.mass,
        damping: damped.then_some(linearised.damping.as_slice()),
        constraints: (rows > 0).then_some((&linearised.joints, linearised.joint_values.as_slice())),
    };
    let there = linearised.free.len().saturating_sub(rows);
    // Two real rates may take the place of an oscillation.
    let complex = damped || !symmetric;
    let count = spec.count.min(if complex { 2 * there } else { there });
    observer.phase("eigenvalues", 1);
    let mut stop = || observer.interrupted();
    let report = &mut outcome.report;
    let modes: Vec<Mode> = if complex {
        report.method = "shift-invert Arnoldi".into();
        report.method_reason = if damped {
            "damping makes the eigenvalues complex".into()
        } else {
            "loads without potential make the stiffness unsymmetric".into()
        };
        let (sigma, free) = shift(&pencil, count.min(there), symmetric);
        let found = match count - free.len() {
            0 => Vec::new(),
            rest => damped_modes(pencil, &free, rest, sigma, &mut stop)?,
        };
        let still = |shape: Vec<f64>| Mode {
            value: Complex::new(0.0, 0.0),
            shape: shape.into_iter().map(|s| Complex::new(s, 0.0)).collect(),
        };
        report.residuals.insert("largest_relative_residual".into(), found.iter().fold(0.0, |m, f| f.residual.max(m)));
        let found = found.into_iter().map(|mode| Mode { value: mode.value, shape: mode.shape });
        free.into_iter().map(still).chain(found).collect()
    } else {
        report.method = "shift-invert Lanczos".into();
        report.method_reason =
            "the pencil is symmetric; the count is certified by the inertia of the shifted stiffness".into();
        let found = lowest_modes(pencil, count, &mut stop)?;
        report.residuals.insert("largest_relative_residual".into(), found.residuals.iter().fold(0.0, |m, r| r.max(m)));
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
    if modes.len() < spec.count {
        let there = if modes.len() == 1 { "is only 1 mode".into() } else { format!("are only {} modes", modes.len()) };
        outcome.report.warnings.push(format!("there {there}, {} were asked for", spec.count));
    }
    let shapes = modes.iter().enumerate().map(|(k, mode)| shape(system, &assembly, &linearised, &q, k + 1, mode));
    told(shapes.collect(), outcome);
    Ok(())
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
    let unloaded = system.structure.gravity == Vector3::zeros()
        && assembly.loads.is_empty()
        && system.structure.rods.iter().all(|rod| rod.prestrain.is_none());
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
        status: "not-converged",
        message: format!("no equilibrium to vibrate about: {reason}; about = \"reference\" takes the stated shape"),
    };
    let path = branch(equilibrium, &Wanted { indifferent: true, ..Wanted::at(&[1.0]) }, &mut |_| true)
        .map_err(|error| no(error.to_string()))?;
    let point = path.of_kind(PointKind::Target).next().ok_or_else(|| no(path.end.to_string()))?;
    equilibrium.set_parameter(1.0);
    outcome.report.scalars.insert("path.points".into(), path.points.len() as f64);
    Ok(point.x.clone())
}

/// A mode as motion of the rods.
fn shape(
    system: &ForwardSystem,
    assembly: &Assembly,
    linearised: &Linearised,
    q: &[f64],
    number: usize,
    mode: &Mode,
) -> ModeShape {
    let layout = &assembly.layout;
    let zero = Complex::new(0.0, 0.0);
    let mut all = vec![zero; layout.freedom_count()];
    linearised.free.iter().zip(&mode.shape).for_each(|(&dof, &value)| all[dof] = value);
    let motion = |at: &Attachment| {
        let dof = layout.freedom(at.node);
        let kind = layout.kind(at.node);
        let derivative = at.position_derivative(layout, q);
        let mut moved = [zero; 3];
        for (c, moved) in moved.iter_mut().enumerate() {
            for d in 0..kind.freedoms() {
                *moved += all[dof + d] * derivative[(c, d)];
            }
        }
        let rotation = node_rotation(layout, q, at.node);
        let mut turned = [zero; 3];
        match kind {
            NodeKind::SpaceFrame => {
                for (c, turned) in turned.iter_mut().enumerate() {
                    for d in 0..3 {
                        *turned += all[dof + 3 + d] * rotation[(c, d)];
                    }
                }
            }
            NodeKind::PlaneFrame => turned[2] = all[dof + 2],
            NodeKind::PlanePoint | NodeKind::SpacePoint => {}
        }
        (moved, turned)
    };
    let rods = system.structure.rods.iter().zip(&assembly.sections).map(|(rod, sections)| {
        let section = |(s, at): &(f64, Attachment)| {
            let (moved, turned) = motion(at);
            Displaced { s: *s, rest: at.position(layout, q).into(), moved, turned }
        };
        (rod.name.as_str(), sections.iter().map(section).collect())
    });
    scaled(number, mode.value, rods.collect(), assembly.size())
}
