//! Rods: geometry, cross-section, law.

use super::Check;
use crate::material::{SectionConstants, SectionSpec};
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
    pub coordinates: &'static [&'static str],
    pub section: SectionConstants,
}

impl<'a> Check<'a> {
    pub fn rod(&mut self) -> (Outline<'a>, Option<CheckedRod<'a>>) {
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
            self.error(
                &["rod", other],
                format!("found a second rod `{other}` beside `{name}`, expected one"),
                "inverse dynamics treats one rod",
            );
        }
        let coordinates = self.geometry(name, rod);
        let section = self.section(name, rod);
        if spec.rod.len() > 1 {
            return (Outline::default(), None);
        }
        let checked = match (coordinates, section) {
            (Some(coordinates), Some(section)) if self.sure(&["rod"]) => {
                Some(CheckedRod { name, spec: rod, coordinates, section })
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
        for (key, point) in [("from", &rod.from), ("to", &rod.to)] {
            self.length_of_vector(&["rod", name, key], point.len());
        }
        let sure = self.sure(&["rod", name, "from"]) && self.sure(&["rod", name, "to"]);
        if sure && rod.from == rod.to {
            self.error(
                &["rod", name, "to"],
                format!("rod `{name}` has zero length: `to` is {:?}, the same as `from`", rod.to),
                "must differ from `from`",
            );
        }
        if rod.elements == 0 {
            self.error(
                &["rod", name, "elements"],
                format!("`rod.{name}.elements` is 0, expected at least 1"),
                "no elements",
            );
        }
        self.coordinates(name, rod).filter(|_| sure && self.found.errors() == before)
    }

    fn section(&mut self, name: &str, rod: &RodSpec) -> Option<SectionConstants> {
        match (&rod.stiffness, &rod.inertia, &rod.section, &rod.material) {
            (Some(stiffness), Some(inertia), None, None) => {
                let values = [
                    ("stiffness", "axial", Some(stiffness.axial), true),
                    ("stiffness", "shear", stiffness.shear, false),
                    ("stiffness", "bending", stiffness.bending, false),
                    ("inertia", "mass", Some(inertia.mass), true),
                    ("inertia", "rotary", inertia.rotary, false),
                ];
                for (table, key, value, for_strings) in values {
                    self.constant(name, rod.model, [table, key], value, for_strings);
                }
                Some(SectionConstants::direct(stiffness, inertia))
            }
            (None, None, Some(section), Some(material)) => {
                self.shape(name, section);
                self.positive(&["rod", name, "material", "youngs"], material.youngs);
                self.positive(&["rod", name, "material", "density"], material.density);
                if !(material.poisson > -1.0 && material.poisson <= 0.5) {
                    let message = format!(
                        "`rod.{name}.material.poisson` is {}, expected a number above -1 and up to 0.5",
                        material.poisson
                    );
                    self.error(&["rod", name, "material", "poisson"], message, "out of range");
                }
                Some(SectionConstants::of_shape(section, material))
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

    fn constant(
        &mut self,
        name: &str,
        model: RodModel,
        [table, key]: [&str; 2],
        value: Option<f64>,
        for_strings: bool,
    ) {
        let path = ["rod", name, table, key];
        let here = self.document.path_text(&path);
        if let Some(value) = value
            && !self.positive(&path, value)
        {
            return;
        }
        if for_strings || !self.sure(&["rod", name, "model"]) {
            return;
        }
        match (value, model) {
            (Some(value), RodModel::String) => {
                self.error(&path, format!("`{here}` is {value}, but a string has no {key} {table}"), "not for strings")
                    .help("remove it, or set model = \"beam\"");
            }
            (None, RodModel::Beam) => {
                let message = format!("missing key `{key}` in [rod.{name}.{table}], expected a positive number");
                self.error(&path, message, format!("no `{key}` here")).help("a beam needs it, a string does not");
            }
            _ => {}
        }
    }

    fn shape(&mut self, name: &str, section: &SectionSpec) {
        match *section {
            SectionSpec::Circle { radius } => {
                self.positive(&["rod", name, "section", "circle", "radius"], radius);
            }
            SectionSpec::Tube { outer, inner } => {
                let tube = ["rod", name, "section", "tube"];
                let path = |key| [tube[0], tube[1], tube[2], tube[3], key];
                let right = self.positive(&path("outer"), outer) & self.not_negative(&path("inner"), inner);
                if right && inner >= outer && self.sure(&tube) {
                    let here = self.document.path_text(&path("inner"));
                    let message = format!("`{here}` is {inner}, expected less than the outer radius {outer}");
                    self.error(&path("inner"), message, "no wall left");
                }
            }
            SectionSpec::Rectangle { width, height } => {
                self.positive(&["rod", name, "section", "rectangle", "width"], width);
                self.positive(&["rod", name, "section", "rectangle", "height"], height);
            }
        }
    }
}
