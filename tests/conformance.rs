//! What every axial law and every continuum must satisfy: hand-written derivatives against automatic ones at random
//! states, inverse laws, invariance under rigid motion, wave relations. New samples are tested without a new test.

#![allow(clippy::unwrap_used)]

use lariat::kernel::derivative::second_order;
use lariat::material::{AxialLaw, Law, LawSpec, MaterialSpec, SectionConstants, Shape};
use lariat::models::{Beam, Continuum, FlexibleString, Matrix, StrainError, Vector};
use lariat::scalar::Scalar;

/// Seeded pseudo-random numbers in [−1, 1] (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector<const D: usize>(&mut self) -> Vector<D> {
        Vector::from_fn(|_, _| self.next())
    }
}

#[test]
fn laws_are_consistent() {
    let mut random = Random(1);
    for law in Law::samples() {
        // Stress-free at rest, with stiffness EA.
        assert_eq!(law.force(3.0, 1.0), 0.0);
        assert!((law.tangent(3.0, 1.0) - 3.0).abs() < 1e-14);
        assert_eq!(law.energy(3.0, 1.0_f64), 0.0);
        for _ in 0..100 {
            let (ea, stretch) = (2.0 + random.next(), 1.5 + 1.3 * random.next());
            let (_, gradient, hessian) = second_order(|[nu]| law.energy(ea, nu), [stretch]);
            assert!((law.force(ea, stretch) - gradient[0]).abs() < 1e-12, "{law:?}");
            assert!((law.tangent(ea, stretch) - hessian[(0, 0)]).abs() < 1e-12, "{law:?}");
            assert!((law.stretch(ea, law.force(ea, stretch)) - stretch).abs() < 1e-12, "{law:?}");
        }
        // Deep compression keeps its digits.
        let force = law.force(1.0, 1e-5);
        assert!((law.stretch(1.0, force) / 1e-5 - 1.0).abs() < 1e-6, "{law:?}");
    }
}

fn section() -> SectionConstants {
    SectionConstants { axial: 3.0, shear: 2.0, bending: 0.7, mass: 1.3, rotary: 0.2 }
}

#[test]
fn beams_conform() {
    for law in Law::samples() {
        let beam = Beam::new(law, section(), [0.3, -9.81]);
        conform(&beam, |random| {
            let mut q: Vector<3> = random.vector();
            q[2] *= 3.0;
            // A gradient with positive axial strain in the frame at the angle θ.
            let (along, across) = (1.2 + 0.8 * random.next(), 0.5 * random.next());
            let (sin, cos) = q[2].sin_cos();
            (q, Vector::from([along * cos - across * sin, along * sin + across * cos, random.next()]))
        });
        invariant(&beam, |q, p, angle, shift| {
            let (sin, cos) = angle.sin_cos();
            let turn = |x: f64, y: f64| (cos * x - sin * y, sin * x + cos * y);
            let ((x, y), (px, py)) = (turn(q[0], q[1]), turn(p[0], p[1]));
            (Vector::from([x + shift[0], y + shift[1], q[2] + angle]), Vector::from([px, py, p[2]]))
        });
    }
}

#[test]
fn strings_conform() {
    for law in Law::samples() {
        let plane = FlexibleString::<2> { law, axial: 5.0, mass: 0.5, gravity: [0.0, -9.81] };
        conform(&plane, |random| (random.vector(), random.vector::<2>().normalize() * (1.5 + 0.4 * random.next())));
        let space = FlexibleString::<3> { law, axial: 5.0, mass: 0.5, gravity: [0.0, 0.0, -9.81] };
        conform(&space, |random| (random.vector(), random.vector::<3>().normalize() * (1.5 + 0.4 * random.next())));
        invariant(&space, |q, p, angle, shift| {
            let turn = nalgebra::Rotation3::from_euler_angles(angle, 0.3 * angle, -angle);
            (turn * q + shift, turn * p)
        });
    }
}

/// Derivatives, inverse law, waves and the combined evaluation, at random states.
fn conform<C: Continuum<D>, const D: usize>(model: &C, mut state: impl FnMut(&mut Random) -> (Vector<D>, Vector<D>)) {
    let mut random = Random(7);
    for _ in 0..200 {
        let (q, p) = state(&mut random);
        let tangent = model.tangent(&q, &p).unwrap();
        assert_eq!(model.stress(&q, &p).unwrap(), tangent.stress);
        // Exact derivatives along random directions (dq, dp): W, dW, d²W from one pass over the energy.
        for _ in 0..3 {
            let (dq, dp) = (random.vector::<D>(), random.vector::<D>());
            let (_, first, second) = second_order(
                |[e]| {
                    let along = |x: &Vector<D>, dx: &Vector<D>| std::array::from_fn(|i| e * dx[i] + x[i]);
                    model.energy(&along(&q, &dq), &along(&p, &dp))
                },
                [0.0],
            );
            let gradient = tangent.stress.n.dot(&dp) + tangent.stress.w_q.dot(&dq);
            let hessian = dp.dot(&(tangent.pp * dp)) + 2.0 * dp.dot(&(tangent.pq * dq)) + dq.dot(&(tangent.qq * dq));
            assert!((first[0] - gradient).abs() < 1e-11 * (1.0 + gradient.abs()), "{first} {gradient}");
            assert!((second[(0, 0)] - hessian).abs() < 1e-10 * (1.0 + hessian.abs()), "{second} {hessian}");
        }
        assert!((model.gradient(&q, &tangent.stress.n).unwrap() - p).amax() < 1e-11);
        let waves = model.waves(&q, &p).unwrap();
        let inertia = Matrix::<D>::from_diagonal(&model.inertia());
        let squares = Vector::<D>::from_fn(|k, _| waves.speeds[k].powi(2));
        let balance = tangent.pp * waves.modes - inertia * waves.modes * Matrix::from_diagonal(&squares);
        assert!(balance.amax() < 1e-10, "{balance}");
        assert!((waves.modes.transpose() * inertia * waves.modes - Matrix::identity()).amax() < 1e-12);
        // The combined evaluation is its parts.
        let v = random.vector();
        let at = model.characteristic(&q, &v, &tangent.stress.n).unwrap();
        assert!((at.p - p).amax() < 1e-11 && (at.w_q - tangent.stress.w_q).amax() < 1e-11);
        assert!((at.coupling - tangent.pq * v).amax() < 1e-10);
        assert!((at.waves.modes - waves.modes).amax() < 1e-10);
        assert!(at.waves.speeds.iter().zip(waves.speeds).all(|(a, b)| (a - b).abs() < 1e-10));
    }
}

/// The energy does not change under superposed rigid motions.
fn invariant<C: Continuum<3>>(
    model: &C,
    moved: impl Fn(&Vector<3>, &Vector<3>, f64, &Vector<3>) -> (Vector<3>, Vector<3>),
) {
    let mut random = Random(11);
    for _ in 0..50 {
        let q: Vector<3> = random.vector();
        let p = Vector::<3>::from([q[2].cos() * 1.3, q[2].sin() * 1.3, 0.4]);
        let (angle, shift) = (5.0 * random.next(), random.vector());
        let (q2, p2) = moved(&q, &p, angle, &shift);
        let before: f64 = model.energy(&q.into(), &p.into());
        let after: f64 = model.energy(&q2.into(), &p2.into());
        assert!((before - after).abs() < 1e-12, "{before} {after}");
    }
}

#[test]
fn impossible_states_are_errors() {
    let beam = Beam::new(Law::build(LawSpec::Logarithmic), section(), [0.0, 0.0]);
    let folded = beam.stress(&Vector::zeros(), &Vector::from([-0.1, 0.0, 0.0]));
    assert_eq!(folded, Err(StrainError::Collapsed { stretch: -0.1 }));
    let crushed = Beam::new(Law::build(LawSpec::Quadratic), section(), [0.0, 0.0])
        .gradient(&Vector::zeros(), &Vector::from([-6.0, 0.0, 0.0]));
    assert_eq!(crushed, Err(StrainError::Collapsed { stretch: -1.0 }));
    let string = FlexibleString::<2> { law: Law::build(LawSpec::Quadratic), axial: 1.0, mass: 1.0, gravity: [0.0; 2] };
    assert_eq!(string.gradient(&Vector::zeros(), &Vector::zeros()), Err(StrainError::Slack { tension: 0.0 }));
}

/// What a problem file says survives a round trip through its data types.
#[test]
fn specs_round_trip() {
    for (name, text) in lariat::problem::gallery() {
        let (spec, _) = lariat::problem::read(name, text, &[]).unwrap();
        let again: lariat::problem::ProblemSpec = toml::from_str(&toml::to_string(&spec).unwrap()).unwrap();
        assert_eq!(spec, again, "{name}");
    }
    let shape = Shape::Rectangle { width: 0.1, height: 0.2 };
    let made = SectionConstants::of_shape(&shape, &MaterialSpec { youngs: 1.0, poisson: 0.0, density: 1.0 });
    // A = 0.02, I = 0.1 · 0.2³/12.
    assert!((made.axial - 0.02).abs() < 1e-15 && (made.rotary - 0.1 * 0.008 / 12.0).abs() < 1e-18);
}

/// A law from outside the crate: neo-Hookean, N = EA (ν − ν⁻²)/3. Nothing but [`AxialLaw`] is needed.
#[derive(Debug, Clone, Copy)]
struct NeoHookean;

impl AxialLaw for NeoHookean {
    fn energy<T: Scalar>(&self, ea: f64, stretch: T) -> T {
        (stretch * stretch + stretch.lift(2.0) / stretch - 3.0) * (ea / 6.0)
    }
    fn force(&self, ea: f64, stretch: f64) -> f64 {
        ea / 3.0 * (stretch - stretch.powi(-2))
    }
    fn tangent(&self, ea: f64, stretch: f64) -> f64 {
        ea / 3.0 * (1.0 + 2.0 * stretch.powi(-3))
    }
    fn stretch(&self, ea: f64, force: f64) -> f64 {
        // Newton on the convex branch; converges from the linear guess.
        let mut stretch = (1.0 + force / ea).max(0.1);
        for _ in 0..50 {
            stretch -= (self.force(ea, stretch) - force) / self.tangent(ea, stretch);
        }
        stretch
    }
}

/// A rod hanging under its own weight with qL/EA = 0.5: final length 1.3496481839617 (computed independently).
#[test]
fn a_new_law_works_in_every_model() {
    use lariat::discretisation::march::{Cut, EndData, march};
    let string = FlexibleString::<2, NeoHookean> { law: NeoHookean, axial: 1.0, mass: 0.5, gravity: [0.0, -1.0] };
    conform(&string, |random| (random.vector(), random.vector::<2>().normalize() * (1.5 + 0.4 * random.next())));
    conform(&Beam::new(NeoHookean, section(), [0.0, 0.0]), |random| {
        let q: Vector<3> = random.vector();
        let along = 1.2 + 0.5 * random.next();
        (q, Vector::from([along * q[2].cos(), along * q[2].sin(), random.next()]))
    });
    // Marched upwards from a lower end that carries a trifle, so that the direction is defined.
    let lengths = [200, 400].map(|elements| {
        let n = Vector::<2>::from([0.0, -1e-9]);
        let data = EndData { dt: f64::INFINITY, q: vec![Vector::zeros()], v: vec![Vector::zeros()], n: vec![n] };
        let cut = Cut { length: 1.0, elements, substeps: 1, direction: -1.0 };
        let mut top = 0.0;
        march(&string, &data, cut, None, &mut |_, layer| {
            top = layer.q[1][0];
            true
        })
        .unwrap();
        top
    });
    let errors = lengths.map(|length| (length - 1.3496481839617_f64).abs());
    assert!(errors[1] < 2e-6, "{lengths:?}");
    assert!((errors[0] / errors[1]).log2() > 1.9, "{errors:?}");
}
