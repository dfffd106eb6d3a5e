//! Models.

mod spec;

pub use spec::{
    ActuatorSpec, BodySpec, Coordinate, ForceComponent, JointSpec, JointType, LoadSpec, RodModel, RodSpec, ServoSpec,
    SupportSpec,
};
