//! The equations of motion, joints and servo paths with their Taylor coefficients.
//!
//! With p = ∂L/∂q̇ and s = ∂L/∂q + F + Gᵀλ as expressions of (q, v, λ, u, t) the rows of motion are ṗ − s = 0: the derivative
//! by time costs nothing where p is a series.

use nalgebra::DMatrix;

use super::ServoProblem;
use super::series::Series;
use crate::discretisation::transcription::At;
use crate::nlp::graph::{Expr, Graph, Program, Side, Taylor};
use crate::nlp::{EvalFailure, Nlp};

/// What a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Equation of motion of a coordinate.
    Motion(usize),
    /// Holonomic constraint.
    Joint(usize),
    /// Servo constraint.
    Servo(usize),
}

/// The system f(y, ẏ, ÿ, t) = 0 in y = (q, λ, u).
#[derive(Debug, Clone)]
pub struct Equations {
    program: Program,
    taylor: Taylor,
    /// Numbers of coordinates, multipliers and controls.
    sizes: [usize; 3],
    outputs: usize,
    row_names: Vec<String>,
    unknown_names: Vec<String>,
    x: Vec<f64>,
    jacobian: Vec<f64>,
}

/// The rows (p, s, g, h − γ) as expressions, and the variables (q, v, λ, u, t) they are of.
pub(super) struct Stated<'g> {
    pub rows: Vec<(String, Expr<'g>)>,
    pub variables: Vec<Expr<'g>>,
    constraints: Vec<String>,
}

/// States the equations on a graph.
pub(super) fn state<'g>(graph: &'g Graph, problem: &ServoProblem) -> Stated<'g> {
    let mechanics = &problem.mechanics;
    let input = |name: String| graph.variable(name, 0.0, f64::NEG_INFINITY, f64::INFINITY);
    let (names, controls) = (mechanics.coordinates(), mechanics.controls());
    let q: Vec<Expr<'g>> = names.iter().map(|name| input(name.clone())).collect();
    let v: Vec<Expr<'g>> = names.iter().map(|name| input(format!("velocity of {name}"))).collect();
    // The number of constraints is known only once they are written.
    let zero = graph.constant(0.0);
    let still = At { graph, q: q.clone(), v: v.clone(), u: vec![zero; controls.len()], t: zero };
    let multipliers: Vec<Expr<'g>> =
        mechanics.constraints(&still).iter().map(|(name, _)| input(format!("force of the {name}"))).collect();
    let u: Vec<Expr<'g>> = controls.iter().map(|name| input(name.clone())).collect();
    let t = graph.parameter("t");
    let at = At { graph, q: q.clone(), v: v.clone(), u: u.clone(), t };
    let constraints = mechanics.constraints(&at);
    let lagrangian = mechanics.lagrangian(&at);
    let (momenta, slopes) = (graph.gradient(lagrangian, &v), graph.gradient(lagrangian, &q));
    let reactions: Vec<Vec<Expr<'g>>> = constraints.iter().map(|(_, g)| graph.gradient(*g, &q)).collect();
    let forces = mechanics.forces(&at);
    let mut rows: Vec<(String, Expr<'g>)> =
        names.iter().zip(&momenta).map(|(name, p)| (format!("momentum of {name}"), *p)).collect();
    for (i, name) in names.iter().enumerate() {
        let joints = reactions.iter().zip(&multipliers).map(|(g, l)| g[i] * *l);
        let total = graph.sum([slopes[i], forces[i]].into_iter().chain(joints).collect::<Vec<_>>());
        rows.push((format!("force on {name}"), total));
    }
    rows.extend(constraints.iter().cloned());
    let servo = |output: &super::Output| (output.name.clone(), (output.output)(&at) - (output.path)(&at));
    rows.extend(problem.outputs.iter().map(servo));
    let variables = q.into_iter().chain(v).chain(multipliers).chain(u).chain([t]).collect();
    Stated { rows, variables, constraints: constraints.into_iter().map(|(name, _)| name).collect() }
}

impl Equations {
    /// States the equations; series have degrees up to `degree`.
    pub fn new(problem: &ServoProblem, degree: usize) -> Self {
        let graph = Graph::new();
        let stated = state(&graph, problem);
        stated.rows.iter().for_each(|(name, row)| graph.subject_to(name.clone(), *row, 0.0, 0.0));
        let (names, controls) = (problem.mechanics.coordinates(), problem.mechanics.controls());
        let constraints = &stated.constraints;
        let program = graph.build();
        let motion = names.iter().map(|name| format!("equation of motion of {name}"));
        let joints = constraints.iter().cloned();
        let servos = problem.outputs.iter().map(|output| format!("servo output {}", output.name));
        let sizes = [names.len(), constraints.len(), controls.len()];
        let forces = constraints.iter().map(|name| format!("force of the {name}"));
        let unknown_names = names.iter().cloned().chain(forces);
        Self {
            taylor: Taylor::new(&program, degree),
            x: vec![0.0; program.bounds().variables()],
            jacobian: vec![0.0; program.jacobian_pattern().nnz()],
            sizes,
            outputs: problem.outputs.len(),
            row_names: motion.chain(joints).chain(servos).collect(),
            unknown_names: unknown_names.chain(controls).collect(),
            program,
        }
    }

    /// Series of these degrees are possible from now on.
    pub fn set_degree(&mut self, degree: usize) {
        if self.taylor.degree() < degree {
            self.taylor = Taylor::new(&self.program, degree);
        }
    }

    /// Numbers of coordinates, multipliers and controls.
    pub fn sizes(&self) -> [usize; 3] {
        self.sizes
    }

    /// Number of servo outputs.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// Number of equations.
    pub fn rows(&self) -> usize {
        self.sizes[0] + self.sizes[1] + self.outputs
    }

    /// Number of unknowns.
    pub fn unknowns(&self) -> usize {
        self.sizes.iter().sum()
    }

    /// What an equation is.
    pub fn kind(&self, row: usize) -> Kind {
        let [n, m, _] = self.sizes;
        match row {
            row if row < n => Kind::Motion(row),
            row if row < n + m => Kind::Joint(row - n),
            row => Kind::Servo(row - n - m),
        }
    }

    /// What messages call an equation.
    pub fn row_name(&self, row: usize) -> &str {
        &self.row_names[row]
    }

    /// What messages call an unknown.
    pub fn unknown_name(&self, unknown: usize) -> &str {
        &self.unknown_names[unknown]
    }

    /// Evaluates all rows as series, those of motion up to a degree, others to one more.
    pub fn evaluate(&mut self, series: &Series, t: f64, degree: usize, side: Side) {
        let degree = (degree + 1).min(self.taylor.degree());
        write(self.sizes, series, t, degree, &mut self.taylor);
        self.taylor.evaluate(degree, side);
    }

    /// Writes the variables of a program of the same variables.
    pub(super) fn write(&self, series: &Series, t: f64, degree: usize, to: &mut Taylor) {
        write(self.sizes, series, t, degree, to);
    }

    /// A coefficient of an equation after an evaluation, and the size of the terms that it is the sum of.
    pub fn residual(&self, row: usize, k: usize) -> (f64, f64) {
        let n = self.sizes[0];
        match self.kind(row) {
            Kind::Motion(i) => {
                let (p, s) = ((k + 1) as f64 * self.taylor.row(i)[k + 1], self.taylor.row(n + i)[k]);
                (p - s, p.abs() + s.abs())
            }
            _ => {
                let value = self.taylor.row(n + row)[k];
                (value, value.abs())
            }
        }
    }

    /// Derivatives of (p, s, g, h) by (q, v, λ, u) at the instant, by row and column of the program.
    pub fn slopes(&mut self, series: &Series, t: f64) -> Result<DMatrix<f64>, EvalFailure> {
        let [n, m, p] = self.sizes;
        for i in 0..n {
            self.x[i] = series.of(i)[0];
            self.x[n + i] = series.of(i)[1];
        }
        for j in 0..m + p {
            self.x[2 * n + j] = series.of(n + j)[0];
        }
        self.x[2 * n + m + p] = t;
        let mut rows = vec![0.0; self.program.bounds().rows()];
        self.program.constraints(&self.x, &mut rows)?;
        self.program.jacobian(&self.x, &mut self.jacobian)?;
        let pattern = self.program.jacobian_pattern();
        let mut matrix = DMatrix::zeros(pattern.nrows(), pattern.ncols());
        for col in 0..pattern.ncols() {
            for entry in pattern.column(col) {
                matrix[(pattern.row_idx()[entry], col)] = self.jacobian[entry];
            }
        }
        Ok(matrix)
    }

    /// ∂fᵢ/∂yⱼ⁽ʳ⁾ from the derivatives of the program, where r is the highest derivative that occurs.
    pub fn entry(&self, slopes: &DMatrix<f64>, row: usize, unknown: usize, order: usize) -> f64 {
        let [n, m, _] = self.sizes;
        let column = if unknown < n { unknown } else { n + unknown };
        match (self.kind(row), order) {
            (Kind::Motion(i), 2) if unknown < n => slopes[(i, n + unknown)],
            (Kind::Motion(i), 1) if unknown < n => slopes[(i, unknown)] - slopes[(n + i, n + unknown)],
            (Kind::Motion(i), 0) => -slopes[(n + i, column)],
            (Kind::Joint(g), 0) if unknown < n => slopes[(2 * n + g, unknown)],
            (Kind::Servo(h), 0) if unknown < n => slopes[(2 * n + m + h, unknown)],
            _ => 0.0,
        }
    }

    /// Why the equations have no value at the instant, if it is so.
    pub fn failure(&mut self, series: &Series, t: f64) -> Option<EvalFailure> {
        self.slopes(series, t).err()
    }
}

/// Writes (q, v, λ, u, t) up to a degree; coefficients that the series do not have are zero.
fn write([n, m, p]: [usize; 3], series: &Series, t: f64, degree: usize, to: &mut Taylor) {
    for i in 0..n {
        let own = |k: usize| series.of(i).get(k).copied().unwrap_or(0.0);
        (0..=degree).for_each(|k| to.variable(i)[k] = own(k));
        (0..=degree).for_each(|k| to.variable(n + i)[k] = (k + 1) as f64 * own(k + 1));
    }
    for j in 0..m + p {
        let own = series.of(n + j);
        (0..=degree).for_each(|k| to.variable(2 * n + j)[k] = own.get(k).copied().unwrap_or(0.0));
    }
    let time = to.variable(2 * n + m + p);
    time.fill(0.0);
    time[0] = t;
    if degree > 0 {
        time[1] = 1.0;
    }
}
