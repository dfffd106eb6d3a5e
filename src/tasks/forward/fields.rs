//! Configurations of the rods as fields over arc length and time.

use nalgebra::Vector6;

use super::stress::{NodalStress, stress_component, stress_names};
use crate::discretisation::assembly::Assembly;
use crate::mechanism::Mechanism;
use crate::results::RodField;

/// Collects poses and internal forces of the sections of all rods.
pub struct RodFields<'a> {
    assembly: &'a Assembly,
    rods: Vec<RodField>,
    stresses: Vec<NodalStress>,
    open: Option<Open>,
}

/// The last instant, whose stresses the next step will tell in part.
struct Open {
    q: Vec<f64>,
    /// Stresses in the middle of the step before.
    before: Option<Vec<Vec<Vector6<f64>>>>,
}

impl<'a> RodFields<'a> {
    /// Nothing yet.
    pub fn new(mechanism: &Mechanism, assembly: &'a Assembly) -> Self {
        let rods = mechanism.rods.iter().zip(&assembly.sections).map(|(rod, sections)| {
            let names: &[&str] = match (mechanism.dimension, rod.kind) {
                (2, kind) if kind.turns() => &["x", "y", "angle"],
                (2, _) => &["x", "y"],
                (_, own) if own.turns() => &["x", "y", "z", "p0", "p1", "p2", "p3"],
                _ => &["x", "y", "z"],
            };
            let names = names.iter().chain(stress_names(mechanism.dimension, rod.kind));
            RodField {
                rod: rod.name.clone(),
                s: sections.iter().map(|(s, _)| *s).collect(),
                t: Vec::new(),
                fields: names.map(|name| ((*name).to_owned(), Vec::new())).collect(),
            }
        });
        let of_rod = |(rod, part)| NodalStress::new(assembly, rod, part);
        let stresses = mechanism.rods.iter().enumerate().map(of_rod).collect();
        Self { assembly, rods: rods.collect(), stresses, open: None }
    }

    /// Adds a configuration in equilibrium, or one whose forces are those of that instant.
    pub fn add(&mut self, t: f64, q: &[f64]) {
        let stresses = self.stresses_at(q);
        self.push(t, q, &stresses);
        self.open = None;
    }

    /// Adds a configuration of a motion whose elements act in the middle of its steps: there their stresses are those of the
    /// motion, where a stiff rod that turns is stretched at the instants by more than its inertia does. `before` is the middle of
    /// the step that ends here, if there is one; what the next step tells follows in [`Self::complete`].
    pub fn add_moving(&mut self, t: f64, q: &[f64], before: Option<&[f64]>) {
        let stresses = self.stresses_at(before.unwrap_or(q));
        self.push(t, q, &stresses);
        self.open = Some(Open { q: q.to_vec(), before: before.map(|_| stresses) });
    }

    /// The middle of the step that begins at the last configuration: its stresses there are the mean of both steps, in the axes of
    /// the sections.
    pub fn complete(&mut self, after: &[f64]) {
        let Some(Open { q, before }) = self.open.take() else { return };
        let mut stresses = self.stresses_at(after);
        for (own, before) in stresses.iter_mut().flatten().zip(before.iter().flatten().flatten()) {
            *own = (*own + before) * 0.5;
        }
        self.write(&q, &stresses);
    }

    /// Stresses of all sections of all rods in their own axes.
    fn stresses_at(&mut self, q: &[f64]) -> Vec<Vec<Vector6<f64>>> {
        let assembly = self.assembly;
        self.stresses.iter_mut().map(|rod| rod.evaluate(assembly, q).to_vec()).collect()
    }

    fn push(&mut self, t: f64, q: &[f64], stresses: &[Vec<Vector6<f64>>]) {
        for (field, sections) in self.rods.iter_mut().zip(&self.assembly.sections) {
            field.t.push(t);
            for (_, values) in &mut field.fields {
                values.resize(values.len() + sections.len(), 0.0);
            }
        }
        self.write(q, stresses);
    }

    /// Writes poses and stresses of the last instant.
    fn write(&mut self, q: &[f64], stresses: &[Vec<Vector6<f64>>]) {
        let layout = &self.assembly.layout;
        let rods = self.rods.iter_mut().zip(stresses).zip(&self.assembly.sections);
        for ((field, stresses), sections) in rods {
            let first = (field.t.len() - 1) * sections.len();
            for (place, ((_, at), stress)) in (first..).zip(sections.iter().zip(stresses)) {
                let pose = at.pose(layout, q);
                let force = pose.orientation.rotate(stress.fixed_rows::<3>(0).into_owned());
                let moment = pose.orientation.rotate(stress.fixed_rows::<3>(3).into_owned());
                for (name, values) in &mut field.fields {
                    values[place] = match name.as_str() {
                        "x" => pose.position[0],
                        "y" => pose.position[1],
                        "z" => pose.position[2],
                        "angle" => layout.angle(q, at.node) + at.angle,
                        "p0" => pose.orientation.re,
                        "p1" => pose.orientation.im[0],
                        "p2" => pose.orientation.im[1],
                        "p3" => pose.orientation.im[2],
                        "tension" => stress[2],
                        name => stress_component(name, &force, &moment),
                    };
                }
            }
        }
    }

    /// The fields. Values were collected instant by instant; fields are stored section by section.
    pub fn finish(mut self) -> Vec<RodField> {
        for field in &mut self.rods {
            let (sections, instants) = (field.s.len(), field.t.len());
            for (_, values) in &mut field.fields {
                let by_section =
                    (0..sections).flat_map(|i| (0..instants).map(move |k| i + sections * k)).map(|place| values[place]);
                *values = by_section.collect();
            }
        }
        self.rods
    }
}
