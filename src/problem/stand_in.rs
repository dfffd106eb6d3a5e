//! Stand-ins for mistaken entries: with them the rest of a file can be read and checked in the same run.

use serde_json::Value as Json;

use super::document::{Document, Node, Origin, Table, Value};
use super::validate::resolve;

/// The tree without the entries at `mistaken` paths, with values of the right type where something required is missing.
///
/// What the stand-ins say means nothing: see [`super::doubts::Doubts`].
pub fn mended(schema: &Json, document: &Document, mistaken: &[&str]) -> Document {
    let mut mended = document.clone();
    prune(document, &mut mended.root, &mut Vec::new(), mistaken);
    complete(schema, schema, &mut mended.root);
    mended
}

/// Takes the entries with these paths out of the tree; an array with a mistaken entry goes as a whole.
fn prune(document: &Document, node: &mut Node, path: &mut Vec<String>, mistaken: &[&str]) {
    let Value::Table(table) = &mut node.value else { return };
    table.retain(|key, child| {
        path.push(key.to_owned());
        let here = document.path_text(path);
        let is_mistaken = |found: &&str| found.strip_prefix(&here).is_some_and(|r| r.is_empty() || r.starts_with('['));
        let keep = !mistaken.iter().any(is_mistaken);
        if keep {
            prune(document, child, path, mistaken);
        }
        path.pop();
        keep
    });
}

/// Adds what a schema requires of a table and of the tables in it.
fn complete(root: &Json, schema: &Json, node: &mut Node) {
    let schema = follow(root, schema);
    if let Some(variants) = schema.get("oneOf").and_then(Json::as_array) {
        let Value::Table(table) = &node.value else { return };
        // A choice written as a table has one entry, the variant.
        let has = |key: &Json| key.as_str().is_some_and(|key| table.get(key).is_some());
        let chosen = |v: &&Json| v.get("required").and_then(Json::as_array).is_some_and(|keys| keys.iter().all(has));
        return match variants.iter().map(|variant| follow(root, variant)).find(chosen) {
            Some(variant) => complete(root, variant, node),
            None => *node = stand_in(root, schema),
        };
    }
    let Value::Table(table) = &mut node.value else { return };
    let properties = schema.get("properties").and_then(Json::as_object);
    let others = schema.get("additionalProperties").filter(|others| others.is_object());
    table.retain(|key, child| {
        if let Some(schema) = properties.and_then(|p| p.get(key)).or(others) {
            complete(root, schema, child);
        }
        true
    });
    let required = schema.get("required").and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str);
    for key in required {
        if let Some(schema) = properties.and_then(|p| p.get(key)) {
            table.entry(key, || stand_in(root, schema));
        }
    }
}

/// Some value that a schema allows.
fn stand_in(root: &Json, schema: &Json) -> Node {
    let schema = follow(root, schema);
    if let Some(first) = schema.get("oneOf").or(schema.get("anyOf")).and_then(|variants| variants.get(0)) {
        return stand_in(root, first);
    }
    let word = schema.get("const").or_else(|| schema.get("enum")?.get(0)).and_then(Json::as_str);
    // Of several types the first will do.
    let kind = schema.get("type").and_then(|kind| kind.get(0).unwrap_or(kind).as_str());
    let value = match (word, kind) {
        (Some(word), _) => Value::String(word.to_owned()),
        (None, Some("integer")) => Value::Integer(schema.get("minimum").and_then(Json::as_i64).unwrap_or(0).max(1)),
        (None, Some("number")) => Value::Float(1.0),
        (None, Some("boolean")) => Value::Boolean(false),
        (None, Some("array")) => {
            let count = schema.get("minItems").and_then(Json::as_u64).unwrap_or(0);
            let item = schema.get("items").map(|items| stand_in(root, items));
            Value::Array((0..count).filter_map(|_| item.clone()).collect())
        }
        (None, Some("object")) => Value::Table(Table::default()),
        _ => Value::String(String::new()),
    };
    let mut node = Node { value, span: 0..0, key_span: None, origin: Origin::File };
    complete(root, schema, &mut node);
    node
}

/// The schema a reference or an optional value stands for.
fn follow<'a>(root: &'a Json, schema: &'a Json) -> &'a Json {
    let schema = resolve(root, schema);
    let is_null = |schema: &&Json| schema.get("type").and_then(Json::as_str) == Some("null");
    match schema.get("anyOf").and_then(Json::as_array).map(Vec::as_slice) {
        Some([value, null]) if is_null(&null) => follow(root, value),
        _ => schema,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::load::deserialise;
    use crate::problem::{Diagnostics, ProblemSpec, schema};

    #[test]
    fn what_the_schema_requires_makes_an_empty_file_readable() {
        let (document, _) = Document::parse("x.toml", "rod.beam = {}\njoint.hook = {}\nexpect.a = {}\n");
        let mended = mended(schema().as_value(), &document, &[]);
        let mut found = Diagnostics::of(&document);
        let spec: Option<ProblemSpec> = deserialise(&mended, &mut found);
        assert!(spec.is_some(), "{found}");
    }

    #[test]
    fn only_mistaken_entries_are_taken_away() {
        let text = "dimension = 2\ngravity = [0, nan]\n[time]\nend = \"x\"\nsteps = 9\n";
        let (document, _) = Document::parse("x.toml", text);
        let mended = mended(schema().as_value(), &document, &["gravity[1]", "time.end"]);
        assert!(mended.get(&["gravity"]).is_none());
        assert_eq!(mended.get(&["time", "end"]).map(|n| n.value.clone()), Some(Value::Float(1.0)));
        assert_eq!(mended.get(&["time", "steps"]).map(|n| n.value.clone()), Some(Value::Integer(9)));
    }
}
