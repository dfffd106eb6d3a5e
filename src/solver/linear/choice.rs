//! Which symmetric solver suits a pattern.

use super::{SparseLdl, StageRecursion, Stages, SymmetricSolver};
use crate::nlp::Pattern;

/// The recursion along stages where the pattern is a chain of them, sparse LDLᵀ otherwise.
pub fn best_symmetric_solver(pattern: &Pattern) -> Box<dyn SymmetricSolver> {
    match Stages::detect(pattern) {
        Some(stages) => Box::new(StageRecursion::new(stages)),
        None => Box::new(SparseLdl::new()),
    }
}
