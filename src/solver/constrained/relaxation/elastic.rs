//! The l1 relaxation: min ρ Σ(pᵢ + qᵢ) + ζ/2 ‖D(x − x_R)‖² subject to c_L ≤ c(x) − p + q ≤ c_U, p, q ≥ 0.
//!
//! It always has feasible points, its minimum is the smallest violation Σ|…| of the rows near x_R, and the rows with
//! p + q > 0 there are those that cannot all be met. Variables are ordered (x, p, q).

use crate::nlp::{Bounds, EvalFailure, Nlp, Pattern, PatternBuilder, PatternError};
use crate::solver::constrained::staged::Staged;

/// Weight of the violation against everything else.
pub const WEIGHT: f64 = 1e3;

/// Sizes, patterns and the reference point of the relaxation.
pub struct Elastic {
    n: usize,
    m: usize,
    bounds: Bounds,
    jacobian: Pattern,
    hessian: Pattern,
    /// Places of the Hessian entries of the program and of the diagonal of x.
    hessian_places: Vec<usize>,
    diagonal_places: Vec<usize>,
    hessian_values: Vec<f64>,
    reference: Vec<f64>,
    /// D²: 1 / max(1, |x_R|)².
    weights: Vec<f64>,
    zeta: f64,
}

impl Elastic {
    pub fn new(nlp: &dyn Nlp) -> Result<Self, PatternError> {
        let (n, m) = (nlp.bounds().variables(), nlp.bounds().rows());
        let mut bounds = nlp.bounds().clone();
        bounds.x_lower.resize(n + 2 * m, 0.0);
        bounds.x_upper.resize(n + 2 * m, f64::INFINITY);

        let mut builder = PatternBuilder::new(m, n + 2 * m);
        for column in 0..n {
            let rows = &nlp.jacobian_pattern().row_idx()[nlp.jacobian_pattern().column(column)];
            builder.add(rows, &[column])?;
        }
        for i in 0..2 * m {
            builder.add(&[i % m], &[n + i])?;
        }
        let jacobian = builder.build().0;

        let mut builder = PatternBuilder::new(n + 2 * m, n + 2 * m);
        for column in 0..n {
            let rows = &nlp.hessian_pattern().row_idx()[nlp.hessian_pattern().column(column)];
            builder.add(rows, &[column])?;
            builder.add(&[column], &[column])?;
        }
        let (hessian, map) = builder.build();
        let hessian_places = (0..n).flat_map(|column| map.block(2 * column).to_vec()).collect();
        let diagonal_places = (0..n).map(|column| map.block(2 * column + 1)[0]).collect();
        Ok(Self {
            n,
            m,
            bounds,
            jacobian,
            hessian,
            hessian_places,
            diagonal_places,
            hessian_values: vec![0.0; nlp.hessian_pattern().nnz()],
            reference: vec![0.0; n],
            weights: vec![0.0; n],
            zeta: 0.0,
        })
    }

    /// Sets x_R.
    pub fn refer_to(&mut self, x: &[f64]) {
        self.reference.copy_from_slice(x);
        for (weight, x) in self.weights.iter_mut().zip(x) {
            *weight = x.abs().max(1.0).powi(-2);
        }
    }

    /// The relaxation of a program.
    pub fn view<'a>(&'a mut self, nlp: &'a mut dyn Staged) -> Relaxed<'a> {
        Relaxed { elastic: self, nlp }
    }
}

/// The p and q that minimise the barrier problem of the relaxation for a given c(x) − s.
pub fn best_elastics(residual: f64, mu: f64) -> (f64, f64) {
    let reach = WEIGHT * residual;
    let root = mu.hypot(reach);
    // root ± reach, written without cancellation.
    let (plus, minus) =
        if reach > 0.0 { (root + reach, mu * mu / (root + reach)) } else { (mu * mu / (root - reach), root - reach) };
    ((mu + plus) / (2.0 * WEIGHT), (mu + minus) / (2.0 * WEIGHT))
}

/// The relaxation of a program as a program.
pub struct Relaxed<'a> {
    elastic: &'a mut Elastic,
    pub nlp: &'a mut dyn Staged,
}

impl Nlp for Relaxed<'_> {
    fn bounds(&self) -> &Bounds {
        &self.elastic.bounds
    }

    fn jacobian_pattern(&self) -> &Pattern {
        &self.elastic.jacobian
    }

    fn hessian_pattern(&self) -> &Pattern {
        &self.elastic.hessian
    }

    fn objective(&mut self, x: &[f64]) -> Result<f64, EvalFailure> {
        let (x, elastics) = x.split_at(self.elastic.n);
        let Elastic { reference, weights, zeta, .. } = &self.elastic;
        let distance = x.iter().zip(reference).zip(weights).map(|((x, r), w)| w * (x - r).powi(2));
        Ok(WEIGHT * elastics.iter().sum::<f64>() + 0.5 * zeta * distance.sum::<f64>())
    }

    fn gradient(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        let Elastic { n, reference, weights, zeta, .. } = &self.elastic;
        let (out, elastics) = out.split_at_mut(*n);
        elastics.fill(WEIGHT);
        for (((out, x), r), w) in out.iter_mut().zip(x).zip(reference).zip(weights) {
            *out = zeta * w * (x - r);
        }
        Ok(())
    }

    fn constraints(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        let Elastic { n, m, .. } = *self.elastic;
        self.nlp.constraints(&x[..n], out)?;
        for (row, out) in out.iter_mut().enumerate() {
            *out += x[n + m + row] - x[n + row];
        }
        Ok(())
    }

    fn jacobian(&mut self, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        let Elastic { n, m, .. } = *self.elastic;
        let first = values.len() - 2 * m;
        let (program, elastics) = values.split_at_mut(first);
        elastics[..m].fill(-1.0);
        elastics[m..].fill(1.0);
        self.nlp.jacobian(&x[..n], program)
    }

    fn hessian(&mut self, x: &[f64], sigma: f64, lambda: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        let Elastic { n, hessian_places, diagonal_places, hessian_values, weights, zeta, .. } = &mut *self.elastic;
        self.nlp.hessian(&x[..*n], 0.0, lambda, hessian_values)?;
        values.fill(0.0);
        for (&place, value) in hessian_places.iter().zip(hessian_values.iter()) {
            values[place] += value;
        }
        for (&place, weight) in diagonal_places.iter().zip(weights.iter()) {
            values[place] += sigma * *zeta * weight;
        }
        Ok(())
    }

    fn variable_name(&self, variable: usize) -> String {
        let Elastic { n, m, .. } = *self.elastic;
        match variable.checked_sub(n) {
            None => self.nlp.variable_name(variable),
            Some(row) => format!("violation of {}", self.nlp.row_name(row % m)),
        }
    }

    fn row_name(&self, row: usize) -> String {
        self.nlp.row_name(row)
    }
}

impl Staged for Relaxed<'_> {
    fn follow(&mut self, mu: f64) -> bool {
        self.elastic.zeta = mu.sqrt();
        true
    }
}
