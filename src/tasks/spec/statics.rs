//! `[task.statics]`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::Expression;

/// How equilibria are followed as the loads grow.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StaticsMethod {
    /// Load steps; arc length where these end at a limit point, or where `range` or `limit-points` asks for it.
    #[default]
    Auto,
    /// Load factor by load factor; ends at limit points.
    LoadSteps,
    /// Along the path of equilibria, past limit points.
    ArcLength,
}

/// `[task.statics]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct StaticsSpec {
    /// Method; `"auto"` unless stated.
    pub method: StaticsMethod,
    /// Load factors at which the state is stored; `[1.0]` unless stated.
    pub factors: Vec<f64>,
    /// Lowest and highest load factor of the path; of `arc-length`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<[f64; 2]>,
    /// Stop after this many limit points; of `arc-length`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit_points: Option<usize>,
    /// Largest number of steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_steps: Option<usize>,
    /// Of a `[system]`: coordinates near which the equilibrium is looked for; zero unless stated.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub start: BTreeMap<String, Expression>,
}

impl Default for StaticsSpec {
    fn default() -> Self {
        Self {
            method: StaticsMethod::Auto,
            factors: vec![1.0],
            range: None,
            limit_points: None,
            max_steps: None,
            start: BTreeMap::new(),
        }
    }
}

impl StaticsSpec {
    /// Whether something is asked for that only a path along its arc length can answer.
    pub fn needs_arc_length(&self) -> bool {
        self.method == StaticsMethod::ArcLength || self.range.is_some() || self.limit_points.is_some()
    }
}
