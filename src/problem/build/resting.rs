//! Statics and modes of a system by its Lagrangian.

use std::collections::BTreeMap;

use super::Check;
use crate::kernel::Expression;
use crate::tasks::resting::{Asked, RestingSystem};
use crate::tasks::{Configuration, StaticsSpec};

impl Check<'_> {
    /// The system, if it can be put together; whether it is right is told by `found`.
    pub(super) fn resting_system(&mut self) -> Option<RestingSystem> {
        let spec = self.spec;
        self.refuse_mixtures();
        let (task, start, asked) = match (spec.task.statics(), spec.task.modes()) {
            (Some(task), _) => {
                let plain = StaticsSpec::default();
                let given = [
                    ("method", task.method != plain.method),
                    ("factors", task.factors != plain.factors),
                    ("count", task.count.is_some()),
                    ("max-steps", task.max_steps.is_some()),
                    ("stage", !task.stage.is_empty()),
                ];
                self.without_loads("statics", &[given.as_slice(), &task.path_keys()].concat());
                ("statics", &task.start, Asked::Equilibrium)
            }
            (None, Some(task)) => {
                if task.about == Configuration::Reference {
                    let message =
                        "`task.modes.about` is \"reference\", which a [system] does not have, expected \"equilibrium\"";
                    self.error(&["task", "modes", "about"], message, "no reference configuration")
                        .help("`start` says near which coordinates the equilibrium is looked for");
                }
                self.without_loads("modes", &[("factors", !task.factors.is_empty())]);
                ("modes", &task.start, Asked::Modes { count: task.count, damped: task.damped != Some(false) })
            }
            (None, None) => return None,
        };
        let t = self.time(false).map_or(0.0, |grid| grid.start);
        let names = self.scope();
        let Some(known) = self.known_system(&names) else {
            self.expectations(None);
            return None;
        };
        let mut coordinates = vec![0.0; known.coordinates.len()];
        for (name, source) in start {
            let path = ["task", task, "start", name.as_str()];
            let place = self.known_name(&path, name, &known.coordinates, "coordinate");
            let value = self.fixed_number(&path, source, &names);
            if let (Some(place), Some(value)) = (place, value) {
                coordinates[place] = value;
            }
        }
        let (title, units) = (spec.title.clone(), known.units);
        let mechanics = known.mechanics?;
        let mut system = RestingSystem { title, mechanics, start: coordinates, t, asked, units, expect: Vec::new() };
        system.expect = self.expectations(Some(&system.scalar_names()));
        Some(system)
    }

    /// A system has no loads apart from its forces, whose factor could be followed.
    fn without_loads(&mut self, task: &str, keys: &[(&str, bool)]) {
        for (key, _) in keys.iter().filter(|(_, given)| *given) {
            let message = format!(
                "`task.{task}.{key}` has no meaning for a [system], which has no loads apart from its energies and forces"
            );
            self.error(&["task", task, key], message, "without meaning here");
        }
    }

    /// Where an equilibrium is looked for is known of rods and bodies: their reference configuration.
    pub(super) fn no_start_of_rest(&mut self, task: &str, start: &BTreeMap<String, Expression>) {
        if !start.is_empty() {
            let message =
                format!("`task.{task}.start` is of a [system]; rods and bodies begin at their reference configuration");
            self.error(&["task", task, "start"], message, "not used here");
        }
    }
}
