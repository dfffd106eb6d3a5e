//! What frequencies must not depend on: the axis from which a rod is described, the dimension of space.

use lariat::geometry::Pose;
use lariat::material::Section;
use lariat::mechanism::curve::Curve;
use lariat::mechanism::{Frame, JointKind, Mechanism};

use crate::solve::*;
use crate::structures::*;

/// A rod whose centres lie on the x axis, described from an axis beside it, with a body at its tip.
fn described_from(dimension: usize, shift: [f64; 2], order: usize) -> Mechanism {
    let mut section = Section::principal(900.0, [400.0, 300.0], [1.0, 2.0], 0.8, 3.0, [0.01, 0.02, 0.025]);
    section.mass_offset = [-shift[0], -shift[1]];
    section.elastic_offset = section.mass_offset;
    let mut mechanism = empty(dimension);
    let curve = Curve::straight(v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), None).unwrap();
    let mut rod = rod_of(&curve, section, 6, order);
    rod.reference = std::sync::Arc::new(move |s| {
        let pose = curve.pose(s);
        Pose { position: pose.point(v(shift[0], shift[1], 0.0)), ..pose }
    });
    mechanism.rods.push(rod);
    mechanism.bodies.push(body("tip", 0.4, [0.01, 0.02, 0.03], v(1.1, 0.05, 0.0)));
    mechanism.joints.push(joint([Frame::Body(0), end(0, 6)], v(1.0, 0.0, 0.0), JointKind::Rigid));
    mechanism
}

/// Free, clamped, and hinged at a point of the x axis that is not on the described axis; about the reference and about
/// the state under weight and load.
#[test]
fn an_axis_beside_the_centres_describes_the_same_rod() {
    for (dimension, shift) in [(2, [0.07, 0.0]), (3, [0.07, -0.04])] {
        for (held, loaded) in [("free", false), ("clamped", false), ("clamped", true), ("hinged", false)] {
            for order in [1, 2, 3] {
                let [own, beside] = [[0.0; 2], shift].map(|shift| {
                    let mut mechanism = described_from(dimension, shift, order);
                    match held {
                        "clamped" => mechanism.supports.push(clamp(end(0, 0))),
                        "hinged" => {
                            let axis = JointKind::Revolute(v(0.0, 0.0, 1.0));
                            mechanism.joints.push(joint([Frame::Ground, end(0, 0)], v(0.0, 0.0, 0.0), axis));
                        }
                        _ => {}
                    }
                    if loaded {
                        mechanism.gravity = v(0.3, -0.5, 0.0);
                        mechanism.loads.push(dead_load(Frame::Body(0), [-0.3, 0.6, 0.0], [0.0; 3]));
                    }
                    frequencies(&mechanism, 10)
                });
                assert_close(&beside, &own, 1e-9, &format!("{dimension}D, {held}, order {order}"));
            }
        }
    }
}

/// Every frequency of a plane frame of two-node elements is one of the same frame in space, loaded or not.
#[test]
fn plane_frequencies_are_among_those_in_space() {
    for loaded in [false, true] {
        let [plane, space] = [2, 3].map(|dimension| {
            let section = Section::principal(2e3, [9e2, 8e2], [1.5, 1.0], 0.7, 1.0, [0.02, 0.01, 0.03]);
            let mut mechanism = empty(dimension);
            mechanism.rods.push(straight(v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), section, 8, 1));
            mechanism.rods.push(straight(v(1.0, 0.0, 0.0), v(1.5, 0.8, 0.0), section, 8, 1));
            mechanism.joints.push(joint([end(0, 8), end(1, 0)], v(1.0, 0.0, 0.0), JointKind::Rigid));
            mechanism.supports.push(clamp(end(0, 0)));
            if loaded {
                mechanism.gravity = v(0.1, -0.8, 0.0);
            }
            frequencies(&mechanism, if dimension == 2 { 6 } else { 20 })
        });
        for wanted in plane {
            let error = space.iter().map(|f| (f / wanted - 1.0).abs()).fold(f64::INFINITY, f64::min);
            assert!(error < 1e-10, "{wanted} is not among {space:?}: {error:e}");
        }
    }
}
