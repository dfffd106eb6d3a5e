//! Orders of the schemes, in coordinates and momenta.

use lariat::discretisation::multirate::{Multirate, Quadrature};
use lariat::tasks::simulation::lagrangian::MultirateMarcher;

use super::systems::{EXPLICIT, EXPLICIT_SLOW, IMPLICIT, IMPULSES, Start, cart, chain, pendulum};
use super::{distance, end_state, extrapolated, reference};

/// The order that the last two of three motions show, each with twice as many steps.
fn order(problem: &(Multirate, Start), end: f64, steps: usize, exact: &[f64]) -> f64 {
    let error = |steps: usize| distance(&end_state(problem, end, steps), exact);
    (error(2 * steps) / error(4 * steps)).log2()
}

const SCHEMES: [([Quadrature; 2], f64); 4] = [(IMPLICIT, 2.0), (EXPLICIT, 1.0), (IMPULSES, 2.0), (EXPLICIT_SLOW, 2.0)];

/// Orders 2 and 1 on the triple spherical pendulum with 5 micro steps (Gail, Ober-Blöbaum and Leyendecker); the trapezoidal
/// weights make the explicit scheme one of order 2. Velocities are those of an extrapolated motion.
#[test]
fn pendulums_with_five_micro_steps() {
    for slow in [[true, false, false], [true, true, false]] {
        let problem = pendulum(&slow, 5, IMPLICIT);
        let exact = extrapolated(&problem, 1.0, 100, 5);
        let names = problem.0.mechanics.coordinates();
        assert!(distance(&reference("triple", 1.0, &names), &exact) < 1e-9);
        for (scheme, expected) in SCHEMES {
            let found = order(&pendulum(&slow, 5, scheme), 1.0, 100, &exact);
            assert!((found - expected).abs() < 0.1, "{slow:?} {scheme:?}: {found}");
        }
    }
}

/// Slow masses behind fast ones: rods act on slow masses at all micro nodes. The rods begin bent, as stretched ones would leave
/// fast masses between slow ends no freedom.
#[test]
fn slow_masses_behind_fast_ones() {
    let bent = |slow: &[bool; 3], scheme| {
        let (system, _) = pendulum(slow, 5, scheme);
        let start = vec![1.0, 0.0, 0.0, 1.0, 0.0, -1.0, 2.0, 0.0, -1.0];
        (system, (start, vec![0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0]))
    };
    let exact = extrapolated(&bent(&[true, false, false], IMPLICIT), 0.3, 50, 5);
    for slow in [[false, true, false], [false, false, true]] {
        for (scheme, expected) in SCHEMES {
            let found = order(&bent(&slow, scheme), 0.3, 50, &exact);
            assert!((found - expected).abs() < 0.1, "{slow:?} {scheme:?}: {found}");
        }
    }
}

/// The same over all nodes of both grids, as the seed measures it.
#[test]
fn micro_nodes_have_the_order_of_macro_nodes() {
    let slow = [true, false, false];
    let error = |steps: usize| {
        let fine = pendulum(&slow, 1, IMPLICIT);
        let problem = pendulum(&slow, 5, IMPLICIT);
        let mut worst: f64 = 0.0;
        let start =
            |(system, (q, v)): &(Multirate, Start), step: f64| MultirateMarcher::new(system, step, 0.0, q, v).unwrap();
        let step = 0.4 / steps as f64;
        // Steps of a 25th part make the fine motion 25 times as accurate as its own micro steps would.
        let (mut coarse, mut finer) = (start(&problem, step), start(&fine, step / 25.0));
        for _ in 0..steps {
            coarse.advance().unwrap();
            assert_eq!(coarse.step().micro_nodes().count(), 5);
            for node in coarse.step().micro_nodes() {
                (0..5).for_each(|_| finer.advance().unwrap());
                let places = coarse.step().fast_places();
                let there: Vec<f64> = places.iter().map(|&i| finer.state().q[i]).collect();
                worst = worst.max(distance(node, &there));
            }
        }
        worst
    };
    let found = (error(20) / error(40)).log2();
    assert!((found - 2.0).abs() < 0.15, "{found}");
}

/// The order does not depend on the number of micro steps, as long as the macro step resolves the fast motion.
#[test]
fn chains_with_many_micro_steps() {
    let exact = extrapolated(&chain(3, 10.0, 1, IMPULSES), 1.0, 50, 6);
    for (scheme, expected) in SCHEMES {
        for micro in [1, 4, 20] {
            let problem = chain(3, 10.0, micro, scheme);
            let found = order(&problem, 1.0, 400, &exact);
            assert!((found - expected).abs() < 0.1, "p = {micro} {scheme:?}: {found}");
        }
    }
}

/// Slow and fast velocities that the kinetic energy couples, damping and a force that depends on time.
#[test]
fn coupled_inertia_and_forces() {
    let exact = extrapolated(&cart(1, IMPLICIT), 1.0, 100, 5);
    for (scheme, expected) in [(IMPLICIT, 2.0), (EXPLICIT, 1.0), (IMPULSES, 2.0)] {
        for micro in [1, 3, 8] {
            let found = order(&cart(micro, scheme), 1.0, 60, &exact);
            assert!((found - expected).abs() < 0.12, "p = {micro} {scheme:?}: {found}");
        }
    }
}
