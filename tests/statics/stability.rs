//! The compressed column: where the straight state loses its stability.

use std::f64::consts::PI;

use lariat::mechanism::Mechanism;

use crate::solve::{State, state, states};
use crate::structures::*;

/// A cantilever of length 1 with EI = 1, pressed along its axis.
fn column(dimension: usize, axial: f64, shear: f64, load: f64) -> Mechanism {
    let mut mechanism = cantilever(dimension, round(axial, shear, 1.0, 1.0, 1.0, 1.0), 8, 3);
    mechanism.loads.push(dead_load(end(0, 8), [-load, 0.0, 0.0], [0.0; 3]));
    mechanism
}

/// The load at which the number of unstable directions of the straight state changes, by bisection.
fn critical(dimension: usize, axial: f64, shear: f64) -> f64 {
    let unstable = |load: f64| state(&column(dimension, axial, shear, load)).stability().0;
    let (mut low, mut high) = (1.0, 4.0);
    assert_eq!((unstable(low), unstable(high)), (0, dimension - 1));
    while high - low > 1e-7 {
        let middle = 0.5 * (low + high);
        if unstable(middle) == 0 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// Euler: P = π²EI/4L², exactly so where EA = GA (below). In space both planes buckle together.
#[test]
fn a_slender_column_buckles_at_eulers_load() {
    let euler = 0.25 * PI * PI;
    for dimension in [2, 3] {
        let found = critical(dimension, 1e4, 1e4);
        println!("{dimension}D: {:.1e}", found / euler - 1.0);
        // Stiffnesses are told from zero down to 1e-11 of the largest, here EA/h.
        assert!((found / euler - 1.0).abs() < 1e-5, "{dimension}D: {found}");
    }
}

/// With stretch and shear the linearised equations about the straight state give EI θ'' + P (1 − P/EA + P/GA) θ = 0,
/// hence P (1 − P/EA + P/GA) = π²EI/4L².
#[test]
fn a_stubby_column_buckles_where_stretch_and_shear_say() {
    for (axial, shear) in [(100.0, 20.0), (30.0, 60.0)] {
        let c = 1.0 / shear - 1.0 / axial;
        let wanted = ((1.0 + PI * PI * c).sqrt() - 1.0) / (2.0 * c);
        let found = critical(2, axial, shear);
        assert!((found / wanted - 1.0).abs() < 1e-6, "EA {axial}, GA {shear}: {found} instead of {wanted}");
    }
}

/// Above the second critical load, 9π²/4, there are two unstable directions in the plane; a free rod is indifferent to
/// its rigid motions.
#[test]
fn unstable_and_indifferent_directions_are_counted() {
    let euler = 0.25 * PI * PI;
    let found = states(&column(2, 1e5, 1e5, 10.0 * euler), &[0.09, 0.11, 0.89, 0.91]);
    assert_eq!(found.iter().map(State::stability).collect::<Vec<_>>(), [(0, 0), (1, 0), (1, 0), (2, 0)]);
    let mut hinged = unit_rod(2, round(1e4, 1e4, 1.0, 1.0, 1.0, 1.0), 4, 2);
    hinged.supports.push(hinge(end(0, 0)));
    hinged.gravity = v(1.0, 0.0, 0.0);
    // Hanging along gravity it is stable, standing against it unstable in the one direction it can fall.
    assert_eq!(state(&hinged).stability(), (0, 0));
    hinged.gravity = v(-1.0, 0.0, 0.0);
    assert_eq!(state(&hinged).stability(), (1, 0));
}
