//! The unloaded state of a mechanism whose stated shape is stressed: its prestrain grows from nothing.
//!
//! The strains ε⁰ at which elements are unstressed go from those of the stated shape, where nothing is stressed, to the wanted ones.
//! Each share is solved from the straight line through the last two; where the solution is far from that line the step is
//! halved, so that it stays on the branch that begins in the stated shape. A very soft rod has several equilibria, and one solve
//! for all of the prestrain may find any of them.

use crate::discretisation::assembly::Assembly;
use crate::discretisation::equilibrium::Equilibrium;
use crate::nlp::{ParametricSystem, SquareSystem};
use crate::solver::linear::best_general_solver;
use crate::solver::{Newton, NewtonOptions, Status};

/// First share of the prestrain, and the least one worth trying.
const FIRST: f64 = 1.0 / 32.0;
const LEAST: f64 = 1e-6;
/// Largest distance of a solution from the line through the last two, as a fraction of the step.
const BENT: f64 = 0.3;
/// Strains, and parts of the length of springs, below which nothing is stressed.
const UNSTRESSED: f64 = 1e-9;

/// Whether the stated shape is stressed.
pub fn is_stressed(assembly: &Assembly) -> bool {
    let differs = |element: &crate::terms::Element| {
        (0..element.points()).any(|point| {
            let strain = element.strain(&assembly.layout, &assembly.reference, point);
            (strain - element.rest(point)).amax() > UNSTRESSED
        })
    };
    assembly.elements.iter().any(differs)
}

/// The same mechanism with a share of its prestrain.
fn with_share(assembly: &Assembly, share: f64) -> Assembly {
    let mut out = assembly.clone();
    for element in &mut out.elements {
        element.grow(&assembly.layout, &assembly.reference, share);
    }
    out
}

/// The same mechanism without stress and with stiffnesses of one size: what moves in it without resistance does so whatever
/// the material and the mesh.
pub fn evened(assembly: &Assembly) -> Assembly {
    let mut out = assembly.clone();
    for element in &mut out.elements {
        element.even(&assembly.layout, &assembly.reference);
    }
    out
}

/// Unknowns of the equilibrium without loads, if the branch of growing prestrain reaches it.
pub fn grown(equilibrium: &Equilibrium<'_>, options: NewtonOptions) -> Option<Vec<f64>> {
    let assembly = equilibrium.assembly;
    let scales: Vec<f64> = (0..equilibrium.size()).map(|unknown| equilibrium.unknown_scale(unknown)).collect();
    let length = |from: &[f64], to: &[f64]| {
        let parts = from.iter().zip(to).zip(&scales).take(equilibrium.coordinates());
        parts.map(|((a, b), scale)| ((b - a) / scale).powi(2)).sum::<f64>().sqrt()
    };
    let mut newton = Newton::new(best_general_solver(equilibrium.pattern()), options);
    let mut here = equilibrium.start();
    let mut before: Option<(f64, Vec<f64>)> = None;
    let (mut share, mut step) = (0.0, FIRST);
    while share < 1.0 {
        let next = if share + 1.001 * step >= 1.0 { 1.0 } else { share + step };
        let guess = match &before {
            None => here.clone(),
            Some((earlier, x)) => {
                let ratio = (next - share) / (share - earlier);
                here.iter().zip(x).map(|(here, before)| here + ratio * (here - before)).collect()
            }
        };
        let stressed = with_share(assembly, next);
        let mut equations = Equilibrium::new(&stressed, equilibrium.time);
        equations.set_parameter(0.0);
        let solved = newton.solve(&mut equations, &guess, &mut |_| true);
        let found = solved.ok().filter(|solution| solution.status == Status::Solved).map(|solution| solution.x);
        let straight = |x: &Vec<f64>| before.is_none() || length(&guess, x) <= BENT * length(&here, x).max(1e-12);
        match found.filter(straight) {
            Some(x) => {
                before = Some((share, std::mem::replace(&mut here, x)));
                share = next;
                step *= 2.0;
            }
            None => {
                step = 0.5 * (next - share);
                if step < LEAST {
                    return None;
                }
            }
        }
    }
    Some(here)
}
