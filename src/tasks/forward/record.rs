//! Configurations as columns of a result.

use crate::discretisation::assembly::{Assembly, Attachment, Element, NodeKind, plane_angle};
use crate::mechanism::{Frame, Mechanism};
use crate::results::{Outcome, Table};
use crate::tasks::forward::fields::RodFields;
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
    rods: RodFields<'a>,
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
        let angles = frames
            .iter()
            .map(|(_, _, at)| match assembly.layout.kind(at.node) {
                NodeKind::PlaneFrame => assembly.layout.angle(&assembly.reference, at.node) + at.angle,
                _ => 0.0,
            })
            .collect();
        let rods = RodFields::new(mechanism, assembly);
        Self { system, assembly, angles, motion, rods, frames, crushed: None }
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

    /// The mechanism whose configurations are collected.
    pub fn mechanism(&self) -> &'a Mechanism {
        &self.system.mechanism
    }

    /// Names of the columns `FRAME.COORDINATE`.
    pub fn names(&self) -> Vec<String> {
        self.motion.columns.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Adds a configuration in equilibrium.
    pub fn add(&mut self, t: f64, q: &[f64]) {
        self.place(t, q);
        self.rods.add(t, q);
    }

    /// Adds a configuration of a motion; `before` is the middle of the step that ends here.
    pub fn add_moving(&mut self, t: f64, q: &[f64], before: Option<&[f64]>) {
        self.place(t, q);
        self.rods.add_moving(t, q, before);
    }

    /// The middle of the step that begins at the last configuration.
    pub fn complete(&mut self, after: &[f64]) {
        self.rods.complete(after);
    }

    fn place(&mut self, t: f64, q: &[f64]) {
        let values = self.coordinates(q);
        self.look_for_crushed(t, q);
        self.motion.t.push(t);
        self.motion.columns.iter_mut().zip(values).for_each(|((_, column), value)| column.push(value));
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
    pub fn finish(self, outcome: &mut Outcome) {
        for (name, _) in &self.motion.columns {
            let coordinate = name.rsplit('.').next().unwrap_or_default();
            let unit = if coordinate.starts_with("turn") { "rad" } else { coordinate_unit(coordinate) };
            outcome.report.units.insert(name.clone(), unit.to_owned());
        }
        // Load factors go back beyond limit points; the path then tells what a table over them cannot.
        if self.motion.t.windows(2).all(|pair| pair[0] < pair[1]) {
            outcome.motion = self.motion;
        }
        outcome.rods = self.rods.finish();
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
