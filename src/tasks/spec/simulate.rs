//! `[task.simulate]`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Configuration, RuleSpec};
use crate::kernel::Expression;

/// `[task.simulate]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SimulateSpec {
    /// Where the motion begins; `"reference"` unless stated. Of a `[system]` coordinates and velocities by name.
    pub start: MotionStart,
    /// Largest error of a step, relative to the size of the mechanism: steps adapt to it, and `time.steps` only says
    /// where the motion is stored. Without it the steps are those of `time`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// Largest relative error that is left in the solution of the equations of each step, 1e-13 to 1e-3; 1e-11 unless stated, or where
    /// steps adapt a hundred-thousandth of their `tolerance`. Energy and momenta are kept to what it allows.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1e-13, max = 1e-3))]
    pub accuracy: Option<f64>,
    /// Every how many steps the motion is stored; 1 unless stated.
    #[schemars(range(min = 1))]
    pub every: usize,
    /// Instants, second, at which displacement, twist and section loads of rods are told over the arc length, in `profile.csv`; five
    /// over the motion unless stated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub profile: Vec<f64>,
    /// Of a `[system]`: how the action of a step is approximated; `"midpoint"` unless stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<RuleSpec>,
    /// Forces of actuators, or controls of a `[system]`, as expressions of `t`; zero unless stated.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub controls: BTreeMap<String, Expression>,
    /// Expressions of coordinates, velocities and `t`, by names of your choice, that are stored with the motion; of a `[system]`
    /// and of multirate motions.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub observe: BTreeMap<String, Expression>,
    /// Two step lengths: slow coordinates on the time grid, fast ones on a finer one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub multirate: Option<MultirateSpec>,
}

impl Default for SimulateSpec {
    fn default() -> Self {
        Self {
            start: MotionStart::Word(Configuration::Reference),
            tolerance: None,
            accuracy: None,
            every: 1,
            profile: Vec::new(),
            rule: None,
            controls: BTreeMap::new(),
            observe: BTreeMap::new(),
            multirate: None,
        }
    }
}

/// Where a motion begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum MotionStart {
    /// A configuration of a mechanism.
    Word(Configuration),
    /// Coordinates and velocities of a system; zero unless stated.
    State(BTreeMap<String, Expression>),
}

/// `task.simulate.multirate`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MultirateSpec {
    /// Coordinates on the micro grid: those of a `[system]`, or rods and bodies; all that are not `slow` unless stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fast: Option<Vec<String>>,
    /// Coordinates on the macro grid; all that are not `fast` unless stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slow: Option<Vec<String>>,
    /// Number of micro steps in each of `time.steps`.
    #[schemars(range(min = 1))]
    pub micro: usize,
    /// Quadrature of the energies; `"implicit"` unless stated.
    #[serde(default)]
    pub scheme: MultirateScheme,
    /// Of `"explicit"`: weight of the beginning of a step, 0 to 1; 1 unless stated. 0.5 makes it one of order 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
}

/// Quadrature of the energies on both grids.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MultirateScheme {
    /// At the middle of macro and micro steps; order 2.
    #[default]
    Implicit,
    /// Slow energies at both ends of macro steps, fast ones at the middle of micro steps; order 2.
    ExplicitSlow,
    /// At the beginning of macro and micro steps, or as `weight` says; order 1.
    Explicit,
}
