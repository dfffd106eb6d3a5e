//! Forces by velocity from outside: the drag of a fluid, and loads stated as expressions of the motion of their frame.
//!
//! At a point y = x + R r of a node the velocity is v = ẋ + R(Ω × r) − U, and the force f(v, t) of [`DragLaw`] does the power
//! f·v of the same motion. Along rods the tangent t is the director d₃ of the section; a string has none, and the tangent is that
//! of the line through the nodes of the element. Rotation is resisted by the moment −c_r Ω. A stated load has force and torque
//! F(ẏ, ω), T(ẏ, ω) of the velocity and the angular velocity ω = RΩ in space.

mod law;

use std::sync::Arc;

use nalgebra::{Matrix3, Matrix6, SMatrix, Vector3, Vector6};
use num_dual::Dual64;

use super::attachment::{Attachment, node_rotation};
use super::layout::{Layout, NodeKind};
use super::nodes::{ByFreedom, MovingNodes, Nodes, Works, length};
use crate::geometry::algebra::{Vector, add, lifted, sub};
use crate::geometry::{Quaternion, cross_matrix};
use crate::kernel::{Formula, FormulaScalar};
use crate::material::DragLaw;
use crate::scalar::Scalar;

pub use law::DragSlopes;

/// Drag at a point that moves with a node.
#[derive(Debug, Clone)]
pub struct Drag {
    /// What it acts on, in the user's words.
    pub name: String,
    /// Where it acts.
    pub at: Attachment,
    /// How it follows from the motion.
    pub resistance: Resistance,
}

/// How forces follow from velocities.
#[derive(Debug, Clone)]
pub enum Resistance {
    /// Those of a fluid.
    Fluid {
        /// Force.
        law: DragLaw,
        /// The direction it distinguishes.
        axis: Axis,
        /// c_r, N m s.
        rotary: f64,
    },
    /// Force and torque in space, each of the velocity and the angular velocity in space; none at rest.
    Stated(Arc<[Formula; 6]>),
}

/// The direction along which the drag is tangential.
#[derive(Debug, Clone, PartialEq)]
pub enum Axis {
    /// None: it is the same in all directions.
    None,
    /// A unit vector in the frame of the node.
    Director(Vector3<f64>),
    /// The derivative by s of a line through points: slopes of their shape functions, 1/m.
    Line(Vec<(Attachment, f64)>),
}

/// ∂(generalised force)/∂(freedoms) and ∂(generalised force)/∂(velocities) of nodes: row node, column node, both matrices.
pub type TakeSlopes<'a> = dyn FnMut(usize, usize, &Matrix6<f64>, &Matrix6<f64>) + 'a;

impl Drag {
    /// Whether small motions about rest are resisted, of drag by the square of the velocity only where a current flows.
    pub fn resists(&self, flows: bool) -> bool {
        match &self.resistance {
            Resistance::Fluid { law, rotary, .. } => {
                flows || *rotary != 0.0 || law.normal[0] != 0.0 || law.tangential[0] != 0.0
            }
            Resistance::Stated(_) => true,
        }
    }

    /// Generalised forces in a current, times a factor.
    pub fn work_over<T: FormulaScalar>(
        &self,
        moving: &MovingNodes<'_, T>,
        current: Vector<T>,
        factor: f64,
        works: &mut Works<'_, T>,
    ) {
        let node = self.at.node;
        match &self.resistance {
            Resistance::Fluid { law, axis, rotary } => {
                if !law.is_none() {
                    let v = sub(moving.point_velocity(&self.at), current);
                    let force = law.force_over(v, axis.tangent_over(node, &moving.nodes));
                    works.force(&self.at, force.map(|f| f * factor));
                }
                if *rotary != 0.0 {
                    works.moment(node, moving.spin(node).map(|spin| spin * (-factor * rotary)));
                }
            }
            Resistance::Stated(law) => {
                let v = moving.point_velocity(&self.at);
                let spin = moving.nodes.rotation(node).rotate(moving.spin(node));
                let motion = [v[0], v[1], v[2], spin[0], spin[1], spin[2]];
                let part = |first: usize| [0, 1, 2].map(|c| T::formula(&law[first + c], &motion) * factor);
                works.force(&self.at, part(0));
                works.torque(node, part(3));
            }
        }
    }

    /// Adds the generalised forces to those of the degrees of freedom.
    pub fn add(&self, moving: &MovingNodes<'_, f64>, current: &Vector3<f64>, factor: f64, out: &mut [f64]) {
        let mut take = |freedom: usize, force: f64| out[freedom] += force;
        let mut receiver = ByFreedom { layout: moving.nodes.layout, take: &mut take };
        let mut works = Works { nodes: moving.nodes, receiver: &mut receiver };
        self.work_over(moving, lifted(factor, current), factor, &mut works);
    }

    /// Derivatives of the generalised forces. The velocities are (ẋ, Ω or θ̇) with Ω in the frame of the node, at fixed values of
    /// which the freedoms change.
    pub fn slopes(
        &self,
        moving: &MovingNodes<'_, f64>,
        current: &Vector3<f64>,
        factor: f64,
        take: &mut TakeSlopes<'_>,
    ) {
        let Nodes { layout, q } = moving.nodes;
        let node = self.at.node;
        let kind = layout.kind(node);
        let rotation = node_rotation(layout, q, node);
        let spin: Vector3<f64> = moving.spin(node).into();
        let v = Vector3::from(moving.point_velocity(&self.at));
        let position = self.at.position_derivative(layout, q);
        // A turn ξ of the node changes R a by R (ξ × a).
        let turned = |vector: Vector3<f64>| by_turn(kind, &(-(rotation * cross_matrix(vector))));
        let swung = turned(spin.cross(&self.at.offset));
        let (force, by_place, by_rate, moment) = match &self.resistance {
            Resistance::Fluid { law, axis, rotary } => {
                let tangent = axis.tangent_over(node, &moving.nodes).map(Vector3::from);
                let slopes = law.slopes(&(v - current), tangent.as_ref());
                let mut by_place = slopes.velocity * swung;
                if let Axis::Director(director) = axis {
                    by_place += slopes.tangent * turned(*director);
                }
                if let (Axis::Line(points), Some(t)) = (axis, tangent) {
                    let turning = slopes.tangent * (Matrix3::identity() - t * t.transpose()) * factor;
                    let line = |(at, slope): &(Attachment, f64)| at.position(layout, q) * *slope;
                    let size = points.iter().map(line).sum::<Vector3<f64>>().norm();
                    for (at, slope) in points {
                        let moved = turning * at.position_derivative(layout, q) * (*slope / size);
                        take(node, at.node, &position.tr_mul(&moved), &Matrix6::zeros());
                    }
                }
                let resisted = by_turn(kind, &Matrix3::from_diagonal_element(-rotary));
                (law.force(v - current, tangent), by_place, slopes.velocity * position, [SMatrix::zeros(), resisted])
            }
            Resistance::Stated(law) => {
                let (value, slopes) = stated(law, &v, &(rotation * spin));
                let part = |row: usize, col: usize| slopes.fixed_view::<3, 3>(row, col).into_owned();
                let by_place = |row: usize| part(row, 0) * swung + part(row, 3) * turned(spin);
                let by_rate = |row: usize| part(row, 0) * position + part(row, 3) * by_turn(kind, &rotation);
                let torque = rotation.tr_mul(&value.fixed_rows::<3>(3));
                let moment = [
                    rotation.tr_mul(&by_place(3)) + by_turn(kind, &cross_matrix(torque)),
                    rotation.tr_mul(&by_rate(3)),
                ];
                (value.fixed_rows::<3>(0).into_owned(), by_place(0), by_rate(0), moment)
            }
        };
        // r × RᵀF changes by the turn of F as well.
        let lever = by_turn(kind, &(cross_matrix(self.at.offset) * cross_matrix(rotation.tr_mul(&force))));
        let [mut own, mut rate] = [position.tr_mul(&by_place), position.tr_mul(&by_rate)];
        add_moment(kind, &(lever + moment[0]), &mut own);
        add_moment(kind, &moment[1], &mut rate);
        take(node, node, &(own * factor), &(rate * factor));
    }

    /// Power that is taken from what moves, watt; in a current it may be negative.
    pub fn power(&self, moving: &MovingNodes<'_, f64>, current: &Vector3<f64>, factor: f64) -> f64 {
        let v = Vector3::from(moving.point_velocity(&self.at));
        let spin = Vector3::from(moving.spin(self.at.node));
        match &self.resistance {
            Resistance::Fluid { law, axis, rotary } => {
                let tangent = axis.tangent_over(self.at.node, &moving.nodes).map(Vector3::from);
                factor * (rotary * spin.norm_squared() - law.force(v - current, tangent).dot(&v))
            }
            Resistance::Stated(law) => {
                let spin = node_rotation(moving.nodes.layout, moving.nodes.q, self.at.node) * spin;
                let (value, _) = stated(law, &v, &spin);
                -factor * (value.fixed_rows::<3>(0).dot(&v) + value.fixed_rows::<3>(3).dot(&spin))
            }
        }
    }
}

impl Axis {
    /// t, of something on a node.
    fn tangent_over<T: Scalar>(&self, node: usize, nodes: &Nodes<'_, T>) -> Option<Vector<T>> {
        match self {
            Axis::None => None,
            Axis::Director(axis) => Some(nodes.direction(node, axis)),
            Axis::Line(points) => {
                let part = |(at, slope): &(Attachment, f64)| nodes.point(at).map(|x| x * *slope);
                let line = points.iter().map(part).fold(nodes.zero(), add);
                let size = length(line);
                Some(line.map(|x| x / size))
            }
        }
    }
}

/// Force and torque of stated loads at a velocity and an angular velocity, with their derivatives.
fn stated(law: &[Formula; 6], v: &Vector3<f64>, spin: &Vector3<f64>) -> (Vector6<f64>, Matrix6<f64>) {
    let motion = [v[0], v[1], v[2], spin[0], spin[1], spin[2]].map(Dual64::from_re);
    let mut slopes = Matrix6::zeros();
    let mut value = Vector6::zeros();
    for col in 0..6 {
        let mut varied = motion;
        varied[col] = varied[col].derivative();
        for (row, formula) in law.iter().enumerate() {
            let Dual64 { re, eps, .. } = Dual64::formula(formula, &varied);
            value[row] = re;
            slopes[(row, col)] = match formula.mentions(col) {
                true if eps.is_finite() => eps,
                true => across_kink(formula, &motion, col),
                false => 0.0,
            };
        }
    }
    (value, slopes)
}

/// The mean slope across a point without derivative, such as |v| v by `hypot` at rest.
fn across_kink(formula: &Formula, motion: &[Dual64; 6], col: usize) -> f64 {
    const STEP: f64 = 1e-6;
    let at = |step: f64| {
        let mut moved = motion.map(|motion| motion.re);
        moved[col] += step;
        f64::formula(formula, &moved)
    };
    (at(STEP) - at(-STEP)) / (2.0 * STEP)
}

/// Columns by the turns of a node: (ξ₁, ξ₂, ξ₃) in its frame, in the plane the third alone.
fn by_turn(kind: NodeKind, matrix: &Matrix3<f64>) -> SMatrix<f64, 3, 6> {
    let mut out = SMatrix::<f64, 3, 6>::zeros();
    match kind {
        NodeKind::SpaceFrame => out.fixed_view_mut::<3, 3>(0, 3).copy_from(matrix),
        NodeKind::PlaneFrame => out.set_column(2, &matrix.column(2)),
        NodeKind::PlanePoint | NodeKind::SpacePoint => {}
    }
    out
}

/// Adds rows of a moment in the frame of a node.
fn add_moment(kind: NodeKind, rows: &SMatrix<f64, 3, 6>, out: &mut Matrix6<f64>) {
    match kind {
        NodeKind::SpaceFrame => {
            let mut lower = out.fixed_view_mut::<3, 6>(3, 0);
            lower += rows;
        }
        NodeKind::PlaneFrame => {
            let mut third = out.row_mut(2);
            third += rows.row(2);
        }
        NodeKind::PlanePoint | NodeKind::SpacePoint => {}
    }
}

/// Writes the rates of the coordinates of a node that moves with (ẋ, Ω or θ̇): ṗ = ½ p Ω of a unit quaternion.
pub fn write_rates(layout: &Layout, node: usize, q: &[f64], velocity: &[f64], rates: &mut [f64]) {
    let (kind, at) = (layout.kind(node), layout.coordinate(node));
    let additive = kind.coordinates().min(3);
    rates[at..at + additive].copy_from_slice(&velocity[..additive]);
    if kind == NodeKind::SpaceFrame {
        let spin = Vector3::new(velocity[3], velocity[4], velocity[5]);
        let p = layout.orientation(q, node);
        // As a product with any length of p, 2 Im(p̄ṗ)/|p|² is Ω.
        let rate = p * Quaternion::new(0.0, spin[0], spin[1], spin[2]);
        rates[at + 3..at + 7].copy_from_slice(&(rate * (0.5 / p.norm_squared())).to_array());
    }
}
