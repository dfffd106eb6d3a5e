//! The schema and the types agree.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use super::super::{ProblemSpec, read, schema_json};
use super::VALID;

/// Adds to [`VALID`] every table and key it does not use.
const REST: &str = r#"
[rod.tube]
model = "string"
from = [0.0, 0.0]
to = [1.0, 0.0]
elements = 40
section.tube = { outer = 2.0, inner = 1.0 }
material = { youngs = 1.0, poisson = 0.3, density = 1.0 }

[rod.round]
model = "string"
from = [0.0, 0.0]
to = [1.0, 0.0]
elements = 40
section.circle.radius = 1.0

[rod.square]
model = "string"
from = [0.0, 0.0]
to = [1.0, 0.0]
elements = 40
section.rectangle = { width = 1, height = 2 }

[body.payload]
mass = 1
inertia = 2

[joint.fixed]
between = ["payload", "beam.end"]
type = "rigid"

[servo.space]
at = "beam.end"
z = 3

[load.weight]
at = "beam.end"
force = ["t", 1]
torque = 2

[support.base]
at = "beam.start"
fixes = ["x", "angle"]

[task.inverse-dynamics.verify]
tolerance = 1e-3
refine = 3

[expect.other]
value = 1
abs = 2
"#;

fn keys(value: &Json, into: &mut BTreeSet<String>) {
    match value {
        Json::Object(map) => map.iter().for_each(|(key, value)| {
            into.insert(key.clone());
            keys(value, into);
        }),
        Json::Array(items) => items.iter().for_each(|item| keys(item, into)),
        _ => {}
    }
}

fn properties(schema: &Json, into: &mut BTreeSet<String>) {
    match schema {
        Json::Object(map) => map.iter().for_each(|(key, value)| {
            if let (true, Some(named)) = (key == "properties", value.as_object()) {
                into.extend(named.keys().cloned());
            }
            properties(value, into);
        }),
        Json::Array(items) => items.iter().for_each(|item| properties(item, into)),
        _ => {}
    }
}

#[test]
fn every_field_of_the_types_is_in_the_schema() {
    let text = format!("{VALID}{REST}").replace("method = ", "bandwidth = 1e3\nmethod = ");
    let (spec, _) = read("x.toml", &text, &[]).unwrap_or_else(|d| panic!("{d}"));
    let mut used = BTreeSet::new();
    keys(&serde_json::to_value(&spec).unwrap(), &mut used);
    let names = ["beam", "round", "square", "payload", "fixed", "tip", "space", "weight", "base", "other"];
    let lets_and_scalars = ["phi", "tau", "sigma", "actuation.base.torque.max"];
    for name in names.iter().chain(&lets_and_scalars) {
        assert!(used.remove(*name), "{name}");
    }
    let mut known = BTreeSet::new();
    properties(&serde_json::from_str(&schema_json()).unwrap(), &mut known);
    let unknown: Vec<&String> = used.difference(&known).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    assert_eq!(toml::from_str::<ProblemSpec>(&text).unwrap(), spec);
}

#[test]
fn names_are_restricted_where_frames_refer_to_them() {
    let schema: Json = serde_json::from_str(&schema_json()).unwrap();
    let restricted = |key: &str| schema["properties"][key].get("propertyNames").is_some();
    for key in ["rod", "body", "joint", "actuator", "servo", "load", "support"] {
        assert!(restricted(key), "{key}");
    }
    for key in ["let", "expect", "time", "task"] {
        assert!(!restricted(key), "{key}");
    }
    assert_eq!(schema["properties"]["rod"]["propertyNames"]["pattern"], "^[A-Za-z][A-Za-z0-9_-]*$");
}
