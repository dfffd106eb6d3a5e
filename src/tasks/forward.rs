//! What statics, simulation and modes have in common: the mechanism, and what is told of it.

mod compare;
mod driving;
mod failure;
mod fields;
mod mode_shape;
mod names;
mod record;
mod stress;

use super::KnownAnswer;
use crate::discretisation::TimeGrid;
use crate::mechanism::{Frame, Mechanism};
use crate::results::{Outcome, Report, SCHEMA_VERSION};

pub use compare::{Comparison, Difference, compare};
pub use driving::Histories;
pub(super) use failure::{Failure, expect_motion};
pub use fields::RodFields;
pub(super) use mode_shape::{Displaced, scaled, shape};
pub use names::{coordinates, relative_names, scalar_names, winch_columns};
pub use record::Record;

/// A mechanism, what is known of its time, and what is asked of it.
#[derive(Debug, Clone)]
pub struct ForwardSystem {
    /// One line about the problem.
    pub title: String,
    /// The mechanism.
    pub mechanism: Mechanism,
    /// Its actuators, in simulations.
    pub histories: Histories,
    /// Time grid; simulations always have one.
    pub time: Option<TimeGrid>,
    /// Frames whose motion is told, under the names the user gave them: all bodies and rod ends, and what else loads,
    /// supports, joints and known answers mention.
    pub frames: Vec<(String, Frame)>,
    /// Known answers.
    pub expect: Vec<KnownAnswer>,
}

impl ForwardSystem {
    /// The instant for which statics and modes take loads and prescribed motions, second.
    pub fn first_instant(&self) -> f64 {
        self.time.map_or(0.0, |grid| grid.start)
    }

    /// The record of a run of a task before anything is known.
    pub fn blank_outcome(&self, task: &str) -> Outcome {
        let report = Report {
            schema: SCHEMA_VERSION,
            program: format!("lariat {}", env!("CARGO_PKG_VERSION")),
            title: self.title.clone(),
            task: task.to_owned(),
            ..Report::default()
        };
        Outcome { report, ..Outcome::default() }
    }

    /// How the known answers fared, from the scalars of a finished outcome.
    pub fn judge(&self, outcome: &mut Outcome) {
        let scalars = &outcome.report.scalars;
        outcome.report.expectations = self.expect.iter().map(|known| known.judge(scalars)).collect();
    }
}
