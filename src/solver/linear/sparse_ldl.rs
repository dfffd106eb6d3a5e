//! Sparse LDLᵀ of symmetric indefinite matrices, without pivoting, with inertia.
//!
//! Every symmetric permutation of a quasi-definite matrix [[H, Jᵀ], [J, −D]], H and D positive definite, has a
//! factorisation LDLᵀ with diagonal D (R. J. Vanderbei, "Symmetric quasidefinite matrices", SIAM J. Optim. 5, 1995): no
//! pivoting is needed and the order may serve sparsity alone. A small shift makes the matrices of interior point methods
//! quasi-definite, or nearly so; by Sylvester's law the signs of D are the inertia. Refinement takes the shift out of
//! the solution.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::ldlt::factor::{LdltError, LdltRegularization};
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LdltRef, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering,
    factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMat};
use faer::{Conj, MatMut, Par, Side};

use super::factors::{permutation, require_permutation, to_faer};
use super::refined::{Refined, SymmetricFactors};
use super::{FactorQuality, FillEstimate, Inertia, LinearError, LinearSolver, SolveQuality, SymmetricSolver};
use crate::nlp::Pattern;

/// Direct solver for sparse symmetric systems, made for the saddle point matrices of optimisation.
///
/// ```
/// use lariat::nlp::PatternBuilder;
/// use lariat::solver::linear::{Inertia, LinearSolver, SparseLdl, SymmetricSolver};
/// // [[2, 1], [1, 0]], its lower triangle: minimise x² subject to x = b.
/// let mut builder = PatternBuilder::new(2, 2);
/// builder.add(&[0, 1], &[0])?;
/// builder.add(&[1], &[1])?;
/// let pattern = builder.build().0;
/// let mut ldl = SparseLdl::new();
/// ldl.analyse(&pattern)?;
/// let inertia = ldl.factor_shifted(&[2.0, 1.0, 0.0], &[1e-8, -1e-8])?;
/// assert_eq!(inertia, Inertia { positive: 1, negative: 1, zero: 0 });
/// let mut x = [0.0, 3.0];
/// ldl.solve(&mut x)?;
/// assert!((x[0] - 3.0).abs() < 1e-14 && (x[1] + 6.0).abs() < 1e-14);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SparseLdl(Refined<LdlFactors>);

impl SparseLdl {
    /// A solver that chooses its own elimination order (approximate minimum degree).
    pub fn new() -> Self {
        Self(Refined::new(None))
    }

    /// A solver that eliminates unknowns in the given order.
    pub fn with_order(order: Vec<usize>) -> Self {
        Self(Refined::new(Some(order)))
    }

    /// Size of the factor L and cost of computing it; `None` before the analysis.
    pub fn fill(&self) -> Option<FillEstimate> {
        self.0.factors().map(LdlFactors::fill)
    }
}

impl Default for SparseLdl {
    fn default() -> Self {
        Self::new()
    }
}

impl LinearSolver for SparseLdl {
    fn analyse(&mut self, pattern: &Pattern) -> Result<(), LinearError> {
        self.0.analyse(pattern)
    }

    fn factor(&mut self, values: &[f64]) -> Result<FactorQuality, LinearError> {
        self.0.factor(values)
    }

    fn solve(&mut self, rhs: &mut [f64]) -> Result<SolveQuality, LinearError> {
        self.0.solve(rhs)
    }
}

impl SymmetricSolver for SparseLdl {
    fn factor_shifted(&mut self, values: &[f64], shift: &[f64]) -> Result<Inertia, LinearError> {
        self.0.factor_shifted(values, shift)
    }

    fn refine_to(&mut self, backward_error: f64) {
        self.0.refine_to(backward_error);
    }
}

/// Factors with the memory to compute them, on one thread: results are then the same on every machine.
struct LdlFactors {
    matrix: SymbolicSparseColMat<usize>,
    symbolic: SymbolicCholesky<usize>,
    values: Vec<f64>,
    factor_memory: MemBuffer,
    solve_memory: MemBuffer,
}

impl LdlFactors {
    fn fill(&self) -> FillEstimate {
        let mut fill = FillEstimate { nnz: 0.0, flops: 0.0 };
        let mut include = |columns: usize, rows_below: usize| {
            for rows in (0..columns).map(|column| (rows_below + column) as f64) {
                fill.nnz += rows + 1.0;
                fill.flops += 0.5 * rows * (rows + 3.0);
            }
        };
        match self.symbolic.raw() {
            SymbolicCholeskyRaw::Simplicial(simplicial) => {
                simplicial.col_ptr().windows(2).for_each(|ends| include(1, ends[1] - ends[0] - 1));
            }
            SymbolicCholeskyRaw::Supernodal(supernodal) => {
                let ends = supernodal.supernode_begin().iter().zip(supernodal.supernode_end());
                for (columns, &rows) in ends.map(|(begin, end)| end - begin).zip(supernodal.nnz_per_super()) {
                    include(columns, rows);
                }
            }
        }
        fill
    }

    /// Calls `visit` with each entry of D, in the order of elimination.
    fn for_each_pivot(&self, mut visit: impl FnMut(f64)) {
        match self.symbolic.raw() {
            SymbolicCholeskyRaw::Simplicial(simplicial) => {
                let columns = simplicial.col_ptr().iter().take(simplicial.ncols());
                columns.for_each(|&start| visit(self.values[start]));
            }
            SymbolicCholeskyRaw::Supernodal(supernodal) => {
                let ends = supernodal.supernode_begin().iter().zip(supernodal.supernode_end());
                let starts = supernodal.col_ptr_for_val().iter().zip(supernodal.nnz_per_super());
                for ((&start, &below), columns) in starts.zip(ends.map(|(begin, end)| end - begin)) {
                    (0..columns).for_each(|column| visit(self.values[start + column * (columns + below + 1)]));
                }
            }
        }
    }
}

impl SymmetricFactors for LdlFactors {
    /// An elimination order.
    type Options = Option<Vec<usize>>;

    fn analyse(order: &Option<Vec<usize>>, pattern: &Pattern) -> Result<Self, LinearError> {
        let size = pattern.ncols();
        let order = match order {
            Some(order) => {
                require_permutation(order, size)?;
                Some(permutation(order.clone()))
            }
            None => None,
        };
        let ordering = order.as_ref().map_or(SymmetricOrdering::Amd, |order| SymmetricOrdering::Custom(order.as_ref()));
        let params = CholeskySymbolicParams {
            supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SUPERNODAL,
            ..Default::default()
        };
        let matrix = to_faer(pattern);
        let symbolic = factorize_symbolic_cholesky(matrix.as_ref(), Side::Lower, ordering, params)
            .map_err(|_| LinearError::OutOfMemory { doing: "analysing", size })?;
        let reserve =
            |request| MemBuffer::try_new(request).map_err(|_| LinearError::OutOfMemory { doing: "factorising", size });
        Ok(Self {
            matrix,
            values: vec![0.0; symbolic.len_val()],
            factor_memory: reserve(symbolic.factorize_numeric_ldlt_scratch::<f64>(Par::Seq, Default::default()))?,
            solve_memory: reserve(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq))?,
            symbolic,
        })
    }

    fn factor(&mut self, values: &[f64]) -> Result<Inertia, usize> {
        let order = |place: usize| self.symbolic.perm().map_or(place, |perm| perm.arrays().0[place]);
        let factorised = self.symbolic.factorize_numeric_ldlt(
            &mut self.values,
            SparseColMatRef::new(self.matrix.as_ref(), values),
            Side::Lower,
            LdltRegularization::default(),
            Par::Seq,
            MemStack::new(&mut self.factor_memory),
            Default::default(),
        );
        if let Err(LdltError::ZeroPivot { index }) = factorised {
            // The kernel of narrow blocks counts the pivot at fault from one: behind the last there is none.
            return Err(order(index.min(self.matrix.ncols().saturating_sub(1))));
        }
        let mut inertia = Inertia { positive: 0, negative: 0, zero: 0 };
        let mut place = 0;
        let mut broken = None;
        self.for_each_pivot(|pivot| {
            if pivot > 0.0 && pivot.is_finite() {
                inertia.positive += 1;
            } else if pivot < 0.0 && pivot.is_finite() {
                inertia.negative += 1;
            } else if broken.is_none() {
                broken = Some(place);
            }
            place += 1;
        });
        broken.map_or(Ok(inertia), |place| Err(order(place)))
    }

    fn substitute(&mut self, x: &mut [f64]) {
        let x = MatMut::from_column_major_slice_mut(x, self.matrix.ncols(), 1);
        let factors = LdltRef::new(&self.symbolic, &self.values);
        factors.solve_in_place_with_conj(Conj::No, x, Par::Seq, MemStack::new(&mut self.solve_memory));
    }
}

#[cfg(test)]
mod tests;
