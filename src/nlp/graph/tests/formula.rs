//! Formulas of problem files in graphs: the same values, and the derivatives that dual numbers give.

use super::{gradient, hessian};
use crate::kernel::derivative::second_order;
use crate::kernel::{Expression, Formula, Scope};
use crate::nlp::Nlp;
use crate::nlp::graph::{Graph, Program};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Compiles a formula of x and y with a few definitions.
fn formula(source: &str) -> Formula {
    let text = |text: &str| Expression::Text(text.to_owned());
    let lets = [("k", "0.7"), ("ramp", "rest(t, -1, 3, 3)"), ("wave", "sin(2*t)*ramp + k")];
    let scope = Scope::new(&lets.map(|(name, source)| (name.to_string(), text(source))).into()).unwrap();
    let names = ["x", "y"].map(String::from);
    Formula::compile(&text(source), &scope, &names).unwrap_or_else(|error| panic!("{source}: {error}"))
}

/// The formula as the objective of a program of x, y and the time.
fn program(formula: &Formula) -> Program {
    let g = Graph::new();
    let [x, y, t] = ["x", "y", "t"].map(|name| g.variable(name, 0.5, -9.0, 9.0));
    g.minimise(formula.lower(&g, &[x, y], t));
    g.build()
}

/// Equal up to `tolerance`, relative for large numbers.
fn near(found: f64, expected: f64, tolerance: f64) -> bool {
    (found - expected).abs() <= tolerance * expected.abs().max(1.0)
}

/// Every function of the language, each where it is smooth, with kinks between the points.
const FUNCTIONS: &[&str] = &[
    "x + y - t - 2*(x - y) - (-x)",
    "x*y/(3 + t)*2",
    "x^2 + y^3 - x^-1 + x^1 + y^0",
    "x^0.5*y^2.5 + (1 + y)^-0.3 + (-x)^20",
    "x^y + pow(1 + t, x*y) + 2^x",
    "sin(x*y) + cos(x - t) + tan(y)",
    "asin(x*y) + acos(x*t) + atan(x - y)",
    "sinh(x) + cosh(y) + tanh(x*t)",
    "exp(x*y) + ln(x + t) + log(y) + log10(x + y)",
    "sqrt(x + y*t)",
    "abs(x - y) + abs(x - 1)*t",
    "x*sign(x - y) + y*step(t - x) + step(y + 1) + sign(-x)",
    "hypot(x, y - t)",
    "atan2(x, y) + atan2(x - 0.5, -t) + atan2(-x, y - 0.5)",
    "min(x, y*y, t) + max(x*y, t - 0.3)",
    "clamp(x*x, 0.1, 0.4) + clamp(y, x - 0.2, x + 0.2)",
    "if(x < y, x*y, x/y) + if(x >= t, sin(x), ln(t)) + if(y > 0.4, x, t*t) + if(t <= 0.5, y, 0)",
    "if(x < y, ln(y - x), sqrt(x - y))",
    "rest(x, 0.2, 0.8, 5) + rest(t*y, 0, 0.5, 2) + rest(x - y, -2, 2, 20) + rest(y, 0.3, 0.6, 1)",
    "wave^2 + k*ramp*x - wave*y",
    "exp(sin(x)*wave)/(1 + hypot(x, y)^3) - if(x*y < t, rest(x, 0, 1, 4), clamp(t, 0.2, y + 1))",
];

/// Dual numbers through the evaluator of the language are an independent oracle: other code for every function.
#[test]
fn values_gradients_and_hessians_of_every_function() {
    for source in FUNCTIONS {
        let f = formula(source);
        let mut program = program(&f);
        for k in 1..40 {
            // Low-discrepancy points inside the unit cube; no two coordinates are equal.
            let steps = [0.819_172_513, 0.671_043_607, 0.549_700_478];
            let at = steps.map(|step: f64| 0.1 + 0.8 * (0.5 + step * f64::from(k)).fract());
            let (value, first, second) = second_order(|[x, y, t]| f.eval(&[x, y], t).unwrap(), at);
            assert_eq!(f.value(&at[..2], at[2]).map(|alone| near(alone, value, 1e-14)), Ok(true), "{source} at {at:?}");
            let found = program.objective(&at).unwrap();
            assert!(near(found, value, 1e-12), "{source} at {at:?}: {found} {value}");
            let (slope, bend) = (gradient(&mut program, &at), hessian(&mut program, &at, 1.0, &[]));
            for i in 0..3 {
                assert!(near(slope[i], first[i], 1e-11), "{source}: {i} at {at:?}: {} {}", slope[i], first[i]);
                for j in 0..3 {
                    let (found, expected) = (bend[(i, j)], second[(i, j)]);
                    assert!(near(found, expected, 1e-10), "{source}: {i} {j} at {at:?}: {found} {expected}");
                }
            }
        }
    }
}

/// Functions at rest have zero derivatives, not those of the formula between.
#[test]
fn nothing_moves_outside_a_transition() {
    for k in [1, 2, 5, 20] {
        let mut program = program(&formula(&format!("rest(x, 0, 1, {k}) + clamp(y, 0, 1) + sign(t)")));
        for (at, value) in [([-1.0, -1.0, 1.0], 1.0), ([2.0, 3.0, -2.0], 1.0), ([0.5, -1.0, 1.0], 1.5)] {
            assert_eq!(program.objective(&at), Ok(value));
            let slope = gradient(&mut program, &at);
            assert_eq!((slope[0] == 0.0, slope[1], slope[2]), (at[0] != 0.5, 0.0, 0.0), "k = {k} at {at:?}");
        }
    }
}

/// d/du I_u(k, k) = (2k−1) C(2k−2, k−1) (u(1−u))^(k−1), to full relative accuracy near both ends.
#[test]
fn transitions_keep_their_digits_near_the_ends() {
    let mut program = program(&formula("rest(x, 0, 1, 8)"));
    for u in [0.001, 0.3, 0.7, 0.999] {
        let slope = gradient(&mut program, &[u, 0.0, 0.0])[0];
        assert!((slope / (15.0 * 3432.0 * (u * (1.0 - u)).powi(7)) - 1.0).abs() < 1e-12, "{u}: {slope}");
    }
}

#[test]
fn a_known_time_leaves_nothing_of_it_in_the_graph() {
    let g = Graph::new();
    let [x, y] = ["x", "y"].map(|name| g.variable(name, 0.5, -9.0, 9.0));
    g.minimise(formula("wave*x + rest(t, 0, 1, 5)*y + if(t < 2, x, ln(x))").lower(&g, &[x, y], g.constant(1.5)));
    let mut program = g.build();
    // wave·x + y + x: two variables, the number wave, a product and two sums.
    assert_eq!(program.work()[0], 6);
    assert_eq!(program.hessian_pattern().nnz(), 0);
    let wave = 3f64.sin() * (0.625f64.powi(3) * (10.0 - 15.0 * 0.625 + 6.0 * 0.625 * 0.625)) + 0.7;
    assert!(near(program.objective(&[2.0, 3.0]).unwrap(), wave * 2.0 + 3.0 + 2.0, 1e-14));
}

/// A comparison with something that does not exist chooses no branch.
#[test]
fn conditions_without_a_value_fail() {
    for (source, reason) in [
        ("if(ln(x) < 1, x, 2)", "ln(-1)"),
        ("if(1 >= sqrt(x), x, 2)", "sqrt(-1)"),
        ("step(ln(x)) + y", "ln(-1)"),
        ("sign(x^0.5)", "x^0.5 with x = -1"),
        ("rest(ln(x), 0, 1, 3)", "ln(-1)"),
        ("clamp(ln(x), 0, 1)", "ln(-1)"),
        ("clamp(y, 0, x)", "sqrt(-1)"),
        ("x + 1/(y - 1)", "division by zero"),
    ] {
        let f = formula(source);
        let failure = program(&f).objective(&[-1.0, 1.0, 0.0]).unwrap_err();
        assert_eq!((&*failure.place, &*failure.reason), ("objective", reason), "{source}");
        assert!(f.value(&[-1.0, 1.0], 0.0).is_err(), "{source}");
        // After another formula has left its own nodes in the graph.
        let g = Graph::new();
        let [x, y, t] = ["x", "y", "t"].map(|name| g.variable(name, 0.5, -9.0, 9.0));
        g.subject_to("other", formula("if(y < 3, step(y), sign(y))").lower(&g, &[x, y], t), 0.0, 1.0);
        g.subject_to("row", f.lower(&g, &[x, y], t), 0.0, 1.0);
        let failure = g.build().constraints(&[-1.0, 1.0, 0.0], &mut [0.0; 2]).unwrap_err();
        assert_eq!((&*failure.place, &*failure.reason), ("row", reason), "{source}");
    }
}

/// Expressions of everything the language has, with arguments kept inside the domains of the functions.
fn source() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        (-3.0..3.0f64).prop_map(|number| format!("({number:.3})")),
        prop::sample::select(vec!["x", "y", "t", "x", "y", "k", "wave", "ramp"]).prop_map(str::to_owned),
    ];
    leaf.prop_recursive(5, 40, 4, |inner| {
        let two = (inner.clone(), inner.clone());
        let three = (inner.clone(), inner.clone(), inner.clone());
        let one = [
            "sin(#)",
            "cos(#)",
            "tan(sin(#))",
            "asin(sin(#)/2)",
            "acos(cos(#)/2)",
            "atan(#)",
            "sinh(sin(#))",
            "cosh(cos(#))",
            "tanh(#)",
            "exp(sin(#))",
            "ln(1 + abs(#))",
            "log(2 + sin(#))",
            "log10(1 + (#)^2)",
            "sqrt(abs(#) + 0.1)",
            "abs(#)",
            "sign(#)",
            "step(#)",
            "-(#)",
            "(#)^2",
            "sin(#)^3",
            "(1 + abs(#))^-0.7",
            "rest(#, -0.4, 1.3, 4)",
            "rest(#, -3, 3, 9)",
            "clamp(#, -0.6, 0.8)",
            "(#)/3",
            "2*(#)",
        ];
        prop_oneof![
            3 => (prop::sample::select(one.to_vec()), inner).prop_map(|(form, x)| form.replace('#', &x)),
            3 => (prop::sample::select(vec!["+", "-", "*"]), two.clone())
                .prop_map(|(operator, (x, y))| format!("(({x}) {operator} ({y}))")),
            1 => two.clone().prop_map(|(x, y)| format!("({x})/(1 + ({y})^2)")),
            1 => two.clone().prop_map(|(x, y)| format!("(1.5 + sin({x}))^cos({y})")),
            1 => two.clone().prop_map(|(x, y)| format!("atan2({x}, 1.2 + cos({y}))")),
            1 => two.prop_map(|(x, y)| format!("hypot({x}, 0.1 + abs({y}))")),
            1 => (prop::sample::select(vec!["min", "max"]), three.clone())
                .prop_map(|(name, (x, y, z))| format!("{name}({x}, {y}, {z})")),
            1 => three.clone().prop_map(|(x, y, z)| format!("clamp({x}, {y} - abs({z}), {y} + 1)")),
            1 => (prop::sample::select(vec!["<", "<=", ">", ">="]), three)
                .prop_map(|(relation, (x, y, z))| format!("if({x} {relation} {y}, {z}, {y} - {x})")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1000, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default()
    })]

    #[test]
    fn random_formulas_keep_values_and_gradients(source in source(), at in prop::array::uniform3(-1.5..1.5f64)) {
        let f = formula(&source);
        let mut program = program(&f);
        match (f.value(&at[..2], at[2]), program.objective(&at)) {
            (Ok(expected), Ok(found)) => prop_assert!(near(found, expected, 1e-12), "{source}: {found} {expected}"),
            failed => prop_assert!(false, "{source}: {failed:?}"),
        }
        // Large derivatives amplify rounding.
        let (_, first, _) = second_order(|[x, y, t]| f.eval(&[x, y], t).unwrap(), at);
        let scale = first.amax().max(1.0);
        prop_assume!(scale < 1e4);
        let slope = gradient(&mut program, &at);
        let error = (0..3).map(|i| (slope[i] - first[i]).abs()).fold(0.0, f64::max);
        prop_assert!(error <= 1e-10 * scale, "{source}: {slope} {first}");
    }
}
