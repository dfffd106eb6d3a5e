//! Local coordinates of a mechanism: unit quaternions and points at a fixed distance lie on spheres.

use nalgebra::Vector3;

use super::Multibody;
use super::rows::Row;
use crate::discretisation::transcription::{Chart, Group, Linear, Manifold};
use crate::terms::{self, Anchor};

/// The chart on all quaternions, and on the distances of points from others if these do not close loops; none without any.
pub(super) fn chart(body: &Multibody) -> Option<Chart> {
    let count = body.coordinates.len();
    let numbered = || body.rows.iter().enumerate();
    let quaternions: Vec<(usize, Group)> =
        numbered().filter_map(|(i, (_, row))| quaternion(body, row).map(|group| (i, group))).collect();
    let distances = numbered().filter_map(|(i, (name, row))| distance(body, name, row).map(|group| (i, group)));
    let all: Vec<(usize, Group)> = quaternions.iter().cloned().chain(distances).collect();
    let of = |list: Vec<(usize, Group)>| {
        let (satisfied, groups): (Vec<usize>, Vec<Group>) = list.into_iter().unzip();
        (!groups.is_empty()).then(|| Chart::new(count, groups, satisfied).ok()).flatten()
    };
    of(all).or_else(|| of(quaternions))
}

fn quaternion(body: &Multibody, row: &Row) -> Option<Group> {
    let Row::Unit(node) = row else { return None };
    let first = body.assembly.layout.coordinate(*node) + 3;
    let places = (first..first + 4).map(|coordinate| body.places[coordinate]).collect::<Option<Vec<_>>>()?;
    let entries = places.into_iter().map(Linear::coordinate).collect();
    Some(Group { name: body.node_names[*node].clone(), manifold: Manifold::Sphere(1.0), entries })
}

/// Two points, each at the origin of a node or fixed in space.
fn distance(body: &Multibody, name: &str, row: &Row) -> Option<Group> {
    let Row::Joint(joint, row) = *row else { return None };
    let joint = &body.assembly.constraints[joint];
    let terms::ConditionRow::Distance(length) = joint.rows[row] else { return None };
    let entry = |axis: usize| -> Option<Linear> {
        let mut entry = Linear::default();
        for (side, sign) in [(&joint.sides[1], 1.0), (&joint.sides[0], -1.0)] {
            match side {
                Anchor::Ground(point, displacement) => {
                    entry.constant += displacement.iter().all(Option::is_none).then_some(sign * point[axis])?;
                }
                Anchor::Node(at) if body.held[at.node] => return None,
                Anchor::Node(at) => {
                    let plain = at.offset == Vector3::zeros();
                    let place =
                        plain.then(|| body.places[body.assembly.layout.coordinate(at.node) + axis]).flatten()?;
                    entry.terms.push((place, sign));
                }
            }
        }
        Some(entry)
    };
    let entries = (0..body.dimension).map(entry).collect::<Option<Vec<_>>>()?;
    Some(Group { name: name.to_owned(), manifold: Manifold::Sphere(length), entries })
}
