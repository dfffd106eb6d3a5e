//! Functions given by samples, and erf, over graphs.

use std::collections::BTreeMap;
use std::sync::Arc;

use num_dual::Dual3_64;

use crate::kernel::{Expression, Fit, Formula, Function, Scope, Spline};
use crate::nlp::Nlp;
use crate::nlp::graph::{Graph, Side, Taylor};

/// tip: sin 3t by a spline of degree 7; bounded: t² by one of degree 5.
fn scope() -> Scope {
    let times: Vec<f64> = (0..=20).map(|i| 0.1 * f64::from(i)).collect();
    let spline = |f: &dyn Fn(f64) -> f64, degree: usize| {
        let values: Vec<f64> = times.iter().map(|t| f(*t)).collect();
        Arc::new(Spline::fit(&times, &values, &Fit { degree, ..Fit::default() }).unwrap())
    };
    let tables = [("tip".to_owned(), spline(&|t| (3.0 * t).sin(), 7)), ("bounded".to_owned(), spline(&|t| t * t, 5))];
    Scope::with_tables(&BTreeMap::new(), BTreeMap::from(tables)).unwrap()
}

fn text(text: &str) -> Expression {
    Expression::Text(text.to_owned())
}

#[track_caller]
fn close(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance * expected.abs().max(1.0), "{what}: {found} instead of {expected}");
}

/// Over a graph a table has the values and both derivatives of numbers and dual numbers, in formulas of variables too.
#[test]
fn tables_are_lowered_to_graphs() {
    let source = "u*tip(u*t - 0.2) + erf(u)*bounded(t) + asinh(u) + atanh(u/4) + acosh(1 + u)";
    let formula = Formula::compile(&text(source), &scope(), &["u".to_owned()]).unwrap();
    for t in [0.05, 0.9, 1.7] {
        let graph = Graph::new();
        let u = graph.variable("u", 0.0, -9.0, 9.0);
        graph.minimise(formula.lower(&graph, &[u], graph.constant(t)));
        let mut program = graph.build();
        for at in [0.3, 0.9, 1.3] {
            let witness = formula.eval(&[Dual3_64::from_re(at).derivative()], Dual3_64::from_re(t)).unwrap();
            let (mut gradient, mut hessian) = ([0.0], [0.0]);
            close(program.objective(&[at]).unwrap(), witness.re, 1e-13, "value");
            program.gradient(&[at], &mut gradient).unwrap();
            program.hessian(&[at], 1.0, &[], &mut hessian).unwrap();
            close(gradient[0], witness.v1, 1e-12, "slope");
            close(hessian[0], witness.v2, 1e-11, "curvature");
        }
    }
}

/// Taylor series of a table and of erf have the derivatives of dual numbers; the parts between which a derivative may jump are
/// told only where the order is that of the jumps.
#[test]
fn tables_have_taylor_series() {
    let source = "tip(t^2) + erf(2*t - 1)^2";
    let function = Function::compile(&text(source), &scope()).unwrap();
    let series = |degree: usize, t: f64| {
        let graph = Graph::new();
        let time = graph.variable("t", 0.0, -9.0, 9.0);
        graph.subject_to("f", function.lower(&graph, time), 0.0, 0.0);
        let mut taylor = Taylor::new(&graph.build(), degree);
        let start = taylor.variable(0);
        start[0] = t;
        if degree > 0 {
            start[1] = 1.0;
        }
        taylor.evaluate(degree, Side::After);
        (taylor.row(0).to_vec(), taylor.branches().to_vec())
    };
    for t in [0.2, 0.5, 1.1, 1.6] {
        let witness = function.eval(Dual3_64::from_re(t).derivative()).unwrap();
        let found = series(3, t).0;
        for (found, expected) in found.iter().zip([witness.re, witness.v1, witness.v2 / 2.0, witness.v3 / 6.0]) {
            close(*found, expected, 1e-11, source);
        }
    }
    assert_eq!(series(3, 0.2).1, series(3, 1.0).1);
    assert_ne!(series(7, 0.2).1, series(7, 1.0).1);
    assert_ne!(series(1, 1.0).1, series(1, 1.5).1);
}
