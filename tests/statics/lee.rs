//! Lee's frame: two legs hinged at their feet, loaded beside the corner, with two limit loads.

use lariat::discretisation::assembly::build;
use lariat::discretisation::equilibrium::Equilibrium;
use lariat::mechanism::{JointKind, Mechanism};
use lariat::nlp::ParametricSystem;
use lariat::tasks::statics::{Wanted, branch};

use crate::structures::*;

/// Legs of 120, E = 720, A = 6, I = 2, ν = 0.3; unit load downwards at 24 from the corner.
fn frame(shear_factor: f64, order: usize) -> Mechanism {
    let section = round(720.0 * 6.0, shear_factor * 720.0 / 2.6 * 6.0, 720.0 * 2.0, 1.0, 1.0, 1.0);
    let mut mechanism = empty(2);
    mechanism.rods.push(straight(v(0.0, 0.0, 0.0), v(0.0, 120.0, 0.0), section, 10, order));
    mechanism.rods.push(straight(v(0.0, 120.0, 0.0), v(120.0, 120.0, 0.0), section, 10, order));
    mechanism.joints.push(joint([end(0, 10), end(1, 0)], v(0.0, 120.0, 0.0), JointKind::Rigid));
    mechanism.supports.extend([hinge(end(0, 0)), hinge(end(1, 10))]);
    mechanism.loads.push(dead_load(end(1, 2), [0.0, -1.0, 0.0], [0.0; 3]));
    mechanism
}

/// Both limit loads with the displacement of the load point.
fn limits(mechanism: &Mechanism) -> Vec<[f64; 3]> {
    let assembly = build(mechanism);
    let mut equilibrium = Equilibrium::new(&assembly, 0.0);
    let wanted = Wanted {
        factors: Vec::new(),
        range: [f64::NEG_INFINITY, f64::INFINITY],
        limit_points: 2,
        max_steps: 1000,
        ..Wanted::at(&[])
    };
    let path = branch(&mut equilibrium, &wanted, &mut |_| true).unwrap();
    let (_, loaded) = assembly.sections[1][2 * mechanism.rods[1].order];
    let points: Vec<_> = path.limit_points().cloned().collect();
    let place = |point: &lariat::solver::PathPoint| {
        equilibrium.set_parameter(point.parameter);
        let q = equilibrium.configuration(&point.x).unwrap();
        let moved = loaded.position(&assembly.layout, &q) - v(24.0, 120.0, 0.0);
        [point.parameter, moved[0], moved[1]]
    };
    points.iter().map(place).collect()
}

/// Section A10 (9 digits). At a limit point the load is stationary, so its displacement carries half the digits of the
/// load's; it is tested to 1e-5 of its size.
#[test]
fn both_limit_loads() {
    for (shear_factor, loads) in [(1.0, [1.854655874, -0.939614236]), (5.0 / 6.0, [1.854452709, -0.939248964])] {
        let found = limits(&frame(shear_factor, 4));
        println!("{shear_factor}: {found:?}");
        assert_eq!(found.len(), 2);
        for (found, load) in found.iter().zip(loads) {
            assert!((found[0] / load - 1.0).abs() < 1e-8, "factor {shear_factor}: {} instead of {load}", found[0]);
        }
        if shear_factor == 1.0 {
            for (found, wanted) in found.iter().zip([[26.8787013, -48.7510587], [90.1801142, -58.2235946]]) {
                for c in 0..2 {
                    let error = found[1 + c] / wanted[c] - 1.0;
                    assert!(error.abs() < 1e-5, "{} instead of {}", found[1 + c], wanted[c]);
                }
            }
        }
    }
}
