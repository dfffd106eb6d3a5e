//! Lagrangian and forces of mechanisms at random states against mechanics done with numbers.

use lariat::discretisation::transcription::multibody::Multibody;
use lariat::discretisation::transcription::{At, Mechanics};
use lariat::geometry::Quaternion;
use lariat::material::Section;
use lariat::mechanism::{Component, DrivePlace, Frame, JointKind, LoadPart, RodKind, Spring, SpringPlace};
use lariat::nlp::Nlp;
use lariat::nlp::graph::{Expr, Graph};
use nalgebra::{Matrix3, Vector3};

use crate::parts::{body, coupling, drive, empty, joint, rod, still, v};

/// Expressions of a system at numbers.
fn evaluate(body: &Multibody, state: [&[f64]; 3], of: impl for<'g> Fn(&At<'g>) -> Vec<Expr<'g>>) -> Vec<f64> {
    let graph = Graph::new();
    let list = |values: &[f64]| -> Vec<Expr<'_>> {
        values.iter().map(|x| graph.variable("x", *x, f64::NEG_INFINITY, f64::INFINITY)).collect()
    };
    let (q, v, u) = (list(state[0]), list(state[1]), list(state[2]));
    let at = At { graph: &graph, q, v, u, t: graph.constant(0.0) };
    assert_eq!(at.q.len(), body.coordinates().len());
    let found = of(&at);
    found.iter().for_each(|value| graph.subject_to("value", *value, 0.0, 0.0));
    let mut values = vec![0.0; found.len()];
    graph.build().constraints(&state.concat(), &mut values).unwrap();
    values
}

pub fn constraints(body: &Multibody, q: &[f64]) -> Vec<f64> {
    let zeros = vec![0.0; q.len()];
    let controls = vec![0.0; body.controls().len()];
    evaluate(body, [q, &zeros, &controls], |at| body.constraints(at).into_iter().map(|(_, g)| g).collect())
}

fn forces(body: &Multibody, q: &[f64], v: &[f64], u: &[f64]) -> Vec<f64> {
    evaluate(body, [q, v, u], |at| body.forces(at))
}

fn lagrangian(body: &Multibody, q: &[f64], v: &[f64]) -> f64 {
    let controls = vec![0.0; body.controls().len()];
    evaluate(body, [q, v, &controls], |at| vec![body.lagrangian(at)])[0]
}

/// A state of one free body: position, orientation, velocity, angular velocity in the body.
struct State {
    x: Vector3<f64>,
    p: Quaternion,
    v: Vector3<f64>,
    w: Vector3<f64>,
}

impl State {
    fn sample(seed: f64) -> Self {
        let wave = |k: f64| (seed * 1.7 + k * 2.3).sin();
        Self {
            x: v(wave(1.0), wave(2.0), wave(3.0)),
            p: Quaternion::new(wave(4.0), wave(5.0), wave(6.0), wave(7.0)).normalised(),
            v: v(wave(8.0), wave(9.0), wave(10.0)),
            w: v(wave(11.0), wave(12.0), wave(13.0)),
        }
    }

    fn q(&self) -> Vec<f64> {
        self.x.iter().copied().chain(self.p.to_array()).collect()
    }

    /// ṗ = ½ p ∘ (0; Ω).
    fn rates(&self) -> Vec<f64> {
        let turning = self.p * Quaternion { re: 0.0, im: self.w * 0.5 };
        self.v.iter().copied().chain(turning.to_array()).collect()
    }

    /// Place and velocity of a point of the body.
    fn point(&self, offset: Vector3<f64>) -> [Vector3<f64>; 2] {
        [self.x + self.p.rotate(offset), self.v + self.p.rotate(self.w.cross(&offset))]
    }
}

fn power(forces: &[f64], rates: &[f64]) -> f64 {
    forces.iter().zip(rates).map(|(a, b)| a * b).sum()
}

/// Kinetic and potential energy of two bodies that are one, each with its own velocity.
#[test]
fn energies_of_joined_bodies_are_those_of_their_masses() {
    let gravity = v(0.3, -0.2, -9.0);
    let mut mechanism = empty(3, gravity);
    let turned = Quaternion::from_rotation_vector(v(0.2, 0.7, -0.3));
    mechanism.bodies.push(body("a", 2.0, [1.0, 2.0, 2.5], v(0.1, 0.2, 0.3), Quaternion::IDENTITY));
    mechanism.bodies.push(body("b", 1.5, [0.5, 0.6, 0.7], v(0.6, -0.4, 0.1), turned));
    mechanism.joints.push(joint("j", [Frame::Body(0), Frame::Body(1)], v(0.0, 0.0, 0.0), JointKind::Rigid));
    let made = Multibody::new(&mechanism, &[]).unwrap();
    let offset = v(0.5, -0.6, -0.2);
    for seed in 0..5 {
        let state = State::sample(f64::from(seed));
        let mut wanted = 0.0;
        for (i, at) in [Vector3::zeros(), offset].into_iter().enumerate() {
            let part = &mechanism.bodies[i];
            let own = if i == 0 { Quaternion::IDENTITY } else { turned };
            // Its angular velocity in its own frame.
            let w = own.to_material(state.w);
            let [place, velocity] = state.point(at);
            wanted += 0.5 * part.mass * velocity.norm_squared() + 0.5 * w.dot(&(part.inertia * w));
            wanted += part.mass * gravity.dot(&place);
        }
        let found = lagrangian(&made, &state.q(), &state.rates());
        assert!((found - wanted).abs() < 1e-13 * (1.0 + wanted.abs()), "{found} {wanted}");
    }
}

/// Forces and torques do the work F·v + τ·ω, whether they follow or not, at a mass centre or elsewhere.
#[test]
fn drives_and_loads_do_the_work_of_their_forces() {
    let mut mechanism = empty(3, Vector3::zeros());
    mechanism.bodies.push(body("a", 2.0, [1.0, 2.0, 2.5], v(0.1, 0.2, 0.3), Quaternion::IDENTITY));
    let turned = Quaternion::from_rotation_vector(v(0.2, 0.7, -0.3));
    mechanism.bodies.push(body("b", 1.5, [0.5, 0.6, 0.7], v(0.6, -0.4, 0.1), turned));
    mechanism.joints.push(joint("j", [Frame::Body(0), Frame::Body(1)], v(0.0, 0.0, 0.0), JointKind::Rigid));
    let offset = v(0.5, -0.6, -0.2);
    let all = [0, 1, 2].map(Component::Force).into_iter().chain([0, 1, 2].map(Component::Torque)).collect::<Vec<_>>();
    let place = DrivePlace::Frame(Frame::Body(1));
    mechanism.drives = vec![drive("d", place, &all, false), drive("f", place, &all, true)];
    let load = |follows| LoadPart {
        name: "l".into(),
        at: Frame::Body(1),
        force: still([1.0, -2.0, 0.5]),
        torque: still([0.3, 0.1, -0.7]),
        follows,
    };
    for loads in [vec![], vec![load(false)], vec![load(true)]] {
        mechanism.loads = loads;
        let made = Multibody::new(&mechanism, &[]).unwrap();
        for seed in 0..4 {
            let state = State::sample(f64::from(seed));
            let u: Vec<f64> = (0..12).map(|i| (f64::from(seed) + 1.3 * f64::from(i)).cos()).collect();
            let [_, velocity] = state.point(offset);
            let omega = state.p.rotate(state.w);
            let vector = |i: usize| v(u[i], u[i + 1], u[i + 2]);
            let axes = state.p * turned;
            let mut wanted = vector(0).dot(&velocity) + vector(3).dot(&omega);
            wanted += axes.rotate(vector(6)).dot(&velocity) + axes.rotate(vector(9)).dot(&omega);
            for load in &mechanism.loads {
                let turn = if load.follows { axes } else { Quaternion::IDENTITY };
                wanted += turn.rotate(v(1.0, -2.0, 0.5)).dot(&velocity) + turn.rotate(v(0.3, 0.1, -0.7)).dot(&omega);
            }
            let found = power(&forces(&made, &state.q(), &state.rates(), &u), &state.rates());
            assert!((found - wanted).abs() < 1e-13, "{found} {wanted}");
        }
    }
}

/// Springs and dampers between two bodies: energy ½ k (l − l₀)², power −c l̇².
#[test]
fn springs_store_and_dampers_take_energy() {
    let mut mechanism = empty(3, Vector3::zeros());
    mechanism.bodies.push(body("a", 2.0, [1.0, 2.0, 2.5], v(0.1, 0.2, 0.3), Quaternion::IDENTITY));
    mechanism.bodies.push(body("b", 1.5, [0.5, 0.6, 0.7], v(0.6, -0.4, 0.1), Quaternion::IDENTITY));
    let bare = Multibody::new(&mechanism, &[]).unwrap();
    let points = [v(0.3, 0.2, 0.3), v(0.6, -0.1, 0.4)];
    let offsets = [points[0] - v(0.1, 0.2, 0.3), points[1] - v(0.6, -0.4, 0.1)];
    let place = SpringPlace::Between([Frame::Body(0), Frame::Body(1)], points);
    mechanism.springs.push(Spring::linear("s", place, 3.0, 0.7));
    let made = Multibody::new(&mechanism, &[]).unwrap();
    let rest = (points[1] - points[0]).norm();
    for seed in 0..4 {
        let [a, b] = [0.0, 10.0].map(|shift| State::sample(f64::from(seed) + shift));
        let q = [a.q(), b.q()].concat();
        let rates = [a.rates(), b.rates()].concat();
        let [[xa, va], [xb, vb]] = [a.point(offsets[0]), b.point(offsets[1])];
        let length = (xb - xa).norm();
        let rate = (xb - xa).dot(&(vb - va)) / length;
        let stored = lagrangian(&bare, &q, &rates) - lagrangian(&made, &q, &rates);
        assert!((stored - 1.5 * (length - rest).powi(2)).abs() < 1e-13);
        let found = power(&forces(&made, &q, &rates, &[]), &rates);
        assert!((found + 0.7 * rate * rate).abs() < 1e-13, "{found}");
    }
}

/// Motors of joints: torque times relative spin about the axis, force times the rate of the way; quantities follow.
#[test]
fn motors_do_the_work_of_the_joint() {
    let axis = v(1.0, 2.0, -1.0).normalize();
    let mut mechanism = empty(3, Vector3::zeros());
    mechanism.bodies.push(body("a", 2.0, [1.0, 2.0, 2.5], v(0.1, 0.2, 0.3), Quaternion::IDENTITY));
    mechanism.bodies.push(body("b", 1.5, [0.5, 0.6, 0.7], v(0.6, -0.4, 0.1), Quaternion::IDENTITY));
    let at = v(0.4, 0.4, 0.4);
    mechanism.joints.push(coupling("c", [Frame::Body(0), Frame::Body(1)], [at, at], JointKind::Cylindrical(axis)));
    let place = DrivePlace::Joint(0);
    mechanism.drives = vec![drive("m", place, &[Component::AboutAxis, Component::AlongAxis], false)];
    let spring = |damping, stiffness| Spring {
        rest: Some(nalgebra::Vector6::ith(0, 0.1)),
        ..Spring::linear("s", SpringPlace::Joint(0), stiffness, damping)
    };
    mechanism.springs = vec![spring(0.5, 2.0)];
    let made = Multibody::new(&mechanism, &[]).unwrap();
    // A motion of the joint: b turns and slides against a, which moves as it likes.
    let (angle, way, spin, rate) = (0.7, 0.3, 1.1, -0.6);
    let a = State::sample(2.0);
    let turn = Quaternion::from_rotation_vector(axis * angle);
    let anchor = at - v(0.1, 0.2, 0.3);
    let place = |angle: f64, way: f64| {
        let turn = Quaternion::from_rotation_vector(axis * angle);
        anchor + axis * way + turn.rotate(v(0.6, -0.4, 0.1) - at)
    };
    let offset = place(angle, way);
    let step = 1e-6;
    let slope =
        (place(angle + spin * step, way + rate * step) - place(angle - spin * step, way - rate * step)) / (2.0 * step);
    let b = State {
        x: a.x + a.p.rotate(offset),
        p: a.p * turn,
        v: a.v + a.p.rotate(a.w.cross(&offset) + slope),
        w: turn.to_material(a.w) + axis * spin,
    };
    let (q, rates) = ([a.q(), b.q()].concat(), [a.rates(), b.rates()].concat());
    assert!(constraints(&made, &q).iter().all(|g| g.abs() < 1e-14));
    let names = made.quantity_names();
    let quantities = evaluate(&made, [&q, &rates, &[0.0, 0.0]], |at| made.quantity_values(at));
    let value = |name: &str| quantities[names.iter().position(|known| known == name).unwrap()];
    assert!((value("c.angle") - angle).abs() < 1e-14 && (value("c.position") - way).abs() < 1e-14);
    let without = power(&forces(&made, &q, &rates, &[0.0, 0.0]), &rates);
    // The spring acts on the way; its damper takes c ẋ². Differences of width 1e-6 leave 1e-10.
    assert!((without + 0.5 * rate * rate).abs() < 1e-9, "{without}");
    let driven = power(&forces(&made, &q, &rates, &[2.0, 3.0]), &rates) - without;
    assert!((driven - (2.0 * spin + 3.0 * rate)).abs() < 1e-9, "{driven}");
    let still = Multibody::new(
        &{
            mechanism.springs.clear();
            mechanism
        },
        &[],
    )
    .unwrap();
    let stored = lagrangian(&still, &q, &rates) - lagrangian(&made, &q, &rates);
    assert!((stored - (way - 0.1_f64).powi(2)).abs() < 1e-14);
}

/// A rod in space bent to an arc by a rigid motion: no strain energy; bent for itself, that of its curvature up to h².
#[test]
fn rods_in_space_store_the_energy_of_their_strains() {
    let section = Section::principal(50.0, [20.0, 30.0], [1.0, 2.0], 0.7, 1.0, [0.1, 0.2, 0.3]);
    let energy = |elements: usize, shape: &dyn Fn(f64) -> (Vector3<f64>, Quaternion)| {
        let mut mechanism = empty(3, Vector3::zeros());
        mechanism.rods.push(rod("r", Vector3::zeros(), 2.0, elements, section, RodKind::Cosserat));
        let made = Multibody::new(&mechanism, &[]).unwrap();
        let mut q = Vec::new();
        for node in 0..=elements {
            let (x, p) = shape(2.0 * node as f64 / elements as f64);
            q.extend(x.iter().copied().chain(p.to_array()));
        }
        -lagrangian(&made, &q, &vec![0.0; q.len()])
    };
    let directors = Quaternion::from_directors(&Matrix3::from_columns(&[Vector3::y(), Vector3::z(), Vector3::x()]));
    let turn = Quaternion::from_rotation_vector(v(0.4, -1.0, 2.0));
    let rigid = energy(3, &|s| (turn.rotate(Vector3::x() * s) + v(1.0, 2.0, 3.0), turn * directors));
    assert!(rigid.abs() < 1e-13, "{rigid:.1e}");
    // An arc of curvature κ about d₂ = z: energy ½ EI₂ κ² L. The curvature is exact, the chord of an element of angle φ is short by
    // φ²/24 of it: energies are exact up to fourth order in the element.
    let kappa = 0.8;
    let arc = |s: f64| {
        let angle = kappa * s;
        let x = v(angle.sin() / kappa, (1.0 - angle.cos()) / kappa, 0.0);
        (x, Quaternion::from_rotation_vector(Vector3::z() * angle) * directors)
    };
    let wanted = 0.5 * 2.0 * kappa * kappa * 2.0;
    let errors = [8, 16, 32].map(|elements| (energy(elements, &arc) - wanted).abs());
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((order - 4.0).abs() < 0.1, "{errors:?}");
    }
    // Twisted about d₃: ½ GJ τ² L.
    let twisted = |s: f64| (Vector3::x() * s, Quaternion::from_rotation_vector(Vector3::x() * (0.5 * s)) * directors);
    assert!((energy(4, &twisted) - 0.5 * 0.7 * 0.25 * 2.0).abs() < 1e-14);
}
