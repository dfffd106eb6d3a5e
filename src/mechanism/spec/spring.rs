//! `[spring.NAME]`: springs and dampers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `[spring.NAME]`: a spring with a damper beside it, between two points or on a joint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpringSpec {
    /// The two frames it pulls at, e.g. `["ground", "cart"]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub between: Option<[String; 2]>,
    /// Reference positions of the points on the two frames, metre; those of the frames unless stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<[Vec<f64>; 2]>,
    /// The joint whose angle or way it resists (instead of `between`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Stiffness, N/m or N m/rad; 0 unless stated.
    #[serde(default)]
    pub stiffness: f64,
    /// Damping, N s/m or N m s/rad; 0 unless stated.
    #[serde(default)]
    pub damping: f64,
    /// Length (m), way (m) or angle (rad) without force; that of the reference configuration unless stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<f64>,
}
