//! Mechanical models: continua by their Lagrangian density, and the mechanism built from them.
//!
//! Read [`Continuum`] first: a model is an energy, an inertia and their derivatives. Schemes and tasks know nothing
//! else of it.

mod beam;
mod continuum;
pub mod coupling;
pub mod curve;
mod frame;
pub mod linkage;
pub mod machine;
mod mesh;
mod numbers;
mod rod;
mod spec;
pub mod spring;
mod string;
pub mod structure;
mod survey;

pub use beam::Beam;
pub use continuum::{Characteristic, Continuum, Matrix, Straight, StrainError, Stress, Tangent, Vector, Waves};
pub use curve::{Curve, CurveError, Helix};
pub use linkage::Linkage;
pub use machine::Machine;
pub use mesh::Mesh;
pub use numbers::{NetNumbers, RodNumbers, numbers};
pub use rod::{BadFunction, End, Rod, Side};
pub use spec::{
    ActuatorSpec, BodySpec, Coordinate, CurveSpec, ForceComponent, GridSpec, JointSpec, JointTable, JointType,
    JointWord, LoadSpec, PrestrainSpec, RodModel, RodSpec, ServoSpec, SphereSpec, SpinSpec, SpringSpec, SupportSpec,
    SupportType, SystemSpec, Tensor, TurnSpec,
};
pub use string::FlexibleString;
pub use structure::Structure;
pub use survey::{RodSurvey, Survey, survey};

pub use crate::geometry::{Pose, PoseJet, Quaternion};
