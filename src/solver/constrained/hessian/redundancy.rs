//! Which equations repeat or contradict each other.
//!
//! A dependency of rows is a vector y ≠ 0 with Jᵀy = 0. With H = 0 and Σ = 1 the system of [`Kkt`] reads
//! (J Jᵀ + D + δ_c) y = r up to sign, so a solve with δ_c = 1e-8 multiplies what r has of such a vector by 1e8 while all
//! else stays: two solves leave nothing but dependencies.

use crate::nlp::{Nlp, Pattern};
use crate::solver::constrained::hessian::kkt::Kkt;
use crate::solver::constrained::point::Point;
use crate::solver::constrained::standard::Standard;

/// Multipliers above this may come from rows that nearly depend on each other.
pub const LARGE: f64 = 1e3;
/// They do not if their forces do not cancel to this share.
const CANCELLED: f64 = 1e-3;
/// Share of the largest weight from which on a row counts as part of a dependency.
const INVOLVED: f64 = 1e-3;
/// ‖Jᵀy‖∞ of a dependency with ‖y‖∞ = 1, relative to ‖J‖∞.
const DEPENDENT: f64 = 1e-9;

/// Names of the equations that depend on each other; empty if none do.
pub fn dependent_rows(nlp: &dyn Nlp, standard: &Standard, point: &Point, kkt: &mut Kkt) -> Vec<String> {
    let (n, m) = (standard.n, standard.m);
    if m == 0 {
        return Vec::new();
    }
    // The D = 1 that follows from it keeps inequalities apart: at a corner more of them may be active than there are
    // variables, which is nothing to remark on.
    let sigma = vec![1.0; n + m];
    kkt.assemble(standard, &vec![0.0; kkt.hessian_len()], &point.jacobian, &sigma);
    if !kkt.factorise_regularised(standard) {
        return Vec::new();
    }
    let mut y = vec![0.0; n + m];
    y[n..].iter_mut().enumerate().for_each(|(row, y)| *y = 1.0 + (0.618_033_988_75 * row as f64).fract());
    for _ in 0..2 {
        y[..n].fill(0.0);
        if kkt.solve(&mut y).is_err() {
            return Vec::new();
        }
        let size = y[n..].iter().fold(0.0f64, |size, y| size.max(y.abs()));
        if !(size > 0.0 && size.is_finite()) {
            return Vec::new();
        }
        y[n..].iter_mut().for_each(|y| *y /= size);
        (0..m).filter(|&row| standard.open[row]).for_each(|row| y[n + row] = 0.0);
    }
    if !is_dependency(standard, nlp.jacobian_pattern(), point, &y[n..]) {
        return Vec::new();
    }
    let involved = |row: &usize| standard.fixed[n + row] && y[n + row].abs() > INVOLVED;
    (0..m).filter(involved).map(|row| nlp.row_name(row)).collect()
}

fn is_dependency(standard: &Standard, pattern: &Pattern, point: &Point, y: &[f64]) -> bool {
    let (mut rest, mut size) = (0.0f64, 0.0f64);
    for column in (0..standard.n).filter(|&column| !standard.fixed[column]) {
        let mut sum = 0.0;
        for entry in pattern.column(column) {
            sum += point.jacobian[entry] * y[pattern.row_idx()[entry]];
            size = size.max(point.jacobian[entry].abs());
        }
        rest = rest.max(sum.abs());
    }
    size > 0.0 && rest <= DEPENDENT * size
}

/// The largest multiplier of an equation, if the multipliers of equations may mostly be a dependency: large, while the forces that
/// they add up to, Jᵀλ, cancel.
///
/// Equations may depend on each other at all feasible points and at no other. Where y(x)ᵀc(x) vanishes identically,
/// Jᵀy = −(∂y/∂x)ᵀc is as small as the violation, and a Newton step takes a multiplier along y of the order 1/‖c‖. So it is with
/// conserved momenta (Noether): if nothing drives the spin of a body, and it is to rest at both ends, the rows of motion sum up to
/// 0 = 0 along it.
pub fn possible_dependency(standard: &Standard, pattern: &Pattern, point: &Point, lambda: &[f64]) -> Option<f64> {
    let is_equation = |row: usize| standard.fixed[standard.n + row];
    let sizes = (0..standard.m).filter(|&row| is_equation(row)).map(|row| lambda[row].abs());
    let largest = sizes.fold(0.0, f64::max);
    if largest <= LARGE {
        return None;
    }
    let (mut rest, mut size) = (0.0f64, 0.0f64);
    for column in (0..standard.n).filter(|&column| !standard.fixed[column]) {
        let (mut sum, mut terms) = (0.0f64, 0.0f64);
        for entry in pattern.column(column).filter(|&entry| is_equation(pattern.row_idx()[entry])) {
            let term = point.jacobian[entry] * lambda[pattern.row_idx()[entry]];
            (sum, terms) = (sum + term, terms + term.abs());
        }
        (rest, size) = (rest.max(sum.abs()), size.max(terms));
    }
    (rest <= CANCELLED * size).then_some(largest)
}
