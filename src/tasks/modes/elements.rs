//! Modes by finite elements: small motions about an equilibrium or the stated shape, damped or not, at rest or in a turning frame.

use nalgebra::Complex;

use super::campbell::{self, Branches};
use super::shape::{Displaced, scaled};
use super::spectrum::Mode;
use super::vibration::{Vibration, vibrate};
use super::{Trust, told};
use crate::discretisation::assembly::{Assembly, Attachment, NodeKind, TurningFrame, build, node_rotation};
use crate::discretisation::linearised::Linearised;
use crate::results::{ModeShape, Outcome};
use crate::tasks::forward::{Failure, expect_motion};
use crate::tasks::{ForwardSystem, ModesSpec, Observer};

pub(super) fn solve(
    system: &ForwardSystem,
    spec: &ModesSpec,
    observer: &mut dyn Observer,
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    let mut assembly = build(&system.mechanism);
    outcome.report.warnings.extend(assembly.repetition());
    expect_motion(&assembly)?;
    let mass: f64 = assembly.masses.iter().map(|node| node.mass).sum();
    outcome.report.scalars.insert("mass".into(), mass);
    let Some(spin) = &system.mechanism.spin else {
        observer.phase("modes", 1);
        let found = vibrate(system, spec, &assembly, observer, outcome)?;
        tell(system, spec, &assembly, &found, outcome);
        return Ok(());
    };
    let mut branches = Branches::default();
    observer.phase("modes over the rate", spin.rates.len());
    for (k, &rate) in spin.rates.iter().enumerate() {
        assembly.turning = Some(TurningFrame::new(spin, rate));
        let found = vibrate(system, spec, &assembly, observer, outcome)
            .map_err(|failure| Failure { message: format!("at {rate} rad/s: {}", failure.message), ..failure })?;
        branches.add(rate, &found);
        if spin.rates.len() > 1 {
            campbell::tell(k + 1, &found, outcome);
        }
        observer.progress(k + 1);
        if k + 1 == spin.rates.len() {
            tell(system, spec, &assembly, &found, outcome);
        }
    }
    if spin.rates.len() > 1 {
        outcome.report.campbell = Some(branches.diagram(&spec.orders));
    }
    Ok(())
}

/// Shapes, scalars and what they mean.
fn tell(system: &ForwardSystem, spec: &ModesSpec, assembly: &Assembly, found: &Vibration, outcome: &mut Outcome) {
    let Vibration { linearised, q, modes } = found;
    if modes.len() < spec.count {
        let there = if modes.len() == 1 { "is only 1 mode".into() } else { format!("are only {} modes", modes.len()) };
        let damped = linearised.damped && spec.damped != Some(false) && spec.oscillating;
        let others =
            if damped { "; `oscillating = false` tells those that die away without oscillating as well" } else { "" };
        outcome.report.warnings.push(format!("there {there}, {} were asked for{others}", spec.count));
    }
    let shapes = modes.iter().enumerate().map(|(k, mode)| shape(system, assembly, linearised, q, k + 1, mode));
    let trust = |mode: &Mode| Trust {
        backward_error: mode.accuracy.backward_error,
        uncertainty: Some(mode.accuracy.uncertainty),
    };
    let trusts: Vec<Trust> = modes.iter().map(trust).collect();
    told(shapes.collect(), &trusts, outcome);
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
    let rods = system.mechanism.rods.iter().zip(&assembly.sections).map(|(rod, sections)| {
        let section = |(s, at): &(f64, Attachment)| {
            let (moved, turned) = motion(at);
            Displaced { s: *s, rest: at.position(layout, q).into(), moved, turned }
        };
        (rod.name.as_str(), sections.iter().map(section).collect())
    });
    scaled(number, mode.value, rods.collect(), assembly.size())
}
