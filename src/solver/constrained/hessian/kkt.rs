//! The linear system of every method, and the shifts that make its solution a descent direction.
//!
//! With the slacks eliminated it reads
//!
//! ```text
//! [ H + Σₓ + δ_w      Jᵀ      ] [ dx ]   [ rhs_x ]
//! [     J         −D − δ_c    ] [ dλ ] = [ rhs_λ ]        Dᵢ = 1/(Σₛᵢ + δ_w) for inequalities, 0 for equations.
//! ```
//!
//! The direction points downhill on the null space of J if the matrix has n positive and m negative eigenvalues; δ_w is
//! raised until it has (Wächter and Biegler 2006, algorithm IC), and the size that sufficed is remembered.

use crate::nlp::{Nlp, Pattern, PatternBuilder};
use crate::solver::constrained::standard::Standard;
use crate::solver::linear::{Inertia, LinearError, SymmetricSolver, best_symmetric_solver};

/// The factorisation sees at least this on the primal and minus this on the dual diagonal; refinement takes out again what
/// of it is not part of the wanted matrix. The larger ones are taken where pivots vanish in rounding under the smaller.
const FACTOR_SHIFTS: [f64; 4] = [1e-10, 1e-8, 1e-7, 1e-6];
/// Backward error of the steps, relative to the tolerance of the solve, and at most.
const ACCURACY: f64 = 1e-3;
const LEAST_ACCURACY: f64 = 1e-11;
const FIRST_PRIMAL: f64 = 1e-4;
const SMALLEST_PRIMAL: f64 = 1e-10;
const LARGEST_PRIMAL: f64 = 1e20;
const PRIMAL_DECREASE: f64 = 1.0 / 3.0;
const PRIMAL_INCREASE: f64 = 8.0;
const FIRST_PRIMAL_INCREASE: f64 = 100.0;
/// δ_c where rows depend on each other.
const DUAL: f64 = 1e-8;
/// δ_c where multipliers have run away, relative to the violation ‖c‖ (stabilised SQP: Wright, *Comput. Optim. Appl.* 11, 1998). Along a
/// dependency that is as small as ‖c‖ a step d then changes the multipliers by ‖c‖ ‖d‖ / (δ_c + ‖c‖²), and all steps stay
/// superlinear.
const STEADY: f64 = 1e-4;
/// Its limits: what rounding leaves of the matrix; what rows of stiff beams, with small singular values of their own, put up with.
const STEADY_LIMITS: [f64; 2] = [1e-13, 1e-10];

/// The matrix, its factors and the memory of the shifts.
pub struct Kkt {
    n: usize,
    m: usize,
    pattern: Pattern,
    diagonal: Vec<usize>,
    /// Place of each Hessian and Jacobian entry; entries of fixed variables and open rows go to a spare place at the end.
    hessian: Vec<usize>,
    jacobian: Vec<usize>,
    values: Vec<f64>,
    /// Diagonal of H + Σₓ.
    unshifted: Vec<f64>,
    /// Σₛ; infinite for equations.
    sigma: Vec<f64>,
    shift: Vec<f64>,
    rhs: Vec<f64>,
    linear: Box<dyn SymmetricSolver>,
    /// δ_w that last had to be used.
    last_primal: f64,
    least_primal: f64,
    /// Smallest δ_c of the factorisations to come.
    least_dual: f64,
    shift_slacks: bool,
    /// δ_w and δ_c of the current factors.
    pub primal: f64,
    pub dual: f64,
    /// Number of factorisations so far.
    pub factorisations: usize,
}

/// The matrix cannot be given the right inertia.
#[derive(Debug)]
pub struct Unregularisable;

impl Kkt {
    pub fn new(nlp: &dyn Nlp, standard: &Standard) -> Result<Self, LinearError> {
        let (n, m) = (standard.n, standard.m);
        let mut builder = PatternBuilder::new(n + m, n + m);
        let mut add = |row: usize, column: usize| match builder.add(&[row], &[column]) {
            Ok(block) => Ok(block),
            Err(error) => Err(LinearError::WrongSize {
                operand: "derivative pattern",
                found: error.index + 1,
                expected: error.bound,
            }),
        };
        let mut diagonal = Vec::with_capacity(n + m);
        for i in 0..n + m {
            diagonal.push(add(i, i)?);
        }
        let entries = |pattern: &Pattern| -> Vec<(usize, usize)> {
            let columns = (0..pattern.ncols()).flat_map(|column| pattern.column(column).map(move |_| column));
            pattern.row_idx().iter().copied().zip(columns).collect()
        };
        let mut place = |row: usize, column: usize, keep: bool| -> Result<usize, LinearError> {
            if keep { add(row, column) } else { Ok(usize::MAX) }
        };
        let mut hessian = Vec::with_capacity(nlp.hessian_pattern().nnz());
        for (row, column) in entries(nlp.hessian_pattern()) {
            hessian.push(place(row, column, !standard.fixed[row] && !standard.fixed[column])?);
        }
        let mut jacobian = Vec::with_capacity(nlp.jacobian_pattern().nnz());
        for (row, column) in entries(nlp.jacobian_pattern()) {
            jacobian.push(place(n + row, column, !standard.fixed[column] && !standard.open[row])?);
        }
        let (pattern, map) = builder.build();
        let spare = pattern.nnz();
        let locate = |blocks: Vec<usize>| -> Vec<usize> {
            let find = |block: usize| if block == usize::MAX { spare } else { map.block(block)[0] };
            blocks.into_iter().map(find).collect()
        };
        let mut linear = best_symmetric_solver(&pattern);
        linear.analyse(&pattern)?;
        Ok(Self {
            n,
            m,
            diagonal: locate(diagonal),
            hessian: locate(hessian),
            jacobian: locate(jacobian),
            values: vec![0.0; spare + 1],
            unshifted: vec![0.0; n],
            sigma: vec![0.0; m],
            shift: vec![0.0; n + m],
            rhs: vec![0.0; n + m],
            pattern,
            linear,
            last_primal: 0.0,
            least_primal: 0.0,
            least_dual: 0.0,
            shift_slacks: true,
            primal: 0.0,
            dual: 0.0,
            factorisations: 0,
        })
    }

    /// Makes steps only as accurate as a solve to this tolerance needs them.
    pub fn suit_tolerance(&mut self, tolerance: f64) {
        self.linear.refine_to((ACCURACY * tolerance).min(LEAST_ACCURACY));
    }

    /// Number of Hessian entries expected by [`Kkt::assemble`].
    pub fn hessian_len(&self) -> usize {
        self.hessian.len()
    }

    /// Forgets the size of the last shift, which came from another kind of matrix.
    pub fn forget_shift(&mut self) {
        self.last_primal = 0.0;
    }

    /// Sets the matrix without shifts; `sigma` is the diagonal Σ of v = (x, s), that of fixed entries
    /// being ignored.
    pub fn assemble(&mut self, standard: &Standard, hessian: &[f64], jacobian: &[f64], sigma: &[f64]) {
        self.values.fill(0.0);
        for (&place, value) in self.hessian.iter().zip(hessian) {
            self.values[place] += value;
        }
        for (&place, value) in self.jacobian.iter().zip(jacobian) {
            self.values[place] += value;
        }
        for (i, unshifted) in self.unshifted.iter_mut().enumerate() {
            *unshifted = self.values[self.diagonal[i]] + sigma[i];
        }
        for (i, kept) in self.sigma.iter_mut().enumerate() {
            *kept = if standard.fixed[self.n + i] { f64::INFINITY } else { sigma[self.n + i] };
        }
    }

    /// Factorises with the smallest shifts of a geometric sequence that give the right inertia.
    pub fn factorise(&mut self, standard: &Standard) -> Result<(), Unregularisable> {
        (self.primal, self.dual) = (self.least_primal, self.least_dual);
        match self.factor_with_shifts(standard) {
            Some(inertia) if self.is_right(inertia) => return Ok(()),
            Some(inertia) if inertia.zero == 0 => (),
            _ => self.dual = DUAL,
        }
        self.primal = self.next_primal().max(PRIMAL_INCREASE * self.least_primal);
        self.raise_until_right(standard)
    }

    /// Leaves the curvature Σₛ of slacks as it is: δ_w acts on x alone.
    pub fn spare_slacks(&mut self) {
        self.shift_slacks = false;
    }

    /// δ_w as the slacks see it.
    fn slack_shift(&self) -> f64 {
        if self.shift_slacks { self.primal } else { 0.0 }
    }

    /// Factorises with δ_c and without δ_w; false if that breaks down.
    pub fn factorise_regularised(&mut self, standard: &Standard) -> bool {
        (self.primal, self.dual) = (0.0, DUAL);
        self.factor_with_shifts(standard).is_some_and(|inertia| inertia.zero == 0)
    }

    /// Takes all further matrices with δ_c > 0 in proportion to the violation, so that multipliers along dependent rows stay bounded.
    pub fn steady_rows(&mut self, violation: f64) {
        let [least, most] = STEADY_LIMITS;
        self.least_dual = (STEADY * violation).clamp(least, most);
    }

    /// Takes further matrices as they are again.
    pub fn release_rows(&mut self) {
        self.least_dual = 0.0;
    }

    /// Whether all matrices have δ_c > 0.
    pub fn steadies_rows(&self) -> bool {
        self.least_dual > 0.0
    }

    /// Sets the smallest δ_w of the factorisations to come.
    pub fn require_primal(&mut self, least: f64) {
        self.least_primal = least;
    }

    /// The smallest δ_w of the factorisations to come.
    pub fn least_primal(&self) -> f64 {
        self.least_primal
    }

    /// Raises the shifts after a solve with the present ones was inaccurate.
    pub fn strengthen(&mut self, standard: &Standard) -> Result<(), Unregularisable> {
        if self.dual < DUAL {
            self.dual = DUAL;
            if let Some(inertia) = self.factor_with_shifts(standard)
                && self.is_right(inertia)
            {
                return Ok(());
            }
        }
        self.primal = if self.primal == 0.0 { self.next_primal() } else { self.primal * PRIMAL_INCREASE };
        self.raise_until_right(standard)
    }

    /// Whether the matrix last assembled has curvature below −`limit` on the null space of J; the factors stay those of the
    /// last shifts.
    pub fn curves_down(&mut self, standard: &Standard, limit: f64) -> bool {
        let (primal, dual) = (self.primal, self.dual);
        self.primal = limit;
        let right = self.factor_with_shifts(standard).is_some_and(|inertia| self.is_right(inertia));
        (self.primal, self.dual) = (primal, dual);
        self.factor_with_shifts(standard);
        !right
    }

    fn next_primal(&self) -> f64 {
        if self.last_primal == 0.0 { FIRST_PRIMAL } else { (PRIMAL_DECREASE * self.last_primal).max(SMALLEST_PRIMAL) }
    }

    fn raise_until_right(&mut self, standard: &Standard) -> Result<(), Unregularisable> {
        while self.primal <= LARGEST_PRIMAL {
            match self.factor_with_shifts(standard) {
                Some(inertia) if self.is_right(inertia) => {
                    self.last_primal = self.primal;
                    return Ok(());
                }
                _ => {
                    self.primal *= if self.last_primal == 0.0 { FIRST_PRIMAL_INCREASE } else { PRIMAL_INCREASE };
                }
            }
        }
        Err(Unregularisable)
    }

    fn is_right(&self, inertia: Inertia) -> bool {
        inertia == Inertia { positive: self.n, negative: self.m, zero: 0 }
    }

    /// `None` if the factorisation broke down.
    fn factor_with_shifts(&mut self, standard: &Standard) -> Option<Inertia> {
        self.factorisations += 1;
        for i in 0..self.n {
            self.values[self.diagonal[i]] = if standard.fixed[i] { 1.0 } else { self.unshifted[i] + self.primal };
        }
        for (row, &sigma) in self.sigma.iter().enumerate() {
            self.values[self.diagonal[self.n + row]] =
                if standard.open[row] { -1.0 } else { -1.0 / (sigma + self.slack_shift()) - self.dual };
        }
        let nnz = self.pattern.nnz();
        let mut found = None;
        // Without pivoting across the matrix a pivot may vanish although the matrix is regular.
        for factor_shift in FACTOR_SHIFTS {
            self.shift[..self.n].fill((factor_shift - self.primal).max(0.0));
            self.shift[self.n..].fill(-(factor_shift - self.dual).max(0.0));
            found = self.linear.factor_shifted(&self.values[..nnz], &self.shift).ok();
            if found.is_some_and(|inertia| inertia.zero == 0) {
                break;
            }
        }
        found
    }

    /// Newton step of the system before the slacks were eliminated: on entry `v` holds the slopes (gₓ, gₛ) of the merit
    /// function by x and s with the terms of the rows, on return (dx, ds); `lambda` becomes dλ.
    ///
    /// From (Σₛ + δ_w) ds − dλ = −gₛ and J dx − ds = −r follow rhs_λ = −r − gₛ/(Σₛ + δ_w) and ds = (dλ − gₛ)/(Σₛ + δ_w); for
    /// equations Σₛ is infinite, so that ds = 0.
    pub fn condensed_step(
        &mut self,
        standard: &Standard,
        residual: &[f64],
        v: &mut [f64],
        lambda: &mut [f64],
    ) -> Result<(), LinearError> {
        let (n, shift) = (self.n, self.slack_shift());
        let mut rhs = std::mem::take(&mut self.rhs);
        for (i, rhs) in rhs[..n].iter_mut().enumerate() {
            *rhs = if standard.fixed[i] { 0.0 } else { -v[i] };
        }
        for (row, rhs) in rhs[n..].iter_mut().enumerate() {
            *rhs = if standard.open[row] { 0.0 } else { -residual[row] - v[n + row] / (self.sigma[row] + shift) };
        }
        let solved = self.solve(&mut rhs);
        if solved.is_ok() {
            v[..n].copy_from_slice(&rhs[..n]);
            lambda.copy_from_slice(&rhs[n..]);
            for (row, s) in v[n..].iter_mut().enumerate() {
                *s = if standard.open[row] { 0.0 } else { (lambda[row] - *s) / (self.sigma[row] + shift) };
            }
        }
        self.rhs = rhs;
        solved
    }

    /// Replaces `rhs` = (rhs_x, rhs_λ) by (dx, dλ).
    pub fn solve(&mut self, rhs: &mut [f64]) -> Result<(), LinearError> {
        self.linear.solve(rhs).map(|_| ())
    }
}
