//! A problem ready to be solved.

use std::collections::BTreeMap;

use crate::discretisation::TimeGrid;
use crate::discretisation::chain::RodChain;
use crate::mechanism::Mechanism;
use crate::results::Expectation;

/// One column of the actuation table.
#[derive(Debug, Clone, PartialEq)]
pub struct Channel {
    /// `<actuator>.<component>`, e.g. `base.force_x`.
    pub name: String,
    /// Coordinate it acts on.
    pub coordinate: usize,
}

/// One prescribed coordinate.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    /// `<servo>.<coordinate>`, e.g. `tip.angle`.
    pub name: String,
    /// Its place among the guides of the rods.
    pub guide: usize,
    /// Coordinate it prescribes.
    pub coordinate: usize,
}

/// A known answer.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownAnswer {
    /// Name of the scalar.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// Allowed absolute deviation.
    pub allowed: f64,
    /// Where the value comes from.
    pub source: String,
}

impl KnownAnswer {
    /// How it fared among the scalars of a result.
    pub fn judge(&self, scalars: &BTreeMap<String, f64>) -> Expectation {
        let found = scalars.get(&self.name).copied();
        Expectation {
            name: self.name.clone(),
            expected: self.value,
            found,
            allowed: self.allowed,
            met: found.is_some_and(|f| (f - self.value).abs() <= self.allowed),
            source: self.source.clone(),
        }
    }
}

/// Mechanism, time grid and what is asked of them.
#[derive(Debug, Clone)]
pub struct System {
    /// One line about the problem.
    pub title: String,
    /// The rods in a row.
    pub chain: RodChain,
    /// The same as rods, bodies, joints and actuators, which proves the answer.
    pub mechanism: Option<Mechanism>,
    /// What the actuators apply.
    pub channels: Vec<Channel>,
    /// What the servo paths prescribe.
    pub outputs: Vec<Output>,
    /// Time grid of the answer.
    pub grid: TimeGrid,
    /// Known answers.
    pub expect: Vec<KnownAnswer>,
}

/// Name of the velocity of a coordinate.
pub fn velocity_name(coordinate: &str) -> String {
    format!("{coordinate}_dot")
}

/// Unit of a coordinate.
pub fn coordinate_unit(name: &str) -> &'static str {
    match name {
        "tension" => "N",
        "angle" => "rad",
        _ if name.starts_with("turn") => "rad",
        _ => "m",
    }
}

/// Name and unit of the force conjugate to a coordinate.
pub fn force_name(coordinate: &str) -> (&'static str, &'static str) {
    match coordinate {
        "x" => ("force_x", "N"),
        "y" => ("force_y", "N"),
        "z" => ("force_z", "N"),
        "turn_x" => ("torque_x", "N m"),
        "turn_y" => ("torque_y", "N m"),
        "turn_z" => ("torque_z", "N m"),
        _ => ("torque", "N m"),
    }
}
