//! How ropes over winches begin to move.

use nalgebra::{Vector3, Vector6};

use crate::discretisation::assembly::{Anchor, Assembly};

/// Nodes of a rope over a winch keep their fractions of its length: between the velocities of what its ends are joined to theirs
/// are interpolated, as those of a straight rope that does not stretch.
pub fn rope_velocities(assembly: &Assembly, q: &[f64], velocities: &mut [Vector6<f64>]) {
    for elements in assembly.winches.iter().flat_map(|winch| &winch.elements) {
        let (Some(first), Some(last)) = (elements.first(), elements.last()) else { continue };
        let node = |element: usize, end: usize| assembly.elements[element].ends[end].node;
        let [from, to] = [node(*first, 0), node(*last, 1)].map(|end| velocity_at(assembly, q, velocities, end));
        for (place, element) in elements.iter().enumerate() {
            for end in [0, 1] {
                let share = (place + end) as f64 / elements.len() as f64;
                let v = from * (1.0 - share) + to * share;
                velocities[node(*element, end)].fixed_rows_mut::<3>(0).copy_from(&v);
            }
        }
    }
}

/// The velocity of what a node at the end of a rope is joined to, or its own.
fn velocity_at(assembly: &Assembly, q: &[f64], velocities: &[Vector6<f64>], node: usize) -> Vector3<f64> {
    let layout = &assembly.layout;
    let joined = assembly.constraints.iter().find_map(|joint| {
        let [a, b] = &joint.sides;
        match (a.node() == Some(node), b.node() == Some(node)) {
            (true, false) => Some(b),
            (false, true) => Some(a),
            _ => None,
        }
    });
    match joined {
        Some(Anchor::Node(at)) => {
            let (v, size) = (&velocities[at.node], layout.kind(at.node).freedoms());
            let moved = at.position_derivative(layout, q);
            (0..size).map(|c| moved.column(c) * v[c]).sum()
        }
        Some(Anchor::Ground(..)) => Vector3::zeros(),
        None => velocities[node].fixed_rows::<3>(0).into_owned(),
    }
}
