//! Rods: geometry, cross-section, law.

use super::super::Check;
use super::super::functions::Names;
use super::refusals::FORWARD_ONLY;
use crate::kernel::{Expression, OneOrSeveral};
use crate::material::{SectionConstants, SectionSpec, Shape};
use crate::models::{RodModel, RodSpec};

/// What the ends of the rod need to know of it; nothing where it is missing or mistaken.
#[derive(Default)]
pub struct Outline<'a> {
    pub name: Option<&'a str>,
    pub coordinates: Option<&'static [&'static str]>,
}

/// The one rod of the problem, well-formed.
pub struct CheckedRod<'a> {
    pub name: &'a str,
    pub spec: &'a RodSpec,
    pub from: &'a [f64],
    pub to: &'a [f64],
    pub coordinates: &'static [&'static str],
    pub section: SectionConstants,
}

impl<'a> Check<'a> {
    pub fn rod(&mut self, names: &Names) -> (Outline<'a>, Option<CheckedRod<'a>>) {
        let spec: &'a _ = self.spec;
        let mut rods = spec.rod.iter();
        let Some((name, rod)) = rods.next() else {
            if self.sure(&["rod"]) {
                self.error(&["rod"], "there is no rod, expected a table such as [rod.beam]", "no [rod.*] in this file")
                    .help("lariat new beam-quarter-turn writes a file to start from");
            }
            return (Outline::default(), None);
        };
        for (other, _) in rods {
            self.limited = true;
            self.error(
                &["rod", other],
                format!("found a second rod `{other}` beside `{name}`, expected one"),
                "this method treats one rod",
            )
            .help(super::refusals::NETS);
        }
        let coordinates = self.geometry(name, rod);
        let section = self.section(name, rod, names);
        if spec.rod.len() > 1 {
            return (Outline::default(), None);
        }
        let checked = match (coordinates, section, &rod.from, &rod.to) {
            (Some(coordinates), Some(section), Some(from), Some(to)) if self.sure(&["rod"]) => {
                Some(CheckedRod { name, spec: rod, from, to, coordinates, section })
            }
            _ => None,
        };
        (Outline { name: Some(name), coordinates: self.coordinates(name, rod) }, checked)
    }

    /// Names of the rod's coordinates, if model and dimension are stated and fit.
    fn coordinates(&self, name: &str, rod: &RodSpec) -> Option<&'static [&'static str]> {
        if !self.sure(&["rod", name, "model"]) {
            return None;
        }
        match (rod.model, self.dimension()?) {
            (RodModel::Beam, 2) => Some(&["x", "y", "angle"]),
            (RodModel::String, 2) => Some(&["x", "y"]),
            (RodModel::String, 3) => Some(&["x", "y", "z"]),
            _ => None,
        }
    }

    /// The coordinates of a rod whose place in space makes sense.
    fn geometry(&mut self, name: &str, rod: &RodSpec) -> Option<&'static [&'static str]> {
        let before = self.found.errors();
        let dimension = self.dimension();
        if rod.model == RodModel::Beam
            && self.sure(&["rod", name, "model"])
            && let Some(dimension) = dimension.filter(|d| *d != 2)
        {
            self.error(
                &["rod", name, "model"],
                format!("a beam needs `dimension = 2`, found {dimension}"),
                "beams are plane",
            )
            .help("use model = \"string\" in space");
        }
        if rod.curve.is_none() {
            self.straight_ends(name, rod);
        }
        let sure = self.sure(&["rod", name, "from"]) && self.sure(&["rod", name, "to"]);
        self.elements(name, rod);
        self.coordinates(name, rod).filter(|_| sure && self.found.errors() == before)
    }

    fn section(&mut self, name: &str, rod: &RodSpec, names: &Names) -> Option<SectionConstants> {
        if rod.table.is_some() {
            return None;
        }
        match (&rod.stiffness, &rod.inertia, &rod.section, &rod.material) {
            (Some(stiffness), Some(inertia), None, None) => {
                let values = [
                    ("stiffness", "axial", stiffness.axial.clone().map(OneOrSeveral::One), true),
                    ("stiffness", "shear", stiffness.shear.clone(), false),
                    ("stiffness", "bending", stiffness.bending.clone(), false),
                    ("inertia", "mass", Some(OneOrSeveral::One(inertia.mass.clone())), true),
                    ("inertia", "rotary", inertia.rotary.clone(), false),
                ];
                let [axial, shear, bending, mass, rotary] =
                    values.map(|(table, key, value, for_strings)| match &value {
                        _ if stiffness.matrix.is_some() && table == "stiffness" => None,
                        // Refused elsewhere.
                        Some(OneOrSeveral::Several(_)) => None,
                        Some(OneOrSeveral::One(value)) => {
                            self.constant(name, rod.model, [table, key], Some(value), for_strings, names)
                        }
                        None => self.constant(name, rod.model, [table, key], None, for_strings, names),
                    });
                let or_zero = |value: Option<f64>| value.unwrap_or(0.0);
                Some(SectionConstants {
                    axial: axial?,
                    shear: or_zero(shear),
                    bending: or_zero(bending),
                    mass: mass?,
                    rotary: or_zero(rotary),
                })
            }
            (None, None, Some(section), Some(material)) => {
                let shape = self.shape(name, section, names);
                self.material(name, material);
                Some(SectionConstants::of_shape(&shape?, material))
            }
            (stiffness, inertia, section, material) => {
                let all = [
                    ("stiffness", stiffness.is_some()),
                    ("inertia", inertia.is_some()),
                    ("section", section.is_some()),
                    ("material", material.is_some()),
                ];
                if all.iter().all(|(key, _)| self.sure(&["rod", name, key])) {
                    let given: Vec<&str> = all.into_iter().filter_map(|(key, is)| is.then_some(key)).collect();
                    self.undetermined(name, &given);
                }
                None
            }
        }
    }

    fn undetermined(&mut self, name: &str, given: &[&str]) {
        let found = if given.is_empty() { "none of them".to_owned() } else { given.join(", ") };
        let message =
            format!("rod `{name}` needs `stiffness` and `inertia`, or `section` and `material`; found {found}");
        let partner = |key: &str| match key {
            "stiffness" => "inertia",
            "inertia" => "stiffness",
            "section" => "material",
            _ => "section",
        };
        let path = ["rod", name];
        match given {
            [] => self.error(&path, message, "which cross-section?"),
            [only] => self.error(&path, message, format!("no `{}` here", partner(only))),
            _ => self.error(&path, message, "cross-section stated in two ways"),
        };
    }

    /// A constant of the section, which must be positive; strings have few of them.
    fn constant(
        &mut self,
        name: &str,
        model: RodModel,
        [table, key]: [&str; 2],
        value: Option<&Expression>,
        for_strings: bool,
        names: &Names,
    ) -> Option<f64> {
        let path = ["rod", name, table, key];
        let here = self.document.path_text(&path);
        let number = value.and_then(|value| self.number(&path, value, names));
        if let Some(number) = number
            && !self.positive(&path, number)
        {
            return None;
        }
        let sure = self.sure(&["rod", name, "model"]);
        match (value, model) {
            (Some(_), RodModel::String) if !for_strings && sure => {
                if let Some(value) = number {
                    let message = format!("`{here}` is {value}, but a string has no {key} {table}");
                    self.error(&path, message, "not for strings").help("remove it, or set model = \"beam\"");
                }
            }
            (None, RodModel::Beam) if sure => {
                let message = format!("missing key `{key}` in [rod.{name}.{table}], expected a positive number");
                self.error(&path, message, format!("no `{key}` here")).help("a beam needs it, a string does not");
            }
            (None, RodModel::String) if for_strings => {
                let message = format!("missing key `{key}` in [rod.{name}.{table}], expected a positive number");
                self.error(&path, message, format!("`{key}` is missing"));
            }
            _ => {}
        }
        number
    }

    /// A number that is the same everywhere and always.
    fn number(&mut self, path: &[&str], value: &Expression, names: &Names) -> Option<f64> {
        let profile = self.profile(path, value, names).filter(|_| names.whole)?;
        if !profile.is_constant() {
            self.limited = true;
            let here = self.document.path_text(path);
            let message = format!("`{here}` varies, but inverse dynamics treats only rods that are the same all along");
            self.error(path, message, "expected a constant").help(FORWARD_ONLY);
            return None;
        }
        match profile.value(0.0, 0.0) {
            Ok(value) => Some(value),
            Err(error) => {
                self.failures(vec![(path.iter().map(|key| (*key).to_owned()).collect(), error)]);
                None
            }
        }
    }

    fn shape(&mut self, name: &str, section: &SectionSpec, names: &Names) -> Option<Shape> {
        let path = |tag, key| ["rod", name, "section", tag, key];
        match section {
            SectionSpec::Circle { radius, .. } => {
                let radius = self.number(&path("circle", "radius"), radius, names)?;
                self.positive(&path("circle", "radius"), radius).then_some(Shape::Circle { radius })
            }
            SectionSpec::Tube { outer, inner, .. } => {
                let outer = self.number(&path("tube", "outer"), outer, names);
                let inner = self.number(&path("tube", "inner"), inner, names);
                let (outer, inner) = (outer?, inner?);
                let right =
                    self.positive(&path("tube", "outer"), outer) & self.not_negative(&path("tube", "inner"), inner);
                if right && inner >= outer && self.sure(&["rod", name, "section", "tube"]) {
                    let here = self.document.path_text(&path("tube", "inner"));
                    let message = format!("`{here}` is {inner}, expected less than the outer radius {outer}");
                    self.error(&path("tube", "inner"), message, "no wall left");
                }
                Some(Shape::Tube { outer, inner })
            }
            SectionSpec::Rectangle { width, height, .. } => {
                let [width, height] = [("width", width), ("height", height)].map(|(key, value)| {
                    let path = path("rectangle", key);
                    self.number(&path, value, names).filter(|value| self.positive(&path, *value))
                });
                Some(Shape::Rectangle { width: width?, height: height? })
            }
        }
    }
}
