//! What a rod does to the frequencies of a path that is prescribed at its end.

use serde::{Deserialize, Serialize};

use super::number;

/// Decimal logarithms over frequency.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Bandwidth {
    /// Angular frequencies, rad/s.
    #[serde(with = "number::list")]
    pub frequencies: Vec<f64>,
    /// log₁₀ of the factor by which a disturbance at the prescribed end grows along the rod.
    #[serde(with = "number::list")]
    pub growth: Vec<f64>,
    /// log₁₀ of the accelerations of the path, relative to the largest, with the floor of rounding.
    #[serde(with = "number::list")]
    pub path: Vec<f64>,
    /// Share of the answer that amplified kinks of the path and rounding errors make up.
    #[serde(with = "number::scalar")]
    pub distortion: f64,
    /// Frequency above which they outweigh the path, rad/s, if there is one.
    #[serde(default, with = "number::option", skip_serializing_if = "Option::is_none")]
    pub useful: Option<f64>,
    /// Corner of the low-pass filter in use, rad/s.
    #[serde(default, with = "number::option", skip_serializing_if = "Option::is_none")]
    pub corner: Option<f64>,
}
