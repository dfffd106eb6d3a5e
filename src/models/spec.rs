//! How a problem file states the mechanism: rods, bodies, joints, actuators, servo paths, loads, supports.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::Expression;
use crate::material::{InertiaSpec, LawSpec, MaterialSpec, SectionSpec, StiffnessSpec};

/// Which continuum a rod is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RodModel {
    /// Perfectly flexible string: axial stiffness only; plane or space.
    String,
    /// Shear-flexible geometrically exact beam; plane.
    Beam,
}

/// `[rod.NAME]`: a string or beam.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RodSpec {
    /// `"string"` or `"beam"`.
    pub model: RodModel,
    /// Reference position of the end s = 0, metre; as many numbers as `dimension`.
    pub from: Vec<f64>,
    /// Reference position of the end s = L, metre; the distance between `from` and `to` is the unstretched length.
    pub to: Vec<f64>,
    /// Number of elements of the space grid.
    pub elements: usize,
    /// Stiffnesses, given directly (or give `section` and `material`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<StiffnessSpec>,
    /// Inertia per length, given directly (or give `section` and `material`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inertia: Option<InertiaSpec>,
    /// Cross-section by shape, with `material`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<SectionSpec>,
    /// Material, with `section`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub material: Option<MaterialSpec>,
    /// Axial law; `"quadratic"` unless stated.
    #[serde(default)]
    pub law: LawSpec,
}

/// `[body.NAME]`: a rigid body or point mass.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BodySpec {
    /// Mass, kg.
    pub mass: f64,
    /// Rotary inertia about the mass centre, kg m²; needs a rod with an angle to act on.
    #[serde(default)]
    pub inertia: f64,
}

/// How a joint connects its two frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum JointType {
    /// The two frames move as one.
    Rigid,
}

/// `[joint.NAME]`: connects two frames.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JointSpec {
    /// The two frames, e.g. `["payload", "beam.end"]`.
    pub between: [String; 2],
    /// Kind of joint.
    pub r#type: JointType,
}

/// A component of force an actuator can apply, in the fixed frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ForceComponent {
    /// Force along x, newton.
    ForceX,
    /// Force along y, newton.
    ForceY,
    /// Force along z, newton; space problems.
    ForceZ,
    /// Torque about the normal of the plane, newton metre; beams.
    Torque,
}

/// `[actuator.NAME]`: unknown forces to be found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ActuatorSpec {
    /// Frame the actuator acts on, e.g. `"beam.start"`.
    pub at: String,
    /// Components it can apply.
    pub acts: Vec<ForceComponent>,
}

/// `[servo.NAME]`: a motion the mechanism must perform.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ServoSpec {
    /// Frame whose motion is prescribed, e.g. `"beam.end"`.
    pub at: String,
    /// Position along x, metre, as a function of `t`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x: Option<Expression>,
    /// Position along y, metre.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub y: Option<Expression>,
    /// Position along z, metre; space problems.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub z: Option<Expression>,
    /// Angle of the cross-section, radian; beams.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angle: Option<Expression>,
}

/// `[load.NAME]`: known dead forces at a frame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LoadSpec {
    /// Frame the load acts on, e.g. `"beam.end"`.
    pub at: String,
    /// Force components in the fixed frame, newton, each a function of `t`; as many as `dimension`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<Vec<Expression>>,
    /// Torque, newton metre, as a function of `t`; beams.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub torque: Option<Expression>,
}

/// A coordinate a support can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Coordinate {
    /// Position along x.
    X,
    /// Position along y.
    Y,
    /// Position along z; space problems.
    Z,
    /// Angle of the cross-section; beams.
    Angle,
}

/// `[support.NAME]`: coordinates of a frame held at their reference values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SupportSpec {
    /// Frame that is held, e.g. `"beam.start"`.
    pub at: String,
    /// Coordinates held fixed.
    pub fixes: Vec<Coordinate>,
}
