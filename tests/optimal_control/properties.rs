//! What must hold beside the objectives: derivatives, orders, limits, costates, conserved quantities, messages.

use std::f64::consts::PI;
use std::sync::Arc;

use lariat::discretisation::transcription::{
    ControlProblem, Cost, End, Forward, ForwardError, Given, PathConstraint, Rule, Transcription, TranscriptionError,
};
use lariat::nlp::Nlp;
use lariat::solver::constrained::{Status, test_derivatives};
use lariat::tasks::Silent;
use lariat::tasks::optimal_control::{OptimalControlOptions, Optimum, solve};

use crate::problems::*;
use crate::redundant::Quaternion;
use crate::systems::{CartPole, Pendulum, Point};

fn solved(problem: &ControlProblem, intervals: usize) -> Optimum {
    let found = solve(problem, intervals, &OptimalControlOptions::default(), &mut Silent).unwrap();
    assert_eq!(found.status, Status::Solved, "{:?}", found.solution.message);
    found
}

/// Order of values on meshes of which each is twice as fine as the one before, from the last three.
fn order(values: [f64; 4]) -> f64 {
    ((values[1] - values[2]) / (values[2] - values[3])).log2()
}

/// All features at once: free time, path constraint, magnitudes, peaks, last cost, forces that depend on time and velocity.
fn busy(rule: Rule) -> ControlProblem {
    let mut problem = cart_pole();
    problem.duration = Given::Between(1.0, 4.0);
    problem.end.position[0] = Given::FREE;
    problem.end.velocity[1] = Given::Between(-1.0, 1.0);
    problem.cost.time = 0.7;
    problem.cost.fuel = vec![(0, 0.3)];
    problem.cost.peak = vec![(0, 0.2)];
    problem.cost.last = vec![(2.0, Arc::new(|at| (at.q[0] - 1.0).square() + at.v[1].square() * at.t))];
    problem.path = vec![PathConstraint {
        name: "speed".to_owned(),
        formula: Arc::new(|at| at.v[0].square() + 0.1 * at.t * at.u[0]),
        lower: f64::NEG_INFINITY,
        upper: 40.0,
    }];
    problem.rule = rule;
    problem
}

/// A point at which nothing vanishes.
fn shaken(start: &[f64]) -> Vec<f64> {
    start.iter().enumerate().map(|(i, x)| x + 0.3 * (1.7 * i as f64 + 0.4).sin()).collect()
}

#[test]
fn derivatives_agree_with_differences() {
    let mut free_quaternion = quaternion();
    free_quaternion.end = End { position: vec![Given::FREE; 4], velocity: vec![Given::FREE; 4] };
    let mut trapezoidal = spherical_pendulum();
    trapezoidal.rule = Rule::Trapezoidal;
    let problems = [
        busy(Rule::Midpoint),
        busy(Rule::Trapezoidal),
        busy(Rule::Galerkin { degree: 3 }),
        free_quaternion,
        trapezoidal,
        robot(),
        beam(2),
        satellite(true),
    ];
    for (number, problem) in problems.iter().enumerate() {
        let transcription = Transcription::new(problem, 4).unwrap();
        let mut program = transcription.program().unwrap();
        let x = shaken(&transcription.start());
        for seed in 1..4 {
            let wrong = test_derivatives(&mut program, &x, seed).err();
            assert!(wrong.is_none(), "problem {number}: {}", wrong.unwrap());
        }
    }
}

#[test]
fn all_features_work_together() {
    for rule in [Rule::Midpoint, Rule::Trapezoidal, Rule::Galerkin { degree: 2 }] {
        let problem = busy(rule);
        let found = solved(&problem, 50);
        let duration = found.trajectory.duration;
        assert!((1.0..=4.0).contains(&duration), "{duration}");
        let largest = found.trajectory.u.iter().flatten().fold(0.0f64, |largest, u| largest.max(u.abs()));
        // The variable after the duration is the peak, and nothing but its cost holds it up.
        assert!((found.solution.iterate.x[1] - largest).abs() < 1e-5, "{} {largest}", found.solution.iterate.x[1]);
        assert!(found.verification.unwrap().same.unwrap().along < 1e-6);
    }
}

#[test]
fn objectives_converge_with_order_two_to_one_limit() {
    for (name, problem) in [("arm", arm()), ("quaternion", quaternion()), ("crane", crane())] {
        let mut limits = Vec::new();
        for rule in [Rule::Midpoint, Rule::Trapezoidal] {
            let problem = ControlProblem { rule, ..problem.clone() };
            let values = [80, 160, 320, 640].map(|intervals| solved(&problem, intervals).objective);
            let order = order(values);
            assert!((order - 2.0).abs() < 0.1, "{name}, {rule:?}: order {order} of {values:?}");
            limits.push(values[3] + (values[3] - values[2]) / 3.0);
        }
        assert!((limits[0] / limits[1] - 1.0).abs() < 1e-5, "{name}: {limits:?}");
    }
}

/// The controls found drive the system to the end on a finer grid too, up to an error of order h².
#[test]
fn verified_motions_converge() {
    let along = [40, 80, 160].map(|intervals| solved(&arm(), intervals).verification.unwrap().finer.unwrap());
    for pair in along.windows(2) {
        for ratio in [pair[0].along / pair[1].along, pair[0].end_velocity / pair[1].end_velocity] {
            assert!((ratio - 4.0).abs() < 0.4, "{along:?}");
        }
    }
    assert!(along[2].end_position < 1e-3, "{along:?}");
}

/// From (0, v) to rest at 1 within unit time the least effort is J = 2v² − 6v + 6, so that ∂J/∂v = −6 at v = 0. The costate
/// falls linearly: it is the negative control, u = 6 − 12 t.
#[test]
fn costates_are_sensitivities_to_impulses() {
    let with_velocity = |v: f64| ControlProblem { start: End::moving(&[0.0], &[v]), ..double_integrator() };
    let intervals = 200;
    let found = solved(&with_velocity(0.0), intervals);
    let differences =
        (solved(&with_velocity(1e-3), intervals).objective - solved(&with_velocity(-1e-3), intervals).objective) / 2e-3;
    assert!((found.trajectory.costates[0][0] - differences).abs() < 1e-5, "{differences}");
    assert!((found.trajectory.costates[0][0] + 6.0).abs() < 1e-3);
    for (time, costate) in found.trajectory.times.iter().zip(&found.trajectory.costates) {
        assert!((costate[0] + 6.0 - 12.0 * time).abs() < 1e-3, "{time}: {costate:?}");
    }
}

/// Work goes into energy with an error of order h²; momenta at the ends are those of the velocities.
#[test]
fn trajectories_balance() {
    let defects = [40, 80, 160, 320].map(|intervals| solved(&satellite(true), intervals).trajectory.balance.defect());
    let order = (defects[0] / defects[3]).abs().log2() / 3.0;
    assert!(order > 1.8, "{defects:?}");
    let found = solved(&satellite(true), 50).trajectory;
    assert!((found.momenta[0][1] - 2.0 * PI).abs() < 1e-12);
    assert!((found.momenta[50][1] - 2.25 * 2.0 * PI * 1.5f64.powf(-1.5)).abs() < 1e-12);
    // The angular momentum of a satellite changes by the impulse h r u of its thrust at both nodes of an interval.
    for k in 1..49 {
        let thrust = 0.5 * found.step() * found.u[k][1] * (found.q[k][0] + found.q[k + 1][0]);
        let change = found.momenta[k + 1][1] - found.momenta[k][1];
        assert!((change - thrust).abs() < 1e-8, "{k}: {change} {thrust}");
    }
}

/// Without controls a pendulum keeps its energy to second order, and constraints hold at every node.
#[test]
fn forward_motions_converge_and_keep_constraints() {
    let problem = rest_to_rest(Pendulum, 2.0, &[0.0], &[PI]);
    let end = |steps: usize| {
        let motion = Forward::new(&problem).march(2.0, (&[2.0], &[0.5]), &vec![vec![0.0]; 10], steps / 10).unwrap();
        assert_eq!(motion.q.len(), steps + 1);
        (motion.q[steps][0], 0.5 * motion.end_velocity[0].powi(2) - 9.81 * motion.q[steps][0].cos())
    };
    let values = [100, 200, 400, 800].map(end);
    assert!((order(values.map(|value| value.0)) - 2.0).abs() < 0.1, "{values:?}");
    let energy = 0.125 - 9.81 * 2f64.cos();
    assert!((values[3].1 - energy).abs() < 1e-3 && (values[3].1 - energy).abs() < 0.1 * (values[1].1 - energy).abs());

    let body = rest_to_rest(Quaternion, 1.0, &[1.0, 0.0, 0.0, 0.0], &[1.0, 0.0, 0.0, 0.0]);
    let motion = Forward::new(&body)
        .march(1.0, (&[1.0, 0.0, 0.0, 0.0], &[0.0, 1.0, 0.2, -0.4]), &vec![vec![0.3, -0.2, 0.5]; 20], 2)
        .unwrap();
    for q in &motion.q {
        assert!((q.iter().map(|p| p * p).sum::<f64>() - 1.0).abs() < 1e-12, "{q:?}");
    }
    let rate: f64 = motion.q[40].iter().zip(&motion.end_velocity).map(|(q, v)| q * v).sum();
    assert!(rate.abs() < 1e-10, "{rate}");
}

/// A cart that comes back with its pendulum as it was after a period: pushed by nothing at all this costs nothing.
#[test]
fn periodic_motions_return() {
    let mut problem = rest_to_rest(CartPole { cart: 1.0, mass: 0.5, length: 1.0 }, 1.5, &[0.0, 0.4], &[1.0, 0.4]);
    problem.start = End { position: vec![Given::Fixed(0.0), Given::Fixed(0.4)], velocity: vec![Given::FREE; 2] };
    problem.end = End { position: vec![Given::FREE; 2], velocity: vec![Given::FREE; 2] };
    problem.periodic = vec![(0, 1.0), (1, 0.0)];
    let found = solved(&problem, 50);
    let (first, last) = (&found.trajectory.q[0], &found.trajectory.q[50]);
    assert!((last[0] - first[0] - 1.0).abs() < 1e-9 && (last[1] - first[1]).abs() < 1e-9);
    for (a, b) in found.trajectory.start_velocity.iter().zip(&found.trajectory.end_velocity) {
        assert!((a - b).abs() < 1e-8);
    }
}

/// The quickest rest-to-rest motion of a unit mass over a unit way with |u| ≤ 1 takes 2 s; the least peak over 2 s is 1.
#[test]
fn time_and_peak_are_dual() {
    let quick = ControlProblem {
        duration: Given::Between(0.5, 10.0),
        control_bounds: vec![(-1.0, 1.0)],
        cost: Cost { time: 1.0, ..Cost::default() },
        ..rest_to_rest(Point(vec![1.0]), 3.0, &[0.0], &[1.0])
    };
    // An even number of intervals has a node where the push turns into a pull, and the scheme is then exact.
    assert!((solved(&quick, 50).objective - 2.0).abs() < 1e-6);
    let gentle = ControlProblem {
        cost: Cost { peak: vec![(0, 1.0)], ..Cost::default() },
        ..rest_to_rest(Point(vec![1.0]), 2.0, &[0.0], &[1.0])
    };
    assert!((solved(&gentle, 50).objective - 1.0).abs() < 1e-6);
}

#[test]
fn impossible_problems_are_refused_in_words() {
    let refused = |problem: &ControlProblem, intervals: usize| match Transcription::new(problem, intervals) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("not refused"),
    };
    let problem = double_integrator();
    assert_eq!(refused(&problem, 0), TranscriptionError::NoInterval.to_string());
    let short = ControlProblem { duration: Given::Fixed(-1.0), ..problem.clone() };
    assert_eq!(refused(&short, 5), "the duration, its bounds and its guess must be positive, not -1");
    let long = ControlProblem { control_bounds: vec![ANY; 2], ..problem.clone() };
    assert_eq!(refused(&long, 5), "bounds of controls: 2 given, 1 expected");
    let narrow = ControlProblem { coordinate_bounds: vec![(-1.0, 0.5)], ..problem.clone() };
    assert_eq!(refused(&narrow, 5), "x at the end is 1, outside of its bounds -1 and 0.5");
    let missing = ControlProblem { periodic: vec![(1, 0.0)], ..problem.clone() };
    assert_eq!(refused(&missing, 5), "periodicity names coordinate number 1, but there are 1, counted from 0");
    let mut apart = quaternion();
    apart.end.position[0] = Given::Fixed(0.5);
    assert_eq!(refused(&apart, 5), "the end violates the constraint `norm` by 1.250e-1");
    let mut torn = quaternion();
    torn.start.velocity[0] = Given::Fixed(0.5);
    assert_eq!(refused(&torn, 5), "the start violates the constraint `rate of norm` by 5.000e-1");
    let motion = Forward::new(&problem).march(1.0, (&[0.0], &[0.0, 1.0]), &[vec![0.0]], 1);
    assert_eq!(motion.unwrap_err().to_string(), "start velocities: 2 given, 1 expected");
    let motion = Forward::new(&problem).march(1.0, (&[0.0], &[0.0]), &[vec![0.0]], 0);
    assert_eq!(motion.unwrap_err(), ForwardError::Duration(1.0));
}

/// A satellite that falls into the centre has no motion there, and is told so with its time.
#[test]
fn forward_failures_tell_the_time() {
    let problem = satellite(true);
    let failure =
        Forward::new(&problem).march(3.0, (&[1.0, 0.0], &[0.0, 0.0]), &vec![vec![0.0, 0.0]; 20], 1).unwrap_err();
    assert!(failure.to_string().starts_with("the motion cannot be continued from t = "), "{failure}");
}

#[test]
fn variables_and_rows_are_named() {
    let problem = busy(Rule::Midpoint);
    let program = Transcription::new(&problem, 4).unwrap().program().unwrap();
    let variables: Vec<String> = (0..program.bounds().variables()).map(|i| program.variable_name(i)).collect();
    let rows: Vec<String> = (0..program.bounds().rows()).map(|i| program.row_name(i)).collect();
    assert_eq!(variables[0], "duration");
    assert_eq!(variables[1], "peak of force");
    assert_eq!(variables[2], "rate of cart at the start");
    assert_eq!(variables[4], "cart at 0.0000 % of the duration");
    assert_eq!(variables[6], "force at 12.5000 % of the duration");
    assert_eq!(variables.last().unwrap(), "rate of angle at the end");
    assert_eq!(rows[1], "motion of angle at 0.0000 % of the duration");
    assert_eq!(rows[2], "speed at 12.5000 % of the duration");
    assert_eq!(rows[6], "peak of force, negative at 12.5000 % of the duration");
}
