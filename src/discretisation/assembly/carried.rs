//! What supports and joints apply, from the forces that held degrees of freedom need and those along equations.

use nalgebra::Vector3;

use super::{Anchor, Assembly, ConditionRow, node_rotation};
use crate::terms::{Constraint, NodeKind, Nodes};

/// Force and torque of a joint on its second frame, about the point at which it holds it, along the axes of space.
#[derive(Debug, Clone, PartialEq)]
pub struct JointLoad {
    /// The joint.
    pub name: String,
    /// Newton.
    pub force: Vector3<f64>,
    /// Newton metre.
    pub torque: Vector3<f64>,
}

impl Assembly {
    /// What the joints apply in a configuration, from the forces along all equations of constraints: the generalised force of an
    /// equation g = 0 with the multiplier λ on a node is λ ∂g.
    pub fn joint_loads(&self, q: &[f64], rows: &[f64]) -> Vec<JointLoad> {
        let mut first = 0;
        let mut loads = Vec::new();
        for joint in &self.constraints {
            let own = &rows[first..first + joint.rows.len()];
            first += joint.rows.len();
            if is_joint(joint) {
                loads.push(self.joint_load(joint, q, own));
            }
        }
        loads
    }

    fn joint_load(&self, joint: &Constraint, q: &[f64], rows: &[f64]) -> JointLoad {
        let layout = &self.layout;
        let mut load = JointLoad { name: joint.name.clone(), force: Vector3::zeros(), torque: Vector3::zeros() };
        // The ground takes the opposite of what acts on the first frame.
        let (side, sign) = match &joint.sides[1] {
            Anchor::Node(_) => (1, 1.0),
            Anchor::Ground(..) => (0, -1.0),
        };
        let Anchor::Node(at) = &joint.sides[side] else { return load };
        let kind = layout.kind(at.node);
        let rotation = node_rotation(layout, q, at.node);
        for (row, multiplier) in rows.iter().enumerate() {
            let derivative = joint.derivative(layout, q, row)[side];
            let force = Vector3::from_fn(|c, _| if c < kind.positions() { derivative[c] } else { 0.0 });
            let turning = match kind {
                NodeKind::SpaceFrame => rotation * Vector3::from_fn(|c, _| derivative[3 + c]),
                NodeKind::PlaneFrame => Vector3::new(0.0, 0.0, derivative[2]),
                NodeKind::PlanePoint | NodeKind::SpacePoint => Vector3::zeros(),
            };
            load.force += force * (sign * multiplier);
            load.torque += turning * (sign * multiplier);
        }
        // So far about the node.
        let nodes = Nodes { layout, q };
        let point = Vector3::from(joint.sides[side].point_over(&nodes, [0.0; 3]));
        load.torque += (layout.position(q, at.node) - point).cross(&load.force);
        load
    }
}

/// Whether it is a joint, and neither a support nor a rod that cannot shear.
fn is_joint(joint: &Constraint) -> bool {
    let held = |side: &Anchor| matches!(side, Anchor::Ground(_, moved) if moved.iter().any(Option::is_some));
    !joint.sides.iter().any(held) && !joint.rows.iter().any(ConditionRow::is_of_shear)
}

/// Forces and torques that supports apply, in space, by name and component: from the forces that held degrees of freedom need and
/// those along the equations of joints. What two supports hold together is told of the first.
pub fn support_forces(assembly: &Assembly, q: &[f64], unbalanced: &[f64], rows: &[f64]) -> Vec<(String, f64)> {
    let layout = &assembly.layout;
    let mut out = Vec::new();
    let mut left = unbalanced.to_vec();
    let mut take = |dof: usize| std::mem::take(&mut left[dof]);
    for support in &assembly.prescribed {
        let (kind, dof) = (layout.kind(support.node), layout.freedom(support.node));
        if assembly.is_reel(support.node) {
            if support.displacement[0].is_some() {
                // The force on the length paid out; told is the one that hauls in.
                out.push((format!("{}.force", support.name), -take(dof)));
            }
            continue;
        }
        for (c, axis) in ["x", "y", "z"].into_iter().enumerate().take(kind.positions()) {
            if support.displacement[c].is_some() {
                out.push((format!("{}.force_{axis}", support.name), take(dof + c)));
            }
        }
        if support.rotation.is_none() {
            continue;
        }
        let moment: Vec<f64> = (dof + kind.positions()..dof + kind.freedoms()).map(&mut take).collect();
        match moment.as_slice() {
            [about_z] => out.push((format!("{}.torque_z", support.name), *about_z)),
            [a, b, c] => {
                let rotation = node_rotation(layout, q, support.node);
                let torque = rotation * Vector3::new(*a, *b, *c);
                for (c, axis) in ["x", "y", "z"].into_iter().enumerate() {
                    out.push((format!("{}.torque_{axis}", support.name), torque[c]));
                }
            }
            _ => {}
        }
    }
    // Supports that hold a point beside its node do so by equations.
    let mut index = 0;
    for joint in &assembly.constraints {
        let of_support = joint.sides.iter().any(|side| match side {
            Anchor::Ground(_, displacement) => displacement.iter().any(Option::is_some),
            Anchor::Node(_) => false,
        });
        for row in &joint.rows {
            if let (true, ConditionRow::Coordinate(axis)) = (of_support, row) {
                out.push((format!("{}.force_{}", joint.name, ["x", "y", "z"][*axis]), rows[index]));
            }
            index += 1;
        }
    }
    out
}
