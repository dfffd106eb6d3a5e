//! How a problem file states stiffness and inertia: directly, by section and material, or by a table.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::{Expression, OneOrSeveral};

/// Stiffnesses of a rod's cross-section, given directly: numbers or functions of `s`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StiffnessSpec {
    /// Axial stiffness EA, newton.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axial: Option<Expression>,
    /// Shear stiffness GA (with the shear factor), newton, in space along d₁ and d₂ if there are two; not for strings
    /// and Kirchhoff rods.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shear: Option<OneOrSeveral<Expression>>,
    /// Bending stiffness EI, newton metre², in space about d₁ and d₂ if there are two; not for strings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bending: Option<OneOrSeveral<Expression>>,
    /// Torsional stiffness GJ, newton metre²; space.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub torsion: Option<Expression>,
    /// All stiffnesses at once (instead of the others), space: six rows of six numbers, symmetric, in the order shear
    /// along d₁, shear along d₂, stretch, bending about d₁, bending about d₂, twist.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matrix: Option<Vec<Vec<f64>>>,
}

/// Inertia of a rod per unit length, given directly: numbers or functions of `s`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InertiaSpec {
    /// Mass per length ρA, kg/m; required unless `matrix` is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass: Option<Expression>,
    /// Rotary inertia per length ρI about the mass centre of the section (also where `offset.mass` moves it away from the
    /// axis), kg m: one number r in the plane; in space ρI about d₁, d₂, d₃, or one number r for r, r, 2 r; not for strings.
    /// Kirchhoff rods: that of a homogeneous section, ρA EI/EA, unless stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotary: Option<OneOrSeveral<Expression>>,
    /// The whole mass matrix per length instead, space: six rows of six numbers, symmetric, about the axis of the rod, in
    /// the order velocity along d₁, d₂, d₃, angular velocity about d₁, d₂, d₃; kg/m, kg and kg m. It holds mass, mass
    /// centre, moments and products of inertia, so that `offset.mass` is not stated beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matrix: Option<Vec<Vec<f64>>>,
}

/// Cross-section by its shape; lengths are numbers or functions of `s`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", rename_all_fields = "kebab-case", deny_unknown_fields)]
pub enum SectionSpec {
    /// Solid circle.
    Circle {
        /// Radius, metre.
        radius: Expression,
        /// Shear factor; that of Cowper (1966) unless stated.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        shear_factor: Option<f64>,
    },
    /// Tube (annulus).
    Tube {
        /// Outer radius, metre.
        outer: Expression,
        /// Inner radius, metre.
        inner: Expression,
        /// Shear factor; that of Cowper (1966) unless stated.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        shear_factor: Option<f64>,
    },
    /// Rectangle; in the plane, `height` is the extent in the plane of bending.
    Rectangle {
        /// Extent along d₂ (plane: across the plane of bending), metre.
        width: Expression,
        /// Extent along d₁ (plane: in the plane of bending), metre.
        height: Expression,
        /// Shear factor; that of Cowper (1966) unless stated.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        shear_factor: Option<f64>,
    },
}

/// `[rod.NAME.table]`: the cross-section over s, from a file of comma-separated values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TableSpec {
    /// The file, relative to the problem file. Its columns are `s` (m), `axial`, `shear_1`, `shear_2`, `bending_1`,
    /// `bending_2`, `torsion`, `mass`, `inertia_1`, `inertia_2`, `inertia_3`, `inertia_12` (product of inertia), offsets and `twist` (rad) or
    /// `twist_degrees`; linear between the rows.
    pub file: String,
    /// Factors of columns, by their names: `{ mass = 1.04536 }` makes the rod heavier; 1 unless stated.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub factors: BTreeMap<String, f64>,
}

/// `[rod.NAME.offset]`: centres of the section, metre along d₁ and d₂ from the axis of the rod; plane: along d₁.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OffsetSpec {
    /// Mass centre; on the axis unless stated. Rotary inertias stay those about the mass centre.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass: Option<OneOrSeveral<f64>>,
    /// Elastic centre, where an axial force does not bend; on the axis unless stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elastic: Option<OneOrSeveral<f64>>,
    /// Shear centre, where a transverse force does not twist; the elastic centre unless stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shear: Option<OneOrSeveral<f64>>,
}

/// `[rod.NAME.damping]`: stress = 2 r · strain rate for each r given, or stress = τ · stiffness · strain rate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DampingSpec {
    /// r of stretch, N s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axial: Option<f64>,
    /// r of shear, N s; in space along d₁ and d₂ if there are two; not for Kirchhoff rods.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shear: Option<OneOrSeveral<f64>>,
    /// r of bending, N m² s; in space about d₁ and d₂ if there are two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bending: Option<OneOrSeveral<f64>>,
    /// r of twist, N m² s; space.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub torsion: Option<f64>,
    /// Retardation time τ of all strains, second (instead of the others).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
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
