//! Formulas of problem files as expressions of a graph.

use std::sync::Arc;

use super::expr::{Expr, Graph};
use crate::kernel::{Algebra, Formula, FormulaScalar, Spline};

/// [`Formula::lower`](crate::kernel::Formula::lower) takes a graph for its algebra.
///
/// ```
/// use lariat::kernel::{Expression, Formula, Scope};
/// use lariat::nlp::{Nlp, graph::Graph};
///
/// let names = ["x", "u"].map(String::from);
/// let cost = Formula::compile(&Expression::Text("x^2 + t*u^2".into()), &Scope::empty(), &names).unwrap();
/// let g = Graph::new();
/// let [x, u] = [("x", 3.0), ("u", 1.0)].map(|(name, start)| g.variable(name, start, -9.0, 9.0));
/// g.minimise(cost.lower(&g, &[x, u], g.constant(0.5)));
/// assert_eq!(g.build().objective(&[3.0, 2.0])?, 11.0);
/// # Ok::<(), lariat::nlp::EvalFailure>(())
/// ```
impl<'g> Algebra for &'g Graph {
    type Number = Expr<'g>;

    fn constant(&self, value: f64) -> Expr<'g> {
        Graph::constant(self, value)
    }

    fn neg(&self, x: Expr<'g>) -> Expr<'g> {
        -x
    }

    fn add(&self, x: Expr<'g>, y: Expr<'g>) -> Expr<'g> {
        x + y
    }

    fn sub(&self, x: Expr<'g>, y: Expr<'g>) -> Expr<'g> {
        x - y
    }

    fn mul(&self, x: Expr<'g>, y: Expr<'g>) -> Expr<'g> {
        x * y
    }

    fn div(&self, x: Expr<'g>, y: Expr<'g>) -> Expr<'g> {
        x / y
    }

    fn powf(&self, x: Expr<'g>, p: f64) -> Expr<'g> {
        x.powf(p)
    }

    fn pow(&self, x: Expr<'g>, y: Expr<'g>) -> Expr<'g> {
        x.pow(y)
    }

    fn sin(&self, x: Expr<'g>) -> Expr<'g> {
        x.sin()
    }

    fn cos(&self, x: Expr<'g>) -> Expr<'g> {
        x.cos()
    }

    fn tan(&self, x: Expr<'g>) -> Expr<'g> {
        x.tan()
    }

    fn asin(&self, x: Expr<'g>) -> Expr<'g> {
        x.asin()
    }

    fn acos(&self, x: Expr<'g>) -> Expr<'g> {
        x.acos()
    }

    fn atan(&self, x: Expr<'g>) -> Expr<'g> {
        x.atan()
    }

    fn sinh(&self, x: Expr<'g>) -> Expr<'g> {
        x.sinh()
    }

    fn cosh(&self, x: Expr<'g>) -> Expr<'g> {
        x.cosh()
    }

    fn tanh(&self, x: Expr<'g>) -> Expr<'g> {
        x.tanh()
    }

    fn asinh(&self, x: Expr<'g>) -> Expr<'g> {
        x.asinh()
    }

    fn acosh(&self, x: Expr<'g>) -> Expr<'g> {
        x.acosh()
    }

    fn atanh(&self, x: Expr<'g>) -> Expr<'g> {
        x.atanh()
    }

    fn erf(&self, x: Expr<'g>) -> Expr<'g> {
        x.erf()
    }

    fn table(&self, spline: &Arc<Spline>, x: Expr<'g>) -> Expr<'g> {
        x.table(spline)
    }

    fn exp(&self, x: Expr<'g>) -> Expr<'g> {
        x.exp()
    }

    fn ln(&self, x: Expr<'g>) -> Expr<'g> {
        x.ln()
    }

    fn log10(&self, x: Expr<'g>) -> Expr<'g> {
        x.log10()
    }

    fn sqrt(&self, x: Expr<'g>) -> Expr<'g> {
        x.sqrt()
    }

    fn abs(&self, x: Expr<'g>) -> Expr<'g> {
        x.abs()
    }

    fn atan2(&self, y: Expr<'g>, x: Expr<'g>) -> Expr<'g> {
        y.atan2(x)
    }

    fn min(&self, x: Expr<'g>, y: Expr<'g>) -> Expr<'g> {
        x.min(y)
    }

    fn max(&self, x: Expr<'g>, y: Expr<'g>) -> Expr<'g> {
        x.max(y)
    }

    fn if_less(&self, x: Expr<'g>, y: Expr<'g>, then: Expr<'g>, otherwise: Expr<'g>) -> Expr<'g> {
        either(x.less_than(y), y.at_most(x), then, otherwise)
    }

    fn if_at_most(&self, x: Expr<'g>, y: Expr<'g>, then: Expr<'g>, otherwise: Expr<'g>) -> Expr<'g> {
        either(x.at_most(y), y.less_than(x), then, otherwise)
    }
}

/// `then` where the answer is yes, `otherwise` where its opposite is, and 0/0 where neither is: then one of the numbers
/// compared does not exist, and a branch taken nevertheless would be a wrong value without a word.
fn either<'g>(yes: Expr<'g>, no: Expr<'g>, then: Expr<'g>, otherwise: Expr<'g>) -> Expr<'g> {
    yes.choose(then, no.choose(otherwise, no / yes))
}

impl FormulaScalar for Expr<'_> {
    fn formula(formula: &Formula, variables: &[Self]) -> Self {
        let graph = variables[0].graph();
        formula.lower(graph, variables, graph.constant(0.0))
    }
}
