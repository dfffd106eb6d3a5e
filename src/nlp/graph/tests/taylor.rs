//! Taylor series of every operation against derivatives taken one by one as expressions.

use crate::nlp::Nlp;
use crate::nlp::graph::{Expr, Graph, Side, Taylor};
use crate::scalar::Scalar;

/// Degree up to which series are compared.
const DEGREE: usize = 5;

/// A function of one variable.
type Of = dyn for<'g> Fn(Expr<'g>) -> Expr<'g>;

/// The series of f(t) at t₀ by repeated differentiation of the graph: coefficients f⁽ᵏ⁾/k!.
fn derivatives(of: &Of, at: f64) -> Vec<f64> {
    let graph = Graph::new();
    let t = graph.variable("t", 0.0, -9.0, 9.0);
    let mut row = of(t);
    for _ in 0..=DEGREE {
        graph.subject_to("f", row, 0.0, 0.0);
        row = graph.gradient(row, &[t])[0];
    }
    let mut values = vec![0.0; DEGREE + 1];
    graph.build().constraints(&[at], &mut values).unwrap();
    let mut factorial = 1.0;
    for (k, value) in values.iter_mut().enumerate() {
        factorial *= k.max(1) as f64;
        *value /= factorial;
    }
    values
}

fn series(of: &Of, at: f64, degree: usize, side: Side) -> Vec<f64> {
    let graph = Graph::new();
    let t = graph.variable("t", 0.0, -9.0, 9.0);
    graph.subject_to("f", of(t), 0.0, 0.0);
    let mut taylor = Taylor::new(&graph.build(), degree);
    taylor.variable(0)[0] = at;
    if degree > 0 {
        taylor.variable(0)[1] = 1.0;
    }
    taylor.evaluate(degree, side);
    taylor.row(0).to_vec()
}

#[test]
fn series_of_all_operations_are_their_derivatives() {
    // An inner function with all coefficients, and one that stays within (0.2, 0.9).
    fn inner<'g>(t: Expr<'g>) -> Expr<'g> {
        0.5 + 0.3 * (1.3 * t).sin() + 0.01 * t.square() * t
    }
    let cases: &[(&str, &Of)] = &[
        ("neg", &|t| -inner(t)),
        ("square", &|t| inner(t).square()),
        ("sqrt", &|t| inner(t).sqrt()),
        ("exp", &|t| inner(t).exp()),
        ("ln", &|t| inner(t).ln()),
        ("log10", &|t| inner(t).log10()),
        ("sin", &|t| (2.0 * inner(t)).sin()),
        ("cos", &|t| (2.0 * inner(t)).cos()),
        ("tan", &|t| inner(t).tan()),
        ("asin", &|t| inner(t).asin()),
        ("acos", &|t| inner(t).acos()),
        ("atan", &|t| inner(t).atan()),
        ("sinh", &|t| inner(t).sinh()),
        ("cosh", &|t| inner(t).cosh()),
        ("tanh", &|t| inner(t).tanh()),
        ("asinh", &|t| inner(t).asinh()),
        ("acosh", &|t| (1.0 + inner(t)).acosh()),
        ("atanh", &|t| inner(t).atanh()),
        ("atan of the root", &|t| inner(t).atan_root()),
        ("atan of the root of zero", &|t| t.square().atan_root()),
        ("abs", &|t| (-inner(t)).abs()),
        ("add", &|t| inner(t) + t.cos()),
        ("sub", &|t| inner(t) - t.cos()),
        ("mul", &|t| inner(t) * t.cos()),
        ("div", &|t| t.cos() / inner(t)),
        ("power", &|t| inner(t).powf(2.7)),
        ("whole power", &|t| (inner(t) - 0.5).powi(7)),
        ("inverse power", &|t| inner(t).powi(-3)),
        ("pow", &|t| inner(t).pow(t.cos())),
        ("atan2", &|t| inner(t).atan2(t.cos() - 1.2)),
        ("min", &|t| inner(t).min(t.exp() + 3.0)),
        ("max", &|t| inner(t).max(t.exp() + 3.0)),
        ("choose", &|t| t.less_than(t.square() + 9.0).choose(inner(t), t)),
    ];
    for (name, of) in cases {
        for at in [-0.7, 0.2, 0.6] {
            let (expected, found) = (derivatives(of, at), series(of, at, DEGREE, Side::After));
            for k in 0..=DEGREE {
                let error = (expected[k] - found[k]).abs();
                assert!(
                    error <= 1e-11 * (1.0 + expected[k].abs()),
                    "{name}, coefficient {k} at {at}: {expected:?} {found:?}"
                );
            }
        }
    }
}

/// Closed forms: 1/(1 − t) has coefficients 1, and exp(t) 1/k!, at high degree.
#[test]
fn high_coefficients_have_closed_forms() {
    assert!(series(&|t| 1.0 / (1.0 - t), 0.0, 40, Side::After).iter().all(|x| *x == 1.0));
    let mut expected = 1.0;
    for (k, found) in series(&|t| t.exp(), 0.0, 30, Side::After).into_iter().enumerate() {
        expected /= k.max(1) as f64;
        assert!((found - expected).abs() <= 1e-14 * expected);
    }
    // tan t = t + t³/3 + 2t⁵/15 + 17t⁷/315 + 62t⁹/2835.
    let tan = series(&|t| t.tan(), 0.0, 9, Side::After);
    let expected = [0.0, 1.0, 0.0, 1.0 / 3.0, 0.0, 2.0 / 15.0, 0.0, 17.0 / 315.0, 0.0, 62.0 / 2835.0];
    assert!(tan.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15));
}

/// At a kink the series is that of the side asked for.
#[test]
fn kinks_have_two_sides() {
    let clamp: &Of = &|t| {
        let graph = t * 0.0;
        (t - 2.0).max(graph).square()
    };
    assert_eq!(series(clamp, 2.0, 3, Side::After), [0.0, 0.0, 1.0, 0.0]);
    assert_eq!(series(clamp, 2.0, 3, Side::Before), [0.0; 4]);
    let absolute: &Of = &|t| (t.square() * t).abs();
    assert_eq!(series(absolute, 0.0, 3, Side::After)[3], 1.0);
    assert_eq!(series(absolute, 0.0, 3, Side::Before)[3], -1.0);
}
