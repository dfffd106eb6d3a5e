//! Revolute and rigid joints between rods, bodies and the ground.

use lariat::mechanism::{Frame, JointKind, Mechanism};
use nalgebra::Vector3;

use crate::marching::*;
use crate::mechanisms::*;
use crate::pendulums::gap;

/// A body of 2 kg whose mass centre is 0.7 m from a pivot about z, in gravity along −y.
fn compound_pendulum(dimension: usize, inertia: [f64; 3]) -> Mechanism {
    let mut mechanism = empty(dimension);
    mechanism.gravity = v(0.0, -9.81, 0.0);
    mechanism.bodies.push(body("body", 2.0, inertia, v(0.7, 0.0, 0.0)));
    let pivot = JointKind::Revolute(v(0.0, 0.0, 1.0));
    mechanism.joints.push(joint("pivot", [Frame::Ground, Frame::Body(0)], v(0.0, 0.0, 0.0), pivot));
    mechanism
}

/// In space with the axis e_z a pendulum moves as in the plane. Without inertia about z the equations of a step are the
/// same; with it J (θ₁ − θ₀)/h in the plane is J sin(θ₁ − θ₀)/h in space, and only the limit is the same.
#[test]
fn plane_pendulum_in_space() {
    let motion = |dimension, inertia, steps| {
        let mechanism = compound_pendulum(dimension, inertia);
        sampled(&mechanism, 2.0, steps, &[2.0], |marcher| {
            assert!(gap(marcher) < 1e-10);
            centre(marcher, 0)
        })[0]
    };
    let same = [2, 3].map(|dimension| motion(dimension, [0.1, 0.2, 0.0], 400));
    assert_near("without inertia about the axis", same[0], same[1].into(), 1e-10);
    let apart = [400, 800].map(|steps| [2, 3].map(|dimension| motion(dimension, [0.1, 0.2, 0.3], steps)));
    assert_second_order(&apart.map(|[plane, space]| (plane - space).norm()), 0.1);
    let limits = [0, 1].map(|k| richardson(apart[0][k], apart[1][k]));
    assert_near("limit", limits[0], limits[1].into(), 1e-7);
}

/// A rod hinged to the ground and to a body with revolute joints about these axes.
fn rod_and_body(dimension: usize, axes: [Vector3<f64>; 2]) -> Mechanism {
    let mut mechanism = empty(dimension);
    mechanism.gravity = v(0.0, -9.81, 0.0);
    mechanism.rods.push(straight(v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), round_rubber(0.03), 6, 1));
    mechanism.bodies.push(body("body", 1.5, [0.01, 0.02, 0.0], v(1.3, 0.0, 0.0)));
    let [first, second] = axes.map(|axis| JointKind::Revolute(axis.normalize()));
    mechanism.joints.push(joint("hinge", [Frame::Ground, end(0, 0)], v(0.0, 0.0, 0.0), first));
    mechanism.joints.push(joint("wrist", [end(0, 6), Frame::Body(0)], v(1.0, 0.0, 0.0), second));
    mechanism
}

/// With both axes along z the mechanism moves as in the plane, up to the rotary inertia of the rod.
#[test]
fn hinged_rod_carries_a_hinged_body() {
    let z = v(0.0, 0.0, 1.0);
    let see = |dimension, steps| {
        sampled(&rod_and_body(dimension, [z, z]), 1.0, steps, &[0.5, 1.0], |marcher| {
            assert!(gap(marcher) < 1e-10);
            [tip(marcher, 0), centre(marcher, 0)]
        })
    };
    let apart = [500, 1000].map(|steps| {
        let pairs = see(2, steps).into_iter().flatten().zip(see(3, steps).into_iter().flatten());
        pairs.map(|(plane, space)| (plane - space).norm()).fold(0.0, f64::max)
    });
    assert!(apart[1] < 1e-5, "{apart:?}");
    assert_second_order(&apart, 0.2);
}

/// Axes askew: the motion leaves the plane, joints hold at every step and energy is kept with second order.
#[test]
fn skew_axes_hold_in_space() {
    let errors = [500, 1000, 2000].map(|steps| {
        let (mut worst, mut aside) = (0.0_f64, 0.0_f64);
        let mechanism = rod_and_body(3, [v(0.3, 0.2, 1.0), v(0.0, 1.0, 1.0)]);
        run(&mechanism, 1.0, steps, |step, marcher| {
            assert!(gap(marcher) < 1e-10, "joints open by {:.1e} in step {step}", gap(marcher));
            // All mass centres begin at y = 0, so that the energy is 0.
            worst = worst.max(energy(marcher).abs());
            aside = aside.max(centre(marcher, 0)[2].abs());
        });
        assert!(aside > 0.1, "moved aside by {aside} m");
        worst
    });
    assert_second_order(&errors, 0.3);
}

/// A body on the free end of a bar, μ = m/ρAL = 1: ω = x c/L with x tan x = 1/μ, x = 0.86033358901938 (B1).
#[test]
fn body_joined_rigidly_to_a_bar() {
    let x = 0.86033358901938;
    let section = square_rubber(0.02);
    let speed = (section.stiffness[(2, 2)] / section.mass).sqrt();
    let expected = x * speed;
    for dimension in [2, 3] {
        let mut mechanism = empty(dimension);
        let rod = straight(v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), section, 4, 3);
        mechanism.rods.push(moving(rod, move |s| [(x * s).sin(), 0.0, 0.0, 0.0, 0.0, 0.0]));
        let mut mass = body("mass", section.mass, [0.0; 3], v(1.0, 0.0, 0.0));
        mass.velocity = v(x.sin(), 0.0, 0.0);
        mechanism.bodies.push(mass);
        mechanism.joints.push(joint("weld", [end(0, 4), Frame::Body(0)], v(1.0, 0.0, 0.0), JointKind::Rigid));
        mechanism.supports.push(clamp(end(0, 0)));
        let found = [30, 60, 120].map(|steps| {
            let instants = [0.01, 0.02, 0.03];
            let u = sampled(&mechanism, 0.03, steps, &instants, |marcher| centre(marcher, 0)[0] - 1.0);
            // u(t + T) + u(t − T) = 2 cos ωT u(t).
            ((u[0] + u[2]) / (2.0 * u[1])).acos() / 0.01
        });
        assert_second_order(&found.map(|omega| (omega - expected).abs()), 0.1);
        let limit = found[2] + (found[2] - found[1]) / 3.0;
        assert!((limit / expected - 1.0).abs() < 1e-6, "{limit} against {expected} rad/s");
    }
}

/// Two masses joined rigidly to the tip beside it are one body by Steiner's theorem. The node of all of them stands at
/// the first body, which makes a difference of second order in the step and none in the limit.
#[test]
fn bodies_share_the_node_they_are_joined_to() {
    let swing = |bodies: &[(f64, [f64; 3], [f64; 3])], steps| {
        let mut mechanism = swinging_rod(3, 0.03, 4, 2);
        for (k, (mass, inertia, at)) in bodies.iter().enumerate() {
            mechanism.bodies.push(body(&format!("mass {k}"), *mass, *inertia, Vector3::from(*at)));
            mechanism.joints.push(joint("weld", [end(0, 4), Frame::Body(k)], v(1.0, 0.0, 0.0), JointKind::Rigid));
        }
        sampled(&mechanism, 1.0, steps, &[1.0], |marcher| tip(marcher, 0))[0]
    };
    // Two of 1 kg at (1.1, 0.2, ±0.3): together 2 kg at (1.1, 0.2, 0) with 2 · 0.3² more about x and y.
    let two = [(1.0, [0.01, 0.02, 0.03], [1.1, 0.2, 0.3]), (1.0, [0.02, 0.01, 0.0], [1.1, 0.2, -0.3])];
    let one = [(2.0, [0.03 + 0.18, 0.03 + 0.18, 0.03], [1.1, 0.2, 0.0])];
    let apart = [400, 800].map(|steps| (swing(&two, steps) - swing(&one, steps)).norm());
    assert!(apart[1] < 3e-5, "{apart:?}");
    assert_second_order(&apart, 0.1);
}
