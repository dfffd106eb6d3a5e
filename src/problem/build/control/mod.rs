//! Optimal control: a system by its Lagrangian, the ends of its motion, its bounds and what is minimised.

mod cost;
mod ends;
mod formulas;
mod guess;
mod prospects;
mod refusals;

use std::sync::Arc;

use super::Check;
use crate::discretisation::dmoc::{ControlProblem, Given, Rule, TranscriptionError};
use crate::tasks::optimal_control::{ControlSystem, LagrangianSystem, OptimalControlOptions, Starts, scalar_names};
use crate::tasks::{OptimalControlSpec, RuleSpec, TaskSpec};
use guess::guess;

/// Key path of the task.
const TASK: [&str; 2] = ["task", "optimal-control"];

/// Key path of an entry of the task.
fn of_task<'a>(keys: &[&'a str]) -> Vec<&'a str> {
    TASK.into_iter().chain(keys.iter().copied()).collect()
}

impl Check<'_> {
    /// The system, if it can be put together; whether it is right is told by `found`.
    pub fn control_system(&mut self) -> Option<ControlSystem> {
        let before = self.found.errors();
        self.refuse_mixtures();
        let names = self.scope();
        let spec = self.spec;
        let system = match &spec.system {
            Some(system) => self.lagrangian_system(system, &names),
            None => self.refuse_without_system(),
        };
        let task = match &spec.task {
            TaskSpec::OptimalControl(task) if self.task_name().is_some() => task,
            _ => return None,
        };
        let end_time = self.end_time(task);
        let known = spec.system.as_ref().filter(|_| self.sure(&["system", "coordinates"]));
        let known = known.filter(|_| self.sure(&["system", "controls"]));
        let (Some(known), Some(system)) = (known, system) else {
            self.expectations(None);
            return None;
        };
        let (coordinates, controls) = (&known.coordinates, &known.controls);
        let scalars = scalar_names(coordinates, controls);
        let expect = self.expectations(Some(&scalars));
        let ends = self.ends_of_motion(task, coordinates, controls, &names);
        let guesses = self.guesses(task, coordinates, controls, &names);
        let (cost, words) = self.cost(task, coordinates, controls, &names);
        let path = self.path_constraints(task, coordinates, controls, &names);
        let starts = self.starts(task);
        if let Some(tolerance) = task.mesh.tolerance {
            self.positive(&of_task(&["mesh", "tolerance"]), tolerance);
        }
        let settled = self.found.errors() == before && names.whole;
        let ((duration, guessed), time) = (end_time?, spec.time?);
        let (system, ends, guesses, cost, mut path) = (system?, ends?, guesses?, cost?, path?);
        path.extend(ends.speed_limits(coordinates));
        let guess = guess(&ends, guesses, duration, guessed);
        let problem = ControlProblem {
            mechanics: Arc::new(system),
            duration,
            start: ends.start,
            end: ends.end,
            periodic: ends.periodic,
            coordinate_bounds: ends.coordinate_bounds,
            control_bounds: ends.control_bounds,
            cost,
            path,
            rule: match task.rule {
                RuleSpec::Midpoint => Rule::Midpoint,
                RuleSpec::Trapezoidal => Rule::Trapezoidal,
            },
            guess,
        };
        let system = ControlSystem {
            title: spec.title.clone(),
            problem,
            intervals: time.steps,
            options: OptimalControlOptions { starts, ..options(task) },
            units: known.units.clone(),
            cost: words,
            expect,
        };
        if settled {
            self.possible(&system);
            self.defined(task, known, &system, &names);
            self.influenced(&system);
        }
        Some(system)
    }

    /// Refuses ends that contradict the constraints.
    fn possible(&mut self, system: &ControlSystem) {
        let Err(error) = system.sizes(system.intervals) else { return };
        let path = match &error {
            TranscriptionError::Violated { end, .. } | TranscriptionError::Outside { end, .. } => of_task(&[*end]),
            _ => TASK.to_vec(),
        };
        let message = format!("`{}`: {error}", self.document.path_text(&path));
        self.error(&path, message, "not possible");
    }

    /// The duration, fixed or free, and where its search begins.
    fn end_time(&mut self, task: &OptimalControlSpec) -> Option<(Given, f64)> {
        self.time(true)?;
        let time = self.spec.time?;
        if time.start != 0.0 {
            let message = format!("`time.start` is {}, expected 0 in [task.optimal-control]", time.start);
            self.error(&["time", "start"], message, "must be zero").help("leave it out: motions begin at t = 0");
            return None;
        }
        let Some([earliest, latest]) = task.free_end_time else { return Some((Given::Fixed(time.end), time.end)) };
        let path = of_task(&["free-end-time"]);
        if !self.sure(&path) {
            return None;
        }
        let here = self.document.path_text(&path);
        if !(earliest > 0.0 && latest > earliest) {
            let message =
                format!("`{here}` is [{earliest}, {latest}], expected two positive times, the later one last");
            self.error(&path, message, "not a range of times");
            return None;
        }
        if !(earliest..=latest).contains(&time.end) {
            let message = format!("`time.end` is {}, expected a time in `{here}` = [{earliest}, {latest}]", time.end);
            self.error(&["time", "end"], message, "outside of the range")
                .help("with a free end the search begins there");
            return None;
        }
        Some((Given::Between(earliest, latest), time.end))
    }

    /// Several starts, where they are asked for.
    fn starts(&mut self, task: &OptimalControlSpec) -> Option<Starts> {
        let path = of_task(&["starts", "spread"]);
        let spec = task.starts.filter(|_| self.sure(&of_task(&["starts"])))?;
        let starts = Starts { count: spec.count, seed: spec.seed.into(), spread: spec.spread };
        (spec.count == 1 || self.positive(&path, spec.spread)).then_some(starts)
    }
}

fn options(task: &OptimalControlSpec) -> OptimalControlOptions {
    let mut options = OptimalControlOptions {
        continued: task.mesh.r#continue,
        coarsest: task.mesh.coarsest,
        tolerance: task.mesh.tolerance,
        most_intervals: task.mesh.most,
        ..OptimalControlOptions::default()
    };
    if let Some(most) = task.max_iterations {
        options.solver.max_iterations = most;
    }
    options
}

/// A system of which everything is known, or nothing.
type Built = Option<LagrangianSystem>;
