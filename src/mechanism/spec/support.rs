//! `[support.NAME]`: coordinates of a frame that are held or moved.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::Expression;

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
    /// Angle of the cross-section or body; plane.
    Angle,
    /// All rotations of the cross-section or body; space.
    Rotation,
}

/// Usual supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SupportType {
    /// Holds position and rotation.
    Clamp,
    /// Holds the position.
    Hinge,
}

/// `[support.NAME]`: coordinates of a frame held at their reference values or moved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SupportSpec {
    /// Frame that is held, e.g. `"beam.start"`.
    pub at: String,
    /// Coordinates held fixed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fixes: Option<Vec<Coordinate>>,
    /// What it holds, in a word (instead of `fixes`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#type: Option<SupportType>,
    /// Prescribed position along x, metre, as a function of `t`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x: Option<Expression>,
    /// Prescribed position along y, metre.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub y: Option<Expression>,
    /// Prescribed position along z, metre; space.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub z: Option<Expression>,
    /// Prescribed angle, radian, as a function of `t`; plane.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angle: Option<Expression>,
    /// Prescribed rotation from the reference orientation: the three components of the rotation vector, radian; space.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation: Option<Vec<Expression>>,
}
