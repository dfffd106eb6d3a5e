//! Tasks: what a user asks of a mechanism. A task chooses the sweep over the discrete equations and the solver.

pub mod capability;
pub mod cost;
mod error;
pub mod forward;
pub mod inverse_dynamics;
mod iteration;
mod lines;
mod loads;
pub mod mobility;
pub mod modes;
pub mod nonlinear_program;
mod observer;
pub mod optimal_control;
mod piece;
pub mod resting;
pub mod sections;
pub mod simulation;
mod spec;
pub mod statics;
mod system;
mod task;
pub mod verify;

pub use error::{SimulationError, TaskError};
pub use forward::{ForwardSystem, Histories};
pub use observer::{Observer, Silent};
pub use piece::Piece;
pub use spec::{
    Configuration, ConstraintsSpec, FollowingSpec, GridUse, GuessSpec, InverseDynamicsSpec, MeshSpec, Method,
    MobilitySpec, ModesMethod, ModesSpec, MotionStart, MultirateScheme, MultirateSpec, ObjectiveSpec,
    OptimalControlSpec, PathSpec, PhaseSpec, RuleSpec, SimulateSpec, Size, StageSpec, StartsSpec, StaticsMethod,
    StaticsSpec, Sweep, TaskSpec, TrackingSpec, VerifySpec,
};
pub use system::{Channel, KnownAnswer, Output, System, coordinate_unit, force_name, velocity_name};
pub use task::{TASKS, Task};
