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
