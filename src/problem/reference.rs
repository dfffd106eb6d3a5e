//! Entries of the reference of problem files, made from the schema: `lariat explain rod.stiffness`.

use serde_json::Value as Json;

use super::gallery::gallery;
use super::schema::schema;
use super::validate::{expected, resolve};
use crate::kernel::suggest::nearest;

/// How deep keys lie at most: what refers to itself ends there.
const DEEPEST: usize = 8;
/// Lines of the gallery that are shown.
const EXAMPLES: usize = 3;
/// Width of the text, columns.
const WIDTH: usize = 96;

/// What the reference says of a key, or why there is no such one.
pub fn explain(path: &str) -> Result<String, String> {
    let root = schema().as_value();
    let words: Vec<&str> = path.split('.').filter(|word| !word.is_empty()).collect();
    if words.is_empty() {
        return Ok(entry(root, "the problem file", root, None));
    }
    match find(root, root, &words) {
        Found::Here { path, schema, required } => {
            Ok(entry(root, &path.join("."), schema, Some(required)) + &examples(&words))
        }
        Found::Missing { at, word, known } => {
            let elsewhere = if words.len() == 1 { everywhere(root, word) } else { Vec::new() };
            if let [only] = &elsewhere[..] {
                return explain(only);
            }
            let place = if at.is_empty() { "the problem file".to_owned() } else { format!("[{}]", at.join(".")) };
            let near = nearest(word, known.iter().copied());
            let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            let list = match elsewhere.is_empty() {
                true => format!("keys there: {}", known.join(", ")),
                false => format!("it is a key of {}", elsewhere.join(", ")),
            };
            Err(format!("there is no key `{word}` in {place}{hint}\n{list}"))
        }
    }
}

/// Where a search along a path ends.
enum Found<'a> {
    Here { path: Vec<String>, schema: &'a Json, required: bool },
    Missing { at: Vec<String>, word: &'a str, known: Vec<&'a str> },
}

/// The tables that a schema may stand for: itself, entries of a list, and those among which one is chosen.
fn tables<'a>(root: &'a Json, schema: &'a Json, depth: usize, out: &mut Vec<&'a Json>) {
    let schema = resolve(root, schema);
    if depth == 0 {
        return;
    }
    out.push(schema);
    for key in ["anyOf", "oneOf", "allOf"] {
        let choices = schema.get(key).and_then(Json::as_array);
        choices.into_iter().flatten().for_each(|choice| tables(root, choice, depth - 1, out));
    }
    if let Some(items) = schema.get("items") {
        tables(root, items, depth - 1, out);
    }
}

/// Keys of a schema with what they hold, and whether they must be stated.
fn keys<'a>(root: &'a Json, schema: &'a Json) -> Vec<(&'a str, &'a Json, bool)> {
    let mut all = Vec::new();
    tables(root, schema, 4, &mut all);
    let mut found: Vec<(&str, &Json, bool)> = Vec::new();
    for table in all {
        let required = table.get("required").and_then(Json::as_array);
        let is_required = |key: &str| required.is_some_and(|list| list.iter().any(|entry| entry.as_str() == Some(key)));
        for (key, schema) in table.get("properties").and_then(Json::as_object).into_iter().flatten() {
            if !found.iter().any(|(known, ..)| known == key) {
                found.push((key, schema, is_required(key)));
            }
        }
    }
    found
}

/// What tables of named parts hold under each name.
fn named<'a>(root: &'a Json, schema: &'a Json) -> Option<&'a Json> {
    let mut all = Vec::new();
    tables(root, schema, 4, &mut all);
    all.into_iter().find_map(|table| table.get("additionalProperties").filter(|entry| entry.is_object()))
}

fn find<'a>(root: &'a Json, from: &'a Json, words: &[&'a str]) -> Found<'a> {
    let (mut schema, mut path, mut required) = (from, Vec::new(), false);
    let mut words = words.iter().copied().peekable();
    while let Some(word) = words.next() {
        let known = keys(root, schema);
        if let Some((key, next, must)) = known.iter().find(|(key, ..)| *key == word) {
            path.push((*key).to_owned());
            (schema, required) = (next, *must);
            continue;
        }
        // Entries of a list may be counted.
        if word.parse::<usize>().is_ok() {
            continue;
        }
        let Some(entry) = named(root, schema) else {
            return Found::Missing { at: path, word, known: known.into_iter().map(|(key, ..)| key).collect() };
        };
        path.push("NAME".to_owned());
        let inner = keys(root, entry);
        match inner.iter().find(|(key, ..)| *key == word) {
            Some((key, next, must)) => {
                path.push((*key).to_owned());
                (schema, required) = (next, *must);
            }
            // A name, then, if it is followed by a key that parts have.
            None if words.peek().is_none_or(|next| inner.iter().any(|(key, ..)| key == next)) => {
                let is_typo = words.peek().is_none() && nearest(word, inner.iter().map(|(key, ..)| *key)).is_some();
                if is_typo {
                    return Found::Missing { at: path, word, known: inner.into_iter().map(|(key, ..)| key).collect() };
                }
                (schema, required) = (entry, false);
            }
            None => return Found::Missing { at: path, word, known: inner.into_iter().map(|(key, ..)| key).collect() },
        }
    }
    Found::Here { path, schema, required }
}

/// Paths of all keys of a name, however deep.
fn everywhere(root: &Json, word: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Vec<(String, &Json)> = vec![(String::new(), root)];
    for _ in 0..DEEPEST {
        let mut next = Vec::new();
        for (path, schema) in open {
            let own = keys(root, schema);
            let inner = named(root, schema).map(|entry| keys(root, entry)).unwrap_or_default();
            let own = own.into_iter().map(|(key, schema, _)| (key.to_owned(), key, schema));
            let inner = inner.into_iter().map(|(key, schema, _)| (format!("NAME.{key}"), key, schema));
            for (tail, key, schema) in own.chain(inner) {
                let path = if path.is_empty() { tail } else { format!("{path}.{tail}") };
                if key == word {
                    found.push(path.clone());
                }
                next.push((path, schema));
            }
        }
        open = next;
    }
    // `lariat explain` finds them without the names as well.
    found.iter().map(|path| path.replace("NAME.", "")).collect()
}

/// The entry of a key.
fn entry(root: &Json, path: &str, schema: &Json, required: Option<bool>) -> String {
    let inner = resolve(root, schema);
    let text = |schema: &Json| schema.get("description").and_then(Json::as_str).map(str::to_owned);
    let mut out = path.to_owned();
    out += match required {
        Some(true) => "  (must be stated)\n",
        _ => "\n",
    };
    for line in text(schema).or_else(|| text(inner)).into_iter().flat_map(|text| wrapped(&text, WIDTH - 2)) {
        out += &format!("  {line}\n");
    }
    if required.is_some() {
        out += &format!("  takes     {}\n", expected(root, schema));
    }
    let limits = limits(inner);
    if !limits.is_empty() {
        out += &format!("  limits    {}\n", limits.join(", "));
    }
    if let Some(default) = schema.get("default").or(inner.get("default")).filter(|value| !value.is_object()) {
        out += &format!("  default   {default}\n");
    }
    let of_parts = named(root, schema);
    let (title, list) = match of_parts {
        Some(part) if keys(root, schema).is_empty() => ("keys of each", keys(root, part)),
        _ => ("keys", keys(root, schema)),
    };
    if !list.is_empty() {
        out += &format!("  {title}\n");
        let width = list.iter().map(|(key, ..)| key.chars().count()).max().unwrap_or(0).min(24);
        for (key, schema, must) in list {
            let about = text(schema).or_else(|| text(resolve(root, schema))).unwrap_or_default();
            let first = about.split_inclusive(['.', ';']).next().unwrap_or("").replace('\n', " ");
            let first = first.trim_end_matches(['.', ';']);
            out += &format!("    {key:<width$}{} {first}\n", if must { "*" } else { " " });
        }
    }
    out
}

/// Bounds of a number.
fn limits(schema: &Json) -> Vec<String> {
    let bounds = [("minimum", "at least"), ("exclusiveMinimum", "more than"), ("maximum", "at most")];
    let bounds = bounds.into_iter().chain([("exclusiveMaximum", "less than")]);
    bounds.filter_map(|(key, words)| schema.get(key).map(|value| format!("{words} {value}"))).collect()
}

/// Lines of the gallery that state the key.
fn examples(words: &[&str]) -> String {
    let (Some(table), Some(key)) = (words.first(), words.last()) else { return String::new() };
    let mut out = String::new();
    let mut count = 0;
    for (name, text) in gallery() {
        let mut header = "";
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if let Some(inner) = line.strip_prefix('[') {
                header = inner.trim_start_matches('[');
            }
            let in_table = words.len() == 1 || header.split(['.', ']']).next() == Some(*table);
            let states = match line.split_once('=') {
                Some((stated, _)) => in_table && stated.trim().split('.').any(|part| part == *key),
                None => words.len() == 1 && header.starts_with(&format!("{key}.")) && line.starts_with('['),
            };
            if states && count < EXAMPLES {
                out += &format!("    {name}.toml:{}  {line}\n", number + 1);
                count += 1;
                break;
            }
        }
    }
    if out.is_empty() { out } else { format!("  in the gallery\n{out}") }
}

/// Lines of at most so many characters.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_explained_with_and_without_names() {
        for path in ["rod.stiffness", "rod.beam.stiffness", "rod.NAME.stiffness"] {
            let text = explain(path).unwrap();
            assert!(text.starts_with("rod.NAME.stiffness"), "{path}: {text}");
            assert!(text.contains("keys") && text.contains("bending") && text.contains("in the gallery"), "{text}");
        }
        let text = explain("task.simulate.accuracy").unwrap();
        assert!(text.contains("at most 0.001") && text.contains("takes     a number"), "{text}");
        assert!(explain("time.steps").unwrap().contains("a whole number"));
        assert!(explain("").unwrap().contains("rod"));
    }

    /// A word that only one table knows is explained there; one of several tables names them all.
    #[test]
    fn words_are_found_wherever_they_stand() {
        assert!(explain("bandwidth").unwrap().starts_with("task.inverse-dynamics.bandwidth"));
        let several = explain("damping").unwrap_err();
        assert!(several.contains("rod.damping"), "{several}");
    }

    #[test]
    fn unknown_keys_are_named_with_what_is_near() {
        let refused = explain("rod.stifness").unwrap_err();
        assert!(refused.contains("`stiffness`"), "{refused}");
        let refused = explain("task.simulate.elements").unwrap_err();
        assert!(refused.contains("[task.simulate]") && refused.contains("every"), "{refused}");
    }

    /// Every key of the schema has an entry of its own, with a text.
    #[test]
    fn every_key_has_a_text() {
        let root = schema().as_value();
        for (key, schema, _) in keys(root, root) {
            let inner = named(root, schema).unwrap_or(schema);
            for (sub, ..) in keys(root, inner) {
                let text = explain(&format!("{key}.{sub}")).unwrap();
                assert!(text.lines().count() > 1, "{key}.{sub}: {text}");
            }
        }
    }
}
