//! The value of a tree at one time and place.

use super::EvalErrorKind;
use super::builtin::{Binary, Extremum, Unary};
use super::elementary;
use super::node::{Choice, Factor, Kind, Node, Table, Variable};
use super::power;
use super::token::Span;
use crate::scalar::Real;

/// A number, and whether it is known not to change with `t` and `s` nearby.
///
/// The derivatives of a fixed number are zero whatever is done to it, also where the outer function has none:
/// `sqrt(clamp(t, 0, 1))` is constant before `t = 0`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Value<T> {
    pub(super) number: T,
    pub(super) fixed: bool,
}

impl<T: Real> Value<T> {
    pub(super) fn fixed(number: f64) -> Value<T> {
        Value { number: T::from(number), fixed: true }
    }

    pub(super) fn varying(number: T) -> Value<T> {
        Value { number, fixed: false }
    }

    pub(super) fn re(&self) -> f64 {
        self.number.re()
    }

    fn plus(self, other: Value<T>) -> Value<T> {
        Value { number: self.number + other.number, fixed: self.fixed && other.fixed }
    }

    fn times(self, other: Value<T>) -> Value<T> {
        let number = match (self.fixed, other.fixed) {
            (_, true) => self.number * other.re(),
            (true, false) => other.number * self.re(),
            (false, false) => self.number * other.number,
        };
        Value { number, fixed: self.fixed && other.fixed }
    }

    fn over(self, other: Value<T>) -> Value<T> {
        let number = if other.fixed { self.number / other.re() } else { self.number / other.number };
        Value { number, fixed: self.fixed && other.fixed }
    }
}

/// What went wrong, and where: `slot` is the position of the `[let]` in the program, `None` in the expression itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Fault {
    pub(super) slot: Option<usize>,
    pub(super) span: Span,
    pub(super) kind: EvalErrorKind,
}

/// The values of the variables.
#[derive(Debug, Clone, Copy)]
pub(super) struct Point<'a, T> {
    pub(super) s: Value<T>,
    pub(super) t: Value<T>,
    /// Those of a formula, in the order of their names.
    pub(super) named: &'a [T],
}

impl<T: Real> Point<'static, T> {
    /// A time, and along a rod a place.
    pub(super) fn new(s: Value<T>, t: Value<T>) -> Point<'static, T> {
        Point { s, t, named: &[] }
    }
}

/// What the names in a tree stand for at one time and place.
pub(super) struct Context<'a, T> {
    pub(super) point: Point<'a, T>,
    /// From the position of a `[let]` in the scope to its position in the program.
    pub(super) positions: &'a [usize],
    /// The values of the `[let]`s so far; a failure counts only once the value is used.
    pub(super) slots: &'a [Result<Value<T>, Fault>],
    /// The `[let]` being evaluated.
    pub(super) slot: Option<usize>,
}

impl Context<'static, f64> {
    /// For trees of numbers alone.
    pub(super) fn constant() -> Context<'static, f64> {
        let point = Point::new(Value::fixed(0.0), Value::fixed(0.0));
        Context { point, positions: &[], slots: &[], slot: None }
    }
}

impl<T: Real> Context<'_, T> {
    fn fault(&self, span: Span, kind: EvalErrorKind) -> Fault {
        Fault { slot: self.slot, span, kind }
    }

    fn finite(&self, value: Value<T>, span: Span) -> Result<Value<T>, Fault> {
        if value.re().is_finite() { Ok(value) } else { Err(self.fault(span, EvalErrorKind::NotFinite)) }
    }
}

impl Node {
    /// The value, finite in its real part; derivative parts that do not exist are not finite.
    ///
    /// This recurses as deep as the expression is nested. Each kind of node has its own function, not inlined, lest the
    /// temporaries of all of them widen every frame.
    pub(super) fn evaluate<T: Real>(&self, at: &Context<T>) -> Result<Value<T>, Fault> {
        let value = match &self.kind {
            Kind::Number(value) => Value::fixed(*value),
            Kind::Variable(Variable::Time) => at.point.t,
            Kind::Variable(Variable::ArcLength) => at.point.s,
            Kind::Variable(Variable::Named(index)) => Value::varying(at.point.named[*index]),
            Kind::Let(index) => return at.slots[at.positions[*index]],
            Kind::Negate(node) => {
                let value = node.evaluate(at)?;
                Value { number: -value.number, fixed: value.fixed }
            }
            Kind::Sum(terms) => sum(terms, at)?,
            Kind::Product(factors) => self.product(factors, at)?,
            Kind::Power(nodes) => self.power(nodes, at)?,
            Kind::Unary(function, node) => self.unary(*function, node, at)?,
            Kind::Binary(function, nodes) => self.binary(*function, nodes, at)?,
            Kind::Extremum(which, first, others) => extremum(*which, first, others, at)?,
            Kind::Clamp(nodes) => self.clamp(nodes, at)?,
            Kind::If(choice) => return choice.chosen(at)?.evaluate(at),
            Kind::Rest(rest) => {
                let x = rest.argument.evaluate(at)?;
                power::rest(x, rest.start, rest.end, rest.k)
            }
            Kind::Table(table) => self.table(table, at)?,
        };
        at.finite(value, self.span)
    }

    #[inline(never)]
    fn power<T: Real>(&self, [base, exponent]: &[Node; 2], at: &Context<T>) -> Result<Value<T>, Fault> {
        let (base, exponent) = (base.evaluate(at)?, exponent.evaluate(at)?);
        power::power(base, exponent).map_err(|kind| at.fault(self.span, kind))
    }

    /// Beyond its samples a function is fixed or has no value.
    #[inline(never)]
    fn table<T: Real>(&self, table: &Table, at: &Context<T>) -> Result<Value<T>, Fault> {
        let x = table.argument.evaluate(at)?;
        let [from, to] = table.spline.domain();
        if !table.spline.holds(x.re()) {
            return Err(at.fault(self.span, EvalErrorKind::OutsideTable { value: x.re(), from, to }));
        }
        let number = table.spline.eval(x.number);
        Ok(Value { number, fixed: x.fixed || table.spline.is_steady(x.re()) })
    }

    #[inline(never)]
    fn unary<T: Real>(&self, function: Unary, node: &Node, at: &Context<T>) -> Result<Value<T>, Fault> {
        elementary::unary(function, node.evaluate(at)?).map_err(|kind| at.fault(self.span, kind))
    }

    #[inline(never)]
    fn binary<T: Real>(&self, function: Binary, [x, y]: &[Node; 2], at: &Context<T>) -> Result<Value<T>, Fault> {
        let (x, y) = (x.evaluate(at)?, y.evaluate(at)?);
        elementary::binary(function, x, y).map_err(|kind| at.fault(self.span, kind))
    }

    /// On the bounds the bound itself is the active branch.
    #[inline(never)]
    fn clamp<T: Real>(&self, [x, low, high]: &[Node; 3], at: &Context<T>) -> Result<Value<T>, Fault> {
        let (x, low, high) = (x.evaluate(at)?, low.evaluate(at)?, high.evaluate(at)?);
        if low.re() > high.re() {
            Err(at.fault(self.span, EvalErrorKind::ClampBounds { low: low.re(), high: high.re() }))
        } else if x.re() <= low.re() {
            Ok(low)
        } else if x.re() >= high.re() {
            Ok(high)
        } else {
            Ok(x)
        }
    }

    /// From left to right; a fault shows the product up to the factor that causes it.
    #[inline(never)]
    fn product<T: Real>(&self, factors: &[Factor], at: &Context<T>) -> Result<Value<T>, Fault> {
        let mut product = Value::fixed(1.0);
        // Not from the beginning of the whole span, which may be a parenthesis that closes only after the last factor.
        let start = factors.first().map_or(self.span, |first| first.node.span);
        for factor in factors {
            let value = factor.node.evaluate(at)?;
            let so_far = start.to(factor.node.span);
            if factor.divides && value.re() == 0.0 {
                return Err(at.fault(so_far, EvalErrorKind::DivisionByZero));
            }
            product = if factor.divides { product.over(value) } else { product.times(value) };
            product = at.finite(product, so_far)?;
        }
        Ok(product)
    }
}

impl Choice {
    /// The branch that the condition selects.
    pub(super) fn chosen<T: Real>(&self, at: &Context<T>) -> Result<&Node, Fault> {
        let (left, right) = (self.left.evaluate(at)?, self.right.evaluate(at)?);
        Ok(if self.relation.holds(left.re(), right.re()) { &self.then } else { &self.otherwise })
    }
}

#[inline(never)]
fn sum<T: Real>(terms: &[Node], at: &Context<T>) -> Result<Value<T>, Fault> {
    let mut sum = Value::fixed(0.0);
    for term in terms {
        sum = sum.plus(term.evaluate(at)?);
    }
    Ok(sum)
}

/// The first of the smallest (largest) values, with its derivatives.
#[inline(never)]
fn extremum<T: Real>(which: Extremum, first: &Node, others: &[Node], at: &Context<T>) -> Result<Value<T>, Fault> {
    let mut best = first.evaluate(at)?;
    for node in others {
        let value = node.evaluate(at)?;
        let better = match which {
            Extremum::Min => value.re() < best.re(),
            Extremum::Max => value.re() > best.re(),
        };
        if better {
            best = value;
        }
    }
    Ok(best)
}
