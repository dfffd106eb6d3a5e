//! How a problem file states stiffness and inertia: directly, or by section and material.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Stiffnesses of a rod's cross-section, given directly.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StiffnessSpec {
    /// Axial stiffness EA, newton.
    pub axial: f64,
    /// Shear stiffness GA (with the shear factor), newton; beams only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shear: Option<f64>,
    /// Bending stiffness EI, newton metre²; beams only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bending: Option<f64>,
}

/// Inertia of a rod per unit length, given directly.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InertiaSpec {
    /// Mass per length ρA, kg/m.
    pub mass: f64,
    /// Rotary inertia per length ρI, kg m; beams only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotary: Option<f64>,
}

/// Cross-section by its shape.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum SectionSpec {
    /// Solid circle.
    Circle {
        /// Radius, metre.
        radius: f64,
    },
    /// Tube (annulus).
    Tube {
        /// Outer radius, metre.
        outer: f64,
        /// Inner radius, metre.
        inner: f64,
    },
    /// Rectangle; in the plane, `height` is the extent in the plane of bending.
    Rectangle {
        /// Extent across the plane of bending, metre.
        width: f64,
        /// Extent in the plane of bending, metre.
        height: f64,
    },
}

/// Linear elastic material.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MaterialSpec {
    /// Young's modulus E, pascal.
    pub youngs: f64,
    /// Poisson's ratio ν; the shear modulus is E / (2 (1 + ν)).
    #[serde(default)]
    pub poisson: f64,
    /// Density ρ, kg/m³.
    pub density: f64,
}

/// Axial law by name: axial force N over stretch ν (1 at rest), for axial stiffness EA.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LawSpec {
    /// N = EA (ν − 1).
    #[default]
    Quadratic,
    /// N = EA/2 (ν − 1/ν), which resists complete compression.
    Logarithmic,
}
