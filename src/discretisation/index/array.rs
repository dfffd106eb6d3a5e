//! Systems whose structure hides their index: all derivatives of all equations at once.
//!
//! Where the matrix J of the structural analysis is singular wherever one looks (an overhead crane in the angle of its rope),
//! some combination of the equations lacks the derivatives that each of them has. Then fᵢ⁽⁰⁾ … fᵢ⁽ᶜⁱ⁺ˢ⁾ = 0 is solved for
//! yⱼ⁽⁰⁾ … yⱼ⁽ᵈʲ⁺ˢ⁾ together, with the least s for which y itself is determined although the highest derivatives are not
//! (a derivative array that is 1-full; Campbell 1987, Kunkel and Mehrmann 2006). Steps are those of least length.

use nalgebra::{DMatrix, DVector};

use super::ServoProblem;
use super::equations::{Equations, Kind, state};
use super::explain::ServoError;
use super::series::Series;
use super::stages::When;
use crate::nlp::graph::{Expr, Graph, Taylor};

/// Most further differentiations that are tried.
pub(super) const MOST: usize = 8;
/// Most unknowns of a system that is treated so.
pub(super) const LARGEST: usize = 24;
/// Relative singular values below this do not count.
const RANK: f64 = 1e-9;
/// Share that directions left open may have in what is determined.
const OPEN: f64 = 1e-6;
const MAX_ITERATIONS: usize = 40;
const MAX_HALVINGS: usize = 10;
/// Relative violation at which rounding may be all that is left.
const ROUNDING: f64 = 1e-8;

/// The derivative array of a system.
#[derive(Debug, Clone)]
pub(super) struct Array {
    /// Series of ∂(p, s, g, h)/∂(q, v, λ, u).
    partials: Taylor,
    rows: Vec<(usize, usize)>,
    columns: Vec<(usize, usize)>,
    sizes: [usize; 3],
    /// Time by which series are scaled, second.
    time: f64,
}

/// What the array determines.
pub(super) struct Fullness {
    /// Largest share that open directions have in an unknown or a velocity, and the unknown.
    pub open: (f64, usize),
    /// Highest derivative of each servo row that the controls depend on.
    pub degrees: Vec<usize>,
}

impl Array {
    /// All derivatives up to given ones, of equations and of unknowns.
    pub fn new(problem: &ServoProblem, equations: &Equations, orders: (&[usize], &[usize]), time: f64) -> Self {
        let graph = Graph::new();
        let stated = state(&graph, problem);
        let by: Vec<Expr<'_>> = stated.variables[..stated.variables.len() - 1].to_vec();
        for (name, row) in &stated.rows {
            for slope in graph.gradient(*row, &by) {
                graph.subject_to(name.clone(), slope, 0.0, 0.0);
            }
        }
        let all = |orders: &[usize]| -> Vec<(usize, usize)> {
            orders.iter().enumerate().flat_map(|(place, most)| (0..=*most).map(move |order| (place, order))).collect()
        };
        let degree = orders.0.iter().copied().max().unwrap_or(0) + 2;
        Self {
            partials: Taylor::new(&graph.build(), degree),
            rows: all(orders.0),
            columns: all(orders.1),
            sizes: equations.sizes(),
            time,
        }
    }

    /// The Jacobian of scaled coefficients f[K] τᴷ by y[L] τᴸ.
    fn jacobian(&mut self, equations: &Equations, series: &Series, when: When) -> DMatrix<f64> {
        let [n, m, p] = self.sizes;
        let degree = self.partials.degree();
        equations.write(series, when.t, degree, &mut self.partials);
        self.partials.evaluate(degree, when.side);
        let width = 2 * n + m + p;
        let slope = |row: usize, column: usize, k: isize| match usize::try_from(k) {
            Ok(k) if k <= degree => self.partials.row(row * width + column)[k],
            _ => 0.0,
        };
        DMatrix::from_fn(self.rows.len(), self.columns.len(), |a, b| {
            let ((i, low), (j, high)) = (self.rows[a], self.columns[b]);
            let (k, l) = (low as isize, high as isize);
            let value = match (equations.kind(i), j < n) {
                (Kind::Motion(i), true) => {
                    let momentum = slope(i, j, k + 1 - l) + high as f64 * slope(i, n + j, k + 2 - l);
                    let force = slope(n + i, j, k - l) + high as f64 * slope(n + i, n + j, k + 1 - l);
                    (low + 1) as f64 * momentum - force
                }
                (Kind::Motion(i), false) => -slope(n + i, n + j, k - l),
                (Kind::Joint(_) | Kind::Servo(_), true) => slope(n + i, j, k - l),
                _ => 0.0,
            };
            value * self.time.powi((k - l) as i32)
        })
    }

    /// Residuals, scaled as the Jacobian, with the sizes of their terms.
    fn residual(&self, equations: &mut Equations, series: &Series, when: When) -> Option<Vec<(f64, f64)>> {
        let degree = self.rows.iter().map(|(_, order)| *order).max().unwrap_or(0);
        equations.evaluate(series, when.t, degree, when.side);
        let of = |(row, order): &(usize, usize)| {
            let (value, terms) = equations.residual(*row, *order);
            let scale = self.time.powi(*order as i32);
            (value * scale, terms * scale)
        };
        let found: Vec<(f64, f64)> = self.rows.iter().map(of).collect();
        found.iter().all(|(value, _)| value.is_finite()).then_some(found)
    }

    /// Solves an instant from the coefficients in `series`.
    pub fn solve(&mut self, equations: &mut Equations, series: &mut Series, when: When) -> Result<(), ServoError> {
        let undefined = |equations: &mut Equations, series: &Series| match equations.failure(series, when.t) {
            Some(failure) => ServoError::Evaluation { time: when.t, failure },
            None => ServoError::NotConverged { time: when.t, row: "the series".into(), derivative: 0, left: f64::NAN },
        };
        let Some(mut found) = self.residual(equations, series, when) else { return Err(undefined(equations, series)) };
        let mut last = f64::INFINITY;
        let mut worst = 0;
        for _ in 0..MAX_ITERATIONS {
            let mut matrix = self.jacobian(equations, series, when);
            let scaled = |(j, order): &(usize, usize)| (series.of(*j)[*order] * self.time.powi(*order as i32)).abs();
            let sizes: Vec<f64> = self.columns.iter().map(scaled).collect();
            let mut right = DVector::zeros(found.len());
            let mut left = 0.0;
            for (row, mut entries) in matrix.row_iter_mut().enumerate() {
                let terms: f64 = entries.iter().zip(&sizes).map(|(a, y)| a.abs() * y).sum();
                let largest = entries.amax().max(f64::MIN_POSITIVE);
                let relative = found[row].0.abs() / (terms + found[row].1 + largest * 1e-3);
                if relative > left {
                    (left, worst) = (relative, row);
                }
                right[row] = found[row].0 / largest;
                entries /= largest;
            }
            if left == 0.0 || (left <= ROUNDING && left > 0.25 * last) {
                return Ok(());
            }
            last = left;
            let decomposed = matrix.svd(true, true);
            let largest = decomposed.singular_values.iter().copied().fold(0.0, f64::max);
            let Ok(step) = decomposed.solve(&right, RANK * largest) else { return Err(undefined(equations, series)) };
            let before = series.clone();
            let size = |found: &[(f64, f64)]| found.iter().fold(0.0, |most: f64, (value, _)| most.max(value.abs()));
            let mut share = 1.0;
            let mut next = None;
            for _ in 0..MAX_HALVINGS {
                for ((j, order), step) in self.columns.iter().zip(step.iter()) {
                    series.of_mut(*j)[*order] = before.of(*j)[*order] - share * step / self.time.powi(*order as i32);
                }
                next = self.residual(equations, series, when);
                if next.as_ref().is_some_and(|next| left <= 1e-6 || size(next) <= 4.0 * size(&found)) {
                    break;
                }
                share *= 0.5;
            }
            match next {
                Some(next) => found = next,
                None => return Err(undefined(equations, series)),
            }
        }
        let (row, derivative) = self.rows[worst];
        let row = equations.row_name(row).to_owned();
        Err(ServoError::NotConverged { time: when.t, row, derivative, left: last })
    }

    /// Whether unknowns and velocities are determined at a solution, and what the controls depend on.
    pub fn fullness(&mut self, equations: &Equations, series: &Series, when: When) -> Fullness {
        let n = self.sizes[0];
        let mut matrix = self.jacobian(equations, series, when);
        let mut weights = vec![1.0; self.rows.len()];
        for (mut row, weight) in matrix.row_iter_mut().zip(&mut weights) {
            let largest = row.amax();
            if largest > 0.0 {
                row /= largest;
                *weight = 1.0 / largest;
            }
        }
        let width = self.columns.len();
        // A square matrix has all right singular vectors, those of zero among them.
        let tall = matrix.clone().resize(self.rows.len().max(width), width, 0.0);
        let decomposed = tall.svd(false, true);
        let largest = decomposed.singular_values.iter().copied().fold(0.0, f64::max);
        let mut open = (0.0, 0);
        if let Some(v) = &decomposed.v_t {
            for (direction, value) in v.row_iter().zip(decomposed.singular_values.iter()) {
                if *value > RANK * largest {
                    continue;
                }
                for (entry, (j, order)) in direction.iter().zip(&self.columns) {
                    if (*order == 0 || (*order == 1 && *j < n)) && entry.abs() > open.0 {
                        open = (entry.abs(), *j);
                    }
                }
            }
        }
        let first = self.sizes[0] + self.sizes[1];
        let inverse = matrix.pseudo_inverse(RANK * largest).unwrap_or_else(|_| DMatrix::zeros(width, self.rows.len()));
        let mut degrees = vec![0; equations.outputs()];
        for (control, _) in self.columns.iter().enumerate().filter(|(_, (j, order))| *j >= first && *order == 0) {
            let largest = inverse.row(control).amax();
            for (column, (row, order)) in self.rows.iter().enumerate() {
                if let Kind::Servo(output) = equations.kind(*row)
                    && inverse[(control, column)].abs() > OPEN * largest
                {
                    degrees[output] = degrees[output].max(*order);
                }
            }
        }
        Fullness { open, degrees }
    }
}

impl Fullness {
    /// Whether everything is determined.
    pub fn is_full(&self) -> bool {
        self.open.0 <= OPEN
    }
}
