//! Which symmetric solver suits a pattern.

use super::{SparseLdl, StageRecursion, Stages, SymmetricSolver};
use crate::nlp::Pattern;

/// Dense elimination keeps up with sparse elimination as long as stages have no more unknowns than this on average;
/// `cargo bench --bench kkt` shows by how much it is faster for smaller ones.
const DENSE_LIMIT: usize = 32;

/// The recursion along stages where the pattern is a chain of small ones, sparse LDLᵀ otherwise.
pub fn best_symmetric_solver(pattern: &Pattern) -> Box<dyn SymmetricSolver> {
    match small_stages(pattern) {
        Some(stages) => Box::new(StageRecursion::new(stages)),
        None => Box::new(SparseLdl::new()),
    }
}

fn small_stages(pattern: &Pattern) -> Option<Stages> {
    Stages::detect(pattern).filter(|stages| pattern.ncols() <= DENSE_LIMIT * stages.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::linear::Inertia;
    use crate::solver::linear::saddle_samples::{Numbers, Saddle};

    #[test]
    fn chains_of_small_stages_go_to_the_recursion_and_all_else_to_sparse_elimination() {
        let mut numbers = Numbers(7);
        let samples = [
            (Saddle::control(4, 2, 30, &mut numbers), true),
            (Saddle::control(20, 4, 12, &mut numbers), false),
            (Saddle::random(300, 100, &mut numbers), false),
        ];
        for (saddle, chain) in samples {
            let (pattern, values) = saddle.assemble_sparse();
            assert_eq!(small_stages(&pattern).is_some(), chain);
            let mut solver = best_symmetric_solver(&pattern);
            solver.analyse(&pattern).unwrap();
            let inertia = solver.factor_shifted(&values, &saddle.shift(1e-8)).unwrap();
            assert_eq!(inertia, Inertia { positive: saddle.primal, negative: saddle.dual, zero: 0 });
            let mut x: Vec<f64> = (0..saddle.size()).map(|_| numbers.next()).collect();
            assert!(solver.solve(&mut x).unwrap().backward_error < 1e-13);
        }
    }
}
