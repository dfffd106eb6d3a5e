//! Reactions of supports and forces of joints over time or load factor, for `loads.csv`.

use crate::discretisation::assembly::{Assembly, support_forces};
use crate::mechanism::Mechanism;
use crate::results::{Outcome, Report, Table};

/// Components along the axes of space.
const AXES: [&str; 3] = ["x", "y", "z"];

/// Collects what supports and joints apply.
pub struct LoadTable {
    dimension: usize,
    supports: usize,
    table: Table,
}

/// Names of the components of a joint's load.
fn components(dimension: usize) -> Vec<String> {
    let torques = if dimension == 2 { &AXES[2..] } else { &AXES };
    let forces = AXES[..dimension].iter().map(|axis| format!("force_{axis}"));
    forces.chain(torques.iter().map(|axis| format!("torque_{axis}"))).collect()
}

/// `JOINT.force_x`, … of all joints that can move.
pub fn joint_columns(mechanism: &Mechanism) -> Vec<String> {
    let moving = mechanism.joints.iter().filter(|joint| joint.is_moving());
    let of_joint = |name: &String| {
        let name = name.clone();
        components(mechanism.dimension).into_iter().map(move |component| format!("{name}.{component}"))
    };
    moving.flat_map(|joint| of_joint(&joint.name)).collect()
}

/// Unit of a column.
fn unit(name: &str) -> &'static str {
    if name.contains(".torque_") { "N m" } else { "N" }
}

impl LoadTable {
    /// Nothing yet.
    pub fn new(mechanism: &Mechanism) -> Self {
        Self { dimension: mechanism.dimension, supports: 0, table: Table::default() }
    }

    /// Adds an instant or load factor: forces that held degrees of freedom need, and those along the equations of joints.
    pub fn add(&mut self, assembly: &Assembly, t: f64, q: &[f64], [held, rows]: [&[f64]; 2]) {
        let mut row = support_forces(assembly, q, held, rows);
        self.supports = row.len();
        for load in assembly.joint_loads(q, rows) {
            let torques = if self.dimension == 2 { &load.torque.as_slice()[2..] } else { load.torque.as_slice() };
            let values = load.force.iter().take(self.dimension).chain(torques);
            let named = components(self.dimension).into_iter().zip(values);
            row.extend(named.map(|(component, value)| (format!("{}.{component}", load.name), *value)));
        }
        if self.table.columns.is_empty() {
            self.table.columns = row.iter().map(|(name, _)| (name.clone(), Vec::new())).collect();
        }
        self.table.t.push(t);
        self.table.columns.iter_mut().zip(row).for_each(|((_, column), (_, value))| column.push(value));
    }

    /// Moves everything into an outcome, with the largest magnitudes as scalars.
    pub fn finish(self, outcome: &mut Outcome) {
        for (name, values) in self.named() {
            let largest = values.iter().fold(0.0_f64, |m, value| m.max(value.abs()));
            outcome.report.scalars.insert(format!("{name}.max"), largest);
        }
        self.store(outcome);
    }

    /// Tells what acts in the last state.
    pub fn tell_last(&self, report: &mut Report) {
        for (name, values) in self.named() {
            let unit = unit(&name).to_owned();
            report.units.insert(name.clone(), unit);
            report.scalars.extend(values.last().map(|value| (name, *value)));
        }
    }

    /// Columns under the names of their scalars.
    fn named(&self) -> impl Iterator<Item = (String, &Vec<f64>)> {
        self.table.columns.iter().enumerate().map(|(place, (name, values))| {
            let what = if place < self.supports { "reaction" } else { "joint" };
            (format!("{what}.{name}"), values)
        })
    }

    /// The table, if its times or load factors increase and all numbers are finite; else an empty one.
    pub fn increasing(self) -> Table {
        if self.table.columns.is_empty() || self.table.check().is_err() { Table::default() } else { self.table }
    }

    /// Moves the table into an outcome, if its times or load factors increase.
    pub fn store(self, outcome: &mut Outcome) {
        store(self.increasing(), outcome);
    }
}

/// Puts a table of loads into an outcome, with the units of its columns.
pub fn store(loads: Table, outcome: &mut Outcome) {
    let units = loads.columns.iter().map(|(name, _)| (name.clone(), unit(name).to_owned()));
    outcome.report.units.extend(units);
    outcome.loads = loads;
}
