//! What all tasks have in common: a name, an answer, and a proof of it.

use super::inverse_dynamics::hoist::HoistSystem;
use super::inverse_dynamics::optimise::TrackingSystem;
use super::inverse_dynamics::sequential::ServoSystem;
use super::mobility::MobilitySystem;
use super::optimal_control::ControlSystem;
use super::piece::Piece;
use super::resting::RestingSystem;
use super::simulation::lagrangian::MovingSystem;
use super::{
    ForwardSystem, InverseDynamicsSpec, ModesSpec, Observer, SimulateSpec, StaticsSpec, System, TaskError,
    inverse_dynamics, mobility, modes, optimal_control, resting, simulation, statics,
};
use crate::results::{Outcome, Verification};

/// A question that is ready to be answered.
pub trait Task {
    /// Its table in problem files: `[task.NAME]`.
    fn name(&self) -> &'static str;

    /// Answers it. The outcome always has a status; what was found before a failure is in it.
    fn run(&self, observer: &mut dyn Observer) -> Outcome;

    /// Proves a stored answer again, from its actuation alone. None of a task without an actuation: its answer can only be
    /// reproduced by running it again.
    fn verify(&self, _stored: &Outcome, _observer: &mut dyn Observer) -> Option<Result<Verification, TaskError>> {
        None
    }

    /// Answers it without a proof of the answer, which is wanted for an extrapolation only.
    fn answer(&self, observer: &mut dyn Observer) -> Outcome {
        self.run(observer)
    }

    /// The pieces of rods on which elements may be made shorter, each by itself, so that the answer differs from that on infinitely
    /// many elements of order 1 by a known series in their lengths; none if it does not.
    fn pieces(&self) -> Option<Vec<Piece>> {
        None
    }

    /// The answer on infinitely many elements, from those on several meshes (numbers of elements in the pieces that are refined
    /// apart), of which the one at `finest` is that of this task. None of a task that has no [pieces](Task::pieces).
    fn extrapolate(
        &self,
        _meshes: &[(Vec<usize>, Outcome)],
        _finest: usize,
        _observer: &mut dyn Observer,
    ) -> Option<Outcome> {
        None
    }
}

/// Names of all tasks, as in `[task.NAME]`.
pub const TASKS: [&str; 6] = ["inverse-dynamics", "optimal-control", "statics", "simulate", "modes", "mobility"];

impl Task for (&System, &InverseDynamicsSpec) {
    fn name(&self) -> &'static str {
        "inverse-dynamics"
    }

    fn run(&self, observer: &mut dyn Observer) -> Outcome {
        inverse_dynamics::run(self.0, self.1, observer)
    }

    fn verify(&self, stored: &Outcome, observer: &mut dyn Observer) -> Option<Result<Verification, TaskError>> {
        Some(inverse_dynamics::reverify(self.0, self.1, stored, observer))
    }
}

impl Task for &HoistSystem {
    fn name(&self) -> &'static str {
        "inverse-dynamics"
    }

    fn run(&self, observer: &mut dyn Observer) -> Outcome {
        inverse_dynamics::hoist::run(self, observer)
    }

    fn verify(&self, stored: &Outcome, observer: &mut dyn Observer) -> Option<Result<Verification, TaskError>> {
        Some(inverse_dynamics::hoist::reverify(self, stored, observer))
    }
}

impl Task for &ServoSystem {
    fn name(&self) -> &'static str {
        "inverse-dynamics"
    }

    fn run(&self, observer: &mut dyn Observer) -> Outcome {
        inverse_dynamics::sequential::run(self, observer)
    }

    fn verify(&self, stored: &Outcome, observer: &mut dyn Observer) -> Option<Result<Verification, TaskError>> {
        Some(inverse_dynamics::sequential::reverify(self, stored, observer))
    }

    fn answer(&self, observer: &mut dyn Observer) -> Outcome {
        inverse_dynamics::sequential::answer(self, observer)
    }

    fn pieces(&self) -> Option<Vec<Piece>> {
        let instants = self.solving != inverse_dynamics::sequential::Solving::Bounded;
        if instants { inverse_dynamics::sequential::pieces(self) } else { None }
    }

    fn extrapolate(
        &self,
        meshes: &[(Vec<usize>, Outcome)],
        finest: usize,
        observer: &mut dyn Observer,
    ) -> Option<Outcome> {
        inverse_dynamics::sequential::extrapolated(self, meshes, finest, observer)
    }
}

impl Task for &TrackingSystem {
    fn name(&self) -> &'static str {
        "inverse-dynamics"
    }

    fn run(&self, observer: &mut dyn Observer) -> Outcome {
        inverse_dynamics::optimise::run(self, observer)
    }

    fn verify(&self, stored: &Outcome, _observer: &mut dyn Observer) -> Option<Result<Verification, TaskError>> {
        Some(inverse_dynamics::optimise::reverify(self, stored))
    }
}

impl Task for &ControlSystem {
    fn name(&self) -> &'static str {
        "optimal-control"
    }

    fn run(&self, observer: &mut dyn Observer) -> Outcome {
        optimal_control::run(self, observer)
    }

    fn verify(&self, stored: &Outcome, _observer: &mut dyn Observer) -> Option<Result<Verification, TaskError>> {
        Some(optimal_control::reverify(self, stored).map(|found| found.verification))
    }
}

impl Task for (&ForwardSystem, &StaticsSpec) {
    fn name(&self) -> &'static str {
        "statics"
    }

    fn run(&self, observer: &mut dyn Observer) -> Outcome {
        statics::run(self.0, self.1, observer)
    }
}

impl Task for (&ForwardSystem, &SimulateSpec) {
    fn name(&self) -> &'static str {
        "simulate"
    }

    fn run(&self, observer: &mut dyn Observer) -> Outcome {
        simulation::run(self.0, self.1, observer)
    }
}

impl Task for &MovingSystem {
    fn name(&self) -> &'static str {
        "simulate"
    }

    fn run(&self, observer: &mut dyn Observer) -> Outcome {
        simulation::lagrangian::run(self, observer)
    }
}

impl Task for &RestingSystem {
    fn name(&self) -> &'static str {
        self.task()
    }

    fn run(&self, observer: &mut dyn Observer) -> Outcome {
        resting::run(self, observer)
    }
}

impl Task for (&ForwardSystem, &ModesSpec) {
    fn name(&self) -> &'static str {
        "modes"
    }

    fn run(&self, observer: &mut dyn Observer) -> Outcome {
        modes::run(self.0, self.1, observer)
    }
}

impl Task for &MobilitySystem {
    fn name(&self) -> &'static str {
        "mobility"
    }

    fn run(&self, _observer: &mut dyn Observer) -> Outcome {
        mobility::run(self)
    }
}
