//! The forward simulation against closed forms, a published benchmark and its own invariants.

use lariat::discretisation::TimeGrid;
use lariat::discretisation::variational::{Chain, element};
use lariat::material::{Law, LawSpec, SectionConstants};
use lariat::models::{Beam, FlexibleString, Vector};
use lariat::tasks::{EndDrive, Silent, State, simulate};

fn beam(axial: f64, shear: f64, bending: f64, mass: f64, rotary: f64) -> Beam {
    let section = SectionConstants { axial, shear, bending, mass, rotary };
    Beam::new(Law::build(LawSpec::Quadratic), section, [0.0, 0.0])
}

fn straight(elements: usize, from: [f64; 2], to: [f64; 2]) -> State<3> {
    let angle = (to[1] - from[1]).atan2(to[0] - from[0]);
    let node = |i: usize| {
        let u = i as f64 / elements as f64;
        Vector::from([from[0] + u * (to[0] - from[0]), from[1] + u * (to[1] - from[1]), angle])
    };
    State { q: (0..=elements).map(node).collect(), v: vec![Vector::zeros(); elements + 1] }
}

/// Planar flying spaghetti (Simo and Vu-Quoc 1986): loaded end at t = 2 and t = 5, values recomputed independently on
/// several meshes, certified to 3e-5 and 3e-4. After the load the momentum is (20, 0) and the energy about 90.207.
#[test]
fn flying_spaghetti() {
    let rod = beam(1e4, 1e4, 500.0, 1.0, 10.0);
    let elements = 40;
    let chain = Chain::new(&rod, 10.0, elements, [Vector::zeros(); 2], [Vector::zeros(); 2]);
    let grid = TimeGrid::new(0.0, 5.0, 2000);
    let mut ends = Vec::new();
    let mut last = [Vec::new(), Vec::new()];
    let mut force = |t: f64| {
        let load = if t <= 2.5 { Vector::from([8.0, 0.0, -80.0]) } else { Vector::zeros() };
        [load, Vector::zeros()]
    };
    let drive = EndDrive { force: &mut force, held: [[false; 3]; 2] };
    let count = simulate(&chain, grid, straight(elements, [6.0, 0.0], [0.0, 8.0]), drive, &mut Silent, &mut |k, q| {
        ends.push((q[0], q[elements]));
        if k + 1 >= grid.steps {
            last[k + 1 - grid.steps] = q.to_vec();
        }
    })
    .unwrap();
    assert_eq!(count.halved, 0);
    let near = |found: Vector<3>, x: f64, y: f64, tolerance: f64| {
        assert!((found[0] - x).abs() < tolerance && (found[1] - y).abs() < tolerance, "{found} against ({x}, {y})");
    };
    near(ends[800].0, 4.40787, -0.79348, 4e-3);
    near(ends[800].1, 3.22662, 8.71076, 4e-3);
    near(ends[2000].0, 5.6201, 4.7642, 2e-2);
    near(ends[2000].1, 15.4082, 4.2644, 2e-2);
    // Momentum at the last half step: M (q⁺ − q)/h.
    let momentum: Vector<3> =
        (0..=elements).map(|i| chain.mass[i].component_mul(&((last[1][i] - last[0][i]) / grid.dt))).sum();
    assert!((momentum[0] - 20.0).abs() < 1e-7 && momentum[1].abs() < 1e-7, "{momentum}");
    let kinetic: f64 = (0..=elements)
        .map(|i| {
            let v = (last[1][i] - last[0][i]) / grid.dt;
            0.5 * v.component_mul(&v).dot(&chain.mass[i])
        })
        .sum();
    let middle: Vec<Vector<3>> = last[0].iter().zip(&last[1]).map(|(a, b)| (a + b) * 0.5).collect();
    let energy = kinetic + chain.strain_energy(&middle);
    assert!((energy / 90.207 - 1.0).abs() < 5e-3, "{energy}");
}

/// An axial pulse F(t) at the free end of a bar travels at c = √(EA/ρA) and shifts each point by ∫F dt/√(EA ρA)
/// (d'Alembert); second order in the grid.
#[test]
fn axial_waves_follow_dalembert() {
    let errors = [100, 200].map(|elements| {
        let rod = beam(100.0, 100.0, 1.0, 1.0, 0.01);
        let chain = Chain::new(&rod, 1.0, elements, [Vector::zeros(); 2], [Vector::zeros(); 2]);
        // A small smooth pulse of 0.04 s; at t = 0.07 it has entered and not yet reached the other end.
        let pulse = |t: f64| if t < 0.04 { 1e-3 * (std::f64::consts::PI * t / 0.04).sin().powi(4) } else { 0.0 };
        let mut force = |t: f64| [Vector::from([pulse(t), 0.0, 0.0]), Vector::zeros()];
        let mut found = 0.0;
        let grid = TimeGrid::new(0.0, 0.07, 7 * elements / 5);
        let drive = EndDrive { force: &mut force, held: [[false; 3]; 2] };
        simulate(&chain, grid, straight(elements, [0.0, 0.0], [1.0, 0.0]), drive, &mut Silent, &mut |k, q| {
            if k == grid.steps {
                // The pulse has passed s = 0.25 entirely.
                found = q[elements / 4][0] - 0.25;
            }
        })
        .unwrap();
        // ∫ sin⁴ over half a period of length 0.04 is 0.04 · 3/8; impedance √(EA ρA) = 10.
        (found - 1e-3 * 0.04 * 0.375 / 10.0).abs() / 1.5e-6
    });
    assert!(errors[1] < 2e-3, "{errors:?}");
    assert!((errors[0] / errors[1]).log2() > 1.8, "{errors:?}");
}

/// A pendulum on a nearly inextensible, nearly massless string: small swings have the period 2π√(L/g).
#[test]
fn a_small_pendulum_keeps_its_period() {
    let law = Law::build(LawSpec::Quadratic);
    let string = FlexibleString::<2> { law, axial: 1e5, mass: 1e-4, gravity: [0.0, -9.81] };
    let payload = Vector::from([1.0, 1.0]);
    let weight = Vector::from([0.0, -9.81]);
    let chain = Chain::new(&string, 1.0, 1, [Vector::zeros(), payload], [Vector::zeros(), weight]);
    let stretched = 1.0 + 9.81 / 1e5;
    let angle: f64 = 0.01;
    let state = State {
        q: vec![Vector::zeros(), Vector::from([stretched * angle.sin(), -stretched * angle.cos()])],
        v: vec![Vector::zeros(); 2],
    };
    let period = 2.0 * std::f64::consts::PI * (1.0_f64 / 9.81).sqrt();
    let grid = TimeGrid::new(0.0, period, 4000);
    let mut end = Vector::zeros();
    let mut force = |_: f64| [Vector::zeros(), Vector::zeros()];
    let drive = EndDrive { force: &mut force, held: [[true, true], [false, false]] };
    simulate(&chain, grid, state, drive, &mut Silent, &mut |_, q| end = q[1]).unwrap();
    assert!((end[0] / (stretched * angle.sin()) - 1.0).abs() < 1e-3, "{end}");
}

/// The element's tangent is the derivative of its forces (central differences, step 1e-6: about 1e-9 is attainable).
#[test]
fn element_tangent_is_the_derivative_of_its_forces() {
    let rod = beam(3.0, 2.0, 0.5, 1.0, 1.0);
    let (left, right) = (Vector::from([0.1, -0.2, 0.3]), Vector::from([0.35, -0.05, 0.7]));
    let exact = element::tangent(&rod, 0.25, &left, &right).unwrap();
    assert_eq!(exact.forces, element::forces(&rod, 0.25, &left, &right).unwrap());
    for c in 0..3 {
        let mut step = Vector::<3>::zeros();
        step[c] = 1e-6;
        let difference = |a: [Vector<3>; 2], b: [Vector<3>; 2]| {
            let (a, b) = (
                element::forces(&rod, 0.25, &a[0], &a[1]).unwrap(),
                element::forces(&rod, 0.25, &b[0], &b[1]).unwrap(),
            );
            ((a.left - b.left) / 2e-6, (a.right - b.right) / 2e-6)
        };
        let (ll, rl) = difference([left + step, right], [left - step, right]);
        let (lr, rr) = difference([left, right + step], [left, right - step]);
        let error = (ll - exact.ll.column(c)).amax()
            + (rl - exact.lr.transpose().column(c)).amax()
            + (lr - exact.lr.column(c)).amax()
            + (rr - exact.rr.column(c)).amax();
        assert!(error < 1e-7, "{error:.1e}");
    }
}

/// Midpoint elements do not lock: tip deflection of a slender cantilever under a small tip force, F L³/3EI + F L/GA, for
/// every number of elements (up to 1/(4n²) of the bending part, the exact value of the scheme).
#[test]
fn elements_do_not_lock() {
    use lariat::discretisation::variational::StaticSystem;
    use lariat::models::Side;
    use lariat::solver::linear::SparseLu;
    use lariat::solver::{Newton, NewtonOptions, Status};
    let rod = beam(1e7, 1e7, 1.0, 1.0, 1.0);
    for elements in [1, 2, 4, 16] {
        let chain = Chain::new(&rod, 1.0, elements, [Vector::zeros(); 2], [Vector::zeros(); 2]);
        let clamp = [(Side::Start, 0, 0.0), (Side::Start, 1, 0.0), (Side::Start, 2, 0.0)];
        let reactions = [(Side::Start, 0), (Side::Start, 1), (Side::Start, 2)];
        let force = 1e-4;
        let mut system =
            StaticSystem::new(chain, [Vector::zeros(), Vector::from([0.0, force, 0.0])], &clamp, &reactions);
        let mut start: Vec<f64> =
            straight(elements, [0.0, 0.0], [1.0, 0.0]).q.iter().flat_map(|q| [q[0], q[1], q[2]]).collect();
        start.extend([0.0; 3]);
        let mut newton = Newton::new(Box::new(SparseLu::new()), NewtonOptions::default());
        let solution = newton.solve(&mut system, &start, &mut |_| true).unwrap();
        assert_eq!(solution.status, Status::Solved);
        let tip = solution.x[3 * elements + 1];
        let n = elements as f64;
        let expected = force * (1.0 / 3.0 - 1.0 / (12.0 * n * n) + 1e-7);
        assert!((tip / expected - 1.0).abs() < 1e-5, "{elements} elements: {tip:.6e} against {expected:.6e}");
        // The clamp carries force and moment.
        let reaction = system.forces(&solution.x);
        assert!((reaction[1] + force).abs() < 1e-12 && (reaction[2] + force).abs() < 1e-8, "{reaction:?}");
    }
}
