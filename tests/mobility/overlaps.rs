//! Which conditions repeat others.

use lariat::discretisation::linkage::{Link, Linkage};
use lariat::mechanism::JointKind;
use lariat::tasks::mobility::analyse;
use nalgebra::Vector3;

use super::catalogue::{bennett, four_bar, v};

/// The last hinge of a plane loop repeats what the others hold out of the plane.
#[test]
fn plane_loop_in_space() {
    let found = analyse(&four_bar().linkage()).unwrap();
    assert_eq!(found.overlaps.len(), 1);
    let overlap = &found.overlaps[0];
    assert_eq!((overlap.joints.join(" "), overlap.times), ("j1 j2 j3 j4".to_owned(), 3));
    let names: Vec<String> = overlap.removable.iter().map(ToString::to_string).collect();
    assert_eq!(names, ["z of joint j4", "axis of joint j4", "axis of joint j4"]);
}

/// What is called removable can be removed: with weaker joints in its place nothing is repeated and nothing else can move.
#[test]
fn removing_what_is_repeated() {
    let places: Vec<_> = four_bar().joints.iter().map(|(_, _, at)| *at).collect();
    let mut linkage = Linkage::space();
    let [crank, coupler, rocker] = ["crank", "coupler", "rocker"].map(|name| linkage.body(name));
    for (k, between) in [[Link::GROUND, crank], [crank, coupler], [coupler, rocker]].into_iter().enumerate() {
        linkage.joint(format!("j{k}"), between, JointKind::Revolute(Vector3::z()), places[k]).unwrap();
    }
    // Of the last hinge only x and y are left.
    linkage.support("pin", (rocker, places[3]), [true, true, false], false).unwrap();
    let found = analyse(&linkage).unwrap();
    assert_eq!((found.redundant(), found.infinitesimal, found.count), (0, 1, 1));
    // Bennett's loop is spatial: it needs all joints, three conditions are too many somewhere among them.
    let found = analyse(&bennett().linkage()).unwrap();
    assert_eq!((found.overlaps.len(), found.overlaps[0].joints.len(), found.overlaps[0].times), (1, 4, 3));
}

/// Separate loops are separate overlaps; a joint within one rigid body repeats all of its conditions.
#[test]
fn groups() {
    let mut linkage = Linkage::plane();
    let (a, b) = (linkage.body("a"), linkage.body("b"));
    for (link, x) in [(a, 0.0), (b, 5.0)] {
        for k in 0..2 {
            let (name, at) = (format!("hinge{}{k}", x as usize), v(x + f64::from(k), 0.0, 0.0));
            linkage.joint(name, [Link::GROUND, link], JointKind::Revolute(Vector3::z()), at).unwrap();
        }
    }
    let found = analyse(&linkage).unwrap();
    assert_eq!((found.redundant(), found.infinitesimal), (2, 0));
    let joints: Vec<String> = found.overlaps.iter().map(|overlap| overlap.joints.join(" ")).collect();
    // Both hinges of a body hold its way along the line between them.
    assert_eq!(joints, ["hinge00 hinge01", "hinge50 hinge51"]);
    let names: Vec<String> = found.overlaps.iter().flat_map(|o| &o.removable).map(ToString::to_string).collect();
    assert_eq!(names, ["x of joint hinge01", "x of joint hinge51"]);
    let mut twice = Linkage::space();
    let body = twice.body("a");
    twice.joint("inner", [body, body], JointKind::Universal([Vector3::x(), Vector3::y()]), v(1.0, 0.0, 0.0)).unwrap();
    let found = analyse(&twice).unwrap();
    assert_eq!((found.redundant(), found.infinitesimal, found.overlaps.len()), (4, 6, 1));
    assert_eq!(found.gap.smallest, None);
}
