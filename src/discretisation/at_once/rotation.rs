//! ω = R J⁻¹Rᵀπ of one layer in one time element.

use nalgebra::{Matrix3, Vector3};

use crate::discretisation::galerkin::GAUSS;
use crate::discretisation::galerkin::space::{between, cross_matrix};
use crate::discretisation::march::space::turning::{curvature, logarithm};
use crate::geometry::{Pose, Quaternion};

/// One layer at the two instants of a time element.
pub struct Turning<'f> {
    /// Poses.
    pub poses: [&'f Pose; 2],
    /// Angular momenta per length.
    pub spin: [Vector3<f64>; 2],
    /// J⁻¹ of the section.
    pub per_inertia: &'f Matrix3<f64>,
    /// Length of the element, second.
    pub dt: f64,
}

impl Turning<'_> {
    fn mobility(&self, orientation: Quaternion) -> Matrix3<f64> {
        let r = orientation.matrix();
        r * self.per_inertia * r.transpose()
    }

    /// The rotation in space from the first to the second instant.
    fn turn(&self) -> Vector3<f64> {
        let [a, b] = self.poses.map(|pose| pose.orientation);
        a.rotate(logarithm(a, b))
    }

    /// ∫φ (ω − R J⁻¹Rᵀπ) for the hats of both instants: ∫φ ω is half the rotation of the step.
    pub fn residual(&self) -> [Vector3<f64>; 2] {
        let mut out = [self.turn() * 0.5; 2];
        for u in GAUSS {
            let here = between(self.poses[0], self.poses[1], u);
            let spin = self.spin[0] * (1.0 - u) + self.spin[1] * u;
            let rate = self.mobility(here.orientation) * spin;
            out[0] -= rate * (0.5 * self.dt * (1.0 - u));
            out[1] -= rate * (0.5 * self.dt * u);
        }
        out
    }

    /// Its derivatives by rotations of space (first) and by π (second) at the two instants: `[row][column]`.
    pub fn derivatives(&self) -> [[[Matrix3<f64>; 2]; 2]; 2] {
        let mut out = [[[Matrix3::zeros(); 2]; 2]; 2];
        let turn = self.turn();
        let cross = cross_matrix(turn);
        let square = cross * cross * curvature(turn.norm_squared());
        let by = [-(Matrix3::identity() + cross * 0.5 + square), Matrix3::identity() - cross * 0.5 + square];
        for row in &mut out[0] {
            for (entry, by) in row.iter_mut().zip(&by) {
                *entry += by * 0.5;
            }
        }
        for u in GAUSS {
            let here = between(self.poses[0], self.poses[1], u);
            let spin = self.spin[0] * (1.0 - u) + self.spin[1] * u;
            let mobility = self.mobility(here.orientation);
            // δ(R J⁻¹Rᵀπ) = φ × rate − R J⁻¹Rᵀ(φ × π).
            let by_turn = mobility * cross_matrix(spin) - cross_matrix(mobility * spin);
            let shapes = [1.0 - u, u];
            for (row, test) in shapes.iter().enumerate() {
                for (column, trial) in shapes.iter().enumerate() {
                    let share = 0.5 * self.dt * test * trial;
                    out[0][row][column] -= by_turn * share;
                    out[1][row][column] -= mobility * share;
                }
            }
        }
        out
    }
}
