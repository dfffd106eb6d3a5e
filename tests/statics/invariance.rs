//! What must not depend on the frame of space or on the number of its dimensions.

use lariat::discretisation::assembly::{Assembly, Forces, GroundTravel, Instant, NodeKind, Order, build};
use lariat::geometry::{Pose, Quaternion};
use lariat::mechanism::curve::Curve;
use lariat::mechanism::{Frame, JointKind, Mechanism};
use nalgebra::Vector3;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::solve::state;
use crate::structures::*;

/// An arc, clamped; a straight rod hinged to it; a body at the end of that, hinged to the ground; weight and a load. All
/// of it moved by a rotation and a shift.
fn mechanism(turn: Quaternion, shift: Vector3<f64>, order: usize) -> Mechanism {
    let at = |x: f64, y: f64, z: f64| turn.rotate(v(x, y, z)) + shift;
    let along = |x: f64, y: f64, z: f64| turn.rotate(v(x, y, z));
    let mut mechanism = empty(3);
    let (from, centre) = (at(0.0, 0.0, 0.0), at(0.0, 1.0, 0.0));
    let arc = Curve::arc(from, along(1.0, 0.0, 0.0), centre, 1.1, Some(along(0.0, 0.2, 1.0))).unwrap();
    let corner = arc.pose(arc.length()).position;
    let foot = at(1.6, 0.9, 0.5);
    let link = Curve::straight(corner, foot, Some(along(0.0, 1.0, 0.0))).unwrap();
    let section = lariat::material::Section::principal(80.0, [30.0, 40.0], [1.0, 1.7], 0.8, 1.2, [0.1, 0.2, 0.3]);
    mechanism.rods.extend([rod_of(&arc, section, 3, order), rod_of(&link, section, 3, order)]);
    let mut weight = body("weight", 0.8, [0.02, 0.03, 0.04], at(1.7, 0.9, 0.5));
    weight.pose = Pose { orientation: turn * Quaternion::from_rotation_vector(v(0.3, 0.1, -0.4)), ..weight.pose };
    mechanism.bodies.push(weight);
    mechanism.joints.push(joint([end(0, 3), end(1, 0)], corner, JointKind::Revolute(along(0.6, 0.0, 0.8))));
    mechanism.joints.push(joint([end(1, 3), Frame::Body(0)], foot, JointKind::Rigid));
    mechanism.supports.push(clamp(end(0, 0)));
    mechanism.joints.push(joint([Frame::Ground, Frame::Body(0)], at(1.7, 1.0, 0.5), JointKind::Spherical));
    mechanism.gravity = along(0.1, -0.3, -0.9);
    mechanism.loads.push(dead_load(end(1, 1), along(0.5, 0.4, -0.7).into(), [0.0; 3]));
    mechanism.loads.push(follower(end(0, 2), [0.2, -0.1, 0.3], [0.1, 0.0, 0.2]));
    mechanism
}

/// Forces at the configuration that a displacement of all degrees of freedom leads to, loads included.
fn forces_at(assembly: &Assembly, moved: &[f64]) -> (Forces, Vec<f64>) {
    let mut q = assembly.reference.clone();
    assembly.layout.retract(&assembly.reference, moved, &mut q);
    let mut wrenches = Vec::new();
    assembly.wrenches(Instant { t: 0.0, factor: 1.0 }, &mut wrenches).unwrap();
    let mut out = assembly.forces();
    let loads = Some((wrenches.as_slice(), 1.0));
    assembly.evaluate(&q, Order::Hessian, |_| true, |_| None, &[], loads, &mut out).unwrap();
    let still = GroundTravel(Vector3::zeros());
    let of_joint = |joint: &lariat::discretisation::assembly::Constraint| {
        (0..joint.rows.len()).map(|row| joint.value(&assembly.layout, &q, &still, row)).collect::<Vec<_>>()
    };
    (out, assembly.constraints.iter().flat_map(of_joint).collect())
}

/// The position parts of a vector over all degrees of freedom turned; rotations are told in the frames of the nodes.
fn turned(assembly: &Assembly, turn: Quaternion, of: &[f64]) -> Vec<f64> {
    let mut out = of.to_vec();
    for node in 0..assembly.layout.nodes() {
        assert_eq!(assembly.layout.kind(node), NodeKind::SpaceFrame);
        let dof = assembly.layout.freedom(node);
        let part = turn.rotate(Vector3::from_column_slice(&of[dof..dof + 3]));
        out[dof..dof + 3].copy_from_slice(part.as_slice());
    }
    out
}

fn difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    /// Energies, forces and violations of joints turn with the mechanism, at configurations far from equilibrium.
    #[test]
    fn energies_and_forces_turn_with_the_mechanism(
        axis in prop::array::uniform3(-2.0..2.0f64),
        shift in prop::array::uniform3(-3.0..3.0f64),
        seed in prop::collection::vec(-0.2..0.2f64, 400),
        order in 1_usize..4,
    ) {
        let turn = Quaternion::from_rotation_vector(Vector3::from(axis));
        let own = build(&mechanism(Quaternion::IDENTITY, Vector3::zeros(), order));
        let other = build(&mechanism(turn, Vector3::from(shift), order));
        let moved = &seed[..own.layout.freedom_count()];
        let (f, g) = forces_at(&own, moved);
        let (f_other, g_other) = forces_at(&other, &turned(&other, turn, moved));
        let rest = [&own, &other].map(|assembly| {
            forces_at(assembly, &vec![0.0; assembly.layout.freedom_count()]).0.energy
        });
        let energies = [f.energy - rest[0], f_other.energy - rest[1]];
        prop_assert!((energies[0] - energies[1]).abs() < 1e-11 * energies[0].abs().max(1.0), "{energies:?}");
        let size = f.gradient.iter().fold(1.0_f64, |m, g| m.max(g.abs()));
        prop_assert!(difference(&turned(&own, turn, &f.gradient), &f_other.gradient) < 1e-12 * size);
        prop_assert!(difference(&turned(&own, turn, &f.other), &f_other.other) < 1e-12 * size);
        // Distances of a joint turn; the two angles of a revolute joint are measured across its axis in any two directions.
        for (rows, turns) in [(0..3, true), (3..5, false), (5..8, true)] {
            let (a, b) = (&g[rows.clone()], &g_other[rows]);
            if turns {
                let a = turn.rotate(Vector3::from_column_slice(a));
                prop_assert!(difference(a.as_slice(), b) < 1e-12);
            } else {
                prop_assert!((a[0].hypot(a[1]) - b[0].hypot(b[1])).abs() < 1e-12);
            }
        }
    }
}

/// The equilibrium of the moved mechanism is the moved equilibrium.
#[test]
fn equilibria_turn_with_the_mechanism() {
    let own = state(&mechanism(Quaternion::IDENTITY, Vector3::zeros(), 2));
    for axis in [v(0.0, 0.0, 3.0), v(-1.2, 0.4, 2.2), v(0.1, 1.5, -0.3)] {
        let (turn, shift) = (Quaternion::from_rotation_vector(axis), v(2.0, -1.0, 0.5));
        let other = state(&mechanism(turn, shift, 2));
        for (a, b) in own.assembly.sections.iter().flatten().zip(other.assembly.sections.iter().flatten()) {
            let wanted = turn.rotate(a.1.position(&own.assembly.layout, &own.q)) + shift;
            let found = b.1.position(&other.assembly.layout, &other.q);
            assert!((found - wanted).norm() < 1e-10, "{axis:?}, s = {}: {:e}", a.0, (found - wanted).norm());
        }
    }
}

/// A plane frame of two-node elements is the same in the plane and in space; elements of higher order interpolate
/// angles in the plane and quaternions in space, and agree only as they converge.
#[test]
fn plane_structures_are_the_same_in_space() {
    let mechanism = |dimension: usize| {
        let mut mechanism = empty(dimension);
        let section = round(2e3, 9e2, 1.0, 0.7, 1.0, 0.1);
        let centre = v(0.0, 1.0, 0.0);
        let arc = Curve::arc(v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), centre, 1.5, None).unwrap();
        let corner = arc.pose(arc.length()).position;
        mechanism.rods.push(rod_of(&arc, section, 7, 1));
        mechanism.rods.push(straight(corner, v(2.0, 0.5, 0.0), section, 5, 1));
        mechanism.joints.push(joint([end(0, 7), end(1, 0)], corner, JointKind::Rigid));
        mechanism.supports.extend([clamp(end(0, 0)), hinge(end(1, 5))]);
        mechanism.gravity = v(0.5, -2.0, 0.0);
        mechanism.loads.push(dead_load(end(1, 2), [1.0, -3.0, 0.0], [0.0, 0.0, 0.8]));
        mechanism
    };
    let [plane, space] = [2, 3].map(|dimension| state(&mechanism(dimension)));
    for (a, b) in plane.assembly.sections.iter().flatten().zip(space.assembly.sections.iter().flatten()) {
        let [a, b] = [(a, &plane), (b, &space)].map(|((_, at), of)| at.position(&of.assembly.layout, &of.q));
        assert!((a - b).norm() < 1e-12, "{:e}", (a - b).norm());
    }
}
