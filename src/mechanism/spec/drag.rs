//! `drag` of rods and bodies, and `[current]`: the fluid around the mechanism.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::Expression;

/// `[rod.NAME.drag]`: force of a fluid per metre of reference length by the velocity relative to `[current]`, split into the parts
/// across the rod and along it; numbers or functions of `s`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RodDragSpec {
    /// Per velocity across the rod, N s/m²; 0 unless stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub normal: Option<Expression>,
    /// Per velocity along the rod, N s/m²; 0 unless stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tangential: Option<Expression>,
    /// Per squared velocity across the rod, N s²/m³; 0 unless stated. Of a circular cylinder ½ ρ c_d d.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub normal_quadratic: Option<Expression>,
    /// Per squared velocity along the rod, N s²/m³; 0 unless stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tangential_quadratic: Option<Expression>,
}

impl RodDragSpec {
    /// The keys with their coefficients: across linear and quadratic, along linear and quadratic.
    pub fn coefficients(&self) -> [(&'static str, Option<&Expression>); 4] {
        [
            ("normal", self.normal.as_ref()),
            ("normal-quadratic", self.normal_quadratic.as_ref()),
            ("tangential", self.tangential.as_ref()),
            ("tangential-quadratic", self.tangential_quadratic.as_ref()),
        ]
    }
}

/// `[body.NAME.drag]`: force of a fluid at the mass centre by the velocity relative to `[current]`, the same in all directions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BodyDragSpec {
    /// Force per velocity, N s/m; 0 unless stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub linear: Option<f64>,
    /// Force per squared velocity, N s²/m²; 0 unless stated. Of a sphere ½ ρ c_d A.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quadratic: Option<f64>,
    /// Torque per angular velocity, N m s; 0 unless stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotary: Option<f64>,
}

/// `[current]`: how the fluid moves in which rods and bodies have `drag`; it rests unless stated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CurrentSpec {
    /// Velocity, m/s, each component a number or a function of `t`; as many as `dimension`.
    pub velocity: Vec<Expression>,
}
