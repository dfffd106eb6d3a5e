//! Sections by shape and material.

use std::sync::Arc;

use nalgebra::Matrix6;

use super::super::super::Check;
use super::super::super::functions::Names;
use super::Owner;
use crate::kernel::{Expression, Profile};
use crate::material::{MaterialSpec, Section, SectionSpec, Shape};
use crate::mechanism::Along;

impl Check<'_> {
    /// The section of a shape, whose lengths may vary along the rod, in a material.
    pub fn shaped_section(
        &mut self,
        owner: Owner<'_>,
        section: &SectionSpec,
        material: &MaterialSpec,
        names: &Names,
    ) -> Option<Along<Section>> {
        let right = self.material(owner.name, material);
        let (tag, factor, lengths): (_, _, Vec<(&str, &Expression)>) = match section {
            SectionSpec::Circle { radius, shear_factor } => ("circle", shear_factor, vec![("radius", radius)]),
            SectionSpec::Tube { outer, inner, shear_factor } => {
                ("tube", shear_factor, vec![("outer", outer), ("inner", inner)])
            }
            SectionSpec::Rectangle { width, height, shear_factor } => {
                ("rectangle", shear_factor, vec![("width", width), ("height", height)])
            }
        };
        let path = |key| ["rod", owner.name, "section", tag, key];
        let right = factor.is_none_or(|factor| self.positive(&path("shear-factor"), factor)) && right;
        let mut profiles = Vec::new();
        for (key, length) in &lengths {
            let here = path(key).map(str::to_owned);
            let profile = self.along(&path(key), length, names).filter(|_| names.whole);
            profiles.extend(profile.filter(|profile| self.sign_along(owner, &here, profile, *key != "inner")));
        }
        if profiles.len() < lengths.len() {
            return None;
        }
        if let (SectionSpec::Tube { .. }, [outer, inner]) = (section, profiles.as_slice()) {
            self.wall(owner, outer, inner)?;
        }
        if !right {
            return None;
        }
        let (tube, material, factor) = (matches!(section, SectionSpec::Tube { .. }), *material, *factor);
        let only_axial = owner.kind.is_limp();
        let at = move |s: f64| {
            let length = |i: usize| profiles.get(i).map_or(f64::NAN, |p: &Profile| p.value(s, 0.0).unwrap_or(f64::NAN));
            let shape = match (profiles.len(), tube) {
                (1, _) => Shape::Circle { radius: length(0) },
                (_, true) => Shape::Tube { outer: length(0), inner: length(1) },
                (_, false) => Shape::Rectangle { width: length(0), height: length(1) },
            };
            // Tried at many places before; a solver that meets another bad one refuses the number.
            let nothing = Section::principal(f64::NAN, [f64::NAN; 2], [f64::NAN; 2], f64::NAN, f64::NAN, [f64::NAN; 3]);
            let section = shape.section(&material, factor).unwrap_or(nothing);
            if only_axial { stretch_only(section) } else { section }
        };
        Some(Arc::new(at))
    }

    /// Whether a tube has a wall everywhere.
    fn wall(&mut self, owner: Owner<'_>, outer: &Profile, inner: &Profile) -> Option<()> {
        let constant = outer.is_constant() && inner.is_constant();
        let places = if constant { &[0.0] } else { owner.places };
        for s in places {
            let (Ok(outer), Ok(inner)) = (outer.value(*s, 0.0), inner.value(*s, 0.0)) else { return None };
            if inner >= outer {
                let path = ["rod", owner.name, "section", "tube", "inner"];
                let here = self.document.path_text(&path);
                let place = if constant { String::new() } else { format!(" at s = {s:.4}") };
                let message = format!("`{here}` is {inner}{place}, expected less than the outer radius {outer}");
                self.error(&path, message, "no wall left");
                return None;
            }
        }
        Some(())
    }
}

/// What a string uses of a section.
pub fn stretch_only(section: Section) -> Section {
    let only = Section::principal(section.stiffness[(2, 2)], [0.0; 2], [0.0; 2], 0.0, section.mass, [0.0; 3]);
    let mut damping = Matrix6::zeros();
    damping[(2, 2)] = section.damping[(2, 2)];
    Section { damping, ..only }
}
