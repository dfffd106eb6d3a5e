//! How parts move relative to each other: angles and rates of revolute joints, deflections of rods.

use std::f64::consts::TAU;

use nalgebra::Vector3;

use crate::discretisation::assembly::{Assembly, Attachment, NodeKind, node_rotation};
use crate::discretisation::stepping::velocity_of;
use crate::mechanism::{Frame, Mechanism, Pose, Quaternion};
use crate::results::Table;
use crate::tasks::forward::relative_names;

/// A revolute joint.
struct Hinge {
    sides: [Option<Attachment>; 2],
    /// The axis in the frame of the first side.
    axis: Vector3<f64>,
    /// Orientation of the second side in the first, in the reference configuration.
    rest: Quaternion,
    angle: f64,
}

/// The ends of a rod.
struct Bent {
    ends: [Attachment; 2],
    /// The last section as seen from the first, in the reference configuration.
    rest: Vector3<f64>,
}

/// Collects relative motions: columns `JOINT.angle` (rad), `JOINT.rate` (rad/s) and `ROD.deflection_1`, … (m), by which the
/// end of a rod is displaced as seen from the section at its start.
pub struct Relative<'a> {
    assembly: &'a Assembly,
    plane: bool,
    hinges: Vec<Hinge>,
    rods: Vec<Bent>,
    /// What is collected.
    pub table: Table,
}

fn pose(assembly: &Assembly, side: &Option<Attachment>, q: &[f64]) -> Pose {
    side.map_or(Pose::IDENTITY, |at| at.pose(&assembly.layout, q))
}

/// The end of a rod in the frame of its start.
fn seen(assembly: &Assembly, [start, end]: &[Attachment; 2], q: &[f64]) -> Vector3<f64> {
    start.pose(&assembly.layout, q).offset_of(end.position(&assembly.layout, q))
}

impl<'a> Relative<'a> {
    /// Nothing yet; nothing ever where no joint is revolute.
    pub fn new(mechanism: &Mechanism, assembly: &'a Assembly) -> Self {
        let columns = relative_names(mechanism).into_iter().map(|name| (name, Vec::new())).collect::<Vec<_>>();
        let any = !columns.is_empty();
        let reference = &assembly.reference;
        let hinge = |joint: &crate::mechanism::JointPart| {
            let axis = joint.kind.turning_axis(mechanism.dimension).filter(|_| joint.kind.is_hinge())?;
            let sides = joint.between.map(|frame| assembly.frame(frame));
            let [first, second] = [0, 1].map(|side| pose(assembly, &sides[side], reference).orientation);
            let axis = if mechanism.dimension == 2 { Vector3::z() } else { axis };
            Some(Hinge { sides, axis: first.to_material(axis), rest: first.conjugate() * second, angle: 0.0 })
        };
        let hinges = mechanism.joints.iter().filter_map(hinge).collect();
        let bent = |(rod, part): (usize, &crate::mechanism::RodPart)| {
            let at = |boundary| assembly.frame(Frame::Section { rod, boundary });
            let ends = [at(0)?, at(part.elements)?];
            (any && part.kind.turns()).then(|| Bent { ends, rest: seen(assembly, &ends, reference) })
        };
        let rods = mechanism.rods.iter().enumerate().filter_map(bent).collect();
        let table = Table { t: Vec::new(), columns };
        Self { assembly, plane: mechanism.dimension == 2, hinges, rods, table }
    }

    /// Angular velocity of a side in space.
    fn spin(&self, side: &Option<Attachment>, q: &[f64], momentum: &[f64]) -> Vector3<f64> {
        let Some(at) = side else { return Vector3::zeros() };
        let layout = &self.assembly.layout;
        let v = velocity_of(layout, at.node, q, momentum, &self.assembly.masses[at.node]);
        match layout.kind(at.node) {
            NodeKind::SpaceFrame => node_rotation(layout, q, at.node) * v.fixed_rows::<3>(3),
            NodeKind::PlaneFrame => Vector3::new(0.0, 0.0, v[2]),
            NodeKind::PlanePoint | NodeKind::SpacePoint => Vector3::zeros(),
        }
    }

    /// Adds an instant.
    pub fn add(&mut self, t: f64, q: &[f64], momentum: &[f64]) {
        if self.table.columns.is_empty() {
            return;
        }
        let mut values = Vec::with_capacity(self.table.columns.len());
        for index in 0..self.hinges.len() {
            let hinge = &self.hinges[index];
            let [first, second] = [0, 1].map(|side| pose(self.assembly, &hinge.sides[side], q).orientation);
            let turned = first.conjugate() * second * hinge.rest.conjugate();
            let angle = 2.0 * turned.im.dot(&hinge.axis).atan2(turned.re);
            // It runs on past half a turn.
            let angle = angle + TAU * ((hinge.angle - angle) / TAU).round();
            let [a, b] = [0, 1].map(|side| self.spin(&hinge.sides[side], q, momentum));
            values.extend([angle, (b - a).dot(&first.rotate(hinge.axis))]);
            self.hinges[index].angle = angle;
        }
        for Bent { ends, rest } in &self.rods {
            let moved = seen(self.assembly, ends, q) - rest;
            values.push(moved[0]);
            values.extend((!self.plane).then_some(moved[1]));
            values.push(moved[2]);
        }
        self.table.t.push(t);
        self.table.columns.iter_mut().zip(values).for_each(|((_, column), value)| column.push(value));
    }
}
