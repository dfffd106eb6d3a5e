//! Every linkage of the table, in space, elsewhere in space and, where it is one of the plane, in the plane.

use lariat::tasks::mobility::{Mobility, analyse};

use super::catalogue::all;

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
            assert!(found.gap.smallest.unwrap() > 1e-3 && found.gap.neglected.unwrap_or(0.0) < 1e-13, "{name}: {found:?}");
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
