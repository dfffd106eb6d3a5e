//! Known forces on attached frames, at one instant.

use nalgebra::{Matrix3, Vector3};

use super::attachment::{Attachment, Wrench};
use super::layout::{Layout, NodeKind};
use super::nodes::Works;
use crate::geometry::algebra::{Rotation, Vector, add, cross, lifted, times};
use crate::geometry::cross_matrix;
use crate::kernel::{EvalError, Function, Profile, cubic};
use crate::scalar::Scalar;

/// Force and torque on an attached frame.
#[derive(Debug, Clone)]
pub struct Load {
    /// Name in the problem file.
    pub name: String,
    /// Where it acts.
    pub at: Attachment,
    /// Its components over time.
    pub source: LoadSource,
    /// Whether they are those in the frame itself.
    pub follows: bool,
}

/// Where the components come from.
#[derive(Debug, Clone)]
pub enum LoadSource {
    /// Force and torque.
    Frame([Function; 3], [Function; 3]),
    /// Weights (metre) and arc lengths times force and torque per length.
    Line(Vec<(f64, f64)>, [Profile; 3], [Profile; 3]),
    /// Force and torque at instants `dt` apart from `start`, with cubics between them.
    Sampled {
        /// First instant, second.
        start: f64,
        /// Distance of the instants, second.
        dt: f64,
        /// Samples of the three components of the force and of the torque; empty for those that are zero.
        values: [Vec<f64>; 6],
    },
}

impl Load {
    /// Force and torque at time t.
    pub fn wrench(&self, t: f64) -> Result<Wrench, EvalError> {
        let mut out = Wrench { force: Vector3::zeros(), torque: Vector3::zeros() };
        match &self.source {
            LoadSource::Frame(force, torque) => {
                for c in 0..3 {
                    out.force[c] = force[c].value(t)?;
                    out.torque[c] = torque[c].value(t)?;
                }
            }
            LoadSource::Sampled { start, dt, values } => {
                let at = |samples: &[f64]| if samples.is_empty() { 0.0 } else { cubic(samples, (t - start) / dt) };
                for c in 0..3 {
                    out.force[c] = at(&values[c]);
                    out.torque[c] = at(&values[3 + c]);
                }
            }
            LoadSource::Line(points, force, torque) => {
                for &(weight, s) in points {
                    for c in 0..3 {
                        out.force[c] += weight * force[c].value(s, t)?;
                        out.torque[c] += weight * torque[c].value(s, t)?;
                    }
                }
            }
        }
        Ok(out)
    }

    /// Generalised forces of components of force and torque, in space or, if they follow, along the axes of the frame.
    pub fn work_over<T: Scalar>(&self, works: &mut Works<'_, T>, force: Vector<T>, torque: Vector<T>) {
        let node = self.at.node;
        if !self.follows {
            works.force(&self.at, force);
            works.torque(node, torque);
            return;
        }
        let in_node = |v: Vector<T>| match works.nodes.layout.kind(node) {
            NodeKind::SpaceFrame => times(&self.at.turn.matrix(), v),
            NodeKind::PlaneFrame => Rotation::in_plane(v[0].lift(self.at.angle)).rotate(v),
            NodeKind::PlanePoint | NodeKind::SpacePoint => v,
        };
        let (force, torque) = (in_node(force), in_node(torque));
        let beside = cross(lifted(force[0], &self.at.offset), force);
        let at_node = Attachment { offset: Vector3::zeros(), ..self.at };
        let in_space = works.nodes.rotation(node).rotate(force);
        works.force(&at_node, in_space);
        works.moment(node, add(beside, torque));
    }

    /// Subtracts the load from the forces of a node and its derivative from the (node, node) block.
    ///
    /// Dead forces have the potential −f·y: their derivative is symmetric and `gradient` is their gradient. All others
    /// go to `other`, with the derivative of their components in the frame of the node.
    pub fn add(
        &self,
        layout: &Layout,
        q: &[f64],
        wrench: &Wrench,
        gradient: &mut [f64],
        other: &mut [f64],
        block: Option<&mut [f64]>,
    ) {
        let node = self.at.node;
        let kind = layout.kind(node);
        let (dof, size, positions) = (layout.freedom(node), kind.freedoms(), kind.positions());
        let mut jacobian = nalgebra::SMatrix::<f64, 6, 6>::zeros();
        let rotation = self.at.node_rotation(layout, q);
        if self.follows {
            // Components in the frame of the node.
            let (force, torque) = match kind {
                NodeKind::SpaceFrame => (self.at.turn.rotate(wrench.force), self.at.turn.rotate(wrench.torque)),
                NodeKind::PlaneFrame => {
                    // In the plane the components are (along d₃, along d₁).
                    let (sin, cos) = self.at.angle.sin_cos();
                    let f = wrench.force;
                    (Vector3::new(cos * f[0] - sin * f[1], sin * f[0] + cos * f[1], 0.0), wrench.torque)
                }
                NodeKind::PlanePoint | NodeKind::SpacePoint => (wrench.force, wrench.torque),
            };
            let in_space = rotation * force;
            for c in 0..positions {
                other[dof + c] -= in_space[c];
            }
            let moment = self.at.offset.cross(&force) + torque;
            match kind {
                NodeKind::SpaceFrame => {
                    for c in 0..3 {
                        other[dof + 3 + c] -= moment[c];
                    }
                    jacobian.fixed_view_mut::<3, 3>(0, 3).copy_from(&(rotation * cross_matrix(force)));
                }
                NodeKind::PlaneFrame => {
                    other[dof + 2] -= moment[2];
                    jacobian[(0, 2)] = in_space[1];
                    jacobian[(1, 2)] = -in_space[0];
                }
                NodeKind::PlanePoint | NodeKind::SpacePoint => {}
            }
        } else {
            let pulled = self.at.position_derivative(layout, q).tr_mul(&wrench.force);
            for c in 0..size {
                gradient[dof + c] -= pulled[c];
            }
            let curvature: Matrix3<f64> = self.at.position_curvature(layout, q, &-wrench.force);
            match kind {
                NodeKind::SpaceFrame => {
                    let torque = rotation.tr_mul(&wrench.torque);
                    for c in 0..3 {
                        other[dof + 3 + c] -= torque[c];
                    }
                    let turn = curvature - cross_matrix(torque);
                    jacobian.fixed_view_mut::<3, 3>(3, 3).copy_from(&turn);
                }
                NodeKind::PlaneFrame => {
                    other[dof + 2] -= wrench.torque[2];
                    jacobian[(2, 2)] = curvature[(0, 0)];
                }
                NodeKind::PlanePoint | NodeKind::SpacePoint => {}
            }
        }
        if let Some(block) = block {
            for c in 0..size {
                for r in 0..size {
                    block[r + size * c] += jacobian[(r, c)];
                }
            }
        }
    }

    /// Potential of a dead force, −f·y; zero for other loads.
    pub fn potential(&self, layout: &Layout, q: &[f64], wrench: &Wrench) -> f64 {
        if self.follows { 0.0 } else { -wrench.force.dot(&self.at.position(layout, q)) }
    }
}
