//! Motions that deform no member: the modes of frequency zero, counted from the geometry alone.
//!
//! A member that is not deformed moves with both its nodes as one rigid body. What members connect is therefore one body
//! with three motions in the plane and six in space, and joints and supports are conditions on these.

use nalgebra::{Matrix6, Vector3};

use super::elimination::reduce;
use crate::discretisation::assembly::{Assembly, NodeKind, node_rotation};
use crate::geometry::cross_matrix;

/// Nodes that members connect to one rigid body, with the place of its motions among all.
struct Group {
    root: usize,
    first: usize,
    motions: usize,
}

/// The number of independent motions of nodes that deform no member and fulfil all conditions of joints and supports.
pub(super) fn still_motions(assembly: &Assembly) -> usize {
    let layout = &assembly.layout;
    let mut root: Vec<usize> = (0..layout.nodes()).collect();
    for ends in assembly.sections.iter().flat_map(|sections| sections.windows(2)) {
        let [a, b] = [find(&root, ends[0].1.node), find(&root, ends[1].1.node)];
        root[a.max(b)] = a.min(b);
    }
    let mut groups: Vec<Group> = Vec::new();
    let mut total = 0;
    for node in (0..layout.nodes()).filter(|&node| root[node] == node) {
        // A point that no member reaches does not turn; any other group has sections, which do.
        let motions = layout.kind(node).freedoms();
        groups.push(Group { root: node, first: total, motions });
        total += motions;
    }
    let size = assembly.size().max(f64::MIN_POSITIVE);
    let mut rows: Vec<Vec<f64>> = Vec::new();
    let mut condition = |parts: &[(usize, &[f64])]| {
        let mut row = vec![0.0; total];
        // Scaled by the largest term: where terms of one body cancel, nothing but rounding is left of them.
        let mut largest = 0.0_f64;
        for (node, derivative) in parts {
            let root = find(&root, *node);
            let Some(group) = groups.iter().find(|group| group.root == root) else { continue };
            let moves = rigid(assembly, *node, root, size);
            for (which, by_freedom) in derivative.iter().enumerate() {
                for motion in 0..group.motions {
                    let term = by_freedom * moves[(which, motion)];
                    row[group.first + motion] += term;
                    largest = largest.max(term.abs());
                }
            }
        }
        if largest > 0.0 {
            rows.push(row.into_iter().map(|g| g / largest).collect());
        }
    };
    for dof in (0..layout.freedom_count()).filter(|&dof| assembly.fixed[dof]) {
        let (node, which) = layout.node_of_freedom(dof);
        let mut unit = [0.0; 6];
        unit[which] = 1.0;
        condition(&[(node, &unit[..layout.kind(node).freedoms()])]);
    }
    for joint in &assembly.constraints {
        for row in 0..joint.rows.len() {
            let derivative = joint.derivative(layout, &assembly.reference, row);
            let sides = joint.sides.iter().zip(&derivative).filter_map(|(side, derivative)| {
                let node = side.node()?;
                Some((node, &derivative.as_slice()[..layout.kind(node).freedoms()]))
            });
            condition(&sides.collect::<Vec<_>>());
        }
    }
    total - reduce(&mut rows).len()
}

fn find(root: &[usize], mut node: usize) -> usize {
    while root[node] != node {
        node = root[node];
    }
    node
}

/// The degrees of freedom of a node, by rows, for translations by the size of the mechanism and turns of a rigid body about
/// another of its nodes, by columns.
fn rigid(assembly: &Assembly, node: usize, about: usize, size: f64) -> Matrix6<f64> {
    let (layout, q) = (&assembly.layout, &assembly.reference);
    let arm: Vector3<f64> = layout.position(q, node) - layout.position(q, about);
    let mut moves = Matrix6::zeros();
    match layout.kind(node) {
        NodeKind::SpaceFrame => {
            moves.fixed_view_mut::<3, 3>(0, 0).fill_diagonal(size);
            // u = ω × arm, and rotations of the node are measured in its own frame.
            moves.fixed_view_mut::<3, 3>(0, 3).copy_from(&-cross_matrix(arm));
            moves.fixed_view_mut::<3, 3>(3, 3).copy_from(&node_rotation(layout, q, node).transpose());
        }
        NodeKind::PlaneFrame => {
            (moves[(0, 0)], moves[(1, 1)], moves[(2, 2)]) = (size, size, 1.0);
            (moves[(0, 2)], moves[(1, 2)]) = (-arm[1], arm[0]);
        }
        NodeKind::PlanePoint | NodeKind::SpacePoint => moves.fill_diagonal(size),
    }
    moves
}
