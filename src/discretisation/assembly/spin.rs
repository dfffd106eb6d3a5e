//! A steadily rotating frame: centrifugal and gyroscopic forces of the nodes.
//!
//! In a frame that turns with ω a node of mass m, mass centre y (from a point of the axis) and inertia J moves with
//! ẏ + ω × y and Ω + w, w = Rᵀω. Of its kinetic energy the part without velocities is minus the centrifugal potential
//!
//! V = −½ m yᵀW y − ½ wᵀJ w,  W = |ω|² I − ω ωᵀ,
//!
//! and the part linear in them, m ẏ·(ω × y) + Ω·J w, leaves the gyroscopic forces: 2m ω × ẏ on the mass centre
//! (Coriolis) and (J[w]× + [w]×J − [J w]×) Ω on the rotation, both with skew matrices.

use nalgebra::{Matrix3, Matrix6, Vector3};

use super::{Assembly, Attachment, Forces, Layout, NodeKind, NodeMass, Order};
use crate::geometry::{Quaternion, cross_matrix};
use crate::mechanism::Spin;

/// A frame that turns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TurningFrame {
    /// Angular velocity ω, rad/s; the same in the frame and in space.
    pub omega: Vector3<f64>,
    /// A point of the axis, metre.
    pub about: Vector3<f64>,
}

impl TurningFrame {
    /// The frame of a spin at a rate, rad/s.
    pub fn new(spin: &Spin, rate: f64) -> Self {
        Self { omega: spin.axis * rate, about: spin.about }
    }

    /// Velocity in space of a point that rests in the frame, m/s.
    pub fn velocity_at(&self, point: Vector3<f64>) -> Vector3<f64> {
        self.omega.cross(&(point - self.about))
    }

    /// The mass centre of a node as an attachment.
    fn centre(node: usize, mass: &NodeMass) -> Attachment {
        let plain = mass.centre == Vector3::zeros();
        Attachment { node, offset: mass.centre, turn: Quaternion::IDENTITY, angle: 0.0, plain }
    }

    /// Gyroscopic matrix of a node by (ẋ, Ω or θ̇): forces on its degrees of freedom are minus this times velocities.
    pub fn gyroscopic(&self, layout: &Layout, q: &[f64], node: usize, mass: &NodeMass) -> Matrix6<f64> {
        let at = Self::centre(node, mass);
        let moved = at.position_derivative(layout, q);
        let mut out: Matrix6<f64> = moved.tr_mul(&(cross_matrix(self.omega) * moved)) * (2.0 * mass.mass);
        if layout.kind(node) == NodeKind::SpaceFrame {
            let w = at.node_rotation(layout, q).tr_mul(&self.omega);
            let across = cross_matrix(w);
            let turn = mass.inertia * across + across * mass.inertia - cross_matrix(mass.inertia * w);
            let mut block = out.fixed_view_mut::<3, 3>(3, 3);
            block += turn;
        }
        out
    }
}

/// Potential −½ wᵀJ w with its first two derivatives by a rotation ξ of the node, along exp(ξ): w changes by w × ξ.
fn turning_potential(inertia: &Matrix3<f64>, w: Vector3<f64>) -> (f64, Vector3<f64>, Matrix3<f64>) {
    let momentum = inertia * w;
    let across = cross_matrix(w);
    let mixed = momentum * w.transpose();
    let second = Matrix3::from_diagonal_element(momentum.dot(&w))
        - (mixed + mixed.transpose()) * 0.5
        - across.tr_mul(&(inertia * across));
    (-0.5 * w.dot(&momentum), w.cross(&momentum), second)
}

impl Assembly {
    /// Adds the centrifugal potential times `factor`.
    pub(super) fn add_centrifugal(&self, q: &[f64], order: Order, factor: f64, out: &mut Forces) {
        let Some(frame) = self.turning.filter(|frame| factor != 0.0 && frame.omega != Vector3::zeros()) else { return };
        let omega = frame.omega;
        let pull = (Matrix3::from_diagonal_element(omega.norm_squared()) - omega * omega.transpose()) * factor;
        for (node, mass) in self.masses.iter().enumerate() {
            let (kind, dof) = (self.layout.kind(node), self.layout.freedom(node));
            let (size, first) = (kind.freedoms(), kind.positions());
            let start = self.diagonal_block(node);
            let at = TurningFrame::centre(node, mass);
            let y = at.position(&self.layout, q) - frame.about;
            let force: Vector3<f64> = pull * y * -mass.mass;
            out.energy += 0.5 * force.dot(&y);
            if order >= Order::Gradient {
                let moved = at.position_derivative(&self.layout, q);
                let pulled = moved.tr_mul(&force);
                (0..size).for_each(|c| out.gradient[dof + c] += pulled[c]);
                if order == Order::Hessian {
                    let block: Matrix6<f64> = moved.tr_mul(&(pull * moved)) * -mass.mass;
                    let curvature = at.position_curvature(&self.layout, q, &force);
                    for c in 0..size {
                        for r in 0..size {
                            let turn = if r >= first && c >= first { curvature[(r - first, c - first)] } else { 0.0 };
                            out.stiffness.values[start + r + size * c] += block[(r, c)] + turn;
                        }
                    }
                }
            }
            if kind != NodeKind::SpaceFrame {
                continue;
            }
            let w = at.node_rotation(&self.layout, q).tr_mul(&omega);
            let (energy, gradient, hessian) = turning_potential(&mass.inertia, w);
            out.energy += factor * energy;
            if order >= Order::Gradient {
                (0..3).for_each(|c| out.gradient[dof + 3 + c] += factor * gradient[c]);
            }
            if order == Order::Hessian {
                for c in 0..3 {
                    for r in 0..3 {
                        out.stiffness.values[start + 3 + r + size * (3 + c)] += factor * hessian[(r, c)];
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body() -> Matrix3<f64> {
        Matrix3::new(2.0, 0.1, -0.2, 0.1, 1.5, 0.3, -0.2, 0.3, 0.7)
    }

    /// First and second derivative of −½ wᵀJw against central differences of width 1e-4, whose own error is about 1e-8.
    #[test]
    fn rotations_of_a_body_have_the_derivatives_of_its_potential() {
        let (inertia, omega) = (body(), Vector3::new(0.3, -0.8, 0.5));
        let start = Quaternion::from_rotation_vector(Vector3::new(0.4, 0.7, -0.2));
        let value = |xi: Vector3<f64>| {
            let w = (start * Quaternion::from_rotation_vector(xi)).to_material(omega);
            turning_potential(&inertia, w).0
        };
        let (_, gradient, hessian) = turning_potential(&inertia, start.to_material(omega));
        let h = 1e-4;
        for direction in [Vector3::new(1.0, 0.2, -0.4), Vector3::new(0.0, 0.9, 0.5), Vector3::x()] {
            let [minus, here, plus] = [-h, 0.0, h].map(|step| value(direction * step));
            assert!(((plus - minus) / (2.0 * h) - gradient.dot(&direction)).abs() < 1e-8);
            let second = (plus - 2.0 * here + minus) / (h * h);
            assert!((second - direction.dot(&(hessian * direction))).abs() < 1e-7);
        }
    }

    /// Gyroscopic moments of a body that turns in the frame against Euler's equations in space: with the absolute angular
    /// velocity Ω + w the moment is J(Ω̇ + ẇ) + (Ω + w) × J(Ω + w), where ẇ = w × Ω; its part linear in Ω counts here.
    #[test]
    fn gyroscopic_moments_are_those_of_euler() {
        let (inertia, w) = (body(), Vector3::new(0.3, -0.8, 0.5));
        let across = cross_matrix(w);
        let turn = inertia * across + across * inertia - cross_matrix(inertia * w);
        assert!((turn + turn.transpose()).norm() < 1e-15, "no power");
        for omega in [Vector3::new(1.0, 0.2, -0.4), Vector3::new(0.0, 0.9, 0.5)] {
            let moment = inertia * w.cross(&omega) + omega.cross(&(inertia * w)) + w.cross(&(inertia * omega));
            assert!((turn * omega - moment).norm() < 1e-14);
        }
    }
}
