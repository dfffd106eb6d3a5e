//! The equations of a macro step against others.

use lariat::discretisation::multirate::{MacroStep, Multirate, MultirateError, Quadrature, State};
use lariat::discretisation::transcription::{ControlProblem, End, Forward, Rule};
use lariat::nlp::SquareSystem;

use super::systems::{EXPLICIT_SLOW, IMPLICIT, IMPULSES, cart, chain, pendulum};
use super::{distance, march};

/// With one micro step and everything on one grid the motion is that of discrete mechanics with one step length.
#[test]
fn one_micro_step_is_one_step_length() {
    for (quadratures, rule) in [(IMPLICIT, Rule::Midpoint), (IMPULSES, Rule::Trapezoidal)] {
        let (system, (q, v)) = pendulum(&[true, false, false], 1, quadratures);
        let mut problem = ControlProblem::new(system.mechanics.clone(), 1.0, End::moving(&q, &v), End::moving(&q, &v));
        problem.rule = rule;
        let controls = vec![Vec::new(); 50];
        let motion = Forward::new(&problem).march(0.5, (&q, &v), &controls, 1).unwrap();
        let mut marcher = march(&(system, (q, v)), 0.5, 50);
        assert!(distance(&marcher.state().q, &motion.q[50]) < 1e-11);
        assert!(distance(marcher.velocities().unwrap(), &motion.end_velocity) < 1e-10);
    }
}

/// Derivatives against central differences, at points off any motion.
#[test]
fn derivatives_are_exact() {
    let rough = |i: usize| (1.7 * i as f64 + 0.3).sin();
    let systems: [(Multirate, _); 4] = [
        pendulum(&[true, true, false], 3, IMPLICIT),
        pendulum(&[false, false, true], 2, EXPLICIT_SLOW),
        chain(3, 5.0, 4, IMPLICIT),
        cart(3, [Quadrature::Midpoint, Quadrature::Affine(0.3)]),
    ];
    for (system, (q, v)) in systems {
        let mut step = MacroStep::new(&system, 0.3, State { t: 0.4, p: v, q }).unwrap();
        let size = step.size();
        let x: Vec<f64> = (0..size).map(rough).collect();
        let mut values = vec![0.0; step.pattern().nnz()];
        step.jacobian(&x, &mut values).unwrap();
        let mut dense = vec![vec![0.0; size]; size];
        for (col, column) in dense.iter_mut().enumerate() {
            for entry in step.pattern().column(col) {
                column[step.pattern().row_idx()[entry]] = values[entry];
            }
        }
        let h = 1e-5;
        let (mut above, mut below) = (vec![0.0; size], vec![0.0; size]);
        for col in 0..size {
            let shifted = |by: f64| {
                let mut x = x.clone();
                x[col] += by;
                x
            };
            step.residual(&shifted(h), &mut above).unwrap();
            step.residual(&shifted(-h), &mut below).unwrap();
            for row in 0..size {
                let slope = (above[row] - below[row]) / (2.0 * h);
                let off = (slope - dense[col][row]).abs();
                // Rounding of values up to 1e3 over 1e-5, and third derivatives times 1e-10.
                assert!(
                    off < 1e-6 * (1.0 + slope.abs()),
                    "{} by {}: {slope} {}",
                    step.row_name(row),
                    step.unknown_name(col),
                    dense[col][row]
                );
            }
        }
    }
}

/// The pattern has blocks of neighbouring micro nodes and a border, so that its size is linear in the micro steps.
#[test]
fn patterns_grow_in_proportion() {
    let entries = |micro: usize| {
        let (system, (q, v)) = chain(10, 50.0, micro, IMPLICIT);
        MacroStep::new(&system, 0.1, State { t: 0.0, p: v, q }).unwrap().pattern().nnz()
    };
    let [a, b, c] = [10, 20, 40].map(entries);
    assert_eq!(c - b, 2 * (b - a));
}

#[test]
fn what_cannot_be_stated_is_refused() {
    let (system, (q, v)) = pendulum(&[true, false, false], 5, IMPLICIT);
    let state = State { t: 0.0, q: q.clone(), p: v.clone() };
    let refused = |system: &Multirate, step: f64, state: State| MacroStep::new(system, step, state).err().unwrap();
    let none = Multirate { micro: 0, ..system.clone() };
    assert_eq!(refused(&none, 0.1, state.clone()), MultirateError::Nothing { micro: 0, fast: 6 });
    let slow = Multirate { fast: vec![false; 9], ..system.clone() };
    assert_eq!(refused(&slow, 0.1, state.clone()), MultirateError::Nothing { micro: 5, fast: 0 });
    assert_eq!(refused(&system, 0.0, state.clone()), MultirateError::Step(0.0));
    let short = State { q: vec![0.0], ..state.clone() };
    let expected = MultirateError::Length { what: "coordinates", given: 1, expected: 9 };
    assert_eq!(refused(&system, 0.1, short), expected);
    // One fast coordinate under two rods.
    let mut fast = vec![false; 9];
    fast[3] = true;
    let expected = MultirateError::Overdetermined { constraints: 2, fast: 1 };
    assert_eq!(refused(&Multirate { fast, ..system }, 0.1, state), expected);
}
