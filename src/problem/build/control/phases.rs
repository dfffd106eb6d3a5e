//! `[[task.optimal-control.phase]]`: parts of a motion with systems of their own.

use std::sync::Arc;

use super::super::Check;
use super::super::functions::Names;
use super::formulas::Allowed;
use super::of_task;
use crate::discretisation::transcription::{
    ControlProblem, Formula, Given, Guess, Mechanics, PathConstraint, Phase, PhaseError, PhasedProblem, formulas,
    nearest_switch,
};
use crate::kernel::Expression;
use crate::tasks::optimal_control::LagrangianSystem;
use crate::tasks::velocity_name;
use crate::tasks::{GuessSpec, OptimalControlSpec, PhaseSpec};

/// The problem without phases, and its system if it is stated by formulas.
type Whole<'a> = (&'a ControlProblem, Option<&'a LagrangianSystem>);
/// First and last value of each coordinate.
type Lines = [(f64, f64)];

impl Check<'_> {
    /// The phases; `None` if something in them is wrong, `Some(None)` if there are none.
    pub(super) fn phases(
        &mut self,
        task: &OptimalControlSpec,
        (whole, system): Whole<'_>,
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
            if system.is_none() || task.guess != GuessSpec::default() {
                phase.problem.guess = part_of(&whole.guess, k, count, phase.problem.guess.duration);
            } else {
                // Along the straight line from end to end, by way of where the phases change.
                let share = (k + 1) as f64 / count as f64;
                let along: Vec<f64> = lines.iter().map(|(first, last)| first + share * (last - first)).collect();
                let to = if k + 1 < count { nearest_switch(&phase.problem, &phase.until, &along) } else { along };
                let controls = phase.problem.control_bounds.len();
                phase.problem.guess = Guess::straight(from, to.clone(), controls, phase.problem.guess.duration);
                from = to;
            }
            phase.intervals = spec.steps.unwrap_or(time.steps / count);
            phases.push(phase);
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

    fn phase_of(&mut self, k: usize, spec: &PhaseSpec, (whole, system): Whole<'_>, names: &Names) -> Option<Phase> {
        let before = self.found.errors();
        let number = k.to_string();
        let (coordinates, controls) = (whole.mechanics.coordinates(), whole.mechanics.controls());
        let lists = (&coordinates[..], &controls[..]);
        let at = |keys: &[&'static str]| -> Vec<String> {
            let phase = ["phase", number.as_str()];
            of_task(&[&phase[..], keys].concat()).into_iter().map(str::to_owned).collect()
        };
        let mechanics: Arc<dyn Mechanics> = match system {
            Some(system) => Arc::new(self.system_of(k, spec, system, names)),
            None => {
                for (key, is) in [("lagrangian", spec.lagrangian.is_some()), ("forces", !spec.forces.is_empty())] {
                    if is {
                        let path = at(&[key]);
                        let here = self.document.path_text(&borrowed(&path));
                        let message = format!("`{here}` has no meaning here: rods, bodies and loads state the system");
                        self.error(&borrowed(&path), message, "without [system]").help("remove it");
                    }
                }
                Arc::clone(&whole.mechanics)
            }
        };
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
                until.push((shown(source), self.lowered(found)));
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
            mechanics,
            duration,
            // Loads and supports of a mechanism go on from phase to phase.
            begins: if system.is_some() || k == 0 { Given::Fixed(0.0) } else { Given::FREE },
            guess: Guess { duration: clamped(duration, share), ..whole.guess.clone() },
            ..whole.clone()
        };
        let continues = self.continues(k);
        let phase = Phase { name: spec.name.clone(), intervals: 1, problem, continues, until };
        (self.found.errors() == before).then_some(phase)
    }

    /// The system of a phase: what it does not state is that of the whole.
    fn system_of(&mut self, k: usize, spec: &PhaseSpec, whole: &LagrangianSystem, names: &Names) -> LagrangianSystem {
        let (number, mut system) = (k.to_string(), whole.clone());
        let lists = (&whole.coordinates[..], &whole.controls[..]);
        if let Some(source) = &spec.lagrangian {
            let path = of_task(&["phase", &number, "lagrangian"]);
            if let Some(lagrangian) = self.formula_of(&path, source, lists, Allowed::State, names) {
                system.lagrangian = lagrangian;
            }
        }
        for (name, source) in &spec.forces {
            let path = of_task(&["phase", &number, "forces", name]);
            let place = self.known_name(&path, name, lists.0, "coordinate");
            let force = self.formula_of(&path, source, lists, Allowed::All, names);
            if let (Some(place), Some(force)) = (place, force) {
                system.forces[place] = force;
            }
        }
        system
    }

    /// Whether a phase states the equations and bounds of the one before it, which no condition ends.
    fn continues(&self, k: usize) -> bool {
        let phases = self.spec.task.optimal_control().map_or(&[][..], |task| &task.phase);
        let pair = k.checked_sub(1).and_then(|before| Some((phases.get(before)?, phases.get(k)?)));
        pair.is_some_and(|(before, after)| {
            let stated = |phase: &PhaseSpec| (phase.lagrangian.clone(), phase.forces.clone(), phase.bounds.clone());
            before.until.is_none() && stated(before) == stated(after)
        })
    }

    fn phase_count(&self) -> usize {
        self.spec.task.optimal_control().map_or(1, |task| task.phase.len().max(1))
    }
}

fn borrowed(path: &[String]) -> Vec<&str> {
    path.iter().map(String::as_str).collect()
}

/// One of so many equal parts of a guess.
fn part_of(whole: &Guess, k: usize, count: usize, duration: f64) -> Guess {
    let (position, control) = (Arc::clone(&whole.position), Arc::clone(&whole.control));
    let at = move |share: f64| (k as f64 + share) / count as f64;
    Guess {
        position: Arc::new(move |share| position(at(share))),
        control: Arc::new(move |share| control(at(share))),
        duration,
    }
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
