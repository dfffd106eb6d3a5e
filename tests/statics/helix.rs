//! Helices: a spring held in another shape, and a straight rod wound up by a moment.

use lariat::geometry::{Pose, Quaternion};
use lariat::mechanism::curve::{Curve, Helix};
use lariat::mechanism::{Mechanism, SupportPart};
use nalgebra::{Rotation3, Vector3};

use crate::solve::state;
use crate::structures::*;

/// A helix about the z axis that starts on the x axis, its directors at rest relative to the axis.
fn helix(radius: f64, angle: f64, length: f64) -> Curve {
    let turns = length * angle.cos() / (std::f64::consts::TAU * radius);
    let (from, axis) = (v(radius, 0.0, 0.0), v(0.0, 0.0, 1.0));
    let pitch = std::f64::consts::TAU * radius * angle.tan();
    let outward = Some(v(1.0, 0.0, 0.0));
    Curve::helix(&Helix { from, axis, outward, radius, pitch, turns }, None).unwrap()
}

/// A support that moves a frame from one pose to another.
fn moved(name: &str, boundary: usize, from: &Pose, to: &Pose) -> SupportPart {
    let turn = (to.orientation * from.orientation.conjugate()).rotation_vector();
    let (shift, turn) = (to.position - from.position, [turn[0], turn[1], turn[2]]);
    let displacement = constant([shift[0], shift[1], shift[2]]).map(Some);
    SupportPart { name: name.into(), at: end(0, boundary), displacement, rotation: Some(constant(turn)) }
}

/// Section A6: a helical rod of radius 1 and pitch angle 20°, B = 1, C = 2/3, held as a helix of radius 0.9 and 30° by a
/// force F = 0.130072691276 and a couple K = 0.010211967004 along its axis. Both ends are moved to the new helix; their
/// supports must bear that wrench, and every node in between must lie on the new helix.
#[test]
fn a_spring_is_held_by_an_axial_wrench() {
    let (elements, length) = (12, 6.0);
    let [natural, held] = [(1.0, 20.0_f64), (0.9, 30.0)].map(|(r, degrees)| helix(r, degrees.to_radians(), length));
    // Stretch and shear are of the order of F/EA = 1e-8.
    let section = round(1e7, 1e7, 1.0, 2.0 / 3.0, 1.0, 1.0);
    let mut mechanism = empty(3);
    mechanism.rods.push(rod_of(&natural, section, elements, 3));
    for (name, boundary, s) in [("start", 0, 0.0), ("end", elements, length)] {
        mechanism.supports.push(moved(name, boundary, &natural.pose(s), &held.pose(s)));
    }
    let at = state(&mechanism);
    let off = |(s, place): &(f64, lariat::discretisation::assembly::Attachment)| {
        (place.position(&at.assembly.layout, &at.q) - held.pose(*s).position).norm()
    };
    let worst = at.assembly.sections[0].iter().map(off).fold(0.0, f64::max);
    println!("off the helix by {worst:.1e}");
    assert!(worst < 1e-6, "off the helix by {worst:e}");
    let (force, couple) = (0.130072691276, 0.010211967004);
    for (name, s, sign) in [("start", 0.0, -1.0), ("end", length, 1.0)] {
        let reaction = |what: &str| ["x", "y", "z"].map(|axis| at.reaction(&format!("{name}.{what}_{axis}")));
        let (f, t) = (Vector3::from(reaction("force")) * sign, Vector3::from(reaction("torque")) * sign);
        // About the axis: the torque at the end of the rod plus that of the force there.
        let about_axis = t + held.pose(s).position.cross(&f);
        println!("{name}: {f:?} {about_axis:?}");
        assert!((f - v(0.0, 0.0, force)).norm() < 1e-6, "{name}: {f:?}");
        assert!((about_axis - v(0.0, 0.0, couple)).norm() < 1e-6, "{name}: {about_axis:?}");
    }
}

/// A straight rod along x of length L, bending stiffness B, torsional stiffness C, with a tip moment in the tip frame.
fn wound(length: f64, bending: f64, torsion: f64, moment: [f64; 3], elements: usize, order: usize) -> Mechanism {
    let mut mechanism = empty(3);
    let section = round(1e3, 1e3, bending, torsion, 1.0, 1.0);
    mechanism.rods.push(straight(v(0.0, 0.0, 0.0), v(length, 0.0, 0.0), section, elements, order));
    mechanism.supports.push(clamp(end(0, 0)));
    mechanism.loads.push(follower(end(0, elements), [0.0; 3], moment));
    mechanism
}

/// Section A6: R = 10, height 50, two turns: L = 135.24558048876, curvature κ = 0.086332350150239, torsion
/// τ = 0.034350550687877. For B = C the moment B (0, κ, τ) in the tip frame gives that helix: the moment is constant in
/// space only if it is parallel to the strain (0, κ, τ).
#[test]
fn a_moment_winds_a_straight_rod_into_a_helix() {
    let (length, curvature, torsion) = (135.24558048876, 0.086332350150239, 0.034350550687877);
    let errors = [8, 16, 32].map(|elements| {
        let at = state(&wound(length, 1.0, 1.0, [0.0, curvature, torsion], elements, 3));
        // From the first point, in the frame of the helix: the axis is along the constant moment.
        let axis = (v(0.0, 0.0, curvature) + v(torsion, 0.0, 0.0)).normalize();
        let climb = at.tip().dot(&axis);
        // After whole turns the tip is above the start.
        let across = (at.tip() - axis * climb).norm();
        (climb - 50.0).abs().max(across)
    });
    println!("{errors:?} {:?}", orders(&errors));
    assert!(errors[2] < 1e-5 && (orders(&errors)[1] - 6.0).abs() < 0.5, "{errors:?}");
}

/// For B ≠ C the tangent still precesses about the moment m, at the rate m/B, so that the curve is a helix of curvature
/// |m × d₃|/B and torsion m·d₃/B; the sections turn about it by M₃ (1/C − 1/B) per length besides.
#[test]
fn a_moment_winds_any_round_rod_into_a_helix() {
    let (length, bending, torsion) = (6.0, 1.0, 0.6);
    let moment = [0.4, 0.9, 0.7];
    let at = state(&wound(length, bending, torsion, moment, 24, 4));
    let start = (at.mechanism.rods[0].reference)(0.0).orientation;
    let turned = length * moment[2] * (1.0 / torsion - 1.0 / bending);
    let about_d3 = Quaternion::from_rotation_vector(v(0.0, 0.0, turned));
    let m = (start * about_d3).rotate(Vector3::from(moment));
    // ∫ exp(s m/B) d₃ ds: the part along m plus a circle across it.
    let (axis, rate) = (m.normalize(), m.norm() / bending);
    let d3 = v(1.0, 0.0, 0.0);
    let along = axis * axis.dot(&d3);
    let across = d3 - along;
    let angle = rate * length;
    let circle = (across * angle.sin() + axis.cross(&across) * (1.0 - angle.cos())) / rate;
    let wanted = along * length + circle;
    assert!((at.tip() - wanted).norm() < 1e-9, "{:?} instead of {wanted:?}", at.tip());
    let frame = Rotation3::from_scaled_axis(axis * angle).matrix() * (start * about_d3).matrix();
    let (_, tip) = at.assembly.sections[0].last().unwrap();
    let found = tip.pose(&at.assembly.layout, &at.q).orientation.matrix();
    assert!((found - frame).norm() < 1e-9, "{found} instead of {frame}");
}
