//! P(λ) = λ²M + λC + K bordered by G, for complex λ, factorised as a real matrix of twice the size.

use nalgebra::Complex;

use super::pencil::{EigenError, Pencil, Source, largest};
use crate::nlp::{Pattern, PatternBuilder};
use crate::solver::linear::{LinearSolver, SparseLu};

/// The bordered matrix at one λ after another, analysed once.
pub(super) struct Dynamic<'a> {
    pencil: Pencil<'a>,
    damping: Vec<f64>,
    pattern: Pattern,
    sources: Vec<Source>,
    /// Where the entry across the diagonal from each entry of K, C and M stands; none if they are symmetric.
    across: Option<Vec<usize>>,
    lu: SparseLu,
    adjoint: SparseLu,
    values: Vec<f64>,
    work: Vec<f64>,
}

impl<'a> Dynamic<'a> {
    pub fn new(pencil: Pencil<'a>, symmetric: bool) -> Result<Self, EigenError> {
        let damping = pencil.damping.map_or_else(|| vec![0.0; pencil.mass.len()], <[f64]>::to_vec);
        let (pattern, sources) = pencil.full();
        let real = real_form(&pattern, &sources);
        let (mut lu, mut adjoint) = (SparseLu::new(), SparseLu::new());
        lu.analyse(&real)?;
        if !symmetric {
            adjoint.analyse(&real)?;
        }
        // The pattern is symmetric in structure: entries of the transposed one are in the same order.
        let across = (!symmetric).then(|| pencil.pattern.transpose().1);
        let work = vec![0.0; 2 * pattern.ncols()];
        Ok(Self { pencil, damping, pattern, sources, across, lu, adjoint, values: vec![0.0; real.nnz()], work })
    }

    /// Unknowns with the forces of the constraints.
    pub fn total(&self) -> usize {
        self.pattern.ncols()
    }

    /// Largest entry of G.
    pub fn border(&self) -> f64 {
        self.pencil.constraints.map_or(0.0, |(_, g)| largest(g))
    }

    /// Largest entry of K.
    pub fn stiffest(&self) -> f64 {
        largest(self.pencil.stiffness)
    }

    fn entry(&self, source: Source, value: Complex<f64>) -> Complex<f64> {
        match source {
            Source::Entry(e) => {
                value * value * self.pencil.mass[e] + value * self.damping[e] + self.pencil.stiffness[e]
            }
            Source::Border(g) => Complex::new(g, 0.0),
        }
    }

    fn fill(&mut self, value: Complex<f64>, transposed: bool) {
        let mut values = std::mem::take(&mut self.values);
        values.clear();
        let turned = |source: Source| match (source, &self.across) {
            (Source::Entry(e), Some(across)) if transposed => Source::Entry(across[e]),
            (source, _) => source,
        };
        for half in 0..2 {
            for col in 0..self.pattern.ncols() {
                let entries = || {
                    let sources = self.pattern.column(col).map(|place| turned(self.sources[place]));
                    sources.map(|source| (matches!(source, Source::Entry(_)), self.entry(source, value)))
                };
                let imaginary = |sign: f64| entries().filter(|(own, _)| *own).map(move |(_, z)| sign * z.im);
                if half == 0 {
                    values.extend(entries().map(|(_, z)| z.re));
                    values.extend(imaginary(1.0));
                } else {
                    values.extend(imaginary(-1.0));
                    values.extend(entries().map(|(_, z)| z.re));
                }
            }
        }
        self.values = values;
    }

    /// Factorises P(λ).
    pub fn factor(&mut self, value: Complex<f64>) -> Result<(), EigenError> {
        self.fill(value, false);
        self.lu.factor(&self.values)?;
        Ok(())
    }

    /// Factorises the adjoint of P(λ) if it is not that of the last factorised matrix.
    pub fn factor_adjoint(&mut self, value: Complex<f64>) -> Result<(), EigenError> {
        if self.across.is_some() {
            self.fill(value.conj(), true);
            self.adjoint.factor(&self.values)?;
        }
        Ok(())
    }

    /// P⁻¹ b with the forces of the constraints.
    pub fn solve(&mut self, b: &[Complex<f64>], out: &mut [Complex<f64>]) -> Result<(), EigenError> {
        load(&mut self.work, b);
        self.lu.solve(&mut self.work)?;
        unload(&self.work, out);
        Ok(())
    }

    /// As [`Self::solve`], where rounding errors are corrected later.
    pub fn solve_roughly(&mut self, b: &[Complex<f64>], out: &mut [Complex<f64>]) -> Result<(), EigenError> {
        load(&mut self.work, b);
        self.lu.solve_roughly(&mut self.work)?;
        unload(&self.work, out);
        Ok(())
    }

    /// P⁻ᴴ b: of a symmetric P the conjugate of P⁻¹ b̄.
    pub fn solve_adjoint(&mut self, b: &[Complex<f64>], out: &mut [Complex<f64>]) -> Result<(), EigenError> {
        if self.across.is_some() {
            load(&mut self.work, b);
            self.adjoint.solve(&mut self.work)?;
            unload(&self.work, out);
            return Ok(());
        }
        let turned: Vec<Complex<f64>> = b.iter().map(Complex::conj).collect();
        self.solve(&turned, out)?;
        out.iter_mut().for_each(|z| *z = z.conj());
        Ok(())
    }

    /// P z and |P| |z|.
    pub fn multiply(&self, value: Complex<f64>, z: &[Complex<f64>]) -> (Vec<Complex<f64>>, Vec<f64>) {
        let (mut image, mut sizes) = (vec![Complex::new(0.0, 0.0); self.total()], vec![0.0; self.total()]);
        let (rate, square) = (value.norm(), value.norm_sqr());
        for (col, z) in z.iter().enumerate() {
            let size = z.norm();
            for place in self.pattern.column(col) {
                let (row, source) = (self.pattern.row_idx()[place], self.sources[place]);
                image[row] += self.entry(source, value) * z;
                sizes[row] += size
                    * match source {
                        Source::Entry(e) => {
                            self.pencil.stiffness[e].abs()
                                + rate * self.damping[e].abs()
                                + square * self.pencil.mass[e].abs()
                        }
                        Source::Border(g) => g.abs(),
                    };
            }
        }
        (image, sizes)
    }

    /// (α M + β C) x.
    pub fn rates(&self, alpha: Complex<f64>, beta: f64, x: &[Complex<f64>], out: &mut [Complex<f64>]) {
        out.fill(Complex::new(0.0, 0.0));
        let pattern = self.pencil.pattern;
        for (col, x) in x.iter().enumerate().take(self.pencil.size()) {
            for place in pattern.column(col) {
                out[pattern.row_idx()[place]] += (alpha * self.pencil.mass[place] + beta * self.damping[place]) * x;
            }
        }
    }
}

/// (Re b, 0, Im b, 0): no right-hand sides of the constraints.
fn load(work: &mut [f64], b: &[Complex<f64>]) {
    work.fill(0.0);
    let total = work.len() / 2;
    for (i, b) in b.iter().enumerate() {
        (work[i], work[total + i]) = (b.re, b.im);
    }
}

fn unload(work: &[f64], out: &mut [Complex<f64>]) {
    let total = work.len() / 2;
    out.iter_mut().enumerate().for_each(|(i, z)| *z = Complex::new(work[i], work[total + i]));
}

/// The pattern of [[Re, −Im], [Im, Re]], in which borders have no imaginary part.
fn real_form(pattern: &Pattern, sources: &[Source]) -> Pattern {
    let total = pattern.ncols();
    let mut builder = PatternBuilder::new(2 * total, 2 * total);
    for half in 0..2 {
        for col in 0..total {
            let all = pattern.column(col).map(|place| half * total + pattern.row_idx()[place]);
            let own = pattern.column(col).filter(|&place| matches!(sources[place], Source::Entry(_)));
            let other = own.map(|place| (1 - half) * total + pattern.row_idx()[place]);
            let mut rows: Vec<usize> = all.chain(other).collect();
            rows.sort_unstable();
            // Indices are within the matrix by construction.
            let _ = builder.add(&rows, &[half * total + col]);
        }
    }
    builder.build().0
}
