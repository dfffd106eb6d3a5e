//! The hang glider: the greatest distance in a thermal updraft, in SI units.

use super::trapezoid::{Quantity, end_time, integrate};
use lariat::nlp::graph::{Graph, Program};

const UPDRAFT: f64 = 2.5;
const UPDRAFT_RADIUS: f64 = 100.0;
const MASS: f64 = 100.0;
const GRAVITY: f64 = 9.81;
const DRAG: [f64; 2] = [0.034, 0.069662];
const AREA: f64 = 14.0;
const DENSITY: f64 = 1.13;
const LARGEST_LIFT: f64 = 1.4;

/// Maximises the final distance; the optimum is 1248.809, 1247.974 with 200, 400 steps. With 50 steps 1286.977 is a
/// local optimum.
pub fn glider(n: usize) -> Program {
    let g = Graph::new();
    let (forward, sink) = (13.23, -1.288);
    let distance = Quantity::new("distance", &|s| forward * s).within(0.0, f64::INFINITY).from(0.0).on(&g, n);
    let altitude = Quantity::new("altitude", &|s| 1000.0 - 100.0 * s).from(1000.0).to(900.0).on(&g, n);
    let vx = Quantity::new("horizontal velocity", &|_| forward)
        .within(0.0, f64::INFINITY)
        .from(forward)
        .to(forward)
        .on(&g, n);
    let vy = Quantity::new("vertical velocity", &|_| sink).from(sink).to(sink).on(&g, n);
    let lift = Quantity::new("lift coefficient", &|_| LARGEST_LIFT / 2.0).within(0.0, LARGEST_LIFT).on(&g, n);
    let (_, step) = end_time(&g, n, f64::INFINITY);
    let mut ax = Vec::with_capacity(n + 1);
    let mut ay = Vec::with_capacity(n + 1);
    for i in 0..=n {
        let r = (distance[i] / UPDRAFT_RADIUS - 2.5).square();
        let w = vy[i] - UPDRAFT * (1.0 - r) * (-r).exp();
        let v2 = vx[i].square() + w.square();
        let v = v2.sqrt();
        let dragging = 0.5 * DENSITY * AREA * (DRAG[0] + DRAG[1] * lift[i].square()) * v2;
        let lifting = 0.5 * DENSITY * AREA * lift[i] * v2;
        ax.push((-lifting * w / v - dragging * vx[i] / v) / MASS);
        ay.push((lifting * vx[i] / v - dragging * w / v) / MASS - GRAVITY);
    }
    integrate(&g, "distance", step, &distance, &vx);
    integrate(&g, "altitude", step, &altitude, &vy);
    integrate(&g, "horizontal velocity", step, &vx, &ax);
    integrate(&g, "vertical velocity", step, &vy, &ay);
    g.maximise(distance[n]);
    g.build()
}
