//! `[task.statics]`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::Expression;

/// How equilibria are followed as the loads grow.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StaticsMethod {
    /// Load steps; arc length where these end at a limit point, or where `range`, `limit-points`, `branch-points` or
    /// `branch` asks for it.
    #[default]
    Auto,
    /// Load factor by load factor; ends at limit points.
    LoadSteps,
    /// Along the path of equilibria, past limit points.
    ArcLength,
    /// Critical load factors of the unloaded state, from its stiffness and the change of it with the loads; nothing is
    /// followed.
    LinearBuckling,
}

/// `[[task.statics.stage]]`: loads that change together.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct StageSpec {
    /// By name of a load or of a support that moves, or `gravity`: the factor that it reaches at the end of the stage.
    /// Others keep theirs, which is 0 before the first stage.
    pub loads: BTreeMap<String, f64>,
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
    /// Stop after this many branch points, at which the mechanism may buckle; of `arc-length`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch_points: Option<usize>,
    /// Go over to the branch that begins at this branch point, to the side of its mode, or if negative to the other; of
    /// `arc-length`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<i64>,
    /// How many critical load factors are wanted; of `linear-buckling`; 1 unless stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<usize>,
    /// Largest number of steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_steps: Option<usize>,
    /// Of a `[system]`: coordinates near which the equilibrium is looked for; zero unless stated.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub start: BTreeMap<String, Expression>,
    /// Loads one after the other; in each stage the load factor goes from 0 to 1, in the last to `factors`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stage: Vec<StageSpec>,
}

impl Default for StaticsSpec {
    fn default() -> Self {
        Self {
            method: StaticsMethod::Auto,
            factors: vec![1.0],
            range: None,
            limit_points: None,
            branch_points: None,
            branch: None,
            count: None,
            max_steps: None,
            start: BTreeMap::new(),
            stage: Vec::new(),
        }
    }
}

impl StaticsSpec {
    /// Whether something is asked for that only a path along its arc length can answer.
    pub fn needs_arc_length(&self) -> bool {
        self.method == StaticsMethod::ArcLength || self.asks_of_path()
    }

    fn asks_of_path(&self) -> bool {
        self.range.is_some() || self.limit_points.is_some() || self.branch_points.is_some() || self.branch.is_some()
    }

    /// Keys that only a path along its arc length has a use for, and whether they are given.
    pub fn path_keys(&self) -> [(&'static str, bool); 4] {
        [
            ("range", self.range.is_some()),
            ("limit-points", self.limit_points.is_some()),
            ("branch-points", self.branch_points.is_some()),
            ("branch", self.branch.is_some()),
        ]
    }
}
