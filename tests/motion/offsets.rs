//! One beam described from two axes: its own, and one beside it.

use lariat::material::Section;
use lariat::mechanism::{Frame, JointKind, Mechanism};
use nalgebra::Vector3;

use crate::marching::*;
use crate::mechanisms::*;

/// A cantilever of unequal stiffnesses along x whose centres lie on y = z = 0, described from an axis at −(e₁ d₁ + e₂ d₂).
fn cantilever(dimension: usize, e: [f64; 2], order: usize) -> Mechanism {
    let mut mechanism = empty(dimension);
    mechanism.gravity = v(0.0, -9.81, 0.0);
    let mut section =
        Section::principal(4e3, [1.5e3, 1.2e3], [4.0, 3.0], 2.0, 1.1, [1e-3, 2e-3, 3e-3]).with_damping_time(1e-3);
    (section.mass_offset, section.elastic_offset) = (e, e);
    // d₁ is along y and d₂ along z.
    let start = v(0.0, -e[0], -e[1]);
    mechanism.rods.push(straight(start, start + v(1.0, 0.0, 0.0), section, 6, order));
    let wall = joint("wall", [Frame::Ground, end(0, 0)], start, JointKind::Rigid);
    mechanism.joints.push(wall);
    mechanism
}

/// The centre of the last section.
fn centre_of_tip(mechanism: &Mechanism, e: [f64; 2], steps: usize) -> Vec<Vector3<f64>> {
    sampled(mechanism, 1.0, steps, &[0.25, 0.5, 1.0], |marcher| {
        let tip = &marcher.assembly().sections[0].last().unwrap().1;
        tip.pose(&marcher.assembly().layout, &marcher.state().q).point(v(e[0], e[1], 0.0))
    })
}

/// Nodes stand on the axis. Half a step moves them along a chord instead of an arc, so that the motions differ by a
/// term of second order in the step times the offset, measured 2.5e-8 m of a motion over 0.5 m with 1600 steps. With
/// shorter steps they agree to 1e-9.
#[test]
fn shifted_axis_gives_the_same_motion() {
    for (dimension, e) in [(2, [0.05, 0.0]), (3, [0.05, -0.03])] {
        for order in [1, 2] {
            let apart_with = |steps: usize| {
                let own = centre_of_tip(&cantilever(dimension, [0.0; 2], order), [0.0; 2], steps);
                let beside = centre_of_tip(&cantilever(dimension, e, order), e, steps);
                assert!((own[0] - v(1.0, 0.0, 0.0)).norm() > 0.05, "it hardly moves: {own:?}");
                own.iter().zip(&beside).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
            };
            let apart = [400, 800, 1600].map(apart_with);
            assert!(apart[2] < 5e-8, "{dimension}D, order {order}: {apart:?}");
            assert_second_order(&apart, 0.1);
            let last = apart_with(12800);
            assert!(last < 1e-9, "{dimension}D, order {order}: {last:e}");
        }
    }
}
