//! Actuators of simulations.

use std::collections::BTreeMap;

use crate::discretisation::assembly::{Assembly, effects};
use crate::kernel::Function;
use crate::models::machine::Drive as Actuator;
use crate::models::{Machine, Structure};
use crate::results::Table;
use crate::terms::{Drive, History};

/// Actuators whose forces are given.
#[derive(Debug, Clone, Default)]
pub struct Driving {
    /// The actuators.
    pub drives: Vec<Actuator>,
    /// Forces over time by name, `motor.torque`, N or N m; others are zero.
    pub histories: BTreeMap<String, Function>,
}

impl Driving {
    /// Names of all components of all actuators.
    pub fn names(&self) -> Vec<String> {
        let of = |drive: &Actuator| {
            drive.components.iter().map(|(component, _)| format!("{}.{component}", drive.name)).collect::<Vec<_>>()
        };
        self.drives.iter().flat_map(of).collect()
    }

    /// Lets them act on a structure.
    pub fn act(&self, structure: &Structure, assembly: &mut Assembly) {
        let machine = Machine { structure: structure.clone(), drives: self.drives.clone() };
        let drives = effects(&machine, assembly).into_iter().filter_map(|(name, effect)| {
            let history = History::Function(self.histories.get(&name)?.clone());
            Some(Drive { name, effect, history })
        });
        let drives: Vec<Drive> = drives.collect();
        assembly.drives = drives;
    }

    /// Their values at instants; no number where a function has none, which ends the motion there.
    pub fn table(&self, t: &[f64]) -> Table {
        let column = |name: &String| {
            let value = |t: &f64| self.histories.get(name).map_or(Ok(0.0), |function| function.value(*t));
            t.iter().map(|t| value(t).unwrap_or(f64::NAN)).collect()
        };
        let columns = self.names().into_iter().map(|name| (name.clone(), column(&name))).collect();
        Table { t: t.to_vec(), columns }
    }
}
