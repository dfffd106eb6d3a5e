//! The part of the kinetic energy that the whole would have as one rigid body.

use nalgebra::{Matrix3, Vector3};

use super::march::{ACCURACY, Balance};
use crate::discretisation::assembly::{Assembly, Instant, Order, node_rotation};
use crate::nlp::EvalFailure;
use crate::terms::of_point;

/// Kinetic energy seen from the mass centre, and seen from a frame that turns with the whole, joule.
///
/// By König's theorem K − P²/2M, and of that what is left when the whole, as one rigid body with the same angular momentum L
/// about its mass centre, takes L·I⁻¹L/2.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Inner {
    /// Seen from the mass centre.
    pub central: f64,
    /// Seen from a frame that turns with the whole.
    pub relative: f64,
}

/// Splits the kinetic energy of a configuration.
pub fn inner(assembly: &Assembly, q: &[f64], balance: &Balance) -> Inner {
    let layout = &assembly.layout;
    let bodies = assembly.masses.iter().enumerate().filter(|(_, body)| body.mass > 0.0);
    let placed = bodies.map(|(node, body)| {
        let rotation = node_rotation(layout, q, node);
        (layout.position(q, node) + rotation * body.centre, body.mass, rotation * body.inertia * rotation.transpose())
    });
    let placed: Vec<(Vector3<f64>, f64, Matrix3<f64>)> = placed.collect();
    let mass: f64 = placed.iter().map(|(_, mass, _)| mass).sum();
    if !(mass > 0.0) {
        return Inner { central: balance.kinetic, relative: balance.kinetic };
    }
    let centre = placed.iter().map(|(x, mass, _)| x * *mass).sum::<Vector3<f64>>() / mass;
    let inertia: Matrix3<f64> = placed.iter().map(|(x, mass, turned)| turned + of_point(&(x - centre)) * *mass).sum();
    let (linear, angular) = (Vector3::from(balance.linear), Vector3::from(balance.angular));
    let central = (balance.kinetic - 0.5 * linear.norm_squared() / mass).max(0.0);
    let spin = angular - centre.cross(&linear);
    let principal = inertia.symmetric_eigen();
    let least = 1e-12 * principal.eigenvalues.amax();
    let along = principal.eigenvectors.tr_mul(&spin);
    let turning: f64 =
        along.iter().zip(&principal.eigenvalues).map(|(l, j)| if *j > least { l * l / j } else { 0.0 }).sum();
    Inner { central, relative: (central - 0.5 * turning).max(0.0) }
}

/// Displacements and ways within a step that are this small, relative to the size of the mechanism, are rounding.
const ROUNDED: [f64; 2] = [1e-14, 1e-13];

/// Energies below this, joule, are made of rounding, and of what is left in steps that are solved to a larger error than usual:
/// ½ Σ k (ε L)² + ½ M (ε L/h)², and the work ε (Σ |F| L + Σ |M|) of loads on such displacements.
pub fn rounding(assembly: &Assembly, h: f64, accuracy: f64) -> Result<f64, EvalFailure> {
    let layout = &assembly.layout;
    let size = assembly.size();
    let mut forces = assembly.forces();
    let all = |_: &crate::discretisation::assembly::Element| true;
    assembly.evaluate(&assembly.reference, Order::Hessian, all, |_| None, &[], None, &mut forces)?;
    let mut stiffness = 0.0;
    for &(row, col, start) in forces.stiffness.list.iter().filter(|(row, col, _)| row == col) {
        let (kind, rows) = (layout.kind(row), layout.kind(col).freedoms());
        for c in 0..rows {
            let length = if c < kind.positions() { size } else { 1.0 };
            stiffness += forces.stiffness.values[start + c + rows * c].abs() * length * length;
        }
    }
    let mass: f64 = assembly.masses.iter().map(|node| node.mass).sum();
    let left = if accuracy > ACCURACY { accuracy } else { 0.0 };
    let [displaced, moved] = ROUNDED.map(|rounded| rounded.max(left));
    let [strain, kinetic] = [stiffness * displaced.powi(2), mass * (moved * size / h).powi(2)];
    let mut wrenches = Vec::new();
    assembly.wrenches(Instant { t: 0.0, factor: 1.0 }, &mut wrenches)?;
    let work: f64 = wrenches.iter().map(|load| load.force.norm() * size + load.torque.norm()).sum();
    Ok(0.5 * (strain + kinetic) + moved * work)
}
