//! Mode shapes as they are told: scaled, and with a phase in which the largest displacement is real.

use nalgebra::Complex;

use super::ForwardSystem;
use crate::discretisation::assembly::{Assembly, Attachment, NodeKind, node_rotation};
use crate::results::{ModeShape, ShapeField};

/// The motion of one cross-section in a mode, in the fixed frame.
pub(in crate::tasks) struct Displaced {
    /// Arc length, metre.
    pub s: f64,
    /// Position at rest, metre.
    pub rest: [f64; 3],
    /// Displacement.
    pub moved: [Complex<f64>; 3],
    /// Rotation vector.
    pub turned: [Complex<f64>; 3],
}

/// A mode as motion of the rods, its largest displacement 1 and real; the largest rotation where nothing is displaced.
/// `length` is the size of the mechanism.
pub(in crate::tasks) fn scaled(
    number: usize,
    value: Complex<f64>,
    rods: Vec<(&str, Vec<Displaced>)>,
    length: f64,
) -> ModeShape {
    let sections = || rods.iter().flat_map(|(_, sections)| sections);
    let largest = |of: &dyn Fn(&Displaced) -> [Complex<f64>; 3]| {
        let mut largest = (0.0, Complex::new(1.0, 0.0));
        for value in sections().flat_map(of) {
            // Of equal ones the first counts, whatever rounding makes of the others.
            if value.norm() > largest.0 * (1.0 + 1e-9) {
                largest = (value.norm(), value);
            }
        }
        largest
    };
    let (moved, turned) = (largest(&|section| section.moved), largest(&|section| section.turned));
    let torsional = moved.0 < 1e-6 * length * turned.0;
    let phase = if torsional { turned } else { moved };
    let unit = if phase.0 > 0.0 { phase.1 / phase.0 } else { Complex::new(1.0, 0.0) };
    let size = |v: &[Complex<f64>; 3]| v.iter().map(Complex::norm_sqr).sum::<f64>().sqrt();
    let norm = sections().map(|section| size(if torsional { &section.turned } else { &section.moved }));
    let norm = norm.fold(0.0_f64, f64::max);
    let factor = if norm > 0.0 { unit.conj() / norm } else { Complex::new(1.0, 0.0) };
    let complex = value.re != 0.0 && value.im != 0.0;
    let field = |(rod, sections): &(&str, Vec<Displaced>)| {
        let mut field = ShapeField { rod: (*rod).to_owned(), ..ShapeField::default() };
        for section in sections {
            let (moved, turned) = (section.moved.map(|v| v * factor), section.turned.map(|v| v * factor));
            field.s.push(section.s);
            field.rest.push(section.rest);
            field.shape.push(moved.map(|v| v.re));
            if complex {
                field.shape_imaginary.push(moved.map(|v| v.im));
            }
            field.turn.push(turned.map(|v| v.re));
        }
        field
    };
    let rods = rods.iter().map(field).collect();
    ModeShape { number, real: value.re, imaginary: value.im, load_factor: None, rods }
}

/// A mode, its eigenvalue and the motion of the degrees of freedom `free` about the configuration q, as motion of the rods.
pub(in crate::tasks) fn shape(
    system: &ForwardSystem,
    assembly: &Assembly,
    free: &[usize],
    q: &[f64],
    number: usize,
    (value, mode): (Complex<f64>, &[Complex<f64>]),
) -> ModeShape {
    let layout = &assembly.layout;
    let zero = Complex::new(0.0, 0.0);
    let mut all = vec![zero; layout.freedom_count()];
    free.iter().zip(mode).for_each(|(&dof, &value)| all[dof] = value);
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
    scaled(number, value, rods.collect(), assembly.size())
}
