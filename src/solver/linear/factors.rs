//! The supernodal LU kernel behind a small interface: symbolic analysis with any column order, numeric factors, solves.
//!
//! The ready-made sparse LU of the kernel orders columns by COLAMD only and may choose a slower column-by-column variant,
//! so its steps are called one by one here. It runs on one thread: results are then the same on every machine, and a
//! second thread gains nothing at our sizes.

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::perm::{Perm, PermRef};
use faer::sparse::linalg::{LuError, SymbolicSupernodalParams, colamd, lu::supernodal, qr};
use faer::sparse::{FaerError, SparseColMatRef, SymbolicSparseColMat};
use faer::{Conj, MatMut, Par};

use super::{LinearError, expect_size};
use crate::nlp::Pattern;

/// Size of the factors as bounded by the symbolic analysis (any choice of pivots stays below it).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FillEstimate {
    /// Entries of L and U together.
    pub nnz: f64,
    /// Multiply-add operations of one factorisation.
    pub flops: f64,
}

/// What depends on the pattern alone.
pub(super) struct Symbolic {
    matrix: SymbolicSparseColMat<usize>,
    transposed: SymbolicSparseColMat<usize>,
    col_perm: Perm<usize>,
    supernodes: supernodal::SymbolicSupernodalLu<usize>,
    pub fill: FillEstimate,
}

impl Symbolic {
    /// Analyses a square pattern of full structural rank. `order` lists the columns in the order of elimination and must
    /// be a permutation; without it COLAMD chooses.
    pub fn new(pattern: &Pattern, transposed: &Pattern, order: Option<&[usize]>) -> Result<Self, LinearError> {
        let size = pattern.ncols();
        let out_of_memory = |_| LinearError::OutOfMemory { doing: "analysing", size };
        let matrix = to_faer(pattern);
        let transposed = to_faer(transposed);
        let request = StackReq::any_of(&[
            colamd::order_scratch::<usize>(size, size, pattern.nnz()),
            qr::col_etree_scratch::<usize>(size, size),
            qr::postorder_scratch::<usize>(size),
            qr::column_counts_aat_scratch::<usize>(size, size),
            supernodal::factorize_supernodal_symbolic_lu_scratch::<usize>(size, size),
        ]);
        let mut memory = MemBuffer::try_new(request).map_err(|_| out_of_memory(FaerError::OutOfMemory))?;
        let stack = MemStack::new(&mut memory);

        let forward = match order {
            Some(order) => order.to_vec(),
            None => {
                let (mut forward, mut inverse) = (vec![0; size], vec![0; size]);
                let control = colamd::Control::default();
                colamd::order(&mut forward, &mut inverse, matrix.as_ref(), control, stack).map_err(out_of_memory)?;
                forward
            }
        };
        // Eliminating in postorder of the column elimination tree leaves the fill as it is and makes supernodes
        // contiguous.
        let mut tree = vec![0; size];
        let mut post = vec![0; size];
        let col_perm = permutation(forward);
        let etree = qr::col_etree(matrix.as_ref(), Some(col_perm.as_ref()), &mut tree, stack);
        qr::postorder(&mut post, etree, stack);
        let given = col_perm.arrays().0;
        let col_perm = permutation(post.iter().map(|&column| given[column]).collect());

        let etree = qr::col_etree(matrix.as_ref(), Some(col_perm.as_ref()), &mut tree, stack);
        qr::postorder(&mut post, etree, stack);
        let mut counts = vec![0; size];
        let mut min_col = vec![0; size];
        let perm = Some(col_perm.as_ref());
        qr::column_counts_ata(&mut counts, &mut min_col, transposed.as_ref(), perm, etree, &post, stack);
        let parents: Vec<Option<usize>> =
            etree.into_inner().iter().map(|&parent| usize::try_from(parent).ok()).collect();
        let fill = estimate_fill(&counts, &min_col, &parents);
        let relaxation = SymbolicSupernodalParams::default();
        let supernodes = supernodal::factorize_supernodal_symbolic_lu(
            matrix.as_ref(),
            Some(col_perm.as_ref()),
            &min_col,
            etree,
            &counts,
            stack,
            relaxation,
        )
        .map_err(out_of_memory)?;
        Ok(Self { matrix, transposed, col_perm, supernodes, fill })
    }

    fn size(&self) -> usize {
        self.matrix.ncols()
    }
}

/// Counts of the Householder vectors (a bound for L) follow from the tree; those of U are the column counts of AᵀA.
fn estimate_fill(counts: &[usize], min_col: &[usize], parents: &[Option<usize>]) -> FillEstimate {
    let mut householder = vec![0usize; counts.len()];
    min_col.iter().for_each(|&col| householder[col] += 1);
    let mut fill = FillEstimate { nnz: 0.0, flops: 0.0 };
    for (col, &upper) in counts.iter().enumerate() {
        if let Some(parent) = parents[col] {
            householder[parent] += householder[col].saturating_sub(1);
        }
        let (lower, upper) = (householder[col] as f64, upper as f64);
        fill.nnz += lower + upper;
        fill.flops += lower * upper;
    }
    fill
}

/// Numeric factors; their memory is kept from one factorisation to the next.
pub(super) struct Factors {
    lu: supernodal::SupernodalLu<usize, f64>,
    row_perm: Vec<usize>,
    row_perm_inv: Vec<usize>,
    factor_memory: MemBuffer,
    solve_memory: MemBuffer,
}

/// Why the kernel could not factorise.
pub(super) enum FactorFailure {
    /// After unlucky (zero) pivots this column has no row left.
    NoPivot {
        /// The column.
        column: usize,
    },
    /// Memory is exhausted.
    OutOfMemory,
}

impl Factors {
    /// Work space for matrices of this pattern.
    pub fn new(symbolic: &Symbolic) -> Result<Self, LinearError> {
        let size = symbolic.size();
        let factor =
            supernodal::factorize_supernodal_numeric_lu_scratch::<usize, f64>(&symbolic.supernodes, Default::default());
        let solve = supernodal::solve_in_place_scratch::<usize, f64>(size, 1, Par::Seq)
            .or(supernodal::solve_transpose_in_place_scratch::<usize, f64>(size, 1, Par::Seq));
        let reserve =
            |request| MemBuffer::try_new(request).map_err(|_| LinearError::OutOfMemory { doing: "factorising", size });
        Ok(Self {
            lu: supernodal::SupernodalLu::new(),
            row_perm: vec![0; size],
            row_perm_inv: vec![0; size],
            factor_memory: reserve(factor)?,
            solve_memory: reserve(solve)?,
        })
    }

    /// Factorises with partial pivoting. The kernel does not notice zero pivots: the caller must test what solves return.
    pub fn factor(&mut self, symbolic: &Symbolic, values: &[f64], transposed: &[f64]) -> Result<(), FactorFailure> {
        supernodal::factorize_supernodal_numeric_lu(
            &mut self.row_perm,
            &mut self.row_perm_inv,
            &mut self.lu,
            SparseColMatRef::new(symbolic.matrix.as_ref(), values),
            SparseColMatRef::new(symbolic.transposed.as_ref(), transposed),
            symbolic.col_perm.as_ref(),
            &symbolic.supernodes,
            Par::Seq,
            MemStack::new(&mut self.factor_memory),
            Default::default(),
        )
        .map_err(|error| match error {
            LuError::SymbolicSingular { index } => {
                FactorFailure::NoPivot { column: symbolic.col_perm.arrays().0[index] }
            }
            LuError::Generic(_) => FactorFailure::OutOfMemory,
        })
    }

    /// `x = A⁻¹ x`.
    pub fn solve(&mut self, symbolic: &Symbolic, x: &mut [f64]) {
        let rows = PermRef::new_checked(&self.row_perm, &self.row_perm_inv, symbolic.size());
        let x = MatMut::from_column_major_slice_mut(x, symbolic.size(), 1);
        let stack = MemStack::new(&mut self.solve_memory);
        self.lu.solve_in_place_with_conj(rows, symbolic.col_perm.as_ref(), Conj::No, x, Par::Seq, stack);
    }

    /// `x = A⁻ᵀ x`.
    pub fn solve_transposed(&mut self, symbolic: &Symbolic, x: &mut [f64]) {
        let rows = PermRef::new_checked(&self.row_perm, &self.row_perm_inv, symbolic.size());
        let x = MatMut::from_column_major_slice_mut(x, symbolic.size(), 1);
        let stack = MemStack::new(&mut self.solve_memory);
        self.lu.solve_transpose_in_place_with_conj(rows, symbolic.col_perm.as_ref(), Conj::No, x, Par::Seq, stack);
    }
}

pub(super) fn to_faer(pattern: &Pattern) -> SymbolicSparseColMat<usize> {
    let (col_ptr, row_idx) = (pattern.col_ptr().to_vec(), pattern.row_idx().to_vec());
    SymbolicSparseColMat::new_checked(pattern.nrows(), pattern.ncols(), col_ptr, None, row_idx)
}

/// The permutation that lists columns in this order, which must contain each once.
pub(super) fn permutation(forward: Vec<usize>) -> Perm<usize> {
    let mut inverse = vec![0; forward.len()];
    forward.iter().enumerate().for_each(|(place, &column)| inverse[column] = place);
    let size = forward.len();
    Perm::new_checked(forward.into_boxed_slice(), inverse.into_boxed_slice(), size)
}

/// Checks that an elimination order contains each column once.
pub(super) fn require_permutation(order: &[usize], size: usize) -> Result<(), LinearError> {
    expect_size("elimination order", order.len(), size)?;
    let mut occurrences = vec![0usize; size];
    for &column in order {
        match occurrences.get_mut(column) {
            Some(count) => *count += 1,
            None => return Err(LinearError::BadOrder { column, occurrences: 1 }),
        }
    }
    match occurrences.iter().position(|&count| count != 1) {
        Some(column) => Err(LinearError::BadOrder { column, occurrences: occurrences[column] }),
        None => Ok(()),
    }
}
