//! Names of nodes and coordinates.

use nalgebra::Vector3;

use crate::discretisation::assembly::Assembly;
use crate::mechanism::{Frame, Mechanism};
use crate::terms::{Attachment, NodeKind};

/// Distance from a node, relative to the size of the mechanism, within which a frame counts as the node.
const AT_NODE: f64 = 1e-9;

/// For every node the name of a frame that coincides with it, bodies before sections; of a section between the ends of an
/// element its place.
pub(super) fn node_names(mechanism: &Mechanism, assembly: &Assembly) -> Vec<String> {
    let mut names = vec![String::new(); assembly.layout.nodes()];
    let size = assembly.size();
    let mut give = |at: &Attachment, name: &dyn Fn() -> String, exact: bool| {
        let here = at.offset.norm() <= AT_NODE * size;
        let along = at.angle == 0.0 && at.turn.im == Vector3::zeros();
        if names[at.node].is_empty() && here && (along || !exact) {
            names[at.node] = name();
        }
    };
    // What coincides in position and orientation comes first, then what is at the same place.
    for exact in [true, false] {
        for (body, at) in assembly.bodies.iter().enumerate() {
            give(at, &|| mechanism.frame_name(Frame::Body(body)), exact);
        }
        for (rod, (part, sections)) in mechanism.rods.iter().zip(&assembly.sections).enumerate() {
            for (i, (s, at)) in sections.iter().enumerate() {
                let name = || match i % part.order {
                    0 => mechanism.frame_name(Frame::Section { rod, boundary: i / part.order }),
                    _ => format!("{}@{:.5}", part.name, s / part.length),
                };
                give(at, &name, exact);
            }
        }
    }
    let unnamed = names.iter_mut().zip(&assembly.names).filter(|(name, _)| name.is_empty());
    unnamed.for_each(|(name, known)| name.clone_from(known));
    names
}

/// Names of the coordinates of a kind of node.
fn components(kind: NodeKind) -> &'static [&'static str] {
    match kind {
        NodeKind::PlanePoint => &["x", "y"],
        NodeKind::PlaneFrame => &["x", "y", "angle"],
        NodeKind::SpacePoint => &["x", "y", "z"],
        NodeKind::SpaceFrame => &["x", "y", "z", "p0", "p1", "p2", "p3"],
    }
}

/// Coordinates of all nodes that are not held: their places by those of the assembly, and the reverse with names. Nodes come in
/// the order of bodies, then rods.
pub(super) fn coordinates(
    assembly: &Assembly,
    held: &[bool],
    names: &[String],
) -> (Vec<Option<usize>>, Vec<(usize, String)>) {
    let layout = &assembly.layout;
    let mut places = vec![None; layout.coordinate_count()];
    let mut coordinates = Vec::new();
    let sections = assembly.sections.iter().flatten().map(|(_, at)| at);
    let nodes = assembly.bodies.iter().chain(sections).map(|at| at.node).chain(0..layout.nodes());
    for node in nodes.filter(|node| !held[*node]) {
        let first = layout.coordinate(node);
        if places[first].is_some() {
            continue;
        }
        for (c, component) in components(layout.kind(node)).iter().enumerate() {
            places[first + c] = Some(coordinates.len());
            coordinates.push((first + c, format!("{}.{component}", names[node])));
        }
    }
    (places, coordinates)
}
