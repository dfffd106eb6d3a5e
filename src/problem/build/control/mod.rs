//! Optimal control: a system by its Lagrangian or by its parts, the ends of its motion, its bounds and what is minimised.

mod cost;
mod ends;
mod formulas;
mod phases;
mod refusals;
mod spheres;

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Check;
use super::functions::Names;
use super::machine::{self, WayTable};
use crate::discretisation::dmoc::mechanism::Multibody;
use crate::discretisation::dmoc::{ControlProblem, Given, Guess, Mechanics, Reduction, Rule, TranscriptionError};
use crate::kernel::Function;
use crate::tasks::optimal_control::{
    ControlSystem, LagrangianSystem, OptimalControlError, OptimalControlOptions, phase_scalars, scalar_names,
};
use crate::tasks::{ConstraintsSpec, OptimalControlSpec, RuleSpec, TaskSpec};
pub(super) use ends::Ends;

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
        let task = match &spec.task {
            TaskSpec::OptimalControl(task) if self.task_name().is_some() => Some(task),
            _ => None,
        };
        let Some(known) = self.known_system(&names) else {
            if let Some(task) = task {
                self.end_time(task);
            }
            self.expectations(None);
            return None;
        };
        let task = task?;
        let end_time = self.end_time(task);
        let Known { mechanics, lagrangian, coordinates, controls, units, machine } = known;
        let mut scalars = scalar_names(&coordinates, &controls);
        scalars.extend(phase_scalars(task.phase.iter().map(|phase| &phase.name)));
        let expect = self.expectations(Some(&scalars));
        self.parts.clone_from(&machine);
        let (ends, way) = match &machine {
            Some(body) => self.machine_ends(task, body, &names).unzip(),
            None => (self.ends_of_motion(task, &coordinates, &controls, &names), None),
        };
        let guesses = self.guesses(task, &coordinates, &controls, &names);
        let (cost, words) = self.cost(task, &coordinates, &controls, &names);
        let path = self.path_constraints(task, &coordinates, &controls, &names);
        let settled = self.found.errors() == before && names.whole;
        let ((duration, guessed), time) = (end_time?, spec.time?);
        let (mechanics, ends, guesses, cost, path) = (mechanics?, ends?, guesses?, cost?, path?);
        let (guess, lines) = (guess(&ends, way, guesses, guessed), ends.lines());
        let problem = ControlProblem {
            mechanics,
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
                RuleSpec::Galerkin { degree } => Rule::Galerkin { degree },
            },
            reduction: match task.constraints {
                ConstraintsSpec::Multipliers => Reduction::Multipliers,
                ConstraintsSpec::NullSpace => Reduction::NullSpace,
            },
            guess,
        };
        let phases = match &lagrangian {
            Some(system) => self.phases(task, (&problem, system), &lines, &names)?,
            None => self.no_phases(task),
        };
        let settled = settled && self.found.errors() == before;
        let system = ControlSystem {
            title: spec.title.clone(),
            problem,
            phases,
            intervals: time.steps,
            options: options(task),
            units,
            machine,
            cost: words,
            expect,
        };
        if settled {
            self.possible(&system);
        }
        Some(system)
    }

    /// What is known of the system: of a Lagrangian the names even if it is mistaken, of a mechanism all or nothing.
    fn known_system(&mut self, names: &Names) -> Option<Known> {
        let spec = self.spec;
        let Some(system) = &spec.system else {
            if !self.sure(&["system"]) {
                return None;
            }
            let body = self.machine(names)?;
            let (coordinates, controls) = (body.coordinates(), body.controls());
            let (mechanics, units): (Arc<dyn Mechanics>, _) = (body.clone(), machine::units(&body));
            return Some(Known {
                mechanics: Some(mechanics),
                lagrangian: None,
                coordinates,
                controls,
                units,
                machine: Some(body),
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
            machine: None,
        })
    }

    /// Refuses ends that contradict the constraints.
    fn possible(&mut self, system: &ControlSystem) {
        let error = match system.sizes() {
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
        if no_chart {
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

    /// What guesses the file states: coordinates, then controls, as functions of time.
    fn guesses(
        &mut self,
        task: &OptimalControlSpec,
        coordinates: &[String],
        controls: &[String],
        names: &Names,
    ) -> Option<Guesses> {
        let known: Vec<String> = coordinates.iter().chain(controls).cloned().collect();
        let before = self.found.errors();
        let mut found: Vec<Option<Function>> = vec![None; known.len()];
        let end = self.spec.time.map_or(1.0, |time| time.end);
        let mut failures = Vec::new();
        for (name, source) in &task.guess {
            let path = of_task(&["guess", name]);
            let place = self.known_name(&path, name, &known, "coordinate or control");
            let Some(function) = self.function(&path, source, names) else { continue };
            let failure = (0..=SAMPLES).find_map(|k| function.value(end * k as f64 / SAMPLES as f64).err());
            if let (Some(error), true) = (failure, names.whole) {
                failures.push((path.iter().map(|key| (*key).to_owned()).collect(), error));
            }
            if let Some(place) = place {
                found[place] = Some(function);
            }
        }
        self.failures(failures);
        let controls = found.split_off(coordinates.len());
        (self.found.errors() == before).then_some((found, controls))
    }
}

/// A system and its names.
struct Known {
    mechanics: Option<Arc<dyn Mechanics>>,
    /// The system, if it is stated by formulas.
    lagrangian: Option<LagrangianSystem>,
    coordinates: Vec<String>,
    controls: Vec<String>,
    units: BTreeMap<String, String>,
    machine: Option<Arc<Multibody>>,
}

/// Guessed coordinates and controls, where they are stated.
type Guesses = (Vec<Option<Function>>, Vec<Option<Function>>);

/// Instants at which guesses are tried beforehand.
const SAMPLES: usize = 1000;

/// The way of a mechanism, or straight lines between the ends, and no controls, where nothing else is guessed.
fn guess(ends: &Ends, way: Option<WayTable>, (coordinates, controls): Guesses, duration: f64) -> Guess {
    let lines = ends.lines();
    let position = move |share: f64| -> Vec<f64> {
        let unguided = match &way {
            Some(way) => along(way, share),
            None => lines.iter().map(|line| line.0 + share * (line.1 - line.0)).collect(),
        };
        let of = |(unguided, guess): (f64, &Option<Function>)| match guess {
            Some(guess) => guess.value(share * duration).unwrap_or(unguided),
            None => unguided,
        };
        unguided.into_iter().zip(&coordinates).map(of).collect()
    };
    let control = move |share: f64| -> Vec<f64> {
        let of = |guess: &Option<Function>| guess.as_ref().and_then(|g| g.value(share * duration).ok()).unwrap_or(0.0);
        controls.iter().map(of).collect()
    };
    Guess { position: Arc::new(position), control: Arc::new(control), duration }
}

/// Between entries of a table at equal shares.
fn along(way: &[Vec<f64>], share: f64) -> Vec<f64> {
    let place = share.clamp(0.0, 1.0) * (way.len() - 1) as f64;
    let before = (place.floor() as usize).min(way.len() - 1);
    let after = (before + 1).min(way.len() - 1);
    let weight = place - before as f64;
    way[before].iter().zip(&way[after]).map(|(a, b)| a + weight * (b - a)).collect()
}

fn options(task: &OptimalControlSpec) -> OptimalControlOptions {
    let mut options = OptimalControlOptions {
        continued: task.mesh.r#continue,
        coarsest: task.mesh.coarsest,
        ..OptimalControlOptions::default()
    };
    if let Some(most) = task.max_iterations {
        options.solver.max_iterations = most;
    }
    options
}

/// A system of which everything is known, or nothing.
type Built = Option<LagrangianSystem>;
