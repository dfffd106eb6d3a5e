//! Polynomials of higher degree in each interval.

use std::f64::consts::PI;

use lariat::discretisation::transcription::{ControlProblem, Forward, Rule, Transcription, TranscriptionError};
use lariat::solver::constrained::Status;
use lariat::tasks::Silent;
use lariat::tasks::optimal_control::{OptimalControlOptions, Optimum, solve};

use crate::problems::*;
use crate::systems::Pendulum;

fn solved(problem: &ControlProblem, intervals: usize) -> Optimum {
    let found = solve(problem, intervals, &OptimalControlOptions::default(), &mut Silent).unwrap();
    assert_eq!(found.status, Status::Solved, "{:?}", found.solution.message);
    found
}

/// Position and velocity of a pendulum after 2 s, without controls, against a motion of degree 6 on a fine grid. With Gauss
/// quadrature of as many points as the degree the scheme is Gauss collocation (Ober-Blöbaum and Saake 2015), of order twice
/// the degree.
#[test]
fn motions_have_twice_the_order_of_the_degree() {
    let end = |degree: usize, steps: usize| {
        let problem = ControlProblem { rule: Rule::Galerkin { degree }, ..rest_to_rest(Pendulum, 2.0, &[0.0], &[PI]) };
        let motion = Forward::new(&problem).march(2.0, (&[2.0], &[0.5]), &vec![vec![0.0]; steps], 1).unwrap();
        [motion.q[steps][0], motion.end_velocity[0]]
    };
    let exact = end(6, 60);
    for (degree, steps) in [(1, 100), (2, 40), (3, 20), (4, 16)] {
        let errors = [steps, 2 * steps].map(|steps| {
            let found = end(degree, steps);
            found.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        });
        let order = (errors[0] / errors[1]).log2();
        assert!((order - 2.0 * degree as f64).abs() < 0.3, "degree {degree}: order {order} of {errors:?}");
    }
    // Energy is a further witness: no step of degree 6 changes it by more than rounding.
    let energy = |[q, v]: [f64; 2]| 0.5 * v * v - 9.81 * q.cos();
    assert!((energy(exact) - energy([2.0, 0.5])).abs() < 1e-9, "{exact:?}");
}

/// Controls that are constant in intervals leave the optimum of order 2, whatever the motion; but its limit is the one of the
/// midpoint rule, for costs of states as well.
#[test]
fn optima_have_the_limit_of_the_midpoint_rule() {
    let with_states = || {
        let mut problem = crane();
        problem.cost.running.push((0.3, std::sync::Arc::new(|at| at.q[1].square() + at.v[0].square() * at.t)));
        problem
    };
    for (name, problem) in [("arm", arm()), ("crane", with_states())] {
        let limit = |rule: Rule| {
            let problem = ControlProblem { rule, ..problem.clone() };
            let values = [100, 200, 400].map(|intervals| solved(&problem, intervals).objective);
            let order = ((values[0] - values[1]) / (values[1] - values[2])).log2();
            assert!((order - 2.0).abs() < 0.1, "{name}, {rule:?}: order {order}");
            values[2] + (values[2] - values[1]) / 3.0
        };
        let midpoint = limit(Rule::Midpoint);
        for degree in [1, 2, 3] {
            let galerkin = limit(Rule::Galerkin { degree });
            assert!((galerkin / midpoint - 1.0).abs() < 1e-7, "{name}, {degree}: {galerkin} and {midpoint}");
        }
    }
}

/// The motion is so good on a coarse mesh that the controls found miss the end by next to nothing on a finer one.
#[test]
fn verified_motions_are_of_high_order() {
    let misses = [20, 80].map(|intervals| {
        let problem = ControlProblem { rule: Rule::Galerkin { degree: 3 }, ..arm() };
        let verification = solved(&problem, intervals).verification.unwrap();
        let same = verification.same.unwrap();
        assert!(same.along < 1e-8, "{same:?}");
        verification.finer.unwrap().end_position
    });
    // The order over two halvings: from one to the next it varies, because errors of both angles change their signs.
    let order = 0.5 * (misses[0] / misses[1]).log2();
    assert!(order > 5.5 && misses[1] < 1e-7, "order {order} of {misses:?}");
}

/// Work goes into energy up to the error of the quadrature, of order twice the degree.
#[test]
fn energy_balances_with_high_order() {
    let defects = [25, 50].map(|intervals| {
        let problem = ControlProblem { rule: Rule::Galerkin { degree: 2 }, ..satellite(true) };
        solved(&problem, intervals).trajectory.balance.defect().abs()
    });
    let order = (defects[0] / defects[1]).log2();
    assert!(order > 3.5, "order {order} of {defects:?}");
}

/// Velocities at the nodes are slopes of the polynomials, costates at the start what impulses cost.
#[test]
fn points_between_are_part_of_the_motion() {
    let problem = ControlProblem { rule: Rule::Galerkin { degree: 3 }, ..double_integrator() };
    let found = solved(&problem, 20);
    // The same optimum as of the midpoint rule, J = 6/(1 − 1/N²): both are exact for constant forces.
    assert!((found.objective - 6.0 / (1.0 - 1.0 / 400.0)).abs() < 1e-8, "{}", found.objective);
    let trajectory = &found.trajectory;
    assert_eq!(trajectory.inner[0].len(), 2);
    let velocities = trajectory.velocities(problem.rule);
    for k in 1..20 {
        let driven = velocities[k - 1][0] + trajectory.step() * trajectory.u[k - 1][0];
        assert!((velocities[k][0] - driven).abs() < 1e-9, "{k}");
    }
    assert!((trajectory.costates[0][0] + 6.0).abs() < 0.1, "{:?}", trajectory.costates[0]);
}

#[test]
fn impossible_rules_are_refused_in_words() {
    let refused = |problem: &ControlProblem| Transcription::new(problem, 5).err().unwrap();
    let with = |degree: usize, problem: ControlProblem| ControlProblem { rule: Rule::Galerkin { degree }, ..problem };
    assert_eq!(refused(&with(0, arm())), TranscriptionError::Degree { degree: 0, most: 6 });
    assert_eq!(refused(&with(7, arm())).to_string(), "the degree of the Galerkin rule is 7, expected 1 to 6");
    assert_eq!(
        refused(&with(2, quaternion())).to_string(),
        "the Galerkin rule is for systems without constraints, but there is the constraint `norm`"
    );
}
