//! Problems 68 and 69: cost-optimal inspection plans, which hold the distribution function of the normal distribution.

use super::build::*;
use super::{HockSchittkowski as Hs, program};
use std::f64::consts::PI;

/// Nodes and weights of the Gauss-Legendre rule with `points` points on [0, 1].
fn gauss_legendre(points: usize) -> Vec<(f64, f64)> {
    let degree = points as f64;
    (0..points)
        .map(|i| {
            let mut x = (PI * (i as f64 + 0.75) / (degree + 0.5)).cos();
            let mut slope = 1.0;
            for _ in 0..100 {
                let (mut before, mut value) = (1.0, x);
                for k in 2..=points {
                    let k = k as f64;
                    (before, value) = (value, ((2.0 * k - 1.0) * x * value - (k - 1.0) * before) / k);
                }
                slope = degree * (x * value - before) / (x * x - 1.0);
                x -= value / slope;
            }
            (0.5 * (1.0 + x), 1.0 / ((1.0 - x * x) * slope * slope))
        })
        .collect()
}

/// Φ(z) = 1/2 + z ∫₀¹ exp(−z² t² / 2) dt / √(2 π). With 40 points the error is below 1e-15 for |z| < 9, beyond what
/// these problems reach.
fn distribution<'g>(g: &'g Graph, z: Expr<'g>) -> Expr<'g> {
    let half_square = 0.5 * z.square();
    let mean = g.sum(gauss_legendre(40).into_iter().map(|(t, weight)| weight * (-half_square * t * t).exp()));
    0.5 + z * mean / (2.0 * PI).sqrt()
}

fn inspection(g: &Graph, a: f64, b: f64, samples: f64) {
    let [x1, x2, x3, x4] = bounded(g, [1.0; 4], [1e-4, 0.0, 0.0, 0.0], [100.0, 100.0, 2.0, 2.0]);
    let shift = samples.sqrt();
    equal(g, "false alarm", x3 - 2.0 * distribution(g, -x2), 0.0);
    equal(g, "detection", x4 - distribution(g, shift - x2) - distribution(g, -shift - x2), 0.0);
    let growth = x1.exp() - 1.0;
    g.minimise((a * samples - (b * growth - x3) * x4 / (growth + x4)) / x1);
}

pub fn all() -> Vec<Hs> {
    const NOTE: &str = "the normal distribution function is a Gauss-Legendre sum";
    vec![
        Hs::new(
            68,
            "HS68",
            program!(|g: &Graph| inspection(g, 1e-4, 1.0, 24.0)),
            -0.92042500364,
            &[0.06785857708582, 3.64621085568, 0.0002661356252233, 0.894855039375],
        )
        .note(NOTE),
        Hs::new(
            69,
            "HS69",
            program!(|g: &Graph| inspection(g, 0.1, 1000.0, 4.0)),
            -956.71288665,
            &[0.0293714174217, 1.190253450407, 0.2339467906674, 0.7916678112438],
        )
        .note(NOTE),
    ]
}
