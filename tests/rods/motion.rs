//! Motions against certified values.

use lariat::discretisation::assembly::{Assembly, build};
use lariat::models::structure::{Frame, JointKind, Structure};
use lariat::tasks::simulation::march::{Balance, Marcher, balance, initial_state};

use crate::mechanisms::*;

/// Runs to `end` in `steps` steps and calls `see` with the number of the step and the mechanism.
fn run(structure: &Structure, end: f64, steps: usize, mut see: impl FnMut(usize, &Assembly, &Marcher)) -> Balance {
    let assembly = build(structure);
    let state = initial_state(structure, &assembly, assembly.reference.clone(), 0.0).unwrap();
    let h = end / steps as f64;
    let mut marcher = Marcher::new(&assembly, state, h);
    see(0, &assembly, &marcher);
    for step in 1..=steps {
        marcher.advance(h).unwrap();
        see(step, &assembly, &marcher);
    }
    println!("iterations per step {:.2}", marcher.iterations as f64 / steps as f64);
    balance(&assembly, &marcher.state().q, &marcher.state().momentum).unwrap()
}

#[test]
fn swinging_rubber_rod() {
    for (dimension, elements, order, steps) in
        [(2, 16, 1, 250), (2, 32, 1, 500), (2, 8, 3, 500), (3, 16, 1, 250), (3, 32, 1, 500)]
    {
        let clock = std::time::Instant::now();
        let mut tips = Vec::new();
        let structure = swinging_rod(dimension, elements, order);
        let last = run(&structure, 1.0, steps, |step, assembly, marcher| {
            if (step * 10) % steps == 0 {
                let tip = assembly.sections[0].last().unwrap().1;
                tips.push(tip.position(&assembly.layout, &marcher.state().q));
            }
        });
        let took = clock.elapsed();
        println!(
            "{dimension}D {elements} x {order}, {steps}: {took:?} energy {:.3e}",
            last.kinetic + last.strain + last.gravity
        );
        for (k, x, y) in [
            (2, 0.9418958, -0.1981130),
            (4, 0.4762302, -0.8418688),
            (5, -0.2331175, -0.9194429),
            (10, -0.9400951, -0.0991020),
        ] {
            println!("   t={} {:.2e}", k as f64 * 0.1, ((tips[k][0] - x) as f64).hypot(tips[k][1] - y));
        }
    }
}

/// D1, D2.
#[test]
fn tops() {
    let mut structure = empty(3);
    structure.gravity = v(0.0, 0.0, -9.81);
    let mut top = body("top", 15.0, [0.234375, 0.46875, 0.234375], v(0.0, 1.0, 0.0));
    top.spin = v(0.0, 150.0, -4.61538);
    top.velocity = top.spin.cross(&v(0.0, 1.0, 0.0));
    structure.bodies.push(top);
    structure.joints.push(joint([Frame::Ground, Frame::Body(0)], v(0.0, 0.0, 0.0), JointKind::Spherical));
    for steps in [1000, 2000, 4000] {
        let mut at = v(0.0, 0.0, 0.0);
        run(&structure, 1.0, steps, |_, assembly, marcher| {
            at = assembly.bodies[0].position(&assembly.layout, &marcher.state().q);
        });
        let error = (at - v(0.173343964098386, 0.640088592070569, -0.748490791133581)).norm();
        println!("heavy top {steps}: {error:.3e}");
    }
}
