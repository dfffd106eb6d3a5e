//! What cannot be evaluated is named.

use crate::nlp::graph::{Expr, Graph};
use crate::nlp::{EvalFailure, Nlp};

type Written = for<'g> fn(&'g Graph, Expr<'g>) -> Expr<'g>;

/// The failures of the row "row" and of its derivatives at x.
fn failures(written: Written, x: f64) -> [Option<String>; 3] {
    let g = Graph::new();
    let variable = g.variable("x", 0.5, 0.0, 1.0);
    g.subject_to("fine", variable, 0.0, 1.0);
    g.subject_to("row", written(&g, variable), 0.0, 1.0);
    let mut program = g.build();
    let reason = |result: Result<(), EvalFailure>| {
        result.err().map(|failure| {
            assert_eq!(failure.place, "row");
            failure.reason
        })
    };
    let mut jacobian = vec![0.0; program.jacobian_pattern().nnz()];
    let mut hessian = vec![0.0; program.hessian_pattern().nnz()];
    let value = reason(program.constraints(&[x], &mut [0.0; 2]));
    let slope = reason(program.jacobian(&[x], &mut jacobian));
    let bend = reason(program.hessian(&[x], 1.0, &[1.0, 1.0], &mut hessian));
    [value, slope, bend]
}

#[test]
fn values_that_do_not_exist_are_named_with_their_operands() {
    let cases: [(Written, f64, &str); 12] = [
        (|_, x| 1.0 + x.ln(), -0.25, "ln(-0.25)"),
        (|_, x| (x.ln() + 1.0).sin(), 0.0, "ln(0)"),
        (|_, x| 1.0 / x, 0.0, "division by zero"),
        (|_, x| (x - 1.0).sqrt(), 0.0, "sqrt(-1)"),
        (|_, x| x.powf(0.5), -2.0, "x^0.5 with x = -2"),
        (|_, x| x.pow(x), -0.5, "x^y with x = -0.5, y = -0.5"),
        (|_, x| x.exp(), 1000.0, "exp(1000)"),
        (|_, x| x * x * x, 1e155, "(1e155)^2"),
        (|_, x| (x - 3.0).asin(), 0.5, "asin(-2.5)"),
        (|g, x| x * g.constant(-1.0).sqrt(), 0.5, "sqrt(-1)"),
        (|_, x| x.min(x.ln()), -1.0, "ln(-1)"),
        (|g, x| x.less_than(g.constant(0.0)).choose(x.log10(), x), -10.0, "log10(-10)"),
    ];
    for (written, x, reason) in cases {
        assert_eq!(failures(written, x)[0].as_deref(), Some(reason));
        assert_eq!(failures(written, x)[1].as_deref(), Some(reason), "jacobian");
        assert_eq!(failures(written, x)[2].as_deref(), Some(reason), "hessian");
    }
}

#[test]
fn derivatives_that_do_not_exist_are_named() {
    let slope = |of: &str| Some(format!("the derivative of {of} is not finite"));
    let at = |written, x| failures(written, x);
    assert_eq!(at(|_, x| x.sqrt(), 0.0), [None, slope("sqrt(0)"), slope("sqrt(0)")]);
    assert_eq!(at(|_, x| x.powf(0.5) * x, 0.0)[1], slope("x^0.5 with x = 0"));
    assert_eq!(at(|_, x| x.powf(1.5), 0.0), [None, None, slope("x^1.5 with x = 0")]);
    assert_eq!(at(|_, x| x.asin(), 1.0)[1], slope("asin(1)"));
    assert_eq!(at(|_, x| x.atan2(x), 0.0)[1], slope("atan2(0, 0)"));
    assert_eq!(at(|_, x| x.abs(), 0.0), [None, None, None]);
}

#[test]
fn the_branch_not_taken_need_not_exist() {
    let none = [None, None, None];
    assert_eq!(failures(|g, x| g.constant(0.0).less_than(x).choose(x.ln() * x.sqrt(), x), -1.0), none);
    assert_eq!(failures(|g, x| (1.0 / x).min(g.constant(3.0)) + x, 0.0), none);
    assert_eq!(failures(|g, x| (-(1.0 / x)).max(g.constant(3.0)) + x, 0.0), none);
}

#[test]
fn an_expression_of_another_graph_is_refused_in_words() {
    let (g, other) = (Graph::new(), Graph::new());
    let x = g.variable("x", 0.0, 0.0, 1.0);
    let stranger = other.variable("y", 0.0, 0.0, 1.0);
    g.minimise(x + stranger);
    g.subject_to("row", stranger, 0.0, 1.0);
    g.subject_to("sum", g.sum([x, x, stranger]), 0.0, 1.0);
    let mut program = g.build();
    let failure = program.objective(&[0.0]).unwrap_err();
    assert_eq!(failure.to_string(), "objective: an expression of another graph was used");
    assert_eq!(program.constraints(&[0.0], &mut [0.0; 2]).unwrap_err().place, "row");
}

#[test]
fn a_point_of_the_wrong_length_is_refused() {
    let g = Graph::new();
    g.minimise(g.variable("x", 0.0, 0.0, 1.0));
    let failure = g.build().objective(&[0.0, 1.0]).unwrap_err();
    assert_eq!(failure.to_string(), "the point: 2 numbers for 1 variables");
}

#[test]
fn a_failure_leaves_nothing_behind() {
    let g = Graph::new();
    let x = g.variable("x", 0.5, 0.0, 1.0);
    g.minimise(x.ln());
    let mut program = g.build();
    assert!(program.objective(&[-1.0]).is_err());
    assert!(program.objective(&[f64::NAN]).is_err());
    assert_eq!(program.objective(&[1.0]), Ok(0.0));
    let mut slope = [0.0];
    program.gradient(&[2.0], &mut slope).unwrap();
    assert_eq!(slope, [0.5]);
}
