//! From the text of a problem file to a [`ProblemSpec`], or to all of its mistakes.

use serde::de::DeserializeOwned;
use serde_path_to_error::Segment;

use super::diagnostic::Diagnostics;
use super::document::{Document, Node, Value};
use super::{ProblemSpec, overrides, schema, validate};

/// Reads a problem file, with the `--set` overrides applied.
///
/// `file` is the name to show in messages. The diagnostics hold every mistake of syntax and structure, in the order of
/// the file; what the values mean for each other is not checked here.
pub fn read(file: &str, text: &str, overrides: &[String]) -> Result<(ProblemSpec, Document), Diagnostics> {
    let (mut document, mut found) = Document::parse(file, text);
    let complete = found.is_empty();
    overrides::apply(&mut document, overrides, &mut found);
    validate::validate(schema().as_value(), &document, complete, &mut found);
    if found.is_empty() {
        match deserialise(&document, &mut found) {
            Some(spec) => return Ok((spec, document)),
            None => return Err(found),
        }
    }
    found.sort();
    Err(found)
}

/// Deserialises the tree. What the schema could not tell becomes a diagnostic with the key it is about.
pub(super) fn deserialise<T: DeserializeOwned>(document: &Document, found: &mut Diagnostics) -> Option<T> {
    let error = match serde_path_to_error::deserialize(toml_value(document.root())) {
        Ok(value) => return Some(value),
        Err(error) => error,
    };
    let path: Vec<String> = error
        .path()
        .iter()
        .filter_map(|segment| match segment {
            Segment::Seq { index } => Some(index.to_string()),
            Segment::Map { key } => Some(key.clone()),
            Segment::Enum { variant } => Some(variant.clone()),
            Segment::Unknown => None,
        })
        .collect();
    let what = error.inner().message();
    let message = match document.get(&path) {
        Some(node) => format!("`{}` is {}: {what}", document.path_text(&path), validate::found(&node.value)),
        None => format!("`{}`: {what}", document.path_text(&path)),
    };
    found.error(document, &path, message, "cannot be used");
    None
}

fn toml_value(node: &Node) -> toml::Value {
    match &node.value {
        Value::String(text) => toml::Value::String(text.clone()),
        Value::Integer(value) => toml::Value::Integer(*value),
        Value::Float(value) => toml::Value::Float(*value),
        Value::Boolean(value) => toml::Value::Boolean(*value),
        Value::Datetime(value) => toml::Value::Datetime(*value),
        Value::Array(items) => toml::Value::Array(items.iter().map(toml_value).collect()),
        Value::Table(table) => {
            toml::Value::Table(table.iter().map(|(key, node)| (key.to_owned(), toml_value(node))).collect())
        }
    }
}
