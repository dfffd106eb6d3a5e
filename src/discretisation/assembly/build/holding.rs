//! What holds nodes: supports, joints, and sections that cannot shear.

use nalgebra::Vector3;

use super::super::Prescribed;
use super::Builder;
use crate::kernel::Function;
use crate::models::coupling::{Coupling, CouplingKind};
use crate::models::structure::{Frame, JointKind, RodKind};
use crate::terms::{Anchor, Constraint, Element, Row};

/// Two directions perpendicular to an axis and to each other.
fn across(axis: Vector3<f64>) -> [Vector3<f64>; 2] {
    let other = if axis[0].abs() < 0.9 { Vector3::x() } else { Vector3::y() };
    let first = axis.cross(&other).normalize();
    [first, axis.cross(&first)]
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
            let sides = joint.between.map(|frame| self.side(frame, joint.at));
            let mut rows: Vec<Row> = (0..self.structure.dimension).map(Row::Coordinate).collect();
            if let (Some(axis), 3) = (axis, self.structure.dimension) {
                // The axis of the one stays perpendicular to two directions of the other.
                rows.extend(across(axis).map(|direction| self.perpendicular(&sides, axis, direction)));
            }
            constraints.push(Constraint { name: joint.name.clone(), sides, rows });
        }
    }

    /// Joints that slide, universal joints and those that keep a distance.
    pub(super) fn couplings(&self, constraints: &mut Vec<Constraint>) {
        for coupling in &self.structure.couplings {
            let sides = [0, 1].map(|side| self.side(coupling.between[side], coupling.at[side]));
            let rows = self.coupling_rows(coupling, &sides);
            constraints.push(Constraint { name: coupling.name.clone(), sides, rows });
        }
    }

    fn coupling_rows(&self, coupling: &Coupling, sides: &[Anchor; 2]) -> Vec<Row> {
        let held = |direction: Vector3<f64>| Row::Across(self.in_frame(&sides[0], direction));
        let mut rows = Vec::new();
        match coupling.kind {
            CouplingKind::Universal([first, second]) => {
                rows.extend((0..3).map(Row::Coordinate));
                rows.push(self.perpendicular(sides, first, second));
            }
            CouplingKind::Cylindrical(axis) => {
                rows.extend(across(axis).map(|direction| self.perpendicular(sides, direction, axis)));
                rows.extend(across(axis).map(held));
            }
            CouplingKind::Planar(normal) => {
                rows.extend(across(normal).map(|direction| self.perpendicular(sides, direction, normal)));
                rows.push(held(normal));
            }
            CouplingKind::Prismatic(axis) if self.structure.dimension == 2 => {
                let [a, b] = [0, 1].map(|side: usize| sides[side].angle(&self.layout, &self.reference));
                rows.push(Row::Angle(b - a));
                rows.push(held(Vector3::z().cross(&axis)));
            }
            CouplingKind::Prismatic(axis) => {
                // e₁·e₂', e₂·e₃' and e₃·e₁' are the components of a small relative rotation.
                let [second, third] = across(axis);
                let pairs = [(axis, second), (second, third), (third, axis)];
                rows.extend(pairs.map(|(u, v)| self.perpendicular(sides, u, v)));
                rows.extend([second, third].map(held));
            }
            CouplingKind::Distance => rows.push(Row::Distance((coupling.at[1] - coupling.at[0]).norm())),
        }
        rows
    }

    /// A direction of the first side stays perpendicular to one of the second.
    fn perpendicular(&self, sides: &[Anchor; 2], of_first: Vector3<f64>, of_second: Vector3<f64>) -> Row {
        Row::Perpendicular(self.in_frame(&sides[0], of_first), self.in_frame(&sides[1], of_second))
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
            let Some(rod) = element.rod.map(|rod| &self.structure.rods[rod]) else { continue };
            if rod.kind == RodKind::Kirchhoff {
                constraints.push(Constraint::unsheared(&rod.name, element, &self.layout, &self.reference));
            }
        }
    }

    /// A vector of the reference configuration in the frame of a side.
    pub(super) fn in_frame(&self, side: &Anchor, vector: Vector3<f64>) -> Vector3<f64> {
        side.in_frame(&self.layout, &self.reference, vector)
    }
}
