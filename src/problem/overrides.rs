//! `--set key.path=value`: values of the command line put into the tree of the file.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use super::diagnostic::{Diagnostic, Diagnostics, Place};
use super::document::{Document, Node, Origin, Table, Value, key_text, node_from_toml};

/// What stands in front of an override where it is shown.
const PREFIX: &str = "--set ";

/// Applies overrides in turn; a later one of the same key wins.
///
/// The value is read as TOML, and taken for a bare string where it is not TOML, so that `method=galerkin` and
/// `x=cos(t)` need no quotes. Keys may be quoted: `expect."a.b".value=1`.
pub fn apply(document: &mut Document, overrides: &[String], found: &mut Diagnostics) {
    for text in overrides {
        let shown = format!("{PREFIX}{text}");
        let index = document.add_override(shown.clone());
        let set = Set { index, shown: &shown };
        if let Err(diagnostic) = set.apply(document, found) {
            found.push(*diagnostic);
        }
    }
}

struct Set<'a> {
    index: usize,
    shown: &'a str,
}

/// One part of a dotted key, with its range of the shown text.
struct Part {
    name: String,
    span: Range<usize>,
}

impl Set<'_> {
    fn apply(&self, document: &mut Document, found: &mut Diagnostics) -> Result<(), Box<Diagnostic>> {
        let (parts, value_start) = self.key()?;
        let value = self.value(value_start, found)?;
        self.put(&mut document.root, &parts, value)
    }

    fn error(&self, span: Range<usize>, message: String, label: &str) -> Box<Diagnostic> {
        let place = Place::Override { index: self.index, text: self.shown.to_owned(), span };
        Box::new(Diagnostic::error(place, message, label))
    }

    /// The key's parts, and where the value begins.
    fn key(&self) -> Result<(Vec<Part>, usize), Box<Diagnostic>> {
        let text = &self.shown[PREFIX.len()..];
        let whole = PREFIX.len()..self.shown.len();
        let Some(equals) = first_unquoted_equals(text) else {
            let label = if text.contains('=') { "no closing quote" } else { "no `=` here" };
            let message = format!("override {text:?} has no key and value, expected `key.path=value`");
            return Err(self.error(whole, message, label));
        };
        let key = &text[..equals];
        if key.trim().is_empty() {
            let message = format!("override {text:?} has no key, expected `key.path=value`");
            return Err(self.error(PREFIX.len()..PREFIX.len() + equals + 1, message, "no key before `=`"));
        }
        let span = PREFIX.len()..PREFIX.len() + equals;
        let bad_key = |why: &str| {
            let message = format!("override has the bad key {key:?}: {why}; expected names joined by dots");
            self.error(span.clone(), message, "not a key path")
        };
        let probe = format!("{key} = 0");
        let parsed = DeTable::parse(&probe).map_err(|e| bad_key(e.message()))?;
        let mut parts = Vec::new();
        let mut table = parsed.get_ref();
        while let Some((name, value)) = table.iter().next() {
            let at = name.span();
            let span = at.start + PREFIX.len()..at.end + PREFIX.len();
            parts.push(Part { name: name.get_ref().to_string(), span });
            match value.get_ref() {
                DeValue::Table(inner) => table = inner,
                _ => break,
            }
        }
        if parts.is_empty() {
            return Err(bad_key("nothing but a comment"));
        }
        Ok((parts, PREFIX.len() + equals + 1))
    }

    fn value(&self, start: usize, found: &mut Diagnostics) -> Result<Node, Box<Diagnostic>> {
        let raw = &self.shown[start..];
        let text = raw.trim();
        let start = start + (raw.len() - raw.trim_start().len());
        let span = start..start + text.len();
        if text.is_empty() {
            let message = format!("`{}` has no value, expected `key.path=value`", self.shown);
            return Err(self.error(span, message, "no value after `=`"));
        }
        let origin = Origin::Override(self.index);
        match DeValue::parse(text) {
            Ok(value) => {
                let mut mistakes = Vec::new();
                let node = node_from_toml(&value, origin, start, &mut mistakes);
                for (span, message, label) in mistakes {
                    found.push(*self.error(span, message, &label));
                }
                Ok(node)
            }
            // These open a TOML value, so a bare string is not what was meant.
            Err(e) if text.starts_with(['"', '\'', '[', '{']) => {
                let at = e.span().map_or(span.clone(), |s| start + s.start..start + s.end);
                Err(self.error(at, format!("`{text}` is not a TOML value: {}", e.message()), "cannot be read"))
            }
            Err(_) => Ok(Node { value: Value::String(text.to_owned()), span, key_span: None, origin }),
        }
    }

    fn put(&self, root: &mut Node, parts: &[Part], value: Node) -> Result<(), Box<Diagnostic>> {
        let mut node = root;
        let mut so_far = String::new();
        for part in parts {
            let kind = super::validate::found(&node.value);
            let refused = |what: &str| {
                let message = format!("cannot set `{}`: `{so_far}` is {kind}, {what}", self.shown_key(parts));
                self.error(part.span.clone(), message, "leads nowhere")
            };
            node = match &mut node.value {
                Value::Table(table) => table.entry(&part.name, || self.empty_table(part)),
                Value::Array(items) => {
                    let index = part.name.parse::<usize>().ok();
                    let item = index.and_then(|i| items.get_mut(i));
                    item.ok_or_else(|| refused("expected the index of one of its entries, counted from 0"))?
                }
                _ => return Err(refused("expected a table")),
            };
            so_far =
                if so_far.is_empty() { key_text(&part.name) } else { format!("{so_far}.{}", key_text(&part.name)) };
        }
        let key_span = parts.last().map(|part| part.span.clone());
        *node = Node { key_span, ..value };
        Ok(())
    }

    fn shown_key(&self, parts: &[Part]) -> String {
        parts.iter().map(|part| key_text(&part.name)).collect::<Vec<_>>().join(".")
    }

    fn empty_table(&self, part: &Part) -> Node {
        Node {
            value: Value::Table(Table::default()),
            span: part.span.clone(),
            key_span: Some(part.span.clone()),
            origin: Origin::Override(self.index),
        }
    }
}

/// Position of the first `=` that is not inside a quoted key.
fn first_unquoted_equals(text: &str) -> Option<usize> {
    let mut quote = None;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (None, '=') => return Some(at),
            (None, '"' | '\'') => quote = Some(c),
            (Some('"'), '\\') if !escaped => {
                escaped = true;
                continue;
            }
            (Some(open), _) if open == c && !escaped => quote = None,
            _ => {}
        }
        escaped = false;
    }
    None
}
