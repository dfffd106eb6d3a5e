//! Rigid bodies that spin: D1, the heavy top, and D2, the free body.

use std::f64::consts::FRAC_PI_3;

use lariat::discretisation::stepping::velocity_of;
use lariat::geometry::{Pose, Quaternion};
use lariat::mechanism::{Frame, JointKind, Mechanism};
use lariat::tasks::simulation::march::Marcher;
use nalgebra::Vector3;

use crate::marching::*;
use crate::mechanisms::*;

/// D1: m = 15, J about the mass centre, which is 1 m along body y from the tip of the top at the origin.
fn top(orientation: Quaternion, spin: Vector3<f64>) -> Mechanism {
    let mut mechanism = empty(3);
    mechanism.gravity = v(0.0, 0.0, -9.81);
    let arm = v(0.0, 1.0, 0.0);
    let mut top = body("top", 15.0, [0.234375, 0.46875, 0.234375], v(0.0, 0.0, 0.0));
    top.pose = Pose { position: orientation.rotate(arm), orientation };
    top.spin = spin;
    top.velocity = orientation.rotate(spin.cross(&arm));
    mechanism.bodies.push(top);
    let tip = joint("tip", [Frame::Ground, Frame::Body(0)], v(0.0, 0.0, 0.0), JointKind::Spherical);
    mechanism.joints.push(tip);
    mechanism
}

/// Angular velocity of the first body in its frame.
fn spin(marcher: &Marcher) -> Vector3<f64> {
    let (assembly, state) = (marcher.assembly(), marcher.state());
    let node = assembly.bodies[0].node;
    let v = velocity_of(&assembly.layout, node, &state.q, &state.momentum, &assembly.masses[node]);
    v.fixed_rows::<3>(3).into_owned()
}

/// Twice extrapolated: the scheme is symmetric in time, so its errors are even powers of the step.
fn limit(found: [Vector3<f64>; 3]) -> Vector3<f64> {
    let once = [richardson(found[0], found[1]), richardson(found[1], found[2])];
    once[1] + (once[1] - once[0]) / 15.0
}

/// D1: R₀ = I, Ω₀ = (0, 150, −4.61538); mass centre at t = 0.5, 1, 2 (15 digits).
#[test]
fn heavy_top() {
    let expected = [
        [-0.702468297056586, -0.021165184701923, -0.711400257651734],
        [0.173343964098386, 0.640088592070569, -0.748490791133581],
        [-0.150416822745642, -0.724165591636896, -0.673022269560444],
    ];
    let mechanism = top(Quaternion::IDENTITY, v(0.0, 150.0, -4.61538));
    let found =
        [2000, 4000, 8000].map(|steps| sampled(&mechanism, 2.0, steps, &[0.5, 1.0, 2.0], |marcher| centre(marcher, 0)));
    for (k, expected) in expected.into_iter().enumerate() {
        let at = [0, 1, 2].map(|refined| found[refined][k]);
        let errors = at.map(|x| (x - Vector3::from(expected)).norm());
        assert_second_order(&errors, 0.1);
        assert_near("mass centre", limit(at), expected, 1e-8);
    }
}

/// D1, steady precession at 60° with n = 150 about its axis: A cos θ p² − C n p + m g l = 0 has the slow root
/// p = 3.206973701704. The tilt stays and the axis goes round by p t.
#[test]
fn steady_precession() {
    let (n, p) = (150.0, 3.206973701704);
    // Turned about x by 30°, body y is 60° from the vertical.
    let orientation = Quaternion::from_rotation_vector(v(0.5 * FRAC_PI_3, 0.0, 0.0));
    let axis = orientation.rotate(v(0.0, 1.0, 0.0));
    let spin = v(0.0, 0.0, p) + axis * (n - p * FRAC_PI_3.cos());
    let mechanism = top(orientation, orientation.to_material(spin));
    let found = [250, 500, 1000].map(|steps| sampled(&mechanism, 0.5, steps, &[0.5], |marcher| centre(marcher, 0))[0]);
    let angle = 0.5 * p;
    let expected = v(-angle.sin(), angle.cos(), 0.0) * FRAC_PI_3.sin() + v(0.0, 0.0, 0.5);
    let errors = found.map(|x| (x - expected).norm());
    assert_second_order(&errors, 0.1);
    assert_near("mass centre", limit(found), expected.into(), 1e-7);
}

fn free_body() -> Mechanism {
    let mut mechanism = empty(3);
    let mut free = body("body", 1.0, [1.0, 2.0, 3.0], v(0.0, 0.0, 0.0));
    free.spin = v(1.0, 0.0, 1.0);
    mechanism.bodies.push(free);
    mechanism
}

/// D2, in closed form (cn, sn, dn with k² = 1/3): Ω at t = 1 and 10, the period, and the angular momentum in space.
#[test]
fn free_body_turns_as_elliptic_functions_say() {
    let expected = [
        [0.577802471812080, 0.816176637479811, 0.882015815510536],
        [-0.921069998444332, 0.389397044115332, 0.974400660583082],
    ];
    let found = [500, 1000, 2000].map(|steps| sampled(&free_body(), 10.0, steps, &[1.0, 10.0], spin));
    for (k, expected) in expected.into_iter().enumerate() {
        let at = [0, 1, 2].map(|refined| found[refined][k]);
        let errors = at.map(|x| (x - Vector3::from(expected)).norm());
        assert_second_order(&errors, 0.05);
        assert_near("angular velocity", limit(at), expected, 1e-8);
    }
    let period = 6.935_667_541_031_74;
    let round = [200, 400, 800].map(|steps| sampled(&free_body(), period, steps, &[period], spin)[0]);
    assert_near("angular velocity after a period", limit(round), [1.0, 0.0, 1.0], 1e-8);
}

/// D2: J Ω in space is (1, 0, 3) for ever.
#[test]
fn free_body_keeps_its_angular_momentum() {
    run(&free_body(), 100.0, 2000, |_, marcher| {
        assert_near("angular momentum", books(marcher).angular.into(), [1.0, 0.0, 3.0], 1e-12);
    });
}
