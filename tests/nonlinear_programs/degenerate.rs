//! print
use super::problems::degenerate::all;
use super::solved;
use lariat::solver::constrained::{Method, Options};

#[test]
fn print() {
    for problem in all() {
        for method in Method::ALL {
            let options = Options { method, ..Options::default() };
            match solved(&mut (problem.build)(), &options) {
                Ok(found) => println!(
                    "{} {}: {:?} -> {} {} {:e} {}",
                    problem.name,
                    method.name(),
                    problem.expected,
                    found.status.name(),
                    found.objective,
                    found.violation,
                    found.iterations.len() - 1
                ),
                Err(error) => println!("{} {}: {:?} -> {error}", problem.name, method.name(), problem.expected),
            }
        }
    }
}
