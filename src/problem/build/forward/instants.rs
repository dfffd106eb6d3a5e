//! When functions of time are needed: all along a simulation, at the first instant else.

use super::super::Check;
use crate::discretisation::TimeGrid;
use crate::kernel::magnitude::LARGEST;
use crate::kernel::{EvalError, Function};
use crate::tasks::{Configuration, MotionStart, TaskSpec};

/// The instants at which a task needs loads and prescribed motions.
pub struct Instants {
    /// All of them, in order; never empty.
    pub times: Vec<f64>,
    /// Name of the task if it knows the first instant only.
    pub frozen: Option<&'static str>,
    /// Whether the task begins in the reference configuration.
    pub from_reference: bool,
}

impl Instants {
    pub fn new(task: Option<&'static str>, spec: &TaskSpec, grid: Option<TimeGrid>) -> Self {
        let start = grid.map_or(0.0, |grid| grid.start);
        let (times, frozen) = match (task, grid) {
            (Some("statics" | "modes" | "mobility"), _) => (vec![start], task),
            (_, Some(grid)) => ((0..=2 * grid.steps).map(|j| grid.start + 0.5 * j as f64 * grid.dt).collect(), None),
            (_, None) => (vec![start], None),
        };
        let from_reference =
            spec.simulate().is_some_and(|spec| spec.start != MotionStart::Word(Configuration::Equilibrium));
        Self { times, frozen, from_reference: from_reference && task == Some("simulate") }
    }

    /// The first.
    pub fn first(&self) -> f64 {
        self.times.first().copied().unwrap_or(0.0)
    }

    /// A few of them, from the first to the last, for functions that are tried at many places too.
    pub fn few(&self) -> Vec<f64> {
        let step = self.times.len().div_ceil(50).max(1);
        self.times.iter().copied().step_by(step).chain(self.times.last().copied()).collect()
    }
}

impl Check<'_> {
    /// Whether a function of time can be evaluated whenever it is needed, with two derivatives if it is a motion. Says
    /// which instant counts where the task knows one only.
    pub fn evaluate_at(&mut self, path: &[&str], function: &Function, instants: &Instants, is_motion: bool) -> bool {
        if let Some(task) = instants.frozen.filter(|_| !function.is_constant()) {
            self.frozen(path, task, instants.first());
        }
        let needs_derivatives = is_motion && instants.frozen.is_none();
        let fails = |t: &f64| -> Option<EvalError> {
            let value = function.value_within(*t, LARGEST).err();
            if needs_derivatives { value.or_else(|| function.jet(*t).err()) } else { value }
        };
        let failure = instants.times.iter().find_map(fails);
        let path: Vec<String> = path.iter().map(|key| (*key).to_owned()).collect();
        let right = failure.is_none();
        self.failures(failure.into_iter().map(|error| (path.clone(), error)).collect());
        right
    }

    /// Says at which instant something that depends on time is taken.
    pub fn frozen(&mut self, path: &[&str], task: &str, first: f64) {
        let here = self.document.path_text(path);
        let message = format!("`{here}` depends on `t`: {task} takes its value at t = {first}");
        let diagnostic = self.warn(path, message, "taken at one instant");
        diagnostic.help("`time.start` sets this instant; it is 0 without [time]");
    }
}
