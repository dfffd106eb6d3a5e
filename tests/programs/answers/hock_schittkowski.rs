//! The Hock-Schittkowski collection, from its starts, by both methods and through `.nl` files.

use super::{bits, solved};
use crate::problems::hock_schittkowski::{HockSchittkowski, all};
use lariat::nlp::graph::Program;
use lariat::nlp::{Nlp, ampl};
use lariat::solver::constrained::{Method, Options, Solution, Status};

/// Relative accuracy of the optimum.
const OPTIMUM: f64 = 1e-6;
/// Relative accuracy of the other optima, which are given to six digits.
const OTHERS: f64 = 1e-5;
/// Relative violation of a row of a solution.
const VIOLATION: f64 = 1e-6;
/// Problems that the SQP method solves.
const SOLVED_BY_SQP: usize = 112;

/// Whether an objective is one of the known ones.
fn is_known(problem: &HockSchittkowski, objective: f64) -> bool {
    let near = |optimum: f64, accuracy: f64| (objective - optimum).abs() <= accuracy * optimum.abs().max(1.0);
    near(problem.optimum, OPTIMUM) || problem.others.iter().any(|other| near(*other, OTHERS))
}

/// The largest violation of a row, relative to its bound or to the largest derivative · variable in it where that
/// exceeds 1: the solver relaxes bounds by 1e-8 of their size, and variables are put back onto theirs in the end.
fn violation(program: &mut Program, found: &Solution) -> f64 {
    let (bounds, pattern) = (program.bounds().clone(), program.jacobian_pattern().clone());
    let mut jacobian = vec![0.0; pattern.nnz()];
    program.jacobian(&found.iterate.x, &mut jacobian).unwrap();
    let mut size = vec![1.0_f64; bounds.rows()];
    for (column, x) in found.iterate.x.iter().enumerate() {
        for entry in pattern.column(column) {
            let row = pattern.row_idx()[entry];
            size[row] = size[row].max((jacobian[entry] * x).abs());
        }
    }
    let outside =
        |bound: f64, excess: f64, size: f64| if bound.is_finite() { excess / size.max(bound.abs()) } else { 0.0 };
    let limits = bounds.c_lower.iter().zip(&bounds.c_upper).zip(&size);
    let both = found.rows.iter().zip(limits).map(|(c, ((l, u), s))| outside(*l, l - c, *s).max(outside(*u, c - u, *s)));
    both.fold(0.0, f64::max)
}

/// Solves a problem: `Ok` at one of the known optima, otherwise whether the end was called solved, and what it is.
fn judged(problem: &HockSchittkowski, options: &Options) -> Result<(), (bool, String)> {
    let mut program = (problem.build)();
    let told = |what: String| format!("{}: {what}", problem.name);
    let found = solved(&mut program, options).map_err(|error| (false, told(error.to_string())))?;
    if found.status != Status::Solved {
        return Err((false, told(format!("{} {:?}", found.status.name(), found.message))));
    }
    let violated = violation(&mut program, &found);
    if is_known(problem, found.objective) && violated <= VIOLATION {
        return Ok(());
    }
    let (objective, optimum, error) = (found.objective, problem.optimum, found.error);
    Err((true, told(format!("{objective} instead of {optimum}, violation {violated:e}, error {error:e}"))))
}

#[test]
fn all_are_solved() {
    let wrong = all().into_iter().filter_map(|problem| judged(&problem, &Options::default()).err());
    let wrong: Vec<String> = wrong.map(|(_, what)| what).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Written as a file and read again a program is the same: it takes the same steps up to rounding.
#[test]
fn files_are_solved_alike() {
    let options = Options::default();
    let mut wrong = Vec::new();
    for problem in all() {
        let mut program = (problem.build)();
        let written = ampl::write(&program).unwrap();
        let mut model = ampl::parse(written.nl.as_bytes(), Some(&written.col), Some(&written.row)).unwrap();
        let direct = solved(&mut program, &options).unwrap();
        let read = solved(&mut model.program, &options).unwrap();
        // The file states constants of rows as bounds, and larger bounds are relaxed more.
        let near = (direct.objective - read.objective).abs() <= 1e-7 * direct.objective.abs().max(1.0);
        let [first, second] = [&direct, &read].map(|found| found.iterations.len());
        // Rounding can cost a long run a few steps.
        let alike = first.abs_diff(second) <= 1 + first / 10 && direct.status == read.status;
        if !near || !alike {
            let [direct, read] = [&direct, &read].map(|found| format!("{} {}", found.status.name(), found.objective));
            wrong.push(format!("{}: {direct} after {first} rows, {read} after {second}", problem.name));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn sqp_claims_nothing_false_and_solves_what_it_did() {
    let options = Options { method: Method::Sqp, ..Options::default() };
    let failed: Vec<(bool, String)> = all().iter().filter_map(|problem| judged(problem, &options).err()).collect();
    let wrong: Vec<&str> = failed.iter().filter(|(claimed, _)| *claimed).map(|(_, what)| what.as_str()).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    let unsolved: Vec<&str> = failed.iter().map(|(_, what)| what.as_str()).collect();
    let count = all().len() - unsolved.len();
    assert!(count >= SOLVED_BY_SQP, "{count} are solved, not:\n{}", unsolved.join("\n"));
}

#[test]
fn runs_repeat_bit_for_bit() {
    for method in Method::ALL {
        let options = Options { method, ..Options::default() };
        for problem in all() {
            let run = || solved(&mut (problem.build)(), &options).unwrap();
            assert_eq!(bits(&run()), bits(&run()), "{} by {}", problem.name, method.name());
        }
    }
}
