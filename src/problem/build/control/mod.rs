//! Optimal control: a system by its Lagrangian or by its parts, the ends of its motion, its bounds and what is minimised.

mod cost;
mod ends;
mod formulas;
mod guess;
mod phases;
mod prospects;
mod refusals;
mod spheres;

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Check;
use super::driven;
use super::functions::Names;
use crate::discretisation::transcription::multibody::Multibody;
use crate::discretisation::transcription::{ControlProblem, Given, Mechanics, Reduction, Rule, TranscriptionError};
use crate::tasks::optimal_control::{
    ControlSystem, LagrangianSystem, OptimalControlError, OptimalControlOptions, Starts, phase_scalars, scalar_names,
};
use crate::tasks::{ConstraintsSpec, OptimalControlSpec, RuleSpec};
pub(super) use formulas::Allowed;

/// Key path of the task.
const TASK: [&str; 2] = ["task", "optimal-control"];

/// Key path of an entry of the task.
pub(super) fn of_task<'a>(keys: &[&'a str]) -> Vec<&'a str> {
    TASK.into_iter().chain(keys.iter().copied()).collect()
}

impl Check<'_> {
    /// The system, if it can be put together; whether it is right is told by `found`.
    pub fn control_system(&mut self) -> Option<ControlSystem> {
        let before = self.found.errors();
        self.refuse_mixtures();
        let names = self.scope();
        let spec = self.spec;
        let task = spec.task.optimal_control().filter(|_| self.task_name().is_some());
        let Some(known) = self.known_system(&names) else {
            if let Some(task) = task {
                self.end_time(task);
            }
            self.expectations(None);
            return None;
        };
        let task = task?;
        let end_time = self.end_time(task);
        let Known { mechanics, lagrangian, coordinates, controls, units, multibody } = known;
        let mut scalars = scalar_names(&coordinates, &controls);
        scalars.extend(phase_scalars(task.phase.iter().map(|phase| &phase.name)));
        let expect = self.expectations(Some(&scalars));
        self.parts.clone_from(&multibody);
        let (ends, way) = match &multibody {
            Some(body) => self.machine_ends(task, body, &names).unzip(),
            None => (self.ends_of_motion(task, &coordinates, &controls, &names), None),
        };
        let guesses = self.guesses(task, &coordinates, &controls, &names);
        let (cost, words) = self.cost(task, &coordinates, &controls, &names);
        let path = self.path_constraints(task, &coordinates, &controls, &names);
        let starts = self.starts(task);
        if let Some(tolerance) = task.mesh.tolerance {
            self.positive(&of_task(&["mesh", "tolerance"]), tolerance);
        }
        let settled = self.found.errors() == before && names.whole;
        let ((duration, guessed), time) = (end_time?, spec.time?);
        let (mechanics, ends, guesses, cost, mut path) = (mechanics?, ends?, guesses?, cost?, path?);
        path.extend(ends.speed_limits(&coordinates));
        path.extend(ends.quantity_bounds.iter().cloned());
        let (guess, lines) = (guesses.complete(&ends, way, duration, guessed), ends.lines());
        let problem = ControlProblem {
            mechanics,
            duration,
            begins: Given::Fixed(0.0),
            start: ends.start,
            end: ends.end,
            periodic: ends.periodic,
            coordinate_bounds: ends.coordinate_bounds,
            control_bounds: ends.control_bounds,
            cost,
            path,
            rates: Vec::new(),
            servo: Vec::new(),
            rule: match task.rule {
                RuleSpec::Midpoint => Rule::Midpoint,
                RuleSpec::Trapezoidal => Rule::Trapezoidal,
                RuleSpec::Galerkin { degree } => Rule::Galerkin { degree },
            },
            reduction: match task.constraints {
                ConstraintsSpec::Multipliers => Reduction::Multipliers,
                ConstraintsSpec::NullSpace => Reduction::NullSpace,
            },
            mixed: false,
            guess,
        };
        let phases = self.phases(task, (&problem, lagrangian.as_ref()), &lines, &names)?;
        let settled = settled && self.found.errors() == before;
        let system = ControlSystem {
            title: spec.title.clone(),
            problem,
            phases,
            intervals: time.steps,
            options: OptimalControlOptions { starts, ..options(task) },
            units,
            stated: task.end.keys().cloned().collect(),
            multibody,
            cost: words,
            expect,
        };
        if settled {
            self.possible(&system);
            if let Some(stated) = &spec.system {
                self.defined(task, stated, &system, &names);
            }
            self.influenced(&system);
        }
        Some(system)
    }

    /// What is known of the system: of a Lagrangian the names even if it is mistaken, of a mechanism all or nothing.
    pub(super) fn known_system(&mut self, names: &Names) -> Option<Known> {
        let spec = self.spec;
        let Some(system) = &spec.system else {
            if !self.sure(&["system"]) {
                return None;
            }
            let body = self.multibody(names)?;
            let (coordinates, controls) = (body.coordinates(), body.controls());
            let (mechanics, units): (Arc<dyn Mechanics>, _) = (body.clone(), driven::units(&body));
            return Some(Known {
                mechanics: Some(mechanics),
                lagrangian: None,
                coordinates,
                controls,
                units,
                multibody: Some(body),
            });
        };
        let built = self.lagrangian_system(system, names)?;
        let sure = self.sure(&["system", "coordinates"]) && self.sure(&["system", "controls"]);
        sure.then(|| Known {
            mechanics: built.clone().map(|system| Arc::new(system) as Arc<dyn Mechanics>),
            lagrangian: built,
            coordinates: system.coordinates.clone(),
            controls: system.controls.clone(),
            units: system.units.clone(),
            multibody: None,
        })
    }

    /// Refuses ends that contradict the constraints.
    fn possible(&mut self, system: &ControlSystem) {
        let error = match system.sizes(system.intervals) {
            Err(OptimalControlError::Transcription(error)) => error,
            Err(OptimalControlError::Phases(error)) => return self.refuse_phases(&error),
            _ => return,
        };
        let path = match &error {
            TranscriptionError::Violated { end, .. } | TranscriptionError::Outside { end, .. } => of_task(&[*end]),
            TranscriptionError::Degree { .. } | TranscriptionError::ConstrainedGalerkin { .. } => of_task(&["rule"]),
            TranscriptionError::NoChart => of_task(&["constraints"]),
            TranscriptionError::PeriodicOnManifold { .. } => of_task(&["periodic"]),
            _ => TASK.to_vec(),
        };
        let message = format!("`{}`: {error}", self.document.path_text(&path));
        let no_chart = error == TranscriptionError::NoChart;
        let told = self.error(&path, message, "not possible");
        if no_chart && system.multibody.is_some() {
            told.help(
                "bodies and rods that turn in space have such coordinates, and points on joints of type distance",
            );
        } else if no_chart {
            told.help("for example spheres = { attitude = { of = [\"p0\", \"p1\", \"p2\", \"p3\"] } } in [system]");
        }
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

/// A system and its names.
pub(super) struct Known {
    pub mechanics: Option<Arc<dyn Mechanics>>,
    /// The system, if it is stated by formulas.
    pub lagrangian: Option<LagrangianSystem>,
    pub coordinates: Vec<String>,
    pub controls: Vec<String>,
    pub units: BTreeMap<String, String>,
    pub multibody: Option<Arc<Multibody>>,
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
