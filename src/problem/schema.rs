//! JSON Schema of problem files, generated from the types that read them.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use schemars::Schema;
use serde_json::{Value, json};

use super::ProblemSpec;

/// The table whose keys are names of results, not of parts of the mechanism.
const NAMES_OF_RESULTS: &str = "expect";

/// JSON Schema of a problem file.
///
/// The only list of keys, types and choices there is: [`super::read`] checks files against it, as it is written beside the gallery, and editors
/// complete and check them with it.
pub fn schema() -> &'static Schema {
    static SCHEMA: OnceLock<Schema> = OnceLock::new();
    SCHEMA.get_or_init(|| {
        let mut schema = schemars::schema_for!(ProblemSpec);
        restrict_names(&mut schema);
        demand_dimension(&mut schema);
        schema
    })
}

/// The schema as it is written beside the problems of the gallery, which a test keeps equal to [`schema`]: each run reads files
/// against it, and reading it takes a fraction of the time of making it from the types.
pub(super) fn written() -> &'static Value {
    static WRITTEN: OnceLock<Value> = OnceLock::new();
    WRITTEN.get_or_init(|| {
        let text = include_str!("../../problems/lariat.schema.json");
        serde_json::from_str(text).unwrap_or_else(|_| schema().as_value().clone())
    })
}

/// [`schema`] as indented text, as `lariat schema` prints it.
pub fn schema_json() -> String {
    format!("{:#}", schema().as_value())
}

/// Space has a dimension, except for systems by their Lagrangian.
fn demand_dimension(schema: &mut Schema) {
    let system = json!({ "required": ["system"] });
    let task = json!({ "required": ["task"], "properties": { "task": { "required": ["optimal-control"] } } });
    schema.insert("if".to_owned(), json!({ "not": { "anyOf": [system, task] } }));
    schema.insert("then".to_owned(), json!({ "required": ["dimension"] }));
}

/// Parts of the mechanism have names without dots, because frames are written `beam.end`; `ground` is the fixed frame.
fn restrict_names(schema: &mut Schema) {
    let objects: BTreeSet<String> = schema
        .get("$defs")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .filter(|(_, definition)| definition.get("type").and_then(Value::as_str) == Some("object"))
        .map(|(name, _)| format!("#/$defs/{name}"))
        .collect();
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
    for (_, property) in properties.iter_mut().filter(|(key, _)| *key != NAMES_OF_RESULTS) {
        let entry = property.pointer("/additionalProperties/$ref").and_then(Value::as_str);
        if entry.is_some_and(|entry| objects.contains(entry))
            && let Some(property) = property.as_object_mut()
        {
            let names = json!({ "pattern": "^[A-Za-z][A-Za-z0-9_-]*$", "not": { "const": "ground" } });
            property.insert("propertyNames".to_owned(), names);
        }
    }
}
