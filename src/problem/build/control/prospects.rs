//! What can be known of a solve before it begins: whether formulas have values along the guess, and what controls influence.

use super::super::Check;
use super::super::functions::Names;
use super::of_task;
use crate::discretisation::transcription::{Rule, unreached};
use crate::kernel::Expression;
use crate::mechanism::SystemSpec;
use crate::tasks::OptimalControlSpec;
use crate::tasks::optimal_control::{ControlSystem, variable_names};

impl Check<'_> {
    /// Refuses formulas without a value where the search begins, each with the place in its text.
    pub(super) fn defined(
        &mut self,
        task: &OptimalControlSpec,
        spec: &SystemSpec,
        system: &ControlSystem,
        names: &Names,
    ) {
        if self.found.errors() > 0 {
            return;
        }
        let variables = variable_names(&spec.coordinates, &spec.controls);
        // Where formulas are taken: at the middles of the steps, forces at their ends.
        let lagrangian_at_nodes = system.problem.rule == Rule::Trapezoidal;
        let mut formulas: Vec<(Vec<&str>, &Expression, bool)> =
            vec![(vec!["system", "lagrangian"], &spec.lagrangian, lagrangian_at_nodes)];
        formulas.extend(spec.forces.iter().map(|(name, force)| (vec!["system", "forces", name], force, true)));
        formulas.extend(spec.constraints.iter().map(|(name, row)| (vec!["system", "constraints", name], row, true)));
        formulas
            .extend(task.objective.running.iter().map(|running| (of_task(&["objective", "running"]), running, false)));
        formulas.extend(task.path.iter().map(|(name, path)| (of_task(&["path", name, "value"]), &path.value, false)));
        let mut failures = Vec::new();
        for (path, source, at_nodes) in formulas {
            let Some(formula) = self.formula(&path, source, names, &variables) else { continue };
            let failure = (0..system.intervals).find_map(|k| {
                let (point, t) = system.guessed(k, at_nodes);
                formula.value(&point, t).err()
            });
            if let Some(error) = failure {
                failures.push((path.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>(), error));
            }
        }
        let any = !failures.is_empty();
        self.failures(failures);
        if any && let Some(last) = self.found.list.last_mut() {
            last.help("the search begins there; state a `guess` that avoids it");
        }
    }

    /// Warns of coordinates on which no control acts although they are to end somewhere.
    pub(super) fn influenced(&mut self, system: &ControlSystem) {
        let names = system.coordinates();
        for i in unreached(&system.problem) {
            let end = &system.problem.end;
            if end.position[i].value().is_none() && end.velocity[i].value().is_none() {
                continue;
            }
            let message = format!(
                "no control acts on `{}`, neither directly nor through other coordinates: it ends where its start leads it",
                names[i]
            );
            let index = i.to_string();
            let path = match system.multibody {
                Some(_) => of_task(&["end"]),
                None => vec!["system", "coordinates", &index],
            };
            self.warn(&path, message, "not controlled");
        }
    }
}
