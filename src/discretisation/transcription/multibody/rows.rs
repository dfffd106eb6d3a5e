//! Joints and supports as equations g(q, t) = 0.

use super::held::{ground, moved, reference_turn, turned};
use super::view::View;
use crate::discretisation::assembly::Assembly;
use crate::geometry::algebra::{imaginary, norm_squared, relative};
use crate::nlp::graph::Expr;
use crate::terms::{Anchor, NodeKind};

/// One equation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Row {
    /// ½ (|p|² − 1) of a node.
    Unit(usize),
    /// A row of a joint, by their numbers.
    Joint(usize, usize),
    /// A coordinate of the position that a support holds, by its number.
    Position(usize, usize),
    /// The angle that a support holds; plane.
    Angle(usize),
    /// A component of Im(p̄ₛ p) with the orientation pₛ of a support; space.
    Rotation(usize, usize),
}

impl Row {
    pub fn value<'g>(&self, view: &View<'_, 'g>) -> Expr<'g> {
        let (assembly, graph, t) = (&view.body.assembly, view.at.graph, view.at.t);
        let nodes = view.nodes();
        match *self {
            Row::Unit(node) => 0.5 * (norm_squared(nodes.quaternion(node)) - 1.0),
            Row::Joint(joint, row) => {
                let joint = &assembly.constraints[joint];
                let displacement = joint.sides.iter().find_map(|side| match side {
                    Anchor::Ground(_, displacement) => Some(displacement),
                    Anchor::Node(_) => None,
                });
                let displaced =
                    displacement.map_or(nodes.zero(), |given| ground(graph, given, t).map(|(value, _)| value));
                joint.value_over(&nodes, displaced, row)
            }
            Row::Position(support, c) => {
                let support = &assembly.prescribed[support];
                let given = support.displacement[c].as_ref().map_or(view.number(0.0), |f| moved(graph, f, t).0);
                let place = assembly.layout.coordinate(support.node) + c;
                nodes.q[place] - (given + assembly.reference[place])
            }
            Row::Angle(support) => {
                let support = &assembly.prescribed[support];
                let given = support.rotation.as_ref().map_or(view.number(0.0), |f| moved(graph, &f[2], t).0);
                nodes.angle(support.node) - (given + assembly.layout.angle(&assembly.reference, support.node))
            }
            Row::Rotation(support, axis) => {
                let support = &assembly.prescribed[support];
                let reference = reference_turn(assembly, support);
                let given = match &support.rotation {
                    Some(rotation) => turned(graph, rotation, reference, t).0,
                    None => reference.to_array().map(|x| view.number(x)),
                };
                imaginary(relative(given, nodes.quaternion(support.node)))[axis]
            }
        }
    }

    /// Name of the joint or support it belongs to.
    pub fn part(&self, assembly: &Assembly) -> String {
        match *self {
            Row::Unit(node) => assembly.names[node].clone(),
            Row::Joint(joint, _) => assembly.constraints[joint].name.clone(),
            Row::Position(support, _) | Row::Angle(support) | Row::Rotation(support, _) => {
                assembly.prescribed[support].name.clone()
            }
        }
    }
}

/// All equations with their names: unit quaternions, joints, supports that leave something of their node free.
pub(super) fn rows(assembly: &Assembly, held: &[bool], names: &[String]) -> Vec<(String, Row)> {
    let layout = &assembly.layout;
    let mut rows: Vec<(String, Row)> = Vec::new();
    for node in (0..layout.nodes()).filter(|node| !held[*node] && layout.kind(*node) == NodeKind::SpaceFrame) {
        rows.push((format!("length of the quaternion of {}", names[node]), Row::Unit(node)));
    }
    for (index, joint) in assembly.constraints.iter().enumerate() {
        if joint.nodes().any(|node| !held[node]) {
            rows.extend((0..joint.rows.len()).map(|row| (joint.row_name(row), Row::Joint(index, row))));
        }
    }
    let mut taken = vec![false; layout.freedom_count()];
    for (index, support) in assembly.prescribed.iter().enumerate().filter(|(_, support)| !held[support.node]) {
        let (kind, first) = (layout.kind(support.node), layout.freedom(support.node));
        let name = |what: &str| format!("{what} of support `{}`", support.name);
        for c in 0..kind.positions() {
            if support.displacement[c].is_some() && !std::mem::replace(&mut taken[first + c], true) {
                rows.push((name(["x", "y", "z"][c]), Row::Position(index, c)));
            }
        }
        if support.rotation.is_none() || !kind.turns() || std::mem::replace(&mut taken[first + kind.positions()], true)
        {
            continue;
        }
        match kind {
            NodeKind::PlaneFrame => rows.push((name("angle"), Row::Angle(index))),
            _ => rows.extend((0..3).map(|axis| (name("rotation"), Row::Rotation(index, axis)))),
        }
    }
    rows
}
