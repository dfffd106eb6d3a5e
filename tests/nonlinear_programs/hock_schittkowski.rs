//! The Hock-Schittkowski collection, from its starts, by both methods and through `.nl` files.

use super::problems::hock_schittkowski::{HockSchittkowski, all};
use super::{bits, solved};
use lariat::nlp::ampl;
use lariat::solver::constrained::{Method, Options, Solution, Status};

/// Relative accuracy of the optimum.
const OPTIMUM: f64 = 1e-6;
/// Relative accuracy of the other optima, which are given to six digits.
const OTHERS: f64 = 1e-5;
/// Problems that the SQP method solves.
const SOLVED_BY_SQP: usize = 0;

/// Whether an objective is one of the known ones.
fn is_known(problem: &HockSchittkowski, objective: f64) -> bool {
    let near = |optimum: f64, accuracy: f64| (objective - optimum).abs() <= accuracy * optimum.abs().max(1.0);
    near(problem.optimum, OPTIMUM) || problem.others.iter().any(|other| near(*other, OTHERS))
}

/// What is wrong with an end that says `solved`.
fn mistaken(problem: &HockSchittkowski, found: &Solution, options: &Options) -> Option<String> {
    let known = is_known(problem, found.objective) && found.violation <= options.violation;
    (!known).then(|| {
        let Solution { objective, violation, error, .. } = found;
        format!(
            "{}: {objective} instead of {}, violation {violation:e}, error {error:e}",
            problem.name, problem.optimum
        )
    })
}

#[test]
fn all_are_solved() {
    let options = Options::default();
    let mut wrong = Vec::new();
    for problem in all() {
        match solved(&mut (problem.build)(), &options) {
            Ok(found) if found.status == Status::Solved => wrong.extend(mistaken(&problem, &found, &options)),
            Ok(found) => wrong.push(format!("{}: {} {:?}", problem.name, found.status.name(), found.message)),
            Err(error) => wrong.push(format!("{}: {error}", problem.name)),
        }
    }
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
        let near = (direct.objective - read.objective).abs() <= 1e-9 * direct.objective.abs().max(1.0);
        let [first, second] = [&direct, &read].map(|found| (found.status, found.iterations.len()));
        if !near || first != second {
            wrong.push(format!("{}: {first:?} {}, {second:?} {}", problem.name, direct.objective, read.objective));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn sqp_claims_nothing_false_and_solves_what_it_did() {
    let options = Options { method: Method::Sqp, ..Options::default() };
    let (mut wrong, mut unsolved) = (Vec::new(), Vec::new());
    for problem in all() {
        match solved(&mut (problem.build)(), &options) {
            Ok(found) if found.status == Status::Solved => wrong.extend(mistaken(&problem, &found, &options)),
            Ok(found) => unsolved.push(format!("{}: {}", problem.name, found.status.name())),
            Err(error) => unsolved.push(format!("{}: {error}", problem.name)),
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
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
