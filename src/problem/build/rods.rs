//! Rods: geometry, cross-section, law.

use super::Check;
use super::ends::Parts;
use crate::material::{Law, SectionConstants, SectionSpec};
use crate::models::{Beam, Continuum, End, FlexibleString, Mechanism, Rod, RodModel, RodSpec, Vector};

/// The one rod of the problem, checked.
pub struct CheckedRod<'a> {
    pub name: &'a str,
    pub spec: &'a RodSpec,
    pub section: SectionConstants,
}

impl CheckedRod<'_> {
    /// Names of its coordinates.
    pub fn coordinates(&self) -> &'static [&'static str] {
        match (self.spec.model, self.spec.from.len()) {
            (RodModel::Beam, _) => &["x", "y", "angle"],
            (RodModel::String, 2) => &["x", "y"],
            (RodModel::String, _) => &["x", "y", "z"],
        }
    }
}

impl<'a> Check<'a> {
    pub fn rod(&mut self) -> Option<CheckedRod<'a>> {
        let spec: &'a _ = self.spec;
        let mut rods = spec.rod.iter();
        let Some((name, rod)) = rods.next() else {
            self.error(&["rod"], "there is no rod, expected a table such as [rod.beam]", "no [rod.*] in this file")
                .help("lariat new beam-quarter-turn writes a file to start from");
            return None;
        };
        for (other, _) in rods {
            self.error(
                &["rod", other],
                format!("found a second rod `{other}` beside `{name}`, expected one"),
                "inverse dynamics treats one rod",
            );
        }
        let geometry = self.geometry(name, rod);
        let section = self.section(name, rod);
        Some(CheckedRod { name, spec: rod, section: section.filter(|_| geometry)? })
    }

    fn geometry(&mut self, name: &str, rod: &RodSpec) -> bool {
        let dimension = self.spec.dimension;
        let before = self.found.errors();
        if rod.model == RodModel::Beam && dimension != 2 {
            self.error(
                &["rod", name, "model"],
                format!("a beam needs `dimension = 2`, found {dimension}"),
                "beams are plane",
            )
            .help("use model = \"string\" in space");
        }
        for (key, point) in [("from", &rod.from), ("to", &rod.to)] {
            if point.len() != dimension {
                let count = point.len();
                self.error(
                    &["rod", name, key],
                    format!("`rod.{name}.{key}` has {count} components, expected {dimension} because `dimension` is {dimension}"),
                    "wrong length",
                );
            }
        }
        if rod.from.len() == rod.to.len() && rod.from == rod.to {
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
        self.found.errors() == before
    }

    fn section(&mut self, name: &str, rod: &RodSpec) -> Option<SectionConstants> {
        let before = self.found.errors();
        let constants = match (&rod.stiffness, &rod.inertia, &rod.section, &rod.material) {
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
                SectionConstants::direct(stiffness, inertia)
            }
            (None, None, Some(section), Some(material)) => {
                self.shape(name, section);
                self.positive(&["rod", name, "material", "youngs"], material.youngs);
                self.positive(&["rod", name, "material", "density"], material.density);
                if !(material.poisson > -1.0 && material.poisson <= 0.5) {
                    self.error(
                        &["rod", name, "material", "poisson"],
                        format!("`poisson` is {}, expected a number above -1 and up to 0.5", material.poisson),
                        "out of range",
                    );
                }
                SectionConstants::of_shape(section, material)
            }
            (stiffness, inertia, section, material) => {
                let given: Vec<&str> = [
                    ("stiffness", stiffness.is_some()),
                    ("inertia", inertia.is_some()),
                    ("section", section.is_some()),
                    ("material", material.is_some()),
                ]
                .into_iter()
                .filter_map(|(key, is)| is.then_some(key))
                .collect();
                let found = if given.is_empty() { "none of them".to_owned() } else { given.join(", ") };
                self.error(
                    &["rod", name],
                    format!("rod `{name}` needs `stiffness` and `inertia`, or `section` and `material`; found {found}"),
                    "cross-section not determined",
                );
                return None;
            }
        };
        (self.found.errors() == before).then_some(constants)
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
        match (value, model) {
            (Some(_), RodModel::String) if !for_strings => {
                self.error(&path, format!("a string has no `{key}` {table}"), "not for strings")
                    .help("remove it, or set model = \"beam\"");
            }
            (Some(value), _) => {
                self.positive(&path, value);
            }
            (None, RodModel::Beam) => {
                self.error(
                    &["rod", name, table],
                    format!("missing key `{key}` in `rod.{name}.{table}`: a beam needs it"),
                    format!("no `{key}` here"),
                );
            }
            (None, RodModel::String) => {}
        }
    }

    fn shape(&mut self, name: &str, section: &SectionSpec) {
        match *section {
            SectionSpec::Circle { radius } => {
                self.positive(&["rod", name, "section", "circle", "radius"], radius);
            }
            SectionSpec::Tube { outer, inner } => {
                self.positive(&["rod", name, "section", "tube", "outer"], outer);
                self.not_negative(&["rod", name, "section", "tube", "inner"], inner);
                if inner >= outer {
                    self.error(
                        &["rod", name, "section", "tube", "inner"],
                        format!("the inner radius {inner} is not smaller than the outer radius {outer}"),
                        "no wall left",
                    );
                }
            }
            SectionSpec::Rectangle { width, height } => {
                self.positive(&["rod", name, "section", "rectangle", "width"], width);
                self.positive(&["rod", name, "section", "rectangle", "height"], height);
            }
        }
    }
}

/// The mechanism from its checked parts.
pub fn mechanism(rod: &CheckedRod<'_>, gravity: &[f64], parts: &Parts) -> Mechanism {
    let law = Law::build(rod.spec.law);
    let SectionConstants { axial, mass, .. } = rod.section;
    match rod.coordinates() {
        ["x", "y", "angle"] => {
            let model = Beam::new(law, rod.section, [gravity[0], gravity[1]]);
            Mechanism::Beam(assemble(rod, model, gravity, parts))
        }
        ["x", "y"] => {
            let model = FlexibleString { law, axial, mass, gravity: [gravity[0], gravity[1]] };
            Mechanism::PlaneString(assemble(rod, model, gravity, parts))
        }
        _ => {
            let model = FlexibleString { law, axial, mass, gravity: [gravity[0], gravity[1], gravity[2]] };
            Mechanism::SpaceString(assemble(rod, model, gravity, parts))
        }
    }
}

fn assemble<C: Continuum<D>, const D: usize>(
    rod: &CheckedRod<'_>,
    model: C,
    gravity: &[f64],
    parts: &Parts,
) -> Rod<C, D> {
    let straight = model.straight(&rod.spec.from, &rod.spec.to);
    let far = straight.q + straight.p * straight.length;
    let mut ends = [End::free(), End::free()];
    for body in &parts.bodies {
        let end: &mut End<D> = &mut ends[body.side as usize];
        for (c, name) in model.coordinates().into_iter().enumerate() {
            let inertia = if name == "angle" { body.inertia } else { body.mass };
            end.mass[c] += inertia;
            end.weight[c] += body.mass * gravity.get(c).filter(|_| name != "angle").copied().unwrap_or(0.0);
        }
    }
    for load in &parts.loads {
        ends[load.output.side as usize].load[load.output.coordinate] = load.function.clone();
    }
    for servo in &parts.outputs {
        ends[servo.output.side as usize].path[servo.output.coordinate] = Some(servo.function.clone());
    }
    for channel in &parts.channels {
        ends[channel.side as usize].actuated[channel.coordinate] = true;
    }
    for &(side, c) in &parts.held {
        let reference: Vector<D> = if side as usize == 0 { straight.q } else { far };
        ends[side as usize].held[c] = Some(reference[c]);
    }
    Rod { name: rod.name.to_owned(), length: straight.length, elements: rod.spec.elements, straight, model, ends }
}
