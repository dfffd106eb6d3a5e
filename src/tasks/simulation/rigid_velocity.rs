//! The motion of a rigid rod with the momentum of stated velocities along it.

use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};

use crate::discretisation::assembly::{Assembly, Attachment, NodeKind, node_rotation, plane_orientation, rigid_points};
use crate::mechanism::{Pose, Quaternion, RodPart};

/// Corrections u += M⁺(p − M u): the decomposition is exact to about 1e-10, what it is used for to rounding.
const CORRECTIONS: usize = 3;

/// Velocity and spin of the node u with M u = p: of all rigid motions that with the linear and angular momentum of the
/// velocities along the rod, as an infinitely stiff rod would have it. Velocities that are rigid are kept to rounding.
///
/// `at` is a section of the rod, `q` the configuration. Both M and p are integrals over the points at which the mass of the rod
/// itself is integrated.
pub fn rigid_velocity(rod: &RodPart, at: &Attachment, assembly: &Assembly, q: &[f64]) -> Vector6<f64> {
    let (layout, kind) = (&assembly.layout, assembly.layout.kind(at.node));
    let orientation = match kind {
        NodeKind::SpaceFrame => layout.orientation(&assembly.reference, at.node),
        NodeKind::PlaneFrame => plane_orientation(layout.angle(&assembly.reference, at.node)),
        NodeKind::PlanePoint | NodeKind::SpacePoint => Quaternion::IDENTITY,
    };
    let node = Pose { position: layout.position(&assembly.reference, at.node), orientation };
    let rotation = node_rotation(layout, q, at.node);
    let (mut mass, mut momentum) = (Matrix6::zeros(), Vector6::zeros());
    let Some(field) = &rod.velocity else { return momentum };
    for (s, weight) in rigid_points(rod) {
        let (section, given) = ((rod.section)(s), field(s));
        let at = Attachment::new(at.node, kind, &node, &(rod.reference)(s));
        let centre = at.shifted(kind, section.mass_offset);
        let moved = centre.position_derivative(layout, q);
        let spin = match kind {
            NodeKind::SpaceFrame => at.turn.rotate(given.fixed_rows::<3>(3).into_owned()),
            // The rotation about z is that about d₂.
            _ => Vector3::new(0.0, 0.0, given[4]),
        };
        let velocity = given.fixed_rows::<3>(0) + rotation * spin.cross(&(centre.offset - at.offset));
        mass += moved.tr_mul(&moved) * (weight * section.mass);
        momentum += moved.tr_mul(&velocity) * (weight * section.mass);
        match kind {
            NodeKind::SpaceFrame => {
                let turn: Matrix3<f64> = at.turn.matrix();
                let inertia = turn * section.inertia * turn.transpose() * weight;
                let mut block = mass.fixed_view_mut::<3, 3>(3, 3);
                block += inertia;
                let mut rows = momentum.fixed_rows_mut::<3>(3);
                rows += inertia * spin;
            }
            NodeKind::PlaneFrame => {
                mass[(2, 2)] += weight * section.inertia[(1, 1)];
                momentum[2] += weight * section.inertia[(1, 1)] * spin[2];
            }
            NodeKind::PlanePoint | NodeKind::SpacePoint => {}
        }
    }
    // A thin rod has no inertia about its axis, and no spin about it.
    let principal = mass.symmetric_eigen();
    let least = 1e-13 * principal.eigenvalues.max();
    let inverse = principal.eigenvalues.map(|value| if value > least { value.recip() } else { 0.0 });
    let solve =
        |right: Vector6<f64>| principal.eigenvectors * principal.eigenvectors.tr_mul(&right).component_mul(&inverse);
    let mut found = solve(momentum);
    for _ in 0..CORRECTIONS {
        found += solve(momentum - mass * found);
    }
    found
}
