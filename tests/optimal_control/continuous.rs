//! Motions in continuous time, which verify those of the discrete equations.

use lariat::discretisation::transcription::{Continuous, ControlProblem, Forward, Rule};

use crate::problems::rest_to_rest;
use crate::redundant::SphericalPendulum;
use crate::systems::{GRAVITY, Pendulum, Point};

/// x = x₀ + v₀ t + ½ u t² piece by piece.
#[test]
fn a_point_moves_by_parabolas() {
    let problem = rest_to_rest(Point(vec![1.0]), 1.0, &[0.0], &[1.0]);
    let end = Continuous::new(&problem).drive(2.0, (&[1.0], &[0.5]), &[vec![2.0], vec![-1.0]]).unwrap();
    // After 1 s: x = 2.5, v = 2.5; after 2 s: x = 4.5, v = 1.5.
    assert!((end[0] - 4.5).abs() < 1e-12 && (end[1] - 1.5).abs() < 1e-12, "{end:?}");
}

/// The pendulum keeps its energy, and ends where a Galerkin rule of order 12 ends.
#[test]
fn a_pendulum_ends_where_another_method_ends() {
    let problem = rest_to_rest(Pendulum, 2.0, &[0.0], &[1.0]);
    let (start, controls) = ((&[1.2][..], &[0.7][..]), vec![vec![0.0]; 40]);
    let end = Continuous::new(&problem).drive(3.0, start, &controls).unwrap();
    let energy = |q: f64, v: f64| 0.5 * v * v - GRAVITY * q.cos();
    assert!((energy(end[0], end[1]) - energy(1.2, 0.7)).abs() < 1e-7, "{end:?}");
    let exact = ControlProblem { rule: Rule::Galerkin { degree: 6 }, ..problem };
    let motion = Forward::new(&exact).march(3.0, start, &controls, 1).unwrap();
    assert!((motion.q[40][0] - end[0]).abs() < 1e-8, "{} {}", motion.q[40][0], end[0]);
    assert!((motion.end_velocity[0] - end[1]).abs() < 1e-7, "{} {}", motion.end_velocity[0], end[1]);
}

/// With constraints: lengths and energy are kept, and the midpoint rule tends there with order 2.
#[test]
fn constraints_hold() {
    let problem =
        rest_to_rest(SphericalPendulum, 2.0, &[1.0, 0.0, 0.0, 2.0, 0.0, 0.0], &[0.0, 1.0, 0.0, 0.0, 2.0, 0.0]);
    let (q, v) = ([1.0, 0.0, 0.0, 2.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0, 1.5, 0.0]);
    let controls = vec![vec![0.1, 0.0, 0.2, 0.0, 0.1, 0.0]; 20];
    let end = Continuous::new(&problem).drive(1.0, (&q, &v), &controls).unwrap();
    let length = |from: [f64; 3], to: [f64; 3]| (0..3).map(|i| (to[i] - from[i]).powi(2)).sum::<f64>().sqrt();
    let (first, second) = ([end[0], end[1], end[2]], [end[3], end[4], end[5]]);
    assert!((length([0.0; 3], first) - 1.0).abs() < 1e-8 && (length(first, second) - 1.0).abs() < 1e-8, "{end:?}");
    let mut forward = Forward::new(&problem);
    let off = [8, 16].map(|refine| {
        let motion = forward.march(1.0, (&q, &v), &controls, refine).unwrap();
        (0..6).map(|i| (motion.q.last().unwrap()[i] - end[i]).abs()).fold(0.0, f64::max)
    });
    assert!((off[0] / off[1] - 4.0).abs() < 0.2, "{off:?}");
}
