//! From the text of a problem file to a [`ProblemSpec`], or to all of its mistakes.

use serde::de::DeserializeOwned;
use serde_path_to_error::Segment;

use super::diagnostic::Diagnostics;
use super::document::{Document, Node, Value};
use super::doubts::Doubts;
use super::{ProblemSpec, overrides, schema, stand_in, validate};

/// What could be read of a problem file.
pub struct Reading {
    /// The file as data, with stand-ins for mistaken entries; none if that does not help.
    pub spec: Option<ProblemSpec>,
    /// The file as it was written.
    pub document: Document,
    /// Every mistake of syntax and structure, in the order of the file.
    pub found: Diagnostics,
    /// The entries that are mistaken.
    pub doubts: Doubts,
}

/// Reads a problem file, with the `--set` overrides applied.
///
/// `file` is the name to show in messages. The diagnostics hold every mistake of syntax and structure, in the order of
/// the file; what the values mean for each other is not checked here.
pub fn read(file: &str, text: &str, overrides: &[String]) -> Result<(ProblemSpec, Document), Diagnostics> {
    let Reading { spec, document, found, .. } = read_partly(file, text, overrides);
    match spec {
        Some(spec) if found.is_empty() => Ok((spec, document)),
        _ => Err(found),
    }
}

/// As [`read`], but the mistaken entries are replaced by stand-ins, so that the rest can be checked in the same run.
pub fn read_partly(file: &str, text: &str, overrides: &[String]) -> Reading {
    let (mut document, mut found) = Document::parse(file, text);
    let complete = found.is_empty();
    overrides::apply(&mut document, overrides, &mut found);
    let schema = schema::written();
    let mut doubts = validate::validate(schema, &document, complete, &mut found);
    if found.is_empty() {
        let spec = deserialise(&document, &mut found);
        return Reading { spec, document, found, doubts };
    }
    found.sort();
    // What a syntax error has swallowed is not known, so nothing that seems to be missing is.
    let mistaken: Option<Vec<&str>> = found.list.iter().map(|mistake| mistake.path.as_deref()).collect();
    let spec = mistaken.and_then(|mistaken| {
        mistaken.iter().for_each(|path| doubts.add((*path).to_owned()));
        let mended = stand_in::mended(schema, &document, &mistaken);
        deserialise(&mended, &mut Diagnostics::of(&document))
    });
    Reading { spec, document, found, doubts }
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
