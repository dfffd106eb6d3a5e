//! `[task.optimal-control]`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::GridUse;
use crate::kernel::{Expression, OneOrSeveral};

/// `[task.optimal-control]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct OptimalControlSpec {
    /// What is minimised: a sum of weighted terms.
    pub objective: ObjectiveSpec,
    /// State at the start, by coordinate and velocity: a value, `[low, high]` or `"free"`. Velocities are zero unless
    /// stated.
    pub start: BTreeMap<String, OneOrSeveral<Expression>>,
    /// State at the end, by coordinate and velocity: a value, `[low, high]` or `"free"`. Velocities are zero unless
    /// stated.
    pub end: BTreeMap<String, OneOrSeveral<Expression>>,
    /// `[low, high]` of coordinates, velocities and controls at all times; `"free"` for a side without a bound.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub bounds: BTreeMap<String, OneOrSeveral<Expression>>,
    /// Constraints along the way, by names of your choice.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub path: BTreeMap<String, PathSpec>,
    /// Earliest and latest end, second; `time.end` is then where the search begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub free_end_time: Option<[f64; 2]>,
    /// Coordinates that end with the velocity of the start, and with its value plus this one.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub periodic: BTreeMap<String, Expression>,
    /// Where the search begins: coordinates and controls as functions of `t`, from a file or from an earlier result;
    /// straight lines and zero unless stated.
    #[serde(default, skip_serializing_if = "GuessSpec::is_empty")]
    pub guess: GuessSpec,
    /// Several starts, random changes of the guess, of which the best is continued to `time.steps`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts: Option<StartsSpec>,
    /// Phases of the motion in their order, where the system or its bounds change on the way.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub phase: Vec<PhaseSpec>,
    /// Rule of the discrete action; `"midpoint"` unless stated.
    #[serde(default)]
    pub rule: RuleSpec,
    /// How constraints are kept; `"multipliers"` unless stated.
    #[serde(default)]
    pub constraints: ConstraintsSpec,
    /// Meshes on the way to `time.steps`.
    #[serde(default)]
    pub mesh: MeshSpec,
    /// Whether finer grids are tried where the proof fails on the stated one; `"adapt"` unless stated.
    #[serde(default)]
    pub grid: GridUse,
    /// Largest number of iterations on all meshes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub max_iterations: Option<usize>,
}

/// `[[task.optimal-control.phase]]`: a part of the motion with a system of its own. Time counts from its beginning in all its
/// expressions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PhaseSpec {
    /// What messages and results call it.
    pub name: String,
    /// Number of equal time steps; an equal share of `time.steps` unless stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub steps: Option<usize>,
    /// Duration, second: a value, or `[shortest, longest]` where it is to be found.
    pub duration: OneOrSeveral<Expression>,
    /// Expressions of coordinates, velocities and `t` that are zero at its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<OneOrSeveral<Expression>>,
    /// Lagrangian in this phase; that of `[system]` unless stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lagrangian: Option<Expression>,
    /// Generalised forces in this phase, by coordinate; those of `[system]` unless stated.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub forces: BTreeMap<String, Expression>,
    /// `[low, high]` of coordinates, velocities and controls between the ends of this phase; those of the task unless
    /// stated.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub bounds: BTreeMap<String, OneOrSeveral<Expression>>,
}

/// Where the search begins.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GuessSpec {
    /// CSV file with a column `t` and columns named as coordinates and controls, interpolated and stretched to the duration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Folder of an earlier result on any grid, interpolated and stretched to the duration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// Coordinates and controls as functions of `t`.
    #[serde(flatten)]
    pub functions: BTreeMap<String, Expression>,
}

impl GuessSpec {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Weights of the terms of the objective, and further terms.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObjectiveSpec {
    /// Weight of half the integral of the squares of all controls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort: Option<f64>,
    /// Weight of the duration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    /// Weight of the integral of the magnitudes of all controls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fuel: Option<f64>,
    /// Weight of the sum of the largest magnitudes of the controls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak: Option<f64>,
    /// Weight of the mechanical energy that the controls spend: the integral of their power where it is positive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub energy: Option<f64>,
    /// Coordinates and velocities that are to follow functions of `t`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tracking: BTreeMap<String, TrackingSpec>,
    /// An expression of coordinates, velocities, controls and `t` whose integral is added.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub running: Option<Expression>,
    /// An expression of coordinates, velocities and `t` at the end that is added.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<Expression>,
}

/// What a coordinate or velocity is to follow; half the integral of the weighted square of the difference is added.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrackingSpec {
    /// Function of `t`.
    pub reference: Expression,
    /// Weight; 1 unless stated.
    #[serde(default = "unit")]
    pub weight: f64,
}

/// A constraint along the way, at the middle of each time step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PathSpec {
    /// Expression of coordinates, velocities, controls and `t`.
    pub value: Expression,
    /// Its least value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// Its largest value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
}

/// Starts of the search: the guess and random changes of it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StartsSpec {
    /// Number of starts; the first is the guess.
    #[schemars(range(min = 1, max = 10000))]
    pub count: usize,
    /// Seed of the random changes; 1 unless stated.
    #[serde(default = "one")]
    pub seed: u32,
    /// Size of the changes relative to the range of coordinates and controls; 1 unless stated.
    #[serde(default = "unit")]
    pub spread: f64,
}

fn one() -> u32 {
    1
}

fn unit() -> f64 {
    1.0
}

/// How the action of a time step is approximated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RuleSpec {
    /// The Lagrangian at the middle of the step.
    #[default]
    Midpoint,
    /// The mean of the Lagrangians at its ends.
    Trapezoidal,
    /// The Lagrangian along polynomials, by Gauss quadrature: motions of order 2 · degree. Without constraints.
    Galerkin {
        /// Degree of the polynomials in each step, 1 to 6.
        #[schemars(range(min = 1, max = 6))]
        degree: usize,
    },
}

/// How holonomic constraints are kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ConstraintsSpec {
    /// By equations and multipliers.
    #[default]
    Multipliers,
    /// Those of `system.spheres` by local coordinates on them, others by equations and multipliers.
    NullSpace,
}

/// Meshes on the way to the number of steps wanted.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct MeshSpec {
    /// Whether coarse meshes are solved first and their solutions continued; true unless stated.
    pub r#continue: bool,
    /// No mesh has fewer steps; 50 unless stated.
    #[schemars(range(min = 2))]
    pub coarsest: usize,
    /// Largest error of a step, relative to the range of coordinates and velocities: from `time.steps` on the number of steps
    /// is doubled until no step has a larger one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// No mesh that is doubled has more steps; 6400 unless stated.
    #[schemars(range(min = 2))]
    pub most: usize,
}

impl Default for MeshSpec {
    fn default() -> Self {
        Self { r#continue: true, coarsest: 50, tolerance: None, most: 6400 }
    }
}
