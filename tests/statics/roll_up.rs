//! A rod rolled up by a moment at its end.

use std::f64::consts::TAU;

use lariat::mechanism::Mechanism;

use crate::solve::{state, states};
use crate::structures::*;

/// EI = 1, L = 1, two-node elements, moment about z; bending M = κ (1 + β κ²).
fn rolled(dimension: usize, elements: usize, moment: f64, stiffening: f64) -> Mechanism {
    let mut mechanism = cantilever(dimension, round(1e4, 5e3, 1.0, 0.7, 1.0, 1.0), elements, 1);
    mechanism.rods[0].law.stiffening = stiffening;
    mechanism.loads.push(dead_load(end(0, elements), [0.0; 3], [0.0, 0.0, moment]));
    mechanism
}

/// Two-node elements of length h, each turned by κh against the last, chord h along the mean direction.
fn polygon(curvature: f64, elements: usize) -> [f64; 2] {
    let h = 1.0 / elements as f64;
    let chord = h * (0.5 * curvature).sin() / (0.5 * curvature * h).sin();
    [chord * (0.5 * curvature).cos(), chord * (0.5 * curvature).sin()]
}

/// Section A4: M = 2π EI/L closes the circle. Two-node elements measure the curvature of a circle exactly, so the
/// polygon closes for any number of elements.
#[test]
fn a_full_circle_closes_with_any_mesh() {
    for dimension in [2, 3] {
        for elements in [8, 16] {
            for at in states(&rolled(dimension, elements, TAU, 0.0), &[0.25, 0.5, 1.0]) {
                let wanted = polygon(TAU * at.factor, elements);
                let error = (at.tip() - v(wanted[0], wanted[1], 0.0)).norm();
                println!("{dimension}D {elements} {}: {error:.1e}", at.factor);
                assert!(error < 1e-10, "{dimension}D, {elements} elements, {} turns: {error:e}", at.factor);
            }
        }
    }
}

/// Section A4: M = κ (1 + 0.05 κ²), M = 2: κ = 1.7376600406829, tip (0.56749335310651, 0.67106938005943).
#[test]
fn nonlinear_bending() {
    let curvature = 1.7376600406829;
    let exact = v(0.56749335310651, 0.67106938005943, 0.0);
    for dimension in [2, 3] {
        let errors = [8, 16, 32].map(|elements| {
            let tip = state(&rolled(dimension, elements, 2.0, 0.05)).tip();
            let discrete = polygon(curvature, elements);
            let error = (tip - v(discrete[0], discrete[1], 0.0)).norm();
            assert!(error < 1e-10, "{dimension}D, {elements} elements: {error:e}");
            (tip - exact).norm()
        });
        println!("{dimension}D {errors:?} {:?}", orders(&errors));
        assert!(orders(&errors).iter().all(|order| *order > 1.9), "{errors:?}");
    }
}

/// The moment for κ = 2π under the nonlinear law closes the circle as well.
#[test]
fn a_full_circle_of_a_stiffening_rod() {
    for dimension in [2, 3] {
        for elements in [8, 16] {
            let at = state(&rolled(dimension, elements, TAU * (1.0 + 0.05 * TAU * TAU), 0.05));
            assert!(at.tip().norm() < 1e-10, "{dimension}D, {elements} elements: {:e}", at.tip().norm());
        }
    }
}
