//! The strip of a rod in space between two layers of nodes: its strains are those at the middle of the geodesic between
//! two poses, and forces and moments act in space.
//!
//! For poses (x_L, R_L), (x_R, R_R) at distance ℓ: Ψ = log(R_LᵀR_R), R_m = R_L exp(Ψ/2), d = (x_R − x_L)/ℓ,
//! γ = R_mᵀd, K = Ψ/ℓ. Rotations φ of space vary them by
//!
//! δΨ = A R_mᵀ(φ_R − φ_L), φ_m = ½(φ_L + φ_R) − ½ τ × (φ_R − φ_L), τ = R_m Ψ tan(θ/4)/θ, θ = |Ψ|,
//!
//! with A = f I + (1 − f) ΨΨᵀ/θ², f = ½θ/sin ½θ. So with n = R_m N, q = R_m A M the energy ℓ W has the gradients ±n by
//! positions and ±q − ½ℓ (1 ± τ×)(d × n) by rotations of the right (+) and left (−) pose.

use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};

use crate::discretisation::march::space::turning::logarithm;
pub use crate::geometry::cross_matrix;
use crate::geometry::{Pose, Quaternion};
use crate::material::RodLaw;
use crate::mechanism::{RodPart, Side, StrainError};
use crate::terms::{Order, StringElement};

/// One element along s.
#[derive(Debug, Clone)]
pub struct SpaceStrip {
    /// Length, metre.
    pub length: f64,
    /// Stiffness in the middle.
    pub stiffness: Matrix6<f64>,
    /// Law of the stresses.
    pub law: RodLaw,
    /// Unstressed strain (Γ, K).
    pub rest: Vector6<f64>,
    /// Mass per length in the middle, kg/m.
    pub mass: f64,
    /// Elastic centre of the middle from the axis, in the section, metre: strains are those of the line of elastic centres.
    pub centre: Vector3<f64>,
    /// What resists instead if it is a piece of a string.
    pub string: Option<StringElement>,
}

/// Strains between two poses and what their variations need.
struct Kinematics {
    rotation: Matrix3<f64>,
    d: Vector3<f64>,
    gamma: Vector3<f64>,
    k: Vector3<f64>,
    /// A in space.
    a: Matrix3<f64>,
    /// τ.
    tau: Vector3<f64>,
}

fn kinematics(left: &Pose, right: &Pose, length: f64) -> Kinematics {
    let psi = logarithm(left.orientation, right.orientation);
    let square = psi.norm_squared();
    let (f, outer, tan) = if square < 1e-4 {
        (
            1.0 + square * (1.0 / 24.0 + square * 7.0 / 5760.0),
            -1.0 / 24.0 - square * 7.0 / 5760.0,
            0.25 + square * (1.0 / 192.0 + square / 7680.0),
        )
    } else {
        let angle = square.sqrt();
        let f = 0.5 * angle / (0.5 * angle).sin();
        (f, (1.0 - f) / square, (0.25 * angle).tan() / angle)
    };
    let rotation = left.orientation.turned(psi * 0.5).matrix();
    let d = (right.position - left.position) / length;
    let a = Matrix3::from_diagonal_element(f) + psi * psi.transpose() * outer;
    Kinematics {
        rotation,
        d,
        gamma: rotation.tr_mul(&d),
        k: psi / length,
        a: rotation * a * rotation.transpose(),
        tau: rotation * psi * tan,
    }
}

/// Gradients on the two poses: force and moment, in space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StripForces {
    /// On the pose of smaller and of larger s.
    pub on: [Vector6<f64>; 2],
    /// Internal force and moment in the middle.
    pub stress: Vector6<f64>,
}

impl SpaceStrip {
    /// Between two places of a rod.
    pub fn new(rod: &RodPart, from: f64, to: f64) -> Self {
        let length = to - from;
        let middle = 0.5 * (from + to);
        let section = (rod.section)(middle);
        let [first, second] = section.elastic_offset;
        let centre = Vector3::new(first, second, 0.0);
        if rod.kind.is_limp() {
            let prestrain = rod.prestrain.as_ref().map_or(0.0, |prestrain| prestrain(middle)[2]);
            let axial = section.stiffness[(2, 2)];
            let string = StringElement { length, rest: 1.0 + prestrain, axial, damping: 0.0, law: rod.law.axial };
            let (stiffness, mass, rest, centre) = (section.stiffness, section.mass, Vector6::zeros(), Vector3::zeros());
            return Self { length, stiffness, law: rod.law, rest, mass, centre, string: Some(string) };
        }
        let [left, right] = [from, to].map(|s| moved(&(rod.reference)(s), centre));
        let at = kinematics(&left, &right, length);
        let mut rest = join(at.gamma - Vector3::z(), at.k);
        if let Some(prestrain) = &rod.prestrain {
            rest += prestrain(middle);
        }
        Self { length, stiffness: section.stiffness, law: rod.law, rest, mass: section.mass, centre, string: None }
    }

    /// Whether its sections have an orientation.
    pub fn turns(&self) -> bool {
        self.string.is_none()
    }

    /// Whether it is no string that would have to push.
    pub fn taut(&self, left: &Pose, right: &Pose) -> Result<(), StrainError> {
        let Some(string) = &self.string else { return Ok(()) };
        let ends = [left.position, right.position];
        let tension = string.evaluate(ends, 0.0, Order::Gradient).force.dot(&string.direction(ends)) * string.length;
        if tension > 0.0 { Ok(()) } else { Err(StrainError::Slack { tension }) }
    }

    /// Force and moment on both poses.
    pub fn forces(&self, left: &Pose, right: &Pose) -> Result<StripForces, StrainError> {
        if let Some(string) = &self.string {
            return Self::pulled(string, left, right);
        }
        if self.centre == Vector3::zeros() {
            return self.central_forces(left, right);
        }
        let mut found = self.central_forces(&moved(left, self.centre), &moved(right, self.centre))?;
        for (on, pose) in found.on.iter_mut().zip([left, right]) {
            let lever = pose.orientation.rotate(self.centre).cross(&on.fixed_rows::<3>(0));
            let mut moment = on.fixed_rows_mut::<3>(3);
            moment += lever;
        }
        let middle = (left.orientation + right.orientation).normalised().rotate(self.centre);
        let lever = middle.cross(&found.stress.fixed_rows::<3>(0));
        let mut moment = found.stress.fixed_rows_mut::<3>(3);
        moment += lever;
        Ok(found)
    }

    /// Forces of a string, which pulls or is slack.
    fn pulled(string: &StringElement, left: &Pose, right: &Pose) -> Result<StripForces, StrainError> {
        let ends = [left.position, right.position];
        let stretch = string.stretch(ends);
        if !(stretch > 0.0) {
            return Err(StrainError::Collapsed { stretch });
        }
        let n = string.evaluate(ends, 0.0, Order::Gradient).force;
        let on = [-n, n].map(|force| join(force, Vector3::zeros()));
        Ok(StripForces { on, stress: on[1] })
    }

    /// Force and moment on the elastic centres of both poses.
    fn central_forces(&self, left: &Pose, right: &Pose) -> Result<StripForces, StrainError> {
        let at = kinematics(left, right, self.length);
        if !(at.gamma[2] > 0.0) {
            return Err(StrainError::Collapsed { stretch: at.gamma[2] });
        }
        let stress = self.law.stresses(&self.stiffness, &(join(at.gamma - Vector3::z(), at.k) - self.rest)).stress;
        let n = at.rotation * stress.fixed_rows::<3>(0);
        let m = at.rotation * stress.fixed_rows::<3>(3);
        let (q, lever) = (at.a * m, at.d.cross(&n) * (0.5 * self.length));
        let across = at.tau.cross(&lever);
        Ok(StripForces { on: [join(-n, -q - lever + across), join(n, q - lever - across)], stress: join(n, m) })
    }

    /// Derivative of the force and moment on one pose by a change of position and a rotation of space of one of them. Changes
    /// of A are neglected, which are of second order in the angle between the poses: good enough for an iteration.
    pub fn tangent(&self, left: &Pose, right: &Pose, onto: Side, by: Side) -> Matrix6<f64> {
        if let Some(string) = &self.string {
            // Rotations that do not exist are kept at zero.
            let mut out = Matrix6::identity();
            let stiffness = string.evaluate([left.position, right.position], 0.0, Order::Hessian).stiffness;
            out.fixed_view_mut::<3, 3>(0, 0).copy_from(&(stiffness * (onto.sign() * by.sign())));
            return out;
        }
        if self.centre == Vector3::zeros() {
            return self.central_tangent(left, right, onto, by);
        }
        // The centre moves by δx − [R e]× φ; its force has the moment R e × f about the axis.
        let shifted = |side: Side| {
            let pose = if side == Side::Start { left } else { right };
            let mut out = Matrix6::identity();
            out.fixed_view_mut::<3, 3>(0, 3).copy_from(&-cross_matrix(pose.orientation.rotate(self.centre)));
            out
        };
        let inner = self.central_tangent(&moved(left, self.centre), &moved(right, self.centre), onto, by);
        shifted(onto).transpose() * inner * shifted(by)
    }

    fn central_tangent(&self, left: &Pose, right: &Pose, onto: Side, by: Side) -> Matrix6<f64> {
        let at = kinematics(left, right, self.length);
        let response = self.law.stresses(&self.stiffness, &(join(at.gamma - Vector3::z(), at.k) - self.rest));
        let r = &at.rotation;
        let block = |row, column| r * response.tangent.fixed_view::<3, 3>(row, column) * r.transpose();
        let n = r * response.stress.fixed_rows::<3>(0);
        let m = r * response.stress.fixed_rows::<3>(3);
        let (q, lever) = (at.a * m, at.d.cross(&n) * (0.5 * self.length));
        let sign = by.sign();
        // δd = ± δx/ℓ; φ_m = B φ; R_m δK = ± A φ/ℓ.
        let by_x = sign / self.length;
        let middle = (Matrix3::identity() - cross_matrix(at.tau) * sign) * 0.5;
        let bend = at.a * (sign / self.length);
        // R_m δγ = δd − φ_m × d = δd + [d]× φ_m.
        let strain_by_turn = cross_matrix(at.d) * middle;
        let n_by_x = block(0, 0) * by_x;
        let n_by_turn = block(0, 0) * strain_by_turn + block(0, 3) * bend - cross_matrix(n) * middle;
        let q_by_x = at.a * block(3, 0) * by_x;
        let q_by_turn = at.a * (block(3, 0) * strain_by_turn + block(3, 3) * bend) - cross_matrix(q) * middle;
        // δ(d × n) = −n × δd + d × δn.
        let half = 0.5 * self.length;
        let lever_by_x = (cross_matrix(at.d) * n_by_x - cross_matrix(n) * by_x) * half;
        let lever_by_turn = cross_matrix(at.d) * n_by_turn * half;
        // δτ ≈ φ_m × τ ± ¼ A φ.
        let tau_by_turn = at.a * (0.25 * sign) - cross_matrix(at.tau) * middle;
        let side = onto.sign();
        let turned = Matrix3::identity() + cross_matrix(at.tau) * side;
        let mut out = Matrix6::zeros();
        let mut put = |row, column, block: Matrix3<f64>| out.fixed_view_mut::<3, 3>(row, column).copy_from(&block);
        put(0, 0, n_by_x * side);
        put(0, 3, n_by_turn * side);
        put(3, 0, q_by_x * side - turned * lever_by_x);
        put(3, 3, q_by_turn * side - turned * lever_by_turn + cross_matrix(lever) * tau_by_turn * side);
        out
    }
}

/// The pose at a point of the section.
fn moved(pose: &Pose, point: Vector3<f64>) -> Pose {
    Pose { position: pose.point(point), ..*pose }
}

/// Two vectors of space in one.
pub fn join(a: Vector3<f64>, b: Vector3<f64>) -> Vector6<f64> {
    Vector6::new(a[0], a[1], a[2], b[0], b[1], b[2])
}

/// The pose a fraction u of the way from one to another: a straight line, and the shortest rotation.
pub fn between(a: &Pose, b: &Pose, u: f64) -> Pose {
    let psi = logarithm(a.orientation, b.orientation);
    Pose {
        position: a.position * (1.0 - u) + b.position * u,
        orientation: a.orientation * Quaternion::from_rotation_vector(psi * u),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::{Law, LawSpec};

    fn strip() -> SpaceStrip {
        let mut stiffness = Matrix6::from_fn(|i, j| 0.05 * ((i + 1) * (j + 1)) as f64 / 6.0);
        stiffness += Matrix6::from_diagonal(&Vector6::new(4.0, 5.0, 9.0, 1.0, 1.5, 0.8));
        let law = RodLaw { axial: Law::build(LawSpec::Logarithmic), stiffening: 0.1 };
        let rest = Vector6::new(0.0, 0.01, 0.0, 0.2, -0.1, 0.3);
        SpaceStrip { length: 0.3, stiffness, law, rest, mass: 1.0, centre: Vector3::zeros(), string: None }
    }

    fn poses(bend: f64) -> [Pose; 2] {
        let p = Quaternion::from_rotation_vector(Vector3::new(0.4, -1.0, 0.3));
        let q = p * Quaternion::from_rotation_vector(Vector3::new(0.5, -0.8, 0.6) * bend);
        let along = p.rotate(Vector3::new(0.02, -0.03, 0.31));
        [
            Pose { position: Vector3::new(0.1, 0.2, 0.3), orientation: p },
            Pose { position: Vector3::new(0.1, 0.2, 0.3) + along, orientation: q },
        ]
    }

    fn moved(pose: &Pose, c: usize, h: f64) -> Pose {
        let mut v = Vector3::zeros();
        v[c % 3] = h;
        match c < 3 {
            true => Pose { position: pose.position + v, ..*pose },
            false => Pose { orientation: Quaternion::from_rotation_vector(v) * pose.orientation, ..*pose },
        }
    }

    /// The forces are the gradient of ℓ W by positions and rotations of space: central differences of width 1e-5, whose own
    /// error is about 1e-9.
    #[test]
    fn forces_are_the_gradient_of_the_energy() {
        let strip = strip();
        for bend in [0.005, 0.3, 1.0] {
            let ends = poses(bend);
            let energy = |ends: &[Pose; 2]| {
                let at = kinematics(&ends[0], &ends[1], strip.length);
                let strain = join(at.gamma - Vector3::z(), at.k) - strip.rest;
                strip.length * strip.law.stresses(&strip.stiffness, &strain).energy
            };
            let found = strip.forces(&ends[0], &ends[1]).unwrap();
            for side in Side::BOTH {
                for c in 0..6 {
                    let at = |h: f64| {
                        let mut ends = ends;
                        ends[side.index()] = moved(&ends[side.index()], c, h);
                        energy(&ends)
                    };
                    let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
                    assert!((slope - found.on[side.index()][c]).abs() < 1e-8, "bend {bend}, {side:?}, {c}");
                }
            }
        }
    }

    /// The approximate tangent is exact up to terms of second order in the angle between the poses.
    #[test]
    fn tangents_are_derivatives_up_to_second_order_in_the_angle() {
        let strip = strip();
        let error = |bend: f64| {
            let ends = poses(bend);
            let (mut worst, h) = (0.0_f64, 1e-5);
            for onto in Side::BOTH {
                for by in Side::BOTH {
                    let tangent = strip.tangent(&ends[0], &ends[1], onto, by);
                    for c in 0..6 {
                        let at = |h: f64| {
                            let mut ends = ends;
                            ends[by.index()] = moved(&ends[by.index()], c, h);
                            strip.forces(&ends[0], &ends[1]).unwrap().on[onto.index()]
                        };
                        let slope = (at(h) - at(-h)) / (2.0 * h);
                        worst = worst.max((slope - tangent.column(c)).amax());
                    }
                }
            }
            worst / strip.tangent(&ends[0], &ends[1], Side::End, Side::End).amax()
        };
        assert!(error(1e-4) < 1e-5, "{}", error(1e-4));
        assert!(error(0.1) < 0.01, "{}", error(0.1));
    }
}
