//! From the TOML parser's values to [`Node`]s.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

use super::{Node, Origin, Table, Value};

/// A mistake met on the way: span, message, label.
pub(super) type Mistake = (Range<usize>, String, String);

/// Converts a parsed value; `offset` is where the parsed text begins in the text of `origin`.
///
/// Numbers no machine number can hold are reported as (span, message, label) and become zero.
pub(crate) fn node_from_toml(
    value: &Spanned<DeValue>,
    origin: Origin,
    offset: usize,
    mistakes: &mut Vec<Mistake>,
) -> Node {
    let span = shift(value.span(), offset);
    let value = match value.get_ref() {
        DeValue::String(text) => Value::String(text.to_string()),
        DeValue::Integer(digits) => Value::Integer(integer(digits).unwrap_or_else(|| {
            mistakes.push((
                span.clone(),
                format!("`{digits}` cannot be read, expected a whole number between {} and {}", i64::MIN, i64::MAX),
                "not a 64-bit whole number".to_owned(),
            ));
            0
        })),
        DeValue::Float(digits) => Value::Float(digits.as_str().parse().unwrap_or_else(|_| {
            let message = format!("`{digits}` cannot be read, expected a number such as `1.5` or `2e-3`");
            mistakes.push((span.clone(), message, "not a number".to_owned()));
            0.0
        })),
        DeValue::Boolean(value) => Value::Boolean(*value),
        DeValue::Datetime(value) => Value::Datetime(*value),
        DeValue::Array(items) => {
            Value::Array(items.iter().map(|item| node_from_toml(item, origin, offset, mistakes)).collect())
        }
        DeValue::Table(table) => Value::Table(table_from_toml(table, origin, offset, mistakes)),
    };
    Node { value, span, key_span: None, origin }
}

/// Converts a table, with its entries in the order of their keys in the text.
pub(super) fn table_from_toml(table: &DeTable, origin: Origin, offset: usize, mistakes: &mut Vec<Mistake>) -> Table {
    let mut entries: Vec<(String, Node)> = table
        .iter()
        .map(|(key, value)| {
            let mut node = node_from_toml(value, origin, offset, mistakes);
            node.key_span = Some(shift(key.span(), offset));
            (key.get_ref().to_string(), node)
        })
        .collect();
    entries.sort_by_key(|(_, node)| node.key_span.as_ref().map(|span| span.start));
    Table { entries }
}

fn integer(digits: &DeInteger) -> Option<i64> {
    i64::from_str_radix(digits.as_str(), digits.radix()).ok()
}

fn shift(span: Range<usize>, offset: usize) -> Range<usize> {
    span.start + offset..span.end + offset
}
