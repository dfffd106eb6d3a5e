//! `[actuator.NAME]` and `[servo.NAME]`: forces to be found, and the motion that is wanted.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::Expression;

/// A component of force an actuator can apply, in the fixed frame unless the actuator follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ForceComponent {
    /// Force along x, newton.
    ForceX,
    /// Force along y, newton.
    ForceY,
    /// Force along z, newton; space problems.
    ForceZ,
    /// Torque about the normal of the plane, or about the axis of a joint, newton metre.
    Torque,
    /// Torque about x, newton metre; space.
    TorqueX,
    /// Torque about y, newton metre; space.
    TorqueY,
    /// Torque about z, newton metre; space.
    TorqueZ,
    /// Force along the axis of a joint, newton; optimal control.
    Force,
}

impl ForceComponent {
    /// As problem files and results call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::ForceX => "force_x",
            Self::ForceY => "force_y",
            Self::ForceZ => "force_z",
            Self::Torque => "torque",
            Self::TorqueX => "torque_x",
            Self::TorqueY => "torque_y",
            Self::TorqueZ => "torque_z",
            Self::Force => "force",
        }
    }
}

/// `[actuator.NAME]`: unknown forces to be found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ActuatorSpec {
    /// Frame the actuator acts on, e.g. `"beam.start"`, against the ground; or a joint, on whose second frame it acts
    /// against the first (optimal control).
    pub at: String,
    /// Components it can apply.
    pub acts: Vec<ForceComponent>,
    /// Whether x, y and z turn with the frame (with the first frame of a joint), as in a thruster; optimal control.
    #[serde(default)]
    pub follows: bool,
}

/// `[servo.NAME]`: a motion the mechanism must perform.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ServoSpec {
    /// Frame whose motion is prescribed, e.g. `"beam.end"`, or a joint with an `angle`; with `path`, a coordinate, a
    /// quantity such as `"elbow.angle"`, or an expression of these.
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
    /// Value of the coordinate, quantity or expression that `at` states, as a function of `t`; sequential.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<Expression>,
    /// Rotation from the reference orientation about a fixed axis; rods in space.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<TurnSpec>,
    /// Rotation from the reference orientation: the three components of the rotation vector, radian; rods in space. With
    /// `turn` it comes after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation: Option<Vec<Expression>>,
}

/// A rotation about an axis that is fixed in space.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TurnSpec {
    /// Direction of the axis, of any length.
    pub axis: Vec<f64>,
    /// Angle, radian, as a function of `t`.
    pub angle: Expression,
}
