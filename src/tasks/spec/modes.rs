//! `[task.modes]`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Configuration;
use crate::kernel::Expression;

/// How modes are computed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ModesMethod {
    /// Finite elements; everything that can be stated.
    #[default]
    Elements,
    /// Exact dynamic stiffness of straight, uniform, unstressed rods.
    Exact,
}

/// `[task.modes]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ModesSpec {
    /// Method; `"elements"` unless stated.
    pub method: ModesMethod,
    /// How many modes; 10 unless stated.
    #[schemars(range(min = 1))]
    pub count: usize,
    /// The configuration about which the mechanism vibrates; `"equilibrium"` unless stated.
    pub about: Configuration,
    /// Whether damping counts; it does if there is any, unless stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damped: Option<bool>,
    /// Whether motions that damping lets die away without oscillating are left out; they are unless `false` is stated.
    pub oscillating: bool,
    /// Load factors at which modes are looked for, increasing; between two of them it is found where motions begin to grow. The
    /// stated loads alone, factor 1, unless stated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub factors: Vec<f64>,
    /// Multiples of the rate of `[spin]` whose lines a Campbell diagram shows; 1, 3 and 6 unless stated.
    pub orders: Vec<f64>,
    /// Of a `[system]`: coordinates near which the equilibrium is looked for; zero unless stated.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub start: BTreeMap<String, Expression>,
}

impl Default for ModesSpec {
    fn default() -> Self {
        Self {
            method: ModesMethod::Elements,
            count: 10,
            about: Configuration::Equilibrium,
            damped: None,
            oscillating: true,
            factors: Vec::new(),
            orders: vec![1.0, 3.0, 6.0],
            start: BTreeMap::new(),
        }
    }
}
