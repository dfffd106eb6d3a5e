//! What only optimal control leaves behind.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::number;

/// The local optima that several starts led to.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Optima {
    /// Number of starts, the guess included.
    pub starts: usize,
    /// Seed of the random changes of the guess.
    pub seed: u64,
    /// Their size, relative to the range of coordinates and controls.
    #[serde(with = "number::scalar")]
    pub spread: f64,
    /// Time steps of the mesh on which the starts were solved.
    pub time_steps: usize,
    /// Distinct optima on that mesh, best first.
    pub found: Vec<LocalOptimum>,
    /// Number of starts that led to no optimum, by their status.
    pub failures: BTreeMap<String, usize>,
}

/// A local optimum.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LocalOptimum {
    /// Its cost.
    #[serde(with = "number::scalar")]
    pub objective: f64,
    /// Number of starts that reached it.
    pub reached: usize,
    /// First start that reached it; 1 is the guess.
    pub first: usize,
    /// Fewest iterations from a start.
    pub least_iterations: usize,
    /// Most iterations from a start.
    pub most_iterations: usize,
    /// Whether it was continued to the finest mesh.
    pub continued: bool,
}

/// A mesh and the error on it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Refined {
    /// Number of time steps.
    pub time_steps: usize,
    /// Cost.
    #[serde(with = "number::scalar")]
    pub objective: f64,
    /// Largest error of a step, relative to the range of coordinates and velocities.
    #[serde(with = "number::scalar")]
    pub error: f64,
}

/// How well servo paths are followed where that is optimised.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Tracking {
    /// Whether the paths are followed exactly.
    pub exact: bool,
    /// Each output.
    pub outputs: Vec<TrackedOutput>,
    /// Root of the sum of the mean squares of all deviations, each relative to the size of its path.
    #[serde(with = "number::scalar")]
    pub deviation: f64,
    /// Root of the mean square of the controls, relative to the sizes that the paths need.
    #[serde(with = "number::scalar")]
    pub effort: f64,
    /// How long before the paths move the actuation begins, second.
    #[serde(default, with = "number::option", skip_serializing_if = "Option::is_none")]
    pub begins_before: Option<f64>,
    /// How long after the paths have ended it lasts, second.
    #[serde(default, with = "number::option", skip_serializing_if = "Option::is_none")]
    pub ends_after: Option<f64>,
    /// Deviation against effort for several weights.
    pub trade_off: Vec<TradeOff>,
    /// Actuators that reach their limits.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limited: Vec<LimitedControl>,
    /// Largest deviation of the best motion without limits of the actuators, relative to the size of its path, where the limits
    /// are what a path is missed for.
    #[serde(default, with = "number::option", skip_serializing_if = "Option::is_none")]
    pub missed_without_limits: Option<f64>,
}

/// A control that is at a limit for a part of the time.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LimitedControl {
    /// The control.
    pub name: String,
    /// Whether its rate is limited instead of its value.
    pub rate: bool,
    /// The limit.
    #[serde(with = "number::scalar")]
    pub limit: f64,
    /// Share of the time at which it is there.
    #[serde(with = "number::scalar")]
    pub share: f64,
    /// When it is there first, second.
    #[serde(with = "number::scalar")]
    pub first: f64,
    /// What it needs without limits of the actuators, where a path is missed.
    #[serde(default, with = "number::option", skip_serializing_if = "Option::is_none")]
    pub needed: Option<f64>,
}

/// How well an output follows its path.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TrackedOutput {
    /// Servo and coordinate.
    pub name: String,
    /// Size of the path: its range, or the largest one of the same unit.
    #[serde(with = "number::scalar")]
    pub size: f64,
    /// Largest deviation at a node.
    #[serde(with = "number::scalar")]
    pub max_error: f64,
    /// Root of the mean square of the deviations at the nodes.
    #[serde(with = "number::scalar")]
    pub rms_error: f64,
}

/// Deviation and effort for a weight of the effort.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct TradeOff {
    /// The weight.
    #[serde(with = "number::scalar")]
    pub weight: f64,
    /// Deviation, as in [`Tracking`].
    #[serde(with = "number::scalar")]
    pub deviation: f64,
    /// Effort, as in [`Tracking`].
    #[serde(with = "number::scalar")]
    pub effort: f64,
}

/// The Hamiltonian of optimal control: by how much the least cost grows if a step becomes longer by a second.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Hamiltonian {
    /// Its mean over the steps.
    #[serde(with = "number::scalar")]
    pub mean: f64,
    /// Largest less smallest value; in continuous time zero.
    #[serde(with = "number::scalar")]
    pub spread: f64,
}

/// Energy against the work of all forces.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct WorkBalance {
    /// Work of each control, joule.
    #[serde(with = "number::map")]
    pub controls: BTreeMap<String, f64>,
    /// Work of forces that no control exerts, joule.
    #[serde(with = "number::scalar")]
    pub other_forces: f64,
    /// Energy at the end less that at the start, joule.
    #[serde(with = "number::scalar")]
    pub energy_change: f64,
    /// Change of the energy less all work, joule: an error of the time steps.
    #[serde(with = "number::scalar")]
    pub residual: f64,
}
