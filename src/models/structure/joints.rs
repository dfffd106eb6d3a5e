//! What all joints have in common: frames, points and axes.

use nalgebra::Vector3;

use super::super::coupling::{Coupling, CouplingKind, JointRef};
use super::{Frame, JointKind, Structure};

impl Structure {
    /// The joint of this name.
    pub fn joint(&self, name: &str) -> Option<JointRef> {
        let joint = self.joints.iter().position(|joint| joint.name == name).map(JointRef::Joint);
        joint.or_else(|| self.couplings.iter().position(|joint| joint.name == name).map(JointRef::Coupling))
    }

    /// All joints.
    pub fn all_joints(&self) -> impl Iterator<Item = JointRef> + use<> {
        (0..self.joints.len()).map(JointRef::Joint).chain((0..self.couplings.len()).map(JointRef::Coupling))
    }

    /// Name of a joint.
    pub fn joint_name(&self, joint: JointRef) -> &str {
        match joint {
            JointRef::Joint(joint) => &self.joints[joint].name,
            JointRef::Coupling(coupling) => &self.couplings[coupling].name,
        }
    }

    /// Frames of a joint and its point on each of them.
    pub fn sides(&self, joint: JointRef) -> [(Frame, Vector3<f64>); 2] {
        match joint {
            JointRef::Joint(joint) => {
                let joint = &self.joints[joint];
                joint.between.map(|frame| (frame, joint.at))
            }
            JointRef::Coupling(coupling) => {
                let Coupling { between, at, .. } = self.couplings[coupling];
                [0, 1].map(|side| (between[side], at[side]))
            }
        }
    }

    /// The axis about which a joint turns, if there is one.
    pub fn turning_axis(&self, joint: JointRef) -> Option<Vector3<f64>> {
        match joint {
            JointRef::Joint(joint) => match self.joints[joint].kind {
                JointKind::Revolute(axis) => Some(axis),
                JointKind::Spherical if self.dimension == 2 => Some(Vector3::z()),
                JointKind::Spherical | JointKind::Rigid => None,
            },
            JointRef::Coupling(coupling) => match self.couplings[coupling].kind {
                CouplingKind::Cylindrical(axis) | CouplingKind::Planar(axis) => Some(axis),
                _ => None,
            },
        }
    }

    /// The axis along which a joint slides, if there is one.
    pub fn sliding_axis(&self, joint: JointRef) -> Option<Vector3<f64>> {
        match joint {
            JointRef::Joint(_) => None,
            JointRef::Coupling(coupling) => match self.couplings[coupling].kind {
                CouplingKind::Prismatic(axis) | CouplingKind::Cylindrical(axis) => Some(axis),
                _ => None,
            },
        }
    }
}
