//! A rod element in the plane: γ₁ = r'·d₁, γ₃ = r'·d₃ − 1, κ = θ', with hand-written derivatives.

use nalgebra::{Matrix3x4, Matrix4, Matrix6, Vector2, Vector3, Vector6};

use super::super::local::{Local, Order};
use super::super::shape::MAX_NODES;
use super::super::strain::{self, RodPoint};
use crate::material::RodLaw;

/// Position and angle of one node of an element.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlaneEnd {
    /// Position of the elastic axis, metre.
    pub position: Vector2<f64>,
    /// Angle of the section, radian.
    pub angle: f64,
}

/// A rod element in the plane; (x, y, θ) per node.
#[derive(Debug, Clone)]
pub struct PlaneRod {
    /// Number of nodes.
    pub nodes: usize,
    /// Law of the stresses.
    pub law: RodLaw,
    /// Quadrature points. Of their stiffness only the rows and columns of Γ₁, Γ₃, K₂ count.
    pub points: Vec<RodPoint>,
}

/// Places of (γ₁, γ₃, κ) among the six strains.
const PLANE: [usize; 3] = [0, 2, 4];

struct Kinematics {
    d1: Vector2<f64>,
    d3: Vector2<f64>,
    /// (γ₁, γ₃ + 1, κ).
    strain: Vector3<f64>,
}

impl PlaneRod {
    #[inline]
    fn kinematics(&self, point: &RodPoint, ends: &[PlaneEnd]) -> Kinematics {
        let (mut tangent, mut angle, mut curvature) = (Vector2::zeros(), 0.0, 0.0);
        for (i, end) in ends.iter().enumerate() {
            tangent += end.position * point.dn[i];
            angle += end.angle * point.n[i];
            curvature += end.angle * point.dn[i];
        }
        let (sin, cos) = angle.sin_cos();
        let (d1, d3) = (Vector2::new(-sin, cos), Vector2::new(cos, sin));
        Kinematics { d1, d3, strain: Vector3::new(tangent.dot(&d1), tangent.dot(&d3), curvature) }
    }

    /// Strain at a point, not counting the unstressed one, among all six.
    pub fn strain(&self, point: usize, ends: &[PlaneEnd]) -> Vector6<f64> {
        let mut nodes = [([0.0; 3], 0.0); MAX_NODES];
        for (slot, end) in nodes.iter_mut().zip(ends) {
            *slot = ([end.position[0], end.position[1], 0.0], end.angle);
        }
        strain::in_plane(&self.points[point], &nodes[..ends.len()]).into()
    }

    /// ∂(γ₁, γ₃, κ)/∂(x, y, θ) of node i.
    fn strain_matrix(at: &Kinematics, point: &RodPoint, i: usize) -> nalgebra::Matrix3<f64> {
        let (n, dn) = (point.n[i], point.dn[i]);
        let [g1, g3, _]: [f64; 3] = at.strain.into();
        nalgebra::Matrix3::new(
            dn * at.d1[0],
            dn * at.d1[1],
            -n * g3,
            dn * at.d3[0],
            dn * at.d3[1],
            n * g1,
            0.0,
            0.0,
            dn,
        )
    }

    /// ∂(Γ, K)/∂(x, y, θ) at a point for all nodes, in the first three columns.
    pub fn strain_matrices(&self, point: usize, ends: &[PlaneEnd], out: &mut [Matrix6<f64>]) {
        let point = &self.points[point];
        let at = self.kinematics(point, ends);
        for (i, b) in out.iter_mut().enumerate().take(self.nodes) {
            let plane = Self::strain_matrix(&at, point, i);
            b.fill(0.0);
            for (row, place) in PLANE.into_iter().enumerate() {
                for col in 0..3 {
                    b[(place, col)] = plane[(row, col)];
                }
            }
        }
    }

    /// Energy per length, (n₁, n₃, m) and their derivatives by (γ₁, γ₃, κ).
    #[inline]
    fn stresses(&self, point: &RodPoint, at: &Kinematics) -> (f64, Vector3<f64>, nalgebra::Matrix3<f64>) {
        let [g1, g3, kappa]: [f64; 3] = at.strain.into();
        let strain = Vector3::new(g1 - point.rest[0], g3 - 1.0 - point.rest[2], kappa - point.rest[4]);
        if self.law.is_linear() {
            let tangent = nalgebra::Matrix3::from_fn(|r, c| point.stiffness[(PLANE[r], PLANE[c])]);
            let stress = tangent * strain;
            return (0.5 * strain.dot(&stress), stress, tangent);
        }
        let all = Vector6::new(strain[0], 0.0, strain[1], 0.0, strain[2], 0.0);
        let response = self.law.stresses(&point.stiffness, &all);
        let tangent = nalgebra::Matrix3::from_fn(|r, c| response.tangent[(PLANE[r], PLANE[c])]);
        (response.energy, Vector3::from_fn(|r, _| response.stress[PLANE[r]]), tangent)
    }

    /// Adds energy, gradient and Hessian; `viscous` as for the rod in space.
    pub fn evaluate(&self, ends: &[PlaneEnd], viscous: Option<&[Vector6<f64>]>, order: Order, out: &mut Local) {
        for (index, point) in self.points.iter().enumerate() {
            let at = self.kinematics(point, ends);
            let (energy, mut stress, tangent) = self.stresses(point, &at);
            out.energy += point.weight * energy;
            if order == Order::Energy {
                continue;
            }
            if let Some(viscous) = viscous {
                stress += Vector3::from_fn(|r, _| viscous[index][PLANE[r]]);
            }
            stress *= point.weight;
            // Work conjugate to x', θ and κ: dγ₁ = d₁·dx' − γ₃ dθ, dγ₃ = d₃·dx' + γ₁ dθ.
            let [g1, g3, _]: [f64; 3] = at.strain.into();
            let force = at.d1 * stress[0] + at.d3 * stress[1];
            let couple = stress[1] * g1 - stress[0] * g3;
            for i in 0..self.nodes {
                let (n, dn) = (point.n[i], point.dn[i]);
                out.add_force(3 * i, &Vector3::new(dn * force[0], dn * force[1], n * couple + dn * stress[2]));
            }
            if order < Order::Hessian {
                continue;
            }
            let b = Matrix3x4::new(
                at.d1[0], at.d1[1], -g3, 0.0, // by x', y', θ, κ
                at.d3[0], at.d3[1], g1, 0.0, //
                0.0, 0.0, 0.0, 1.0,
            );
            let mut second = b.tr_mul(&(tangent * point.weight * b));
            // The force in space turns with θ, and its arm shortens.
            let turned = at.d1 * stress[1] - at.d3 * stress[0];
            for c in 0..2 {
                second[(c, 2)] += turned[c];
                second[(2, c)] += turned[c];
            }
            second[(2, 2)] -= stress[0] * g1 + stress[1] * g3;
            self.add_second(point, &second, out);
        }
    }

    /// Adds second derivatives by (x', y', θ, κ).
    fn add_second(&self, point: &RodPoint, second: &Matrix4<f64>, out: &mut Local) {
        for j in 0..self.nodes {
            let (n, dn) = (point.n[j], point.dn[j]);
            // Columns of x, y and θ of node j.
            let mut columns = nalgebra::Matrix4x3::zeros();
            for r in 0..4 {
                columns[(r, 0)] = second[(r, 0)] * dn;
                columns[(r, 1)] = second[(r, 1)] * dn;
                columns[(r, 2)] = second[(r, 2)] * n + second[(r, 3)] * dn;
            }
            for i in 0..self.nodes {
                let (n, dn) = (point.n[i], point.dn[i]);
                for c in 0..3 {
                    let start = 3 * i + out.size * (3 * j + c);
                    let entries = &mut out.hessian[start..start + 3];
                    entries[0] += dn * columns[(0, c)];
                    entries[1] += dn * columns[(1, c)];
                    entries[2] += n * columns[(2, c)] + dn * columns[(3, c)];
                }
            }
        }
    }
}
