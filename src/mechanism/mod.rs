//! The mechanism as checked data: rods, bodies, joints, springs, loads, supports and actuators. What each contributes is in
//! [`crate::terms`].

mod actuator;
mod body;
pub mod curve;
mod drag;
mod frame;
pub mod joint;
mod load;
mod mesh;
mod numbers;
mod rod;
mod side;
mod spec;
pub mod spring;
mod support;
mod survey;
mod whole;
mod winch;

pub use crate::material::SpringLaw;
pub use actuator::{Component, Drive, DrivePlace};
pub use body::BodyPart;
pub use curve::{Curve, CurveError, Helix};
pub use drag::{BodyDrag, Fluid, LineDrag, MotionLoad, RodDrag};
pub use frame::Frame;
pub use joint::{JointCondition, JointKind, JointPart, JointRow};
pub use load::{LineLoad, LoadPart, RodLoads};
pub use mesh::Mesh;
pub use numbers::{NetNumbers, RodNumbers, numbers};
pub use rod::{Along, Quadrature, RodKind, RodPart};
pub use side::{BadFunction, Side, StrainError};
pub use spec::{
    ActuatorSpec, BodyDragSpec, BodySpec, BushingSpec, Coordinate, CurrentSpec, CurveSpec, ForceComponent, GridSpec,
    JointSpec, JointTable, JointType, JointWord, LoadSpec, PrestrainSpec, RodDragSpec, RodModel, RodSpec, ServoSpec,
    SphereSpec, SpinSpec, SpringSpec, SupportSpec, SupportType, SystemSpec, Tensor, TurnSpec, WinchSpec,
};
pub use spring::{NotPassive, Spring, SpringPlace, passive};
pub use support::SupportPart;
pub use survey::{RodSurvey, Survey, survey};
pub use whole::{Mechanism, Spin};
pub use winch::{WinchDrive, WinchPart};

pub use crate::geometry::{Pose, PoseJet, Quaternion};
