//! The Goddard rocket: the greatest height of a vertical flight with drag and decreasing mass, in units of the start.

use super::trapezoid::{Quantity, end_time, integrate};
use lariat::nlp::graph::{Expr, Graph, Program};

const LARGEST_THRUST: f64 = 3.5;
const LAST_MASS: f64 = 0.6;
/// Velocity of the exhaust gas, √(g₀ h₀) / 2.
const EXHAUST: f64 = 0.5;
const DRAG: f64 = 0.5 * 620.0;
const THINNING: f64 = 500.0;

/// Maximises the final height; the optimum is 1.0128169, 1.0128350, 1.0128352 with 50, 200, 400 steps.
pub fn rocket(n: usize) -> Program {
    let g = Graph::new();
    let height = Quantity::new("height", &|_| 1.0).within(1.0, f64::INFINITY).from(1.0).on(&g, n);
    let velocity = Quantity::new("velocity", &|s| s * (1.0 - s)).within(0.0, f64::INFINITY).from(0.0).on(&g, n);
    let mass = Quantity::new("mass", &|s| (LAST_MASS - 1.0) * s + 1.0)
        .within(LAST_MASS, 1.0)
        .from(1.0)
        .to(LAST_MASS)
        .on(&g, n);
    let thrust = Quantity::new("thrust", &|_| LARGEST_THRUST / 2.0).within(0.0, LARGEST_THRUST).on(&g, n);
    let (_, step) = end_time(&g, n, f64::INFINITY);
    let acceleration: Vec<Expr<'_>> = (0..=n)
        .map(|i| {
            let drag = DRAG * velocity[i].square() * (-THINNING * (height[i] - 1.0)).exp();
            (thrust[i] - drag) / mass[i] - 1.0 / height[i].square()
        })
        .collect();
    let burning: Vec<_> = thrust.iter().map(|t| -*t / EXHAUST).collect();
    integrate(&g, "height", step, &height, &velocity);
    integrate(&g, "velocity", step, &velocity, &acceleration);
    integrate(&g, "mass", step, &mass, &burning);
    g.maximise(height[n]);
    g.build()
}
