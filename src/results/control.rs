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
