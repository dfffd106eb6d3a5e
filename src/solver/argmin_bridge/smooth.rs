//! Outer problems with a gradient: limited-memory BFGS.

use argmin::core::{IterState, Problem, Solver, State};
use argmin::solver::quasinewton::LBFGS;

use super::outer::{
    Borrowed, Evaluated, OuterError, OuterObserver, OuterOptions, OuterRecord, OuterSolution, Sample, SmoothFunction,
    UNBOUNDED,
};
use super::wolfe::WeakWolfe;
use crate::solver::constrained::Status;

type Point = IterState<Vec<f64>, Vec<f64>, (), (), (), f64>;

/// Minimises a smooth function without constraints by L-BFGS.
///
/// Where the function fails or is not finite a step counts as too long.
pub fn minimise_smooth(
    start: &[f64],
    options: &OuterOptions,
    function: SmoothFunction,
    observe: OuterObserver,
) -> Result<OuterSolution, OuterError> {
    options.check(start)?;
    let evaluated = Evaluated::begin(function, start)?;
    let solver: LBFGS<_, Vec<f64>, Vec<f64>, f64> = LBFGS::new(WeakWolfe::default(), options.memory.max(1));
    // Its own tests would call a short step a success.
    let solver = solver.with_tolerance_grad(0.0).and_then(|solver| solver.with_tolerance_cost(0.0));
    let mut solver = solver.map_err(|error| OuterError::Method(error.to_string()))?;
    let mut problem = Problem::new(Borrowed(&evaluated));
    let mut iterations = Vec::new();
    let mut here = evaluated.at(start);
    let mut state: Point = IterState::new().param(start.to_vec()).cost(here.value).gradient(here.gradient.clone());
    let (status, message) = loop {
        let gradient = here.gradient.iter().fold(0.0f64, |largest, g| largest.max(g.abs()));
        let record = OuterRecord {
            iter: iterations.len(),
            value: here.value,
            gradient: Some(gradient),
            evaluations: evaluated.evaluations(),
        };
        iterations.push(record);
        if gradient <= options.tolerance {
            break (Status::Solved, None);
        }
        if here.value < UNBOUNDED {
            break (Status::Unbounded, None);
        }
        if !observe(&record) {
            break (Status::Interrupted, None);
        }
        if record.iter >= options.max_iterations {
            break (Status::IterationLimit, None);
        }
        state = match solver.next_iter(&mut problem, state) {
            Ok((state, _)) => state,
            Err(error) => break (Status::Stalled, Some(error.to_string())),
        };
        if let Some(reason) = state.get_termination_reason() {
            break (Status::Stalled, Some(reason.to_string()));
        }
        state.update();
        state.increment_iter();
        let (Some(x), Some(gradient)) = (state.get_param(), state.get_gradient()) else {
            break (Status::Stalled, Some("the line search returned no point".to_owned()));
        };
        here = Sample { x: x.clone(), value: state.get_cost(), gradient: gradient.clone() };
    };
    let solution = (status == Status::Solved).then_some(here);
    Ok(evaluated.finish(status, solution, iterations, message))
}
