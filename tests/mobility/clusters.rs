//! Links that move as one.

use lariat::discretisation::linkage::{Link, Linkage};
use lariat::mechanism::JointKind;
use lariat::tasks::mobility::{Cluster, analyse};
use nalgebra::Vector3;

use super::catalogue::{four_bar, v};
use super::frameworks::{double_banana, framework, space};

#[test]
fn bananas() {
    let (points, bars) = double_banana();
    let found = space(&points, &bars);
    let clusters: Vec<Vec<usize>> = found.clusters.iter().map(|cluster| cluster.links.clone()).collect();
    assert_eq!(clusters, [vec![0, 1, 2, 3, 4], vec![0, 1, 5, 6, 7]]);
    assert!(found.clusters.iter().all(|cluster| !cluster.fixed));
}

#[test]
fn linkages_that_move_have_none() {
    let found = analyse(&four_bar().linkage()).unwrap();
    assert!(found.clusters.is_empty() && found.locked.is_empty());
}

/// Two triangles of the plane with a common point, one of them held.
#[test]
fn triangles_at_a_hinge() {
    let points = [v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), v(0.5, 1.0, 0.0), v(2.0, 0.2, 0.0), v(1.6, 1.2, 0.0)];
    let bars = [(0, 1), (1, 2), (2, 0), (1, 3), (3, 4), (4, 1)];
    let free = analyse(&framework(Linkage::plane(), &points, &bars)).unwrap();
    let links = |cluster: &Cluster| cluster.links.clone();
    assert_eq!(free.clusters.iter().map(links).collect::<Vec<_>>(), [vec![0, 1, 2], vec![1, 3, 4]]);
    let mut linkage = Linkage::plane();
    let link: Vec<Link> = points.iter().enumerate().map(|(k, at)| linkage.point(format!("p{k}"), *at)).collect();
    for (a, b) in bars {
        linkage.bar_of_points(format!("bar{a}{b}"), [link[a], link[b]]).unwrap();
    }
    linkage.support("pin", (link[0], points[0]), [true, true, false], false).unwrap();
    linkage.support("roller", (link[1], points[1]), [false, true, false], false).unwrap();
    let held = analyse(&linkage).unwrap();
    assert_eq!((held.infinitesimal, held.finite, held.rigid_motions), (1, 1, 0));
    assert_eq!(held.clusters[0], Cluster { fixed: true, links: vec![0, 1, 2] });
    assert_eq!(held.clusters[1], Cluster { fixed: false, links: vec![1, 3, 4] });
}

/// Bodies that two hinges with different axes hold together, and a point on a bar and a sphere.
#[test]
fn bodies_and_points() {
    let mut linkage = Linkage::space();
    let [a, b, c] = ["a", "b", "c"].map(|name| linkage.body(name));
    linkage.joint("one", [a, b], JointKind::Revolute(Vector3::x()), v(0.0, 0.0, 0.0)).unwrap();
    linkage.joint("two", [a, b], JointKind::Revolute(Vector3::y()), v(1.0, 1.0, 0.0)).unwrap();
    linkage.joint("ball", [b, c], JointKind::Spherical, v(2.0, 0.0, 0.0)).unwrap();
    let p = linkage.point("p", v(0.0, 2.0, 0.3));
    for (k, at) in [v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), v(0.0, 0.0, 1.0)].into_iter().enumerate() {
        linkage.bar(format!("leg{k}"), [(a, at), (p, v(0.0, 2.0, 0.3))]).unwrap();
    }
    let found = analyse(&linkage).unwrap();
    // Six motions of all, three of the ball.
    assert_eq!((found.infinitesimal, found.rigid_motions, found.flexes()), (9, 6, 3));
    // The point is held to a, and a to b.
    assert_eq!(found.clusters, [Cluster { fixed: false, links: vec![0, 1, 3] }]);
    assert_eq!(found.locked, ["one", "two"]);
}
