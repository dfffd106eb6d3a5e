//! `[spring.NAME]`: springs, dampers and bushings.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::{Expression, OneOrSeveral};

/// `[spring.NAME]`: a spring with a damper beside it, between two points or on a joint, or a bushing between two frames.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpringSpec {
    /// The two frames it pulls at, e.g. `["ground", "cart"]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub between: Option<[String; 2]>,
    /// Reference positions of the points on the two frames, metre; those of the frames unless stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<[Vec<f64>; 2]>,
    /// The joint whose angles or travel it resists (instead of `between`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Stiffness, N/m or N m/rad; 0 unless stated. On a spherical joint in space one number for all directions or three
    /// for x, y and z, on a universal joint one for both axes or two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<OneOrSeveral<f64>>,
    /// Damping, N s/m or N m s/rad; 0 unless stated. As many numbers as `stiffness` may have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<OneOrSeveral<f64>>,
    /// Length (m), travel (m) or angle (rad) without force; that of the reference configuration unless stated. On a
    /// spherical joint in space the rotation vector, on a universal joint the two angles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<OneOrSeveral<f64>>,
    /// Force (N or N m) as an expression of the elongation `x` (length, travel or angle less `rest`) and its rate `v`,
    /// instead of `stiffness` and `damping`, e.g. `"100*x + 2e4*x^3 + 3*v"`. A positive force pulls the ends together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<Expression>,
    /// Energy (J) as an expression of the elongation `x`, instead of `stiffness`; its derivative is the force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub energy: Option<Expression>,
    /// Resists all relative displacements and rotations of the two frames of `between`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bushing: Option<BushingSpec>,
}

/// Stiffness and damping of a bushing against the displacement of its second point from the first and the rotation vector of
/// its second frame against the first: x, y, z, then about x, y, z (in the plane x, y and the angle). The directions are those
/// of the file in the reference configuration, where the bushing carries no force; they turn with the first frame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct BushingSpec {
    /// Six stiffnesses (three in the plane), N/m and N m/rad.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<Vec<f64>>,
    /// The whole stiffness matrix instead, by rows, symmetric and not negative; N/m, N/rad, N m/m and N m/rad.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness_matrix: Option<Vec<Vec<f64>>>,
    /// Six dampings (three in the plane), N s/m and N m s/rad.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<Vec<f64>>,
    /// The whole damping matrix instead, by rows, symmetric and not negative.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping_matrix: Option<Vec<Vec<f64>>>,
}
