//! Every linkage of the table, in space, elsewhere in space and, where it is one of the plane, in the plane.

use lariat::discretisation::linkage::{Link, Linkage};
use lariat::mechanism::JointKind;
use lariat::tasks::mobility::{Mobility, analyse};
use nalgebra::Vector3;

use super::catalogue::{all, v};

/// Columns of the table: count, count in the plane, redundant conditions, infinitesimal and finite mobility.
pub type Row = (i64, Option<i64>, usize, usize, usize);

pub fn table() -> Vec<(String, Row)> {
    let text = include_str!("../data/mobility.csv");
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |k: usize| cells[k].parse::<i64>().ok();
        let count = |k: usize| number(k).unwrap() as usize;
        (cells[0].to_owned(), (number(1).unwrap(), number(2), count(3), count(4), count(5)))
    };
    text.lines().skip(1).map(row).collect()
}

fn told(found: &Mobility) -> (i64, usize, usize, usize) {
    (found.count, found.redundant(), found.infinitesimal, found.finite)
}

#[test]
fn every_linkage_of_the_table() {
    let cases = all();
    let table = table();
    assert_eq!(table.len(), cases.len());
    for (name, case) in cases {
        let (count, plane_count, redundant, infinitesimal, finite) =
            table.iter().find(|(other, _)| *other == name).unwrap().1;
        for (where_, linkage) in [("here", case.linkage()), ("elsewhere", case.elsewhere().linkage())] {
            let found = analyse(&linkage).unwrap();
            let expected = (count, redundant, infinitesimal, finite);
            assert_eq!(told(&found), expected, "{name} {where_}: {found:?}");
            assert_eq!(linkage.count_in_other_dimension(), plane_count, "{name} {where_}");
            // Measured: the last singular value that counts is above 1e-3, the first that does not below 1e-15.
            assert!(
                found.gap.smallest.unwrap() > 1e-3 && found.gap.neglected.unwrap_or(0.0) < 1e-13,
                "{name}: {found:?}"
            );
            assert_eq!(found.rigid_motions, 0);
            let overlaps: usize = found.overlaps.iter().map(|overlap| overlap.times).sum();
            assert_eq!(overlaps, redundant, "{name}: {:?}", found.overlaps);
        }
        if let Some(plane_count) = plane_count {
            let linkage = case.in_plane();
            let found = analyse(&linkage).unwrap();
            // In the plane the three conditions of each loop that hold it there are gone.
            let loops = case.joints.len() - case.bodies;
            let expected = (plane_count, redundant - 3 * loops, infinitesimal, finite);
            assert_eq!(told(&found), expected, "{name} in the plane: {found:?}");
            assert_eq!(linkage.count_in_other_dimension(), Some(count), "{name}");
        }
    }
}

/// A second run gives the same to the last bit.
#[test]
fn reruns_are_identical() {
    for (name, case) in all() {
        assert_eq!(analyse(&case.linkage()), analyse(&case.linkage()), "{name}");
    }
}

/// At a branch point both branches of the parallelogram have one degree of freedom; a chain that is no loop is never singular.
#[test]
fn branches_are_counted() {
    let flat = analyse(&super::catalogue::flattened().linkage()).unwrap();
    assert!(flat.is_singular() && flat.branches == [1] && flat.reached > 20, "{flat:?}");
    let mut open = super::catalogue::flattened();
    open.joints.pop();
    let found = analyse(&open.linkage()).unwrap();
    assert_eq!((found.infinitesimal, found.finite, found.redundant(), found.reached), (3, 3, 0, 0));
}

/// One body on the ground moves as its joint says.
#[test]
fn single_joints() {
    let (x, y, z) = (Vector3::x(), Vector3::y(), Vector3::z());
    let kinds = [
        (JointKind::Rigid, 0),
        (JointKind::Revolute(x), 1),
        (JointKind::Prismatic(y), 1),
        (JointKind::Universal([x, z]), 2),
        (JointKind::Cylindrical(z), 2),
        (JointKind::Spherical, 3),
        (JointKind::Planar(x + y), 3),
    ];
    for (kind, freedoms) in kinds {
        let mut linkage = Linkage::space();
        let body = linkage.body("a");
        linkage.joint("j", [Link::GROUND, body], kind, x * 2.0).unwrap();
        let found = analyse(&linkage).unwrap();
        assert_eq!(
            (told(&found), found.count),
            ((freedoms, 0, freedoms as usize, freedoms as usize), freedoms),
            "{kind:?}"
        );
    }
    for (kind, freedoms) in [
        (JointKind::Revolute(Vector3::z()), 1),
        (JointKind::Spherical, 1),
        (JointKind::Prismatic(x), 1),
        (JointKind::Rigid, 0),
    ] {
        let mut linkage = Linkage::plane();
        let body = linkage.body("a");
        linkage.joint("j", [body, Link::GROUND], kind, y).unwrap();
        assert_eq!(told(&analyse(&linkage).unwrap()), (freedoms, 0, freedoms as usize, freedoms as usize), "{kind:?}");
    }
    let mut linkage = Linkage::space();
    let (body, point) = (linkage.body("a"), linkage.point("p", z));
    linkage.bar("b", [(Link::GROUND, x), (body, y)]).unwrap();
    linkage.bar("c", [(Link::GROUND, x), (point, z)]).unwrap();
    assert_eq!(told(&analyse(&linkage).unwrap()), (7, 0, 7, 7));
}

/// Hooke's joint between shafts whose axes meet in it: count 12 − 5 − 4 − 5, one motion. With a shaft beside it nothing moves.
#[test]
fn universal_joints_between_shafts() {
    let shafts = |beside: f64| {
        let mut linkage = Linkage::space();
        let (input, output) = (linkage.body("input"), linkage.body("output"));
        let direction = Vector3::new(0.5_f64.cos(), 0.5_f64.sin(), 0.0);
        let across = Vector3::z();
        linkage.joint("in", [Link::GROUND, input], JointKind::Revolute(Vector3::x()), -Vector3::x()).unwrap();
        let cross = JointKind::Universal([across, across.cross(&direction)]);
        linkage.joint("cross", [input, output], cross, Vector3::zeros()).unwrap();
        let bearing = direction + across * beside;
        linkage.joint("out", [output, Link::GROUND], JointKind::Revolute(direction), bearing).unwrap();
        analyse(&linkage).unwrap()
    };
    assert_eq!(told(&shafts(0.0)), (-2, 3, 1, 1));
    assert_eq!(told(&shafts(0.3)), (-2, 2, 0, 0));
}

/// The spatial four-bar of one hinge and three cylinders moves as it is counted; two balls let their rod spin besides.
#[test]
fn spatial_four_bars() {
    let places = [v(0.0, 0.0, 0.0), v(0.3, 1.0, 0.2), v(2.0, 1.4, -0.5), v(2.5, 0.1, 0.7)];
    let axes = [v(0.0, 0.0, 1.0), v(0.4, 0.1, 0.9), v(-0.3, 0.8, 0.5), v(0.7, 0.7, 0.2)];
    let ring = |kinds: [JointKind; 4]| {
        let mut linkage = Linkage::space();
        let [a, b, c] = ["a", "b", "c"].map(|name| linkage.body(name));
        for (k, between) in [[Link::GROUND, a], [a, b], [b, c], [c, Link::GROUND]].into_iter().enumerate() {
            linkage.joint(format!("j{k}"), between, kinds[k], places[k]).unwrap();
        }
        analyse(&linkage).unwrap()
    };
    let slides = [1, 2, 3].map(|k| JointKind::Cylindrical(axes[k]));
    assert_eq!(told(&ring([JointKind::Revolute(axes[0]), slides[0], slides[1], slides[2]])), (1, 0, 1, 1));
    let hinges = [0, 3].map(|k| JointKind::Revolute(axes[k]));
    assert_eq!(told(&ring([hinges[0], JointKind::Spherical, JointKind::Spherical, hinges[1]])), (2, 0, 2, 2));
}
