//! A problem file as a tree in which every value knows where it was written.

mod convert;
mod syntax;

use std::ops::Range;

use toml::value::Datetime;

use super::diagnostic::{Diagnostic, Diagnostics, Place};

pub(super) use convert::node_from_toml;

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The problem file.
    File,
    /// The `--set` of this index.
    Override(usize),
}

/// A value with its place. Spans are byte ranges of the text of its [`Origin`].
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// Of the value; for tables with a header, of the header.
    pub span: Range<usize>,
    /// Of the last part of the key; entries of arrays have none.
    pub key_span: Option<Range<usize>>,
    /// Which text the spans refer to.
    pub origin: Origin,
}

/// What TOML can say.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Text, decoded.
    String(String),
    /// A whole number.
    Integer(i64),
    /// A number with point, exponent, or `inf` or `nan`.
    Float(f64),
    /// True or false.
    Boolean(bool),
    /// A date or time.
    Datetime(Datetime),
    /// A list.
    Array(Vec<Node>),
    /// Named values.
    Table(Table),
}

/// Named values in the order in which they were written.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    entries: Vec<(String, Node)>,
}

impl Table {
    /// The entry of this name.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries.iter().find(|(k, _)| k == key).map(|(_, node)| node)
    }

    /// The entry of this name, created by `default` where there is none.
    pub(super) fn entry(&mut self, key: &str, default: impl FnOnce() -> Node) -> &mut Node {
        let at = self.entries.iter().position(|(k, _)| k == key).unwrap_or_else(|| {
            self.entries.push((key.to_owned(), default()));
            self.entries.len() - 1
        });
        &mut self.entries[at].1
    }

    /// Keeps only the entries chosen.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(&str, &mut Node) -> bool) {
        self.entries.retain_mut(|(key, node)| keep(key, node));
    }

    /// All entries in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Node)> {
        self.entries.iter().map(|(key, node)| (key.as_str(), node))
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl Node {
    /// The table this is, if it is one.
    pub fn as_table(&self) -> Option<&Table> {
        match &self.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The entry of a table by its name, or of an array by its index.
    pub fn child(&self, key: &str) -> Option<&Node> {
        match &self.value {
            Value::Table(table) => table.get(key),
            Value::Array(items) => key.parse::<usize>().ok().and_then(|i| items.get(i)),
            _ => None,
        }
    }
}

/// A parsed problem file with the overrides applied to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    file: String,
    text: String,
    overrides: Vec<String>,
    pub(super) root: Node,
}

impl Document {
    /// Parses TOML. What cannot be read is left out of the tree and reported.
    pub fn parse(file: &str, text: &str) -> (Self, Diagnostics) {
        let mut found = Diagnostics::new(file, text);
        let (root, mistakes) = syntax::parse(text);
        for (span, message, label) in mistakes {
            found.push(Diagnostic::error(Place::File { span }, message, label));
        }
        (Self { file: file.to_owned(), text: text.to_owned(), overrides: Vec::new(), root }, found)
    }

    /// Name of the file as the user gave it.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Text of the file.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The root table.
    pub fn root(&self) -> &Node {
        &self.root
    }

    /// Registers the display text of an override and returns its index.
    pub(super) fn add_override(&mut self, text: String) -> usize {
        self.overrides.push(text);
        self.overrides.len() - 1
    }

    /// The node at a key path; entries of arrays are addressed by their index.
    pub fn get<S: AsRef<str>>(&self, path: &[S]) -> Option<&Node> {
        path.iter().try_fold(&self.root, |node, key| node.child(key.as_ref()))
    }

    /// Place of the value at a key path; where there is none, of its nearest ancestor.
    pub fn value_place<S: AsRef<str>>(&self, path: &[S]) -> Place {
        match self.get(path) {
            Some(node) => self.place(node.origin, node.span.clone()),
            None => self.ancestor_place(path),
        }
    }

    /// Place of the key at a key path; for entries of arrays, of the value.
    pub fn key_place<S: AsRef<str>>(&self, path: &[S]) -> Place {
        match self.get(path) {
            Some(node) => self.place(node.origin, node.key_span.clone().unwrap_or_else(|| node.span.clone())),
            None => self.ancestor_place(path),
        }
    }

    /// Place of a byte range of the decoded string at a key path.
    ///
    /// Exact for strings on one line without escapes; the whole literal otherwise.
    pub fn place_in_string<S: AsRef<str>>(&self, path: &[S], range: Range<usize>) -> Place {
        let Some(node) = self.get(path) else { return self.ancestor_place(path) };
        let whole = self.place(node.origin, node.span.clone());
        let (Value::String(decoded), Some(source)) = (&node.value, self.source(node.origin)) else { return whole };
        let Some(literal) = source.get(node.span.clone()) else { return whole };
        let quotes = match literal.strip_prefix(['"', '\'']).and_then(|rest| rest.strip_suffix(['"', '\''])) {
            Some(inner) if inner == decoded => 1,
            None if literal == decoded => 0,
            _ => return whole,
        };
        if range.start > range.end || range.end > decoded.len() {
            return whole;
        }
        let start = node.span.start + quotes;
        self.place(node.origin, start + range.start..start + range.end)
    }

    /// A key path as the user would write it: `rod.beam.elements`, `gravity[1]`, `expect."a.b".value`.
    pub fn path_text<S: AsRef<str>>(&self, path: &[S]) -> String {
        let mut node = Some(&self.root);
        let mut text = String::new();
        for key in path {
            let key = key.as_ref();
            match node.map(|n| &n.value) {
                Some(Value::Array(_)) => text.push_str(&format!("[{key}]")),
                _ if text.is_empty() => text = key_text(key),
                _ => text.push_str(&format!(".{}", key_text(key))),
            }
            node = node.and_then(|n| n.child(key));
        }
        text
    }

    fn source(&self, origin: Origin) -> Option<&str> {
        match origin {
            Origin::File => Some(&self.text),
            Origin::Override(index) => self.overrides.get(index).map(String::as_str),
        }
    }

    fn place(&self, origin: Origin, span: Range<usize>) -> Place {
        match (origin, self.source(origin)) {
            (Origin::Override(index), Some(text)) => Place::Override { index, text: text.to_owned(), span },
            (Origin::Override(_), None) => Place::Nowhere,
            (Origin::File, _) => Place::File { span },
        }
    }

    /// Header or key of the deepest table (or array) on the way to `path` that exists.
    fn ancestor_place<S: AsRef<str>>(&self, path: &[S]) -> Place {
        let mut node = &self.root;
        for key in path {
            match node.child(key.as_ref()) {
                Some(child) => node = child,
                None => break,
            }
        }
        let inline =
            self.source(node.origin).and_then(|s| s.get(node.span.clone())).is_some_and(|s| s.starts_with('{'));
        let span = node.key_span.clone().filter(|_| inline).unwrap_or_else(|| node.span.clone());
        self.place(node.origin, span)
    }
}

/// A key as TOML writes it: bare where it can be, quoted else.
pub(crate) fn key_text(key: &str) -> String {
    let bare = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    if bare { key.to_owned() } else { format!("{key:?}") }
}
