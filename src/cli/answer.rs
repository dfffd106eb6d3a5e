//! From a question to its answer.

use crate::problem::Question;
use crate::results::Outcome;
use crate::tasks::{Observer, inverse_dynamics, mobility, modes, optimal_control, simulation, statics};

/// Runs the task of a question.
pub fn answer(question: &Question, observer: &mut dyn Observer) -> Outcome {
    match question {
        Question::InverseDynamics(system, spec) => inverse_dynamics::run(system, spec, observer),
        Question::Servo(system) => inverse_dynamics::sequential::run(system, observer),
        Question::Tracking(system) => inverse_dynamics::optimise::run(system, observer),
        Question::Statics(system, spec) => statics::run(system, spec, observer),
        Question::Motion(system) => simulation::lagrangian::run(system, observer),
        Question::Simulate(system, spec) => simulation::run(system, spec, observer),
        Question::Mobility(system) => mobility::run(system),
        Question::Modes(system, spec) => modes::run(system, spec, observer),
        Question::OptimalControl(system) => optimal_control::run(system, observer),
    }
}
