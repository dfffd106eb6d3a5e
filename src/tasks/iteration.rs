//! Rows of the iteration table.

use crate::results::Iteration;
use crate::solver::constrained::IterationRecord;

/// An iteration of the solver, its objective times `sense`: −1 where the negative of what the user asked for is minimised.
pub(super) fn row(record: &IterationRecord, sense: f64) -> Iteration {
    Iteration {
        iter: record.iter,
        objective: sense * record.objective,
        inf_pr: record.inf_pr,
        inf_du: record.inf_du,
        step: record.step,
        reg: record.regularisation,
        alpha: record.alpha,
        ls: record.trials,
        mu: record.mu,
        restoration: record.restoration,
    }
}
