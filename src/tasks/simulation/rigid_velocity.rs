//! The motion of a rigid rod with the momentum of stated velocities along it.

use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};

use crate::discretisation::assembly::{Attachment, Layout, NodeKind};
use crate::mechanism::RodPart;

/// Velocity and spin of the node u with M u = p: of all rigid motions that with the linear and angular momentum of the
/// velocities along the rod, as an infinitely stiff rod would have it. Velocities that are rigid are kept.
pub fn rigid_velocity(rod: &RodPart, sections: &[(f64, Attachment)], layout: &Layout, q: &[f64]) -> Vector6<f64> {
    let (mut mass, mut momentum) = (Matrix6::zeros(), Vector6::zeros());
    let Some(field) = &rod.velocity else { return momentum };
    for (i, (s, at)) in sections.iter().enumerate() {
        // Trapezoidal rule.
        let before = i.checked_sub(1).map_or(0.0, |before| s - sections[before].0);
        let after = sections.get(i + 1).map_or(0.0, |(next, _)| next - s);
        let (weight, section, given) = (0.5 * (before + after), (rod.section)(*s), field(*s));
        let velocity = given.fixed_rows::<3>(0).into_owned();
        let moved = at.position_derivative(layout, q);
        mass += moved.tr_mul(&moved) * (weight * section.mass);
        momentum += moved.tr_mul(&velocity) * (weight * section.mass);
        match layout.kind(at.node) {
            NodeKind::SpaceFrame => {
                let turn: Matrix3<f64> = at.turn.matrix();
                let inertia = turn * section.inertia * turn.transpose() * weight;
                let spin: Vector3<f64> = turn * given.fixed_rows::<3>(3);
                let mut block = mass.fixed_view_mut::<3, 3>(3, 3);
                block += inertia;
                let mut rows = momentum.fixed_rows_mut::<3>(3);
                rows += inertia * spin;
            }
            // The rotation about z is that about d₂.
            NodeKind::PlaneFrame => {
                mass[(2, 2)] += weight * section.inertia[(1, 1)];
                momentum[2] += weight * section.inertia[(1, 1)] * given[4];
            }
            NodeKind::PlanePoint | NodeKind::SpacePoint => {}
        }
    }
    // A thin rod has no inertia about its axis, and no spin about it.
    let svd = mass.svd(true, true);
    let least = 1e-13 * svd.singular_values.max();
    svd.solve(&momentum, least).unwrap_or_default()
}
