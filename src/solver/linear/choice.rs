//! Which solver suits a pattern.

use super::band_plan::BandPlan;
use super::{Banded, LinearSolver, SparseLdl, SparseLu, StageRecursion, Stages, SymmetricSolver};
use crate::nlp::Pattern;

/// Dense elimination keeps up with sparse elimination as long as stages have no more unknowns than this on average;
/// `cargo bench --bench kkt` shows by how much it is faster for smaller ones.
const DENSE_LIMIT: usize = 40;

/// The recursion along stages where the pattern is a chain of small ones, sparse LDLᵀ otherwise.
pub fn best_symmetric_solver(pattern: &Pattern) -> Box<dyn SymmetricSolver> {
    match small_stages(pattern) {
        Some(stages) => Box::new(StageRecursion::new(stages)),
        None => Box::new(SparseLdl::new()),
    }
}

/// Cost of sparse LU beside its arithmetic, in operations of band LU for each unknown (measured: about 270 ns against
/// 0.3 ns). A band of 15 diagonals on either side is within it.
const LU_OVERHEAD: f64 = 900.0;
/// Operations of band LU, counted as additions and multiplications with pivoting at its worst, in the time of one
/// multiply-add of the bound that sparse LU knows of itself (measured: 2.0 to 2.5).
const LU_ARITHMETIC: f64 = 2.0;

/// Band LU where the pattern is narrow in a good order, sparse LU otherwise; the pattern is analysed already.
///
/// A pattern that cannot be analysed goes to sparse LU, whose analysis then tells why.
pub fn best_general_solver(pattern: &Pattern) -> Box<dyn LinearSolver> {
    let mut sparse = SparseLu::new();
    match narrow_band(pattern, &mut sparse) {
        Some(plan) => Box::new(Banded::with_plan(pattern, plan)),
        None => Box::new(sparse),
    }
}

/// The band, if it is so narrow that it is faster than `sparse`, which is analysed where that is needed to know.
fn narrow_band(pattern: &Pattern, sparse: &mut SparseLu) -> Option<BandPlan> {
    if pattern.nrows() != pattern.ncols() {
        return None;
    }
    let plan = BandPlan::new(pattern).ok()?;
    let excess = plan.flops - LU_OVERHEAD * pattern.ncols() as f64;
    if excess > 0.0 {
        sparse.analyse(pattern).ok()?;
        sparse.fill().filter(|fill| excess <= LU_ARITHMETIC * fill.flops)?;
    }
    Some(plan)
}

fn small_stages(pattern: &Pattern) -> Option<Stages> {
    Stages::detect(pattern).filter(|stages| pattern.ncols() <= DENSE_LIMIT * stages.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nlp::PatternBuilder;
    use crate::solver::linear::Inertia;
    use crate::solver::linear::saddle_samples::{Numbers, Saddle};

    #[test]
    fn chains_of_small_stages_go_to_the_recursion_and_all_else_to_sparse_elimination() {
        let mut numbers = Numbers(7);
        let samples = [
            (Saddle::control(4, 2, 30, &mut numbers), true),
            (Saddle::control(30, 4, 12, &mut numbers), false),
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

    /// A grid of nodes with `unknowns` each, coupled to their neighbours, and a border of unknowns coupled to all.
    fn grid(rows: usize, cols: usize, unknowns: usize, border: usize) -> Pattern {
        let inner = rows * cols * unknowns;
        let mut builder = PatternBuilder::new(inner + border, inner + border);
        let node =
            |i: usize, k: usize| -> Vec<usize> { (0..unknowns).map(|u| (i * cols + k) * unknowns + u).collect() };
        for i in 0..rows {
            for k in 0..cols {
                let mut block = node(i, k);
                block.extend(inner..inner + border);
                builder.add(&block, &block).unwrap();
                for (i, k) in [(i + 1, k), (i, k + 1)].into_iter().filter(|&(i, k)| i < rows && k < cols) {
                    builder.add(&block, &node(i, k)).unwrap();
                    builder.add(&node(i, k), &block).unwrap();
                }
            }
        }
        builder.build().0
    }

    #[test]
    fn chains_go_to_band_elimination_and_wide_or_bordered_patterns_to_sparse_elimination() {
        let mut numbers = Numbers(9);
        let samples = [
            (grid(1, 17, 3, 0), true),
            (grid(1, 21, 6, 0), true),
            (grid(8, 80, 1, 0), true),
            (grid(1, 300, 3, 1), false),
            (grid(40, 40, 3, 0), false),
            (PatternBuilder::new(0, 0).build().0, true),
        ];
        for (pattern, band) in samples {
            assert_eq!(narrow_band(&pattern, &mut SparseLu::new()).is_some(), band, "{} unknowns", pattern.ncols());
            let mut solver = best_general_solver(&pattern);
            solver.analyse(&pattern).unwrap();
            let mut values: Vec<f64> = (0..pattern.nnz()).map(|_| numbers.next()).collect();
            for col in 0..pattern.ncols() {
                let diagonal = pattern.column(col).find(|&entry| pattern.row_idx()[entry] == col).unwrap();
                values[diagonal] += 20.0;
            }
            solver.factor(&values).unwrap();
            let mut x: Vec<f64> = (0..pattern.ncols()).map(|_| numbers.next()).collect();
            assert!(solver.solve(&mut x).unwrap().backward_error < 1e-14);
        }
    }

    #[test]
    fn patterns_without_regular_matrix_are_left_to_the_analysis() {
        let mut builder = PatternBuilder::new(2, 2);
        builder.add(&[0, 1], &[0]).unwrap();
        let pattern = builder.build().0;
        assert!(best_general_solver(&pattern).analyse(&pattern).is_err());
        let wide = PatternBuilder::new(1, 2).build().0;
        assert!(best_general_solver(&wide).analyse(&wide).is_err());
    }
}
