//! Tables: unknown keys, missing keys, names.

use serde_json::{Map, Value as Json};

use crate::kernel::suggest::nearest;

use super::super::document::{Table, Value, key_text};
use super::choice::Choice;
use super::describe::{expected, types};
use super::{Walker, resolve};

impl<'a> Walker<'a> {
    pub(super) fn check_table(&mut self, schema: &'a Json, table: &'a Table) {
        let others = schema.get("additionalProperties");
        let forgotten = self.forgotten_name(schema, table);
        let mut meant = Vec::new();
        for (key, node) in table.iter() {
            if forgotten.is_some_and(|properties| properties.contains_key(key)) {
                continue;
            }
            if let Some(property) = properties(schema).and_then(|p| p.get(key)) {
                self.check_child(key.to_owned(), property, node);
            } else if let Some(entry) = others.filter(|s| s.is_object()) {
                if schema.get("propertyNames").is_some() {
                    self.check_name(key);
                }
                self.check_child(key.to_owned(), entry, node);
            } else if others == Some(&Json::Bool(false)) {
                meant.extend(self.unknown_key(schema, key));
            }
        }
        if self.complete {
            self.check_missing(schema, table, &meant);
        }
    }

    /// Whether a schema is that of tables with names of the user's choice, such as `rod`.
    pub(super) fn named_tables(&self, schema: &Json) -> bool {
        let entry = resolve(self.schema, schema).get("additionalProperties").filter(|s| s.is_object());
        entry.is_some_and(|entry| types(self.schema, entry) == ["object"])
    }

    /// How to write such tables.
    pub(super) fn write_names(&self) -> String {
        format!("each has a table with a name of your choice: [{}.NAME]", self.here())
    }

    /// `[rod]` where `[rod.NAME]` was meant: the keys of a rod stand where names are expected. Returns these keys.
    fn forgotten_name(&mut self, schema: &'a Json, table: &Table) -> Option<&'a Map<String, Json>> {
        if !self.named_tables(schema) {
            return None;
        }
        let keys = properties(resolve(self.schema, schema.get("additionalProperties")?))?;
        let is_key = |key: &str, value: &Value| keys.contains_key(key) && !matches!(value, Value::Table(_));
        let (key, _) = table.iter().find(|(key, node)| is_key(key, &node.value))?;
        let here = self.here();
        let message = format!("[{here}] has no name: found the key `{key}`, expected [{here}.NAME] around it");
        let help = self.write_names();
        self.mistakes.error(self.document, &self.path, message, "name missing").help(help);
        Some(keys)
    }

    /// Names must be usable in frames such as `beam.end` and `beam@0.25`.
    fn check_name(&mut self, name: &str) {
        let well_formed = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
        if well_formed && name != "ground" {
            return;
        }
        let expected = "a letter, then letters, digits, `-` or `_`";
        let (why, label) = match name {
            "ground" => ("taken by the fixed frame, expected another name".to_owned(), "name is taken"),
            "" => (format!("empty, expected {expected}"), "empty name"),
            _ => (format!("not a name, expected {expected}"), "not a name"),
        };
        let message = format!("`{}` in [{}] is {why}", key_text(name), self.here());
        self.path.push(name.to_owned());
        self.mistakes.error_at_key(self.document, &self.path, message, label);
        self.path.pop();
    }

    /// Reports a key that does not exist and returns the one that was probably meant.
    fn unknown_key(&mut self, schema: &'a Json, key: &str) -> Option<&'a str> {
        // A table without keys has no properties.
        let keys: Vec<&str> = properties(schema).into_iter().flat_map(Map::keys).map(String::as_str).collect();
        let near = nearest(key, keys.iter().copied());
        let shown = key_text(key);
        let (place, of) = match self.here() {
            here if here.is_empty() => ("at the top level".to_owned(), "the top level".to_owned()),
            here => (format!("in [{here}]"), format!("[{here}]")),
        };
        let hint = match near {
            Some(near) => format!("did you mean `{near}`? "),
            None => self.other_home(key),
        };
        let help = match keys.as_slice() {
            [] => format!("{hint}There are no keys here"),
            _ => format!("{hint}Keys here: {}", keys.join(", ")),
        };
        self.path.push(key.to_owned());
        if let Some(near) = near {
            let siblings = self.path.iter().take(self.path.len() - 1).map(String::as_str);
            let path: Vec<&str> = siblings.chain([near]).collect();
            self.meant.add(self.document.path_text(&path));
        }
        let message = format!("unknown key `{shown}` {place}");
        let label = format!("not a key of {of}");
        self.mistakes.error_at_key(self.document, &self.path, message, label).help(help);
        self.path.pop();
        near
    }

    /// Keys of the top level are often written below the first header by mistake.
    fn other_home(&self, key: &str) -> String {
        match properties(self.schema).and_then(|p| p.get(key)) {
            Some(schema) if types(self.schema, schema).iter().all(|t| *t == "object") => {
                format!("`{key}` is a table of its own: [{key}]. ")
            }
            Some(_) => format!("`{key}` goes to the top of the file, before the first [table]. "),
            None => String::new(),
        }
    }

    fn check_missing(&mut self, schema: &'a Json, table: &Table, meant: &[&str]) {
        let conditional = schema.get("if").filter(|condition| holds(condition, table)).and_then(|_| schema.get("then"));
        let keys = |schema: &'a Json| schema.get("required").and_then(Json::as_array).into_iter().flatten();
        let required = conditional.into_iter().chain([schema]).flat_map(keys).filter_map(Json::as_str);
        for key in required.filter(|key| table.get(key).is_none() && !meant.contains(key)) {
            let Some(property) = properties(schema).and_then(|p| p.get(key)) else { continue };
            let here = self.here();
            let place = if here.is_empty() { "at the top level".to_owned() } else { format!("in [{here}]") };
            self.path.push(key.to_owned());
            let path = self.document.path_text(&self.path);
            let is_table = types(self.schema, property).iter().all(|t| *t == "object");
            let (message, shown) = if is_table {
                (format!("missing table [{path}], expected {}", self.contents(property)), format!("[{path}]"))
            } else {
                let expected = expected(self.schema, property);
                (format!("missing key `{key}` {place}, expected {expected}"), format!("`{key}`"))
            };
            let about = property.get("description").and_then(Json::as_str);
            let diagnostic = self.mistakes.error(self.document, &self.path, message, format!("{shown} is missing"));
            diagnostic.help = about.map(|about| format!("{shown}: {}", about.replace('\n', " ")));
            self.path.pop();
        }
    }

    /// What must stand in a table.
    fn contents(&self, schema: &Json) -> String {
        let schema = resolve(self.schema, schema);
        if let Some(choice) = Choice::of(self.schema, schema) {
            return self.headers(&choice).join(" or ");
        }
        let required = schema.get("required").and_then(Json::as_array);
        match required {
            Some(keys) => {
                let keys: Vec<String> = keys.iter().filter_map(Json::as_str).map(|k| format!("`{k}`")).collect();
                format!("a table with {}", keys.join(", "))
            }
            None => expected(self.schema, schema),
        }
    }
}

/// Whether a condition on the entries that a table has is met.
fn holds(condition: &Json, table: &Table) -> bool {
    let has = |key: &Json| key.as_str().is_some_and(|key| table.get(key).is_some());
    let inner = |(key, condition): (&String, &Json)| match table.get(key).map(|node| &node.value) {
        Some(Value::Table(table)) => holds(condition, table),
        _ => true,
    };
    condition.get("required").and_then(Json::as_array).is_none_or(|keys| keys.iter().all(has))
        && properties(condition).is_none_or(|entries| entries.iter().all(inner))
        && condition.get("not").is_none_or(|condition| !holds(condition, table))
        && condition.get("anyOf").and_then(Json::as_array).is_none_or(|any| any.iter().any(|c| holds(c, table)))
}

fn properties(schema: &Json) -> Option<&Map<String, Json>> {
    schema.get("properties").and_then(Json::as_object)
}
