//! How a problem file states the mechanism: rods, bodies, joints, springs, actuators, servo paths, loads, supports; or its Lagrangian.

mod body;
mod control;
mod curve;
mod drag;
mod joint;
mod load;
mod rod;
mod spin;
mod spring;
mod support;
mod system;
mod winch;

pub use body::{BodySpec, Tensor};
pub use control::{ActuatorSpec, ForceComponent, ServoSpec, TurnSpec};
pub use curve::CurveSpec;
pub use drag::{BodyDragSpec, CurrentSpec, RodDragSpec};
pub use joint::{JointSpec, JointTable, JointType, JointWord};
pub use load::LoadSpec;
pub use rod::{GridSpec, PrestrainSpec, RodModel, RodSpec};
pub use spin::SpinSpec;
pub use spring::{BushingSpec, SpringSpec};
pub use support::{Coordinate, SupportSpec, SupportType};
pub use system::{SphereSpec, SystemSpec};
pub use winch::WinchSpec;
