//! `[spin]`: a steady rotation of the whole mechanism.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `[spin]`: the frame of the file turns steadily about a fixed axis. Positions, supports and loads are those in this frame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpinSpec {
    /// Direction of the axis, of any length; z unless stated. In the plane it is z.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axis: Option<Vec<f64>>,
    /// A point of the axis, metre; the origin unless stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<Vec<f64>>,
    /// Rate of the rotation about the axis, rad/s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    /// Several rates, rad/s, instead of `rate`: modes over the rate (Campbell diagram).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rates: Option<Vec<f64>>,
}
