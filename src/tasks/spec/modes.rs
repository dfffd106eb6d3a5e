//! `[task.modes]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Configuration;

/// `[task.modes]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ModesSpec {
    /// How many modes; 10 unless stated.
    #[schemars(range(min = 1))]
    pub count: usize,
    /// The configuration about which the mechanism vibrates; `"equilibrium"` unless stated.
    pub about: Configuration,
    /// Whether damping counts; it does if there is any, unless stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damped: Option<bool>,
    /// Multiples of the rate of `[spin]` whose lines a Campbell diagram shows; 1, 3 and 6 unless stated.
    pub orders: Vec<f64>,
}

impl Default for ModesSpec {
    fn default() -> Self {
        Self { count: 10, about: Configuration::Equilibrium, damped: None, orders: vec![1.0, 3.0, 6.0] }
    }
}
