//! Space-time finite elements of rods in a row, all of space and time at once: for any data that determine the motion.
//!
//! The equations are those that are solved layer by layer where the data of one end are complete (see
//! [`super::galerkin`]): hats φ_k of the instants 1 … N test ẋ = v, ω = R J⁻¹Rᵀπ and the balances of momentum and of angular
//! momentum of every layer. Forces of actuators, supports and between rods are unknowns at the instants; as many conditions say
//! where guided frames are, in the weak sense of the elements, and that rods that meet move together.

mod attached;
mod derivatives;
mod layout;
pub mod net;
mod rest;
mod rotation;
mod system;

use nalgebra::{Matrix3, Matrix6, Vector3};

pub use net::Net;
pub use rest::Resting;
pub use system::{AtOnce, Course};

use super::march::space::turning::{exponential, logarithm};
use crate::geometry::{Pose, cross_matrix};

/// Steps of central differences, metre or radian.
const SMALL: f64 = 1e-6;

/// A pose at positions and a rotation vector from a base orientation; what there is no component of stays as in the base.
fn deformed(base: &Pose, components: &[usize], values: &[f64]) -> Pose {
    let (mut pose, mut psi) = (*base, Vector3::zeros());
    for (component, value) in components.iter().zip(values) {
        match component.checked_sub(3) {
            None => pose.position[*component] = *value,
            Some(axis) => psi[axis] = *value,
        }
    }
    pose.orientation = exponential(psi) * base.orientation;
    pose
}

/// The positions of a base pose and no rotation.
fn unturned(base: &Pose, components: &[usize]) -> Vec<f64> {
    components.iter().map(|component| if *component < 3 { base.position[*component] } else { 0.0 }).collect()
}

/// Positions and rotations of space by positions and the rotation vector ψ: φ = T δψ with
/// T = 1 + (1 − cos θ)/θ² ψ× + (θ − sin θ)/θ³ ψ×ψ×, θ = |ψ|.
fn turned(components: &[usize], values: &[f64]) -> Matrix6<f64> {
    let mut psi = Vector3::zeros();
    for (component, value) in components.iter().zip(values).filter(|(component, _)| **component > 2) {
        psi[component - 3] = *value;
    }
    let square = psi.norm_squared();
    let (first, second) = match square < 1e-4 {
        true => (0.5 - square / 24.0, 1.0 / 6.0 - square / 120.0),
        false => {
            let angle = square.sqrt();
            ((1.0 - angle.cos()) / square, (angle - angle.sin()) / (square * angle))
        }
    };
    let cross = cross_matrix(psi);
    let mut out = Matrix6::identity();
    out.fixed_view_mut::<3, 3>(3, 3).copy_from(&(Matrix3::identity() + cross * first + cross * cross * second));
    out
}

/// A pose moved along or turned about an axis of space.
fn moved(pose: &Pose, component: usize, by: f64) -> Pose {
    let mut pose = *pose;
    match component.checked_sub(3) {
        None => pose.position[component] += by,
        Some(axis) => pose.orientation = exponential(Vector3::ith(axis, by)) * pose.orientation,
    }
    pose
}

/// The pose a part of the way from one to another.
fn part_of_the_way(from: &Pose, to: &Pose, part: f64) -> Pose {
    Pose {
        position: from.position + (to.position - from.position) * part,
        orientation: from.orientation * exponential(logarithm(from.orientation, to.orientation) * part),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Quaternion;

    /// T against central differences of the rotation, width 1e-6, whose own error is about 1e-10.
    #[test]
    fn rotation_vectors_turn_by_their_tangent() {
        let base = Pose { position: Vector3::zeros(), orientation: Quaternion::from_rotation_vector(Vector3::x()) };
        let components = [0, 1, 2, 3, 4, 5];
        for size in [0.0, 0.003, 0.02, 1.1] {
            let values = [0.0, 0.0, 0.0, 0.4 * size, -0.9 * size, 0.6 * size];
            let tangent = turned(&components, &values);
            for c in 3..6 {
                let at = |h: f64| {
                    let mut values = values;
                    values[c] += h;
                    deformed(&base, &components, &values).orientation
                };
                let (before, after) = (at(-1e-6), at(1e-6));
                let phi = before.rotate(logarithm(before, after)) / 2e-6;
                assert!((phi - tangent.fixed_view::<3, 1>(3, c)).amax() < 1e-9, "{size}");
            }
        }
    }
}
