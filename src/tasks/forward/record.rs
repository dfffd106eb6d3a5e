//! Configurations as columns of a result.

use crate::discretisation::assembly::{Assembly, Attachment, Element, NodeKind, plane_angle};
use crate::mechanism::Frame;
use crate::results::{Outcome, RodField, Table};
use crate::tasks::forward::stress::{NodalStress, stress_component, stress_names};
use crate::tasks::forward::{coordinates, winch_columns};
use crate::tasks::{ForwardSystem, coordinate_unit};

/// Collects configurations.
pub struct Record<'a> {
    system: &'a ForwardSystem,
    assembly: &'a Assembly,
    frames: Vec<(String, Frame, Attachment)>,
    /// Angle of each frame when it was last seen, so that angles run on.
    angles: Vec<f64>,
    motion: Table,
    rods: Vec<RodField>,
    stresses: Vec<NodalStress>,
    /// When and which rod is first compressed to nothing.
    crushed: Option<(f64, usize)>,
}

impl<'a> Record<'a> {
    /// Nothing yet.
    pub fn new(system: &'a ForwardSystem, assembly: &'a Assembly) -> Self {
        let mechanism = &system.mechanism;
        let frames: Vec<_> = system
            .frames
            .iter()
            .filter_map(|(name, frame)| Some((name.clone(), *frame, assembly.frame(*frame)?)))
            .collect();
        let columns = frames.iter().flat_map(|(name, frame, _)| {
            coordinates(mechanism, *frame).iter().map(move |c| (format!("{name}.{c}"), Vec::new()))
        });
        let of_winches = winch_columns(mechanism).into_iter().map(|name| (name, Vec::new()));
        let motion = Table { t: Vec::new(), columns: columns.chain(of_winches).collect() };
        let rods = mechanism.rods.iter().zip(&assembly.sections).map(|(rod, sections)| {
            let names: &[&str] = match (mechanism.dimension, rod.kind) {
                (2, kind) if kind.turns() => &["x", "y", "angle"],
                (2, _) => &["x", "y"],
                (_, own) if own.turns() => &["x", "y", "z", "p0", "p1", "p2", "p3"],
                _ => &["x", "y", "z"],
            };
            RodField {
                rod: rod.name.clone(),
                s: sections.iter().map(|(s, _)| *s).collect(),
                t: Vec::new(),
                fields: names
                    .iter()
                    .chain(stress_names(mechanism.dimension, rod.kind))
                    .map(|name| ((*name).to_owned(), Vec::new()))
                    .collect(),
            }
        });
        let angles = frames
            .iter()
            .map(|(_, _, at)| match assembly.layout.kind(at.node) {
                NodeKind::PlaneFrame => assembly.layout.angle(&assembly.reference, at.node) + at.angle,
                _ => 0.0,
            })
            .collect();
        let rods = rods.collect();
        let of_rod = |(rod, part)| NodalStress::new(assembly, rod, part);
        let stresses = mechanism.rods.iter().enumerate().map(of_rod).collect();
        Self { system, assembly, angles, motion, rods, stresses, frames, crushed: None }
    }

    /// Coordinates of all frames, in the order of the columns.
    pub fn coordinates(&mut self, q: &[f64]) -> Vec<f64> {
        let layout = &self.assembly.layout;
        let mut out = Vec::with_capacity(self.motion.columns.len());
        for ((_, frame, at), angle) in self.frames.iter().zip(&mut self.angles) {
            let pose = at.pose(layout, q);
            let names = coordinates(&self.system.mechanism, *frame);
            let dimension = self.system.mechanism.dimension;
            out.extend(pose.position.iter().take(dimension));
            if names.contains(&"angle") {
                *angle = match (layout.kind(at.node), frame) {
                    // A body is turned by its own angle, which is that of its first axis.
                    (NodeKind::PlaneFrame, _) => layout.angle(q, at.node) + at.angle,
                    _ => plane_angle(pose.orientation, *angle),
                };
                out.push(*angle);
            } else if names.len() > dimension {
                let reference = at.pose(layout, &self.assembly.reference).orientation;
                let turn = (pose.orientation * reference.conjugate()).rotation_vector();
                out.extend(turn.iter());
            }
        }
        out.extend(
            self.assembly
                .winches
                .iter()
                .flat_map(|winch| [winch.length(self.assembly, q), winch.tension(self.assembly, q)]),
        );
        out
    }

    /// Names of the columns `FRAME.COORDINATE`.
    pub fn names(&self) -> Vec<String> {
        self.motion.columns.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Adds a configuration.
    pub fn add(&mut self, t: f64, q: &[f64]) {
        let values = self.coordinates(q);
        self.look_for_crushed(t, q);
        self.motion.t.push(t);
        self.motion.columns.iter_mut().zip(values).for_each(|((_, column), value)| column.push(value));
        let layout = &self.assembly.layout;
        let rods = self.rods.iter_mut().zip(&mut self.stresses).zip(&self.assembly.sections);
        for ((field, stresses), sections) in rods {
            field.t.push(t);
            let stresses = stresses.evaluate(self.assembly, q);
            for ((_, at), stress) in sections.iter().zip(stresses) {
                let pose = at.pose(layout, q);
                let force = pose.orientation.rotate(stress.fixed_rows::<3>(0).into_owned());
                let moment = pose.orientation.rotate(stress.fixed_rows::<3>(3).into_owned());
                for (name, values) in &mut field.fields {
                    values.push(match name.as_str() {
                        "x" => pose.position[0],
                        "y" => pose.position[1],
                        "z" => pose.position[2],
                        "angle" => layout.angle(q, at.node) + at.angle,
                        "p0" => pose.orientation.re,
                        "p1" => pose.orientation.im[0],
                        "p2" => pose.orientation.im[1],
                        "p3" => pose.orientation.im[2],
                        stress => stress_component(stress, &force, &moment),
                    });
                }
            }
        }
    }

    /// Remembers the first time and rod that is compressed to nothing or beyond, where no law of elasticity holds.
    fn look_for_crushed(&mut self, t: f64, q: &[f64]) {
        if self.crushed.is_some() {
            return;
        }
        let layout = &self.assembly.layout;
        let crushed = |element: &&Element| (0..element.points()).any(|k| element.strain(layout, q, k)[2] <= -1.0);
        self.crushed = self.assembly.elements.iter().find(crushed).and_then(|element| Some((t, element.rod?)));
    }

    /// Whether no configuration was taken in yet.
    pub fn is_empty(&self) -> bool {
        self.motion.t.is_empty()
    }

    /// Moves everything into an outcome.
    pub fn finish(mut self, outcome: &mut Outcome) {
        // Values were collected instant by instant; fields are stored section by section.
        for field in &mut self.rods {
            let (sections, instants) = (field.s.len(), field.t.len());
            for (_, values) in &mut field.fields {
                let by_section =
                    (0..sections).flat_map(|i| (0..instants).map(move |k| i + sections * k)).map(|place| values[place]);
                *values = by_section.collect();
            }
        }
        for (name, _) in &self.motion.columns {
            let coordinate = name.rsplit('.').next().unwrap_or_default();
            let unit = if coordinate.starts_with("turn") { "rad" } else { coordinate_unit(coordinate) };
            outcome.report.units.insert(name.clone(), unit.to_owned());
        }
        // Load factors go back beyond limit points; the path then tells what a table over them cannot.
        if self.motion.t.windows(2).all(|pair| pair[0] < pair[1]) {
            outcome.motion = self.motion;
        }
        outcome.rods = self.rods;
        if let Some((t, rod)) = self.crushed {
            let name = self.system.mechanism.rods.get(rod).map_or("", |rod| rod.name.as_str());
            let when =
                if outcome.report.task == "simulate" { format!("t = {t:.6} s") } else { format!("load factor {t}") };
            outcome
                .report
                .warnings
                .push(format!("rod `{name}` has an inverted element at {when}: its stiffness has no meaning there"));
        }
    }
}
