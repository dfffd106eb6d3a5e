//! Checkpoints of a constrained solve in a JSON file.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use argmin::core::Error;
use argmin::core::State;
use argmin::core::checkpointing::{Checkpoint, CheckpointingFrequency};
use serde::{Deserialize, Serialize};

use super::executor::ConstrainedSolver;
use super::state::ConstrainedState;
use crate::solver::constrained::{Iterate, IterationRecord, Options};
use crate::solver::saved::{ProgramMarks, SavedError, read_json, write_json};

/// Saves the iterate of a run to a file and takes it up from there.
///
/// Factors, filter and limits are not saved: a resumed run is a warm start at the barrier parameter reached, with the
/// options given here. The number of iterations goes on; argmin's limit on it is not carried over.
#[derive(Debug, Clone)]
pub struct JsonCheckpoint {
    path: PathBuf,
    frequency: CheckpointingFrequency,
    options: Options,
}

/// The content of the file.
#[derive(Serialize, Deserialize)]
struct Saved {
    program: ProgramMarks,
    iterations: u64,
    record: IterationRecord,
    iterate: Iterate,
}

impl JsonCheckpoint {
    /// Checkpoints in the file at `path`; a run that finds one there resumes it with these options.
    pub fn new(path: &Path, frequency: CheckpointingFrequency, options: &Options) -> Self {
        Self { path: path.to_owned(), frequency, options: options.clone() }
    }
}

impl Checkpoint<ConstrainedSolver, ConstrainedState> for JsonCheckpoint {
    fn save(&self, solver: &ConstrainedSolver, state: &ConstrainedState) -> Result<(), Error> {
        let (Some(program), Some(record)) = (solver.marks().cloned(), state.record) else { return Ok(()) };
        let saved = Saved { program, iterations: state.get_iter(), record, iterate: state.iterate.clone() };
        Ok(write_json(&self.path, &saved)?)
    }

    fn load(&self) -> Result<Option<(ConstrainedSolver, ConstrainedState)>, Error> {
        let saved: Saved = match read_json(&self.path) {
            Err(SavedError::File { error, .. }) if error.kind() == ErrorKind::NotFound => return Ok(None),
            read => read?,
        };
        let solver = ConstrainedSolver::resuming(&self.options, saved.program, saved.record.mu);
        Ok(Some((solver, ConstrainedState::resumed(saved.iterate, saved.record, saved.iterations))))
    }

    fn frequency(&self) -> CheckpointingFrequency {
        self.frequency
    }
}
