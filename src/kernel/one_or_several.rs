//! A value of a problem file that stands alone or in a list.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// `1.5` or `[1.5, 2.0]`; how many are expected depends on where it stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum OneOrSeveral<T> {
    /// A value without brackets.
    One(T),
    /// Values in brackets.
    Several(Vec<T>),
}

impl<T> OneOrSeveral<T> {
    /// The values.
    pub fn as_slice(&self) -> &[T] {
        match self {
            OneOrSeveral::One(value) => std::slice::from_ref(value),
            OneOrSeveral::Several(values) => values,
        }
    }

    /// Whether it has brackets.
    pub fn is_list(&self) -> bool {
        matches!(self, OneOrSeveral::Several(_))
    }
}

impl<T: JsonSchema> JsonSchema for OneOrSeveral<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("OneOrSeveral_{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let item = T::json_schema(generator);
        let types = match item.get("type") {
            Some(Value::Array(types)) => types.clone(),
            Some(only) => vec![only.clone()],
            None => Vec::new(),
        };
        let types: Vec<Value> = types.into_iter().chain([json!("array")]).collect();
        json_schema!({ "type": types, "items": { "type": item.get("type") } })
    }
}

#[cfg(test)]
mod tests {
    use super::OneOrSeveral::{self, *};
    use crate::kernel::Expression;

    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct File {
        a: OneOrSeveral<f64>,
        b: OneOrSeveral<Expression>,
    }

    #[test]
    fn brackets_are_optional() {
        let text = |s: &str| Expression::Text(s.to_owned());
        let alone: File = toml::from_str("a = 1\nb = 's'").unwrap();
        assert_eq!(alone, File { a: One(1.0), b: One(text("s")) });
        let listed: File = toml::from_str("a = [1, 2.5]\nb = ['s', 3]").unwrap();
        assert_eq!(listed, File { a: Several(vec![1.0, 2.5]), b: Several(vec![text("s"), Expression::Number(3.0)]) });
        assert_eq!((alone.a.as_slice(), alone.a.is_list()), (&[1.0][..], false));
        assert_eq!((listed.a.as_slice().len(), listed.a.is_list()), (2, true));
    }
}
