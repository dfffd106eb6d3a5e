//! Robot arm: the shortest time between two positions of rest of an arm that slides, turns and tilts.

use super::trapezoid::{Quantity, end_time, integrate};
use lariat::nlp::graph::{Expr, Graph, Program};
use std::f64::consts::PI;

/// Length of the arm.
const LENGTH: f64 = 5.0;

/// Minimises the end time; the optimum is 9.146879, 9.142686, 9.141397, 9.141029 with 50, 100, 200, 400 steps.
pub fn robot(n: usize) -> Program {
    let g = Graph::new();
    let turn = 2.0 * PI / 3.0;
    let reach = Quantity::new("reach", &|_| 4.5).within(0.0, LENGTH).from(4.5).to(4.5).on(&g, n);
    let theta = Quantity::new("turn", &|s| turn * s * s).within(-PI, PI).from(0.0).to(turn).on(&g, n);
    let phi = Quantity::new("tilt", &|_| PI / 4.0).within(0.0, PI).from(PI / 4.0).to(PI / 4.0).on(&g, n);
    let reach_rate = Quantity::new("reach rate", &|_| 0.0).from(0.0).to(0.0).on(&g, n);
    let theta_rate = Quantity::new("turn rate", &|s| 2.0 * turn * s).from(0.0).to(0.0).on(&g, n);
    let phi_rate = Quantity::new("tilt rate", &|_| 0.0).from(0.0).to(0.0).on(&g, n);
    let control = |name| Quantity::new(name, &|_| 0.0).within(-1.0, 1.0).on(&g, n);
    let (push, twist, lift) = (control("push"), control("twist"), control("lift"));
    let (end, step) = end_time(&g, n, f64::INFINITY);
    let tilting: Vec<_> = reach.iter().map(|r| ((LENGTH - *r).powi(3) + r.powi(3)) / 3.0).collect();
    let turning: Vec<_> = tilting.iter().zip(&phi).map(|(i, phi)| *i * phi.sin().square()).collect();
    let pushed: Vec<_> = push.iter().map(|u| *u / LENGTH).collect();
    integrate(&g, "reach", step, &reach, &reach_rate);
    integrate(&g, "turn", step, &theta, &theta_rate);
    integrate(&g, "tilt", step, &phi, &phi_rate);
    integrate(&g, "reach rate", step, &reach_rate, &pushed);
    integrate(&g, "turn rate", step, &theta_rate, &ratio(&twist, &turning));
    integrate(&g, "tilt rate", step, &phi_rate, &ratio(&lift, &tilting));
    g.minimise(end);
    g.build()
}

fn ratio<'g>(moment: &[Expr<'g>], inertia: &[Expr<'g>]) -> Vec<Expr<'g>> {
    moment.iter().zip(inertia).map(|(moment, inertia)| *moment / *inertia).collect()
}
