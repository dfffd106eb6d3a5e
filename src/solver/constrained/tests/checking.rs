//! Ill-posed programs are refused before the first iteration, by name.

use super::*;
use crate::nlp::{Bounds, EvalFailure, Pattern};

fn refusal(program: &mut dyn Nlp, start: &[f64], options: &Options) -> String {
    solve(program, &Iterate::at(start), options, &mut |_| true).unwrap_err().to_string()
}

#[test]
fn bounds_and_starts_are_checked_by_name() {
    let mut program = stated(|g| {
        let x = g.variable("span", 1.0, 2.0, 1.0);
        g.minimise(x);
    });
    let told = refusal(&mut program, &[1.0], &Options::default());
    assert_eq!(told, "span: no value lies between the lower bound 2 and the upper bound 1");

    let mut program = hs71();
    assert_eq!(refusal(&mut program, &[1.0; 3], &Options::default()), "the start has 3 entries, expected 4");
    let told = refusal(&mut program, &[1.0, f64::NAN, 1.0, 1.0], &Options::default());
    assert_eq!(told, "x1: the start is NaN, expected a finite number");

    let mut program = stated(|g| {
        let x = g.variable("gap at t = 0.5", -1.0, -NONE, NONE);
        g.minimise(x);
        g.subject_to("clearance at t = 0.5", x.ln(), 0.0, NONE);
    });
    let told = refusal(&mut program, &[-1.0], &Options::default());
    assert_eq!(told, "the program cannot be evaluated at the start: clearance at t = 0.5: ln(-1)");
}

#[test]
fn equations_that_outnumber_their_variables_are_named() {
    let state = |last: f64| {
        stated(move |g| {
            let x = g.variable("x", 1.0, -NONE, NONE);
            let y = g.variable("y", 1.0, -NONE, NONE);
            g.minimise(x.square() + y.square());
            g.subject_to("first", 2.0 * x, 2.0, 2.0);
            g.subject_to("second", x.square(), last, last);
        })
    };
    let refuse = Options { dependent_rows: DependentRows::Refuse, ..Options::default() };
    assert_eq!(
        refusal(&mut state(1.0), &[3.0, 1.0], &refuse),
        "the equations are structurally dependent: 2 equations (first, second) hold only 1 free variables (x)"
    );
    // Consistent ones are solved with a note, inconsistent ones found infeasible.
    let solution = solved(&mut state(1.0), &Options::default());
    assert_eq!(solution.status, Status::Solved);
    assert!((solution.objective - 1.0).abs() < 1e-8 && solution.notes[0].contains("structurally dependent"));
    let solution = solved(&mut state(4.0), &Options::default());
    assert_eq!(solution.status, Status::Infeasible);
    assert!(solution.message.unwrap().contains("structurally dependent"));
}

/// x² with a wrong derivative, or a wrong second derivative.
struct Wrong {
    slope: f64,
    curvature: f64,
    bounds: Bounds,
    jacobian: Pattern,
    hessian: Pattern,
}

impl Wrong {
    fn new(slope: f64, curvature: f64) -> Self {
        let program = stated(|g| {
            let x = g.variable("x", 1.0, -NONE, NONE);
            g.minimise(x.square());
            g.subject_to("row", x.square(), 0.0, NONE);
        });
        Self {
            slope,
            curvature,
            bounds: program.bounds().clone(),
            jacobian: program.jacobian_pattern().clone(),
            hessian: program.hessian_pattern().clone(),
        }
    }
}

impl Nlp for Wrong {
    fn bounds(&self) -> &Bounds {
        &self.bounds
    }
    fn jacobian_pattern(&self) -> &Pattern {
        &self.jacobian
    }
    fn hessian_pattern(&self) -> &Pattern {
        &self.hessian
    }
    fn objective(&mut self, x: &[f64]) -> Result<f64, EvalFailure> {
        Ok(x[0] * x[0])
    }
    fn gradient(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        out[0] = 2.0 * x[0];
        Ok(())
    }
    fn constraints(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        out[0] = x[0] * x[0];
        Ok(())
    }
    fn jacobian(&mut self, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        values[0] = self.slope * x[0];
        Ok(())
    }
    fn hessian(&mut self, _: &[f64], sigma: f64, lambda: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        values[0] = 2.0 * sigma + self.curvature * lambda[0];
        Ok(())
    }
    fn variable_name(&self, _: usize) -> String {
        "x".to_owned()
    }
    fn row_name(&self, _: usize) -> String {
        "row".to_owned()
    }
}

#[test]
fn wrong_derivatives_are_told_from_right_ones() {
    assert!(test_derivatives(&mut Wrong::new(2.0, 2.0), &[1.5], 1).is_ok());
    let told = refusal(&mut Wrong::new(-2.0, -2.0), &[1.5], &Options::default());
    assert!(told.starts_with("row: the derivative by x is given as -3.0"), "{told}");
    let told = refusal(&mut Wrong::new(2.0, 1.0), &[1.5], &Options::default());
    assert!(told.starts_with("derivative of the Lagrangian by x: the derivative by x is given as"), "{told}");
    // Kinks and large values are no mistakes.
    let mut program = stated(|g| {
        let x = g.variable("x", 0.0, -NONE, NONE);
        g.minimise(x.abs() + 1e9 * (x - 1.0).square());
    });
    assert!(test_derivatives(&mut program, &[0.0], 1).is_ok());
}
