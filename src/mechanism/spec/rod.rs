//! `[rod.NAME]`: strings, beams and rods.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{CurveSpec, RodDragSpec};
use crate::kernel::{Expression, OneOrSeveral};
use crate::material::{
    DampingSpec, InertiaSpec, LawSpec, MaterialSpec, OffsetSpec, SectionSpec, StiffnessSpec, TableSpec,
};
use crate::mechanism::Quadrature;
use crate::mechanism::RodKind;

/// Which continuum a rod is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RodModel {
    /// Perfectly flexible string: axial stiffness only; plane or space.
    String,
    /// Shear-flexible geometrically exact beam; plane.
    Beam,
    /// Shear-flexible geometrically exact rod (Cosserat); space.
    Rod,
    /// Shear-rigid rod: stretches and bends, sections stay perpendicular to the axis; plane.
    Kirchhoff,
}

impl RodModel {
    /// The kind of rod; none where the model has none in this dimension.
    pub fn kind(self, dimension: usize) -> Option<RodKind> {
        match (self, dimension) {
            (RodModel::String, _) => Some(RodKind::String),
            (RodModel::Beam, 2) | (RodModel::Rod, 3) => Some(RodKind::Cosserat),
            (RodModel::Kirchhoff, _) => Some(RodKind::Kirchhoff),
            (RodModel::Beam | RodModel::Rod, _) => None,
        }
    }

    /// Whether it is a string, in any dimension.
    pub fn is_string(self) -> bool {
        self == RodModel::String
    }
}

/// `[rod.NAME]`: a string, beam or rod.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RodSpec {
    /// `"string"`, `"kirchhoff"` (no shear), `"beam"` (plane) or `"rod"` (space).
    pub model: RodModel,
    /// Reference position of the end s = 0, metre; as many numbers as `dimension`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Vec<f64>>,
    /// Reference position of the end s = L, metre; the distance between `from` and `to` is the unstretched length.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Vec<f64>>,
    /// Reference axis that is not straight (instead of `from` and `to`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub curve: Option<CurveSpec>,
    /// Roughly where the section director d₁ points at s = 0; space. The normal of the plane through z and the
    /// tangent unless stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub normal: Option<Vec<f64>>,
    /// Pre-twist of the section directors about the tangent, radian, as a function of `s`; space. That of `table` unless
    /// stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub twist: Option<Expression>,
    /// Whether it keeps its reference shape as a rigid part, whatever its stiffness; `false` unless stated.
    #[serde(default)]
    pub rigid: bool,
    /// Number of elements of the space grid; of a rigid rod the places that can be referred to and are drawn.
    pub elements: usize,
    /// Where elements meet; `"equal"` unless stated.
    #[serde(default, skip_serializing_if = "GridSpec::is_equal")]
    pub grid: GridSpec,
    /// Polynomial order of an element; 1 unless stated, and for Kirchhoff rods.
    #[serde(default = "first_order")]
    #[schemars(range(min = 1, max = 6))]
    pub order: usize,
    /// Where the energy of a two-node element is evaluated; `"midpoint"` unless stated.
    #[serde(default)]
    pub quadrature: Quadrature,
    /// Stiffnesses, given directly (or give `section` and `material`, or `table`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<StiffnessSpec>,
    /// Inertia per length, given directly (or give `section` and `material`, or `table`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inertia: Option<InertiaSpec>,
    /// Cross-section by shape, with `material`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<SectionSpec>,
    /// Material, with `section`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub material: Option<MaterialSpec>,
    /// Stiffness and inertia over s, from a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<TableSpec>,
    /// Where mass centre, elastic centre and shear centre lie in the section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<OffsetSpec>,
    /// Damping inside the rod (Kelvin-Voigt).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<DampingSpec>,
    /// Forces of the fluid around the rod.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drag: Option<RodDragSpec>,
    /// Axial law; `"quadratic"` unless stated.
    #[serde(default)]
    pub law: LawSpec,
    /// Stiffening β of bending, m²: M = EI κ (1 + β κ²); 0 unless stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffening: Option<f64>,
    /// Strains of the unstressed rod besides those of its reference shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prestrain: Option<PrestrainSpec>,
    /// Initial velocity of the axis, m/s, each component a function of `s`; simulations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub velocity: Option<Vec<Expression>>,
    /// Initial angular velocity in the section frame, rad/s, functions of `s`; one number in the plane, three in
    /// space; simulations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spin: Option<OneOrSeveral<Expression>>,
}

/// Where elements meet.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GridSpec {
    /// All elements have the same length.
    #[default]
    Equal,
    /// Elements meet at the stations of `table`: as many between each two of them, and what is left over of `elements` where
    /// they are longest.
    Stations,
    /// Elements meet at these fractions of the length, increasing from 0 to 1 without these two.
    At(Vec<f64>),
}

impl GridSpec {
    /// Whether it is the one that need not be stated.
    pub fn is_equal(&self) -> bool {
        *self == Self::Equal
    }
}

fn first_order() -> usize {
    1
}

/// `[rod.NAME.prestrain]`: strains at which the rod carries no stress, numbers or functions of `s`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PrestrainSpec {
    /// Shear along d₁ and d₂ and stretch along d₃; plane: shear and stretch; strings and Kirchhoff rods: stretch only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strain: Option<OneOrSeveral<Expression>>,
    /// Curvatures about d₁ and d₂ and twist about d₃, 1/m; plane: one curvature.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub curvature: Option<OneOrSeveral<Expression>>,
}
