//! What joints measure: the angle of one that turns, the travel of one that slides. Springs resist it, quantities and
//! actuators name it.

use nalgebra::Vector3;

use crate::geometry::Quaternion;
use crate::mechanism::Mechanism;
use crate::terms::{Anchor, ConditionRow, Constraint, Layout, NodeKind, Turn};

/// The angle about the axis of a joint as the only row of a condition that nothing enforces; none without an axis or where a
/// frame has no orientation.
pub(super) fn angle(
    mechanism: &Mechanism,
    joint: usize,
    sides: &[Anchor; 2],
    layout: &Layout,
    reference: &[f64],
) -> Option<Constraint> {
    let axis = mechanism.joints[joint].kind.turning_axis(mechanism.dimension)?;
    if !turn(sides, layout) {
        return None;
    }
    let row = match mechanism.dimension {
        2 => plane_angle(sides, layout, reference),
        _ => ConditionRow::Turn(Turn { axis, reference: orientations(sides, layout, reference) }),
    };
    Some(Constraint { name: mechanism.joints[joint].name.clone(), sides: sides.clone(), rows: vec![row] })
}

/// The travel along the axis of a joint, likewise.
pub(super) fn travel(
    mechanism: &Mechanism,
    joint: usize,
    sides: &[Anchor; 2],
    layout: &Layout,
    reference: &[f64],
) -> Option<Constraint> {
    let axis = mechanism.joints[joint].kind.sliding_axis()?;
    let row = ConditionRow::Across(sides[0].in_frame(layout, reference, axis));
    Some(Constraint { name: mechanism.joints[joint].name.clone(), sides: sides.clone(), rows: vec![row] })
}

/// What a spring on a joint resists: its travel, its angle, the two angles of a universal joint, or the rotation vector of a spherical
/// one; none where there is nothing of it.
pub(super) fn of_spring(
    mechanism: &Mechanism,
    joint: usize,
    sides: &[Anchor; 2],
    layout: &Layout,
    reference: &[f64],
) -> Option<Constraint> {
    let part = &mechanism.joints[joint];
    let several = part.kind.measures(mechanism.dimension) > 1;
    if !several {
        let angle = || angle(mechanism, joint, sides, layout, reference);
        return travel(mechanism, joint, sides, layout, reference).or_else(angle);
    }
    if !turn(sides, layout) {
        return None;
    }
    let rows = match part.kind.universal_axes() {
        // r = exp(a₁φ₁/2) exp(a₂φ₂/2) with a₁ perpendicular to a₂: tan(φ_i/2) = a_i·Im r/Re r.
        Some(axes) => axes
            .map(|axis| ConditionRow::Turn(Turn { axis, reference: orientations(sides, layout, reference) }))
            .to_vec(),
        None => rotation(mechanism.dimension, sides, layout, reference),
    };
    Some(Constraint { name: part.name.clone(), sides: sides.clone(), rows })
}

/// Components of the rotation of the second side against the first: the rotation vector along x, y and z of the reference
/// configuration, carried by the first; in the plane the angle.
pub(super) fn rotation(dimension: usize, sides: &[Anchor; 2], layout: &Layout, reference: &[f64]) -> Vec<ConditionRow> {
    if dimension == 2 {
        return vec![plane_angle(sides, layout, reference)];
    }
    let reference = orientations(sides, layout, reference);
    (0..3).map(|c| ConditionRow::Rotation(Turn { axis: Vector3::ith(c, 1.0), reference })).collect()
}

/// Whether both sides have an orientation.
fn turn(sides: &[Anchor; 2], layout: &Layout) -> bool {
    sides.iter().all(|side| side.node().is_none_or(|node| layout.kind(node).turns()))
}

fn plane_angle(sides: &[Anchor; 2], layout: &Layout, reference: &[f64]) -> ConditionRow {
    let [a, b] = [0, 1].map(|side: usize| sides[side].angle(layout, reference));
    ConditionRow::Angle(b - a)
}

fn orientations(sides: &[Anchor; 2], layout: &Layout, reference: &[f64]) -> [Quaternion; 2] {
    [0, 1].map(|side: usize| match sides[side].node() {
        Some(node) if layout.kind(node) == NodeKind::SpaceFrame => layout.orientation(reference, node),
        _ => Quaternion::IDENTITY,
    })
}
