//! Degenerate programs: every one ends with the right word, and nothing is called solved that is not.

use super::solved;
use crate::problems::degenerate::{Degenerate, Expected, all};
use lariat::solver::constrained::{CheckError, DependentRows, Method, Options, Solution, SolveError, Status};

/// Accuracy of objectives at regular optima.
const REGULAR: f64 = 1e-6;
/// Where no multipliers exist, a violation of 1e-8 can be worth its square root.
const IRREGULAR: f64 = 1e-3;

type Found = Result<Solution, SolveError>;

fn is_optimum(problem: &Degenerate, found: &Found, optimum: f64) -> bool {
    let accuracy = if problem.multipliers { REGULAR } else { IRREGULAR };
    let acceptable = |status| status == Status::Acceptable && !problem.multipliers;
    found.as_ref().is_ok_and(|found| {
        (found.status == Status::Solved || acceptable(found.status))
            && (found.objective - optimum).abs() <= accuracy * optimum.abs().max(1.0)
            && found.violation <= 1e-7
    })
}

fn is_infeasible(found: &Found) -> bool {
    match found {
        Ok(found) => found.status == Status::Infeasible && found.violation > 0.1 && found.explanation.is_some(),
        Err(SolveError::Check(error)) => {
            matches!(error, CheckError::EmptyInterval { .. } | CheckError::ConstantRow { .. })
        }
        Err(_) => false,
    }
}

fn is_overdetermined(found: &Found) -> bool {
    use CheckError::{Overdetermined, TooFewDegrees};
    matches!(found, Err(SolveError::Check(TooFewDegrees { .. } | Overdetermined { .. })))
}

/// Equations that outnumber their variables but repeat each other.
const DEPENDENT: [&str; 3] = ["redundant equations", "more equations than variables", "structurally singular Jacobian"];
/// The violation has a local minimum here that is a right answer too.
const LOCALLY_INFEASIBLE: &str = "Wächter and Biegler";

#[test]
fn ends_are_as_expected() {
    let mut wrong = Vec::new();
    for problem in all() {
        for method in Method::ALL {
            let options = Options { method, ..Options::default() };
            let found = solved(&mut (problem.build)(), &options);
            let right = match problem.expected {
                Expected::Optimum(optimum) if problem.name == LOCALLY_INFEASIBLE => {
                    is_optimum(&problem, &found, optimum) || is_infeasible(&found)
                }
                // Without multipliers there is nothing to converge to: an honest word will do.
                Expected::Optimum(_)
                    if found.as_ref().is_ok_and(|f| !problem.multipliers && f.status != Status::Solved) =>
                {
                    true
                }
                Expected::Optimum(optimum) => is_optimum(&problem, &found, optimum),
                Expected::Infeasible => is_infeasible(&found),
                Expected::Unbounded => found.as_ref().is_ok_and(|found| found.status == Status::Unbounded),
                Expected::Undefined(optimum) => {
                    is_optimum(&problem, &found, optimum)
                        || matches!(&found, Err(SolveError::Check(CheckError::Evaluation(_))))
                }
            };
            if !right {
                let end = match found {
                    Ok(found) => format!("{} {} {:e}", found.status.name(), found.objective, found.violation),
                    Err(error) => error.to_string(),
                };
                wrong.push(format!("{} by {}: {end}", problem.name, method.name()));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn dependent_equations_are_solved_with_a_note_or_refused_on_request() {
    let dependent: Vec<Degenerate> = all().into_iter().filter(|p| DEPENDENT.contains(&p.name)).collect();
    assert_eq!(dependent.len(), DEPENDENT.len());
    for problem in dependent {
        let Expected::Optimum(optimum) = problem.expected else { panic!("{}", problem.name) };
        for method in Method::ALL {
            let found = solved(&mut (problem.build)(), &Options { method, ..Options::default() });
            assert!(is_optimum(&problem, &found, optimum), "{} by {}: {found:?}", problem.name, method.name());
            assert!(found.is_ok_and(|found| !found.notes.is_empty()), "{}", problem.name);
            let options = Options { method, dependent_rows: DependentRows::Refuse, ..Options::default() };
            assert!(is_overdetermined(&solved(&mut (problem.build)(), &options)), "{}", problem.name);
        }
    }
}
