//! Actuators of simulations.

use std::collections::BTreeMap;

use super::ForwardSystem;
use crate::discretisation::assembly::{Assembly, effects};
use crate::kernel::Function;
use crate::results::Table;
use crate::terms::{Drive, History};

/// Forces of actuators over time by name, `motor.torque`, N or N m; others are zero.
pub type Histories = BTreeMap<String, Function>;

impl ForwardSystem {
    /// Lets the actuators act on the assembly of the mechanism.
    pub fn act(&self, assembly: &mut Assembly) {
        let drives = effects(&self.mechanism, assembly).into_iter().filter_map(|(name, effect)| {
            let history = History::Function(self.histories.get(&name)?.clone());
            Some(Drive { name, effect, history })
        });
        let drives: Vec<Drive> = drives.collect();
        // Those of the winches are there already.
        assembly.drives.extend(drives);
    }

    /// What they apply at instants; no number where a function has none, which ends the motion there.
    pub fn applied(&self, t: &[f64]) -> Table {
        let column = |name: &String| {
            let value = |t: &f64| self.histories.get(name).map_or(Ok(0.0), |function| function.value(*t));
            t.iter().map(|t| value(t).unwrap_or(f64::NAN)).collect()
        };
        let columns = self.mechanism.control_names().into_iter().map(|name| (name.clone(), column(&name))).collect();
        Table { t: t.to_vec(), columns }
    }
}
