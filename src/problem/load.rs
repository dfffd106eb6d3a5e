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
    match read_partly(file, text, overrides) {
        (Some(spec), document, found) if found.is_empty() => Ok((spec, document)),
        (_, _, found) => Err(found),
    }
}

/// As [`read`], but what is left when the mistaken entries are taken away is returned beside the mistakes, if it still
/// makes a problem: so that the rest of the file can be checked in the same run.
pub fn read_partly(file: &str, text: &str, overrides: &[String]) -> (Option<ProblemSpec>, Document, Diagnostics) {
    let (mut document, mut found) = Document::parse(file, text);
    let complete = found.is_empty();
    overrides::apply(&mut document, overrides, &mut found);
    validate::validate(schema().as_value(), &document, complete, &mut found);
    if found.is_empty() {
        let spec = deserialise(&document, &mut found);
        return (spec, document, found);
    }
    found.sort();
    let mut rest = document.clone();
    let mistaken: Vec<&str> = found.list.iter().filter_map(|mistake| mistake.path.as_deref()).collect();
    prune(&document, &mut rest.root, &mut Vec::new(), &mistaken);
    let spec = deserialise(&rest, &mut Diagnostics::of(&document));
    (spec, document, found)
}

/// Takes the entries with these paths out of the tree.
fn prune(document: &Document, node: &mut Node, path: &mut Vec<String>, mistaken: &[&str]) {
    let Value::Table(table) = &mut node.value else { return };
    table.retain(|key, child| {
        path.push(key.to_owned());
        let keep = !mistaken.contains(&document.path_text(path).as_str());
        if keep {
            prune(document, child, path, mistaken);
        }
        path.pop();
        keep
    });
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
