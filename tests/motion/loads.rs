//! Loads that follow, act along a rod and vary in time: their work is the change of energy.

use lariat::material::Section;
use lariat::mechanism::{LineLoad, LoadPart, Mechanism};

use crate::marching::*;
use crate::mechanisms::*;

fn rod(dimension: usize) -> Mechanism {
    let mut mechanism = empty(dimension);
    let section = Section::principal(4e3, [1.5e3, 1.2e3], [4.0, 3.0], 2.0, 1.1, [1e-3, 2e-3, 3e-3]);
    mechanism.rods.push(straight(v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), section, 6, 1));
    mechanism.supports.push(clamp(end(0, 0)));
    mechanism
}

/// Asserts that work and change of energy agree at all times, with second order.
fn check(what: &str, mechanism: &Mechanism) {
    let errors = [800, 1600, 3200].map(|steps| {
        let (mut work, mut most, mut error) = (0.0, 0.0_f64, 0.0_f64);
        run(mechanism, 0.5, steps, |step, marcher| {
            if step > 0 {
                work += marcher.work();
            }
            most = most.max(energy(marcher));
            error = error.max((energy(marcher) - work).abs());
        });
        assert!(most > 0.02, "{what}: only {most} J");
        error
    });
    assert!(errors[2] < 1e-4, "{what}: {errors:?}");
    assert_second_order(&errors, 0.4);
}

#[test]
fn point_loads_do_work() {
    for dimension in [2, 3] {
        for follows in [false, true] {
            let mut mechanism = rod(dimension);
            // In the plane components that follow are those along and across the rod; in space those along d₁, d₂, d₃.
            let force = [of_time("6*sin(9*t)"), of_time("4*cos(5*t)"), of_time("3*sin(7*t)")];
            let torque = if dimension == 2 {
                [of_time("0"), of_time("0"), of_time("0.7*sin(8*t)")]
            } else {
                [of_time("0.2*sin(6*t)"), of_time("0.3*t"), of_time("0.4*sin(8*t)")]
            };
            mechanism.loads.push(LoadPart { follows, ..load(end(0, 6), force, torque) });
            check(&format!("{dimension}D, follows: {follows}"), &mechanism);
        }
    }
}

#[test]
fn line_loads_do_work() {
    for dimension in [2, 3] {
        for follows in [false, true] {
            let mut mechanism = rod(dimension);
            mechanism.line_loads.push(LineLoad {
                name: "wind".into(),
                rod: 0,
                force: [along("2*s*sin(9*t)"), along("9*s^2*cos(4*t)"), along("5*sin(pi*s)*sin(7*t)")],
                torque: [along("0"), along("0"), along("0.5*s*sin(8*t)")],
                follows,
            });
            check(&format!("{dimension}D, follows: {follows}"), &mechanism);
        }
    }
}
