//! The `[let]` table.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::node::{Kind, Node, Variable};
use super::parse::Domain;
use super::program::Code;
use super::token::{Span, TokenKind, is_name, tokens};
use super::{CompileError, CompileErrorKind, Expression, builtin};
use crate::kernel::Spline;

/// The definitions of `[let]`, compiled.
///
/// ```
/// use std::collections::BTreeMap;
/// use lariat::kernel::{Expression, Function, Scope};
///
/// let text = |s: &str| Expression::Text(s.to_string());
/// // In any order: `angle` needs `turn`.
/// let lets = BTreeMap::from([("angle".to_string(), text("turn*t")), ("turn".to_string(), text("2*pi"))]);
/// let scope = Scope::new(&lets).unwrap();
/// let f = Function::compile(&text("sin(angle)"), &scope).unwrap();
/// assert_eq!(f.value(0.25).unwrap(), 1.0);
///
/// let lets = BTreeMap::from([("a".to_string(), text("b + 1")), ("b".to_string(), text("a/2"))]);
/// let errors = Scope::new(&lets).unwrap_err();
/// assert_eq!(errors[0].to_string(), "in let `a`: the definitions go in a circle: a needs b needs a");
/// ```
#[derive(Debug, Clone, Default)]
pub struct Scope {
    entries: BTreeMap<String, Entry>,
    /// Each after those that it needs.
    definitions: Vec<Arc<Code>>,
    /// Functions given by samples.
    tables: BTreeMap<String, Arc<Spline>>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Entry {
    /// The position in `definitions`.
    Compiled(usize),
    /// Defined, but with a mistake, or in terms of a definition with a mistake.
    Broken,
}

/// Stands for a broken definition in the trees that are only searched for mistakes.
const BROKEN: usize = usize::MAX;

/// A `[let]` that is mentioned in the text of another, and where.
type Mention<'a> = (&'a str, Span);

impl Scope {
    /// No definitions.
    pub fn empty() -> Scope {
        Scope::default()
    }

    /// Reads the definitions, which may refer to each other in any order and depend on `t` and `s`; a definition that
    /// depends on `s` can be used in a [`Profile`](super::Profile) only.
    ///
    /// All mistakes are returned, one for each definition that has any, with
    /// [`in_let`](CompileError::in_let) set. If the name itself is at fault the span is empty.
    pub fn new(lets: &BTreeMap<String, Expression>) -> Result<Scope, Vec<CompileError>> {
        Scope::with_tables(lets, BTreeMap::new())
    }

    /// As [`Scope::new`], with functions given by samples, which expressions may call by their names, as `tip(t - 1)`; a
    /// name alone is the function at the time `t`.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use std::sync::Arc;
    /// use lariat::kernel::{Expression, Fit, Function, Scope, Spline};
    ///
    /// let (times, values) = ([0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 4.0, 9.0]);
    /// let spline = Spline::fit(&times, &values, &Fit { degree: 1, ..Fit::default() }).unwrap();
    /// let tables = BTreeMap::from([("tip".to_string(), Arc::new(spline))]);
    /// let scope = Scope::with_tables(&BTreeMap::new(), tables).unwrap();
    /// let f = Function::compile(&Expression::Text("tip(2*t) - tip".into()), &scope).unwrap();
    /// assert_eq!(f.value(1.0).unwrap(), 4.0 - 1.0);
    /// ```
    pub fn with_tables(
        lets: &BTreeMap<String, Expression>,
        tables: BTreeMap<String, Arc<Spline>>,
    ) -> Result<Scope, Vec<CompileError>> {
        let mut scope = Scope { tables, ..Scope::empty() };
        let mut errors = Vec::new();
        let mut pending = BTreeMap::new();
        for (name, source) in lets {
            match name_error(name) {
                Some(error) => errors.push(error),
                None => {
                    scope.entries.insert(name.clone(), Entry::Broken);
                    pending.insert(name.as_str(), mentions(source, lets));
                }
            }
        }
        while !pending.is_empty() {
            let ready: Vec<&str> = (pending.iter())
                .filter(|(_, mentions)| !mentions.iter().any(|(name, _)| pending.contains_key(name)))
                .map(|(name, _)| *name)
                .collect();
            let (names, circular) = if ready.is_empty() {
                let (names, error) = cycle(&pending);
                errors.push(error);
                (names, true)
            } else {
                (ready, false)
            };
            for name in names {
                let mentions = pending.remove(name).unwrap_or_default();
                let broken =
                    circular || mentions.iter().any(|(name, _)| scope.entries.get(*name) == Some(&Entry::Broken));
                match lets.get(name).map(|source| Code::compile(Some(name), source, &scope, Domain::Along)) {
                    Some(Ok(code)) if !broken => scope.define(name, code),
                    Some(Err(error)) if !(broken && error.is_about_values()) => errors.push(error),
                    _ => {}
                }
            }
        }
        if errors.is_empty() {
            Ok(scope)
        } else {
            errors.sort_by(|a, b| a.in_let.cmp(&b.in_let));
            Err(errors)
        }
    }

    fn define(&mut self, name: &str, code: Code) {
        self.entries.insert(name.to_owned(), Entry::Compiled(self.definitions.len()));
        self.definitions.push(Arc::new(code));
    }

    /// The same definitions, and a number under a name that none of them has.
    pub fn with(&self, name: &str, value: f64) -> Scope {
        let mut scope = self.clone();
        scope.define(name, Code::constant(value));
        scope
    }

    /// Whether there is a definition of that name.
    pub(super) fn defines(&self, name: &str) -> bool {
        self.entries.contains_key(name)
    }

    /// The function given by samples of that name.
    pub(super) fn table(&self, name: &str) -> Option<Arc<Spline>> {
        self.tables.get(name).cloned()
    }

    /// The names of functions given by samples.
    pub(super) fn tables(&self) -> impl Iterator<Item = &str> {
        self.tables.keys().map(String::as_str)
    }

    /// Whether this can be the name of a function given by samples.
    pub fn check_table_name(name: &str) -> Result<(), CompileErrorKind> {
        name_error(name).map_or(Ok(()), |error| Err(error.kind))
    }

    /// The names defined.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// What `name` stands for in a tree.
    pub(super) fn lookup(&self, name: &str) -> Option<Kind> {
        self.entries.get(name).map(|entry| match entry {
            Entry::Compiled(index) => match &self.definitions[*index].node.kind {
                Kind::Number(value) => Kind::Number(*value),
                _ => Kind::Let(*index),
            },
            Entry::Broken => Kind::Let(BROKEN),
        })
    }

    /// Whether the definition at that position depends on `t` or `s`; of a broken one it is not known that it does not.
    pub(super) fn depends_on(&self, index: usize, variable: Variable) -> bool {
        self.definitions.get(index).is_none_or(|code| code.depends_on(variable))
    }

    /// The definitions that `node` needs, directly or not, each after those it needs itself; and for each position in
    /// the scope the position in that list.
    pub(super) fn needed(&self, node: &Node) -> (Vec<usize>, Vec<Arc<Code>>) {
        let mut found = Vec::new();
        node.lets(&mut found);
        let mut needed = BTreeSet::new();
        while let Some(index) = found.pop() {
            if needed.insert(index) {
                self.definitions[index].node.lets(&mut found);
            }
        }
        let mut positions = vec![0; needed.last().map_or(0, |last| last + 1)];
        for (position, index) in needed.iter().enumerate() {
            positions[*index] = position;
        }
        (positions, needed.iter().map(|index| self.definitions[*index].clone()).collect())
    }
}

/// What forbids the name.
fn name_error(name: &str) -> Option<CompileError> {
    let kind = match builtin::meaning(name) {
        Some(meaning) => CompileErrorKind::ReservedName { name: name.to_owned(), meaning },
        None if !is_name(name) => CompileErrorKind::InvalidName { name: name.to_owned() },
        None => return None,
    };
    Some(CompileError { in_let: Some(name.to_owned()), span: 0..0, kind })
}

/// The definitions that the text mentions; none if it cannot even be split into tokens.
fn mentions<'a>(source: &Expression, lets: &'a BTreeMap<String, Expression>) -> Vec<Mention<'a>> {
    let Expression::Text(text) = source else { return Vec::new() };
    let Ok(tokens) = tokens(text) else { return Vec::new() };
    (tokens.iter())
        .filter(|token| token.kind == TokenKind::Name)
        .filter_map(|token| lets.get_key_value(&text[token.span.range()]).map(|(name, _)| (name.as_str(), token.span)))
        .collect()
}

/// A circle among definitions each of which mentions another of them, beginning with its first name in the alphabet.
fn cycle<'a>(pending: &BTreeMap<&'a str, Vec<Mention<'a>>>) -> (Vec<&'a str>, CompileError) {
    let next = |name: &str| pending.get(name)?.iter().find(|(name, _)| pending.contains_key(name)).copied();
    let mut path: Vec<Mention> = Vec::new();
    let mut at = pending.keys().next().copied().unwrap_or_default();
    let start = loop {
        if let Some(start) = path.iter().position(|(name, _)| *name == at) {
            break start;
        }
        let Some((to, span)) = next(at) else { break path.len() };
        path.push((at, span));
        at = to;
    };
    let mut circle = path.split_off(start);
    let first = circle.iter().enumerate().min_by_key(|(_, (name, _))| *name).map_or(0, |(position, _)| position);
    circle.rotate_left(first);
    let names: Vec<&str> = circle.iter().map(|(name, _)| *name).collect();
    let closed = names.iter().chain(names.first()).map(|name| name.to_string()).collect();
    let span = circle.first().map_or(0..0, |(_, span)| span.range());
    let in_let = names.first().map(|name| name.to_string());
    (names, CompileError { in_let, span, kind: CompileErrorKind::Cycle { names: closed } })
}
