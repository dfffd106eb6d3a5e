//! What is minimised, and what must hold along the way.

use super::super::Check;
use super::super::functions::Names;
use super::formulas::Allowed;
use super::of_task;
use crate::discretisation::transcription::{Cost, PathConstraint, formulas};
use crate::tasks::OptimalControlSpec;
use crate::tasks::optimal_control::variable_names;

impl Check<'_> {
    /// The cost, and its terms in words.
    pub(super) fn cost(
        &mut self,
        task: &OptimalControlSpec,
        coordinates: &[String],
        controls: &[String],
        names: &Names,
    ) -> (Option<Cost>, Vec<String>) {
        let (before, objective) = (self.found.errors(), &task.objective);
        let (mut cost, mut words) = (Cost::default(), Vec::new());
        let terms = [
            ("effort", objective.effort, "half the integral of the squared controls"),
            ("time", objective.time, "the duration"),
            ("fuel", objective.fuel, "the integral of the magnitudes of the controls"),
            ("peak", objective.peak, "the largest magnitudes of the controls"),
            ("energy", objective.energy, "the energy that the controls spend"),
        ];
        for (key, weight, what) in terms {
            let Some(weight) = weight else { continue };
            if !self.not_negative(&of_task(&["objective", key]), weight) || weight == 0.0 {
                continue;
            }
            words.push(if weight == 1.0 { what.to_owned() } else { format!("{weight} × {what}") });
            let each = || (0..controls.len()).map(|control| (control, weight)).collect();
            match key {
                "effort" => {
                    cost.running.push((0.5 * weight, formulas::squared_controls()));
                }
                "time" => cost.time = weight,
                "fuel" => cost.fuel = each(),
                "energy" => cost.energy = each(),
                _ => cost.peak = each(),
            }
        }
        let lists = (coordinates, controls);
        self.tracking(task, lists, names, &mut cost, &mut words);
        if let Some(source) = &objective.running {
            let path = of_task(&["objective", "running"]);
            words.push("the integral of `running`".to_owned());
            if let Some(running) = self.formula_of(&path, source, lists, Allowed::All, names) {
                cost.running.push((1.0, self.lowered(running)));
            }
        }
        if let Some(source) = &objective.end {
            let path = of_task(&["objective", "end"]);
            words.push("`end` of the state at the end".to_owned());
            if let Some(last) = self.formula_of(&path, source, lists, Allowed::State, names) {
                cost.last.push((1.0, self.lowered(last)));
            }
        }
        let path = of_task(&["objective"]);
        if words.is_empty() && self.found.errors() == before && self.sure(&path) {
            let message = format!("`{}` minimises nothing, expected a positive weight", self.document.path_text(&path));
            self.error(&path, message, "nothing to minimise")
                .help("weights are effort, time, fuel, peak and energy; tracking has weights of its own; running and end are expressions");
        }
        if cost.time > 0.0 && task.free_end_time.is_none() && self.sure(&of_task(&[])) {
            let message = "`task.optimal-control.objective.time` has no effect because the end time is fixed";
            self.warn(&of_task(&["objective", "time"]), message, "a constant")
                .help("free-end-time = [earliest, latest] frees it");
        }
        ((self.found.errors() == before).then_some(cost), words)
    }

    /// Squares of the differences of coordinates and velocities from functions of time.
    fn tracking(
        &mut self,
        task: &OptimalControlSpec,
        lists: (&[String], &[String]),
        names: &Names,
        cost: &mut Cost,
        words: &mut Vec<String>,
    ) {
        let known = variable_names(lists.0, &[]);
        for (name, spec) in &task.objective.tracking {
            let place =
                self.known_name(&of_task(&["objective", "tracking", name]), name, &known, "coordinate or velocity");
            let path = of_task(&["objective", "tracking", name, "reference"]);
            let reference = self.formula_of(&path, &spec.reference, lists, Allowed::Time, names);
            let weight = of_task(&["objective", "tracking", name, "weight"]);
            if !self.not_negative(&weight, spec.weight) || spec.weight == 0.0 {
                continue;
            }
            let times = if spec.weight == 1.0 { String::new() } else { format!("{} × ", spec.weight) };
            words.push(format!("{times}half the integral of the squared deviation of {name}"));
            if let (Some(place), Some(reference)) = (place, reference) {
                let reference = self.lowered(reference);
                let n = lists.0.len();
                let value = if place < n { formulas::coordinate(place) } else { formulas::velocity(place - n) };
                cost.running.push((0.5 * spec.weight, formulas::squared_deviation(value, reference)));
            }
        }
    }

    /// Constraints along the way.
    pub(super) fn path_constraints(
        &mut self,
        task: &OptimalControlSpec,
        coordinates: &[String],
        controls: &[String],
        names: &Names,
    ) -> Option<Vec<PathConstraint>> {
        let before = self.found.errors();
        let mut found = Vec::new();
        for (name, spec) in &task.path {
            let path = of_task(&["path", name]);
            let here = self.document.path_text(&path);
            if spec.min.is_none() && spec.max.is_none() && self.sure(&path) {
                self.error(&path, format!("`{here}` has no bound, expected `min` or `max`"), "without a bound");
            }
            let (lower, upper) = (spec.min.unwrap_or(f64::NEG_INFINITY), spec.max.unwrap_or(f64::INFINITY));
            if lower > upper && self.sure(&path) {
                let message = format!("`{here}` goes from {lower} to {upper}, expected the lower value as `min`");
                self.error(&path, message, "lower above upper");
            }
            let value = of_task(&["path", name, "value"]);
            let value = self.formula_of(&value, &spec.value, (coordinates, controls), Allowed::All, names);
            if let Some(value) = value {
                let formula = self.lowered(value);
                found.push(PathConstraint { name: name.clone(), formula, lower, upper });
            }
        }
        (self.found.errors() == before).then_some(found)
    }
}
