//! From tokens to the tree, by operator precedence (Pratt).

use std::sync::Arc;

use super::builtin::{self, Builtin};
use super::evaluate::Value;
use super::node::{Choice, Factor, Kind, Node, Rest, Table, Variable};
use super::power::LARGEST_REST;
use super::program::{Code, Program};
use super::scope::Scope;
use super::token::{Relation, Span, Token, TokenKind, tokens};
use super::{CompileError, CompileErrorKind};
use crate::kernel::Spline;
use crate::kernel::suggest::nearest;

/// How deep parentheses, signs and powers may be nested; evaluation recurses as deep.
pub(super) const DEEPEST: usize = 200;

/// How tightly the operators bind; a sign binds tighter than a product and looser than a power.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Binding {
    Sum,
    Product,
    Sign,
    Power,
}

/// What an expression may depend on besides `t`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Domain<'a> {
    /// Nothing.
    Time,
    /// `s`.
    Along,
    /// The variables of these names.
    Named(&'a [String]),
}

impl<'a> Domain<'a> {
    /// The names of the variables besides `t` and `s`.
    fn names(self) -> &'a [String] {
        match self {
            Domain::Named(names) => names,
            Domain::Time | Domain::Along => &[],
        }
    }
}

/// The tree of `text`, its names resolved in `scope`.
pub(super) fn parse(text: &str, scope: &Scope, domain: Domain) -> Result<Node, CompileError> {
    let mut parser = Parser { text, tokens: tokens(text)?, next: 0, depth: 0, scope, domain };
    if parser.peek().kind == TokenKind::End {
        return Err(Span::new(0, text.len()).error(CompileErrorKind::Empty));
    }
    let node = parser.operation(Binding::Sum)?;
    match parser.peek().kind {
        TokenKind::End => Ok(node),
        _ => Err(parser.misplaced()),
    }
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    next: usize,
    depth: usize,
    scope: &'a Scope,
    domain: Domain<'a>,
}

impl Parser<'_> {
    fn peek(&self) -> Token {
        self.tokens[self.next]
    }

    /// The next token; the last one, [`TokenKind::End`], is never passed.
    fn advance(&mut self) -> Token {
        let token = self.peek();
        if token.kind != TokenKind::End {
            self.next += 1;
        }
        token
    }

    fn found(&self, span: Span) -> String {
        self.text[span.range()].to_owned()
    }

    /// The error of a token that cannot follow a complete operand.
    fn misplaced(&self) -> CompileError {
        let Token { kind, span } = self.peek();
        span.error(match kind {
            TokenKind::Close => CompileErrorKind::UnopenedParenthesis,
            TokenKind::Comma => CompileErrorKind::MisplacedComma,
            TokenKind::Relation(_) => CompileErrorKind::MisplacedComparison,
            _ => CompileErrorKind::ExpectedOperator { found: self.found(span) },
        })
    }

    /// One level of nesting down, where operators bind at least as tightly as `least`.
    fn nested(&mut self, least: Binding) -> Result<Node, CompileError> {
        if self.depth == DEEPEST {
            return Err(self.peek().span.error(CompileErrorKind::TooDeep { limit: DEEPEST }));
        }
        self.depth += 1;
        let node = self.operation(least)?;
        self.depth -= 1;
        Ok(node)
    }

    /// Operands joined by operators that bind at least as tightly as `least`.
    fn operation(&mut self, least: Binding) -> Result<Node, CompileError> {
        let mut left = self.operand()?;
        loop {
            left = match self.peek().kind {
                TokenKind::Caret => {
                    self.advance();
                    let exponent = self.nested(Binding::Power)?;
                    let span = left.span.to(exponent.span);
                    Node::folded(Kind::Power(Box::new([left, exponent])), span)
                }
                TokenKind::Star | TokenKind::Slash if least <= Binding::Product => self.product(left)?,
                TokenKind::Plus | TokenKind::Minus if least <= Binding::Sum => self.sum(left)?,
                _ => return Ok(left),
            };
        }
    }

    fn product(&mut self, first: Node) -> Result<Node, CompileError> {
        let mut span = first.span;
        let mut factors = vec![Factor { divides: false, node: first }];
        while let kind @ (TokenKind::Star | TokenKind::Slash) = self.peek().kind {
            self.advance();
            let node = self.operation(Binding::Sign)?;
            span = span.to(node.span);
            factors.push(Factor { divides: kind == TokenKind::Slash, node });
        }
        Ok(Node::folded(Kind::Product(factors), span))
    }

    fn sum(&mut self, first: Node) -> Result<Node, CompileError> {
        let mut span = first.span;
        let mut terms = vec![first];
        while let kind @ (TokenKind::Plus | TokenKind::Minus) = self.peek().kind {
            self.advance();
            let node = self.operation(Binding::Product)?;
            let term = node.span;
            span = span.to(term);
            terms.push(if kind == TokenKind::Plus { node } else { Node::folded(Kind::Negate(Box::new(node)), term) });
        }
        Ok(Node::folded(Kind::Sum(terms), span))
    }

    fn operand(&mut self) -> Result<Node, CompileError> {
        let Token { kind, span } = self.advance();
        match kind {
            TokenKind::Number(value) => Ok(Node { kind: Kind::Number(value), span }),
            TokenKind::Name => self.name(span),
            TokenKind::Minus => {
                let node = self.nested(Binding::Sign)?;
                let span = span.to(node.span);
                Ok(Node::folded(Kind::Negate(Box::new(node)), span))
            }
            TokenKind::Plus => {
                let node = self.nested(Binding::Sign)?;
                Ok(Node { span: span.to(node.span), ..node })
            }
            TokenKind::Open => {
                let node = self.nested(Binding::Sum)?;
                let close = self.close(span)?;
                Ok(Node { span: span.to(close), ..node })
            }
            TokenKind::End => Err(span.error(CompileErrorKind::UnexpectedEnd)),
            _ => Err(span.error(CompileErrorKind::ExpectedOperand { found: self.found(span) })),
        }
    }

    /// The parenthesis that closes the one at `open`.
    fn close(&mut self, open: Span) -> Result<Span, CompileError> {
        match self.peek().kind {
            TokenKind::Close => Ok(self.advance().span),
            TokenKind::End => Err(open.error(CompileErrorKind::UnclosedParenthesis)),
            _ => Err(self.misplaced()),
        }
    }

    fn name(&mut self, span: Span) -> Result<Node, CompileError> {
        let name = &self.text[span.range()];
        let called = self.peek().kind == TokenKind::Open;
        let known = match name {
            builtin::TIME => Some(Kind::Variable(Variable::Time)),
            builtin::ARC_LENGTH if self.domain == Domain::Along => Some(Kind::Variable(Variable::ArcLength)),
            _ => builtin::constant(name)
                .map(Kind::Number)
                .or_else(|| self.scope.lookup(name))
                .or_else(|| self.named(name).map(Kind::Variable)),
        };
        if let Some(spline) = self.scope.table(name).filter(|_| known.is_none()) {
            return self.table(spline, called, span);
        }
        match (known, builtin::function(name)) {
            (Some(Kind::Let(index)), _) if self.refuses_arc_length(index) => {
                Err(span.error(self.arc_length(Some(name.to_owned()))))
            }
            (Some(kind), _) if !called => Ok(Node { kind, span }),
            (Some(_), _) => Err(span.error(CompileErrorKind::NotAFunction { name: name.to_owned() })),
            (None, Some((function, builtin))) if called => self.call(function, builtin, span),
            (None, Some((function, _))) => Err(span.error(CompileErrorKind::MissingArguments { function })),
            (None, None) if name == builtin::ARC_LENGTH => Err(span.error(self.arc_length(None))),
            (None, None) => Err(span.error(self.unknown(name.to_owned(), called))),
        }
    }

    /// The variable of a formula of that name.
    fn named(&self, name: &str) -> Option<Variable> {
        self.domain.names().iter().position(|known| known == name).map(Variable::Named)
    }

    /// Whether the definition depends on `s` where `s` is not known.
    fn refuses_arc_length(&self, index: usize) -> bool {
        self.domain != Domain::Along && self.scope.depends_on(index, Variable::ArcLength)
    }

    /// The mistake of mentioning `s`, in that definition or in the expression itself, where it is not known.
    fn arc_length(&self, definition: Option<String>) -> CompileErrorKind {
        match (self.domain, definition) {
            (Domain::Named(_), None) => CompileErrorKind::ArcLengthInFormula,
            (Domain::Named(_), Some(name)) => CompileErrorKind::ArcLengthInDefinitionForFormula { name },
            (_, None) => CompileErrorKind::ArcLengthInFunctionOfTime,
            (_, Some(name)) => CompileErrorKind::ArcLengthInDefinition { name },
        }
    }

    fn unknown(&self, name: String, called: bool) -> CompileErrorKind {
        let functions = builtin::FUNCTIONS.iter().map(|(name, _)| *name).chain(self.scope.tables());
        if called {
            let did_you_mean = nearest(&name, functions).map(str::to_owned);
            return CompileErrorKind::UnknownFunction { name, did_you_mean };
        }
        let constants = builtin::CONSTANTS.iter().map(|(name, _)| *name);
        let arc_length = (self.domain == Domain::Along).then_some(builtin::ARC_LENGTH);
        let named = self.domain.names().iter().map(String::as_str);
        let values = named
            .chain(self.scope.names())
            .chain(self.scope.tables())
            .chain([builtin::TIME])
            .chain(arc_length)
            .chain(constants);
        let did_you_mean = nearest(&name, values).map(str::to_owned);
        CompileErrorKind::UnknownName { name, did_you_mean }
    }

    /// A call of `function`, whose name stands at `span`.
    fn call(&mut self, function: &'static str, builtin: Builtin, span: Span) -> Result<Node, CompileError> {
        let open = self.advance().span;
        let mut arguments = Vec::new();
        let mut condition = None;
        while arguments.is_empty() && self.peek().kind != TokenKind::Close || self.peek().kind == TokenKind::Comma {
            if !arguments.is_empty() {
                self.advance();
            }
            let argument = self.nested(Binding::Sum)?;
            if builtin == Builtin::If && arguments.is_empty() {
                condition = Some(self.condition(argument.span)?);
            }
            arguments.push(argument);
        }
        let span = span.to(self.close(open)?);
        let found = arguments.len();
        let wrong = || span.error(CompileErrorKind::WrongArgumentCount { function, expected: builtin.arity(), found });
        let kind = match builtin {
            Builtin::Unary(unary) => {
                let [x] = exactly(arguments).ok_or_else(wrong)?;
                Kind::Unary(unary, Box::new(x))
            }
            Builtin::Binary(binary) => Kind::Binary(binary, Box::new(exactly(arguments).ok_or_else(wrong)?)),
            Builtin::Power => Kind::Power(Box::new(exactly(arguments).ok_or_else(wrong)?)),
            Builtin::Clamp => Kind::Clamp(Box::new(exactly(arguments).ok_or_else(wrong)?)),
            Builtin::Extremum(_) if found < 2 => return Err(wrong()),
            Builtin::Extremum(which) => {
                let first = arguments.remove(0);
                Kind::Extremum(which, Box::new(first), arguments)
            }
            Builtin::If => {
                let [left, then, otherwise] = exactly(arguments).ok_or_else(wrong)?;
                let (relation, right) = condition.ok_or_else(wrong)?;
                Kind::If(Box::new(Choice { relation, left, right, then, otherwise }))
            }
            Builtin::Rest => self.rest(exactly(arguments).ok_or_else(wrong)?)?,
        };
        Ok(Node::folded(kind, span))
    }

    /// A function given by samples, of the argument in parentheses or of the time.
    fn table(&mut self, spline: Arc<Spline>, called: bool, span: Span) -> Result<Node, CompileError> {
        let (argument, span) = if called {
            let open = self.advance().span;
            if self.peek().kind == TokenKind::Close {
                let close = self.advance().span;
                let name = self.found(span);
                return Err(span.to(close).error(CompileErrorKind::TableArguments { name, found: 0 }));
            }
            let argument = self.nested(Binding::Sum)?;
            if self.peek().kind == TokenKind::Comma {
                let name = self.found(span);
                return Err(self.peek().span.error(CompileErrorKind::TableArguments { name, found: 2 }));
            }
            (argument, span.to(self.close(open)?))
        } else {
            (Node { kind: Kind::Variable(Variable::Time), span }, span)
        };
        Ok(Node::folded(Kind::Table(Box::new(Table { spline, argument })), span))
    }

    /// The comparison after the left side of a condition, and its right side.
    fn condition(&mut self, left: Span) -> Result<(Relation, Node), CompileError> {
        let TokenKind::Relation(relation) = self.peek().kind else {
            return Err(left.error(CompileErrorKind::MissingComparison));
        };
        self.advance();
        Ok((relation, self.nested(Binding::Sum)?))
    }

    fn rest(&self, [argument, start, end, k]: [Node; 4]) -> Result<Kind, CompileError> {
        let order = start.span.to(end.span);
        let smoothness = k.span;
        let start = self.parameter(start, "start time")?;
        let end = self.parameter(end, "end time")?;
        let k = self.parameter(k, "k")?;
        // A length that overflows is refused with the wrong order: neither has a fraction (t − t0)/(t1 − t0).
        if !(end - start > 0.0 && (end - start).is_finite()) {
            return Err(order.error(CompileErrorKind::BadRestOrder { start, end }));
        }
        if k.fract() != 0.0 || !(1.0..=f64::from(LARGEST_REST)).contains(&k) {
            return Err(smoothness.error(CompileErrorKind::BadRestSmoothness { value: k, largest: LARGEST_REST }));
        }
        Ok(Kind::Rest(Box::new(Rest { argument, start, end, k: k as u32 })))
    }

    /// The value of a parameter of `rest`.
    fn parameter(&self, node: Node, parameter: &'static str) -> Result<f64, CompileError> {
        if let Kind::Number(value) = node.kind {
            return Ok(value);
        }
        let span = node.span;
        let code = Code::new(None, self.text.to_owned(), node, self.scope);
        let names = self.domain.names();
        let named = (0..names.len()).map(Variable::Named);
        let mut variables = [Variable::Time, Variable::ArcLength].into_iter().chain(named);
        if let Some(variable) = variables.find(|variable| code.depends_on(*variable)) {
            let variable = variable.name(names).to_owned();
            return Err(span.error(CompileErrorKind::RestNotConstant { parameter, variable }));
        }
        (Program::new(code, self.scope).eval(Value::fixed(0.0), Value::fixed(0.0)))
            .map_err(|error| span.error(CompileErrorKind::RestWithoutValue { parameter, reason: error.kind }))
    }
}

/// The arguments, if there are as many as wanted.
fn exactly<const N: usize>(arguments: Vec<Node>) -> Option<[Node; N]> {
    <[Node; N]>::try_from(arguments).ok()
}
