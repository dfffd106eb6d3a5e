//! Stiffness and inertia given directly.

use std::sync::Arc;

use nalgebra::Matrix6;

use super::super::super::Check;
use super::super::super::functions::Names;
use super::Owner;
use crate::kernel::{Expression, OneOrSeveral, Profile};
use crate::material::{InertiaSpec, Section, SectionError, StiffnessSpec};
use crate::mechanism::Along;

/// Places in (GA₁, GA₂, EA, EI₁, EI₂, GJ, ρA, ρI₁, ρI₂, ρI₃).
const SHEAR: usize = 0;
const AXIAL: usize = 2;
const BENDING: usize = 3;
const TORSION: usize = 5;
const MASS: usize = 6;
const ROTARY: usize = 7;

/// Constants of a section as functions of `s`.
#[derive(Default)]
struct Constants {
    profiles: Vec<(Vec<String>, Profile)>,
    /// For each constant, which function times which factor.
    entries: [Option<(usize, f64)>; 10],
    /// Whether rotary inertia is that of a homogeneous section: ρI = ρA EI/EA.
    homogeneous: bool,
}

impl Constants {
    /// Uses a function for these constants, each times a factor.
    fn set(&mut self, constants: &[(usize, f64)], path: &[&str], profile: Profile) {
        for (constant, factor) in constants {
            self.entries[*constant] = Some((self.profiles.len(), *factor));
        }
        self.profiles.push((path.iter().map(|key| (*key).to_owned()).collect(), profile));
    }

    /// The sections; `stiffness` replaces the diagonal one.
    fn along(self, stiffness: Option<Matrix6<f64>>) -> Along<Section> {
        let Self { profiles, entries, homogeneous } = self;
        let profiles: Vec<Profile> = profiles.into_iter().map(|(_, profile)| profile).collect();
        let constant = profiles.iter().all(Profile::is_constant);
        let at = move |s: f64| {
            // Tried at many places before; a solver that meets another bad one refuses the number.
            let values = entries
                .map(|entry| entry.map_or(0.0, |(i, factor)| factor * profiles[i].value(s, 0.0).unwrap_or(f64::NAN)));
            let [ga1, ga2, ea, ei1, ei2, gj, mass, i1, i2, i3] = values;
            let rotary =
                if homogeneous { [mass * ei1 / ea, mass * ei2 / ea, mass * (ei1 + ei2) / ea] } else { [i1, i2, i3] };
            let section = Section::principal(ea, [ga1, ga2], [ei1, ei2], gj, mass, rotary);
            Section { stiffness: stiffness.unwrap_or(section.stiffness), ..section }
        };
        if constant {
            let section = at(0.0);
            return Arc::new(move |_| section);
        }
        Arc::new(at)
    }
}

impl Check<'_> {
    /// The section of stiffnesses and inertia given directly.
    pub fn direct_section(
        &mut self,
        owner: Owner<'_>,
        stiffness: &StiffnessSpec,
        inertia: Option<&InertiaSpec>,
        names: &Names,
    ) -> Option<Along<Section>> {
        let mut constants = Constants::default();
        let matrix = match &stiffness.matrix {
            Some(rows) => Some(self.stiffness_matrix(owner, stiffness, rows)),
            None => {
                self.stiffnesses(owner, stiffness, names, &mut constants);
                None
            }
        };
        let mass = match inertia.map(|inertia| (inertia, &inertia.matrix)) {
            Some((inertia, Some(rows))) => Some(self.mass_matrix(owner, inertia, rows)?),
            Some((inertia, None)) => {
                self.inertias(owner, inertia, names, &mut constants);
                None
            }
            None => None,
        };
        let (profiles, mut right) = (constants.profiles.clone(), true);
        for (path, profile) in &profiles {
            let thin = owner.rigid && path.get(3).is_some_and(|key| key == "rotary");
            let strict = (owner.needs_mass && !thin) || path.get(2).is_some_and(|table| table == "stiffness");
            right &= self.sign_along(owner, path, profile, strict);
        }
        match matrix {
            Some(None) => None,
            matrix if right => {
                let section = constants.along(matrix.flatten());
                let Some(mass) = mass else { return Some(section) };
                Some(Arc::new(move |s| Section {
                    mass: mass.mass,
                    inertia: mass.inertia,
                    mass_offset: mass.offset,
                    ..section(s)
                }))
            }
            _ => None,
        }
    }

    fn stiffnesses(&mut self, owner: Owner<'_>, spec: &StiffnessSpec, names: &Names, constants: &mut Constants) {
        let axial = spec.axial.as_ref();
        self.constant_at(owner, ["stiffness", "axial"], axial, true, &[(AXIAL, 1.0)], names, constants);
        if owner.kind.is_limp() {
            let others = [
                ("shear", spec.shear.is_some()),
                ("bending", spec.bending.is_some()),
                ("torsion", spec.torsion.is_some()),
            ];
            for (key, _) in others.into_iter().filter(|(_, given)| *given) {
                self.not_for_strings(owner, "stiffness", key);
            }
            return;
        }
        if owner.kind.is_unsheared() {
            // Nothing shears; a positive stiffness keeps the matrix definite.
            constants.entries[SHEAR] = constants.entries[AXIAL];
            constants.entries[SHEAR + 1] = constants.entries[AXIAL];
            if spec.shear.is_some() {
                self.does_not_shear(owner, "stiffness");
            }
        } else {
            self.constants_at(owner, ["stiffness", "shear"], spec.shear.as_ref(), SHEAR, names, constants);
        }
        self.constants_at(owner, ["stiffness", "bending"], spec.bending.as_ref(), BENDING, names, constants);
        let torsion = spec.torsion.as_ref();
        if !owner.plane {
            self.constant_at(owner, ["stiffness", "torsion"], torsion, true, &[(TORSION, 1.0)], names, constants);
        } else {
            // Nothing twists in the plane; a positive stiffness keeps the matrix definite.
            constants.entries[TORSION] = constants.entries[BENDING];
            if torsion.is_some() {
                let path = ["rod", owner.name, "stiffness", "torsion"];
                let message =
                    format!("`rod.{}.stiffness.torsion` has no meaning in the plane: nothing twists there", owner.name);
                self.error(&path, message, "not in the plane");
            }
        }
    }

    fn inertias(&mut self, owner: Owner<'_>, spec: &InertiaSpec, names: &Names, constants: &mut Constants) {
        if spec.mass.is_none() {
            let path = ["rod", owner.name, "inertia", "mass"];
            self.missing_key(
                &path,
                "a number or a string",
                "Mass per length ρA, kg/m; required unless `matrix` is given.",
            );
            return;
        }
        self.constant_at(owner, ["inertia", "mass"], spec.mass.as_ref(), true, &[(MASS, 1.0)], names, constants);
        match &spec.rotary {
            Some(_) if owner.kind.is_limp() => self.not_for_strings(owner, "inertia", "rotary"),
            None if owner.kind.is_limp() => {}
            None if owner.kind.is_unsheared() => constants.homogeneous = true,
            Some(OneOrSeveral::Several(values)) if !owner.plane => {
                let path = ["rod", owner.name, "inertia", "rotary"];
                let list = OneOrSeveral::Several(values.clone());
                if values.len() != 3 {
                    self.number_of_values(&path, &list, 3);
                    return;
                }
                for (i, (path, profile)) in self.components(&path, &list, 3, names).into_iter().flatten().enumerate() {
                    let path: Vec<&str> = path.iter().map(String::as_str).collect();
                    constants.set(&[(ROTARY + i, 1.0)], &path, profile);
                }
            }
            rotary => {
                let rotary = rotary.as_ref();
                if rotary
                    .is_some_and(|given| !self.number_of_values(&["rod", owner.name, "inertia", "rotary"], given, 1))
                {
                    return;
                }
                let value = rotary.and_then(|given| given.as_slice().first());
                let into = [(ROTARY, 1.0), (ROTARY + 1, 1.0), (ROTARY + 2, 2.0)];
                self.constant_at(
                    owner,
                    ["inertia", "rotary"],
                    value,
                    owner.needs_mass && !owner.rigid,
                    &into,
                    names,
                    constants,
                );
            }
        }
    }

    /// One number for both directions, or in space two for d₁ and d₂.
    fn constants_at(
        &mut self,
        owner: Owner<'_>,
        [table, key]: [&str; 2],
        given: Option<&OneOrSeveral<Expression>>,
        first: usize,
        names: &Names,
        constants: &mut Constants,
    ) {
        let path = ["rod", owner.name, table, key];
        match given {
            Some(list @ OneOrSeveral::Several(values)) if !owner.plane || values.len() != 1 => {
                let count = if owner.plane { 1 } else { 2 };
                let components = self.components(&path, list, count, names);
                for (i, (path, profile)) in components.into_iter().flatten().enumerate() {
                    let path: Vec<&str> = path.iter().map(String::as_str).collect();
                    constants.set(&[(first + i, 1.0)], &path, profile);
                }
            }
            _ => {
                let value = given.and_then(|given| given.as_slice().first());
                let both = [(first, 1.0), (first + 1, 1.0)];
                self.constant_at(owner, [table, key], value, true, &both, names, constants);
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn constant_at(
        &mut self,
        owner: Owner<'_>,
        [table, key]: [&str; 2],
        value: Option<&Expression>,
        needed: bool,
        into: &[(usize, f64)],
        names: &Names,
        constants: &mut Constants,
    ) {
        let path = ["rod", owner.name, table, key];
        match value {
            Some(value) => {
                if let Some(profile) = self.along(&path, value, names).filter(|_| names.whole) {
                    constants.set(into, &path, profile);
                }
            }
            None if needed && self.sure(&path) => {
                let message =
                    format!("missing key `{key}` in [rod.{}.{table}], expected a positive number", owner.name);
                let help = match (key, owner.plane) {
                    ("axial" | "mass", _) => "every rod needs it",
                    ("torsion", _) => "a rod in space needs it, a beam in the plane does not",
                    (_, true) => "a beam needs it, a string does not",
                    (_, false) => "a rod needs it, a string does not",
                };
                self.error(&path, message, format!("no `{key}` here")).help(help);
            }
            None => {}
        }
    }

    fn not_for_strings(&mut self, owner: Owner<'_>, table: &str, key: &str) {
        let here = format!("rod.{}.{table}.{key}", owner.name);
        let model = if owner.plane { "beam" } else { "rod" };
        self.error(
            &["rod", owner.name, table, key],
            format!("`{here}` has no meaning for a string, which has no {key} {table}"),
            "not for strings",
        )
        .help(format!("remove it, or set model = \"{model}\""));
    }

    /// A Kirchhoff rod has no shear: neither stiffness nor damping of it.
    pub fn does_not_shear(&mut self, owner: Owner<'_>, table: &str) {
        let path = ["rod", owner.name, table, "shear"];
        let here = self.document.path_text(&path);
        let message = format!("`{here}` has no meaning for a Kirchhoff rod, whose sections stay perpendicular to it");
        self.error(&path, message, "not for Kirchhoff rods").help("remove it, or set model = \"beam\"");
    }

    /// A full stiffness matrix: six by six, symmetric, positive definite.
    fn stiffness_matrix(&mut self, owner: Owner<'_>, spec: &StiffnessSpec, rows: &[Vec<f64>]) -> Option<Matrix6<f64>> {
        let path = ["rod", owner.name, "stiffness", "matrix"];
        let here = self.document.path_text(&path);
        let others = [spec.axial.is_some(), spec.shear.is_some(), spec.bending.is_some(), spec.torsion.is_some()];
        if others.contains(&true) {
            let message = format!("`{here}` stands beside single stiffnesses, expected one or the other");
            self.error(&path, message, "stiffness stated in two ways");
            return None;
        }
        if owner.kind.is_limp() || owner.plane {
            let message = format!("`{here}` is for model \"rod\", expected single stiffnesses");
            self.error(&path, message, "only for rods in space");
            return None;
        }
        if !self.sure(&path) {
            return None;
        }
        if rows.len() != 6 || rows.iter().any(|row| row.len() != 6) {
            let found = match rows.iter().position(|row| row.len() != 6) {
                Some(i) if rows.len() == 6 => format!("{} numbers in row {}", rows[i].len(), i + 1),
                _ => format!("{} rows", rows.len()),
            };
            let message = format!("`{here}` has {found}, expected six rows of six numbers");
            self.error(&path, message, "six by six");
            return None;
        }
        let matrix = Matrix6::from_fn(|i, j| rows[i][j]);
        let symmetric = (matrix + matrix.transpose()) * 0.5;
        let section = Section::principal(1.0, [1.0; 2], [1.0; 2], 1.0, 1.0, [0.0; 3]);
        let wrong = match (Section { stiffness: matrix, ..section }).check() {
            Ok(()) => return Some(symmetric),
            Err(error) => error,
        };
        let (whose, label) = match wrong {
            SectionError::NotStiff { .. } | SectionError::Indefinite { .. } => {
                (format!("rod `{}` with zero or negative stiffness: ", owner.name), "must be positive definite")
            }
            _ => (String::new(), "must be symmetric"),
        };
        self.error(&path, format!("{whose}`{here}`: {wrong}"), label).help(
            "rows and columns are shear along d1, shear along d2, stretch, bending about d1, bending about d2, twist",
        );
        None
    }
}
