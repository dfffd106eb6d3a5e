//! The stages of an instant: fᵢ⁽ᵏ⁺ᶜⁱ⁾ = 0 determines yⱼ⁽ᵏ⁺ᵈʲ⁾, for k = −max d, …, 0, 1, …
//!
//! Each stage is a small system with (a part of) the same matrix J. Equations that enter undifferentiated are nonlinear in what
//! their stage determines; all others are linear. Where a stage has fewer equations than unknowns, these change as little as
//! possible.

use nalgebra::{DMatrix, DVector};

use super::equations::Equations;
use super::explain::ServoError;
use super::series::Series;
use super::structure::IndexStructure;
use crate::nlp::graph::Side;

const MAX_ITERATIONS: usize = 60;
const MAX_HALVINGS: usize = 12;
/// Violation, relative to the terms of an equation, at which rounding may be all that is left.
const ROUNDING: f64 = 1e-8;
/// Violation of equations that are satisfied to the last digit.
const EXACT: f64 = 5e-16;
/// Violation at which a step is not halved however it fares.
const NEAR: f64 = 1e-6;
/// Singular values below this do not count in a step.
const DEFICIENT: f64 = 1e-11;
/// Factor by which a step may raise the violation far from the solution.
const GROWS: f64 = 4.0;
/// Smallest relative singular value of a matrix that counts as regular.
pub(super) const REGULAR: f64 = 1e-13;

/// Sizes by which violations are judged.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    /// Of coordinates.
    pub size: f64,
    /// Time in which they change by as much, second.
    pub time: f64,
}

/// Solves instants.
pub(super) struct Stages<'a> {
    pub equations: &'a mut Equations,
    pub structure: &'a IndexStructure,
    pub scale: Scale,
}

/// An instant.
#[derive(Debug, Clone, Copy)]
pub(super) struct When {
    pub t: f64,
    pub side: Side,
}

impl Stages<'_> {
    /// Solves all stages up to `last` from the coefficients in `series`.
    pub fn solve(&mut self, series: &mut Series, when: When, last: usize) -> Result<(), ServoError> {
        let depth = self.structure.depth();
        for stage in 0..=depth + last {
            self.stage(series, when, stage)?;
        }
        Ok(())
    }

    /// Stage k = `stage` − depth.
    fn stage(&mut self, series: &mut Series, when: When, stage: usize) -> Result<(), ServoError> {
        let depth = self.structure.depth();
        let pick = |offsets: &[usize]| -> Vec<(usize, usize)> {
            let places = offsets.iter().enumerate();
            places
                .filter_map(|(place, offset)| (stage + offset).checked_sub(depth).map(|order| (place, order)))
                .collect()
        };
        let (rows, columns) = (pick(&self.structure.equations), pick(&self.structure.unknowns));
        if rows.is_empty() {
            return Ok(());
        }
        let mut found = self.violation(series, when, &rows)?;
        let mut last = f64::INFINITY;
        for _ in 0..MAX_ITERATIONS {
            let matrix = self.matrix(series, when, &rows, &columns)?;
            let scales = self.scales(series, &matrix, &found, &columns);
            let (left, worst) = relative(&found, &scales);
            // Newton's method ends where rounding does not let it get nearer.
            if left <= EXACT || (left <= ROUNDING && left > 0.25 * last) {
                return Ok(());
            }
            last = left;
            let Some(step) = least_step(&matrix, &found) else {
                return Err(self.singular(series, when.t));
            };
            let before: Vec<f64> = columns.iter().map(|(j, order)| series.of(*j)[*order]).collect();
            let mut share = 1.0;
            let mut next = None;
            for _ in 0..MAX_HALVINGS {
                for ((j, order), (y, step)) in columns.iter().zip(before.iter().zip(step.iter())) {
                    series.of_mut(*j)[*order] = y - share * step;
                }
                if let Ok(trial) = self.violation(series, when, &rows)
                    && (left <= NEAR || relative(&trial, &scales).0 <= GROWS * left)
                {
                    next = Some(trial);
                    break;
                }
                share *= 0.5;
            }
            let Some(next) = next else {
                return Err(self.lost(series, when.t, &rows, worst, left));
            };
            found = next;
        }
        let matrix = self.matrix(series, when, &rows, &columns)?;
        let (left, worst) = relative(&found, &self.scales(series, &matrix, &found, &columns));
        if left <= ROUNDING { Ok(()) } else { Err(self.lost(series, when.t, &rows, worst, left)) }
    }

    /// Residuals of the rows with the sizes of their terms.
    fn violation(
        &mut self,
        series: &Series,
        when: When,
        rows: &[(usize, usize)],
    ) -> Result<Vec<(f64, f64)>, ServoError> {
        let degree = rows.iter().map(|(_, order)| *order).max().unwrap_or(0);
        self.equations.evaluate(series, when.t, degree, when.side);
        let found: Vec<(f64, f64)> = rows.iter().map(|(row, order)| self.equations.residual(*row, *order)).collect();
        if let Some(place) = found.iter().position(|(value, _)| !value.is_finite()) {
            let (row, derivative) = rows[place];
            return Err(match self.equations.failure(series, when.t) {
                Some(failure) => ServoError::Evaluation { time: when.t, failure },
                None => ServoError::NotConverged {
                    time: when.t,
                    row: self.equations.row_name(row).to_owned(),
                    derivative,
                    left: f64::INFINITY,
                },
            });
        }
        Ok(found)
    }

    /// Derivatives of the Taylor coefficients of the rows by those of the columns: Jᵢⱼ (k + dⱼ)!/(k + cᵢ)!.
    fn matrix(
        &mut self,
        series: &Series,
        when: When,
        rows: &[(usize, usize)],
        columns: &[(usize, usize)],
    ) -> Result<DMatrix<f64>, ServoError> {
        let jacobian = self.jacobian(series, when.t)?;
        let ratio = |from: usize, to: usize| (from + 1..=to).map(|k| k as f64).product::<f64>();
        Ok(DMatrix::from_fn(rows.len(), columns.len(), |a, b| {
            let ((i, low), (j, high)) = (rows[a], columns[b]);
            if jacobian[(i, j)] == 0.0 { 0.0 } else { jacobian[(i, j)] * ratio(low, high) }
        }))
    }

    /// The system's Jacobian.
    pub fn jacobian(&mut self, series: &Series, t: f64) -> Result<DMatrix<f64>, ServoError> {
        let slopes = self.equations.slopes(series, t);
        let slopes = slopes.map_err(|failure| ServoError::Evaluation { time: t, failure })?;
        Ok(self.structure.jacobian(self.equations, &slopes))
    }

    /// Sizes of the terms of the rows.
    fn scales(
        &self,
        series: &Series,
        matrix: &DMatrix<f64>,
        found: &[(f64, f64)],
        columns: &[(usize, usize)],
    ) -> Vec<f64> {
        let n = self.equations.sizes()[0];
        let typical = |(j, order): (usize, usize)| {
            let floor = if j < n { self.scale.size / self.scale.time.powi(order as i32) } else { 0.0 };
            series.of(j)[order].abs() + floor
        };
        let of = |(row, (_, terms)): (usize, &(f64, f64))| {
            let size = columns.iter().enumerate().map(|(b, column)| matrix[(row, b)].abs() * typical(*column));
            terms + size.sum::<f64>()
        };
        found.iter().enumerate().map(of).collect()
    }

    fn lost(&mut self, series: &Series, t: f64, rows: &[(usize, usize)], worst: usize, left: f64) -> ServoError {
        if let Ok(jacobian) = self.jacobian(series, t)
            && smallest(&jacobian).0 < REGULAR
        {
            return self.singular(series, t);
        }
        let (row, derivative) = rows[worst];
        ServoError::NotConverged { time: t, row: self.equations.row_name(row).to_owned(), derivative, left }
    }

    /// Tells what a singular matrix leaves open.
    pub fn singular(&mut self, series: &Series, t: f64) -> ServoError {
        match self.jacobian(series, t) {
            Ok(jacobian) => {
                let (smallest, open) = smallest(&jacobian);
                ServoError::SingularAt { time: t, smallest, unknowns: open_names(self.equations, &open) }
            }
            Err(error) => error,
        }
    }
}

/// Names of the unknowns that a direction mostly consists of.
pub(super) fn open_names(equations: &Equations, open: &[f64]) -> String {
    let largest = open.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    let names: Vec<&str> =
        (0..open.len()).filter(|j| open[*j].abs() > 0.3 * largest).take(4).map(|j| equations.unknown_name(j)).collect();
    names.join(", ")
}

/// The largest violation relative to the size of the terms of its row, and the row.
fn relative(found: &[(f64, f64)], scales: &[f64]) -> (f64, usize) {
    let mut worst = (0.0, 0);
    for (row, ((value, _), scale)) in found.iter().zip(scales).enumerate() {
        let relative = if *value == 0.0 { 0.0 } else { value.abs() / scale };
        if relative > worst.0 {
            worst = (relative, row);
        }
    }
    worst
}

/// The shortest δ with A δ = r; rows are weighed by their largest entry.
fn least_step(matrix: &DMatrix<f64>, found: &[(f64, f64)]) -> Option<DVector<f64>> {
    let (mut scaled, mut right) = (matrix.clone(), DVector::from_iterator(found.len(), found.iter().map(|f| f.0)));
    for (i, mut row) in scaled.row_iter_mut().enumerate() {
        let largest = row.amax();
        if !(largest > 0.0) {
            return None;
        }
        row /= largest;
        right[i] /= largest;
    }
    let square = scaled.nrows() == scaled.ncols();
    let regular = square.then(|| scaled.clone().lu().solve(&right)).flatten();
    // Far from the solution the matrix may be singular by accident, as where the force in a rope is not known yet.
    let step = regular.or_else(|| scaled.svd(true, true).solve(&right, DEFICIENT).ok())?;
    step.iter().all(|x| x.is_finite()).then_some(step)
}

/// The smallest singular value of a square matrix relative to the largest, after rows and columns are brought to like sizes,
/// and the direction that belongs to it.
pub(super) fn smallest(matrix: &DMatrix<f64>) -> (f64, Vec<f64>) {
    let mut scaled = matrix.clone();
    let mut columns = vec![1.0; matrix.ncols()];
    for _ in 0..6 {
        for mut row in scaled.row_iter_mut() {
            let largest = row.amax();
            if largest > 0.0 {
                row /= largest.sqrt();
            }
        }
        for (mut column, scale) in scaled.column_iter_mut().zip(&mut columns) {
            let largest = column.amax();
            if largest > 0.0 {
                column /= largest.sqrt();
                *scale /= largest.sqrt();
            }
        }
    }
    if !scaled.iter().all(|x| x.is_finite()) {
        return (0.0, vec![1.0; matrix.ncols()]);
    }
    let found = scaled.svd(false, true);
    let values = &found.singular_values;
    let (place, least) = values
        .iter()
        .enumerate()
        .fold((0, f64::INFINITY), |best, (i, value)| if *value < best.1 { (i, *value) } else { best });
    let largest = values.iter().copied().fold(0.0, f64::max);
    let direction =
        found.v_t.map_or_else(Vec::new, |v| v.row(place).iter().zip(&columns).map(|(x, scale)| x * scale).collect());
    (if largest > 0.0 { least / largest } else { 0.0 }, direction)
}
