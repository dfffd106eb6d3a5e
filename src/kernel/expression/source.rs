//! An expression as it stands in a problem file.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A number, or the text of an expression, not yet compiled.
#[derive(Debug, Clone, PartialEq)]
pub enum Expression {
    /// A plain number.
    Number(f64),
    /// Text such as `"cos(phi*sigma)"`.
    Text(String),
}

impl Serialize for Expression {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Expression::Number(v) => serializer.serialize_f64(*v),
            Expression::Text(s) => serializer.serialize_str(s),
        }
    }
}

impl<'de> Deserialize<'de> for Expression {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = Expression;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a number or an expression in quotes")
            }
            fn visit_f64<E>(self, v: f64) -> Result<Expression, E> {
                Ok(Expression::Number(v))
            }
            fn visit_i64<E>(self, v: i64) -> Result<Expression, E> {
                Ok(Expression::Number(v as f64))
            }
            fn visit_u64<E>(self, v: u64) -> Result<Expression, E> {
                Ok(Expression::Number(v as f64))
            }
            fn visit_str<E>(self, v: &str) -> Result<Expression, E> {
                Ok(Expression::Text(v.to_owned()))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

impl JsonSchema for Expression {
    fn schema_name() -> Cow<'static, str> {
        "Expression".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": ["number", "string"],
            "description": "A number, or an expression of t in quotes."
        })
    }
}
