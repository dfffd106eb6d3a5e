//! Particle steering: the shortest time to a height and a velocity under a thrust of constant magnitude.

use super::trapezoid::{Quantity, end_time, integrate};
use lariat::nlp::graph::{Graph, Program};
use std::f64::consts::FRAC_PI_2;

const THRUST: f64 = 100.0;

/// Minimises the end time; the optimum is 0.55466876, 0.55459540, 0.55457702, 0.55457241 with 50, 100, 200, 400 steps.
pub fn steering(n: usize) -> Program {
    steering_with_end_time_at_most(n, f64::INFINITY)
}

/// The same with an upper bound on the end time, infeasible below the optimum.
pub fn steering_with_end_time_at_most(n: usize, limit: f64) -> Program {
    let g = Graph::new();
    let angle = Quantity::new("control angle", &|_| 0.0).within(-FRAC_PI_2, FRAC_PI_2).on(&g, n);
    let distance = Quantity::new("distance", &|_| 0.0).from(0.0).on(&g, n);
    let height = Quantity::new("height", &|s| 5.0 * s).from(0.0).to(5.0).on(&g, n);
    let speed = Quantity::new("horizontal velocity", &|s| 45.0 * s).from(0.0).to(45.0).on(&g, n);
    let climb = Quantity::new("vertical velocity", &|_| 0.0).from(0.0).to(0.0).on(&g, n);
    let (end, step) = end_time(&g, n, limit);
    let forward: Vec<_> = angle.iter().map(|u| THRUST * u.cos()).collect();
    let upward: Vec<_> = angle.iter().map(|u| THRUST * u.sin()).collect();
    integrate(&g, "distance", step, &distance, &speed);
    integrate(&g, "height", step, &height, &climb);
    integrate(&g, "horizontal velocity", step, &speed, &forward);
    integrate(&g, "vertical velocity", step, &climb, &upward);
    g.minimise(end);
    g.build()
}
