//! `[winch.NAME]`: ropes of changing length.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::Expression;

/// `[winch.NAME]`: a rope that runs over a sheave or drum at its start. In simulations one of `length`, `force` and `torque` drives it;
/// inverse dynamics seeks what does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WinchSpec {
    /// The string that hangs from the sheave: it is the free rope in the reference configuration, and its start is at the sheave.
    pub rope: String,
    /// A string on the other side of the sheave, e.g. with a counterweight, which gets shorter as `rope` gets longer; its start is at
    /// the sheave as well. Without it the rope comes from a drum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counter: Option<String>,
    /// Frame that carries the sheave, e.g. `"trolley"` or `"ground"`.
    pub at: String,
    /// Unstressed length of `rope` that hangs free, metre, as a function of `t`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<Expression>,
    /// Force by which the drum hauls the rope in, N, as a function of `t`; 0 lets the sheave run freely.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<Expression>,
    /// Torque by which the drum hauls the rope in, N m, as a function of `t`; needs `radius`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub torque: Option<Expression>,
    /// Radius of the drum, metre.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
    /// Inertia of the drum about its axis, without the rope on it, kg m²; needs `radius`; 0 unless stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inertia: Option<f64>,
    /// Unstressed length of rope on the drum in the reference configuration, metre: so much more can be paid out. It rides with the
    /// frame `at`; 0 unless stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stored: Option<f64>,
}
