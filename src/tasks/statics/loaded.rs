//! The loaded equilibrium in which what the actuators move stands where the file puts it: where an inverse problem may begin, and
//! what `start` means in its paths.
//!
//! Components of driven frames along which forces act, and the angles and travels of driven joints, are held at their values in
//! the reference configuration; whatever holds them there is what the actuators would have to apply. Everything else rests under
//! its loads.

use nalgebra::Vector3;

use super::{Wanted, branch};
use crate::discretisation::assembly::{Anchor, Assembly, Constraint, build, row_of};
use crate::discretisation::equilibrium::Equilibrium;
use crate::mechanism::joint::fixed_rotation;
use crate::mechanism::{Component, DrivePlace, Frame, JointRow, Mechanism};
use crate::nlp::{ParametricSystem, SquareSystem};
use crate::solver::PointKind;

/// Where everything is in the loaded equilibrium.
#[derive(Debug, Clone)]
pub struct Loaded {
    assembly: Assembly,
    q: Vec<f64>,
}

impl Loaded {
    /// The equilibrium at the loads of an instant; else why there is none.
    pub fn new(mechanism: &Mechanism, t: f64) -> Result<Self, String> {
        let mut assembly = build(mechanism);
        for condition in holds(mechanism, &assembly) {
            assembly.hold(condition);
        }
        let q = rest(&assembly, t)?;
        Ok(Self { assembly, q })
    }

    /// Coordinates of all nodes of the mechanism.
    pub fn coordinates(&self) -> &[f64] {
        &self.q
    }

    /// A coordinate of a frame: `x`, `y`, `z`, its `angle` in the plane, or in space `0`, `1`, `2` of the rotation vector from its
    /// reference orientation; none of the ground.
    pub fn coordinate(&self, frame: Frame, name: &str) -> Option<f64> {
        let (at, layout) = (self.assembly.frame(frame)?, &self.assembly.layout);
        let pose = at.pose(layout, &self.q);
        let turned = |axis: usize| {
            let reference = at.pose(layout, &self.assembly.reference).orientation;
            (pose.orientation * reference.conjugate()).rotation_vector()[axis]
        };
        Some(match name {
            "x" => pose.position[0],
            "y" => pose.position[1],
            "z" => pose.position[2],
            "angle" => layout.angle(&self.q, at.node) + at.angle,
            "0" => turned(0),
            "1" => turned(1),
            "2" => turned(2),
            _ => return None,
        })
    }
}

fn rest(assembly: &Assembly, t: f64) -> Result<Vec<f64>, String> {
    let mut equilibrium = Equilibrium::new(assembly, t);
    if equilibrium.size() == assembly.rows {
        return equilibrium.configuration(&equilibrium.start()).map_err(|failure| failure.to_string());
    }
    let wanted = Wanted { indifferent: true, ..Wanted::at(&[1.0]) };
    let path = branch(&mut equilibrium, &wanted, &mut |_| true).map_err(|error| error.to_string())?;
    let point = path.of_kind(PointKind::Target).next().ok_or_else(|| path.end.to_string())?;
    equilibrium.set_parameter(1.0);
    equilibrium.configuration(&point.x).map_err(|failure| failure.to_string())
}

/// Conditions by which the actuators hold what they move.
fn holds(mechanism: &Mechanism, assembly: &Assembly) -> Vec<Constraint> {
    let mut found = Vec::new();
    for drive in &mechanism.drives {
        let sides = match drive.place {
            DrivePlace::Frame(frame) => {
                let Some(at) = assembly.frame(frame) else { continue };
                let point = at.position(&assembly.layout, &assembly.reference);
                [Anchor::Ground(point, [None, None, None]), Anchor::Node(at)]
            }
            DrivePlace::Joint(joint) => {
                mechanism.joints[joint].sides().map(|(frame, point)| assembly.anchor(frame, point))
            }
        };
        let mut rows: Vec<JointRow> = Vec::new();
        let forces = |component: &Component| matches!(component, Component::Force(_));
        let all = drive.follows && drive.components.iter().any(|(_, component)| forces(component));
        for (_, component) in &drive.components {
            match (component, drive.place) {
                (Component::AlongAxis, DrivePlace::Joint(joint)) => {
                    found.extend(assembly.joint_travel(mechanism, joint));
                }
                (Component::AboutAxis, DrivePlace::Joint(joint)) => {
                    found.extend(assembly.joint_angle(mechanism, joint));
                }
                (Component::Force(_), _) if all => {}
                (Component::Force(axis), _) => rows.push(JointRow::Coordinate(*axis)),
                // Rotations in space are held together.
                (Component::Torque(_), _) if rows.iter().any(JointRow::is_of_rotations) => {}
                (Component::Torque(_), _) => {
                    rows.extend(fixed_rotation(mechanism.dimension, Vector3::x()).into_iter().map(|(_, row)| row));
                }
                _ => {}
            }
        }
        if all {
            rows.extend((0..mechanism.dimension).map(JointRow::Coordinate));
        }
        if !rows.is_empty() {
            let row = |row| row_of(row, &sides, 0.0, &assembly.layout, &assembly.reference);
            found.push(Constraint { name: drive.name.clone(), rows: rows.into_iter().map(row).collect(), sides });
        }
    }
    found
}
