//! What joints measure: the angle of one that turns, the travel of one that slides. Springs resist it, quantities and
//! actuators name it.

use crate::geometry::Quaternion;
use crate::mechanism::Mechanism;
use crate::terms::{Anchor, Constraint, Layout, NodeKind, Row, Turn};

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
    let turns = |side: &Anchor| side.node().is_none_or(|node| layout.kind(node).turns());
    if !sides.iter().all(turns) {
        return None;
    }
    let row = if mechanism.dimension == 2 {
        let [a, b] = [0, 1].map(|side: usize| sides[side].angle(layout, reference));
        Row::Angle(b - a)
    } else {
        let turn = |side: &Anchor| match side.node() {
            Some(node) if layout.kind(node) == NodeKind::SpaceFrame => layout.orientation(reference, node),
            _ => Quaternion::IDENTITY,
        };
        Row::Turn(Turn { axis, reference: [turn(&sides[0]), turn(&sides[1])] })
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
    let row = Row::Across(sides[0].in_frame(layout, reference, axis));
    Some(Constraint { name: mechanism.joints[joint].name.clone(), sides: sides.clone(), rows: vec![row] })
}
