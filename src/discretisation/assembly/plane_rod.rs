//! A rod element in the plane: γ₁ = r'·d₁, γ₃ = r'·d₃ − 1, κ = θ', with hand-written derivatives.

use nalgebra::{Matrix6, Vector2, Vector3, Vector6};

use super::local::{Local, Order};
use super::shape::MAX_NODES;
use super::space_rod::SpacePoint;
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
    pub points: Vec<SpacePoint>,
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
    fn kinematics(&self, point: &SpacePoint, ends: &[PlaneEnd]) -> Kinematics {
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
        let [a, b, c]: [f64; 3] = self.kinematics(&self.points[point], ends).strain.into();
        Vector6::new(a, 0.0, b - 1.0, 0.0, c, 0.0)
    }

    /// ∂(γ₁, γ₃, κ)/∂(x, y, θ) of node i.
    fn strain_matrix(at: &Kinematics, point: &SpacePoint, i: usize) -> nalgebra::Matrix3<f64> {
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

    /// Adds energy, gradient and Hessian; `viscous` as for the rod in space.
    pub fn evaluate(&self, ends: &[PlaneEnd], viscous: Option<&[Vector6<f64>]>, order: Order, out: &mut Local) {
        for (index, point) in self.points.iter().enumerate() {
            let at = self.kinematics(point, ends);
            let [g1, g3, kappa]: [f64; 3] = at.strain.into();
            let mut strain = -point.rest;
            strain[0] += g1;
            strain[2] += g3 - 1.0;
            strain[4] += kappa;
            (strain[1], strain[3], strain[5]) = (0.0, 0.0, 0.0);
            let response = self.law.stresses(&point.stiffness, &strain);
            out.energy += point.weight * response.energy;
            if order == Order::Energy {
                continue;
            }
            let stress = response.stress + viscous.map_or_else(Vector6::zeros, |stress| stress[index]);
            let stress = Vector3::new(stress[0], stress[2], stress[4]) * point.weight;
            let mut b = [nalgebra::Matrix3::zeros(); MAX_NODES];
            for i in 0..self.nodes {
                b[i] = Self::strain_matrix(&at, point, i);
                out.add_force(3 * i, &b[i].tr_mul(&stress));
            }
            if order < Order::Hessian {
                continue;
            }
            let tangent = nalgebra::Matrix3::from_fn(|r, c| response.tangent[(PLANE[r], PLANE[c])] * point.weight);
            // r'·(n₁ d₁ + n₃ d₃) turned: force of the section in space, and its derivatives by θ.
            let force = at.d1 * stress[1] - at.d3 * stress[0];
            let turning = -(stress[0] * g1 + stress[1] * g3);
            for j in 0..self.nodes {
                let cb = tangent * b[j];
                for i in 0..self.nodes {
                    let mut block = b[i].tr_mul(&cb);
                    for c in 0..2 {
                        block[(c, 2)] += force[c] * point.dn[i] * point.n[j];
                        block[(2, c)] += force[c] * point.dn[j] * point.n[i];
                    }
                    block[(2, 2)] += turning * point.n[i] * point.n[j];
                    out.add_block(3 * i, 3 * j, &block);
                }
            }
        }
    }
}
