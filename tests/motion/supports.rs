//! Supports that move.

use lariat::kernel::Function;
use lariat::material::Section;
use lariat::mechanism::{Frame, JointKind, Mechanism, SupportPart};

use crate::marching::*;
use crate::mechanisms::*;

/// A base that moves by (x, 0, 0) and turns by (0, 0, turn).
fn base(x: Function, turn: [Function; 3]) -> SupportPart {
    let zero = || Some(Function::constant(0.0));
    SupportPart { name: "base".into(), at: end(0, 0), displacement: [Some(x), zero(), zero()], rotation: Some(turn) }
}

/// A bar whose base moves by a sin ωt: u = a cos k(L − x)/cos kL · sin ωt with k = ω/c, if it starts with these
/// velocities. The base is pulled with −EA u'(0) = −EA a k tan kL sin ωt.
#[test]
fn bar_on_a_shaken_base() {
    let section = square_rubber(0.02);
    let speed = (section.stiffness[(2, 2)] / section.mass).sqrt();
    let (a, omega, end) = (1e-3, 60.0, 0.1);
    let k = omega / speed;
    let mut mechanism = empty(2);
    let rod = straight(v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), section, 4, 4);
    mechanism.rods.push(moving(rod, move |s| [a * omega * (k * (1.0 - s)).cos() / k.cos(), 0.0, 0.0, 0.0, 0.0, 0.0]));
    mechanism.supports.push(base(of_time("1e-3*sin(60*t)"), constant([0.0; 3])));
    let expected = 1.0 + a / k.cos() * (omega * end).sin();
    let mut forces = Vec::new();
    let found = [100, 200, 400].map(|steps| {
        sampled(&mechanism, end, steps, &[end], |marcher| {
            (tip(marcher, 0)[0], marcher.support_force()[0], root(marcher, 0)[0])
        })[0]
    });
    for (steps, (_, force, base)) in [100.0, 200.0, 400.0].into_iter().zip(found) {
        assert!((base - a * (omega * end).sin()).abs() < 1e-15, "base at {base}");
        // The mean force about the beginning of the last step.
        let t = end * (1.0 - 1.0 / steps);
        forces.push((force + section.stiffness[(2, 2)] * a * k * k.tan() * (omega * t).sin()).abs());
    }
    assert_second_order(&found.map(|(tip, ..)| (tip - expected).abs()), 0.1);
    let limit = found[2].0 + (found[2].0 - found[1].0) / 3.0;
    assert!((limit - expected).abs() < 1e-6 * a, "{:.1e}", limit - expected);
    assert_second_order(&forces, 0.3);
}

/// The same for torsion in space, where finite angles are linear too: φ = a cos k(L − x)/cos kL · sin ωt.
#[test]
fn rod_on_a_turning_base() {
    let section = square_rubber(0.02);
    let speed = (section.stiffness[(5, 5)] / section.inertia[(2, 2)]).sqrt();
    let (a, omega, end) = (0.5, 30.0, 0.2);
    let k = omega / speed;
    let mut mechanism = empty(3);
    let rod = straight(v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), section, 4, 4);
    mechanism.rods.push(moving(rod, move |s| [0.0, 0.0, 0.0, 0.0, 0.0, a * omega * (k * (1.0 - s)).cos() / k.cos()]));
    let turn = [of_time("0.5*sin(30*t)"), of_time("0"), of_time("0")];
    mechanism.supports.push(base(Function::constant(0.0), turn));
    let expected = a / k.cos() * (omega * end).sin();
    let found = [200, 400, 800].map(|steps| {
        sampled(&mechanism, end, steps, &[end], |marcher| {
            let tip = &marcher.assembly().sections[0].last().unwrap().1;
            let d1 = tip.pose(&marcher.assembly().layout, &marcher.state().q).orientation.rotate(v(1.0, 0.0, 0.0));
            // d₁ is along y at the beginning and turns about x.
            d1[2].atan2(d1[1])
        })[0]
    });
    assert_second_order(&found.map(|angle| (angle - expected).abs()), 0.1);
    let limit = found[2] + (found[2] - found[1]) / 3.0;
    assert!((limit - expected).abs() < 1e-5, "{limit} against {expected}");
}

/// A rod turned about its base, smoothly within 5 s up to Ω = 5 rad/s and then steadily, is stretched to tan(kL)/k with
/// k² = ρA Ω²/EA = 1/4 (G, `g1_damping_materials_waves.csv`, has the formula). Damping ends the vibrations.
fn spin_up(dimension: usize) -> Mechanism {
    let mut mechanism = empty(dimension);
    let section = Section::principal(100.0, [50.0; 2], [10.0; 2], 8.0, 1.0, [1e-2, 1e-2, 2e-2]).with_damping_time(0.1);
    mechanism.rods.push(straight(v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), section, 3, 3));
    let angle = "if(t < 5, t^2/2 + (5/(2*pi))^2*(cos(2*pi*t/5) - 1), 5*t - 12.5)";
    mechanism.supports.push(base(Function::constant(0.0), [of_time("0"), of_time("0"), of_time(angle)]));
    mechanism
}

#[test]
fn spinning_rod_is_stretched() {
    let turned = 5.0 * 10.0 - 12.5_f64;
    let expected = v(turned.cos(), turned.sin(), 0.0) * (2.0 * 0.5_f64.tan());
    for dimension in [2, 3] {
        let found = [1000, 2000, 4000]
            .map(|steps| sampled(&spin_up(dimension), 10.0, steps, &[10.0], |marcher| tip(marcher, 0))[0]);
        let errors = found.map(|tip| (tip - expected).norm());
        assert_second_order(&errors, 0.1);
        assert_near(&format!("tip in {dimension}D"), richardson(found[1], found[2]), expected.into(), 1e-6);
    }
}

/// Two supports of one rigid part: a plank whose left end goes up and down by 0.1 sin 3t while its right end keeps its
/// height and slides.
#[test]
fn plank_on_two_supports() {
    let mut mechanism = empty(2);
    mechanism.bodies.push(body("left", 1.0, [0.0, 0.0, 0.1], v(0.0, 0.0, 0.0)));
    mechanism.bodies.push(body("right", 2.0, [0.0, 0.0, 0.1], v(1.0, 0.0, 0.0)));
    let plank = joint("plank", [Frame::Body(0), Frame::Body(1)], v(0.5, 0.0, 0.0), JointKind::Rigid);
    mechanism.joints.push(plank);
    let held =
        |k, displacement| SupportPart { name: "support".into(), at: Frame::Body(k), displacement, rotation: None };
    let (zero, lift) = (of_time("0"), of_time("0.1*sin(3*t)"));
    mechanism.supports.push(held(0, [Some(zero.clone()), Some(lift), None]));
    mechanism.supports.push(held(1, [None, Some(zero), None]));
    run(&mechanism, 2.0, 200, |_, marcher| {
        let y = 0.1 * (3.0 * marcher.state().t).sin();
        assert_near("left", centre(marcher, 0), [0.0, y, 0.0], 1e-10);
        assert_near("right", centre(marcher, 1), [(1.0 - y * y).sqrt(), 0.0, 0.0], 1e-10);
    });
}
