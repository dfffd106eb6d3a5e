//! Programs whose objective may follow the barrier parameter.

use crate::nlp::Nlp;

/// A program solved by a sequence of barrier problems.
pub(super) trait Staged: Nlp {
    /// Tells the barrier parameter of the next problem; true if the objective has changed with it.
    fn follow(&mut self, _mu: f64) -> bool {
        false
    }
}
