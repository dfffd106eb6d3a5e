//! `[[task.optimal-control.phase]]`: parts of a motion with systems of their own.

use std::sync::Arc;

use super::super::Check;
use super::super::functions::Names;
use super::formulas::Allowed;
use super::of_task;
use crate::discretisation::transcription::{
    ControlProblem, Formula, Given, Guess, PathConstraint, Phase, PhaseError, PhasedProblem, formulas, nearest_switch,
};
use crate::kernel::Expression;
use crate::tasks::optimal_control::{LagrangianSystem, formula};
use crate::tasks::velocity_name;
use crate::tasks::{OptimalControlSpec, PhaseSpec};

/// First and last value of each coordinate.
type Lines = [(f64, f64)];

impl Check<'_> {
    /// The phases; `None` if something in them is wrong, `Some(None)` if there are none.
    pub(super) fn phases(
        &mut self,
        task: &OptimalControlSpec,
        (whole, system): (&ControlProblem, &LagrangianSystem),
        lines: &Lines,
        names: &Names,
    ) -> Option<Option<PhasedProblem>> {
        let count = task.phase.len();
        if count == 0 {
            return Some(None);
        }
        let (before, time) = (self.found.errors(), self.spec.time?);
        for (keys, given) in
            [(&["starts"][..], task.starts.is_some()), (&["mesh", "tolerance"], task.mesh.tolerance.is_some())]
        {
            if given {
                let here = self.document.path_text(&of_task(keys));
                let message = format!(
                    "`{here}` has no effect on motions in phases, expected it without [[task.optimal-control.phase]]"
                );
                self.error(&of_task(keys), message, "not with phases").help("remove it");
            }
        }
        let steps: usize = task.phase.iter().map(|phase| phase.steps.unwrap_or(time.steps / count)).sum();
        if steps != time.steps {
            let message = format!("the phases have {steps} steps together, `time.steps` is {}", time.steps);
            self.error(&of_task(&["phase"]), message, "not the steps of the whole")
                .help("state `steps` of each phase so that they add up");
        }
        let mut from: Vec<f64> = lines.iter().map(|line| line.0).collect();
        let mut phases: Vec<Phase> = Vec::new();
        for (k, spec) in task.phase.iter().enumerate() {
            if task.phase[..k].iter().any(|other| other.name == spec.name) {
                let message = format!("two phases have the name `{}`", spec.name);
                self.error(&of_task(&["phase", &k.to_string(), "name"]), message, "taken already");
            }
            let Some(mut phase) = self.phase_of(k, spec, (whole, system), names) else { continue };
            // Along the straight line from end to end, by way of where the phases change.
            let share = (k + 1) as f64 / count as f64;
            let along: Vec<f64> = lines.iter().map(|(first, last)| first + share * (last - first)).collect();
            let to = if k + 1 < count { nearest_switch(&phase.problem, &phase.until, &along) } else { along };
            let controls = phase.problem.control_bounds.len();
            phase.problem.guess = Guess::straight(from, to.clone(), controls, phase.problem.guess.duration);
            phase.intervals = spec.steps.unwrap_or(time.steps / count);
            phases.push(phase);
            from = to;
        }
        if self.found.errors() > before || !self.sure(&of_task(&["phase"])) {
            return None;
        }
        match PhasedProblem::new(phases, whole.duration) {
            Ok(phases) => Some(Some(phases)),
            Err(error) => {
                self.refuse_phases(&error);
                None
            }
        }
    }

    /// Tells why phases are not possible.
    pub(super) fn refuse_phases(&mut self, error: &PhaseError) {
        let path = of_task(&["phase"]);
        let message = format!("`{}`: {error}", self.document.path_text(&path));
        self.error(&path, message, "not possible");
    }

    fn phase_of(
        &mut self,
        k: usize,
        spec: &PhaseSpec,
        (whole, system): (&ControlProblem, &LagrangianSystem),
        names: &Names,
    ) -> Option<Phase> {
        let before = self.found.errors();
        let number = k.to_string();
        let lists = (&system.coordinates[..], &system.controls[..]);
        let at = |keys: &[&'static str]| -> Vec<String> {
            let phase = ["phase", number.as_str()];
            of_task(&[&phase[..], keys].concat()).into_iter().map(str::to_owned).collect()
        };
        let mut system = system.clone();
        if let Some(source) = &spec.lagrangian {
            let path = at(&["lagrangian"]);
            if let Some(lagrangian) = self.formula_of(&borrowed(&path), source, lists, Allowed::State, names) {
                system.lagrangian = lagrangian;
            }
        }
        for (name, source) in &spec.forces {
            let mut path = at(&["forces"]);
            path.push(name.clone());
            let place = self.known_name(&borrowed(&path), name, lists.0, "coordinate");
            let force = self.formula_of(&borrowed(&path), source, lists, Allowed::All, names);
            if let (Some(place), Some(force)) = (place, force) {
                system.forces[place] = force;
            }
        }
        let table = at(&["bounds"]);
        let [own, own_speeds, own_controls] = self.bounds(&borrowed(&table), &spec.bounds, lists.0, lists.1, names);
        let merged = |own: Vec<(f64, f64)>, names: &[String], general: &[(f64, f64)]| -> Vec<(f64, f64)> {
            let pick = |((own, name), general): ((_, &String), &(f64, f64))| {
                if spec.bounds.contains_key(name) { own } else { *general }
            };
            own.into_iter().zip(names).zip(general).map(pick).collect()
        };
        let (path, told) = (at(&["duration"]), self.found.errors());
        let duration = self.given(&borrowed(&path), &spec.duration, names);
        let (shortest, longest) = duration.bounds();
        if self.found.errors() == told && !(shortest > 0.0 && longest.is_finite()) {
            let here = self.document.path_text(&borrowed(&path));
            let message = format!("`{here}` is not a duration, expected a positive time or [shortest, longest]");
            self.error(&borrowed(&path), message, "not a duration");
        }
        let mut until: Vec<(String, Formula)> = Vec::new();
        for (i, source) in spec.until.iter().flat_map(|until| until.as_slice()).enumerate() {
            let mut path = at(&["until"]);
            if spec.until.as_ref().is_some_and(|until| until.as_slice().len() > 1) {
                path.push(i.to_string());
            }
            if let Some(found) = self.formula_of(&borrowed(&path), source, lists, Allowed::State, names) {
                until.push((shown(source), formula(found)));
            }
        }
        // Bounds of velocities are constraints along the way.
        let mut limits = whole.path.clone();
        for (i, (name, (lower, upper))) in lists.0.iter().zip(own_speeds).enumerate() {
            let name = velocity_name(name);
            if spec.bounds.contains_key(&name) {
                limits.retain(|limit| limit.name != name);
                limits.push(PathConstraint { name, formula: formulas::velocity(i), lower, upper });
            }
        }
        let share = whole.guess.duration / self.phase_count() as f64;
        let problem = ControlProblem {
            path: limits,
            coordinate_bounds: merged(own, lists.0, &whole.coordinate_bounds),
            control_bounds: merged(own_controls, lists.1, &whole.control_bounds),
            mechanics: Arc::new(system.clone()),
            duration,
            guess: Guess { duration: clamped(duration, share), ..whole.guess.clone() },
            ..whole.clone()
        };
        let phase = Phase { name: spec.name.clone(), intervals: 1, problem, until };
        (self.found.errors() == before).then_some(phase)
    }

    fn phase_count(&self) -> usize {
        self.spec.task.optimal_control().map_or(1, |task| task.phase.len().max(1))
    }
}

fn borrowed(path: &[String]) -> Vec<&str> {
    path.iter().map(String::as_str).collect()
}

fn clamped(duration: Given, guess: f64) -> f64 {
    let (shortest, longest) = duration.bounds();
    guess.max(shortest).min(longest)
}

fn shown(source: &Expression) -> String {
    match source {
        Expression::Text(text) => text.clone(),
        Expression::Number(number) => number.to_string(),
    }
}
