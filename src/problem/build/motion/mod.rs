//! Simulation of a system by its Lagrangian, and of mechanisms with two step lengths.

mod rates;

use std::sync::Arc;

use super::Check;
use super::control::{Allowed, Known};
use super::functions::Names;
use crate::discretisation::multirate::{Legendre, Multirate, Quadrature};
use crate::discretisation::transcription::{Formula, Mechanics, formulas};
use crate::tasks::optimal_control::{LagrangianSystem, variable_names};
use crate::tasks::simulation::lagrangian::{Driven, MovingSystem, Scheme};
use crate::tasks::{Configuration, MotionStart, RuleSpec, SimulateSpec};

/// Key path of an entry of the task.
fn of_task<'a>(keys: &[&'a str]) -> Vec<&'a str> {
    ["task", "simulate"].into_iter().chain(keys.iter().copied()).collect()
}

/// Largest violation of a constraint by the start.
const GIVEN_VIOLATION: f64 = 1e-6;

impl Check<'_> {
    /// Whether a simulation is one of a system by its Lagrangian or of a mechanism as one.
    pub(super) fn is_motion(&self) -> bool {
        self.spec.task.simulate().is_some_and(|task| self.spec.system.is_some() || task.multirate.is_some())
    }

    /// The system, if it can be put together; whether it is right is told by `found`.
    pub(super) fn moving_system(&mut self) -> Option<MovingSystem> {
        let before = self.found.errors();
        let spec = self.spec;
        let task = spec.task.simulate()?;
        self.refuse_mixtures();
        let grid = self.time(true);
        self.settings();
        self.no_adaptive_steps(task);
        let names = self.scope();
        let Some(known) = self.known_system(&names) else {
            self.expectations(None);
            return None;
        };
        self.parts.clone_from(&known.multibody);
        let start = self.motion_start(task, &known, &names);
        let controls = self.given_controls(task, &known.controls, &names);
        let observe = self.observed(task, &known, &names);
        let fast = self.fast_coordinates(task, &known);
        let quadratures = self.quadratures(task);
        let (mechanics, start, controls, observe, grid) = (known.mechanics?, start?, controls?, observe?, grid?);
        let drive = |mechanics: Arc<dyn Mechanics>| -> Arc<dyn Mechanics> {
            Arc::new(Driven { mechanics, controls: controls.clone() })
        };
        let scheme = match &task.multirate {
            None => match task.rule.unwrap_or_default() {
                RuleSpec::Midpoint => Scheme::Midpoint,
                RuleSpec::Trapezoidal => Scheme::Trapezoidal,
                RuleSpec::Galerkin { degree } => Scheme::Galerkin { degree },
            },
            Some(rates) => {
                let [slow_quadrature, fast_quadrature] = quadratures?;
                let (on_micro_grid, slow_potential) = match known.lagrangian {
                    Some(system) => parted(system),
                    None => (mechanics.clone(), None),
                };
                Scheme::Multirate(Multirate {
                    mechanics: drive(on_micro_grid),
                    slow_potential,
                    fast: fast?,
                    micro: rates.micro,
                    slow_quadrature,
                    fast_quadrature,
                })
            }
        };
        let mut system = MovingSystem {
            title: spec.title.clone(),
            mechanics: drive(mechanics),
            scheme,
            grid,
            every: task.every.max(1),
            start,
            observe,
            units: known.units,
            multibody: known.multibody,
            expect: Vec::new(),
        };
        system.expect = self.expectations(Some(&system.scalar_names()));
        if self.found.errors() == before && names.whole {
            self.begins(task, &system);
        }
        Some(system)
    }

    /// Steps do not adapt here.
    fn no_adaptive_steps(&mut self, task: &SimulateSpec) {
        if !task.profile.is_empty() {
            let message = "`task.simulate.profile` has no effect here: profiles are told of rods with one step length";
            self.error(&of_task(&["profile"]), message, "not used").help("remove it");
        }
        if task.tolerance.is_some() {
            let message = "`task.simulate.tolerance` has no effect here: steps adapt in simulations of rods and bodies with one step length, expected `time.steps` alone";
            self.error(&of_task(&["tolerance"]), message, "not used").help("remove it");
        }
        if task.accuracy.is_some() {
            let message = "`task.simulate.accuracy` has no effect here: it is of simulations of rods and bodies with one step length";
            self.error(&of_task(&["accuracy"]), message, "not used").help("remove it");
        }
    }

    /// First coordinates and velocities: zero, or the reference of a mechanism, unless stated.
    fn motion_start(&mut self, task: &SimulateSpec, known: &Known, names: &Names) -> Option<(Vec<f64>, Vec<f64>)> {
        let before = self.found.errors();
        let count = known.coordinates.len();
        let mut q = known.multibody.as_ref().map_or_else(|| vec![0.0; count], |body| body.reference());
        let mut v = vec![0.0; count];
        match &task.start {
            MotionStart::Word(Configuration::Reference) if known.multibody.is_some() => {}
            MotionStart::Word(word) => {
                if known.multibody.is_none() && self.document.get(&of_task(&["start"])).is_none() {
                    let about = "coordinates and velocities by name, zero unless stated";
                    self.missing_key(&of_task(&["start"]), "a table of coordinates and velocities", about);
                } else {
                    let word = if *word == Configuration::Reference { "reference" } else { "equilibrium" };
                    let message = format!(
                        "`task.simulate.start` is \"{word}\", expected coordinates and velocities by name, such as {{ {} = 0.0 }}",
                        known.coordinates.first().map_or("x", String::as_str)
                    );
                    self.error(&of_task(&["start"]), message, "not known here");
                }
            }
            MotionStart::State(stated) => {
                let variables = variable_names(&known.coordinates, &[]);
                for (name, source) in stated {
                    let path = of_task(&["start", name]);
                    let place = self.known_name(&path, name, &variables, "coordinate or velocity");
                    let value = self.fixed_number(&path, source, names);
                    if let (Some(place), Some(value)) = (place, value) {
                        if place < count { q[place] = value } else { v[place - count] = value }
                    }
                }
            }
        }
        (self.found.errors() == before && self.sure(&of_task(&["start"]))).then_some((q, v))
    }

    /// Controls as expressions of time.
    fn given_controls(&mut self, task: &SimulateSpec, controls: &[String], names: &Names) -> Option<Vec<Formula>> {
        let before = self.found.errors();
        let mut given = vec![formulas::nothing(); controls.len()];
        for (name, source) in &task.controls {
            let path = of_task(&["controls", name]);
            let place = self.known_name(&path, name, controls, "control");
            let compiled = self.formula(&path, source, names, &[]);
            if let (Some(place), Some(compiled)) = (place, compiled) {
                given[place] = crate::tasks::optimal_control::formula(compiled);
            }
        }
        (self.found.errors() == before && self.sure(&of_task(&["controls"]))).then_some(given)
    }

    /// Expressions that are stored with the motion.
    fn observed(&mut self, task: &SimulateSpec, known: &Known, names: &Names) -> Option<Vec<(String, Formula)>> {
        let before = self.found.errors();
        let variables = variable_names(&known.coordinates, &[]);
        let joints = known.multibody.as_ref().map_or_else(Vec::new, |body| body.joint_quantities());
        let mut observed = Vec::new();
        for (name, source) in &task.observe {
            let path = of_task(&["observe", name]);
            if variables.contains(name) || joints.contains(name) {
                let message =
                    format!("`{name}` in `task.simulate.observe` is a coordinate or velocity, expected another name");
                self.found.error_at_key(self.document, &path, message, "stored already");
            }
            let lists = (&known.coordinates[..], &[][..]);
            if let Some(compiled) = self.formula_of(&path, source, lists, Allowed::State, names) {
                observed.push((name.clone(), self.lowered(compiled)));
            }
        }
        (self.found.errors() == before && self.sure(&of_task(&["observe"]))).then_some(observed)
    }

    /// Refuses starts that contradict constraints or have no energy, and schemes that cannot take the system.
    fn begins(&mut self, task: &SimulateSpec, system: &MovingSystem) {
        let (q, v) = (&system.start.0, &system.start.1);
        let t = system.grid.start;
        let rates = match &system.scheme {
            Scheme::Multirate(rates) => rates.clone(),
            _ => Multirate::uniform(system.mechanics.clone(), Quadrature::Midpoint),
        };
        let mut legendre = match Legendre::new(&rates) {
            Ok(legendre) => legendre,
            Err(error) => return self.not_begun(&of_task(&[]), &error.to_string()),
        };
        match legendre.violation(q, v, t) {
            Err(error) => return self.not_begun(&of_task(&["start"]), &error.to_string()),
            Ok(Some(violation)) => {
                if violation.size() > GIVEN_VIOLATION {
                    let (what, by) = match violation.value.abs() > GIVEN_VIOLATION {
                        true => ("coordinates", violation.value),
                        false => ("velocities", violation.rate),
                    };
                    let reason = format!("the {what} violate the constraint `{}` by {by:.3e}", violation.name);
                    return self.not_begun(&of_task(&["start"]), &reason);
                }
                if matches!(task.rule, Some(RuleSpec::Galerkin { .. })) && task.multirate.is_none() {
                    let reason = format!(
                        "the Galerkin rule takes no constraints, but there is `{}`; expected \"midpoint\" or \"trapezoidal\"",
                        violation.name
                    );
                    return self.not_begun(&of_task(&["rule"]), &reason);
                }
            }
            Ok(None) => {}
        }
        if let Err(error) = legendre.energy(q, v, t) {
            return self.not_begun(&of_task(&["start"]), &error.to_string());
        }
        if let Scheme::Multirate(rates) = &system.scheme
            && let Err(error) =
                crate::tasks::simulation::lagrangian::MultirateMarcher::new(rates, system.grid.dt, t, q, v)
        {
            self.not_begun(&of_task(&["multirate"]), &error.to_string());
        }
    }

    fn not_begun(&mut self, path: &[&str], reason: &str) {
        let message = format!("`{}`: {reason}", self.document.path_text(path));
        self.error(path, message, "not possible");
    }

    /// Keys of simulations that only a [system] has.
    pub(super) fn no_motion_keys(&mut self, task: &SimulateSpec) {
        let given = [
            ("rule", task.rule.is_some()),
            ("controls", !task.controls.is_empty() && self.spec.actuator.is_empty()),
            ("observe", !task.observe.is_empty()),
            ("start", matches!(task.start, MotionStart::State(_))),
        ];
        let parts: Vec<&str> = given.iter().filter(|(_, given)| *given).map(|(key, _)| *key).collect();
        for key in parts {
            let message = match key {
                "start" => "`task.simulate.start` is a table, expected \"reference\" or \"equilibrium\"".to_owned(),
                "controls" => {
                    "`task.simulate.controls` has no effect without actuators, expected a table such as [actuator.motor]"
                        .to_owned()
                }
                _ => format!(
                    "`task.simulate.{key}` has no effect on rods and bodies, expected a [system] or `multirate`"
                ),
            };
            self.error(&of_task(&[key]), message, "not used here");
        }
    }
}

/// The Lagrangian without the slow potential, and that.
fn parted(system: LagrangianSystem) -> (Arc<dyn Mechanics>, Option<Formula>) {
    let slow = system.slow_potential.clone().map(crate::tasks::optimal_control::formula);
    (Arc::new(LagrangianSystem { slow_potential: None, ..system }), slow)
}
