//! Found values and expected types in words.

use serde_json::Value as Json;

use super::super::document::Value;
use super::choice::Choice;
use super::resolve;

/// More characters of a found string than this are not shown.
const LONGEST: usize = 40;

/// A value as messages show it: `string "40"`, `array of 3 entries`.
pub(crate) fn found(value: &Value) -> String {
    match value {
        Value::String(text) if text.chars().count() > LONGEST => {
            let short: String = text.chars().take(LONGEST).collect();
            format!("string {:?}", format!("{short}…"))
        }
        Value::String(text) => format!("string {text:?}"),
        Value::Integer(value) => format!("whole number {value}"),
        Value::Float(value) => format!("number {value:?}").to_lowercase(),
        Value::Boolean(value) => format!("boolean {value}"),
        Value::Datetime(value) => format!("date or time {value}"),
        Value::Array(items) => format!("array of {}", entries(items.len())),
        Value::Table(table) if table.is_empty() => "an empty table".to_owned(),
        Value::Table(table) => {
            let keys: Vec<&str> = table.iter().map(|(key, _)| key).take(4).collect();
            let dots = if table.len() > 4 { ", …" } else { "" };
            format!("table with {}{dots}", keys.join(", "))
        }
    }
}

/// `1 entry`, `3 entries`.
pub(super) fn entries(count: usize) -> String {
    if count == 1 { "1 entry".to_owned() } else { format!("{count} entries") }
}

/// Types a schema names, `null` left out because TOML has none.
pub(super) fn types<'a>(root: &'a Json, schema: &'a Json) -> Vec<&'a str> {
    let schema = resolve(root, schema);
    let mut named: Vec<&str> = match schema.get("type") {
        Some(Json::String(name)) => vec![name.as_str()],
        Some(Json::Array(names)) => names.iter().filter_map(Json::as_str).collect(),
        _ => {
            let alternatives = schema.get("anyOf").or(schema.get("oneOf")).and_then(Json::as_array);
            alternatives.into_iter().flatten().flat_map(|s| types(root, s)).collect()
        }
    };
    named.retain(|name| *name != "null");
    // Variants of an enum all name the same type.
    named.dedup();
    named
}

/// Whether the schema itself names this type.
pub(super) fn is_type(schema: &Json, name: &str) -> bool {
    match schema.get("type") {
        Some(Json::String(own)) => own == name,
        Some(Json::Array(names)) => names.iter().any(|own| own == name),
        _ => false,
    }
}

/// What a schema asks for, in words: `a whole number`, `an array of 2 strings`.
pub(crate) fn expected(root: &Json, schema: &Json) -> String {
    let schema = resolve(root, schema);
    if let Some(choice) = Choice::of(root, schema) {
        return choice.expected();
    }
    let alternatives = types(root, schema);
    let words = alternatives.iter().map(|name| match *name {
        "integer" => "a whole number".to_owned(),
        "number" => "a number".to_owned(),
        "string" => "a string".to_owned(),
        "boolean" => "true or false".to_owned(),
        "array" => array(root, schema),
        "object" => "a table".to_owned(),
        other => other.to_owned(),
    });
    let words: Vec<String> = words.collect();
    if words.is_empty() { "another value".to_owned() } else { words.join(" or ") }
}

fn array(root: &Json, schema: &Json) -> String {
    let count = |key: &str| schema.get(key).and_then(Json::as_u64);
    let number = match (count("minItems"), count("maxItems")) {
        (Some(min), Some(max)) if min == max => format!(" of {min}"),
        _ => String::new(),
    };
    let items = schema.get("items").map(|items| types(root, items)).unwrap_or_default();
    let items: Vec<&str> = items
        .into_iter()
        .map(|name| match name {
            "integer" => "whole numbers",
            "number" => "numbers",
            "string" => "strings",
            "object" => "tables",
            "array" => "arrays",
            _ => "entries",
        })
        .collect();
    match (number.is_empty(), items.is_empty()) {
        (_, true) => format!("an array{number}"),
        (true, false) => format!("an array of {}", items.join(" or ")),
        (false, false) => format!("an array{number} {}", items.join(" or ")),
    }
}
