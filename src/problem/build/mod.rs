//! From a well-formed problem file to a [`Question`] ready to be answered, or to everything that contradicts itself in
//! it.

mod capabilities;
mod common;
mod control;
mod driven;
mod expectations;
mod forward;
mod functions;
mod inverse;
mod motion;
mod resting;
mod sizes;
mod tables;
mod values;

use std::path::Path;
use std::sync::Arc;

use super::doubts::Doubts;
use super::load::{Reading, read_partly};
use super::{Diagnostics, Document, ProblemSpec, Severity};
use crate::discretisation::transcription::multibody::Multibody;
use crate::kernel::EvalError;
use crate::mechanism::Mechanism;
use crate::tasks::cost::Cost;
use crate::tasks::inverse_dynamics::hoist::HoistSystem;
use crate::tasks::inverse_dynamics::optimise::TrackingSystem;
use crate::tasks::inverse_dynamics::sequential::ServoSystem;
use crate::tasks::mobility::MobilitySystem;
use crate::tasks::optimal_control::ControlSystem;
use crate::tasks::resting::RestingSystem;
use crate::tasks::simulation::lagrangian::MovingSystem;
use crate::tasks::statics::Loaded;
use crate::tasks::{ForwardSystem, InverseDynamicsSpec, ModesSpec, SimulateSpec, StaticsSpec, System, Task, TaskSpec};

/// A problem file that makes sense.
#[derive(Debug, Clone)]
pub struct Problem {
    /// The file as data.
    pub spec: ProblemSpec,
    /// What is asked, of which mechanism.
    pub question: Question,
    /// Other files that the problem file refers to, by the name it uses, with their content.
    pub attachments: Vec<(String, Vec<u8>)>,
    /// Things worth mentioning that do not forbid solving.
    pub warnings: Diagnostics,
    /// What solving is expected to take.
    pub cost: Cost,
    /// The text it was read from.
    pub source: Source,
}

/// The text that a problem was read from.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Source {
    /// Name of the file, as messages show it.
    pub file: String,
    /// Its text.
    pub text: String,
    /// Settings that replace or add to what it says, in order.
    pub overrides: Vec<String>,
}

/// A task with the mechanism it is about.
#[derive(Debug, Clone)]
pub enum Question {
    /// Which actuation makes the mechanism follow the servo paths?
    InverseDynamics(Box<System>, InverseDynamicsSpec),
    /// Which forces of a trolley on a rail and of its winch make a load follow its path?
    Hoist(Box<HoistSystem>),
    /// Which actuation makes a discrete mechanism follow the servo paths?
    Servo(Box<ServoSystem>),
    /// Which actuation, within its limits, makes a mechanism follow the servo paths best?
    Tracking(Box<TrackingSystem>),
    /// Where does the mechanism rest?
    Statics(Box<ForwardSystem>, StaticsSpec),
    /// How does the mechanism move?
    Simulate(Box<ForwardSystem>, SimulateSpec),
    /// What can move in the mechanism?
    Mobility(Box<MobilitySystem>),
    /// How does a system move that is stated by its Lagrangian, or a mechanism with two step lengths?
    Motion(Box<MovingSystem>),
    /// How does the mechanism vibrate?
    Modes(Box<ForwardSystem>, ModesSpec),
    /// Where does a system rest that is stated by its Lagrangian, and how does it vibrate there?
    Resting(Box<RestingSystem>),
    /// Which controls cost least?
    OptimalControl(Box<ControlSystem>),
}

impl Question {
    /// The task that answers it.
    pub fn task(&self) -> Box<dyn Task + '_> {
        match self {
            Question::InverseDynamics(system, spec) => Box::new((&**system, spec)),
            Question::Hoist(system) => Box::new(&**system),
            Question::Servo(system) => Box::new(&**system),
            Question::Tracking(system) => Box::new(&**system),
            Question::Statics(system, spec) => Box::new((&**system, spec)),
            Question::Simulate(system, spec) => Box::new((&**system, spec)),
            Question::Mobility(system) => Box::new(&**system),
            Question::Motion(system) => Box::new(&**system),
            Question::Resting(system) => Box::new(&**system),
            Question::Modes(system, spec) => Box::new((&**system, spec)),
            Question::OptimalControl(system) => Box::new(&**system),
        }
    }
}

/// Reads a file that a problem file refers to, by the name it uses.
pub type ReadFile<'a> = &'a dyn Fn(&str) -> std::io::Result<Vec<u8>>;

/// Reads, checks and builds. The diagnostics hold every mistake, in the order of the file.
///
/// Files that the problem file refers to are looked for in the folder of `file`.
pub fn load(file: &str, text: &str, overrides: &[String]) -> Result<Problem, Diagnostics> {
    let folder = Path::new(file).parent().unwrap_or(Path::new(""));
    load_with(file, text, overrides, &|name| std::fs::read(folder.join(name)))
}

/// As [`load`], but files that the problem file refers to are read by `read`.
pub fn load_with(file: &str, text: &str, overrides: &[String], read: ReadFile<'_>) -> Result<Problem, Diagnostics> {
    inspect_with(file, text, overrides, read).problem
}

/// A problem file, and the mechanism of parts that it states.
#[derive(Debug, Clone)]
pub struct Inspection {
    /// The problem, or what is wrong with it.
    pub problem: Result<Problem, Diagnostics>,
    /// Rods, bodies, joints and supports, if none of them is mistaken; whether or not the task can be done with them.
    pub mechanism: Option<Mechanism>,
}

/// As [`load`], but also tells the mechanism.
pub fn inspect(file: &str, text: &str, overrides: &[String]) -> Inspection {
    let folder = Path::new(file).parent().unwrap_or(Path::new(""));
    inspect_with(file, text, overrides, &|name| std::fs::read(folder.join(name)))
}

fn inspect_with(file: &str, text: &str, overrides: &[String], read: ReadFile<'_>) -> Inspection {
    let Reading { spec, document, mut found, doubts } = read_partly(file, text, overrides);
    let Some(spec) = spec else { return Inspection { problem: Err(found), mechanism: None } };
    let mut check = Check {
        document: &document,
        spec: &spec,
        doubts: &doubts,
        found: Diagnostics::of(&document),
        read,
        attachments: Vec::new(),
        parts: None,
        mechanism: None,
        loaded: None,
        failed_paths: Vec::new(),
    };
    let question = check.question();
    let attachments = std::mem::take(&mut check.attachments);
    let mechanism = check.mechanism.take();
    let cost = check.expected();
    found.list.append(&mut check.found.list);
    found.sort();
    let problem = match question {
        Some(question) if found.errors() == 0 => {
            let source = Source { file: file.to_owned(), text: text.to_owned(), overrides: overrides.to_vec() };
            Ok(Problem { spec, question, attachments, warnings: found, cost, source })
        }
        _ => {
            found.list.retain(|diagnostic| diagnostic.severity == Severity::Error);
            Err(found)
        }
    };
    Inspection { problem, mechanism }
}

/// The semantic checks: one method per concept, all mistakes collected in `found`.
///
/// Each check asks whether what it compares is [`Check::sure`]: of mistaken entries only stand-ins are there, and what
/// follows from these is no mistake of the user.
struct Check<'a> {
    document: &'a Document,
    spec: &'a ProblemSpec,
    doubts: &'a Doubts,
    found: Diagnostics,
    read: ReadFile<'a>,
    attachments: Vec<(String, Vec<u8>)>,
    /// The mechanism of parts whose quantities formulas may use.
    parts: Option<Arc<Multibody>>,
    /// Rods, bodies, joints and supports, as soon as they are known.
    mechanism: Option<Mechanism>,
    /// The loaded equilibrium that paths refer to, or why there is none, once it was looked for.
    loaded: Option<Result<Arc<Loaded>, String>>,
    /// Servo paths that cannot be evaluated.
    failed_paths: Vec<(Vec<String>, EvalError)>,
}

impl Check<'_> {
    /// The question, if it can be put together; whether it is right is told by `found`.
    fn question(&mut self) -> Option<Question> {
        let task = self.task_name();
        let spec = self.spec;
        if !self.fits_memory() {
            return None;
        }
        self.refuse_stated();
        // Other ways of inverse dynamics have refused the winch.
        if task == Some("inverse-dynamics") && !spec.winch.is_empty() && !self.is_hoisted() {
            return None;
        }
        if self.is_hoisted() {
            return self.hoist_system().map(|system| Question::Hoist(Box::new(system)));
        }
        if task == Some("inverse-dynamics") && self.is_optimised() {
            return self.tracking_system().map(|system| Question::Tracking(Box::new(system)));
        }
        if task == Some("inverse-dynamics") && self.is_sequential() {
            return self.servo_system().map(|system| Question::Servo(Box::new(system)));
        }
        if task == Some("simulate") && self.is_motion() {
            return self.moving_system().map(|system| Question::Motion(Box::new(system)));
        }
        if spec.system.is_some() && matches!(task, Some("statics" | "modes")) {
            return self.resting_system().map(|system| Question::Resting(Box::new(system)));
        }
        if spec.system.is_some() || task == Some("optimal-control") {
            return self.control_system().map(|system| Question::OptimalControl(Box::new(system)));
        }
        // Where the task itself is mistaken, actuators and servo paths tell what was meant.
        if task == Some("inverse-dynamics") || (task.is_none() && (!spec.actuator.is_empty() || !spec.servo.is_empty()))
        {
            let mut system = self.row_system()?;
            system.mechanism = self.driven_mechanism();
            return match &spec.task {
                TaskSpec::InverseDynamics(spec) => Some(Question::InverseDynamics(Box::new(system), spec.clone())),
                _ => None,
            };
        }
        match &spec.task {
            TaskSpec::Statics(task) => self.no_start_of_rest("statics", &task.start),
            TaskSpec::Modes(task) => self.no_start_of_rest("modes", &task.start),
            _ => {}
        }
        let system = Box::new(self.forward_system()?);
        match &spec.task {
            TaskSpec::InverseDynamics(_) | TaskSpec::OptimalControl(_) => None,
            TaskSpec::Mobility(_) => Some(Question::Mobility(Box::new(MobilitySystem { system: *system }))),
            TaskSpec::Statics(spec) => Some(Question::Statics(system, spec.clone())),
            TaskSpec::Simulate(spec) => Some(Question::Simulate(system, spec.clone())),
            TaskSpec::Modes(spec) => Some(Question::Modes(system, spec.clone())),
        }
    }

    /// The task, unless it is missing or mistaken as a whole.
    fn task_name(&self) -> Option<&'static str> {
        (!self.doubts.cover("task")).then(|| self.spec.task.name())
    }

    /// Adds an error, unless the entry is known to be mistaken already.
    fn error(&mut self, path: &[&str], message: impl Into<String>, label: impl Into<String>) -> Help<'_> {
        if self.doubts.cover(&self.document.path_text(path)) {
            return Help(None);
        }
        Help(Some(self.found.error(self.document, path, message, label)))
    }

    /// Adds a warning.
    fn warn(&mut self, path: &[&str], message: impl Into<String>, label: impl Into<String>) -> Help<'_> {
        Help(Some(self.found.warning(self.document, path, message, label)))
    }

    /// Whether an entry, the tables around it and everything in it are as the user wrote them.
    fn sure(&self, path: &[&str]) -> bool {
        !self.doubts.touch(&self.document.path_text(path))
    }

    /// Dimension of space, if it is known.
    fn dimension(&self) -> Option<usize> {
        self.spec.dimension.filter(|_| self.sure(&["dimension"]))
    }
}

/// A diagnostic to which help can be added.
struct Help<'a>(Option<&'a mut super::Diagnostic>);

impl Help<'_> {
    fn help(self, text: impl Into<String>) {
        if let Some(diagnostic) = self.0 {
            diagnostic.help(text);
        }
    }
}

/// Names in a row, for messages.
fn list(names: &[impl AsRef<str>]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
