//! Rules of quadrature: forces at the instants (MPS, GT) instead of between them (MP, MPT).

use lariat::discretisation::assembly::build;
use lariat::discretisation::stepping::Step;
use lariat::material::Section;
use lariat::mechanism::{Mechanism, Quadrature};
use lariat::nlp::SquareSystem;
use lariat::tasks::simulation::march::{StepFailure, initial_state};
use nalgebra::Vector3;

use crate::marching::*;
use crate::mechanisms::*;

/// A soft cantilever in gravity with a rule, damped or not.
fn cantilever(dimension: usize, quadrature: Quadrature, tau: f64) -> Mechanism {
    let mut mechanism = empty(dimension);
    mechanism.gravity = v(0.0, -9.81, 0.0);
    let section = Section::principal(40.0, [30.0, 25.0], [1.5, 1.0], 1.2, 0.4, [0.01, 0.01, 0.02]);
    let mut rod = straight(v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), section.with_damping_time(tau), 6, 1);
    rod.quadrature = quadrature;
    mechanism.rods.push(rod);
    mechanism.supports.push(clamp(end(0, 0)));
    mechanism
}

fn tips(mechanism: &Mechanism, steps: usize) -> Vec<Vector3<f64>> {
    sampled(mechanism, 2.0, steps, &[0.5, 1.0, 2.0], |marcher| tip(marcher, 0))
}

fn apart(a: &[Vector3<f64>], b: &[Vector3<f64>]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
}

/// With the same rule in space, rules in time differ with second order, in plane and space, damped or not.
#[test]
fn rules_agree_with_second_order() {
    for (dimension, at_instants, between) in [
        (2, Quadrature::MidpointInSpace, Quadrature::Midpoint),
        (2, Quadrature::Trapezoidal, Quadrature::MidpointInTime),
        (3, Quadrature::MidpointInSpace, Quadrature::Midpoint),
        (3, Quadrature::Trapezoidal, Quadrature::MidpointInTime),
    ] {
        for tau in [0.0, 0.02] {
            let differences = [800, 1600].map(|steps| {
                let [a, b] = [at_instants, between].map(|rule| tips(&cantilever(dimension, rule, tau), steps));
                apart(&a, &b)
            });
            assert!(differences[1] < 2e-4, "{at_instants:?}, τ = {tau}: {differences:?}");
            assert_second_order(&differences, 0.2);
        }
    }
}

/// Below a limit of the step that the fastest waves set, the energy error of the rules at the instants stays bounded for
/// 50 s; measured limits lie between 15 and 20 ms (MPS), 12 and 15 ms (GT). Beyond them the motion grows until a step
/// fails, in words. The sag is small here: waves of large ones would wander through all modes.
#[test]
fn rules_at_the_instants_are_stable_below_their_limit() {
    for rule in [Quadrature::MidpointInSpace, Quadrature::Trapezoidal] {
        let mut mechanism = cantilever(2, rule, 0.0);
        mechanism.gravity = v(0.0, -2.0, 0.0);
        let (mut first, mut last) = (0.0_f64, 0.0_f64);
        run(&mechanism, 50.0, 5000, |_, marcher| {
            let error = energy(marcher).abs();
            if marcher.state().t < 10.0 {
                first = first.max(error);
            }
            if marcher.state().t > 40.0 {
                last = last.max(error);
            }
        });
        assert!(first < 5e-5 && last < 1.2 * first, "{rule:?}: {first:.2e} J, then {last:.2e} J");

        for dimension in [2, 3] {
            let mechanism = Mechanism { gravity: mechanism.gravity, ..cantilever(dimension, rule, 0.0) };
            let assembly = build(&mechanism);
            let mut marcher = start(&mechanism, &assembly, 0.02);
            let failure = (0..100).find_map(|_| marcher.advance(0.02).err());
            let failed = matches!(failure, Some(StepFailure::NotConverged { .. }));
            assert!(failed, "{rule:?} in {dimension} dimensions: {failure:?}");
        }
    }
}

/// Damping acts on elements whose elastic forces act at the instants: the rod comes to rest.
#[test]
fn damping_acts_whatever_the_rule() {
    for rule in [Quadrature::Midpoint, Quadrature::MidpointInSpace] {
        let mut dissipated = 0.0;
        let mut books_at_end = None;
        run(&cantilever(2, rule, 0.1), 10.0, 4000, |step, marcher| {
            if step > 0 {
                dissipated += marcher.dissipated();
            }
            books_at_end = Some(books(marcher));
        });
        let end = books_at_end.unwrap();
        assert!(end.kinetic < 1e-3, "{rule:?}: {} J still moves", end.kinetic);
        let lost = -(end.kinetic + end.strain + end.gravity);
        assert!((lost / dissipated - 1.0).abs() < 1e-3, "{rule:?}: {lost} J lost, {dissipated} J dissipated");
    }
}

/// What a step keeps of one evaluation for the next must not change what either of them finds, whatever their order, and
/// must not outlive the step.
#[test]
fn evaluations_do_not_depend_on_those_before() {
    for dimension in [2, 3] {
        for rule in [Quadrature::Midpoint, Quadrature::MidpointInSpace] {
            let mechanism = cantilever(dimension, rule, 0.02);
            let assembly = build(&mechanism);
            let state = initial_state(&mechanism, &assembly, assembly.reference.clone(), 0.0).unwrap();
            let step_of = |h: f64| {
                let mut step = Step::new(&assembly, state.clone(), h);
                step.begin(h).unwrap();
                step
            };
            let residual = |step: &mut Step, x: &[f64]| {
                let mut out = vec![0.0; x.len()];
                step.residual(x, &mut out).unwrap();
                out
            };
            let jacobian = |step: &mut Step, x: &[f64]| {
                let mut out = vec![0.0; step.pattern().nnz()];
                step.jacobian(x, &mut out).unwrap();
                out
            };
            let size = step_of(0.01).size();
            let [a, b] = [1.3, 2.9].map(|f| (0..size).map(|i| 1e-3 * (f * i as f64).sin()).collect::<Vec<f64>>());
            // Evaluated by steps that know nothing.
            let expected = [&a, &b].map(|x| (residual(&mut step_of(0.01), x), jacobian(&mut step_of(0.01), x)));
            let mut step = step_of(0.01);
            for (which, wants_jacobian) in
                [(0, false), (0, true), (0, true), (0, false), (1, true), (1, false), (0, false), (1, false), (0, true)]
            {
                let x = [&a, &b][which];
                if wants_jacobian {
                    assert_eq!(jacobian(&mut step, x), expected[which].1);
                } else {
                    assert_eq!(residual(&mut step, x), expected[which].0);
                }
            }
            // The same unknowns in a step of another length, and after the step has ended.
            step.begin(0.02).unwrap();
            assert_eq!(residual(&mut step, &a), residual(&mut step_of(0.02), &a));
            step.finish(&a).unwrap();
            assert_eq!(residual(&mut step, &a), residual(&mut step_of(0.02), &a));
            assert_eq!(jacobian(&mut step, &a), jacobian(&mut step_of(0.02), &a));
        }
    }
}
