//! `[actuator.NAME]` and `[servo.NAME]`: forces to be found, and the motion that is wanted.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::Expression;

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
