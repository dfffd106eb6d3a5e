//! Modes as motions of rods.

use nalgebra::Complex;

use super::vibration::Mode;
use crate::discretisation::assembly::{Assembly, NodeKind, node_rotation};
use crate::discretisation::linearised::Linearised;
use crate::results::{ModeShape, ShapeField};
use crate::tasks::ForwardSystem;

/// A mode as motion of the rods, its largest displacement 1 and real.
pub fn shape(
    system: &ForwardSystem,
    assembly: &Assembly,
    linearised: &Linearised,
    q: &[f64],
    number: usize,
    mode: Mode,
) -> ModeShape {
    let layout = &assembly.layout;
    let zero = Complex::new(0.0, 0.0);
    let mut all = vec![zero; layout.freedom_count()];
    linearised.free.iter().zip(&mode.shape).for_each(|(&dof, &value)| all[dof] = value);
    let motion = |at: &crate::discretisation::assembly::Attachment| {
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
    // Scale and phase: the largest displacement becomes 1, or the largest rotation where nothing is displaced.
    let mut largest = (0.0, Complex::new(1.0, 0.0));
    let mut largest_turn = largest;
    for (_, at) in assembly.sections.iter().flatten() {
        let (moved, turned) = motion(at);
        for value in &moved {
            if value.norm() > largest.0 {
                largest = (value.norm(), *value);
            }
        }
        for value in &turned {
            if value.norm() > largest_turn.0 {
                largest_turn = (value.norm(), *value);
            }
        }
    }
    let length = assembly.size();
    let torsional = largest.0 < 1e-6 * length * largest_turn.0;
    let phase = if torsional { largest_turn } else { largest };
    let unit = if phase.0 > 0.0 { phase.1 / phase.0 } else { Complex::new(1.0, 0.0) };
    let norm = assembly.sections.iter().flatten().map(|(_, at)| {
        let (moved, turned) = motion(at);
        let size = |v: [Complex<f64>; 3]| v.iter().map(Complex::norm_sqr).sum::<f64>().sqrt();
        if torsional { size(turned) } else { size(moved) }
    });
    let norm = norm.fold(0.0_f64, f64::max);
    let factor = if norm > 0.0 { unit.conj() / norm } else { Complex::new(1.0, 0.0) };
    let complex = mode.value.re != 0.0 && mode.value.im != 0.0;
    let rods = system.structure.rods.iter().zip(&assembly.sections).map(|(rod, sections)| {
        let mut field = ShapeField { rod: rod.name.clone(), ..ShapeField::default() };
        for (s, at) in sections {
            let (moved, turned) = motion(at);
            let (moved, turned) = (moved.map(|v| v * factor), turned.map(|v| v * factor));
            field.s.push(*s);
            field.rest.push(at.position(layout, q).into());
            field.shape.push(moved.map(|v| v.re));
            if complex {
                field.shape_imaginary.push(moved.map(|v| v.im));
            }
            field.turn.push(turned.map(|v| v.re));
        }
        field
    });
    ModeShape { number, real: mode.value.re, imaginary: mode.value.im, rods: rods.collect() }
}
