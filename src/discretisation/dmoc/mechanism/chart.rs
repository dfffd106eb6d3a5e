//! Local coordinates of a mechanism: unit quaternions and points at a fixed distance lie on spheres.

use nalgebra::Vector3;

use super::Multibody;
use super::nodes::Placed;
use super::rows::Row;
use crate::discretisation::dmoc::{Chart, Group, Linear, Manifold};

/// The chart on all quaternions, and on the distances of points from others if these do not close loops; none without any.
pub(super) fn chart(body: &Multibody) -> Option<Chart> {
    let count = body.reference().len();
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
    let node = &body.nodes[*node];
    let entries = (3..7).map(|i| Linear::coordinate(node.first + i)).collect();
    Some(Group { name: node.name.clone(), manifold: Manifold::Sphere(1.0), entries })
}

/// Two points, each at the origin of a node or fixed in space.
fn distance(body: &Multibody, name: &str, row: &Row) -> Option<Group> {
    let Row::Distance(a, b, length) = row else { return None };
    let plain = |placed: &Placed| placed.node.is_none() || placed.pose.position == Vector3::zeros();
    if !plain(a) || !plain(b) {
        return None;
    }
    let entry = |axis: usize| {
        let mut entry = Linear::default();
        for (placed, sign) in [(b, 1.0), (a, -1.0)] {
            match placed.node {
                Some(node) => entry.terms.push((body.nodes[node].first + axis, sign)),
                None => entry.constant += sign * placed.pose.position[axis],
            }
        }
        entry
    };
    let entries = (0..body.dimension).map(entry).collect();
    Some(Group { name: name.to_owned(), manifold: Manifold::Sphere(*length), entries })
}
