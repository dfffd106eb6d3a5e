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
//! In two-node elements P bends K to 4/ℓ tan(φ/4) for a relative rotation φ; it is replaced by the exact φ/ℓ, so that
//! arcs and helices under constant moments are met exactly.

use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};

use super::local::{Local, Order};
use super::shape::MAX_NODES;
use crate::geometry::{Quaternion, cross_matrix};
use crate::material::RodLaw;

/// Position and orientation of one node of an element.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpaceEnd {
    /// Position of the elastic axis, metre.
    pub position: Vector3<f64>,
    /// Section frame, of unit length.
    pub orientation: Quaternion,
}

/// A point at which the energy is evaluated.
#[derive(Debug, Clone)]
pub struct SpacePoint {
    /// Weight times length, metre.
    pub weight: f64,
    /// N_i.
    pub n: [f64; MAX_NODES],
    /// dN_i/ds, 1/m.
    pub dn: [f64; MAX_NODES],
    /// Stiffness there.
    pub stiffness: Matrix6<f64>,
    /// Damping there.
    pub damping: Matrix6<f64>,
    /// Strain of the unstressed state.
    pub rest: Vector6<f64>,
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
    pub points: Vec<SpacePoint>,
}

/// Strains at one point and how they vary with the nodes.
struct Kinematics {
    rotation: Matrix3<f64>,
    gamma: Vector3<f64>,
    k: Vector3<f64>,
    theta: [Matrix3<f64>; MAX_NODES],
    dtheta: [Matrix3<f64>; MAX_NODES],
    b: [Vector3<f64>; MAX_NODES],
    db: [Vector3<f64>; MAX_NODES],
}

/// g(x) = atan √x / √x with its first two derivatives, x = tan²(φ/4) ≥ 0.
fn geodesic_factor(x: f64) -> [f64; 3] {
    if x < 1e-3 {
        // Σ (−x)ᵏ/(2k + 1), to rounding.
        let mut sum = [0.0; 3];
        let mut power = [0.0, 0.0, 1.0];
        for k in 0..7 {
            let (k, coefficient) = (k as f64, 1.0 / (2 * k + 1) as f64);
            let sign = if (k as usize).is_multiple_of(2) { coefficient } else { -coefficient };
            sum[0] += sign * power[2];
            sum[1] += sign * k * power[1];
            sum[2] += sign * k * (k - 1.0) * power[0];
            power = [power[1], power[2], power[2] * x];
        }
        return sum;
    }
    let root = x.sqrt();
    let value = root.atan() / root;
    let first = (1.0 / (1.0 + x) - value) / (2.0 * x);
    let second = (-1.0 / (1.0 + x).powi(2) - 3.0 * first) / (2.0 * x);
    [value, first, second]
}

impl SpaceRod {
    /// Position and orientation interpolated at a point.
    fn interpolate(&self, point: &SpacePoint, ends: &[SpaceEnd]) -> (Quaternion, Quaternion, Vector3<f64>) {
        let zero = Quaternion::new(0.0, 0.0, 0.0, 0.0);
        let (mut p, mut dp, mut dx) = (zero, zero, Vector3::zeros());
        for (i, end) in ends.iter().enumerate() {
            p = p + end.orientation * point.n[i];
            dp = dp + end.orientation * point.dn[i];
            dx += end.position * point.dn[i];
        }
        (p, dp, dx)
    }

    /// Γ + e₃ and the interpolated K.
    fn raw_strain(&self, point: &SpacePoint, ends: &[SpaceEnd]) -> (Vector3<f64>, Vector3<f64>) {
        let (p, dp, dx) = self.interpolate(point, ends);
        let nu = p.norm_squared();
        let k = (p.conjugate() * dp).im * (2.0 / nu);
        (p.matrix().tr_mul(&dx) / nu, k)
    }

    /// K as the law sees it.
    fn measured(&self, k: Vector3<f64>) -> Vector3<f64> {
        match self.geodesic {
            Some(length) => k * geodesic_factor(k.norm_squared() * length * length / 16.0)[0],
            None => k,
        }
    }

    /// Strain (Γ, K) at a point, not counting the unstressed one.
    pub fn strain(&self, point: usize, ends: &[SpaceEnd]) -> Vector6<f64> {
        let (gamma, k) = self.raw_strain(&self.points[point], ends);
        let k = self.measured(k);
        Vector6::new(gamma[0], gamma[1], gamma[2] - 1.0, k[0], k[1], k[2])
    }

    /// Smallest |P|² over the points: far below 1 where neighbouring nodes are turned against each other too far.
    pub fn coherence(&self, ends: &[SpaceEnd]) -> f64 {
        let norm = |point: &SpacePoint| self.interpolate(point, ends).0.norm_squared();
        self.points.iter().map(norm).fold(f64::INFINITY, f64::min)
    }

    fn kinematics(&self, point: &SpacePoint, ends: &[SpaceEnd]) -> Kinematics {
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
            theta: [zero.0; MAX_NODES],
            dtheta: [zero.0; MAX_NODES],
            b: [zero.1; MAX_NODES],
            db: [zero.1; MAX_NODES],
        };
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
    fn strain_matrix(&self, at: &Kinematics, point: &SpacePoint, i: usize, measure: &Matrix3<f64>) -> Matrix6<f64> {
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
                let [g, dg, _] = geodesic_factor(k.norm_squared() * scale);
                Matrix3::from_diagonal_element(g) + k * k.transpose() * (2.0 * dg * scale)
            }
        }
    }

    /// ∂(Γ, K)/∂(x_i, ξ_i) at a point for all nodes.
    pub fn strain_matrices(&self, point: usize, ends: &[SpaceEnd], out: &mut [Matrix6<f64>]) {
        let point = &self.points[point];
        let at = self.kinematics(point, ends);
        let measure = self.measure(at.k);
        for (i, b) in out.iter_mut().enumerate().take(self.nodes) {
            *b = self.strain_matrix(&at, point, i, &measure);
        }
    }

    /// Adds energy, gradient and Hessian. `viscous` is a stress per point that is added to the elastic one; it has no
    /// energy and counts as constant.
    pub fn evaluate(&self, ends: &[SpaceEnd], viscous: Option<&[Vector6<f64>]>, order: Order, out: &mut Local) {
        for (index, point) in self.points.iter().enumerate() {
            if order == Order::Energy {
                let strain = self.strain(index, ends) - point.rest;
                out.energy += point.weight * self.law.stresses(&point.stiffness, &strain).energy;
                continue;
            }
            let at = self.kinematics(point, ends);
            let k = self.measured(at.k);
            let strain = Vector6::new(at.gamma[0], at.gamma[1], at.gamma[2] - 1.0, k[0], k[1], k[2]) - point.rest;
            let response = self.law.stresses(&point.stiffness, &strain);
            let stress = response.stress + viscous.map_or_else(Vector6::zeros, |stress| stress[index]);
            out.energy += point.weight * response.energy;
            let measure = self.measure(at.k);
            let mut b = [Matrix6::zeros(); MAX_NODES];
            for i in 0..self.nodes {
                b[i] = self.strain_matrix(&at, point, i, &measure);
                out.add_force(6 * i, &(b[i].tr_mul(&stress) * point.weight));
            }
            if order < Order::Hessian {
                continue;
            }
            let n = stress.fixed_rows::<3>(0).into_owned();
            let m = stress.fixed_rows::<3>(3).into_owned();
            for j in 0..self.nodes {
                let cb = response.tangent * b[j] * point.weight;
                for i in 0..self.nodes {
                    out.add_block(6 * i, 6 * j, &b[i].tr_mul(&cb));
                }
            }
            self.add_geometric(&at, point, &n, &m, &measure, out);
        }
    }

    /// Adds weight · (n·δ²Γ + m·δ²K).
    fn add_geometric(
        &self,
        at: &Kinematics,
        point: &SpacePoint,
        n: &Vector3<f64>,
        m: &Vector3<f64>,
        measure: &Matrix3<f64>,
        out: &mut Local,
    ) {
        let w = point.weight;
        // Work conjugate to the interpolated K, and the curvature of the measure itself.
        let mk = measure.tr_mul(m);
        let bend = self.geodesic.map(|length| self.measure_curvature(at.k, m, length) * w);
        let (gamma, k) = (&at.gamma, &at.k);
        let symmetric = |a: &Vector3<f64>, b: &Vector3<f64>| {
            let outer = a * b.transpose();
            (outer + outer.transpose()) * 0.5 - Matrix3::from_diagonal_element(a.dot(b))
        };
        let q = (symmetric(gamma, n) + symmetric(k, &mk)) * w;
        let cross_n = cross_matrix(*n) * w;
        let half_cross_m = cross_matrix(mk) * (0.5 * w);
        // Halves, because both orders of each product are added.
        let c = (n.cross(gamma) + mk.cross(k)) * (0.5 * w);
        let mk = mk * (0.5 * w);
        for j in 0..self.nodes {
            let (theta, dtheta) = (&at.theta[j], &at.dtheta[j]);
            let mixed = at.rotation * cross_n * theta;
            let (q_theta, m_theta, m_dtheta) = (q * theta, half_cross_m * theta, half_cross_m * dtheta);
            // Rows b_iᵀ and b_i'ᵀ multiply these.
            let along = theta.tr_mul(&c) + dtheta.tr_mul(&mk);
            let along_rate = theta.tr_mul(&mk);
            for i in 0..self.nodes {
                let block = mixed * -point.dn[i];
                out.add_block(6 * i, 6 * j + 3, &block);
                out.add_block(6 * j + 3, 6 * i, &block.transpose());
                let mut turn = at.theta[i].tr_mul(&q_theta);
                turn -= at.dtheta[i].tr_mul(&m_theta);
                turn += at.theta[i].tr_mul(&m_dtheta);
                turn += at.b[i] * along.transpose() + at.db[i] * along_rate.transpose();
                let along_i = at.theta[i].tr_mul(&c) + at.dtheta[i].tr_mul(&mk);
                let rate_i = at.theta[i].tr_mul(&mk);
                turn += along_i * at.b[j].transpose() + rate_i * at.db[j].transpose();
                if i == j {
                    let shrink = c.dot(&at.b[i]) + mk.dot(&at.db[i]);
                    turn -= Matrix3::from_diagonal_element(shrink);
                }
                if let Some(bend) = &bend {
                    let rate = |i: usize| at.dtheta[i] + cross_matrix(at.k) * at.theta[i];
                    turn += rate(i).tr_mul(&(bend * rate(j)));
                }
                out.add_block(6 * i + 3, 6 * j + 3, &turn);
            }
        }
    }

    /// Σ m_a ∂²(measured K_a)/∂K².
    fn measure_curvature(&self, k: Vector3<f64>, m: &Vector3<f64>, length: f64) -> Matrix3<f64> {
        let scale = length * length / 16.0;
        let [_, dg, ddg] = geodesic_factor(k.norm_squared() * scale);
        let mk = m.dot(&k);
        let cross = m * k.transpose();
        (cross + cross.transpose() + Matrix3::from_diagonal_element(mk)) * (2.0 * dg * scale)
            + k * k.transpose() * (4.0 * ddg * scale * scale * mk)
    }
}

#[cfg(test)]
mod tests;
