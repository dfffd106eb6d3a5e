//! The mechanism as checked data: rods, bodies, joints, springs, loads, supports and actuators. What each contributes is in
//! [`crate::terms`].

pub mod coupling;
pub mod curve;
mod frame;
pub mod linkage;
pub mod machine;
mod mesh;
mod numbers;
mod side;
mod spec;
pub mod spring;
pub mod structure;
mod survey;

pub use curve::{Curve, CurveError, Helix};
pub use linkage::Linkage;
pub use machine::Machine;
pub use mesh::Mesh;
pub use numbers::{NetNumbers, RodNumbers, numbers};
pub use side::{BadFunction, Side, StrainError};
pub use spec::{
    ActuatorSpec, BodySpec, Coordinate, CurveSpec, ForceComponent, GridSpec, JointSpec, JointTable, JointType,
    JointWord, LoadSpec, PrestrainSpec, RodModel, RodSpec, ServoSpec, SphereSpec, SpinSpec, SpringSpec, SupportSpec,
    SupportType, SystemSpec, Tensor, TurnSpec,
};
pub use structure::Structure;
pub use survey::{RodSurvey, Survey, survey};

pub use crate::geometry::{Pose, PoseJet, Quaternion};
