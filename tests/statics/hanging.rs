//! What only its loads hold: pendulums and strings, from a stated shape in which they do not hang.

use lariat::discretisation::assembly::build;
use lariat::discretisation::equilibrium::Equilibrium;
use lariat::mechanism::{Frame, JointKind, RodKind};
use lariat::tasks::statics::{Wanted, branch};

use crate::solve::*;
use crate::structures::*;

/// A body on a hinge hangs below it, wherever it begins; its joint carries its weight.
#[test]
fn a_pendulum_hangs() {
    for dimension in [2, 3] {
        for at in [v(1.0, 0.3, 0.0), v(-0.5, 0.9, 0.0), v(0.1, -1.0, 0.0)] {
            let mut mechanism = empty(dimension);
            mechanism.gravity = v(0.0, -9.81, 0.0);
            mechanism.bodies.push(body("bob", 2.0, [0.1, 0.2, 0.3], at));
            let axis = JointKind::Revolute(v(0.0, 0.0, 1.0));
            mechanism.joints.push(joint([Frame::Ground, Frame::Body(0)], v(0.0, 0.0, 0.0), axis));
            let state = state(&mechanism);
            let found = state.position(Frame::Body(0));
            assert!((found - v(0.0, -at.norm(), 0.0)).norm() < 1e-9, "{dimension}D from {at:?}: {found:?}");
            assert_eq!(state.stability(), (0, 0));
            let force = state.joint_forces().iter().map(|f| f * f).sum::<f64>().sqrt();
            assert!((force - 2.0 * 9.81).abs() < 1e-8, "{force}");
        }
    }
}

/// Two bodies on hinges with axes across each other hang one below the other. On a ball joint the lower one hangs as
/// well, but nothing resists its spin.
#[test]
fn a_double_pendulum_hangs() {
    let mut mechanism = empty(3);
    mechanism.gravity = v(0.0, -9.81, 0.0);
    mechanism.bodies.push(body("upper", 2.0, [0.1, 0.2, 0.3], v(0.5, 0.0, 0.0)));
    mechanism.bodies.push(body("lower", 1.0, [0.1, 0.2, 0.3], v(1.0, 0.0, 0.7)));
    let hinge = |axis| JointKind::Revolute(axis);
    mechanism.joints.push(joint([Frame::Ground, Frame::Body(0)], v(0.0, 0.0, 0.0), hinge(v(0.0, 0.0, 1.0))));
    mechanism.joints.push(joint([Frame::Body(0), Frame::Body(1)], v(1.0, 0.0, 0.0), hinge(v(0.0, 1.0, 0.0))));
    let state = state(&mechanism);
    let [upper, lower] = [0, 1].map(|k| state.position(Frame::Body(k)));
    assert!((upper - v(0.0, -0.5, 0.0)).norm() < 1e-9, "{upper:?}");
    assert!((lower - v(0.0, -1.7, 0.0)).norm() < 1e-9, "{lower:?}");
    assert_eq!(state.stability(), (0, 0));

    mechanism.joints[1].kind = JointKind::Spherical;
    let assembly = build(&mechanism);
    let mut equilibrium = Equilibrium::new(&assembly, 0.0);
    let refused = branch(&mut equilibrium, &Wanted::at(&[1.0]), &mut |_| true).unwrap_err().to_string();
    assert!(refused.contains("nothing resists a change of rotation") && refused.contains("of lower"), "{refused}");
}

/// A level string with a weight P at its end hangs down, longer by (P + ½wL) L/EA with its own weight w per length.
#[test]
fn a_string_hangs() {
    for dimension in [2, 3] {
        for elements in [1, 10, 40] {
            let mut mechanism = unit_rod(dimension, round(1e3, 0.0, 0.0, 0.0, 0.5, 0.0), elements, 1);
            mechanism.rods[0].kind = RodKind::String;
            mechanism.gravity = v(0.0, -9.81, 0.0);
            mechanism.supports.push(hinge(end(0, 0)));
            mechanism.loads.push(dead_load(end(0, elements), [0.0, -20.0, 0.0], [0.0; 3]));
            let state = state(&mechanism);
            let length = 1.0 + (20.0 + 0.5 * 0.5 * 9.81) / 1e3;
            assert!((state.tip() - v(0.0, -length, 0.0)).norm() < 1e-8, "{dimension}D: {:?}", state.tip());
            assert_eq!(state.stability(), (0, 0));
        }
    }
}
