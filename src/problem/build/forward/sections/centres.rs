//! Damping, and where the centres of the section lie.

use std::sync::Arc;

use super::super::super::Check;
use super::Owner;
use crate::kernel::OneOrSeveral;
use crate::material::{DampingSpec, OffsetSpec, Section};
use crate::mechanism::Along;

/// How a section dissipates.
#[derive(Clone, Copy)]
enum Damping {
    None,
    /// One retardation time.
    Time(f64),
    /// Coefficients of stretch, shear, bending and twist.
    Retardation(f64, [f64; 2], [f64; 2], f64),
}

/// Mass, elastic and shear centre, as far as they are stated.
type Centres = [Option<[f64; 2]>; 3];

impl Check<'_> {
    /// Adds damping and offsets of the centres to a section.
    pub fn with_centres_and_damping(
        &mut self,
        owner: Owner<'_>,
        section: Option<Along<Section>>,
    ) -> Option<Along<Section>> {
        let damping = owner.rod.damping.as_ref().map_or(Some(Damping::None), |spec| self.damping(owner, spec));
        let centres = owner.rod.offset.as_ref().map_or(Some(None), |spec| self.centres(owner, spec).map(Some));
        let (section, damping, centres) = (section?, damping?, centres?);
        if centres.is_none() && matches!(damping, Damping::None) {
            return Some(section);
        }
        Some(Arc::new(move |s| {
            let section = match damping {
                Damping::None => section(s),
                Damping::Time(tau) => section(s).with_damping_time(tau),
                Damping::Retardation(axial, shear, bending, torsion) => {
                    section(s).with_retardation(axial, shear, bending, torsion)
                }
            };
            let Some([mass, elastic, shear]) = centres else { return section };
            // Tables and mass matrices tell centres, too.
            let mass_offset = mass.unwrap_or(section.mass_offset);
            let elastic_offset = elastic.unwrap_or(section.elastic_offset);
            let shear = shear.unwrap_or(elastic_offset);
            let from_elastic = [shear[0] - elastic_offset[0], shear[1] - elastic_offset[1]];
            Section { mass_offset, elastic_offset, ..section.with_shear_centre(from_elastic) }
        }))
    }

    fn damping(&mut self, owner: Owner<'_>, spec: &DampingSpec) -> Option<Damping> {
        let before = self.found.errors();
        let table = ["rod", owner.name, "damping"];
        let path = |key| [table[0], table[1], table[2], key];
        if !self.sure(&table) {
            return None;
        }
        let single = [("axial", spec.axial), ("torsion", spec.torsion), ("time", spec.time)];
        for (key, value) in single {
            value.map(|value| self.not_negative(&path(key), value));
        }
        let others =
            [("shear", spec.shear.is_some()), ("bending", spec.bending.is_some()), ("torsion", spec.torsion.is_some())];
        let mut given = others.iter().filter(|(_, given)| *given).map(|(key, _)| *key);
        if spec.time.is_some() && (spec.axial.is_some() || given.clone().next().is_some()) {
            let message =
                format!("[rod.{}.damping] has `time` and single coefficients, expected one or the other", owner.name);
            self.error(&path("time"), message, "damping stated in two ways");
        } else if spec.time.is_none() && spec.axial.is_none() && given.clone().next().is_none() {
            let message = format!(
                "[rod.{}.damping] is empty, expected `time`, or some of `axial`, `shear`, `bending`, `torsion`",
                owner.name
            );
            self.error(&table, message, "no damping");
        }
        if owner.kind.is_limp() {
            if let Some(key) = given.next() {
                let message =
                    format!("`rod.{}.damping.{key}` has no meaning for a string, which only stretches", owner.name);
                self.error(&path(key), message, "not for strings");
            }
        } else if owner.kind.is_unsheared() && spec.shear.is_some() {
            self.does_not_shear(owner, "damping");
        } else if owner.plane && spec.torsion.is_some() {
            let message =
                format!("`rod.{}.damping.torsion` has no meaning in the plane: nothing twists there", owner.name);
            self.error(&path("torsion"), message, "not in the plane");
        }
        let shear = self.coefficients(owner, "shear", spec.shear.as_ref());
        let bending = self.coefficients(owner, "bending", spec.bending.as_ref());
        if self.found.errors() > before {
            return None;
        }
        Some(match spec.time {
            Some(time) => Damping::Time(time),
            None => {
                let or_zero = |value: Option<f64>| value.unwrap_or(0.0);
                Damping::Retardation(or_zero(spec.axial), shear?, bending?, or_zero(spec.torsion))
            }
        })
    }

    /// One coefficient for both directions, or in space two for d₁ and d₂; zero if there is none.
    fn coefficients(&mut self, owner: Owner<'_>, key: &str, given: Option<&OneOrSeveral<f64>>) -> Option<[f64; 2]> {
        let Some(given) = given else { return Some([0.0; 2]) };
        let path = ["rod", owner.name, "damping", key];
        let count = if owner.plane || !given.is_list() { 1 } else { 2 };
        if !self.number_of_values(&path, given, count) {
            return None;
        }
        for (i, value) in given.as_slice().iter().enumerate() {
            let index = i.to_string();
            let mut here = path.to_vec();
            here.extend(given.is_list().then_some(index.as_str()));
            self.not_negative(&here, *value);
        }
        match given.as_slice() {
            [both] => Some([*both; 2]),
            [first, second] => Some([*first, *second]),
            _ => None,
        }
    }

    fn centres(&mut self, owner: Owner<'_>, spec: &OffsetSpec) -> Option<Centres> {
        let before = self.found.errors();
        let table = ["rod", owner.name, "offset"];
        if owner.kind.is_limp() {
            let message =
                format!("[rod.{}.offset] has no meaning for a string, which has no cross-section", owner.name);
            self.error(&table, message, "not for strings");
            return None;
        }
        if owner.plane && spec.shear.is_some() {
            let message = format!("`rod.{}.offset.shear` has no effect in the plane: nothing twists there", owner.name);
            self.error(&["rod", owner.name, "offset", "shear"], message, "not in the plane");
        }
        let keys = [("mass", &spec.mass), ("elastic", &spec.elastic), ("shear", &spec.shear)];
        let centres = keys.map(|(key, given)| self.centre(owner, key, given.as_ref()));
        (self.found.errors() == before).then_some(centres)
    }

    fn centre(&mut self, owner: Owner<'_>, key: &str, given: Option<&OneOrSeveral<f64>>) -> Option<[f64; 2]> {
        let given = given?;
        let path = ["rod", owner.name, "offset", key];
        match (given.as_slice(), owner.plane) {
            ([along_d1], true) => Some([*along_d1, 0.0]),
            ([d1, d2], false) => Some([*d1, *d2]),
            (_, plane) => {
                self.number_of_values(&path, given, if plane { 1 } else { 2 });
                None
            }
        }
    }
}
