//! How a problem file states what to compute.

mod inverse_dynamics;
mod mobility;
mod modes;
mod optimal_control;
mod simulate;
mod statics;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use inverse_dynamics::{FollowingSpec, InverseDynamicsSpec, Method, Sweep, VerifySpec};
pub use mobility::MobilitySpec;
pub use modes::{ModesMethod, ModesSpec};
pub use optimal_control::{
    ConstraintsSpec, GuessSpec, MeshSpec, ObjectiveSpec, OptimalControlSpec, PathSpec, PhaseSpec, RuleSpec, StartsSpec,
    TrackingSpec,
};
pub use simulate::{MotionStart, MultirateScheme, MultirateSpec, SimulateSpec};
pub use statics::{StageSpec, StaticsMethod, StaticsSpec};

/// `[task.*]`: exactly one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TaskSpec {
    /// Which actuation makes the mechanism follow the servo paths?
    InverseDynamics(InverseDynamicsSpec),
    /// Where does the mechanism rest under its loads?
    Statics(StaticsSpec),
    /// How does the mechanism move from given initial data?
    Simulate(SimulateSpec),
    /// How does the mechanism vibrate about a configuration?
    Modes(ModesSpec),
    /// What can move, what is held too often, what moves as one?
    Mobility(MobilitySpec),
    /// Which controls bring the system from one state to another at the least cost?
    OptimalControl(Box<OptimalControlSpec>),
}

/// What becomes of the stated grid where the forward simulation does not confirm what was found on it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GridUse {
    /// Finer ones are tried: elements of higher order, or more of them, and more time steps.
    #[default]
    Adapt,
    /// It is kept, and the answer is `not-verified`.
    Stated,
}

/// What a size of a task counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// Steps in time.
    Steps,
    /// Micro steps in each of them.
    Micro,
    /// Modes.
    Modes,
    /// How often all of it is done: load factors, starts.
    Runs,
}

impl TaskSpec {
    /// Sizes that it states, besides those of the mechanism and of time, with their keys in the table of the task.
    pub fn sizes(&self) -> Vec<(Vec<String>, Size, usize)> {
        let keys = |list: &[&str]| list.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>();
        match self {
            TaskSpec::Modes(task) => vec![(keys(&["count"]), Size::Modes, task.count)],
            TaskSpec::Simulate(task) => {
                let micro = task.multirate.iter().map(|rates| rates.micro);
                micro.map(|micro| (keys(&["multirate", "micro"]), Size::Micro, micro)).collect()
            }
            TaskSpec::OptimalControl(task) => {
                let own = |(index, steps): (usize, usize)| {
                    (keys(&["phase", &index.to_string(), "steps"]), Size::Steps, steps)
                };
                let phases = task.phase.iter().enumerate();
                let phases = phases.filter_map(|(index, phase)| Some((index, phase.steps?))).map(own);
                let starts = task.starts.iter().map(|starts| (keys(&["starts", "count"]), Size::Runs, starts.count));
                phases.chain(starts).collect()
            }
            TaskSpec::Statics(task) => {
                let stated = task.max_steps.map(|steps| (keys(&["max-steps"]), Size::Steps, steps));
                [(keys(&["factors"]), Size::Runs, task.factors.len())].into_iter().chain(stated).collect()
            }
            TaskSpec::InverseDynamics(_) | TaskSpec::Mobility(_) => Vec::new(),
        }
    }

    /// What becomes of the stated grid where a proof fails; it is kept by tasks that have none.
    pub fn grid(&self) -> GridUse {
        match self {
            TaskSpec::InverseDynamics(task) => task.grid,
            TaskSpec::OptimalControl(task) => task.grid,
            _ => GridUse::Stated,
        }
    }

    /// Settings of inverse dynamics, if that is asked.
    pub fn inverse_dynamics(&self) -> Option<&InverseDynamicsSpec> {
        if let TaskSpec::InverseDynamics(spec) = self { Some(spec) } else { None }
    }

    /// Settings of statics, if that is asked.
    pub fn statics(&self) -> Option<&StaticsSpec> {
        if let TaskSpec::Statics(spec) = self { Some(spec) } else { None }
    }

    /// Settings of a simulation, if that is asked.
    pub fn simulate(&self) -> Option<&SimulateSpec> {
        if let TaskSpec::Simulate(spec) = self { Some(spec) } else { None }
    }

    /// Settings of modes, if these are asked.
    pub fn modes(&self) -> Option<&ModesSpec> {
        if let TaskSpec::Modes(spec) = self { Some(spec) } else { None }
    }

    /// Settings of optimal control, if that is asked.
    pub fn optimal_control(&self) -> Option<&OptimalControlSpec> {
        if let TaskSpec::OptimalControl(spec) = self { Some(spec) } else { None }
    }

    /// Its name in problem files.
    pub fn name(&self) -> &'static str {
        match self {
            TaskSpec::InverseDynamics(_) => "inverse-dynamics",
            TaskSpec::Statics(_) => "statics",
            TaskSpec::Simulate(_) => "simulate",
            TaskSpec::Modes(_) => "modes",
            TaskSpec::Mobility(_) => "mobility",
            TaskSpec::OptimalControl(_) => "optimal-control",
        }
    }
}

/// The configuration a task begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Configuration {
    /// As the mechanism is stated, stressed or not.
    Reference,
    /// At rest under the loads of the first instant.
    Equilibrium,
}
