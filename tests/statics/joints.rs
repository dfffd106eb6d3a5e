//! Joints and supports: frames whose forces follow from equilibrium alone.

use lariat::geometry::{Pose, Quaternion};
use lariat::material::Section;
use lariat::mechanism::curve::Curve;
use lariat::mechanism::{Frame, JointKind, Mechanism, RodKind};
use nalgebra::Vector3;

use crate::solve::{State, state, states};
use crate::structures::*;

/// A quantity per load factor in the limit of small loads, from factors 1, 1/2, 1/4: displacements change forces by a
/// series in the load, whose first two terms are removed.
fn for_small_loads(mechanism: &Mechanism, quantity: impl Fn(&State) -> Vec<f64>) -> Vec<f64> {
    let at = states(mechanism, &[1.0, 0.5, 0.25]);
    let [one, half, quarter] = [0, 1, 2].map(|k| quantity(&at[k]));
    (0..one.len()).map(|i| (one[i] - 12.0 * half[i] + 32.0 * quarter[i]) / 3.0).collect()
}

fn flexible() -> Section {
    round(1e3, 5e2, 1.0, 0.8, 1.0, 0.1)
}

const LOAD: f64 = 0.01;

/// Two rods from feet (0, 0) and (2, 0) to the crown (1, 1), turned as a whole in space; the first bears a load
/// downwards at its middle. The second bears force along itself only, so moments about the first foot give a quarter of
/// the load, upwards and inwards, at the second foot; the first bears three quarters upwards.
fn three_hinged(dimension: usize, turn: Quaternion) -> Mechanism {
    let mut mechanism = empty(dimension);
    let at = |x: f64, y: f64| turn.rotate(v(x, y, 0.0));
    let rod = |from, to| {
        let curve = Curve::straight(from, to, Some(turn.rotate(v(0.0, 0.0, 1.0)).cross(&(to - from)))).unwrap();
        rod_of(&curve, flexible(), 4, 3)
    };
    mechanism.rods.extend([rod(at(0.0, 0.0), at(1.0, 1.0)), rod(at(2.0, 0.0), at(1.0, 1.0))]);
    let force = turn.rotate(v(0.0, -LOAD, 0.0));
    mechanism.loads.push(dead_load(end(0, 2), force.into(), [0.0; 3]));
    mechanism
}

#[test]
fn three_hinged_frame_in_the_plane() {
    let mut mechanism = three_hinged(2, Quaternion::IDENTITY);
    mechanism.joints.push(joint([end(0, 4), end(1, 4)], v(1.0, 1.0, 0.0), JointKind::Revolute(v(0.0, 0.0, 1.0))));
    let mut second = hinge(end(1, 0));
    second.name = "second".into();
    mechanism.supports.extend([hinge(end(0, 0)), second]);
    let names = ["hinge.force_x", "hinge.force_y", "second.force_x", "second.force_y"];
    let found =
        for_small_loads(&mechanism, |at| names.iter().map(|name| at.reaction(name)).chain(at.joint_forces()).collect());
    // The crown pushes the second rod down along itself.
    for (found, wanted) in found.into_iter().zip([0.25, 0.75, -0.25, 0.25, 0.25, -0.25]) {
        assert!((found / LOAD - wanted).abs() < 1e-8, "{} instead of {wanted}", found / LOAD);
    }
}

/// The same frame in a slanted plane of space: feet and crown joined by revolute and spherical joints.
#[test]
fn three_hinged_frame_in_space() {
    let turn = Quaternion::from_rotation_vector(v(0.4, -0.9, 0.6));
    let axis = turn.rotate(v(0.0, 0.0, 1.0));
    let (revolute, spherical) = (JointKind::Revolute(axis), JointKind::Spherical);
    for kinds in [[revolute, revolute, spherical], [revolute, spherical, revolute], [revolute; 3]] {
        let mut mechanism = three_hinged(3, turn);
        let [first, crown, second] = [(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)].map(|(x, y)| turn.rotate(v(x, y, 0.0)));
        mechanism.joints.extend([
            joint([Frame::Ground, end(0, 0)], first, kinds[0]),
            joint([end(0, 4), end(1, 4)], crown, kinds[1]),
            joint([Frame::Ground, end(1, 0)], second, kinds[2]),
        ]);
        let found = for_small_loads(&mechanism, State::joint_forces);
        let mut rows = found.iter();
        for (kind, wanted) in kinds.into_iter().zip([v(0.25, 0.75, 0.0), v(0.25, -0.25, 0.0), v(-0.25, 0.25, 0.0)]) {
            let mut next = || rows.next().unwrap() / LOAD;
            let force = v(next(), next(), next());
            assert!((force - turn.rotate(wanted)).norm() < 1e-8, "{kind:?}: {force:?}");
            if kind != spherical {
                // Nothing loads the joints across the plane.
                assert!(next().abs() < 1e-8 && next().abs() < 1e-8);
            }
        }
        assert!(rows.next().is_none());
    }
}

/// Three strings from points on a circle of radius 1 to an apex below its centre, joined there; a load pulls down by
/// 3 EA (l/l₀ − 1) z/l, l² = 1 + z².
#[test]
fn a_tripod_of_strings() {
    let mut mechanism = empty(3);
    let feet = [0.0_f64, 2.0, 4.0].map(|k| (k * std::f64::consts::FRAC_PI_3).sin_cos()).map(|(s, c)| v(c, s, 0.0));
    let apex = v(0.0, 0.0, -1.0);
    for foot in feet {
        let mut string = straight(foot, apex, flexible(), 1, 1);
        string.kind = RodKind::String;
        mechanism.rods.push(string);
    }
    for k in 0..3 {
        mechanism.supports.push(hinge(end(k, 0)));
    }
    mechanism.joints.extend([1, 2].map(|k| joint([end(0, 1), end(k, 1)], apex, JointKind::Spherical)));
    // The load for an apex at depth z = 1.3.
    let (z, l0) = (1.3_f64, 2.0_f64.sqrt());
    let l = z.hypot(1.0);
    let tension = 1e3 * (l / l0 - 1.0);
    mechanism.loads.push(dead_load(end(0, 1), [0.0, 0.0, -3.0 * tension * z / l], [0.0; 3]));
    let at = state(&mechanism);
    let deep = v(0.0, 0.0, -z);
    assert!((at.position(end(0, 1)) - deep).norm() < 1e-10);
    for (k, force) in at.joint_forces().chunks(3).enumerate() {
        // The joint pulls the end of its string away from the foot.
        let wanted = (deep - feet[1 + k]) / l * tension;
        assert!((Vector3::from_column_slice(force) - wanted).norm() < 1e-8 * tension, "{force:?}");
    }
    assert_eq!(at.stability(), (0, 0));
}

/// A rod with a rigid arm of 0.5 beyond its start: the arm's end is hinged, the start rests on a roller, the tip bears a
/// load P. By the lever the roller takes 3P, the hinge −2P; the same whichever of the two holds the node itself.
#[test]
fn supports_beside_the_node_of_a_rigid_arm() {
    for dimension in [2, 3] {
        for swapped in [false, true] {
            let mut mechanism = unit_rod(dimension, flexible(), 4, 3);
            mechanism.bodies.push(body("arm", 0.0, [0.0; 3], v(-0.5, 0.0, 0.0)));
            mechanism.joints.push(joint([Frame::Body(0), end(0, 0)], v(0.0, 0.0, 0.0), JointKind::Rigid));
            mechanism.supports.extend([hinge(Frame::Body(0)), roller(end(0, 0), [false, true, true])]);
            if dimension == 3 {
                // Against turning about the rod.
                mechanism.supports[0].rotation = None;
                mechanism.bodies.push(body("outrigger", 0.0, [0.0; 3], v(0.0, 0.0, 0.5)));
                mechanism.joints.push(joint([Frame::Body(1), end(0, 0)], v(0.0, 0.0, 0.0), JointKind::Rigid));
                let mut outrigger = roller(Frame::Body(1), [false, true, false]);
                outrigger.name = "outrigger".into();
                mechanism.supports.push(outrigger);
            }
            if swapped {
                mechanism.supports.reverse();
            }
            mechanism.loads.push(dead_load(end(0, 4), [0.0, -LOAD, 0.0], [0.0; 3]));
            let mut wanted = vec![("hinge.force_x", 0.0), ("hinge.force_y", -2.0), ("roller.force_y", 3.0)];
            if dimension == 3 {
                wanted.extend([("outrigger.force_y", 0.0), ("hinge.force_z", 0.0), ("roller.force_z", 0.0)]);
            }
            let found = for_small_loads(&mechanism, |at| wanted.iter().map(|(name, _)| at.reaction(name)).collect());
            for ((name, wanted), found) in wanted.iter().zip(found) {
                assert!((found / LOAD - wanted).abs() < 1e-8, "{dimension}D, {swapped}, {name}: {}", found / LOAD);
            }
        }
    }
}

/// A rod described from an axis beside its centres, clamped at the same end and loaded at the same point.
fn described_from(dimension: usize, shift: [f64; 2]) -> Mechanism {
    let mut section = Section::principal(900.0, [400.0, 300.0], [1.0, 2.0], 0.8, 3.0, [0.1, 0.2, 0.25]);
    section.mass_offset = [-shift[0], -shift[1]];
    section.elastic_offset = section.mass_offset;
    let mut mechanism = empty(dimension);
    let curve = Curve::straight(v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), None).unwrap();
    let mut rod = rod_of(&curve, section, 6, 2);
    rod.reference = std::sync::Arc::new(move |s| {
        let pose = curve.pose(s);
        Pose { position: pose.point(v(shift[0], shift[1], 0.0)), ..pose }
    });
    mechanism.rods.push(rod);
    mechanism.supports.push(clamp(end(0, 0)));
    mechanism.bodies.push(body("tip", 0.0, [0.0; 3], v(1.0, 0.0, 0.0)));
    mechanism.joints.push(joint([Frame::Body(0), end(0, 6)], v(1.0, 0.0, 0.0), JointKind::Rigid));
    let (out, twist) = if dimension == 3 { (0.7, 0.3) } else { (0.0, 0.0) };
    mechanism.loads.push(dead_load(Frame::Body(0), [-0.3, 1.2, out], [twist, 0.0, 0.4]));
    mechanism.gravity = v(0.2, -0.5, 0.1);
    mechanism
}

#[test]
fn an_axis_beside_the_centres_describes_the_same_rod() {
    for (dimension, shift) in [(2, [0.07, 0.0]), (3, [0.07, -0.04])] {
        let [own, beside] = [[0.0; 2], shift].map(|shift| state(&described_from(dimension, shift)));
        let tip = |at: &State| at.assembly.bodies[0].pose(&at.assembly.layout, &at.q);
        let (a, b) = (tip(&own), tip(&beside));
        let turned = (a.orientation.conjugate() * b.orientation).rotation_vector().norm();
        let moved = (a.position - b.position).norm();
        println!("{dimension}D {moved:.1e} {turned:.1e}");
        assert!((a.position - v(1.0, 0.0, 0.0)).norm() > 0.1, "the load deforms: {:?}", a.position);
        assert!(moved < 1e-9 && turned < 1e-9, "{dimension}D: {moved:e} {turned:e}");
    }
}
