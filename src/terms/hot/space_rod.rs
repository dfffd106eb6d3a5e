//! A rod element in space: Γ = R(p)ᵀx' − e₃, K = 2 p̄p', with hand-written first and second derivatives.
//!
//! Quaternions are interpolated as P(s) = Σ N_i p_i and normalised. Turning all nodes turns P with them, so the strains
//! are invariant under rigid motions, and they depend on the present nodes only, not on the path to them. Variations
//! ξ_i of the nodes, δp_i = ½ p_i ξ_i, turn the normalised P by θ = Σ Θ_i ξ_i in its own frame, and
//!
//! δΓ = Rᵀδx' + γ × θ,  δK = θ' + K × θ,  γ = Γ + e₃.
//!
//! With a_i = P̄p_i and ν = |P|²: Θ_i = N_i (a_i₀ I + \[a_i\]×)/ν. Second variations follow by differentiating once more
//! along p_i exp(εξ_i/2); there θ changes at the rate −½ Σ |ξ_i|² b_i + (Σ b_i·ξ_i) θ with b_i = N_i Im(a_i)/ν.
//!
//! In two-node elements K is measured by its exact value φ/ℓ, see [`strain`].

use nalgebra::{Matrix3, Matrix6, RowVector6, Vector3, Vector6};

use super::super::local::{Local, Order};
use super::super::shape::MAX_NODES;
use super::super::strain::{self, RodPoint};
use crate::geometry::{Quaternion, cross_matrix};
use crate::material::RodLaw;
use crate::scalar::atan_root_jet;

/// Position and orientation of one node of an element.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpaceEnd {
    /// Position of the elastic axis, metre.
    pub position: Vector3<f64>,
    /// Section frame, of unit length.
    pub orientation: Quaternion,
}

/// A rod element in space with `nodes` nodes; six degrees of freedom each.
#[derive(Debug, Clone)]
pub struct SpaceRod {
    /// Number of nodes.
    pub nodes: usize,
    /// Length of a two-node element with the exact measure of curvature.
    pub geodesic: Option<f64>,
    /// Law of the stresses.
    pub law: RodLaw,
    /// Quadrature points.
    pub points: Vec<RodPoint>,
}

/// Strains at one point and how they vary with the nodes.
struct Kinematics {
    rotation: Matrix3<f64>,
    gamma: Vector3<f64>,
    k: Vector3<f64>,
    /// |P|²: far below 1 where neighbouring nodes are turned against each other too far.
    coherence: f64,
    theta: [Matrix3<f64>; MAX_NODES],
    dtheta: [Matrix3<f64>; MAX_NODES],
    b: [Vector3<f64>; MAX_NODES],
    db: [Vector3<f64>; MAX_NODES],
}

impl SpaceRod {
    /// Position and orientation interpolated at a point.
    fn interpolate(&self, point: &RodPoint, ends: &[SpaceEnd]) -> (Quaternion, Quaternion, Vector3<f64>) {
        let zero = Quaternion::new(0.0, 0.0, 0.0, 0.0);
        let (mut p, mut dp, mut dx) = (zero, zero, Vector3::zeros());
        for (i, end) in ends.iter().enumerate() {
            p = p + end.orientation * point.n[i];
            dp = dp + end.orientation * point.dn[i];
            dx += end.position * point.dn[i];
        }
        (p, dp, dx)
    }

    /// K as the law sees it.
    fn measured(&self, k: Vector3<f64>) -> Vector3<f64> {
        match self.geodesic {
            Some(length) => k * atan_root_jet(k.norm_squared() * length * length / 16.0)[0],
            None => k,
        }
    }

    /// Strain (Γ, K) at a point, not counting the unstressed one.
    pub fn strain(&self, point: usize, ends: &[SpaceEnd]) -> Vector6<f64> {
        let mut nodes = [([0.0; 3], [0.0; 4]); MAX_NODES];
        for (slot, end) in nodes.iter_mut().zip(ends) {
            *slot = (end.position.into(), end.orientation.to_array());
        }
        strain::in_space(&self.points[point], self.geodesic, &nodes[..ends.len()]).into()
    }

    /// What the strain is, and how it varies as far as `order` asks.
    #[inline]
    fn kinematics(&self, point: &RodPoint, ends: &[SpaceEnd], order: Order) -> Kinematics {
        let (p, dp, dx) = self.interpolate(point, ends);
        let nu = p.norm_squared();
        let rotation = p.matrix() / nu;
        let gamma = rotation.tr_mul(&dx);
        let product = p.conjugate() * dp;
        let k = product.im * (2.0 / nu);
        // ν'/ν.
        let growth = 2.0 * product.re / nu;
        let zero = (Matrix3::zeros(), Vector3::zeros());
        let mut out = Kinematics {
            rotation,
            gamma,
            k,
            coherence: nu,
            theta: [zero.0; MAX_NODES],
            dtheta: [zero.0; MAX_NODES],
            b: [zero.1; MAX_NODES],
            db: [zero.1; MAX_NODES],
        };
        if order == Order::Energy {
            return out;
        }
        let matrix = |a: Quaternion| cross_matrix(a.im) + Matrix3::from_diagonal_element(a.re);
        for (i, end) in ends.iter().enumerate() {
            let (n, dn) = (point.n[i] / nu, point.dn[i] / nu);
            let a = p.conjugate() * end.orientation;
            let da = dp.conjugate() * end.orientation;
            out.theta[i] = matrix(a * n);
            out.dtheta[i] = matrix(a * dn + da * n) - out.theta[i] * growth;
            out.b[i] = a.im * n;
            out.db[i] = a.im * dn + da.im * n - out.b[i] * growth;
        }
        out
    }

    /// ∂(Γ, K)/∂(x_i, ξ_i) of one node.
    fn strain_matrix(&self, at: &Kinematics, point: &RodPoint, i: usize, measure: &Matrix3<f64>) -> Matrix6<f64> {
        let mut b = Matrix6::zeros();
        b.fixed_view_mut::<3, 3>(0, 0).copy_from(&(at.rotation.transpose() * point.dn[i]));
        b.fixed_view_mut::<3, 3>(0, 3).copy_from(&(cross_matrix(at.gamma) * at.theta[i]));
        let turn = at.dtheta[i] + cross_matrix(at.k) * at.theta[i];
        b.fixed_view_mut::<3, 3>(3, 3).copy_from(&(measure * turn));
        b
    }

    /// ∂(measured K)/∂K.
    fn measure(&self, k: Vector3<f64>) -> Matrix3<f64> {
        match self.geodesic {
            None => Matrix3::identity(),
            Some(length) => {
                let scale = length * length / 16.0;
                let [g, dg, _] = atan_root_jet(k.norm_squared() * scale);
                Matrix3::from_diagonal_element(g) + k * k.transpose() * (2.0 * dg * scale)
            }
        }
    }

    /// ∂(Γ, K)/∂(x_i, ξ_i) at a point for all nodes.
    pub fn strain_matrices(&self, point: usize, ends: &[SpaceEnd], out: &mut [Matrix6<f64>]) {
        let point = &self.points[point];
        let at = self.kinematics(point, ends, Order::Gradient);
        let measure = self.measure(at.k);
        for (i, b) in out.iter_mut().enumerate().take(self.nodes) {
            *b = self.strain_matrix(&at, point, i, &measure);
        }
    }

    /// Adds energy, gradient and Hessian. `viscous` is a stress per point that is added to the elastic one; it has no
    /// energy and counts as constant.
    pub fn evaluate(&self, ends: &[SpaceEnd], viscous: Option<&[Vector6<f64>]>, order: Order, out: &mut Local) {
        for (index, point) in self.points.iter().enumerate() {
            let at = self.kinematics(point, ends, order);
            out.coherence = out.coherence.min(at.coherence);
            let k = self.measured(at.k);
            let strain = Vector6::new(at.gamma[0], at.gamma[1], at.gamma[2] - 1.0, k[0], k[1], k[2]) - point.rest;
            let response = self.law.stresses(&point.stiffness, &strain);
            out.energy += point.weight * response.energy;
            if order == Order::Energy {
                continue;
            }
            let stress = response.stress + viscous.map_or_else(Vector6::zeros, |stress| stress[index]);
            let stress = stress * point.weight;
            let (n, m) = (stress.fixed_rows::<3>(0).into_owned(), stress.fixed_rows::<3>(3).into_owned());
            let measure = self.measure(at.k);
            let mk = measure.tr_mul(&m);
            // Work conjugate to x', θ and θ'.
            let (force, couple) = (at.rotation * n, n.cross(&at.gamma) + mk.cross(&at.k));
            for i in 0..self.nodes {
                let moment = at.theta[i].tr_mul(&couple) + at.dtheta[i].tr_mul(&mk);
                out.add_force(6 * i, &(force * point.dn[i]));
                out.add_force(6 * i + 3, &moment);
            }
            if order == Order::Hessian {
                let tangent = response.tangent * point.weight;
                let second = Second::new(&at, &tangent, &measure, &n, &mk, self.measure_curvature(at.k, &m));
                self.each_second(&at, point, &second, &mut |row, col, block| out.add_block(row, col, block));
            }
        }
        if order == Order::Hessian {
            out.mirror();
        }
    }

    /// First and second derivatives of one component of Γ, times the weight of the point, by (x_i, ξ_i) of the nodes of a
    /// two-node element; the second by (0, 0), (1, 1) and (0, 1).
    pub fn shear_derivatives(
        point: &RodPoint,
        ends: &[SpaceEnd; 2],
        across: usize,
    ) -> ([RowVector6<f64>; 2], [Matrix6<f64>; 3]) {
        let rod = Self { nodes: 2, geodesic: None, law: RodLaw::default(), points: Vec::new() };
        let at = rod.kinematics(point, ends, Order::Hessian);
        let (measure, zero) = (Matrix3::identity(), Vector3::zeros());
        let first = [0, 1].map(|i| rod.strain_matrix(&at, point, i, &measure).row(across) * point.weight);
        let n = Vector3::ith(across, point.weight);
        let second = Second::new(&at, &Matrix6::zeros(), &measure, &n, &zero, Matrix3::zeros());
        let mut blocks = [Matrix6::zeros(); 3];
        rod.each_second(&at, point, &second, &mut |row, col, block| {
            let place = if row / 6 != col / 6 { 2 } else { row / 6 };
            let mut part = blocks[place].fixed_view_mut::<3, 3>(row % 6, col % 6);
            part += block;
        });
        // Of a node with itself only the blocks on and above the diagonal are told.
        for own in &mut blocks[..2] {
            let above = own.fixed_view::<3, 3>(0, 3).transpose();
            own.fixed_view_mut::<3, 3>(3, 0).copy_from(&above);
        }
        (first, blocks)
    }

    /// Tells the blocks of the second derivatives on and above the diagonal: row, column, what is added there.
    fn each_second(
        &self,
        at: &Kinematics,
        point: &RodPoint,
        second: &Second,
        add: &mut dyn FnMut(usize, usize, &Matrix3<f64>),
    ) {
        // Columns of node i: derivatives of x' by its rotation, and what b_i and b_i' are multiplied by.
        let mut by_x = [Matrix3::zeros(); MAX_NODES];
        let mut along = [[Vector3::zeros(); 2]; MAX_NODES];
        for j in 0..self.nodes {
            let (theta, dtheta) = (&at.theta[j], &at.dtheta[j]);
            by_x[j] = second.x_theta * theta + second.x_rate * dtheta;
            let by_theta = second.theta_theta * theta + second.theta_rate * dtheta;
            let by_rate = second.theta_rate.tr_mul(theta) + second.rate_rate * dtheta;
            let rate = theta.tr_mul(&second.moment);
            along[j] = [theta.tr_mul(&second.couple) + dtheta.tr_mul(&second.moment), rate];
            for i in 0..=j {
                let (dn_i, dn_j) = (point.dn[i], point.dn[j]);
                let mut turn = at.theta[i].tr_mul(&by_theta) + at.dtheta[i].tr_mul(&by_rate);
                turn += at.b[i] * along[j][0].transpose() + at.db[i] * along[j][1].transpose();
                turn += along[i][0] * at.b[j].transpose() + along[i][1] * at.db[j].transpose();
                if i == j {
                    let shrink = second.couple.dot(&at.b[i]) + second.moment.dot(&at.db[i]);
                    turn -= Matrix3::from_diagonal_element(shrink);
                } else {
                    add(6 * i + 3, 6 * j, &(by_x[i].transpose() * dn_j));
                }
                add(6 * i, 6 * j, &(second.x_x * (dn_i * dn_j)));
                add(6 * i, 6 * j + 3, &(by_x[j] * dn_i));
                add(6 * i + 3, 6 * j + 3, &turn);
            }
        }
    }

    /// Σ m_a ∂²(measured K_a)/∂K².
    fn measure_curvature(&self, k: Vector3<f64>, m: &Vector3<f64>) -> Matrix3<f64> {
        let Some(length) = self.geodesic else { return Matrix3::zeros() };
        let scale = length * length / 16.0;
        let [_, dg, ddg] = atan_root_jet(k.norm_squared() * scale);
        let mk = m.dot(&k);
        let cross = m * k.transpose();
        (cross + cross.transpose() + Matrix3::from_diagonal_element(mk)) * (2.0 * dg * scale)
            + k * k.transpose() * (4.0 * ddg * scale * scale * mk)
    }
}

/// Second derivative of the energy at a point by x', θ and θ', which is the same for all nodes: δΓ = Rᵀδx' + γ × θ,
/// δK = M (θ' + K × θ) with the measure M. Halves of the last two go with b_i, because both orders of each product are
/// added.
struct Second {
    x_x: Matrix3<f64>,
    x_theta: Matrix3<f64>,
    x_rate: Matrix3<f64>,
    theta_theta: Matrix3<f64>,
    theta_rate: Matrix3<f64>,
    rate_rate: Matrix3<f64>,
    /// ½ (n × γ + m × K).
    couple: Vector3<f64>,
    /// ½ m.
    moment: Vector3<f64>,
}

impl Second {
    /// All stresses come with their weight; `mk` is conjugate to the interpolated K, `bend` the curvature of the measure.
    fn new(
        at: &Kinematics,
        tangent: &Matrix6<f64>,
        measure: &Matrix3<f64>,
        n: &Vector3<f64>,
        mk: &Vector3<f64>,
        bend: Matrix3<f64>,
    ) -> Self {
        let block = |r, c| tangent.fixed_view::<3, 3>(r, c).into_owned();
        let (stretch, mixed, bending) = (block(0, 0), block(0, 3) * measure, measure.tr_mul(&block(3, 3)) * measure);
        let (gamma, k) = (cross_matrix(at.gamma), cross_matrix(at.k));
        let symmetric = |a: &Vector3<f64>, b: &Vector3<f64>| {
            let outer = a * b.transpose();
            (outer + outer.transpose()) * 0.5 - Matrix3::from_diagonal_element(a.dot(b))
        };
        let rate_rate = bending + bend;
        // Rows of n and of m by θ.
        let (of_force, of_moment) = (stretch * gamma + mixed * k, mixed.tr_mul(&gamma) + rate_rate * k);
        let geometric = symmetric(&at.gamma, n) + symmetric(&at.k, mk);
        Self {
            x_x: at.rotation * stretch * at.rotation.transpose(),
            x_theta: at.rotation * (of_force - cross_matrix(*n)),
            x_rate: at.rotation * mixed,
            theta_theta: gamma.tr_mul(&of_force) + k.tr_mul(&of_moment) + geometric,
            theta_rate: gamma.tr_mul(&mixed) + k.tr_mul(&rate_rate) + cross_matrix(mk * 0.5),
            rate_rate,
            couple: (n.cross(&at.gamma) + mk.cross(&at.k)) * 0.5,
            moment: mk * 0.5,
        }
    }
}

#[cfg(test)]
mod tests;
