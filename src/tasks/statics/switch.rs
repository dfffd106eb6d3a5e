//! From a branch point onto the branch that begins there.
//!
//! The equilibrium and load factor whose distance from the branch point along its mode φ is δ: r(x, p) = 0, c·(x − x₀) = δ with
//! c = φ/|φ|². For small δ the state is x₀ + δφ but for terms of order δ², on the new branch.

use super::critical::BranchPoint;
use crate::discretisation::equilibrium::Equilibrium;
use crate::nlp::{EvalFailure, FollowedSystem, ParametricSystem, Pattern, PatternBuilder, SquareSystem};
use crate::solver::linear::best_general_solver;
use crate::solver::{Newton, NewtonOptions, Status};

/// Displacements tried in turn, relative to the size of the mechanism.
const DISTANCES: [f64; 4] = [1e-2, 3e-3, 1e-3, 3e-2];

/// The equations of equilibrium with the load factor as unknown and a given distance along a direction.
struct Aside<'e, 'a> {
    equilibrium: &'e mut Equilibrium<'a>,
    pattern: Pattern,
    origin: &'e [f64],
    along: Vec<f64>,
    distance: f64,
    scale: f64,
}

/// Unknowns and load factor of an equilibrium of the new branch, on the side of the mode or on the other; none if the branch
/// point is multiple or no equilibrium is found.
pub fn onto_branch(
    equilibrium: &mut Equilibrium<'_>,
    point: &BranchPoint,
    other_side: bool,
) -> Result<Option<(Vec<f64>, f64)>, EvalFailure> {
    let [shape] = point.shapes.as_slice() else { return Ok(None) };
    equilibrium.set_parameter(point.parameter);
    let mut change = equilibrium.change(&point.x, &point.free, shape)?;
    let largest = change
        .iter()
        .enumerate()
        .map(|(col, change)| change.abs() / equilibrium.unknown_scale(col))
        .fold(0.0_f64, f64::max);
    let factor = if other_side { -1.0 } else { 1.0 } / largest.max(f64::MIN_POSITIVE);
    change.iter_mut().for_each(|change| *change *= factor);
    let square: f64 = change.iter().map(|change| change * change).sum();
    let size = equilibrium.size();
    let pattern = bordered(equilibrium.pattern(), size);
    let options = NewtonOptions { residual: 1e-10, step: 1e-8, ..NewtonOptions::default() };
    let mut newton = Newton::new(best_general_solver(&pattern), options);
    for distance in DISTANCES {
        let mut start: Vec<f64> = point.x.iter().zip(&change).map(|(x, change)| x + distance * change).collect();
        start.push(point.parameter);
        let mut aside = Aside {
            equilibrium: &mut *equilibrium,
            pattern: pattern.clone(),
            origin: &point.x,
            along: change.iter().map(|change| change / square).collect(),
            distance,
            scale: point.parameter.abs().max(1e-6),
        };
        let solved = newton.solve(&mut aside, &start, &mut |_| true);
        if let Some(mut solution) = solved.ok().filter(|solution| solution.status == Status::Solved)
            && let Some(parameter) = solution.x.pop()
        {
            return Ok(Some((solution.x, parameter)));
        }
    }
    Ok(None)
}

/// A pattern with a full last row and column.
fn bordered(pattern: &Pattern, size: usize) -> Pattern {
    let mut builder = PatternBuilder::new(size + 1, size + 1);
    for col in 0..size {
        let mut rows: Vec<usize> = pattern.column(col).map(|entry| pattern.row_idx()[entry]).collect();
        rows.push(size);
        // Indices are within the matrix by construction.
        let _ = builder.add(&rows, &[col]);
    }
    let all: Vec<usize> = (0..=size).collect();
    let _ = builder.add(&all, &[size]);
    builder.build().0
}

impl SquareSystem for Aside<'_, '_> {
    fn size(&self) -> usize {
        self.origin.len() + 1
    }

    fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    fn residual(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        let size = self.origin.len();
        self.equilibrium.set_parameter(x[size]);
        self.equilibrium.residual(&x[..size], &mut out[..size])?;
        let moved: f64 =
            self.along.iter().zip(x.iter().zip(self.origin)).map(|(c, (x, origin))| c * (x - origin)).sum();
        out[size] = moved - self.distance;
        Ok(())
    }

    fn jacobian(&mut self, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        let size = self.origin.len();
        self.equilibrium.set_parameter(x[size]);
        let mut inner = vec![0.0; self.equilibrium.pattern().nnz()];
        self.equilibrium.jacobian(&x[..size], &mut inner)?;
        let mut place = 0;
        for col in 0..size {
            for entry in self.equilibrium.pattern().column(col) {
                values[place] = inner[entry];
                place += 1;
            }
            values[place] = self.along[col];
            place += 1;
        }
        let mut by_factor = vec![0.0; size];
        self.equilibrium.parameter_derivative(&x[..size], &mut by_factor)?;
        values[place..place + size].copy_from_slice(&by_factor);
        values[place + size] = 0.0;
        Ok(())
    }

    fn row_name(&self, row: usize) -> String {
        if row < self.origin.len() { self.equilibrium.row_name(row) } else { "distance from the branch point".into() }
    }

    fn unknown_name(&self, col: usize) -> String {
        if col < self.origin.len() { self.equilibrium.unknown_name(col) } else { self.equilibrium.parameter_name() }
    }

    fn unknown_scale(&self, col: usize) -> f64 {
        if col < self.origin.len() { self.equilibrium.unknown_scale(col) } else { self.scale }
    }
}
