//! Cross-sections: stiffness, inertia, damping and centres along a rod.

mod centres;
mod direct;
mod mass_matrix;
mod shapes;
mod tables;

use std::sync::Arc;

use super::super::Check;
use super::super::functions::Names;
use crate::kernel::magnitude::LARGEST;
use crate::kernel::{Expression, OneOrSeveral, Profile};
use crate::material::{Section, SectionTable, StiffnessSpec};
use crate::mechanism::{Along, RodKind, RodSpec};

/// What a section must be told of: the rod it belongs to.
#[derive(Clone, Copy)]
pub struct Owner<'a> {
    pub name: &'a str,
    pub rod: &'a RodSpec,
    pub kind: RodKind,
    pub plane: bool,
    /// Whether it keeps its shape: then stiffness does not matter, and rotary inertia may be missing.
    pub rigid: bool,
    /// Whether the task cannot do without mass.
    pub needs_mass: bool,
    /// Where functions of `s` are tried; nowhere if the length is not known.
    pub places: &'a [f64],
}

/// A stiffness for rods that keep their shape, in which it has no part.
fn any_stiffness(plane: bool) -> StiffnessSpec {
    let one = || Expression::Number(1.0);
    StiffnessSpec {
        axial: Some(one()),
        shear: Some(OneOrSeveral::One(one())),
        bending: Some(OneOrSeveral::One(one())),
        torsion: (!plane).then(one),
        matrix: None,
    }
}

/// Cross-sections along a rod.
pub struct Sections {
    pub section: Along<Section>,
    /// The table they come from.
    pub table: Option<Arc<SectionTable>>,
}

impl Check<'_> {
    /// The section along the rod, if all that it follows from is right.
    pub fn section_along(
        &mut self,
        name: &str,
        rod: &RodSpec,
        kind: RodKind,
        names: &Names,
        places: Option<&[f64]>,
    ) -> Option<Sections> {
        let before = self.found.errors();
        let needs_mass = self.needs_mass();
        let plane = self.dimension()? == 2;
        let rigid = rod.rigid;
        let owner = Owner { name, rod, kind, plane, rigid, needs_mass, places: places.unwrap_or_default() };
        let mut table = None;
        let section = match (&rod.stiffness, &rod.inertia, &rod.section, &rod.material, &rod.table) {
            (Some(stiffness), Some(inertia), None, None, None) => {
                self.direct_section(owner, stiffness, Some(inertia), names)
            }
            (Some(stiffness), None, None, None, None) if !needs_mass => {
                self.direct_section(owner, stiffness, None, names)
            }
            (None, inertia, None, None, None) if rigid && (inertia.is_some() || !needs_mass) => {
                // Its stiffness is never asked for; that of any rod will do.
                let owner = Owner { kind: RodKind::default(), ..owner };
                self.direct_section(owner, &any_stiffness(plane), inertia.as_ref(), names)
            }
            (None, None, Some(section), Some(material), None) => self.shaped_section(owner, section, material, names),
            (None, None, None, None, Some(spec)) => self.tabled_section(owner, spec).map(|(section, read)| {
                table = Some(read);
                section
            }),
            _ => {
                self.section_undetermined(owner);
                None
            }
        };
        let section = self.with_centres_and_damping(owner, section);
        let section = section.filter(|_| self.found.errors() == before && self.sure(&["rod", name]))?;
        Some(Sections { section, table })
    }

    fn section_undetermined(&mut self, Owner { name, rod, needs_mass, .. }: Owner<'_>) {
        let all = [
            ("stiffness", rod.stiffness.is_some()),
            ("inertia", rod.inertia.is_some()),
            ("section", rod.section.is_some()),
            ("material", rod.material.is_some()),
            ("table", rod.table.is_some()),
        ];
        if !all.iter().all(|(key, _)| self.sure(&["rod", name, key])) {
            return;
        }
        let given: Vec<&str> = all.into_iter().filter_map(|(key, is)| is.then_some(key)).collect();
        let found = if given.is_empty() { "none of them".to_owned() } else { given.join(", ") };
        let inertia = if needs_mass { "`stiffness` and `inertia`" } else { "`stiffness` (and `inertia`)" };
        let message = format!("rod `{name}` needs {inertia}, or `section` and `material`, or `table`; found {found}");
        let label = match given.as_slice() {
            [] => "which cross-section?",
            ["stiffness"] => "no `inertia` here",
            ["inertia"] => "no `stiffness` here",
            ["section"] => "no `material` here",
            ["material"] => "no `section` here",
            _ => "cross-section stated in two ways",
        };
        self.error(&["rod", name], message, label);
    }

    /// Whether a function of `s` is positive along the rod (zero is allowed too unless `strict`). A stiffness that is not
    /// is the rod's.
    fn sign_along(&mut self, owner: Owner<'_>, path: &[String], profile: &Profile, strict: bool) -> bool {
        let keys: Vec<&str> = path.iter().map(String::as_str).collect();
        let places = if profile.is_constant() { &[0.0] } else { owner.places };
        for s in places {
            let value = match profile.value_within(*s, 0.0, LARGEST) {
                Ok(value) => value,
                Err(error) => {
                    self.failures(vec![(path.to_vec(), error)]);
                    return false;
                }
            };
            if value > 0.0 || (value == 0.0 && !strict) {
                continue;
            }
            let here = self.document.path_text(path);
            let place = if profile.is_constant() { String::new() } else { format!(" at s = {s:.4}") };
            let (expected, label) = match strict {
                true => ("a positive number", "must be positive"),
                false => ("zero or a positive number", "must not be negative"),
            };
            let whose = match (keys.get(2), value == 0.0) {
                (Some(&"stiffness"), true) => format!("rod `{}` with zero stiffness: ", owner.name),
                (Some(&"stiffness"), false) => format!("rod `{}` with negative stiffness: ", owner.name),
                _ => String::new(),
            };
            let message = format!("{whose}`{here}` is {value}{place}, expected {expected}");
            self.error(&keys, message, label);
            return false;
        }
        true
    }
}
