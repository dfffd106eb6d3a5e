//! `[task.simulate]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Configuration;

/// `[task.simulate]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SimulateSpec {
    /// Where the motion begins; `"reference"` unless stated.
    pub start: Configuration,
    /// Largest error of a step, relative to the size of the mechanism: steps adapt to it, and `time.steps` only says
    /// where the motion is stored. Without it the steps are those of `time`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// Every how many steps the motion is stored; 1 unless stated.
    #[schemars(range(min = 1))]
    pub every: usize,
}

impl Default for SimulateSpec {
    fn default() -> Self {
        Self { start: Configuration::Reference, tolerance: None, every: 1 }
    }
}
