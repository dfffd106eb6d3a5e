//! A mechanism with its joints, springs and drives: what optimal control moves.

use nalgebra::Vector3;

use super::structure::{Frame, JointKind, Structure};

/// A mechanism with everything that acts on it.
#[derive(Debug, Clone)]
pub struct Machine {
    /// Rods, bodies, rigid, spherical and revolute joints, supports and loads.
    pub structure: Structure,
    /// Joints that slide, and universal ones.
    pub couplings: Vec<Coupling>,
    /// Springs and dampers.
    pub springs: Vec<Spring>,
    /// Actuators.
    pub drives: Vec<Drive>,
}

/// What a coupling lets free; directions are those of the reference configuration, of unit length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CouplingKind {
    /// Rotations about an axis of the first frame and one of the second, perpendicular to each other; space.
    Universal([Vector3<f64>; 2]),
    /// The translation along an axis of the first frame.
    Prismatic(Vector3<f64>),
    /// Translation along and rotation about an axis of the first frame; space.
    Cylindrical(Vector3<f64>),
    /// Translations across a normal of the first frame and the rotation about it; space.
    Planar(Vector3<f64>),
    /// Everything but the distance of two points.
    Distance,
}

/// A joint that slides, or a universal one.
#[derive(Debug, Clone)]
pub struct Coupling {
    /// Name in the problem file.
    pub name: String,
    /// The frames.
    pub between: [Frame; 2],
    /// Its point on either frame in the reference configuration, metre; the same but for [`CouplingKind::Distance`].
    pub at: [Vector3<f64>; 2],
    /// What it lets free.
    pub kind: CouplingKind,
}

/// A joint of a machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JointRef {
    /// Place in [`Structure::joints`].
    Joint(usize),
    /// Place in [`Machine::couplings`].
    Coupling(usize),
}

/// Where a spring acts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SpringPlace {
    /// Along the line between two points, given in the reference configuration.
    Between([Frame; 2], [Vector3<f64>; 2]),
    /// On the angle of a revolute joint or the way of a prismatic one.
    Joint(JointRef),
}

/// A spring with a damper beside it.
#[derive(Debug, Clone)]
pub struct Spring {
    /// Name in the problem file.
    pub name: String,
    /// Where it acts.
    pub place: SpringPlace,
    /// Stiffness, N/m or N m/rad.
    pub stiffness: f64,
    /// Damping, N s/m or N m s/rad.
    pub damping: f64,
    /// Length, way or angle without force; that of the reference configuration unless stated.
    pub rest: Option<f64>,
}

/// What a drive acts on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DrivePlace {
    /// A frame, against the ground.
    Frame(Frame),
    /// The second frame of a joint, against the first.
    Joint(JointRef),
}

/// A component of force or torque.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Component {
    /// Force along x, y or z, newton.
    Force(usize),
    /// Torque about x, y or z, newton metre.
    Torque(usize),
    /// Force along the axis of a joint, newton.
    AlongAxis,
    /// Torque about the axis of a joint, newton metre.
    AboutAxis,
}

/// An actuator: unknown forces and torques.
#[derive(Debug, Clone)]
pub struct Drive {
    /// Name in the problem file.
    pub name: String,
    /// What it acts on.
    pub place: DrivePlace,
    /// Its components with their names in results.
    pub components: Vec<(String, Component)>,
    /// Whether x, y, z turn with the frame (the first frame of a joint), instead of being those of space.
    pub follows: bool,
}

impl Machine {
    /// The joint of this name.
    pub fn joint(&self, name: &str) -> Option<JointRef> {
        let joint = self.structure.joints.iter().position(|joint| joint.name == name).map(JointRef::Joint);
        joint.or_else(|| self.couplings.iter().position(|joint| joint.name == name).map(JointRef::Coupling))
    }

    /// Name of a joint.
    pub fn joint_name(&self, joint: JointRef) -> &str {
        match joint {
            JointRef::Joint(joint) => &self.structure.joints[joint].name,
            JointRef::Coupling(coupling) => &self.couplings[coupling].name,
        }
    }

    /// Frames of a joint and its point on each of them.
    pub fn sides(&self, joint: JointRef) -> [(Frame, Vector3<f64>); 2] {
        match joint {
            JointRef::Joint(joint) => {
                let joint = &self.structure.joints[joint];
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
            JointRef::Joint(joint) => match self.structure.joints[joint].kind {
                JointKind::Revolute(axis) => Some(axis),
                JointKind::Spherical if self.structure.dimension == 2 => Some(Vector3::z()),
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
