//! The tree of an expression.

use std::sync::Arc;

use super::builtin::{self, Binary, Extremum, Unary};
use super::evaluate::Context;
use super::token::{Relation, Span};
use crate::kernel::Spline;

/// What an expression is a function of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Variable {
    /// `t`.
    Time,
    /// `s`, only along a rod.
    ArcLength,
    /// The variable of that position in the list of names, only in a formula.
    Named(usize),
}

impl Variable {
    /// As it is written.
    pub(super) fn name(self, names: &[String]) -> &str {
        match self {
            Variable::Time => builtin::TIME,
            Variable::ArcLength => builtin::ARC_LENGTH,
            Variable::Named(index) => names.get(index).map_or("", String::as_str),
        }
    }
}

/// A sub-expression and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) span: Span,
}

/// Sums and products are lists, so that the depth of a tree is the depth of its nesting and not its length.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    Number(f64),
    Variable(Variable),
    /// The `[let]` of that position in the scope.
    Let(usize),
    Negate(Box<Node>),
    Sum(Vec<Node>),
    Product(Vec<Factor>),
    Power(Box<[Node; 2]>),
    Unary(Unary, Box<Node>),
    Binary(Binary, Box<[Node; 2]>),
    /// Of the first and the others.
    Extremum(Extremum, Box<Node>, Vec<Node>),
    Clamp(Box<[Node; 3]>),
    If(Box<Choice>),
    Rest(Box<Rest>),
    Table(Box<Table>),
}

/// A factor of a product, or a divisor.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Factor {
    pub(super) divides: bool,
    pub(super) node: Node,
}

/// `if(left relation right, then, otherwise)`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Choice {
    pub(super) relation: Relation,
    pub(super) left: Node,
    pub(super) right: Node,
    pub(super) then: Node,
    pub(super) otherwise: Node,
}

/// `rest(argument, start, end, k)`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rest {
    pub(super) argument: Node,
    pub(super) start: f64,
    pub(super) end: f64,
    pub(super) k: u32,
}

/// A function given by samples, of an argument.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Table {
    pub(super) spline: Arc<Spline>,
    pub(super) argument: Node,
}

impl Node {
    /// The node, or its value if that is known already.
    ///
    /// Constant parts that have no value (`1/0`) stay as they are: they are an error only if they are evaluated.
    pub(super) fn folded(kind: Kind, span: Span) -> Node {
        let node = Node { kind, span };
        if let Kind::If(choice) = &node.kind
            && let (Kind::Number(left), Kind::Number(right)) = (&choice.left.kind, &choice.right.kind)
        {
            let chosen = if choice.relation.holds(*left, *right) { &choice.then } else { &choice.otherwise };
            return Node { kind: chosen.kind.clone(), span };
        }
        let children = node.children();
        if children.is_empty() || !children.iter().all(|child| matches!(child.kind, Kind::Number(_))) {
            return node;
        }
        match node.evaluate(&Context::constant()) {
            Ok(value) => Node { kind: Kind::Number(value.number), span },
            Err(_) => node,
        }
    }

    /// The sub-expressions one level down.
    pub(super) fn children(&self) -> Vec<&Node> {
        match &self.kind {
            Kind::Number(_) | Kind::Variable(_) | Kind::Let(_) => Vec::new(),
            Kind::Negate(node) | Kind::Unary(_, node) => vec![node],
            Kind::Sum(nodes) => nodes.iter().collect(),
            Kind::Extremum(_, first, others) => std::iter::once(&**first).chain(others).collect(),
            Kind::Product(factors) => factors.iter().map(|factor| &factor.node).collect(),
            Kind::Power(nodes) | Kind::Binary(_, nodes) => nodes.iter().collect(),
            Kind::Clamp(nodes) => nodes.iter().collect(),
            Kind::If(choice) => vec![&choice.left, &choice.right, &choice.then, &choice.otherwise],
            Kind::Rest(rest) => vec![&rest.argument],
            Kind::Table(table) => vec![&table.argument],
        }
    }

    /// Whether the variable occurs, or a `[let]` of which `lets` says that the variable occurs in it.
    pub(super) fn depends_on(&self, variable: Variable, lets: &impl Fn(usize) -> bool) -> bool {
        match self.kind {
            Kind::Variable(found) => found == variable,
            Kind::Let(index) => lets(index),
            _ => self.children().into_iter().any(|child| child.depends_on(variable, lets)),
        }
    }

    /// Appends the positions of the `[let]`s that occur.
    pub(super) fn lets(&self, found: &mut Vec<usize>) {
        self.visit(&mut |node| {
            if let Kind::Let(index) = node.kind {
                found.push(index);
            }
        });
    }

    /// Calls `visitor` for the node and then for every sub-expression, from left to right.
    pub(super) fn visit<'a>(&'a self, visitor: &mut impl FnMut(&'a Node)) {
        visitor(self);
        for child in self.children() {
            child.visit(visitor);
        }
    }
}
