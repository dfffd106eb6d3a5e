//! The problem file of a structure.

use std::fmt::Write;

use crate::structure::{End, Kind, Model, Shape, Structure};
use crate::vector::V;

fn end((rod, end): End) -> String {
    format!("r{rod}.{}", ["start", "end"][end])
}

impl Structure {
    fn vector(&self, a: V) -> String {
        match self.space {
            true => format!("[{:?}, {:?}, {:?}]", a[0], a[1], a[2]),
            false => format!("[{:?}, {:?}]", a[0], a[1]),
        }
    }

    fn rods_as_text(&self, text: &mut String) -> std::fmt::Result {
        for (i, rod) in self.rods.iter().enumerate() {
            let model = match rod.model {
                Model::Beam => "beam",
                Model::Kirchhoff => "kirchhoff",
                Model::String => "string",
                Model::Rod => "rod",
            };
            writeln!(text, "[rod.r{i}]\nmodel = \"{model}\"\nelements = {}", rod.elements)?;
            match rod.shape {
                Shape::Straight { from, to } => {
                    writeln!(text, "from = {}\nto = {}", self.vector(from), self.vector(to))?;
                }
                Shape::Arc { from, tangent, centre, angle } => {
                    let [from, tangent, centre] = [from, tangent, centre].map(|a| self.vector(a));
                    writeln!(
                        text,
                        "curve.arc = {{ from = {from}, tangent = {tangent}, centre = {centre}, angle = {angle:?} }}"
                    )?;
                }
            }
            let [a, b] = rod.bending;
            match rod.model {
                Model::String => writeln!(text, "stiffness = {{ axial = {:?} }}", rod.axial)?,
                Model::Kirchhoff => writeln!(text, "stiffness = {{ axial = {:?}, bending = {a:?} }}", rod.axial)?,
                Model::Beam => writeln!(
                    text,
                    "order = {}\nstiffness = {{ axial = {:?}, shear = {:?}, bending = {a:?} }}",
                    rod.order, rod.axial, rod.shear[0]
                )?,
                Model::Rod => writeln!(
                    text,
                    "order = {}\nnormal = {}\nstiffness = {{ axial = {:?}, shear = {:?}, bending = [{a:?}, {b:?}], torsion = {:?} }}",
                    rod.order,
                    self.vector(rod.normal),
                    rod.axial,
                    rod.shear,
                    rod.torsion
                )?,
            }
            if let Some([a, b]) = rod.offset {
                match self.space {
                    true => writeln!(text, "offset.elastic = [{a:?}, {b:?}]")?,
                    false => writeln!(text, "offset.elastic = {a:?}")?,
                }
            }
            if let Some([a, b, c]) = rod.strain {
                match (self.space, rod.model) {
                    (_, Model::String | Model::Kirchhoff) => writeln!(text, "prestrain.strain = {c:?}")?,
                    (true, _) => writeln!(text, "prestrain.strain = [{a:?}, {b:?}, {c:?}]")?,
                    (false, _) => writeln!(text, "prestrain.strain = [{a:?}, {c:?}]")?,
                }
            }
            if let Some([a, b, c]) = rod.curvature {
                match self.space {
                    true => writeln!(text, "prestrain.curvature = [{a:?}, {b:?}, {c:?}]")?,
                    false => writeln!(text, "prestrain.curvature = {a:?}")?,
                }
            }
        }
        Ok(())
    }

    fn joints_as_text(&self, text: &mut String) -> std::fmt::Result {
        for (i, joint) in self.joints.iter().enumerate() {
            let [a, b] = joint.between.map(|place| place.map_or_else(|| "ground".to_owned(), end));
            let kind = match (joint.kind, self.space) {
                (Kind::Rigid, _) => "\"rigid\"".to_owned(),
                (Kind::Spherical, true) => "\"spherical\"".to_owned(),
                (Kind::Spherical | Kind::Revolute(_), false) => "\"revolute\"".to_owned(),
                (Kind::Revolute(axis), true) => format!("{{ revolute = {{ axis = {} }} }}", self.vector(axis)),
                (Kind::Prismatic(axis), _) => format!("{{ prismatic = {{ axis = {} }} }}", self.vector(axis)),
                (Kind::Cylindrical(axis), _) => format!("{{ cylindrical = {{ axis = {} }} }}", self.vector(axis)),
                (Kind::Planar(normal), _) => format!("{{ planar = {{ normal = {} }} }}", self.vector(normal)),
                (Kind::Universal(a, b), _) => {
                    format!("{{ universal = {{ axes = [{}, {}] }} }}", self.vector(a), self.vector(b))
                }
            };
            writeln!(
                text,
                "[joint.j{i}]\nbetween = [\"{a}\", \"{b}\"]\ntype = {kind}\nat = {}",
                self.vector(joint.at)
            )?;
            if let Some(stiffness) = joint.spring {
                writeln!(text, "[spring.at{i}]\nat = \"j{i}\"\nstiffness = {stiffness:?}")?;
            }
        }
        Ok(())
    }

    fn written(&self, text: &mut String) -> std::fmt::Result {
        writeln!(text, "dimension = {}", if self.space { 3 } else { 2 })?;
        self.rods_as_text(text)?;
        self.joints_as_text(text)?;
        for (i, (at, clamped)) in self.supports.iter().enumerate() {
            let kind = if *clamped { "clamp" } else { "hinge" };
            writeln!(text, "[support.s{i}]\nat = \"{}\"\ntype = \"{kind}\"", end(*at))?;
        }
        for (i, spring) in self.springs.iter().enumerate() {
            let [a, b] = spring.points.map(|point| self.vector(point));
            writeln!(
                text,
                "[spring.k{i}]\nbetween = [\"ground\", \"{}\"]\npoints = [{a}, {b}]\nstiffness = {:?}",
                end(spring.at),
                spring.stiffness
            )?;
        }
        for (i, load) in self.loads.iter().enumerate() {
            writeln!(text, "[load.f{i}]\nat = \"{}\"\nforce = {}", end(load.at), self.vector(load.force))?;
            match (self.space, self.rods[load.at.0].model) {
                (_, Model::String) => {}
                (true, _) => writeln!(text, "torque = {}", self.vector(load.torque))?,
                (false, _) => writeln!(text, "torque = {:?}", load.torque[2])?,
            }
            if load.follows {
                writeln!(text, "follows = true")?;
            }
        }
        for (i, (rod, force)) in self.lines.iter().enumerate() {
            writeln!(text, "[load.q{i}]\nalong = \"r{rod}\"\nforce = {}", self.vector(*force))?;
        }
        writeln!(text, "[task.statics]")
    }

    pub fn text(&self) -> String {
        let mut text = String::new();
        self.written(&mut text).expect("strings can be written to");
        text
    }
}
