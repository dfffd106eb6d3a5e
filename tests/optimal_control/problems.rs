//! The problems of the reference.

use std::f64::consts::PI;
use std::sync::Arc;

use lariat::discretisation::transcription::{ControlProblem, Cost, End, Formula, Given, Mechanics, Reduction};

use crate::redundant::{Beam, Directors, Quaternion, SphericalPendulum};
use crate::systems::{Arm, CartPole, Chain, Pendulum, Point, Robot, Satellite};

pub const ANY: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

/// ½ ∫ |u|² dt.
pub fn effort() -> Cost {
    let square: Formula = Arc::new(|at| at.graph.sum(at.u.iter().map(|u| u.square())));
    Cost { running: vec![(0.5, square)], ..Cost::default() }
}

/// From rest to rest along a straight line with the least effort.
pub fn rest_to_rest(mechanics: impl Mechanics + 'static, duration: f64, from: &[f64], to: &[f64]) -> ControlProblem {
    let ends = [from, to].map(End::at_rest);
    let [start, end] = ends;
    ControlProblem { cost: effort(), ..ControlProblem::new(Arc::new(mechanics), duration, start, end) }
}

/// The same with a guess of its own, whose ends are the given ones.
fn guessed(
    mechanics: impl Mechanics + 'static,
    duration: f64,
    guess: impl Fn(f64) -> Vec<f64> + Send + Sync + 'static,
) -> ControlProblem {
    let mut problem = rest_to_rest(mechanics, duration, &guess(0.0), &guess(1.0));
    problem.guess.position = Arc::new(guess);
    problem
}

pub fn double_integrator() -> ControlProblem {
    rest_to_rest(Point(vec![1.0]), 1.0, &[0.0], &[1.0])
}

pub fn pendulum(duration: f64, torque: f64) -> ControlProblem {
    let control_bounds = vec![(-torque, torque)];
    ControlProblem { control_bounds, ..rest_to_rest(Pendulum, duration, &[0.0], &[PI]) }
}

pub fn cart_pole() -> ControlProblem {
    let system = CartPole { cart: 1.0, mass: 0.3, length: 0.5 };
    let (control_bounds, coordinate_bounds) = (vec![(-20.0, 20.0)], vec![(-2.0, 2.0), ANY]);
    ControlProblem { control_bounds, coordinate_bounds, ..rest_to_rest(system, 2.0, &[0.0; 2], &[1.0, PI]) }
}

pub fn arm() -> ControlProblem {
    rest_to_rest(Arm, 2.0, &[0.0; 2], &[0.5 * PI, PI])
}

pub fn robot() -> ControlProblem {
    let (from, to) = ([4.5, 0.0, 0.25 * PI], [4.5, 2.0 * PI / 3.0, 0.25 * PI]);
    ControlProblem {
        duration: Given::Between(0.1, 100.0),
        coordinate_bounds: vec![(0.0, 5.0), (-PI, PI), (0.0, PI)],
        control_bounds: vec![(-1.0, 1.0); 3],
        cost: Cost { time: 1.0, ..Cost::default() },
        ..rest_to_rest(Robot, 9.0, &from, &to)
    }
}

pub fn satellite(radial: bool) -> ControlProblem {
    let (from, to) = ([1.0, 0.0], [1.5, 4.0 * PI]);
    ControlProblem {
        start: End::moving(&from, &[0.0, 2.0 * PI]),
        end: End::moving(&to, &[0.0, 2.0 * PI * 1.5f64.powf(-1.5)]),
        coordinate_bounds: vec![(0.5, 3.0), ANY],
        ..rest_to_rest(Satellite { radial }, 2.6, &from, &to)
    }
}

pub fn crane() -> ControlProblem {
    rest_to_rest(CartPole { cart: 1.0, mass: 0.5, length: 1.0 }, 3.0, &[0.0; 2], &[2.0, 0.0])
}

pub fn chain(rods: usize) -> ControlProblem {
    let mut to = vec![0.0; rods + 1];
    to[0] = 1.0;
    rest_to_rest(Chain { rods }, 3.0, &vec![0.0; rods + 1], &to)
}

/// ∫ |u| dt with |u| ≤ 1: by two controls that push and pull.
pub fn least_fuel() -> ControlProblem {
    let sum: Formula = Arc::new(|at| at.u[0] + at.u[1]);
    ControlProblem {
        control_bounds: vec![(0.0, 1.0); 2],
        cost: Cost { running: vec![(1.0, sum)], ..Cost::default() },
        ..rest_to_rest(Point(vec![1.0, -1.0]), 3.0, &[0.0], &[1.0])
    }
}

/// ∫ |u| dt with |u| ≤ 1: by one control and its magnitude.
pub fn least_magnitude() -> ControlProblem {
    ControlProblem {
        control_bounds: vec![(-1.0, 1.0)],
        cost: Cost { fuel: vec![(0, 1.0)], ..Cost::default() },
        ..rest_to_rest(Point(vec![1.0]), 3.0, &[0.0], &[1.0])
    }
}

/// The same problem in local coordinates.
pub fn reduced(problem: ControlProblem) -> ControlProblem {
    ControlProblem { reduction: Reduction::NullSpace, ..problem }
}

/// 180° about (1, 1, 1).
pub fn quaternion() -> ControlProblem {
    guessed(Quaternion, 2.0, |share| {
        let half = 0.5 * PI * share;
        let part = half.sin() / 3f64.sqrt();
        // cos(π/2) is not zero in floating-point numbers, but near enough.
        vec![half.cos(), part, part, part]
    })
}

pub fn directors() -> ControlProblem {
    guessed(Directors, 2.0, |share| {
        let (sin, cos) = (PI * share).sin_cos();
        // R = cos I + (1 − cos) a aᵀ + sin [a]ₓ, column after column.
        let entry = |row: usize, col: usize| {
            let turned = match (3 + row - col) % 3 {
                0 => cos,
                1 => sin / 3f64.sqrt(),
                _ => -sin / 3f64.sqrt(),
            };
            turned + (1.0 - cos) / 3.0
        };
        (0..9).map(|i| entry(i % 3, i / 3)).collect()
    })
}

pub fn spherical_pendulum() -> ControlProblem {
    guessed(SphericalPendulum, 1.5, |share| {
        let along = |a: f64, b: f64| {
            let ((sin_a, cos_a), (sin_b, cos_b)) = ((a * share).sin_cos(), (b * share).sin_cos());
            [sin_a, cos_a * sin_b, -cos_a * cos_b]
        };
        let (first, second) = (along(0.5, 1.2), along(-0.3, 2.0));
        (0..6).map(|i| if i < 3 { first[i] } else { first[i - 3] + second[i - 3] }).collect()
    })
}

pub fn beam(elements: usize) -> ControlProblem {
    guessed(Beam { elements }, 2.0, move |share| {
        let (x, angle) = (0.5 * share, 0.5 * PI * share);
        let node = |node: usize| {
            let s = node as f64 / elements as f64;
            [x + s * angle.cos(), x + s * angle.sin(), angle]
        };
        (0..=elements).flat_map(node).collect()
    })
}
