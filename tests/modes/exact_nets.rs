//! Nets by exact dynamic stiffness against finite elements, and what their frequencies must not depend on.

use lariat::material::Section;
use lariat::mechanism::{Frame, JointKind, Mechanism, RodKind};
use lariat::tasks::{Configuration, ModesSpec, Silent, modes};
use nalgebra::Vector3;

use crate::nets::Net;
use crate::solve::*;
use crate::structures::*;

/// Numbers in (0, 1) from a seed: xorshift of Marsaglia.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    fn one_of(&mut self, count: usize) -> usize {
        ((self.next() * count as f64) as usize).min(count - 1)
    }

    fn section(&mut self) -> Section {
        let i = [self.between(0.5, 2.0), self.between(0.5, 2.0)];
        let rotary = [1e-3 * i[0], 1e-3 * i[1], 1e-3 * (i[0] + i[1])];
        let shear = [self.between(300.0, 900.0), self.between(300.0, 900.0)];
        Section::principal(self.between(1e3, 3e3), shear, i, self.between(0.3, 1.5), self.between(0.5, 2.0), rotary)
    }
}

/// A tree of three to five rods with loops, joined rigidly or by hinges, with bodies beside the junctions and in the middle
/// of rods, free or held.
fn random_net(dimension: usize, seed: u64, mesh: [usize; 2]) -> Mechanism {
    let mut chance = Chance(0x9e37_79b9_7f4a_7c15 ^ (seed + 1).wrapping_mul(0x2545_f491_4f6c_dd1d));
    (0..8).for_each(|_| _ = chance.next());
    let mut net = Net::new(mesh);
    net.mechanism.dimension = dimension;
    let depth = if dimension == 2 { 0.0 } else { 1.0 };
    let count = 3 + chance.one_of(3);
    let mut points: Vec<Vector3<f64>> = Vec::new();
    for k in 0..count {
        let jitter = v(chance.between(-0.4, 0.4), chance.between(-0.4, 0.4), depth * chance.between(-0.4, 0.4));
        points.push(v(k as f64 % 2.0, (k / 2) as f64, depth * (k % 3) as f64 * 0.5) + jitter);
    }
    let mut ends: Vec<Vec<Frame>> = vec![Vec::new(); count];
    let chords = (1..count).map(|k| (k, k - 1)).chain((count > 3).then_some((count - 1, 0)));
    for (rod, (a, b)) in chords.enumerate() {
        let section = chance.section();
        net.rod(points[a], points[b], section);
        ends[a].push(net.start(rod));
        ends[b].push(net.finish(rod));
        if chance.next() < 0.3 {
            let middle = (points[a] + points[b]) * 0.5;
            let index = net.mechanism.bodies.len();
            net.mechanism.bodies.push(body("weight", chance.between(0.1, 1.0), [0.01, 0.02, 0.02], middle));
            net.join(Frame::Body(index), end(rod, mesh[0] / 2));
        }
    }
    for (point, mut frames) in points.into_iter().zip(ends) {
        if chance.next() < 0.4 {
            let index = net.mechanism.bodies.len();
            let beside = point + v(chance.between(-0.1, 0.1), 0.05, 0.07 * depth);
            net.mechanism.bodies.push(body("block", chance.between(0.1, 2.0), [0.02, 0.03, 0.04], beside));
            frames.insert(0, Frame::Body(index));
        }
        for frame in &frames[1..] {
            let axis = v(chance.next(), chance.next() - 0.5, 1.0).normalize();
            let kind = match chance.one_of(6) {
                0 => JointKind::Spherical,
                1 if dimension == 3 => JointKind::Revolute(axis),
                _ => JointKind::Rigid,
            };
            net.mechanism.joints.push(joint([frames[0], *frame], point, kind));
        }
        match chance.one_of(5) {
            0 => net.mechanism.supports.push(clamp(frames[0])),
            1 => net.mechanism.supports.push(hinge(frames[0])),
            2 => net.mechanism.supports.push(roller(frames[0], [false, true, false])),
            _ => {}
        }
    }
    net.mechanism
}

/// Two unrelated methods agree: the difference is the error of the elements, and zero modes are as many. Elements cannot
/// treat nets in which conditions of joints and supports repeat each other; there are few of these.
#[test]
fn random_nets_agree_with_elements() {
    let mut compared = 0;
    for seed in 0..24 {
        let dimension = 2 + (seed % 2) as usize;
        let found = exact_frequencies(&random_net(dimension, seed, [2, 1]), 14);
        let fine = system(&random_net(dimension, seed, [10, 5]));
        let report = modes::run(&fine, &ModesSpec { count: 14, ..ModesSpec::default() }, &mut Silent).report;
        if report.status == "singular" {
            println!("{seed}: {:?}", report.message);
            continue;
        }
        let wanted: Vec<f64> = (1..=14).map(|k| report.scalars[&format!("modes.{k}.omega")]).collect();
        println!("{seed}: {:.1e}, {} zeros", worst(&found, &wanted), found.iter().filter(|w| **w == 0.0).count());
        assert_close(&found, &wanted, 1e-7, &format!("net {seed}"));
        compared += 1;
    }
    assert!(compared >= 20, "{compared}");
}

/// Members cut by junctions that carry nothing but a speck of dust vibrate as before.
#[test]
fn cuts_change_nothing() {
    for seed in [1, 2, 7, 12] {
        let dimension = 2 + (seed % 2) as usize;
        let whole = random_net(dimension, seed, [6, 1]);
        let mut cut = whole.clone();
        for rod in 0..whole.rods.len() {
            for boundary in [1, 2, 5] {
                let index = cut.bodies.len();
                let place = (whole.rods[rod].reference)(whole.rods[rod].length * boundary as f64 / 6.0).position;
                cut.bodies.push(body("dust", 1e-30, [0.0; 3], place));
                cut.joints.push(joint([Frame::Body(index), end(rod, boundary)], place, JointKind::Rigid));
            }
        }
        let (found, wanted) = (exact_frequencies(&cut, 16), exact_frequencies(&whole, 16));
        println!("{seed}: {:.1e}", worst(&found, &wanted));
        assert_close(&found, &wanted, 1e-12, &format!("net {seed}"));
    }
}

/// A hub with equal arms that are clamped at their far ends.
fn star(dimension: usize, arms: usize, mesh: [usize; 2]) -> Mechanism {
    let mut net = Net::new(mesh);
    net.mechanism.dimension = dimension;
    for arm in 0..arms {
        let angle = std::f64::consts::TAU * arm as f64 / arms as f64;
        let tip = v(angle.cos(), angle.sin(), 0.0);
        net.rod(Vector3::zeros(), tip, rectangle(0.05, 0.1, 210e9, 0.3, 7850.0, 5.0 / 6.0));
        net.mechanism.supports.push(clamp(net.finish(arm)));
        if arm > 0 {
            net.join(net.start(0), net.start(arm));
        }
    }
    net.mechanism
}

/// Symmetry makes modes coincide, and in some the hub rests: these have the frequencies of an arm that is clamped at both
/// ends, 3131.3328728543 rad/s (section B1), as often as arms can pull at the hub without moving it.
#[test]
fn coincident_modes_and_modes_with_resting_nodes() {
    for (dimension, arms, resting) in [(2, 4, 1), (2, 5, 2), (3, 6, 3)] {
        let found = exact_frequencies(&star(dimension, arms, [1, 1]), 24);
        let wanted = frequencies(&star(dimension, arms, [8, 5]), 24);
        assert_close(&found, &wanted, 1e-7, &format!("{arms} arms"));
        let at = found.iter().filter(|omega| (*omega / 3131.3328728543 - 1.0).abs() < 1e-12).count();
        assert_eq!(at, resting, "{arms} arms: {found:?}");
        let pairs = found.windows(2).filter(|pair| pair[1] / pair[0] - 1.0 < 1e-13).count();
        assert!(pairs > 4, "{found:?}");
    }
}

/// A rod between two clamps beside another net vibrates on its own; in its second modes only one section in the middle turns,
/// which leaves a row of D with nothing but a zero. Frequencies are those of the rod alone (here doubled, since it is round).
#[test]
fn modes_of_a_single_unknown() {
    let mut alone = Net::new([2, 1]);
    alone.rod(v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), crate::nets::steel(0.02));
    alone.mechanism.supports.extend([clamp(alone.start(0)), clamp(alone.finish(0))]);
    for count in 2..12 {
        let found = exact_frequencies(&alone.mechanism, count);
        let slender = [4.730040744862704, 4.730040744862704, 7.853204624095838, 7.853204624095838];
        for (omega, beta) in found.iter().zip(slender) {
            let without_shear = beta * beta * 0.01 * (210e9_f64 / 7850.0).sqrt();
            assert!((0.97..1.0).contains(&(omega / without_shear)), "{omega} {without_shear}");
        }
        let mut both = star(3, 3, [1, 1]);
        both.rods.extend(alone.mechanism.rods.clone());
        both.supports.extend([clamp(end(3, 0)), clamp(end(3, 2))]);
        let own = exact_frequencies(&star(3, 3, [1, 1]), count);
        let mut wanted = together(&[&own, &found]);
        wanted.truncate(count);
        assert_close(&exact_frequencies(&both, count), &wanted, 1e-12, "side by side");
    }
}

/// A four-bar linkage of parallel hinges in space, whose conditions repeat each other, is a mechanism with one motion.
#[test]
fn a_closed_loop_of_parallel_hinges() {
    let mut net = Net::new([1, 1]);
    let points = [v(0.0, 0.0, 0.0), v(0.0, 1.0, 0.0), v(1.0, 1.2, 0.0), v(1.0, 0.0, 0.0)];
    for pair in points.windows(2) {
        net.rod(pair[0], pair[1], crate::nets::steel(0.01));
    }
    let frames = [Frame::Ground, net.start(0), net.finish(0), net.start(1), net.finish(1), net.start(2), net.finish(2)];
    let hinge = JointKind::Revolute(v(0.0, 0.0, 1.0));
    for (pair, at) in [[0, 1], [2, 3], [4, 5], [6, 0]].into_iter().zip(points) {
        net.mechanism.joints.push(joint(pair.map(|k| frames[k]), at, hinge));
    }
    let found = exact_frequencies(&net.mechanism, 3);
    assert!(found[0] == 0.0 && found[1] > 1.0, "{found:?}");
    // In the plane the conditions are independent and elements know the answer; those modes are among the ones in space.
    let mut plane = net.mechanism.clone();
    plane.dimension = 2;
    plane.rods.iter_mut().for_each(|rod| (rod.elements, rod.order) = (8, 5));
    let moved = |frame: Frame| match frame {
        Frame::Section { rod, boundary: 1 } => end(rod, 8),
        other => other,
    };
    plane.joints.iter_mut().for_each(|joint| joint.between = joint.between.map(moved));
    let (plane, space) = (frequencies(&plane, 4), exact_frequencies(&net.mechanism, 14));
    for wanted in &plane[1..] {
        assert!(space.iter().any(|omega| (omega / wanted - 1.0).abs() < 1e-7), "{wanted} is not among {space:?}");
    }
    assert_eq!(plane[0], 0.0);
}

/// Shapes along rods with their rotations are those of fine elements, and the scale is the same.
#[test]
fn shapes_agree_with_elements() {
    for seed in [3, 4] {
        let dimension = 2 + (seed % 2) as usize;
        let by_exact = outcome(&random_net(dimension, seed, [2, 1]), &exact(8));
        let by_elements = outcome(&random_net(dimension, seed, [10, 5]), &ModesSpec { count: 8, ..Default::default() });
        let mut compared = 0;
        for (a, b) in by_exact.modes.iter().zip(&by_elements.modes) {
            if a.imaginary == 0.0 {
                continue;
            }
            for (a, b) in a.rods.iter().zip(&b.rods) {
                for (i, s) in a.s.iter().enumerate() {
                    let Some(j) = b.s.iter().position(|other| (other - s).abs() < 1e-9) else { continue };
                    let difference = |x: [f64; 3], y: [f64; 3]| (Vector3::from(x) - Vector3::from(y)).norm();
                    assert!(difference(a.rest[i], b.rest[j]) < 1e-9);
                    // Largest displacements sampled at other places scale a little differently, and by either sign.
                    let sign = if difference(a.shape[i], b.shape[j]) < 0.3 { 1.0 } else { -1.0 };
                    let off = difference(a.shape[i], b.shape[j].map(|u| sign * u));
                    assert!(off < 2e-2, "net {seed}, mode {}: {off}", a.rod);
                    assert!(difference(a.turn[i], b.turn[j].map(|u| sign * u)) < 0.1);
                    compared += 1;
                }
            }
        }
        assert!(compared > 40, "{compared}");
    }
}

/// Everything that has no exact members is refused by name.
#[test]
fn refusals() {
    let base = || cantilever(2, round(100.0, 50.0, 1.0, 1.0, 1.0, 0.01), 4, 1);
    let refused = |mechanism: Mechanism, spec: &ModesSpec| {
        let report = modes::run(&system(&mechanism), spec, &mut Silent).report;
        (report.status, report.message.unwrap_or_default())
    };
    let assert_refused = |mechanism: Mechanism, why: &str| {
        let (status, message) = refused(mechanism, &exact(3));
        assert_eq!(status, "not-applicable", "{why}");
        assert!(message.contains(why) && message.contains("\"elements\""), "{message}");
    };
    let mut string = base();
    string.rods[0].kind = RodKind::String;
    assert_refused(string, "rod `rod` is a string");
    let mut tapered = base();
    tapered.rods[0].section = std::sync::Arc::new(|s| round(100.0 - s, 50.0, 1.0, 1.0, 1.0, 0.01));
    assert_refused(tapered, "rod `rod` has a section that changes along it");
    let mut damped = base();
    let section = round(100.0, 50.0, 1.0, 1.0, 1.0, 0.01).with_damping_time(0.1);
    damped.rods[0].section = std::sync::Arc::new(move |_| section);
    assert_refused(damped.clone(), "rod `rod` is damped");
    assert_eq!(refused(damped, &ModesSpec { damped: Some(false), ..exact(3) }).0, "solved");
    let mut offset = base();
    let section = Section { mass_offset: [0.1, 0.0], ..round(100.0, 50.0, 1.0, 1.0, 1.0, 0.01) };
    offset.rods[0].section = std::sync::Arc::new(move |_| section);
    assert_refused(offset, "rod `rod` has its mass or elastic centre beside its axis");
    let mut loaded = base();
    loaded.gravity = v(0.0, -9.81, 0.0);
    loaded.loads.push(dead_load(end(0, 4), [1.0, 0.0, 0.0], [0.0; 3]));
    assert_refused(loaded.clone(), "gravity loads the mechanism, load `load` loads the mechanism");
    let about_reference = ModesSpec { about: Configuration::Reference, ..exact(3) };
    assert_eq!(refused(loaded, &about_reference).0, "solved");
    let mut bodies = empty(2);
    bodies.bodies.push(body("alone", 1.0, [1.0; 3], v(0.0, 0.0, 0.0)));
    assert_refused(bodies, "the mechanism has no rod");
}

/// A hinged portal of rods that do not shear is the limit of beams that hardly do: the difference falls with the shear
/// compliance, to first order.
#[test]
fn rods_without_shear_are_a_limit() {
    let portal = |kind: RodKind, shear: f64| {
        let mut net = Net::new([2, 1]);
        net.mechanism.dimension = 2;
        let section = round(2e5, shear, 3.0, 1.0, 0.7, 0.002);
        let points = [v(0.0, 0.0, 0.0), v(0.1, 1.0, 0.0), v(1.2, 1.1, 0.0), v(1.0, 0.0, 0.0)];
        points.windows(2).for_each(|pair| net.rod(pair[0], pair[1], section));
        net.mechanism.rods.iter_mut().for_each(|rod| rod.kind = kind);
        net.join(net.finish(0), net.start(1));
        net.mechanism.joints.push(joint([net.finish(1), net.start(2)], points[2], JointKind::Spherical));
        net.mechanism.supports.extend([clamp(net.start(0)), hinge(net.finish(2))]);
        exact_frequencies(&net.mechanism, 10)
    };
    let limit = portal(RodKind::Kirchhoff, 1.0);
    let [near, nearer] = [1e7, 1e8].map(|shear| worst(&portal(RodKind::Cosserat, shear), &limit));
    println!("{near:.1e} {nearer:.1e}");
    assert!(near < 1e-4 && (near / nearer / 10.0 - 1.0).abs() < 0.01, "{near} {nearer}");
}
