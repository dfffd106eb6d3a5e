//! Checks the tree of a problem file against the JSON Schema of [`super::ProblemSpec`] and reports every mistake.
//!
//! The walk covers the part of JSON Schema that the schema generator emits for serde types: `$ref`, `type`,
//! `properties`, `required`, `additionalProperties`, `propertyNames`, `items`, `prefixItems`, `minItems`, `maxItems`,
//! bounds of numbers, and `enum`, `const`, `oneOf`, `anyOf` for choices and optional values.

mod choice;
mod describe;
mod table;

use serde_json::Value as Json;

use super::diagnostic::Diagnostics;
use super::document::{Document, Node, Value};
use super::doubts::Doubts;
use crate::kernel::magnitude::{expected_size, has_size};
use crate::kernel::numbers_in;
pub(super) use describe::expected;
use describe::{is_type, types};

pub(super) use describe::found;

/// Reports all mistakes of `document` against `schema`, and returns the entries that unknown keys were probably meant
/// to be.
///
/// Of an incomplete document, one with syntax errors, it is not reported what is missing.
pub(super) fn validate(schema: &Json, document: &Document, complete: bool, mistakes: &mut Diagnostics) -> Doubts {
    let mut walker = Walker { schema, document, complete, mistakes, meant: Doubts::default(), path: Vec::new() };
    walker.check(schema, document.root());
    walker.meant
}

struct Walker<'a> {
    schema: &'a Json,
    document: &'a Document,
    complete: bool,
    mistakes: &'a mut Diagnostics,
    meant: Doubts,
    path: Vec<String>,
}

impl<'a> Walker<'a> {
    fn check(&mut self, schema: &'a Json, node: &'a Node) {
        let schema = resolve(self.schema, schema);
        if let Some(choice) = choice::Choice::of(self.schema, schema) {
            return self.check_choice(&choice, node);
        }
        if let Some(alternatives) = schema.get("anyOf").or(schema.get("oneOf")).and_then(Json::as_array) {
            let values: Vec<&Json> = alternatives.iter().filter(|s| !is_type(s, "null")).collect();
            let fits = values.iter().find(|s| may_be(self.schema, s, node));
            return match (values.as_slice(), fits) {
                // An optional value: what is wrong with it is told best by its own schema.
                ([only], _) | (_, Some(only)) => self.check(only, node),
                _ => self.wrong_type(schema, node),
            };
        }
        if !may_be(self.schema, schema, node) {
            return self.wrong_type(schema, node);
        }
        match &node.value {
            Value::Integer(value) => self.check_bounds(schema, *value as f64, value.to_string()),
            Value::Float(value) => self.check_bounds(schema, *value, format!("{value:?}")),
            Value::Array(items) => self.check_array(schema, items),
            Value::Table(table) => self.check_table(schema, table),
            Value::String(text) if is_type(schema, "number") => self.check_numbers_in(text),
            Value::String(_) | Value::Boolean(_) | Value::Datetime(_) => {}
        }
    }

    /// Checks an entry of a table or array.
    fn check_child(&mut self, key: String, schema: &'a Json, node: &'a Node) {
        self.path.push(key);
        self.check(schema, node);
        self.path.pop();
    }

    fn here(&self) -> String {
        self.document.path_text(&self.path)
    }

    fn wrong_type(&mut self, schema: &Json, node: &Node) {
        let expected = expected(self.schema, schema);
        let message = format!("wrong type for `{}`: found {}, expected {expected}", self.here(), found(&node.value));
        let items = schema.get("items").map(|items| types(self.schema, items)).unwrap_or_default();
        let help = mend_type(&types(self.schema, schema), &items, &node.value);
        let help = help.or_else(|| self.named_tables(schema).then(|| self.write_names()));
        let diagnostic = self.mistakes.error(self.document, &self.path, message, format!("expected {expected}"));
        diagnostic.help = help;
    }

    fn check_bounds(&mut self, schema: &Json, value: f64, shown: String) {
        let bound = |key: &str| schema.get(key).and_then(Json::as_f64);
        let (min, max) = (bound("minimum"), bound("maximum"));
        let (above, below) = (bound("exclusiveMinimum"), bound("exclusiveMaximum"));
        let expected = if !value.is_finite() {
            "a finite number".to_owned()
        } else if !has_size(value) {
            expected_size()
        } else if min.is_none_or(|b| value >= b)
            && max.is_none_or(|b| value <= b)
            && above.is_none_or(|b| value > b)
            && below.is_none_or(|b| value < b)
        {
            return;
        } else {
            let integer = is_type(schema, "integer");
            let kind = if integer { "a whole number" } else { "a number" };
            let limits = [("at least", min), ("more than", above), ("at most", max), ("less than", below)];
            let limits: Vec<String> =
                limits.iter().filter_map(|(word, bound)| bound.map(|b| format!("{word} {}", readable(b)))).collect();
            match (min, max) {
                (Some(0.0), None) if limits.len() == 1 => format!("{kind} that is not negative"),
                (Some(low), Some(high)) if integer && high == low + 1.0 => format!("{low} or {high}"),
                (Some(low), Some(high)) => format!("{kind} from {} to {}", readable(low), readable(high)),
                _ => format!("{kind}, {}", limits.join(" and ")),
            }
        };
        let message = format!("`{}` is {}, expected {expected}", self.here(), shown.to_lowercase());
        self.mistakes.error(self.document, &self.path, message, format!("expected {expected}"));
    }

    /// Numbers inside an expression have the sizes of those that stand by themselves.
    fn check_numbers_in(&mut self, text: &str) {
        let Some((span, _)) = numbers_in(text).into_iter().find(|(_, value)| !has_size(*value)) else { return };
        let (shown, expected) = (text.get(span.clone()).unwrap_or_default(), expected_size());
        let message = format!("`{}` holds {shown}, expected {expected}", self.here());
        let place = self.document.place_in_string(&self.path, span);
        self.mistakes.error_at(self.document, &self.path, place, message, format!("expected {expected}"));
    }

    fn check_array(&mut self, schema: &'a Json, items: &'a [Node]) {
        let prefix = schema.get("prefixItems").and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
        let count = |key: &str| schema.get(key).and_then(Json::as_u64).map(|n| n as usize);
        let (min, max) = (count("minItems").unwrap_or(0), count("maxItems"));
        if items.len() < min || max.is_some_and(|max| items.len() > max) {
            let expected = match max {
                Some(max) if max == min => max.to_string(),
                Some(max) => format!("{min} to {max}"),
                None => format!("at least {min}"),
            };
            let message = format!("`{}` has {}, expected {expected}", self.here(), describe::entries(items.len()));
            self.mistakes.error(self.document, &self.path, message, format!("expected {expected} entries"));
        }
        for (i, item) in items.iter().enumerate() {
            if let Some(schema) = prefix.get(i).or_else(|| schema.get("items")) {
                self.check_child(i.to_string(), schema, item);
            }
        }
    }
}

/// Follows `$ref` to the definition it names.
pub(super) fn resolve<'a>(root: &'a Json, mut schema: &'a Json) -> &'a Json {
    while let Some(target) = schema.get("$ref").and_then(Json::as_str).and_then(|r| root.pointer(r.strip_prefix('#')?))
    {
        schema = target;
    }
    schema
}

/// Whether the kind of a value is one that the schema allows.
fn may_be(root: &Json, schema: &Json, node: &Node) -> bool {
    let types = types(root, schema);
    let any_of = |names: &[&str]| names.iter().any(|name| types.contains(name));
    types.is_empty()
        || match node.value {
            Value::String(_) => any_of(&["string"]),
            Value::Integer(_) => any_of(&["integer", "number"]),
            Value::Float(_) => any_of(&["number"]),
            Value::Boolean(_) => any_of(&["boolean"]),
            Value::Datetime(_) => false,
            Value::Array(_) => any_of(&["array"]),
            Value::Table(_) => any_of(&["object"]),
        }
}

/// The usual slips: quotes too many or too few, a point in a whole number, no brackets around the only entry.
fn mend_type(expected: &[&str], items: &[&str], value: &Value) -> Option<String> {
    let number = expected.iter().any(|t| ["integer", "number"].contains(t));
    match value {
        Value::String(text) if number && text.trim().parse::<f64>().is_ok() => {
            Some(format!("remove the quotes: {}", text.trim()))
        }
        Value::String(text) if items.contains(&"string") => Some(format!("put it in brackets: [{text:?}]")),
        Value::Integer(n) if expected.contains(&"string") => Some(format!("put it in quotes: \"{n}\"")),
        Value::Float(x) if expected.contains(&"integer") && x.fract() == 0.0 && x.abs() < 1e15 => {
            Some(format!("remove the decimal point: {x:.0}"))
        }
        _ => None,
    }
}

/// A number without a row of zeros.
fn readable(number: f64) -> String {
    let plain = number == 0.0 || (1e-4..1e7).contains(&number.abs());
    if plain { number.to_string() } else { format!("{number:e}") }
}
