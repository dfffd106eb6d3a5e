//! Starts from saved iterates.

use crate::problems::cops::{robot, steering};
use lariat::nlp::graph::{Graph, Program};
use lariat::nlp::{Bounds, EvalFailure, Nlp, Pattern};
use lariat::solver::constrained::{Iterate, Options, Solution, Status, solve};
use lariat::solver::saved::{SavedError, SavedIterate};

/// Problem 71 of Hock and Schittkowski with another right-hand side of its product.
fn hs71(product: f64) -> Program {
    let g = Graph::new();
    let x: Vec<_> = [1.0, 5.0, 5.0, 1.0]
        .iter()
        .enumerate()
        .map(|(i, start)| g.variable(format!("x{i}"), *start, 1.0, 5.0))
        .collect();
    g.subject_to("product", x[0] * x[1] * x[2] * x[3], product, f64::INFINITY);
    g.subject_to("sphere", g.sum(x.iter().map(|x| x.square())), 40.0, 40.0);
    g.minimise(x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2]);
    g.build()
}

/// A program with other bounds.
struct Changed(Program, Bounds);

impl Changed {
    fn new(program: Program, change: impl Fn(&str, &mut f64, &mut f64)) -> Self {
        let mut bounds = program.bounds().clone();
        for j in 0..bounds.variables() {
            change(&program.variable_name(j), &mut bounds.x_lower[j], &mut bounds.x_upper[j]);
        }
        Self(program, bounds)
    }
}

impl Nlp for Changed {
    fn bounds(&self) -> &Bounds {
        &self.1
    }

    fn jacobian_pattern(&self) -> &Pattern {
        self.0.jacobian_pattern()
    }

    fn hessian_pattern(&self) -> &Pattern {
        self.0.hessian_pattern()
    }

    fn objective(&mut self, x: &[f64]) -> Result<f64, EvalFailure> {
        self.0.objective(x)
    }

    fn gradient(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        self.0.gradient(x, out)
    }

    fn constraints(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        self.0.constraints(x, out)
    }

    fn jacobian(&mut self, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        self.0.jacobian(x, values)
    }

    fn hessian(&mut self, x: &[f64], sigma: f64, lambda: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        self.0.hessian(x, sigma, lambda, values)
    }

    fn variable_name(&self, variable: usize) -> String {
        self.0.variable_name(variable)
    }

    fn row_name(&self, row: usize) -> String {
        self.0.row_name(row)
    }
}

/// Steering to another height.
fn steering_to(height: f64) -> Changed {
    Changed::new(steering(200), |name, lower, upper| {
        if name == "height at t/T = 1" {
            (*lower, *upper) = (height, height);
        }
    })
}

/// The robot arm with other limits of its motors.
fn robot_within(limit: f64) -> Changed {
    Changed::new(robot(200), |name, lower, upper| {
        if ["push at", "twist at", "lift at"].iter().any(|control| name.starts_with(control)) {
            (*lower, *upper) = (-limit, limit);
        }
    })
}

fn cold(mut program: impl Nlp, x: &[f64]) -> Solution {
    solve(&mut program, &Iterate::at(x), &Options::default(), &mut |_| true).unwrap()
}

fn warm(mut program: impl Nlp, start: &Iterate, first_mu: f64) -> Solution {
    let options = Options { warm: true, first_mu, ..Options::default() };
    solve(&mut program, start, &options, &mut |_| true).unwrap()
}

/// Iterations of a neighbour from the saved solution of a program, and from its own start.
fn compare<N: Nlp>(name: &str, x: &[f64], here: impl Fn() -> N, there: impl Fn() -> N) -> (usize, usize) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("iterate.json");
    let first = cold(here(), x);
    SavedIterate::new(&here(), &first.iterate).unwrap().write(&path).unwrap();
    let read = SavedIterate::read(&path).unwrap();
    let start = read.for_program(&there()).unwrap();
    assert_eq!(*start, first.iterate, "{name}: every bit survives");
    let direct = cold(there(), x);
    let again = warm(there(), start, 1e-6);
    assert_eq!(again.status, Status::Solved, "{name}");
    let difference = (again.objective - direct.objective).abs() / direct.objective.abs().max(1.0);
    assert!(difference < 1e-6, "{name}: {difference:.1e}");
    (again.iterations.len() - 1, direct.iterations.len() - 1)
}

#[test]
fn a_saved_solution_shortens_the_solve_of_a_neighbour() {
    let x = [1.0, 5.0, 5.0, 1.0];
    let (again, direct) = compare("HS71, product 25 to 27.5", &x, || hs71(25.0), || hs71(27.5));
    assert!(again <= direct / 2, "{again} of {direct}");
    let x = steering(200).start().to_vec();
    let (again, direct) = compare("steering, height 5 to 5.2", &x, || steering_to(5.0), || steering_to(5.2));
    assert!(again <= direct / 2, "{again} of {direct}");
    // The controls switch between their limits, so that almost every bound is active and moves.
    let x = robot(200).start().to_vec();
    for limit in [0.9, 1.1] {
        let (again, direct) = compare("robot arm", &x, || robot_within(1.0), || robot_within(limit));
        assert!(again <= direct / 2, "limits of {limit}: {again} of {direct}");
    }
}

#[test]
fn an_iterate_of_another_program_is_refused() {
    let program = hs71(25.0);
    let solution = cold(hs71(25.0), program.start());
    let saved = SavedIterate::new(&program, &solution.iterate).unwrap();
    let message = saved.for_program(&steering(10)).unwrap_err().to_string();
    assert_eq!(message, "the saved iterate has 4 variables, the program has 56");
    let renamed = Graph::new();
    let x: Vec<_> = (0..4).map(|i| renamed.variable(format!("y{i}"), 1.0, 1.0, 5.0)).collect();
    renamed.minimise(x[0]);
    renamed.subject_to("product", x[0] * x[1], 1.0, 1.0);
    renamed.subject_to("sphere", x[2] * x[3], 1.0, 1.0);
    assert!(matches!(saved.for_program(&renamed.build()), Err(SavedError::Names)));
    let mut short = saved.clone();
    short.iterate.z_upper.pop();
    let message = short.for_program(&program).unwrap_err().to_string();
    assert_eq!(message, "the saved iterate has 3 multipliers of upper bounds, the program has 4");
    let mut broken = solution.iterate.clone();
    broken.lambda[1] = f64::NAN;
    let message = SavedIterate::new(&program, &broken).unwrap_err().to_string();
    assert_eq!(message, "the multiplier of sphere is NaN, which cannot be saved");
    // A start without multipliers may be saved too.
    assert!(SavedIterate::new(&program, &Iterate::at(program.start())).is_ok());
}

#[test]
fn files_that_hold_no_iterate_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nothing.json");
    assert!(SavedIterate::read(&path).unwrap_err().to_string().contains("nothing.json: "));
    std::fs::write(&path, "[1, 2]").unwrap();
    assert!(SavedIterate::read(&path).unwrap_err().to_string().contains("nothing.json holds no saved iterate: "));
    let program = hs71(25.0);
    let saved = SavedIterate::new(&program, &Iterate::at(program.start())).unwrap();
    assert!(matches!(saved.write(folder.path()), Err(SavedError::File { .. })));
}
