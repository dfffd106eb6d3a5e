//! `[system]`: a mechanism by its energies.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::Expression;

/// `[system]`: a mechanism by its Lagrangian and its generalised forces.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SystemSpec {
    /// Names of the coordinates; the velocity of `x` is `x_dot`.
    pub coordinates: Vec<String>,
    /// Names of the controls; simulations, statics and modes can do without.
    #[serde(default)]
    pub controls: Vec<String>,
    /// Kinetic less potential energy, joule, of coordinates, velocities and `t`.
    pub lagrangian: Expression,
    /// Potential energy, joule, of coordinates and `t`, that is taken off the `lagrangian`: multirate motions evaluate it once in
    /// each macro step.
    #[serde(default, rename = "slow-potential", skip_serializing_if = "Option::is_none")]
    pub slow_potential: Option<Expression>,
    /// Generalised force by coordinate, of coordinates, velocities, controls and `t`; zero unless stated.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub forces: BTreeMap<String, Expression>,
    /// Expressions of the coordinates that are zero at all times, by names of your choice.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub constraints: BTreeMap<String, Expression>,
    /// Vectors of constant length, by names of your choice; each is a constraint as well.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub spheres: BTreeMap<String, SphereSpec>,
    /// Units of coordinates and controls, for tables and pictures.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub units: BTreeMap<String, String>,
}

/// A vector of constant length: a unit quaternion, the direction of a rod.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SphereSpec {
    /// Its components, expressions linear in the coordinates.
    pub of: Vec<Expression>,
    /// Its length; 1 unless stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
}
