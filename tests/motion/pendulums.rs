//! D3: pendulums of unit masses on massless links of 1 m, g = 9.81.
//!
//! A link with the mass at its end is a rigid body whose mass centre is that end. Its inertia about the mass centre is
//! zero but for the axis of the link, about which nothing turns it: without it the equations would not determine that
//! rotation, and with it the positions are those of point masses, whatever its size.

use lariat::discretisation::assembly::GroundTravel;
use lariat::mechanism::{Frame, JointKind, Mechanism};
use lariat::tasks::simulation::march::Marcher;
use nalgebra::Vector3;

use crate::marching::*;
use crate::mechanisms::*;

/// Links along x from the origin, all turning with 1 rad/s about z.
fn chain(links: usize, about_link: f64) -> Mechanism {
    let mut mechanism = empty(3);
    mechanism.gravity = v(0.0, 0.0, -9.81);
    for link in 0..links {
        let x = link as f64;
        let mut mass = body(&format!("mass {link}"), 1.0, [about_link, 0.0, 0.0], v(x + 1.0, 0.0, 0.0));
        mass.velocity = v(0.0, x + 1.0, 0.0);
        mass.spin = v(0.0, 0.0, 1.0);
        mechanism.bodies.push(mass);
        let before = if link == 0 { Frame::Ground } else { Frame::Body(link - 1) };
        let name = format!("joint {link}");
        mechanism.joints.push(joint(&name, [before, Frame::Body(link)], v(x, 0.0, 0.0), JointKind::Spherical));
    }
    mechanism
}

/// Largest violation of all joints.
pub fn gap(marcher: &Marcher) -> f64 {
    let (assembly, still) = (marcher.assembly(), GroundTravel(Vector3::zeros()));
    let values = assembly.constraints.iter().flat_map(|joint| {
        let value = |row| joint.value(&assembly.layout, &marcher.state().q, &still, row);
        (0..joint.rows.len()).map(value)
    });
    values.fold(0.0, |worst: f64, value| worst.max(value.abs()))
}

/// Asserts the positions of all masses at the end: order 2, and `within` after extrapolating twice. Joints hold at every
/// step.
fn check(mechanism: &Mechanism, end: f64, steps: usize, expected: &[[f64; 3]], within: f64) {
    let found = [1, 2, 4].map(|refined| {
        let mut last = Vec::new();
        run(mechanism, end, refined * steps, |step, marcher| {
            assert!(gap(marcher) < 1e-10, "joints open by {:.1e} in step {step}", gap(marcher));
            last = (0..expected.len()).map(|mass| centre(marcher, mass)).collect();
        });
        last
    });
    for (mass, expected) in expected.iter().enumerate() {
        let errors = [0, 1, 2].map(|k: usize| (found[k][mass] - Vector3::from(*expected)).norm());
        let once = [0, 1].map(|k: usize| richardson(found[k][mass], found[k + 1][mass]));
        let limit = once[1] + (once[1] - once[0]) / 15.0;
        assert_second_order(&errors, 0.15);
        assert_near(&format!("mass {mass} at t = {end}"), limit, *expected, within);
    }
}

/// In the plane, from (−1, 0) at rest: closed form.
#[test]
fn simple_pendulum() {
    let mut mechanism = empty(2);
    mechanism.gravity = v(0.0, -9.81, 0.0);
    mechanism.bodies.push(body("mass", 1.0, [0.0; 3], v(-1.0, 0.0, 0.0)));
    mechanism.joints.push(joint("pivot", [Frame::Ground, Frame::Body(0)], v(0.0, 0.0, 0.0), JointKind::Spherical));
    check(&mechanism, 1.0, 200, &[[0.986291751131875, -0.165010853125541, 0.0]], 1e-9);
    check(&mechanism, 10.0, 2000, &[[-0.275087462576117, -0.961419205099125, 0.0]], 1e-9);
    // The period is 2.367_841_947_576_237_5: after five quarters of it, it passes the lowest point.
    check(&mechanism, 1.25 * 2.367_841_947_576_237_5, 500, &[[0.0, -1.0, 0.0]], 1e-9);
}

#[test]
fn spherical_pendulum() {
    check(&chain(1, 0.01), 1.0, 200, &[[-0.90612889042745, -0.394581468797061, -0.152433258886216]], 1e-9);
    check(&chain(1, 0.01), 10.0, 2000, &[[0.218611338000211, 0.046728350139106, -0.974692538286323]], 1e-9);
}

#[test]
fn double_pendulum() {
    let expected = [
        [-0.6669737142738805, -0.1058586306164025, -0.7375228910289546],
        [-1.4921697860537526, -0.277315008872503, -1.2757181655105938],
    ];
    check(&chain(2, 0.01), 1.0, 400, &expected, 1e-9);
}

#[test]
fn triple_pendulum() {
    let at_1 = [
        [-0.3135867574718014, 0.2343188540556446, -0.9201945556089618],
        [-0.6904821426283536, 0.4181373988544666, -1.8280274759394026],
        [-1.4246699586400917, 0.2831023463699615, -2.4934099114007235],
    ];
    check(&chain(3, 0.01), 1.0, 400, &at_1, 1e-9);
    let at_3 = [
        [0.1686869222379429, 0.7060168488081341, -0.6878116976795938],
        [0.49028848849825, 1.552_944_510_445_149, -1.1112334360596883],
        [0.823180218101806, 2.424054070462693, -1.4722753045564718],
    ];
    check(&chain(3, 0.01), 3.0, 2400, &at_3, 1e-9);
}

/// The inertia about the links does not matter.
#[test]
fn inertia_about_the_link_is_idle() {
    let [small, large] = [1e-4, 1.0].map(|about_link| {
        sampled(&chain(3, about_link), 1.0, 400, &[1.0], |marcher| [0, 1, 2].map(|mass| centre(marcher, mass)))
    });
    for (small, large) in small[0].iter().zip(&large[0]) {
        assert_near("mass", *small, (*large).into(), 1e-10);
    }
}
