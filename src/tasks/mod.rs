//! Tasks: what a user asks of a mechanism. A task chooses the sweep over the discrete equations and the solver.

mod energy;
mod error;
pub mod forward;
pub mod inverse_dynamics;
mod iteration;
mod lines;
pub mod mobility;
pub mod modes;
pub mod nonlinear_program;
mod observer;
pub mod optimal_control;
mod rest;
mod simulate;
pub mod simulation;
mod spec;
pub mod statics;
mod system;
mod task;
pub mod verify;

pub use energy::energies;
pub use error::TaskError;
pub use forward::{Driving, ForwardSystem};
pub use observer::{Observer, Silent};
pub use rest::{Rest, chain, hanging, rest};
pub use simulate::{EndDrive, SimulationCount, SimulationError, State, simulate};
pub use spec::{
    Configuration, ConstraintsSpec, FollowingSpec, GuessSpec, InverseDynamicsSpec, MeshSpec, Method, MobilitySpec,
    ModesMethod, ModesSpec, MotionStart, MultirateScheme, MultirateSpec, ObjectiveSpec, OptimalControlSpec, PathSpec,
    PhaseSpec, RuleSpec, SimulateSpec, StartsSpec, StaticsMethod, StaticsSpec, Sweep, TaskSpec, TrackingSpec,
    VerifySpec,
};
pub use system::{Channel, KnownAnswer, Mechanism, Output, System, coordinate_unit, force_name};
pub use task::{TASKS, Task};
