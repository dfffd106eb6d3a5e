//! Outer problems without a gradient: the simplex method of Nelder and Mead, restarted until that no longer pays.

use argmin::core::{IterState, Problem, Solver, State};
use argmin::solver::neldermead::NelderMead;

use super::outer::{
    Borrowed, Evaluated, OuterError, OuterObserver, OuterOptions, OuterRecord, OuterSolution, UNBOUNDED,
};
use crate::nlp::EvalFailure;
use crate::solver::constrained::Status;

/// Each restart begins with a simplex turned round and smaller by this factor.
const SMALLER: f64 = -0.25;

/// Minimises a function without constraints from its values alone.
///
/// Equal values at the corners of a simplex do not make a minimum; a simplex that has come to rest is therefore replaced by
/// a new one around its best corner, until this improves the value by less than the tolerance. Meant for a handful of
/// variables. Where the function fails or is not finite it counts as +∞.
pub fn minimise_without_derivatives(
    start: &[f64],
    options: &OuterOptions,
    function: &mut dyn FnMut(&[f64]) -> Result<f64, EvalFailure>,
    observe: OuterObserver,
) -> Result<OuterSolution, OuterError> {
    options.check(start)?;
    let mut without_gradient = |x: &[f64], _: &mut [f64]| function(x);
    let evaluated = Evaluated::begin(&mut without_gradient, start)?;
    let mut iterations = Vec::new();
    let mut edge = options.edge;
    let mut best = (start.to_vec(), evaluated.at(start).value);
    let mut rounds = 0usize;
    let status = loop {
        let before = best.1;
        let tolerance = options.tolerance * before.abs().max(1.0);
        if let Some(status) = round(&evaluated, &mut best, edge, tolerance, options, &mut iterations, observe)? {
            break status;
        }
        rounds += 1;
        if rounds > 1 && before - best.1 <= tolerance {
            break Status::Solved;
        }
        edge *= SMALLER;
    };
    Ok(evaluated.finish(status, None, iterations, None))
}

/// One simplex until it comes to rest; `Some` if the whole ends with it.
fn round(
    evaluated: &Evaluated,
    best: &mut (Vec<f64>, f64),
    edge: f64,
    tolerance: f64,
    options: &OuterOptions,
    iterations: &mut Vec<OuterRecord>,
    observe: &mut dyn FnMut(&OuterRecord) -> bool,
) -> Result<Option<Status>, OuterError> {
    let mut corners = vec![best.0.clone()];
    for i in 0..best.0.len() {
        let mut corner = best.0.clone();
        corner[i] += edge * corner[i].abs().max(1.0);
        corners.push(corner);
    }
    let method = |error: argmin::core::Error| OuterError::Method(error.to_string());
    let mut solver: NelderMead<Vec<f64>, f64> =
        NelderMead::new(corners).with_sd_tolerance(tolerance).map_err(method)?;
    let mut problem = Problem::new(Borrowed(evaluated));
    let state: IterState<Vec<f64>, (), (), (), (), f64> = IterState::new();
    let (mut state, _) = solver.init(&mut problem, state).map_err(method)?;
    loop {
        let value = state.get_cost();
        if let Some(x) = state.get_param().filter(|_| value < best.1) {
            *best = (x.clone(), value);
        }
        let record =
            OuterRecord { iter: iterations.len(), value, gradient: None, evaluations: evaluated.evaluations() };
        iterations.push(record);
        if value < UNBOUNDED {
            return Ok(Some(Status::Unbounded));
        }
        if !observe(&record) {
            return Ok(Some(Status::Interrupted));
        }
        if Solver::<Borrowed, _>::terminate(&mut solver, &state).terminated() {
            return Ok(None);
        }
        if record.iter >= options.max_iterations {
            return Ok(Some(Status::IterationLimit));
        }
        (state, _) = solver.next_iter(&mut problem, state).map_err(method)?;
    }
}
