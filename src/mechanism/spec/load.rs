//! `[load.NAME]`: known forces at a frame or along a rod.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::{Expression, OneOrSeveral};

/// `[load.NAME]`: known forces at a frame, or along a rod.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LoadSpec {
    /// Frame the load acts on, e.g. `"beam.end"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Rod the load is spread along, e.g. `"beam"` (instead of `at`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub along: Option<String>,
    /// Force components, newton, each a function of `t`; as many as `dimension`. Along a rod: newton per metre of
    /// reference length, functions of `s` and `t`. At a frame also of its own velocities in space, `beam.end.x_dot`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<Vec<Expression>>,
    /// Torque, newton metre (along a rod: per metre): one function in the plane, three in space.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub torque: Option<OneOrSeveral<Expression>>,
    /// Whether the components turn with the frame (d₁, d₂, d₃ of a section, axes of a body; plane sections: across and
    /// along); fixed in space unless stated.
    #[serde(default)]
    pub follows: bool,
}
