//! Expressions as the user writes them.

use std::cell::RefCell;
use std::ops::{Add, Div, Mul, Neg, Sub};
use std::sync::Arc;

use super::arena::Arena;
use super::op::Op;
use super::program::{Program, Row, Variable};
use crate::kernel::Spline;
use crate::scalar::Scalar;

/// A nonlinear program under construction: variables, rows and an objective as expressions.
///
/// All methods take `&self`, so that expressions can be copied freely while the graph grows.
#[derive(Debug, Default)]
pub struct Graph {
    inner: RefCell<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    arena: Arena,
    variables: Vec<Variable>,
    rows: Vec<Row>,
    objective: Option<u32>,
    maximised: bool,
}

/// An expression of a [`Graph`].
#[derive(Debug, Clone, Copy)]
pub struct Expr<'g> {
    graph: &'g Graph,
    node: u32,
}

impl Graph {
    /// An empty program.
    pub fn new() -> Self {
        Self::default()
    }

    /// A new variable with its value at the start and its bounds.
    pub fn variable(&self, name: impl Into<String>, start: f64, lower: f64, upper: f64) -> Expr<'_> {
        self.make(|inner| {
            let node = inner.arena.variable(inner.variables.len() as u32);
            inner.variables.push(Variable { name: name.into(), node, start, lower, upper, parameter: false });
            node
        })
    }

    /// A number that may differ from evaluation to evaluation. It stands among the variables, but Jacobian and Hessian leave
    /// it out.
    pub fn parameter(&self, name: impl Into<String>) -> Expr<'_> {
        self.make(|inner| {
            let node = inner.arena.variable(inner.variables.len() as u32);
            let (lower, upper) = (f64::NEG_INFINITY, f64::INFINITY);
            inner.variables.push(Variable { name: name.into(), node, start: 0.0, lower, upper, parameter: true });
            node
        })
    }

    /// Gives a variable another name, start and bounds; what does not exist is left alone.
    pub(in crate::nlp) fn revise(&self, variable: usize, name: String, start: f64, lower: f64, upper: f64) {
        if let Some(known) = self.inner.borrow_mut().variables.get_mut(variable) {
            *known = Variable { name, node: known.node, start, lower, upper, parameter: known.parameter };
        }
    }

    /// A number as an expression.
    pub fn constant(&self, value: f64) -> Expr<'_> {
        self.make(|inner| inner.arena.constant(value))
    }

    /// The sum of all expressions, as one node.
    pub fn sum<'g>(&'g self, terms: impl IntoIterator<Item = Expr<'g>>) -> Expr<'g> {
        // The iterator may itself build expressions, so it ends before the arena is borrowed.
        let terms: Vec<Expr<'g>> = terms.into_iter().collect();
        self.make(|inner| {
            let foreign = inner.arena.foreign();
            inner.arena.sum(terms.iter().map(|term| term.node_in(self).unwrap_or(foreign)))
        })
    }

    /// Adds the row lower ≤ expression ≤ upper; equal bounds make it an equation.
    pub fn subject_to(&self, name: impl Into<String>, expression: Expr<'_>, lower: f64, upper: f64) {
        let node = self.own(expression);
        self.inner.borrow_mut().rows.push(Row { name: name.into(), node, lower, upper });
    }

    /// Makes the expression the objective to minimise, in place of an earlier one.
    pub fn minimise(&self, expression: Expr<'_>) {
        let node = self.own(expression);
        let mut inner = self.inner.borrow_mut();
        inner.objective = Some(node);
        inner.maximised = false;
    }

    /// Makes the expression the objective to maximise: its negative is minimised.
    pub fn maximise(&self, expression: Expr<'_>) {
        let node = self.own(expression);
        let mut inner = self.inner.borrow_mut();
        inner.objective = Some(inner.arena.unary(Op::Neg, node));
        inner.maximised = true;
    }

    /// The finished program, with all its symbolic work done.
    pub fn build(&self) -> Program {
        let inner = &mut *self.inner.borrow_mut();
        let objective = inner.objective.unwrap_or_else(|| inner.arena.constant(0.0));
        let (variables, rows) = (&inner.variables, &inner.rows);
        Program::new(&inner.arena, variables, rows, objective, inner.maximised)
    }

    fn make(&self, node: impl FnOnce(&mut Inner) -> u32) -> Expr<'_> {
        Expr { graph: self, node: node(&mut self.inner.borrow_mut()) }
    }

    pub(super) fn with_arena<T>(&self, work: impl FnOnce(&mut Arena) -> T) -> T {
        work(&mut self.inner.borrow_mut().arena)
    }

    pub(super) fn expression(&self, node: u32) -> Expr<'_> {
        Expr { graph: self, node }
    }

    pub(super) fn own(&self, expression: Expr<'_>) -> u32 {
        expression.node_in(self).unwrap_or_else(|| self.inner.borrow_mut().arena.foreign())
    }
}

impl<'g> Expr<'g> {
    fn node_in(self, graph: &Graph) -> Option<u32> {
        std::ptr::eq(self.graph, graph).then_some(self.node)
    }

    fn unary(self, op: Op) -> Self {
        self.graph.make(|inner| inner.arena.unary(op, self.node))
    }

    fn binary(self, op: Op, other: Expr<'_>) -> Self {
        let other = self.graph.own(other);
        self.graph.make(|inner| inner.arena.binary(op, self.node, other))
    }

    /// The number it stands for, if it is a constant.
    pub fn number(self) -> Option<f64> {
        self.graph.inner.borrow().arena.number(self.node)
    }

    /// The whole power xⁿ.
    pub fn powi(self, n: i32) -> Self {
        self.powf(f64::from(n))
    }

    /// The power xᵖ with a fixed exponent.
    pub fn powf(self, p: f64) -> Self {
        self.binary(Op::Pow, self.graph.constant(p))
    }

    /// The power xʸ with an expression as exponent.
    pub fn pow(self, exponent: Expr<'g>) -> Self {
        self.binary(Op::Pow, exponent)
    }

    /// The error function.
    pub fn erf(self) -> Self {
        self.unary(Op::Erf(0))
    }

    /// A function given by samples, of this expression.
    pub fn table(self, spline: &Arc<Spline>) -> Self {
        self.graph.make(|inner| {
            let number = inner.arena.table(spline);
            inner.arena.unary(Op::Table(number, 0), self.node)
        })
    }

    /// The angle of the point with the abscissa `x` and this ordinate.
    pub fn atan2(self, x: Expr<'g>) -> Self {
        self.binary(Op::Atan2, x)
    }

    /// The smaller of two expressions; the derivative is that of the one taken.
    pub fn min(self, other: Expr<'g>) -> Self {
        self.binary(Op::Min, other)
    }

    /// The larger of two expressions; the derivative is that of the one taken.
    pub fn max(self, other: Expr<'g>) -> Self {
        self.binary(Op::Max, other)
    }

    /// 1 where this expression is less than the other, 0 elsewhere.
    pub fn less_than(self, other: Expr<'g>) -> Self {
        self.binary(Op::Less, other)
    }

    /// 1 where this expression is at most the other, 0 elsewhere.
    pub fn at_most(self, other: Expr<'g>) -> Self {
        self.binary(Op::AtMost, other)
    }

    /// 1 where both expressions are equal, 0 elsewhere.
    pub fn equal_to(self, other: Expr<'g>) -> Self {
        self.binary(Op::Equal, other)
    }

    /// 1 where both expressions differ from zero, 0 elsewhere.
    pub fn and(self, other: Expr<'g>) -> Self {
        self.binary(Op::And, other)
    }

    /// 1 where one of the expressions differs from zero, 0 elsewhere.
    pub fn or(self, other: Expr<'g>) -> Self {
        self.binary(Op::Or, other)
    }

    /// 1 where this expression is zero, 0 elsewhere.
    pub fn negation(self) -> Self {
        self.unary(Op::Not)
    }

    /// `then` where this expression differs from zero, `otherwise` elsewhere.
    ///
    /// The branch not taken need not have a value: `x.less_than(c).choose(c, x.ln())`.
    pub fn choose(self, then: Expr<'g>, otherwise: Expr<'g>) -> Self {
        let (then, otherwise) = (self.graph.own(then), self.graph.own(otherwise));
        self.graph.make(|inner| inner.arena.choose(self.node, then, otherwise))
    }
}

impl<'g> Expr<'g> {
    /// The graph it belongs to.
    pub(super) fn graph(self) -> &'g Graph {
        self.graph
    }
}

impl Scalar for Expr<'_> {
    fn lift(self, value: f64) -> Self {
        self.graph.constant(value)
    }

    fn sqrt(self) -> Self {
        Expr::sqrt(self)
    }

    fn sin(self) -> Self {
        Expr::sin(self)
    }

    fn cos(self) -> Self {
        Expr::cos(self)
    }

    fn exp(self) -> Self {
        Expr::exp(self)
    }

    fn ln(self) -> Self {
        Expr::ln(self)
    }

    fn atan2(self, x: Self) -> Self {
        Expr::atan2(self, x)
    }

    fn atan_root(self) -> Self {
        self.unary(Op::AtanRoot(0))
    }

    fn atan_root_slope(self) -> Self {
        self.unary(Op::AtanRoot(1))
    }

    fn square(self) -> Self {
        Expr::square(self)
    }
}

macro_rules! functions {
    ($($name:ident $op:ident $doc:literal),* $(,)?) => {
        impl<'g> Expr<'g> {
            $(#[doc = $doc]
            pub fn $name(self) -> Self {
                self.unary(Op::$op)
            })*
        }
    };
}

functions! {
    square Square "The square x².",
    sqrt Sqrt "The square root.",
    exp Exp "The exponential function.",
    ln Ln "The natural logarithm.",
    log10 Log10 "The decimal logarithm.",
    sin Sin "The sine.",
    cos Cos "The cosine.",
    tan Tan "The tangent.",
    asin Asin "The inverse sine.",
    acos Acos "The inverse cosine.",
    atan Atan "The inverse tangent.",
    sinh Sinh "The hyperbolic sine.",
    cosh Cosh "The hyperbolic cosine.",
    tanh Tanh "The hyperbolic tangent.",
    asinh Asinh "The inverse hyperbolic sine.",
    acosh Acosh "The inverse hyperbolic cosine.",
    atanh Atanh "The inverse hyperbolic tangent.",
    abs Abs "The absolute value, with the derivative 0 at 0.",
}

impl Neg for Expr<'_> {
    type Output = Self;

    fn neg(self) -> Self {
        self.unary(Op::Neg)
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident),*) => {
        $(impl<'g> $trait for Expr<'g> {
            type Output = Expr<'g>;

            fn $method(self, other: Expr<'g>) -> Expr<'g> {
                self.binary(Op::$trait, other)
            }
        }

        impl<'g> $trait<f64> for Expr<'g> {
            type Output = Expr<'g>;

            fn $method(self, other: f64) -> Expr<'g> {
                self.binary(Op::$trait, self.graph.constant(other))
            }
        }

        impl<'g> $trait<Expr<'g>> for f64 {
            type Output = Expr<'g>;

            fn $method(self, other: Expr<'g>) -> Expr<'g> {
                other.graph.constant(self).binary(Op::$trait, other)
            }
        })*
    };
}

operators!(Add add, Sub sub, Mul mul, Div div);
