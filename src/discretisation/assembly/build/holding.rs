//! What holds nodes: supports, joints, and sections that cannot shear.

use nalgebra::Vector3;

use super::super::Prescribed;
use super::super::constraint::{Anchor, Constraint, Row};
use super::super::element::Element;
use super::Builder;
use crate::kernel::Function;
use crate::models::structure::{Frame, JointKind, RodKind};

impl Builder<'_> {
    /// Prescribed coordinates of nodes, and supports that hold a point beside its node.
    pub(super) fn supports(&self) -> (Vec<Prescribed>, Vec<Constraint>) {
        let zero = || Function::constant(0.0);
        let mut prescribed = Vec::new();
        let mut constraints = Vec::new();
        if let Some((node, _)) = self.nodes[0] {
            prescribed.push(Prescribed {
                name: "ground".into(),
                node,
                displacement: std::array::from_fn(|_| Some(zero())),
                rotation: Some(std::array::from_fn(|_| zero())),
            });
        }
        for support in &self.structure.supports {
            let at = self.attach(support.at);
            let rows: Vec<usize> =
                (0..self.structure.dimension).filter(|&c| support.displacement[c].is_some()).collect();
            // Points that are joined may differ by rounding of what the user wrote.
            let beside = at.offset.norm() > 1e-6 * self.size();
            let held = |p: &Prescribed| {
                let all = p.displacement.iter().take(self.structure.dimension).all(Option::is_some);
                p.node == at.node && all && p.rotation.is_some()
            };
            if beside && prescribed.iter().any(held) {
                // The node is held already; its points are where it puts them.
                continue;
            }
            let displacement = if beside { std::array::from_fn(|_| None) } else { support.displacement.clone() };
            prescribed.push(Prescribed {
                name: support.name.clone(),
                node: at.node,
                displacement,
                rotation: support.rotation.clone(),
            });
            if beside {
                let ground = Anchor::Ground(at.position(&self.layout, &self.reference), support.displacement.clone());
                constraints.push(Constraint {
                    name: support.name.clone(),
                    sides: [ground, Anchor::Node(at)],
                    rows: rows.into_iter().map(Row::Coordinate).collect(),
                });
            }
        }
        (prescribed, constraints)
    }

    pub(super) fn joints(&self, constraints: &mut Vec<Constraint>) {
        for joint in &self.structure.joints {
            let axis = match joint.kind {
                JointKind::Rigid => continue,
                JointKind::Spherical => None,
                JointKind::Revolute(axis) => Some(axis),
            };
            let sides = joint.between.map(|frame| match frame {
                Frame::Ground => Anchor::Ground(joint.at, [None, None, None]),
                frame => {
                    let mut at = self.attach(frame);
                    at.offset = self.offset_of(at.node, joint.at);
                    at.plain = false;
                    Anchor::Node(at)
                }
            });
            let mut rows: Vec<Row> = (0..self.structure.dimension).map(Row::Coordinate).collect();
            if let (Some(axis), 3) = (axis, self.structure.dimension) {
                // The axis of the one stays perpendicular to two directions of the other.
                let across = if axis[0].abs() < 0.9 { Vector3::x() } else { Vector3::y() };
                let first = axis.cross(&across).normalize();
                for direction in [first, axis.cross(&first)] {
                    let [u, v] = [(0, axis), (1, direction)].map(|(side, vector)| self.in_frame(&sides[side], vector));
                    rows.push(Row::Perpendicular(u, v));
                }
            }
            constraints.push(Constraint { name: joint.name.clone(), sides, rows });
        }
    }

    /// Elements of Kirchhoff rods do not shear.
    pub(super) fn unsheared(&self, elements: &[Element], constraints: &mut Vec<Constraint>) {
        for element in elements {
            let rod = &self.structure.rods[element.rod];
            if rod.kind == RodKind::Kirchhoff {
                constraints.push(Constraint::unsheared(&rod.name, element, &self.layout, &self.reference));
            }
        }
    }

    /// A vector of the reference configuration in the frame of a side.
    fn in_frame(&self, side: &Anchor, vector: Vector3<f64>) -> Vector3<f64> {
        match side.node() {
            Some(node) => super::super::attachment::node_rotation(&self.layout, &self.reference, node).tr_mul(&vector),
            None => vector,
        }
    }

    fn offset_of(&self, node: usize, point: Vector3<f64>) -> Vector3<f64> {
        let away = point - self.layout.position(&self.reference, node);
        super::super::attachment::node_rotation(&self.layout, &self.reference, node).tr_mul(&away)
    }
}
