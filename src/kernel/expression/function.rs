//! A compiled expression.

use std::sync::Arc;

use num_dual::{Dual2_64, Dual64};

use super::evaluate::{Context, Fault, Value};
use super::node::{Kind, Node};
use super::parse::parse;
use super::scope::Scope;
use super::token::Span;
use super::{CompileError, CompileErrorKind, EvalError, EvalErrorKind, Expression};
use crate::kernel::Real;

/// The tree of one text: an expression or a `[let]` definition.
#[derive(Debug)]
pub(super) struct Code {
    /// The name of the `[let]`; `None` for an expression.
    pub(super) name: Option<String>,
    pub(super) text: String,
    pub(super) node: Node,
    /// Whether the value depends on `t`.
    pub(super) varies: bool,
}

impl Code {
    pub(super) fn new(name: Option<String>, text: String, node: Node, scope: &Scope) -> Code {
        let varies = node.varies(&|index| scope.varies(index));
        Code { name, text, node, varies }
    }

    /// Reads `source`; an error is attributed to the `[let]` of that name.
    pub(super) fn compile(name: Option<&str>, source: &Expression, scope: &Scope) -> Result<Code, CompileError> {
        let text = match source {
            Expression::Number(value) => value.to_string(),
            Expression::Text(text) => text.clone(),
        };
        let span = Span::new(0, text.len());
        let node = match source {
            Expression::Number(value) if value.is_finite() => Ok(Node { kind: Kind::Number(*value), span }),
            Expression::Number(value) => Err(span.error(CompileErrorKind::NumberNotFinite { value: *value })),
            Expression::Text(text) => parse(text, scope),
        };
        let name = name.map(str::to_owned);
        match node {
            Ok(node) => Ok(Code::new(name, text, node, scope)),
            Err(error) => Err(CompileError { in_let: name, ..error }),
        }
    }
}

/// A function of time, compiled from an [`Expression`]. Cheap to clone.
///
/// ```
/// use lariat::kernel::{Expression, Function, Scope};
/// use num_dual::{Dual64, DualNum};
///
/// let f = Function::compile(&Expression::Text("-t^2 + 3*t".into()), &Scope::empty()).unwrap();
/// assert_eq!(f.value(2.0).unwrap(), 2.0);
/// let jet = f.jet(2.0).unwrap();
/// assert_eq!((jet.value, jet.first, jet.second), (2.0, -1.0, -2.0));
/// // Over dual numbers: d/dx f(sin x) at x = 0.
/// assert_eq!(f.eval(Dual64::from_re(0.0).derivative().sin()).unwrap().eps, 3.0);
/// assert!(!f.is_constant());
/// ```
#[derive(Debug, Clone)]
pub struct Function {
    program: Arc<Program>,
}

#[derive(Debug)]
struct Program {
    body: Code,
    /// The `[let]`s it needs, each after those that it needs itself.
    lets: Vec<Arc<Code>>,
    /// From the position of a `[let]` in the scope to that in `lets`.
    positions: Vec<usize>,
}

/// A value with its first and second derivative with respect to time.
///
/// ```
/// use lariat::kernel::{Function, Jet};
///
/// assert_eq!(Function::constant(3.0).jet(1.0).unwrap(), Jet { value: 3.0, ..Jet::default() });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Jet {
    /// The value.
    pub value: f64,
    /// The first derivative, per second.
    pub first: f64,
    /// The second derivative, per second squared.
    pub second: f64,
}

impl Function {
    /// The function that is always `v`.
    pub fn constant(v: f64) -> Function {
        let text = v.to_string();
        let node = Node { kind: Kind::Number(v), span: Span::new(0, text.len()) };
        let scope = Scope::empty();
        Function::new(Code::new(None, text, node, &scope), &scope)
    }

    /// Reads an expression of `t` and the names of `scope`.
    pub fn compile(source: &Expression, scope: &Scope) -> Result<Function, CompileError> {
        Ok(Function::new(Code::compile(None, source, scope)?, scope))
    }

    /// Joins a tree with the definitions that it needs.
    pub(super) fn new(body: Code, scope: &Scope) -> Function {
        let (positions, lets) = scope.needed(&body.node);
        Function { program: Arc::new(Program { body, lets, positions }) }
    }

    /// The value for a time that may carry derivatives.
    ///
    /// The real part of the result is finite. Where the value exists and a derivative does not, the derivative part is
    /// not finite; [`jet`](Function::jet) makes that an error.
    pub fn eval<T: Real>(&self, t: T) -> Result<T, EvalError> {
        let slots = self.slots(t);
        match self.program.body.node.evaluate(&self.context(t, &slots, None)) {
            Ok(value) => Ok(value.number),
            Err(fault) => Err(self.error(fault, t.re())),
        }
    }

    /// The value.
    pub fn value(&self, t: f64) -> Result<f64, EvalError> {
        self.eval(t)
    }

    /// The value and the first two derivatives, all finite.
    pub fn jet(&self, t: f64) -> Result<Jet, EvalError> {
        let second = Dual2_64::from_re(t).derivative();
        let Dual2_64 { re, v1, v2 } = self.eval(second)?;
        if v1.is_finite() && v2.is_finite() {
            return Ok(Jet { value: re, first: v1, second: v2 });
        }
        let first = Dual64::from_re(t).derivative();
        let fault = if self.eval(first)?.eps.is_finite() {
            self.blame(second, 2, |x| x.v1.is_finite() && x.v2.is_finite())
        } else {
            self.blame(first, 1, |x| x.eps.is_finite())
        };
        Err(self.error(fault, t))
    }

    /// Whether it does not depend on `t`.
    pub fn is_constant(&self) -> bool {
        !self.program.body.varies
    }

    fn context<'a, T>(&'a self, t: T, slots: &'a [Result<Value<T>, Fault>], slot: Option<usize>) -> Context<'a, T> {
        Context { t, positions: &self.program.positions, slots, slot }
    }

    /// The values of the `[let]`s, each computed once.
    fn slots<T: Real>(&self, t: T) -> Vec<Result<Value<T>, Fault>> {
        let mut slots = Vec::with_capacity(self.program.lets.len());
        for (slot, code) in self.program.lets.iter().enumerate() {
            let value = code.node.evaluate(&self.context(t, &slots, Some(slot)));
            slots.push(value);
        }
        slots
    }

    /// The smallest part whose value exists and whose derivatives are not `finite`.
    fn blame<T: Real>(&self, t: T, order: usize, finite: impl Fn(&T) -> bool) -> Fault {
        let slots = self.slots(t);
        let (mut slot, mut node) = (None, &self.program.body.node);
        loop {
            let at = self.context(t, &slots, slot);
            let culprit = match &node.kind {
                Kind::Let(index) => {
                    let position = self.program.positions[*index];
                    slot = Some(position);
                    Some(&self.program.lets[position].node)
                }
                Kind::If(choice) => choice.chosen(&at).ok(),
                _ => node.children().into_iter().find(|part| part.evaluate(&at).is_ok_and(|x| !finite(&x.number))),
            };
            match culprit {
                Some(part) => node = part,
                None => return Fault { slot, span: node.span, kind: EvalErrorKind::NoFiniteDerivative { order } },
            }
        }
    }

    fn error(&self, fault: Fault, t: f64) -> EvalError {
        let code = fault.slot.map_or(&self.program.body, |slot| &self.program.lets[slot]);
        let text = code.text.get(fault.span.range()).unwrap_or_default().to_owned();
        EvalError { in_let: code.name.clone(), span: fault.span.range(), text, t, kind: fault.kind }
    }
}
