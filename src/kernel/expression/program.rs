//! Compiled text with the definitions it needs: what functions of time, profiles along a rod and formulas share.

use std::sync::Arc;

use super::evaluate::{Context, Fault, Point, Value};
use super::node::{Kind, Node, Variable};
use super::parse::{Domain, parse};
use super::scope::Scope;
use super::token::Span;
use super::{CompileError, CompileErrorKind, EvalError, EvalErrorKind, Expression};
use crate::scalar::Real;

/// The tree of one text: an expression or a `[let]` definition.
#[derive(Debug)]
pub(super) struct Code {
    /// The name of the `[let]`; `None` for an expression.
    pub(super) name: Option<String>,
    pub(super) text: String,
    pub(super) node: Node,
    /// Whether the value depends on `t`.
    time: bool,
    /// Whether the value depends on `s`.
    arc_length: bool,
}

impl Code {
    pub(super) fn new(name: Option<String>, text: String, node: Node, scope: &Scope) -> Code {
        let depends_on = |variable| node.depends_on(variable, &|index| scope.depends_on(index, variable));
        let (time, arc_length) = (depends_on(Variable::Time), depends_on(Variable::ArcLength));
        Code { name, text, node, time, arc_length }
    }

    /// The number `v`.
    pub(super) fn constant(v: f64) -> Code {
        let text = v.to_string();
        let node = Node { kind: Kind::Number(v), span: Span::new(0, text.len()) };
        Code::new(None, text, node, &Scope::empty())
    }

    /// Reads `source` with the variables of `domain`; an error is attributed to the `[let]` of that name.
    pub(super) fn compile(
        name: Option<&str>,
        source: &Expression,
        scope: &Scope,
        domain: Domain,
    ) -> Result<Code, CompileError> {
        let text = match source {
            Expression::Number(value) => value.to_string(),
            Expression::Text(text) => text.clone(),
        };
        let span = Span::new(0, text.len());
        let node = match source {
            Expression::Number(value) if value.is_finite() => Ok(Node { kind: Kind::Number(*value), span }),
            Expression::Number(value) => Err(span.error(CompileErrorKind::NumberNotFinite { value: *value })),
            Expression::Text(text) => parse(text, scope, domain),
        };
        let name = name.map(str::to_owned);
        match node {
            Ok(node) => Ok(Code::new(name, text, node, scope)),
            Err(error) => Err(CompileError { in_let: name, ..error }),
        }
    }

    pub(super) fn depends_on(&self, variable: Variable) -> bool {
        match variable {
            Variable::Time => self.time,
            Variable::ArcLength => self.arc_length,
            // Definitions are read without named variables.
            Variable::Named(_) => self.node.depends_on(variable, &|_| false),
        }
    }
}

/// A tree joined with the definitions that it needs.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) body: Code,
    /// The `[let]`s it needs, each after those that it needs itself.
    pub(super) lets: Vec<Arc<Code>>,
    /// From the position of a `[let]` in the scope to that in `lets`.
    pub(super) positions: Vec<usize>,
}

impl Program {
    pub(super) fn new(body: Code, scope: &Scope) -> Program {
        let (positions, lets) = scope.needed(&body.node);
        Program { body, lets, positions }
    }

    pub(super) fn depends_on(&self, variable: Variable) -> bool {
        self.body.depends_on(variable)
    }

    /// The value, finite in its real part; `s` and `t` are fixed where no derivative is wanted.
    pub(super) fn eval<T: Real>(&self, s: Value<T>, t: Value<T>) -> Result<T, EvalError> {
        self.value(Point::new(s, t)).map_err(|fault| self.error(fault, s.re(), t.re()))
    }

    /// The value, of at most that size.
    pub(super) fn eval_within(&self, s: f64, t: f64, largest: f64) -> Result<f64, EvalError> {
        let value = self.eval(Value::varying(s), Value::varying(t))?;
        if value.abs() <= largest {
            return Ok(value);
        }
        let kind = EvalErrorKind::TooLarge { value, largest };
        Err(self.error(Fault { slot: None, span: self.body.node.span, kind }, s, t))
    }

    /// The value, finite in its real part, or what stands in its way.
    pub(super) fn value<T: Real>(&self, point: Point<T>) -> Result<T, Fault> {
        let slots = self.slots(point);
        self.body.node.evaluate(&self.context(point, &slots, None)).map(|value| value.number)
    }

    /// The error of the smallest part whose value exists and whose derivatives are not `finite`.
    pub(super) fn blame<T: Real>(&self, [s, t]: [Value<T>; 2], order: usize, finite: impl Fn(&T) -> bool) -> EvalError {
        let point = Point::new(s, t);
        let slots = self.slots(point);
        let (mut slot, mut node) = (None, &self.body.node);
        loop {
            let at = self.context(point, &slots, slot);
            let culprit = match &node.kind {
                Kind::Let(index) => {
                    let position = self.positions[*index];
                    slot = Some(position);
                    Some(&self.lets[position].node)
                }
                Kind::If(choice) => choice.chosen(&at).ok(),
                _ => node.children().into_iter().find(|part| part.evaluate(&at).is_ok_and(|x| !finite(&x.number))),
            };
            match culprit {
                Some(part) => node = part,
                None => {
                    let fault = Fault { slot, span: node.span, kind: EvalErrorKind::NoFiniteDerivative { order } };
                    return self.error(fault, s.re(), t.re());
                }
            }
        }
    }

    fn context<'a, T: Copy>(
        &'a self,
        point: Point<'a, T>,
        slots: &'a [Result<Value<T>, Fault>],
        slot: Option<usize>,
    ) -> Context<'a, T> {
        Context { point, positions: &self.positions, slots, slot }
    }

    /// The values of the `[let]`s, each computed once.
    fn slots<T: Real>(&self, point: Point<T>) -> Vec<Result<Value<T>, Fault>> {
        let mut slots = Vec::with_capacity(self.lets.len());
        for (slot, code) in self.lets.iter().enumerate() {
            let value = code.node.evaluate(&self.context(point, &slots, Some(slot)));
            slots.push(value);
        }
        slots
    }

    /// The text in which something went wrong.
    pub(super) fn at_fault(&self, fault: &Fault) -> &Code {
        fault.slot.map_or(&self.body, |slot| &self.lets[slot])
    }

    fn error(&self, fault: Fault, s: f64, t: f64) -> EvalError {
        let code = self.at_fault(&fault);
        let text = code.text.get(fault.span.range()).unwrap_or_default().to_owned();
        let s = self.depends_on(Variable::ArcLength).then_some(s);
        let steady = s.is_some() && !self.depends_on(Variable::Time);
        let variables = Vec::new();
        EvalError {
            in_let: code.name.clone(),
            span: fault.span.range(),
            text,
            s,
            t,
            steady,
            variables,
            kind: fault.kind,
        }
    }
}
