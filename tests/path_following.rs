//! Equilibria of a rod followed along its loading path.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use lariat::discretisation::variational::{Chain, StaticSystem};
use lariat::material::{Law, LawSpec, SectionConstants};
use lariat::models::{Beam, Side, Vector};
use lariat::nlp::{FollowedSystem, ParametricSystem, SquareSystem};
use lariat::solver::linear::SparseLu;
use lariat::solver::{ArcLengthOptions, Newton, NewtonOptions, PathEnd, PointKind, Reuse, Status, follow};

const ELEMENTS: usize = 20;
const CLAMP: [(Side, usize, f64); 3] = [(Side::Start, 0, 0.0), (Side::Start, 1, 0.0), (Side::Start, 2, 0.0)];
const REACTIONS: [(Side, usize); 3] = [(Side::Start, 0), (Side::Start, 1), (Side::Start, 2)];

fn beam() -> Beam {
    let section = SectionConstants { axial: 100.0, shear: 50.0, bending: 1.0, mass: 1.0, rotary: 1e-3 };
    Beam::new(Law::build(LawSpec::Quadratic), section, [0.3, -0.5])
}

/// A cantilever of unit length under its weight and a tip force so large that it bends by more than a right angle.
fn cantilever(rod: &Beam) -> (StaticSystem<'_, Beam, 3>, Vec<f64>) {
    let chain = Chain::new(rod, 1.0, ELEMENTS, [Vector::zeros(); 2], [Vector::zeros(); 2]);
    let loads = [Vector::from([0.1, 0.2, 0.3]), Vector::from([-4.0, 3.0, 0.5])];
    let system = StaticSystem::new(chain, loads, &CLAMP, &REACTIONS);
    let node = |i: usize| [i as f64 / ELEMENTS as f64, 0.0, 0.0];
    let start = (0..=ELEMENTS).flat_map(node).chain([0.0; 3]).collect();
    (system, start)
}

fn newton(reuse: Reuse) -> Newton {
    Newton::new(Box::new(SparseLu::new()), NewtonOptions { reuse, ..NewtonOptions::default() })
}

/// The residual is affine in the load factor, so a difference quotient of any width is exact.
#[test]
fn the_derivative_by_the_load_factor_is_exact() {
    let rod = beam();
    let (mut system, x) = cantilever(&rod);
    let mut at = |parameter: f64| {
        system.set_parameter(parameter);
        let mut out = vec![0.0; x.len()];
        system.residual(&x, &mut out).unwrap();
        out
    };
    let (low, high) = (at(0.0), at(2.0));
    let mut found = vec![f64::NAN; x.len()];
    system.parameter_derivative(&x, &mut found).unwrap();
    assert!(found.iter().any(|derivative| derivative.abs() > 1.0));
    for ((low, high), found) in low.iter().zip(&high).zip(&found) {
        assert!((0.5 * (high - low) - found).abs() < 1e-12, "{found}");
    }
}

#[test]
fn the_loading_path_of_a_cantilever_leads_to_equilibrium() {
    let rod = beam();
    let (mut system, start) = cantilever(&rod);
    let options = ArcLengthOptions { range: [0.0, 1.0], targets: vec![0.25, 0.5], ..ArcLengthOptions::default() };
    let path = follow(&mut newton(Reuse::Never), &mut system, &start, 0.0, &options, &mut |_| true).unwrap();
    assert_eq!(path.end, PathEnd::Range { name: "load factor".into(), bound: 1.0 });
    let tip = |x: &[f64]| [x[3 * ELEMENTS], x[3 * ELEMENTS + 1], x[3 * ELEMENTS + 2]];
    assert!(tip(&path.points.last().unwrap().x)[2] > 1.6, "{:?}", tip(&path.points.last().unwrap().x));
    // Loading in small increments passes through the same equilibria, with new factors each time or with old ones.
    const INCREMENTS: u32 = 80;
    let mut load = |reuse: Reuse| {
        let mut newton = newton(reuse);
        let (mut before, mut x, mut factorisations) = (start.clone(), start.clone(), 0);
        for k in 1..=INCREMENTS {
            let parameter = f64::from(k) / f64::from(INCREMENTS);
            system.set_parameter(parameter);
            let guess: Vec<f64> = x.iter().zip(&before).map(|(x, before)| 2.0 * x - before).collect();
            let solution = newton.solve(&mut system, &guess, &mut |_| true).unwrap();
            assert_eq!(solution.status, Status::Solved, "{k}: {:?}", solution.message);
            factorisations += solution.iterations.iter().filter(|record| record.factorised).count();
            before = std::mem::replace(&mut x, solution.x);
            for point in path.points.iter().filter(|point| point.parameter == parameter) {
                let error = point.x.iter().zip(&x).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(error < 1e-9, "{parameter}: {error:.1e}");
            }
        }
        factorisations
    };
    let (full, few) = (load(Reuse::Never), load(Reuse::while_fast()));
    assert!(2 * few <= full, "{few} of {full}");
    assert_eq!(path.of_kind(PointKind::Target).count(), 2);
}
