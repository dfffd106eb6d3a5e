//! Every operation by itself.

use super::{gradient, hessian, jacobian};
use crate::kernel::derivative::{Hyper, second_order};
use crate::nlp::Nlp;
use crate::nlp::graph::{Expr, Graph};
use crate::scalar::Scalar;
use num_dual::DualNum;

type Dual = Hyper<2>;
type Written = for<'g> fn(&'g Graph, Expr<'g>, Expr<'g>) -> Expr<'g>;
type Case = (&'static str, Written, fn(Dual, Dual) -> Dual);

fn number(value: f64) -> Dual {
    Dual::from(value)
}

/// All operations at points where both operands lie between 0.1 and 0.9.
const CASES: &[Case] = &[
    ("add", |_, x, y| x + y, |x, y| x + y),
    ("sub", |_, x, y| x - y, |x, y| x - y),
    ("mul", |_, x, y| x * y, |x, y| x * y),
    ("div", |_, x, y| x / y, |x, y| x / y),
    ("div by itself", |_, x, _| [x; 2].map(|x| x + 1.0).into_iter().reduce(|a, b| a / b).unwrap(), |_, _| number(1.0)),
    ("add f64", |_, x, _| x + 2.0, |x, _| x + 2.0),
    ("f64 add", |_, x, _| 2.0 + x, |x, _| x + 2.0),
    ("sub f64", |_, x, _| x - 2.0, |x, _| x - 2.0),
    ("f64 sub", |_, x, _| 2.0 - x, |x, _| -x + 2.0),
    ("mul f64", |_, x, _| x * 3.0, |x, _| x * 3.0),
    ("f64 mul", |_, x, _| 3.0 * x, |x, _| x * 3.0),
    ("div f64", |_, x, _| x / 3.0, |x, _| x / 3.0),
    ("f64 div", |_, x, _| 3.0 / x, |x, _| x.recip() * 3.0),
    ("neg", |_, x, _| -x, |x, _| -x),
    ("neg of neg", |_, x, y| -(-(x * y)), |x, y| x * y),
    ("square", |_, x, _| x.square(), |x, _| x * x),
    ("times itself", |_, x, y| (x + y) * (x + y), |x, y| (x + y) * (x + y)),
    ("powi", |_, x, _| x.powi(3), |x, _| x.powi(3)),
    ("negative powi", |_, x, _| x.powi(-2), |x, _| x.powi(-2)),
    ("large powi", |_, x, _| x.powi(70), |x, _| x.powi(70)),
    ("powf", |_, x, _| x.powf(0.5), |x, _| x.powf(0.5)),
    ("pow", |_, x, y| x.pow(y), |x, y| x.powd(y)),
    ("pow with itself", |_, x, _| x.pow(x), |x, _| x.powd(x)),
    ("pow of a constant", |g, x, _| g.constant(0.3).pow(x), |x, _| (x * 0.3f64.ln()).exp()),
    ("pow with a constant", |g, x, _| x.pow(g.constant(1.7)), |x, _| x.powf(1.7)),
    ("sqrt", |_, x, _| x.sqrt(), |x, _| x.sqrt()),
    ("exp", |_, x, _| x.exp(), |x, _| x.exp()),
    ("ln", |_, x, _| x.ln(), |x, _| x.ln()),
    ("log10", |_, x, _| x.log10(), |x, _| x.log10()),
    ("sin", |_, x, _| x.sin(), |x, _| x.sin()),
    ("cos", |_, x, _| x.cos(), |x, _| x.cos()),
    ("tan", |_, x, _| x.tan(), |x, _| x.tan()),
    ("asin", |_, x, _| x.asin(), |x, _| x.asin()),
    ("acos", |_, x, _| x.acos(), |x, _| x.acos()),
    ("atan", |_, x, _| x.atan(), |x, _| x.atan()),
    ("sinh", |_, x, _| x.sinh(), |x, _| x.sinh()),
    ("cosh", |_, x, _| x.cosh(), |x, _| x.cosh()),
    ("tanh", |_, x, _| x.tanh(), |x, _| x.tanh()),
    ("asinh", |_, x, _| x.asinh(), |x, _| x.asinh()),
    ("acosh", |_, x, _| (x + 1.0).acosh(), |x, _| (x + 1.0).acosh()),
    ("atanh", |_, x, _| x.atanh(), |x, _| x.atanh()),
    ("atan of the root", |_, x, _| Scalar::atan_root(x), |x, _| x.sqrt().atan() / x.sqrt()),
    ("abs", |_, x, y| (x - 2.0 * y).abs(), |x, y| if x.re < 2.0 * y.re { y * 2.0 - x } else { x - y * 2.0 }),
    ("atan2", |_, x, y| x.atan2(y), |x, y| (x / y).atan()),
    ("atan2 behind", |_, x, y| x.atan2(-y), |x, y| (-x / y).atan() + std::f64::consts::PI),
    (
        "min",
        |_, x, y| (x * y).min(x.exp() - 1.0),
        |x, y| if x.re * y.re < x.re.exp() - 1.0 { x * y } else { x.exp() - 1.0 },
    ),
    ("max", |_, x, y| x.square().max(y.sin()), |x, y| if x.re.powi(2) > y.re.sin() { x * x } else { y.sin() }),
    ("sum", |g, x, y| g.sum([x, y * y, g.constant(2.0), x, g.constant(1.0)]), |x, y| x * 2.0 + y * y + 3.0),
    ("sum of two", |g, x, y| g.sum([x.sin(), y]), |x, y| x.sin() + y),
    ("sum of one", |g, x, _| g.sum([x.sin()]), |x, _| x.sin()),
    ("sum of none", |g, _, _| g.sum([]), |_, _| number(0.0)),
    (
        "choose less",
        |_, x, y| x.less_than(y).choose(x.exp() * y, y.ln() * x),
        |x, y| if x.re < y.re { x.exp() * y } else { y.ln() * x },
    ),
    (
        "choose by logic",
        |g, x, y| {
            let half = g.constant(0.5);
            half.at_most(x).and(half.at_most(y).negation()).choose(x * y, x / y)
        },
        |x, y| if x.re >= 0.5 && y.re < 0.5 { x * y } else { x / y },
    ),
    (
        "choose by equality",
        |g, x, y| x.equal_to(y).or(x.less_than(g.constant(0.3))).choose(x.sin(), (x * y).cos()),
        |x, y| if x.re < 0.3 { x.sin() } else { (x * y).cos() },
    ),
    (
        "product with an answer",
        |_, x, y| x.less_than(y) * x.sin() * y,
        |x, y| if x.re < y.re { x.sin() * y } else { number(0.0) },
    ),
    (
        "function of everything",
        |_, x, y| ((x * y).sin() + x / y).exp() / (x.square() + y.pow(x)).sqrt(),
        |x, y| ((x * y).sin() + x / y).exp() / (x * x + y.powd(x)).sqrt(),
    ),
];

#[test]
fn value_gradient_and_hessian_agree_with_dual_numbers() {
    for (name, written, dual) in CASES {
        let g = Graph::new();
        let x = g.variable("x", 0.5, 0.0, 1.0);
        let y = g.variable("y", 0.5, 0.0, 1.0);
        let expression = written(&g, x, y);
        g.minimise(expression);
        g.subject_to("row", expression, 0.0, 0.0);
        let mut program = g.build();
        for k in 1..20 {
            // Low-discrepancy points inside the unit square; no two coordinates are equal.
            let at = [0.754_877_666, 0.569_840_291].map(|step: f64| 0.1 + 0.8 * (0.5 + step * f64::from(k)).fract());
            let (value, first, second) = second_order(|[x, y]| dual(x, y), at);
            let close = |ours: f64, theirs: f64| (ours - theirs).abs() <= 1e-11 * (1.0 + theirs.abs());
            assert!(close(program.objective(&at).unwrap(), value), "{name} at {at:?}");
            let (slope, row) = (gradient(&mut program, &at), jacobian(&mut program, &at));
            let bend = hessian(&mut program, &at, 1.5, &[-0.25]);
            for i in 0..2 {
                assert!(close(slope[i], first[i]), "{name}: gradient {i} at {at:?}: {} {}", slope[i], first[i]);
                assert!(close(row[(0, i)], first[i]), "{name}: row {i} at {at:?}");
                for j in 0..2 {
                    let theirs = 1.25 * second[(i, j)];
                    assert!(close(bend[(i, j)], theirs), "{name}: {i} {j} at {at:?}: {} {theirs}", bend[(i, j)]);
                }
            }
        }
    }
}

/// Derivatives as expressions have the values of first derivatives, and their own derivatives are the second ones.
#[test]
fn derivatives_as_expressions_agree_with_dual_numbers() {
    for (name, written, dual) in CASES {
        let g = Graph::new();
        let x = g.variable("x", 0.5, 0.0, 1.0);
        let y = g.variable("y", 0.5, 0.0, 1.0);
        for slope in g.gradient(written(&g, x, y), &[x, y]) {
            g.subject_to("slope", slope, 0.0, 0.0);
        }
        let mut program = g.build();
        for k in 1..20 {
            let at = [0.754_877_666, 0.569_840_291].map(|step: f64| 0.1 + 0.8 * (0.5 + step * f64::from(k)).fract());
            let (_, first, second) = second_order(|[x, y]| dual(x, y), at);
            let close = |ours: f64, theirs: f64| (ours - theirs).abs() <= 1e-11 * (1.0 + theirs.abs());
            let mut slopes = [f64::NAN; 2];
            program.constraints(&at, &mut slopes).unwrap();
            let bend = jacobian(&mut program, &at);
            for i in 0..2 {
                assert!(close(slopes[i], first[i]), "{name}: {i} at {at:?}: {} {}", slopes[i], first[i]);
                for j in 0..2 {
                    assert!(close(bend[(i, j)], second[(i, j)]), "{name}: {i} {j} at {at:?}");
                }
            }
        }
    }
}

#[test]
fn powers_at_zero_have_the_derivatives_of_their_limits() {
    let g = Graph::new();
    let x = g.variable("x", 0.0, 0.0, 1.0);
    let y = g.variable("y", 3.0, 0.0, 9.0);
    g.minimise(x.pow(y) + x.powi(3) + x.powf(2.5) + 4.0 * x.powi(2) + 0.0 * y.ln() + x.powi(1) + x.powi(0));
    let mut program = g.build();
    assert_eq!(program.objective(&[0.0, 3.0]), Ok(1.0));
    assert_eq!(gradient(&mut program, &[0.0, 3.0]).as_slice(), [1.0, 0.0]);
    assert_eq!(hessian(&mut program, &[0.0, 3.0], 1.0, &[]).as_slice(), [8.0, 0.0, 0.0, 0.0]);
    assert_eq!(hessian(&mut program, &[0.0, 2.0], 1.0, &[]).as_slice(), [10.0, 0.0, 0.0, 0.0]);
}

#[test]
fn whole_powers_of_negative_numbers_are_fine() {
    let g = Graph::new();
    let x = g.variable("x", -2.0, -9.0, 9.0);
    g.minimise(x.powi(3) + x.powi(-1) + (x.abs() - 2.0).abs());
    let mut program = g.build();
    assert_eq!(program.objective(&[-2.0]), Ok(-8.5));
    assert_eq!(gradient(&mut program, &[-2.0])[0], 12.0 - 0.25);
    assert_eq!(hessian(&mut program, &[-2.0], 1.0, &[])[(0, 0)], -12.0 - 0.25);
}
