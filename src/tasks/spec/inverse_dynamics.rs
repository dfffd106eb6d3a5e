//! `[task.inverse-dynamics]`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{GridUse, MotionStart};
use crate::kernel::{Expression, OneOrSeveral};

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
    /// The bounded motion of a flexible mechanism with as many inputs as outputs, over all time at once: it begins before the
    /// path does and ends after it.
    BoundaryValue,
    /// The motion that follows the paths best, within the limits of the actuators: any number of inputs and outputs.
    Optimise,
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
    /// Where the first configuration is looked for: `"equilibrium"`, at rest under the loads with driven frames and joints where the
    /// file puts them, `"reference"`, or coordinates near it by name (zero for those of a `[system]` that are not stated). Unless
    /// stated the equilibrium where a path mentions `start` or loads act on rods that deform, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<MotionStart>,
    /// For `optimise`: bounds of actuator components, `"hub.torque" = [-2.0, 2.0]`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub bounds: BTreeMap<String, OneOrSeveral<Expression>>,
    /// For `optimise`: largest rates of actuator components, per second.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rates: BTreeMap<String, Expression>,
    /// For `optimise`: whether paths are followed as well as possible or exactly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub following: Option<FollowingSpec>,
    /// For `optimise`: weight of the squared forces, relative to those that the path needs, against the squared deviation,
    /// relative to the size of the path; unless stated 1e-6, and 1e-3 where there are `bounds`, or as light as the path asks for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort: Option<f64>,
    /// For `optimise`: further weights of the effort, for a table of deviation against effort.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trade_off: Vec<f64>,
    /// Instants, second, at which displacement, twist and section loads of rods are told over the arc length, in `profile.csv`; five
    /// over the time in which the path moves unless stated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub profile: Vec<f64>,
    /// Whether finer grids are tried where the proof fails on the stated one; `"adapt"` unless stated.
    #[serde(default)]
    pub grid: GridUse,
    /// The forward simulation that proves the answer.
    #[serde(default)]
    pub verify: VerifySpec,
}

/// How closely `optimise` follows the paths.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FollowingSpec {
    /// As well as possible, from rest to rest.
    #[default]
    Best,
    /// Exactly at all time nodes, with the least effort, near rest at both ends.
    Exact,
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
