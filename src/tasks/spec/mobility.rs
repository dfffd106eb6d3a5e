//! `[task.mobility]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `[task.mobility]`: it has no settings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MobilitySpec {}
