//! What a step errs by, from the steps before it.
//!
//! Of y' = f(y) the midpoint rule misses h³ (y'''/24 − f_y y''/8) in a step of length h. In vibrations f_y y'' is y''', so
//! that h³ |y'''|/12 are missed; of a body that goes around, where the midpoint of the chord lies inside the circle, it is −y''', and
//! h³ |y'''|/6 are missed. The larger one is told. y''' of a position is the second derivative of its velocity, which the middles
//! of three steps give. A rotation at a steady rate Ω is missed as well: the momentum of the step is J sin(hΩ)/h, so the step turns by (hΩ)³/6
//! too much (see `discretisation::stepping`); in the plane only bodies whose mass centre is not their node do that.

use nalgebra::Vector3;

use super::past::Past;
use crate::discretisation::assembly::{Assembly, NodeKind};

/// Error of the last step, in units of `size` for positions and in radians for rotations; `None` until three steps are known.
pub fn local_error(assembly: &Assembly, past: &Past, size: f64) -> Option<f64> {
    let (bend, h) = (past.bend()?, past.last_length()?);
    let share = h.powi(3) / 6.0;
    let layout = &assembly.layout;
    let mut worst = 0.0_f64;
    for (node, mass) in assembly.masses.iter().enumerate() {
        let (kind, first) = (layout.kind(node), layout.freedom(node));
        // A whole step is twice its half, in space a rotation four times, as it is given by tangents of quarters of the angle.
        // Held degrees of freedom are exact.
        let length = |value: &dyn Fn(usize) -> f64, from: usize, to: usize, whole: f64| {
            let free = (first + from..first + to).filter(|dof| !assembly.fixed[*dof]);
            free.map(|dof| (whole * value(dof)).powi(2)).sum::<f64>().sqrt()
        };
        let (places, all) = (kind.positions(), kind.freedoms());
        let whole = if kind == NodeKind::SpaceFrame { 4.0 } else { 2.0 };
        let moved = share * length(&bend, 0, places, 2.0) / size;
        let turned = share * length(&bend, places, all, whole);
        let steady = match kind {
            NodeKind::PlaneFrame if mass.centre == Vector3::zeros() => 0.0,
            _ => length(&|dof| past.last(dof), places, all, whole).powi(3) / 6.0,
        };
        let error = moved.max(turned + steady);
        if error.is_nan() {
            return Some(f64::INFINITY);
        }
        worst = worst.max(error);
    }
    Some(worst)
}
