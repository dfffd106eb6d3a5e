//! Rods: model, grid, law, prestrain, initial velocity.

use std::sync::Arc;

use nalgebra::{Vector3, Vector6};

use super::super::Check;
use super::super::functions::Names;
use super::scene::RodOutline;
use crate::kernel::{Expression, OneOrSeveral, Profile};
use crate::material::{Law, RodLaw, SectionTable};
use crate::mechanism::{
    Along, CurveSpec, GridSpec, Mesh, Pose, Quadrature, Quaternion, RodKind, RodModel, RodPart, RodSpec,
};

/// Where along a rod its functions of `s` are tried: at the ends of elements and four places between.
pub fn places(length: f64, elements: usize) -> Vec<f64> {
    let count = 5 * elements.min(2000);
    (0..=count).map(|i| length * i as f64 / count as f64).collect()
}

impl Check<'_> {
    pub fn rod_part<'n>(&mut self, name: &'n str, rod: &RodSpec, names: &Names) -> RodOutline<'n> {
        let before = self.found.errors();
        let kind = self.kind(name, rod);
        self.grid(name, rod);
        self.shear_rigid_grid(name, rod, kind);
        self.simple_grid(name, rod, kind);
        let shape = self.reference_shape(name, rod, kind, names);
        let places = shape.as_ref().map(|shape| places(shape.length(), rod.elements));
        let places = places.as_deref();
        let section = kind.and_then(|kind| self.section_along(name, rod, kind, names, places));
        self.law(name, rod, kind);
        let prestrain = kind.and_then(|kind| self.prestrain(name, rod, kind, names, places));
        let velocity = kind.and_then(|kind| self.initial_velocity(name, rod, kind, names, places));
        let kind = kind.map(|kind| self.kept_shape(name, rod, kind));
        let right = self.found.errors() == before && names.whole && self.sure(&["rod", name]);
        let mesh = section
            .as_ref()
            .and_then(|sections| self.mesh(name, rod, sections.table.as_deref(), shape.as_ref()?.length()));
        let part = match (kind, shape, section, mesh) {
            (Some(kind), Some(shape), Some(sections), Some(mesh)) if right => Some(RodPart {
                name: name.to_owned(),
                kind,
                length: shape.length(),
                elements: rod.elements,
                mesh,
                order: rod.order,
                quadrature: rod.quadrature,
                reference: self.directors(rod, kind, shape.along(), sections.table),
                section: sections.section,
                law: RodLaw { axial: Law::build(rod.law), stiffening: rod.stiffening.unwrap_or(0.0) },
                prestrain,
                velocity,
            }),
            _ => None,
        };
        RodOutline { name, kind, part }
    }

    /// Where elements meet, and where the table has kinks.
    fn mesh(&mut self, name: &str, rod: &RodSpec, table: Option<&SectionTable>, length: f64) -> Option<Mesh> {
        let path = ["rod", name, "grid"];
        let stations: Vec<f64> = table.map_or(Vec::new(), |table| table.stations().collect());
        if rod.grid == GridSpec::Equal || !self.sure(&path) {
            return Some(Mesh { boundaries: Vec::new(), kinks: stations });
        }
        if let GridSpec::At(places) = &rod.grid {
            return self.stated_places(name, rod, places).then(|| {
                let inner = places.iter().map(|place| place * length);
                let boundaries = std::iter::once(0.0).chain(inner).chain([length]).collect();
                Mesh { boundaries, kinks: stations }
            });
        }
        if table.is_none() {
            let message = format!("`rod.{name}.grid` is \"stations\", but the rod has no `table`, expected \"equal\"");
            self.error(&path, message, "no stations");
            return None;
        }
        let mesh = Mesh::at_stations(&stations, rod.elements);
        if mesh.is_none() && self.sure(&["rod", name, "elements"]) {
            let least = stations.len() - 1;
            let message = format!(
                "`rod.{name}.elements` is {}, expected at least {least}: `grid` is \"stations\", and its table has {} of them",
                rod.elements,
                stations.len()
            );
            self.error(&["rod", name, "elements"], message, "fewer elements than stations");
        }
        mesh
    }

    /// Whether these fractions of the length divide a rod into as many elements as stated.
    fn stated_places(&mut self, name: &str, rod: &RodSpec, places: &[f64]) -> bool {
        let path = ["rod", name, "grid", "at"];
        if let Some(i) = places.iter().position(|s| !(*s > 0.0 && *s < 1.0)) {
            let message = format!(
                "`rod.{name}.grid.at[{i}]` is {}, expected a fraction of the length between 0 and 1, where elements meet inside the rod",
                places[i]
            );
            self.error(&[&path[..], &[&i.to_string()]].concat(), message, "not inside the rod");
            return false;
        }
        if let Some(pair) = places.windows(2).find(|pair| !(pair[0] < pair[1])) {
            let message =
                format!("`rod.{name}.grid.at` has {} after {}, expected increasing fractions", pair[1], pair[0]);
            self.error(&path, message, "not in order");
            return false;
        }
        let fits = rod.elements == places.len() + 1;
        if !fits && self.sure(&["rod", name, "elements"]) {
            let message = format!(
                "`rod.{name}.elements` is {}, expected {}: `grid.at` names {} places where elements meet",
                rod.elements,
                places.len() + 1,
                places.len()
            );
            self.error(&["rod", name, "elements"], message, "not as many as `grid` says");
        }
        fits
    }

    /// The reference axis with directors turned as the table says, unless the file states a twist.
    fn directors(
        &self,
        rod: &RodSpec,
        kind: RodKind,
        axis: Along<Pose>,
        table: Option<Arc<SectionTable>>,
    ) -> Along<Pose> {
        let stated = rod.twist.is_some() || matches!(&rod.curve, Some(CurveSpec::Path { twist: Some(_), .. }));
        let turned = self.dimension() == Some(3) && kind.turns() && !stated;
        match table.filter(|table| turned && table.is_twisted()) {
            None => axis,
            Some(table) => Arc::new(move |s| {
                let Pose { position, orientation } = axis(s);
                let twist = Quaternion::from_rotation_vector(Vector3::z() * table.twist(s));
                Pose { position, orientation: orientation * twist }
            }),
        }
    }

    /// What the rod resists, if model and dimension are known and fit.
    fn kind(&mut self, name: &str, rod: &RodSpec) -> Option<RodKind> {
        let path = ["rod", name, "model"];
        if !self.sure(&path) {
            return None;
        }
        let dimension = self.dimension()?;
        if let Some(kind) = rod.model.kind(dimension) {
            return Some(kind);
        }
        match rod.model {
            RodModel::Beam => {
                let message = format!("a beam needs `dimension = 2`, found {dimension}");
                self.error(&path, message, "beams are plane")
                    .help("use model = \"rod\", \"kirchhoff\" or \"string\" in space");
                None
            }
            RodModel::Rod | RodModel::String | RodModel::Kirchhoff => {
                let message = format!("model \"rod\" needs `dimension = 3`, found {dimension}");
                self.error(&path, message, "rods are in space")
                    .help("use model = \"beam\", \"kirchhoff\" or \"string\" in the plane");
                None
            }
        }
    }

    /// A rigid rod keeps its shape, which a string has none of and prestrains cannot change.
    fn kept_shape(&mut self, name: &str, rod: &RodSpec, kind: RodKind) -> RodKind {
        if !rod.rigid {
            return kind;
        }
        if kind.is_limp() {
            let message =
                format!("rod `{name}` is a rigid string, expected a beam or rod: a string has no shape to keep");
            self.error(&["rod", name, "rigid"], message, "not for strings")
                .help("a joint of type \"distance\" keeps two points at their distance");
            return kind;
        }
        if rod.prestrain.is_some() {
            let message = format!("[rod.{name}.prestrain] has no effect: a rigid rod keeps its reference shape");
            self.warn(&["rod", name, "prestrain"], message, "not used by a rigid rod");
        }
        RodKind::Rigid
    }

    fn grid(&mut self, name: &str, rod: &RodSpec) {
        self.elements(name, rod);
        let path = ["rod", name, "quadrature"];
        if rod.order > 1 && rod.quadrature != Quadrature::Midpoint && self.sure(&["rod", name, "order"]) {
            let message = format!(
                "`rod.{name}.quadrature` is for elements of order 1, but `rod.{name}.order` is {}, expected \"midpoint\" or none",
                rod.order
            );
            self.error(&path, message, "elements of higher order have their own quadrature")
                .help("remove it, or set order = 1");
        }
    }

    /// Elements of strings have two nodes.
    fn simple_grid(&mut self, name: &str, rod: &RodSpec, kind: Option<RodKind>) {
        let path = |key| ["rod", name, key];
        if kind.is_some_and(RodKind::is_limp) && rod.order > 1 && self.sure(&path("order")) {
            let message = format!("`rod.{name}.order` is {}, expected 1 for a string", rod.order);
            self.error(&path("order"), message, "elements of a string have order 1")
                .help("remove it and take more elements");
        }
    }

    /// Sections of a Kirchhoff rod are perpendicular to its axis in the middle of each element, which has two nodes.
    fn shear_rigid_grid(&mut self, name: &str, rod: &RodSpec, kind: Option<RodKind>) {
        if !kind.is_some_and(RodKind::is_unsheared) {
            return;
        }
        let path = |key| ["rod", name, key];
        if rod.order > 1 && self.sure(&path("order")) {
            let message = format!("`rod.{name}.order` is {}, expected 1 for a Kirchhoff rod", rod.order);
            self.error(&path("order"), message, "elements of a Kirchhoff rod have order 1")
                .help("remove it and take more elements");
        } else if matches!(rod.quadrature, Quadrature::Trapezoidal | Quadrature::MidpointInTime)
            && self.sure(&path("quadrature"))
        {
            let message = format!(
                "`rod.{name}.quadrature` evaluates strains at the nodes, expected \"midpoint\" or \"midpoint-in-space\" for a Kirchhoff rod"
            );
            self.error(&path("quadrature"), message, "shear vanishes in the middle of elements").help("remove it");
        }
    }

    fn law(&mut self, name: &str, rod: &RodSpec, kind: Option<RodKind>) {
        let path = ["rod", name, "stiffening"];
        let Some(stiffening) = rod.stiffening else { return };
        if self.not_negative(&path, stiffening) && kind.is_some_and(RodKind::is_limp) {
            let message = format!("`rod.{name}.stiffening` is {stiffening}, but a string has no bending stiffness");
            self.error(&path, message, "not for strings");
        }
    }

    /// Unstressed strains (Γ, K) besides those of the reference shape.
    fn prestrain(
        &mut self,
        name: &str,
        rod: &RodSpec,
        kind: RodKind,
        names: &Names,
        places: Option<&[f64]>,
    ) -> Option<Along<Vector6<f64>>> {
        let spec = rod.prestrain.as_ref()?;
        let (strains, curvatures): (Vec<usize>, Vec<usize>) =
            kind.strains(self.dimension()?).iter().partition(|row| **row < 3);
        let strain = ["rod", name, "prestrain", "strain"];
        let curvature = ["rod", name, "prestrain", "curvature"];
        let (mut rows, mut whole) = (Vec::new(), true);
        for (path, given, into) in [(strain, &spec.strain, &strains), (curvature, &spec.curvature, &curvatures)] {
            let Some(given) = given else { continue };
            match self.components(&path, given, into.len(), names) {
                Some(profiles) => rows.extend(into.iter().copied().zip(profiles)),
                None => whole = false,
            }
        }
        let whole = whole && places.is_none_or(|places| self.keeps_length(name, &rows, places));
        if whole { self.vector_along(rows, places) } else { None }
    }

    /// Refuses a rod that would have no length, or a negative one, without stress: 1 + ε₃ ≤ 0.
    fn keeps_length(&mut self, name: &str, rows: &[(usize, (Vec<String>, Profile))], places: &[f64]) -> bool {
        for (_, (path, profile)) in rows.iter().filter(|(row, _)| *row == 2) {
            let at = |s: &f64| profile.value(*s, 0.0).ok().map(|strain| (*s, strain));
            if let Some((s, strain)) = places.iter().filter_map(at).find(|(_, strain)| *strain <= -1.0) {
                let path: Vec<&str> = path.iter().map(String::as_str).collect();
                let here = self.document.path_text(&path);
                let message = format!(
                    "`{here}` is {strain} at s = {s} m, expected more than -1: without stress rod `{name}` would have {} times its length there",
                    1.0 + strain
                );
                self.error(&path, message, "no length left")
                    .help("strains are changes of length per length: -0.01 is 1 % shorter");
                return false;
            }
        }
        true
    }

    /// Initial velocity of the axis in space, and angular velocity in the section frame.
    fn initial_velocity(
        &mut self,
        name: &str,
        rod: &RodSpec,
        kind: RodKind,
        names: &Names,
        places: Option<&[f64]>,
    ) -> Option<Along<Vector6<f64>>> {
        let dimension = self.dimension()?;
        let mut rows = Vec::new();
        let mut whole = true;
        if let Some(velocity) = &rod.velocity {
            let path = ["rod", name, "velocity"];
            self.initial_only(&path);
            if self.length_of_vector(&path, velocity.len()) {
                let list = OneOrSeveral::Several(velocity.clone());
                match self.components(&path, &list, dimension, names) {
                    Some(profiles) => rows.extend((0..dimension).zip(profiles)),
                    None => whole = false,
                }
            }
        }
        if let Some(spin) = &rod.spin {
            let path = ["rod", name, "spin"];
            self.initial_only(&path);
            // In the plane the section turns about d₂.
            let into: Vec<usize> = kind.strains(dimension).iter().copied().filter(|row| *row > 2).collect();
            match self.components(&path, spin, into.len(), names) {
                Some(profiles) => rows.extend(into.iter().copied().zip(profiles)),
                None => whole = false,
            }
        }
        if rows.is_empty() || !whole { None } else { self.vector_along(rows, places) }
    }

    /// Velocities are given for the first instant of a simulation.
    pub fn initial_only(&mut self, path: &[&str]) {
        if let Some(task) = self.task_name().filter(|task| *task != "simulate") {
            let here = self.document.path_text(path);
            let message =
                format!("`{here}` has no effect in [task.{task}]: initial velocities are for [task.simulate]");
            self.warn(path, message, "not used by this task");
        }
    }

    /// The components of a list, or of a single value where there is one only, as functions of `s` with their paths.
    pub fn components(
        &mut self,
        path: &[&str],
        given: &OneOrSeveral<Expression>,
        count: usize,
        names: &Names,
    ) -> Option<Vec<(Vec<String>, Profile)>> {
        if !self.number_of_values(path, given, count) {
            return None;
        }
        let mut found = Vec::new();
        for (i, expression) in given.as_slice().iter().enumerate() {
            let index = i.to_string();
            let mut here = path.to_vec();
            here.extend(given.is_list().then_some(index.as_str()));
            if let Some(profile) = self.along(&here, expression, names) {
                found.push((here.iter().map(|key| (*key).to_owned()).collect(), profile));
            }
        }
        (found.len() == count).then_some(found)
    }

    /// Whether there are as many values as needed: none, one (brackets optional) or several.
    pub fn number_of_values<T>(&mut self, path: &[&str], given: &OneOrSeveral<T>, count: usize) -> bool {
        let found = given.as_slice().len();
        if !self.sure(path) {
            return false;
        }
        if found == count {
            return true;
        }
        let here = self.document.path_text(path);
        let number = |n: usize| if n == 1 { "1 value".to_owned() } else { format!("{n} values") };
        let (message, label) = match count {
            0 => (
                format!("`{here}` has no meaning for a string, expected it with beams and rods only"),
                "not for strings",
            ),
            _ => {
                let space = if self.spec.dimension == Some(2) { "the plane" } else { "space" };
                (format!("`{here}` has {}, expected {} in {space}", number(found), count), "wrong number of values")
            }
        };
        self.error(path, message, label);
        false
    }

    /// A vector whose rows are given by functions of `s`, zero elsewhere.
    fn vector_along(
        &mut self,
        rows: Vec<(usize, (Vec<String>, Profile))>,
        places: Option<&[f64]>,
    ) -> Option<Along<Vector6<f64>>> {
        let profiles: Vec<(Vec<String>, Profile)> = rows.iter().map(|(_, profile)| profile.clone()).collect();
        if !self.evaluate_along(&profiles, places?, &[0.0]) {
            return None;
        }
        let rows: Vec<(usize, Profile)> = rows.into_iter().map(|(row, (_, profile))| (row, profile)).collect();
        Some(Arc::new(move |s| {
            let mut vector = Vector6::zeros();
            for (row, profile) in &rows {
                // Tried at many places before; a solver that meets another bad one refuses the number.
                vector[*row] = profile.value(s, 0.0).unwrap_or(f64::NAN);
            }
            vector
        }))
    }
}
