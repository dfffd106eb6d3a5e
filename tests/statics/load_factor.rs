//! The derivative of the equations by the load factor, on which paths of equilibria rest.

use lariat::discretisation::assembly::build;
use lariat::discretisation::equilibrium::Equilibrium;
use lariat::kernel::Function;
use lariat::mechanism::{Frame, JointKind, Mechanism};
use lariat::nlp::{FollowedSystem, ParametricSystem, SquareSystem};

use crate::structures::*;

const MOVED: f64 = 0.25;

/// A heavy cantilever with a dead and a follower load, and a body joined rigidly to its tip. One support holds x of the body
/// and moves with the factor, another holds y of the tip. Their node stands at the last; the other is an equation.
fn loaded(dimension: usize, moving_last: bool) -> Mechanism {
    let mut mechanism = cantilever(dimension, round(1e3, 5e2, 1.0, 0.8, 1.0, 0.1), 3, 2);
    mechanism.gravity = v(0.3, -9.81, 0.0);
    mechanism.loads.push(dead_load(end(0, 2), [0.1, 0.7, 0.0], [0.0, 0.0, 0.2]));
    mechanism.loads.push(follower(end(0, 3), [0.4, -0.3, 0.0], [0.0, 0.0, 0.5]));
    mechanism.bodies.push(body("weight", 0.3, [0.02, 0.03, 0.04], v(1.0, 0.5, 0.0)));
    mechanism.joints.push(joint([end(0, 3), Frame::Body(0)], v(1.0, 0.0, 0.0), JointKind::Rigid));
    let mut moving = roller(Frame::Body(0), [true, false, false]);
    moving.displacement[0] = Some(Function::constant(MOVED));
    let resting = roller(end(0, 3), [false, true, false]);
    mechanism.supports.extend(if moving_last { [resting, moving] } else { [moving, resting] });
    mechanism
}

/// Where moving supports are equations the residual is affine in the factor, so a difference quotient of any width is exact
/// up to rounding; held coordinates that move enter nonlinearly, and quotients err by the squares of their widths.
#[test]
fn the_derivative_by_the_load_factor_is_that_of_the_residual() {
    for dimension in [2, 3] {
        for affine in [true, false] {
            let assembly = build(&loaded(dimension, !affine));
            let mut equations = Equilibrium::new(&assembly, 0.0);
            let shaken = |(i, x): (usize, &f64)| x + 0.05 * (1.7 * i as f64).sin();
            let x: Vec<f64> = equations.start().iter().enumerate().map(shaken).collect();
            let mut at = |factor: f64| {
                equations.set_parameter(factor);
                let mut out = vec![0.0; x.len()];
                equations.residual(&x, &mut out).unwrap();
                out
            };
            let (middle, width) = (0.6, if affine { 0.5 } else { 1e-3 });
            let (low, high) = (at(middle - width), at(middle + width));
            equations.set_parameter(middle);
            let mut found = vec![f64::NAN; x.len()];
            equations.parameter_derivative(&x, &mut found).unwrap();
            let largest = found.iter().fold(0.0_f64, |m, d| m.max(d.abs()));
            assert!(largest > 1.0, "{largest}");
            let within = if affine { 1e-11 } else { 1e-5 * largest };
            for (row, ((low, high), found)) in low.iter().zip(&high).zip(&found).enumerate() {
                let quotient = (high - low) / (2.0 * width);
                let name = equations.row_name(row);
                assert!((quotient - found).abs() < within, "{dimension}, {name}: {found} instead of {quotient}");
            }
            if affine {
                assert!(found[equations.coordinates()..].iter().any(|d| (d.abs() - MOVED).abs() < 1e-12));
            }
            // The factor of the derivative is not left behind.
            let mut again = vec![0.0; x.len()];
            equations.set_parameter(middle + width);
            equations.residual(&x, &mut again).unwrap();
            assert_eq!(again, high);
        }
    }
}
