//! Orders of the schemes, in coordinates and momenta.

use lariat::discretisation::dmoc::Mechanics;
use lariat::discretisation::multirate::Multirate;

use super::systems::{EXPLICIT, EXPLICIT_SLOW, IMPLICIT, IMPULSES, Start, cart, chain, pendulum};
use super::{distance, end_state, extrapolated, march, reference};

/// The order that the last two of three motions show, each with twice as many steps.
fn order(problem: &(Multirate, Start), end: f64, steps: usize, exact: &[f64]) -> f64 {
    let error = |steps: usize| distance(&end_state(problem, end, steps), exact);
    (error(2 * steps) / error(4 * steps)).log2()
}

/// Orders 2 and 1 on the triple spherical pendulum with 5 micro steps (Gail, Ober-Blöbaum and Leyendecker), whichever masses
/// are slow; the trapezoidal weights make the explicit scheme one of order 2. Momenta are those of an extrapolated motion.
#[test]
fn pendulums_with_five_micro_steps() {
    for slow in [[true, false, false], [false, true, false], [false, false, true], [true, true, false]] {
        let exact = extrapolated(&pendulum(&slow, 5, IMPLICIT), 0.5, 50, 4);
        let names = pendulum(&slow, 5, IMPLICIT).0.mechanics.coordinates();
        assert!(distance(&exact, &reference("triple", 0.5, &names)) < 1e-8);
        for (scheme, expected) in [(IMPLICIT, 2.0), (EXPLICIT, 1.0), (IMPULSES, 2.0), (EXPLICIT_SLOW, 2.0)] {
            let problem = pendulum(&slow, 5, scheme);
            let found = order(&problem, 0.5, 50, &exact);
            assert!((found - expected).abs() < 0.1, "{slow:?} {scheme:?}: {found}");
        }
    }
}

/// The same over all nodes of both grids, as the seed measures it.
#[test]
fn micro_nodes_have_the_order_of_macro_nodes() {
    let slow = [true, false, false];
    let error = |steps: usize| {
        // Micro node m of the coarse motion is macro node 5 k + m of a fine one with p = 1 and a fifth of the step.
        let fine = pendulum(&slow, 1, IMPLICIT);
        let problem = pendulum(&slow, 5, IMPLICIT);
        let mut worst: f64 = 0.0;
        let (mut coarse, mut finer) = (march(&problem, 1e-3, 1), march(&fine, 1e-3, 1));
        assert_eq!(coarse.step().micro_nodes().count(), 5);
        let start = |(system, (q, v)): &(Multirate, Start), step: f64| {
            lariat::tasks::simulation::lagrangian::MultirateMarcher::new(system, step, 0.0, q, v).unwrap()
        };
        let step = 0.4 / steps as f64;
        // Steps of a 25th part make the fine motion 25 times as accurate.
        (coarse, finer) = (start(&problem, step), start(&fine, step / 25.0));
        for _ in 0..steps {
            coarse.advance().unwrap();
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
    let names = chain(3, 50.0, 1, IMPLICIT).0.mechanics.coordinates();
    let exact = reference("fpu", 1.0, &names);
    for (scheme, expected) in [(IMPLICIT, 2.0), (EXPLICIT, 1.0), (IMPULSES, 2.0), (EXPLICIT_SLOW, 2.0)] {
        for micro in [1, 4, 20] {
            let problem = chain(3, 50.0, micro, scheme);
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
