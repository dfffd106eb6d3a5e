//! What holds nodes: supports, joints, and sections that cannot shear.

use nalgebra::Vector3;

use super::super::Prescribed;
use super::Builder;
use crate::kernel::Function;
use crate::mechanism::{Frame, JointRow};
use crate::terms::{Anchor, ConditionRow, Constraint, Element, Layout};

/// A condition of a joint with its directions in the frames of both sides; `length` is the distance of its points.
pub fn row_of(row: JointRow, sides: &[Anchor; 2], length: f64, layout: &Layout, reference: &[f64]) -> ConditionRow {
    let seen = |side: usize, direction| sides[side].in_frame(layout, reference, direction);
    match row {
        JointRow::Coordinate(axis) => ConditionRow::Coordinate(axis),
        JointRow::Perpendicular(u, v) => ConditionRow::Perpendicular(seen(0, u), seen(1, v)),
        JointRow::Across(u) => ConditionRow::Across(seen(0, u)),
        JointRow::Length => ConditionRow::Distance(length),
        JointRow::Angle => ConditionRow::Angle(sides[1].angle(layout, reference) - sides[0].angle(layout, reference)),
    }
}

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
        for support in &self.mechanism.supports {
            let at = self.attach(support.at);
            let rows: Vec<usize> =
                (0..self.mechanism.dimension).filter(|&c| support.displacement[c].is_some()).collect();
            // Points that are joined may differ by rounding of what the user wrote.
            let beside = at.offset.norm() > 1e-6 * self.size();
            let held = |p: &Prescribed| {
                let all = p.displacement.iter().take(self.mechanism.dimension).all(Option::is_some);
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
                    rows: rows.into_iter().map(ConditionRow::Coordinate).collect(),
                });
            }
        }
        (prescribed, constraints)
    }

    pub(super) fn joints(&self, constraints: &mut Vec<Constraint>) {
        for joint in self.mechanism.joints.iter().filter(|joint| joint.is_moving()) {
            let sides = joint.sides().map(|(frame, point)| self.side(frame, point));
            let rows = joint.kind.conditions(self.mechanism.dimension);
            let row = |(_, row)| row_of(row, &sides, joint.length(), &self.layout, &self.reference);
            let rows = rows.into_iter().map(row).collect();
            constraints.push(Constraint { name: joint.name.clone(), sides, rows });
        }
    }

    /// A point of the reference configuration on a frame.
    pub(super) fn side(&self, frame: Frame, point: Vector3<f64>) -> Anchor {
        match frame {
            Frame::Ground => Anchor::Ground(point, [None, None, None]),
            frame => Anchor::at(self.attach(frame), &self.layout, &self.reference, point),
        }
    }

    /// Elements of Kirchhoff rods do not shear.
    pub(super) fn unsheared(&self, elements: &[Element], constraints: &mut Vec<Constraint>) {
        for element in elements {
            let Some(rod) = element.rod.map(|rod| &self.mechanism.rods[rod]) else { continue };
            if rod.kind.is_unsheared() {
                let sections = [0, element.ends.len() - 1].map(|end| element.ends[end]);
                let length: f64 = (0..element.points()).map(|point| element.weight(point)).sum();
                let (layout, reference, along) = (&self.layout, &self.reference, [length, element.middle]);
                constraints.push(Constraint::unsheared(&rod.name, sections, along, layout, reference));
            }
        }
    }
}
