//! The equations of rest of a system, with their exact derivatives.

use nalgebra::{DMatrix, DVector};

use crate::discretisation::transcription::{At, Mechanics};
use crate::nlp::graph::{Expr, Graph, Program};
use crate::nlp::{EvalFailure, Nlp};

/// Rows ∂L/∂v, ∂L/∂q + Q + Gᵀλ and g over the variables q, v and λ.
pub(super) struct Equations {
    program: Program,
    coordinates: usize,
    constraints: usize,
}

/// Matrices of small motions and the directions that the constraints leave, as columns.
pub(super) struct Linear {
    pub mass: DMatrix<f64>,
    /// Damping and gyroscopic forces.
    pub rates: DMatrix<f64>,
    pub stiffness: DMatrix<f64>,
    pub directions: DMatrix<f64>,
}

impl Linear {
    /// A matrix over the directions that the constraints leave.
    pub fn reduced(&self, matrix: &DMatrix<f64>) -> DMatrix<f64> {
        self.directions.transpose() * matrix * &self.directions
    }
}

impl Equations {
    /// With all controls zero, at a time.
    pub fn new(mechanics: &dyn Mechanics, t: f64) -> Self {
        let graph = Graph::new();
        let n = mechanics.coordinates().len();
        let free = |name: String| graph.variable(name, 0.0, f64::NEG_INFINITY, f64::INFINITY);
        let q: Vec<Expr<'_>> = (0..n).map(|i| free(format!("q{i}"))).collect();
        let v: Vec<Expr<'_>> = (0..n).map(|i| free(format!("v{i}"))).collect();
        let u = vec![graph.constant(0.0); mechanics.controls().len()];
        let at = At { graph: &graph, q: q.clone(), v: v.clone(), u, t: graph.constant(t) };
        let lagrangian = mechanics.lagrangian(&at);
        let held = mechanics.constraints(&at);
        let multipliers: Vec<Expr<'_>> = held.iter().map(|(name, _)| free(name.clone())).collect();
        let work = graph.sum(held.iter().zip(&multipliers).map(|((_, g), multiplier)| *g * *multiplier));
        let slopes = graph.gradient(lagrangian + work, &q);
        let forces = mechanics.forces(&at);
        let momenta = graph.gradient(lagrangian, &v);
        let balances = slopes.into_iter().zip(forces).map(|(slope, force)| slope + force);
        let rows: Vec<Expr<'_>> = momenta.into_iter().chain(balances).chain(held.iter().map(|(_, g)| *g)).collect();
        rows.into_iter().for_each(|row| graph.subject_to("row", row, 0.0, 0.0));
        Self { constraints: held.len(), coordinates: n, program: graph.build() }
    }

    /// Number of constraints.
    pub fn constraints(&self) -> usize {
        self.constraints
    }

    /// Variables of the program with velocities zero, from coordinates and multipliers.
    fn variables(&self, x: &DVector<f64>) -> Vec<f64> {
        let (q, multipliers) = x.as_slice().split_at(self.coordinates);
        [q, &vec![0.0; self.coordinates], multipliers].concat()
    }

    /// Forces and constraints at rest.
    pub fn residual(&mut self, x: &DVector<f64>) -> Result<DVector<f64>, EvalFailure> {
        let variables = self.variables(x);
        let mut rows = vec![0.0; 2 * self.coordinates + self.constraints];
        self.program.constraints(&variables, &mut rows)?;
        Ok(DVector::from_column_slice(&rows[self.coordinates..]))
    }

    fn whole(&mut self, x: &DVector<f64>) -> Result<DMatrix<f64>, EvalFailure> {
        let variables = self.variables(x);
        let size = 2 * self.coordinates + self.constraints;
        let mut values = vec![0.0; self.program.jacobian_pattern().nnz()];
        self.program.jacobian(&variables, &mut values)?;
        let mut out = DMatrix::zeros(size, size);
        let pattern = self.program.jacobian_pattern();
        for col in 0..size {
            for place in pattern.column(col) {
                out[(pattern.row_idx()[place], col)] += values[place];
            }
        }
        Ok(out)
    }

    /// Derivative of the residual by coordinates and multipliers.
    pub fn jacobian(&mut self, x: &DVector<f64>) -> Result<DMatrix<f64>, EvalFailure> {
        let (n, m) = (self.coordinates, self.constraints);
        let whole = self.whole(x)?;
        let place = |i: usize| if i < n { i } else { n + i };
        Ok(DMatrix::from_fn(n + m, n + m, |i, j| whole[(n + i, place(j))]))
    }

    /// Small motions about an equilibrium.
    pub fn linear(&mut self, x: &DVector<f64>) -> Result<Linear, EvalFailure> {
        /// Squares of singular values of constraints below this, against the largest, hold nothing.
        const NOTHING: f64 = 1e-12;
        let (n, m) = (self.coordinates, self.constraints);
        let whole = self.whole(x)?;
        let block = |row: usize, col: usize| whole.view((row, col), (n, n)).into_owned();
        let held = whole.view((2 * n, 0), (m, n)).into_owned();
        // Eigenvectors of GᵀG without an eigenvalue span what the constraints leave.
        let square = held.transpose() * &held;
        let scale = square.amax();
        let parts = square.symmetric_eigen();
        let free: Vec<usize> = (0..n).filter(|i| parts.eigenvalues[*i] <= NOTHING * scale).collect();
        let directions = match m {
            0 => DMatrix::identity(n, n),
            _ => DMatrix::from_fn(n, free.len(), |i, j| parts.eigenvectors[(i, free[j])]),
        };
        Ok(Linear { mass: block(0, n), rates: block(0, 0) - block(n, n), stiffness: -block(n, 0), directions })
    }
}
