//! Servo constraints at the nodes and largest rates of controls.

use std::f64::consts::PI;
use std::sync::Arc;

use lariat::discretisation::transcription::{ControlProblem, Formula, Given, Transcription, audit};
use lariat::solver::constrained::{Status, test_derivatives};
use lariat::tasks::Silent;
use lariat::tasks::optimal_control::{OptimalControlOptions, solve};

use crate::problems::{cart_pole, double_integrator, rest_to_rest};
use crate::systems::Pendulum;

fn step(share: f64) -> f64 {
    share.powi(3) * (10.0 - 15.0 * share + 6.0 * share * share)
}

/// Largest difference of the torque found from the one that the path needs, at the nodes: the mean of the two intervals that
/// meet there. Those of the intervals alternate by a term of first order, because the third derivative of the path jumps at the
/// ends.
fn torque_error(intervals: usize) -> f64 {
    let servo: Formula = Arc::new(|at| {
        let share = at.t * 0.5;
        at.q[0] - PI * share.powi(3) * (10.0 - 15.0 * share + 6.0 * share.square())
    });
    let problem = ControlProblem {
        servo: vec![("path of theta".to_owned(), servo)],
        ..rest_to_rest(Pendulum, 2.0, &[0.0], &[PI])
    };
    let options = OptimalControlOptions { continued: false, ..Default::default() };
    let found = solve(&problem, intervals, &options, &mut Silent).unwrap();
    assert_eq!(found.status, Status::Solved, "{:?}", found.solution.message);
    let nodes = found.trajectory.times.iter().zip(&found.trajectory.q);
    let miss = nodes.map(|(t, q)| (q[0] - PI * step(0.5 * t)).abs()).fold(0.0, f64::max);
    assert!(miss < 1e-9, "off the path by {miss:.1e}");
    let h = 2.0 / intervals as f64;
    let wanted = |t: f64| {
        let s = 0.5 * t;
        let second = PI * (60.0 * s - 180.0 * s * s + 120.0 * s.powi(3)) * 0.25;
        second + 9.81 * (PI * step(s)).sin()
    };
    let apart = |(k, u): (usize, &[Vec<f64>])| (0.5 * (u[0][0] + u[1][0]) - wanted((k as f64 + 1.0) * h)).abs();
    found.trajectory.u.windows(2).enumerate().map(apart).fold(0.0, f64::max)
}

/// θ(t) prescribed: u = θ̈ + g sin θ, of order 2.
#[test]
fn the_torque_of_a_prescribed_motion_is_the_one_of_inverse_dynamics() {
    let errors = [50, 100, 200].map(torque_error);
    let orders = [errors[0] / errors[1], errors[1] / errors[2]].map(f64::log2);
    assert!(errors[2] < 2e-3, "{errors:?}");
    assert!(orders.iter().all(|order| *order > 1.8), "{orders:?}");
}

/// Least effort from rest to rest has u = 6 − 12 t, rate 12; with a rate of at most 10 it stays there. Its cost lies between
/// that of the free optimum, 6, and of the linear torque of rate 10 that is impossible: it needs another form.
#[test]
fn rates_of_controls_stay_within_their_bounds() {
    let free = double_integrator();
    let limited = ControlProblem { rates: vec![(0, 20.0)], ..free.clone() };
    let options = OptimalControlOptions::default();
    let [a, b] = [&free, &limited].map(|problem| solve(problem, 100, &options, &mut Silent).unwrap());
    assert!((a.objective - b.objective).abs() < 1e-7, "a bound that is not reached changes nothing");
    // Time-optimal with |u| ≤ 8 would jump at the middle; a rate of 40 N/s makes it a ramp.
    let quick = ControlProblem {
        duration: Given::Between(0.2, 3.0),
        control_bounds: vec![(-8.0, 8.0)],
        cost: lariat::discretisation::transcription::Cost { time: 1.0, ..Default::default() },
        ..free
    };
    let ramped = ControlProblem { rates: vec![(0, 40.0)], ..quick.clone() };
    let [bang, ramp] = [&quick, &ramped].map(|problem| solve(problem, 200, &options, &mut Silent).unwrap());
    assert_eq!(ramp.status, Status::Solved, "{:?}", ramp.solution.message);
    let h = ramp.trajectory.step();
    let rate = ramp.trajectory.u.windows(2).map(|u| (u[1][0] - u[0][0]).abs() / h).fold(0.0, f64::max);
    assert!(rate < 40.0 * (1.0 + 1e-6) && rate > 39.9, "{rate}");
    // Force +8 for a time a, down to −8 in the time r = 16/40, −8 for a: velocity 8a + ½·8·r/2 at the middle; the way is
    // 2 (½·8 a² + 8 a r/2 + 8 r²/12) = 1.
    let r: f64 = 0.4;
    let (p, q) = (r / 2.0, (8.0 * r * r / 12.0 - 0.5) / 4.0);
    let a_time = -p + (p * p - q).sqrt();
    let wanted = 2.0 * a_time + r;
    assert!((ramp.objective - wanted).abs() < 2e-4, "{} {wanted}", ramp.objective);
    assert!(bang.objective < ramp.objective);
}

#[test]
fn derivatives_and_audit_know_servo_rows_and_rates() {
    let mut problem = cart_pole();
    problem.duration = Given::Between(1.0, 3.0);
    problem.servo = vec![("tip".to_owned(), Arc::new(|at| at.q[0] + 0.5 * at.q[1].sin() - 0.3 * at.t.square()))];
    problem.rates = vec![(0, 50.0)];
    let transcription = Transcription::new(&problem, 6).unwrap();
    let mut program = transcription.program().unwrap();
    let mut x = transcription.start();
    x.iter_mut().enumerate().for_each(|(i, x)| *x += 0.05 * ((3 * i + 1) as f64).sin());
    assert!(test_derivatives(&mut program, &x, 1).is_ok());
    let names: Vec<String> = (0..transcription.rows().len())
        .map(|row| lariat::nlp::Nlp::row_name(&program, row))
        .filter(|name| name.starts_with("tip") || name.starts_with("rate of force"))
        .collect();
    assert_eq!(names.len(), 2 * 5, "{names:?}");
    let q: Vec<Vec<f64>> = (0..=6).map(|k| vec![k as f64 / 6.0, 0.0]).collect();
    let u: Vec<Vec<f64>> = (0..6).map(|k| vec![if k == 3 { 19.0 } else { 0.0 }]).collect();
    let told = audit(&problem, 2.0, &q, &u, &[0.0; 2], 1e-6).unwrap();
    let told: Vec<&str> = told.overruns.iter().map(|overrun| overrun.name.as_str()).collect();
    assert_eq!(told, ["rate of force", "tip"]);
}
