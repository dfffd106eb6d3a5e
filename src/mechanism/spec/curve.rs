//! `[rod.NAME.curve]`: reference axes that are not straight.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::Expression;

/// The reference axis of a rod that is unstressed when curved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum CurveSpec {
    /// Arc of a circle.
    Arc {
        /// Position of the end s = 0, metre.
        from: Vec<f64>,
        /// Tangent there, of any length; perpendicular to the line to the centre.
        tangent: Vec<f64>,
        /// Centre of the circle, metre.
        centre: Vec<f64>,
        /// Angle it turns about the centre, radian, positive.
        angle: f64,
    },
    /// Helix about an axis; space.
    Helix {
        /// Radius, metre.
        radius: f64,
        /// Climb along the axis per turn, metre; negative for a left-handed helix.
        pitch: f64,
        /// Number of turns.
        turns: f64,
        /// Position of the end s = 0, metre; such that the axis goes through the origin unless stated.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<Vec<f64>>,
        /// Direction of the axis, of any length; `[0, 0, 1]` unless stated.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        axis: Option<Vec<f64>>,
        /// Direction from the axis to `from`, of any length; `[1, 0, 0]` (or `[0, 1, 0]` if that is the axis) unless
        /// stated.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        outward: Option<Vec<f64>>,
    },
    /// A curve given by its coordinates over the parameter s from 0 to `length`.
    Path {
        /// Position along x, metre.
        x: Expression,
        /// Position along y, metre.
        y: Expression,
        /// Position along z, metre; space.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        z: Option<Expression>,
        /// Where the parameter s ends, metre. Where s is not the arc length the curve is parametrised anew.
        length: f64,
        /// Pre-twist of the section directors about the tangent, radian; space.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        twist: Option<Expression>,
    },
}
