use super::super::newton::tests::{Bratu, Scalar, newton};
use super::*;
use crate::nlp::{EvalFailure, SquareSystem};

fn run(system: &mut dyn ParametricSystem, start: &[f64]) -> Result<Continued, NewtonError> {
    continue_to_one(&mut newton(), system, start, &ContinuationOptions::default(), &mut |_, _| true)
}

#[test]
fn an_easy_problem_is_solved_at_once() {
    let mut system = Bratu::new(20, 1.0);
    let outcome = run(&mut system, &[0.0; 20]).unwrap();
    assert_eq!(outcome.reached, Some(1.0));
    assert_eq!(outcome.stuck, None);
    assert_eq!(outcome.steps.len(), 1);
    let error = outcome.solution.x.iter().zip(system.exact()).map(|(u, exact)| (u - exact).abs());
    assert!(error.fold(0.0, f64::max) < 1e-3);
}

/// (x − 5p)(1 + 10 (x − 1)²): the only root is 5p, but |f| has a local minimum near x = 1 on the way there from 0.
fn valley(x: f64, p: f64) -> Result<[f64; 2], EvalFailure> {
    let factor = 1.0 + 10.0 * (x - 1.0).powi(2);
    Ok([(x - 5.0 * p) * factor, factor + (x - 5.0 * p) * 20.0 * (x - 1.0)])
}

#[test]
fn a_local_minimum_is_passed_by_steps() {
    let mut system = Scalar::new(valley);
    let direct = newton().solve(&mut system, &[0.0], &mut |_| true);
    assert!(!direct.is_ok_and(|solution| solution.status == Status::Solved));
    let outcome = run(&mut system, &[0.0]).unwrap();
    assert_eq!(outcome.reached, Some(1.0));
    assert!((outcome.solution.x[0] - 5.0).abs() < 1e-10);
    assert_eq!(outcome.steps[0].parameter, 1.0);
    assert_eq!(outcome.steps[1].parameter, 0.0);
    assert!(outcome.steps.len() > 3, "{:?}", outcome.steps);
}

#[test]
fn a_fold_is_reported_where_it_is() {
    // The discrete problem folds near λ = 3.513830719, that is p = 0.70277, and nothing solves beyond.
    let mut system = Bratu::new(200, 5.0);
    let outcome = run(&mut system, &[0.0; 200]).unwrap();
    let reached = outcome.reached.unwrap();
    assert!((reached - 3.513830719 / 5.0).abs() < 3e-4, "{reached}");
    let stuck = outcome.stuck.unwrap();
    assert!(stuck.parameter > reached && stuck.parameter < reached + 2e-3);
    assert!(stuck.reason.contains("node"), "{}", stuck.reason);
    assert_eq!(outcome.solution.status, Status::Solved);
    // The system is left at the parameter reached, where the solution solves it.
    let mut residual = vec![0.0; 200];
    system.residual(&outcome.solution.x, &mut residual).unwrap();
    assert!(residual.iter().all(|residual| residual.abs() < 1e-4));
}

#[test]
fn failure_at_parameter_zero_is_reported() {
    let outcome = run(&mut Scalar::new(|x, p| Ok([x * x + 1.0 + p, 2.0 * x])), &[0.7]).unwrap();
    assert_eq!(outcome.reached, None);
    assert_eq!(outcome.stuck.unwrap().parameter, 0.0);
    let error = run(&mut Scalar::new(|_, _| Ok([1.0, 0.0])), &[0.7]).unwrap_err();
    assert!(matches!(error, NewtonError::Singular { .. }));
}

#[test]
fn the_observer_interrupts_the_whole_path() {
    let mut solves = 0;
    let mut observe = |parameter: f64, _: &IterationRecord| {
        solves += usize::from(parameter != 1.0);
        parameter == 1.0 || parameter == 0.0
    };
    let options = ContinuationOptions::default();
    let outcome = continue_to_one(&mut newton(), &mut Scalar::new(valley), &[0.0], &options, &mut observe).unwrap();
    assert_eq!(outcome.reached, Some(0.0));
    let stuck = outcome.stuck.unwrap();
    assert!(stuck.reason.starts_with("interrupted"), "{}", stuck.reason);
    assert_eq!(outcome.steps.len(), 3);
    assert!(solves >= 2);
}
