//! Linear buckling: the load factors λ at which K₀ + λ K' is singular, with the stiffness K₀ of the unloaded state and the
//! change K' of it as the loads begin to grow.
//!
//! K' is the derivative along the tangent of the path, by the difference of fourth order: it holds the stresses and the small
//! changes of shape that the loads make. With μ = −1/λ the problem is K'φ = μ K₀φ, and the lowest μ belong to the lowest
//! critical loads.

use crate::discretisation::equilibrium::Equilibrium;
use crate::discretisation::linearised::Linearised;
use crate::nlp::{FollowedSystem, ParametricSystem, SquareSystem};
use crate::solver::eigen::{Pencil, lowest_modes};
use crate::solver::linear::best_general_solver;

/// Largest change of an unknown relative to its scale by which the stiffness is differentiated.
const STEP: f64 = 1e-3;
/// Eigenvalues below this part of the largest are zero: the load does not matter to such motions.
const ZERO: f64 = 1e-9;

/// A critical load by linear buckling.
pub struct LinearMode {
    /// The load factor.
    pub factor: f64,
    /// The motion, in the degrees of freedom of the matrices.
    pub shape: Vec<f64>,
}

/// Up to `count` lowest positive critical load factors, and the matrices of the unloaded state; the error tells why there are
/// none.
pub fn linear_buckling(
    equilibrium: &mut Equilibrium<'_>,
    unloaded: &[f64],
    count: usize,
) -> Result<(Linearised, Vec<LinearMode>), String> {
    let stage = |error: &dyn std::fmt::Display| error.to_string();
    equilibrium.set_parameter(0.0);
    let here = Linearised::new(equilibrium, unloaded).map_err(|error| stage(&error))?;
    let mut jacobian = vec![0.0; equilibrium.pattern().nnz()];
    equilibrium.jacobian(unloaded, &mut jacobian).map_err(|error| stage(&error))?;
    let mut tangent = vec![0.0; unloaded.len()];
    equilibrium.parameter_derivative(unloaded, &mut tangent).map_err(|error| stage(&error))?;
    tangent.iter_mut().for_each(|value| *value = -*value);
    let mut linear = best_general_solver(equilibrium.pattern());
    linear.analyse(equilibrium.pattern()).map_err(|error| stage(&error))?;
    linear.factor(&jacobian).map_err(|error| stage(&error))?;
    linear.solve(&mut tangent).map_err(|error| stage(&error))?;
    let moved = tangent.iter().take(equilibrium.coordinates()).enumerate();
    let largest = moved.map(|(col, x)| x.abs() / equilibrium.unknown_scale(col)).fold(0.0_f64, f64::max);
    if !(largest > 0.0) {
        return Err("there are no loads, or they move nothing".into());
    }
    let step = STEP / largest;
    let mut change = vec![0.0; here.stiffness.len()];
    for (share, weight) in [(1.0, 8.0), (-1.0, -8.0), (2.0, -1.0), (-2.0, 1.0)] {
        let p = share * step;
        let x: Vec<f64> = unloaded.iter().zip(&tangent).map(|(x, t)| x + p * t).collect();
        equilibrium.set_parameter(p);
        let there = Linearised::new(equilibrium, &x).map_err(|error| stage(&error))?;
        if there.asymmetry > super::soft::NO_POTENTIAL {
            return Err("some loads have no potential; [task.modes] tells where motions begin to grow".into());
        }
        let weight = weight / (12.0 * step);
        change.iter_mut().zip(&there.stiffness).for_each(|(sum, k)| *sum += weight * k);
    }
    equilibrium.set_parameter(0.0);
    let (stiffness, mass) = (here.symmetric(&change), here.symmetric(&here.stiffness));
    let pencil = Pencil {
        pattern: &here.pattern,
        stiffness: &stiffness,
        mass: &mass,
        damping: None,
        constraints: here.constraints(),
        compliance: None,
    };
    let there = here.free.len().saturating_sub(here.joints.nrows());
    let modes = lowest_modes(pencil, count.min(there), &mut || false).map_err(|error| stage(&error))?;
    let largest = modes.values.iter().fold(0.0_f64, |m, value| m.max(value.abs()));
    let buckles = |value: &f64| *value < -ZERO * largest;
    let found = modes.values.iter().zip(modes.shapes).filter(|(value, _)| buckles(value));
    let found = found.map(|(value, shape)| LinearMode { factor: -1.0 / value, shape }).collect();
    Ok((here, found))
}
