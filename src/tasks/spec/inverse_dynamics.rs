//! `[task.inverse-dynamics]`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::Expression;

/// Method of inverse dynamics.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Let the program choose, and say why.
    #[default]
    Auto,
    /// March along the rod, all of time at once, explicit and local.
    SpaceMarch,
    /// Integrate along the characteristic lines.
    Characteristics,
    /// Space-time finite elements.
    Galerkin,
    /// Servo constraints of a discrete mechanism, instant by instant: bodies, joints, springs, rods of few elements, or a
    /// `[system]`.
    Sequential,
}

/// How the space-time finite element equations are solved.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Sweep {
    /// `layers` where the end data are complete, else `global`.
    #[default]
    Auto,
    /// Layer by layer along the rod (complete end data), linear cost.
    Layers,
    /// One sparse Newton over the whole space-time domain (any end data).
    Global,
}

/// `[task.inverse-dynamics]`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct InverseDynamicsSpec {
    /// Method; `"auto"` unless stated.
    #[serde(default)]
    pub method: Method,
    /// For `galerkin`: how the equations are solved.
    #[serde(default)]
    pub sweep: Sweep,
    /// Angular frequency, rad/s, above which inertia is filtered out while marching along the rod. Tames the growth
    /// of noise on slender rods; the path itself must lie well below it. Chosen by `auto` where it is needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bandwidth: Option<f64>,
    /// For `sequential`: coordinates near which the first configuration is looked for, by name; the reference
    /// configuration unless stated, and zero for those of a `[system]`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub start: BTreeMap<String, Expression>,
    /// The forward simulation that proves the answer.
    #[serde(default)]
    pub verify: VerifySpec,
}

/// `[task.inverse-dynamics.verify]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VerifySpec {
    /// Largest deviation from the path that counts as verified, as a fraction of the rod's length or of the size of the
    /// manoeuvre, whichever is smaller (angles: divided by the rod's length).
    #[serde(default = "default_tolerance")]
    pub tolerance: f64,
    /// How many times finer than the problem's grid the simulation is, in space and time.
    #[serde(default = "default_refine")]
    pub refine: usize,
}

fn default_tolerance() -> f64 {
    5e-3
}

fn default_refine() -> usize {
    2
}

impl Default for VerifySpec {
    fn default() -> Self {
        Self { tolerance: default_tolerance(), refine: default_refine() }
    }
}
