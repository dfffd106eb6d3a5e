//! Why a forward task has no answer.

use crate::discretisation::assembly::Assembly;
use crate::nlp::EvalFailure;
use crate::results::RunStatus;

/// The status of the report, and the reason in words.
pub(in crate::tasks) struct Failure {
    pub status: RunStatus,
    pub message: String,
}

impl From<EvalFailure> for Failure {
    fn from(failure: EvalFailure) -> Self {
        Failure { status: RunStatus::Undefined, message: failure.to_string() }
    }
}

/// Refuses mechanisms of which every coordinate is held.
pub(in crate::tasks) fn expect_motion(assembly: &Assembly) -> Result<(), Failure> {
    if assembly.fixed.iter().all(|fixed| *fixed) {
        let message = "nothing can move: every coordinate is held".into();
        return Err(Failure { status: RunStatus::IllPosed, message });
    }
    Ok(())
}
