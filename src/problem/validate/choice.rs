//! Choices: a string, or a table with exactly one entry (an externally tagged variant).

use serde_json::Value as Json;

use crate::kernel::suggest::nearest;

use super::super::document::{Node, Table, Value, key_text};
use super::{Walker, found, resolve};

/// The variants of an enum.
pub(super) struct Choice<'a> {
    /// Variants without content, written as strings.
    words: Vec<&'a str>,
    /// Variants with content, written as tables, with the schema of the content.
    tables: Vec<(&'a str, &'a Json)>,
}

impl<'a> Choice<'a> {
    /// Reads the schema of an enum; none if it is not one.
    pub(super) fn of(root: &'a Json, schema: &'a Json) -> Option<Self> {
        let mut choice = Self { words: Vec::new(), tables: Vec::new() };
        match schema.get("oneOf").and_then(Json::as_array) {
            Some(variants) => variants.iter().try_for_each(|variant| choice.add(resolve(root, variant)))?,
            None => choice.add_words(schema)?,
        }
        Some(choice)
    }

    fn add(&mut self, variant: &'a Json) -> Option<()> {
        if let Some([tag]) = variant.get("required").and_then(Json::as_array).map(Vec::as_slice) {
            let tag = tag.as_str()?;
            let properties = variant.get("properties")?.as_object().filter(|p| p.len() == 1)?;
            self.tables.push((tag, properties.get(tag)?));
            return Some(());
        }
        self.add_words(variant)
    }

    fn add_words(&mut self, schema: &'a Json) -> Option<()> {
        match (schema.get("const"), schema.get("enum")) {
            (Some(word), _) => self.words.push(word.as_str()?),
            (None, Some(words)) => self.words.extend(words.as_array()?.iter().filter_map(Json::as_str)),
            (None, None) => return None,
        }
        Some(())
    }

    fn names(&self) -> Vec<&'a str> {
        self.words.iter().copied().chain(self.tables.iter().map(|(tag, _)| *tag)).collect()
    }

    /// `type.rigid = {}` where `type = "rigid"` was meant.
    fn has_word_as_key(&self, table: &Table) -> bool {
        table.iter().any(|(key, _)| self.words.contains(&key))
    }

    /// The variants in words.
    pub(super) fn expected(&self) -> String {
        let words: Vec<String> = self.words.iter().map(|word| format!("{word:?}")).collect();
        let tables: Vec<String> = self.tables.iter().map(|(tag, _)| format!("`{}`", key_text(tag))).collect();
        let words = match words.len() {
            0 | 1 => words.concat(),
            _ => format!("one of {}", words.join(", ")),
        };
        let tables = match tables.len() {
            0 => String::new(),
            1 => format!("the table {}", tables.concat()),
            _ => format!("exactly one of the tables {}", tables.join(", ")),
        };
        if words.is_empty() || tables.is_empty() { words + &tables } else { format!("{words}, or {tables}") }
    }
}

impl<'a> Walker<'a> {
    pub(super) fn check_choice(&mut self, choice: &Choice<'a>, node: &'a Node) {
        match &node.value {
            Value::String(word) if choice.words.contains(&word.as_str()) => {}
            Value::String(word) => self.unknown_word(choice, word),
            Value::Table(table) if !choice.tables.is_empty() || choice.has_word_as_key(table) => {
                self.check_variant(choice, table);
            }
            other => {
                let expected = choice.expected();
                let message = format!("wrong type for `{}`: found {}, expected {expected}", self.here(), found(other));
                self.mistakes.error(self.document, &self.path, message, format!("expected {expected}"));
            }
        }
    }

    fn unknown_word(&mut self, choice: &Choice, word: &str) {
        let here = self.here();
        let expected = choice.expected();
        let near = nearest(word, choice.names());
        let message = if near == Some(word) {
            format!("`{here}` is the string {word:?}, expected {expected}")
        } else {
            format!("unknown choice {word:?} for `{here}`: expected {expected}")
        };
        let help = near.map(|near| {
            if choice.words.contains(&near) {
                format!("did you mean {near:?}?")
            } else {
                format!("`{near}` is a table with values of its own: write [{here}.{}]", key_text(near))
            }
        });
        let label = if near == Some(word) { "this is a table, not a string" } else { "not a choice" };
        self.mistakes.error(self.document, &self.path, message, label).help = help;
    }

    fn check_variant(&mut self, choice: &Choice<'a>, table: &'a Table) {
        let here = self.here();
        let expected = choice.expected();
        let one_only = self.one_only(choice);
        let last = self.path.last().cloned().unwrap_or_default();
        if table.is_empty() && self.complete {
            let message = format!("[{here}] is empty, expected {expected}");
            self.mistakes.error(self.document, &self.path, message, "nothing chosen").help(one_only.as_str());
        }
        let mut chosen: Option<&str> = None;
        for (key, node) in table.iter() {
            let known = choice.tables.iter().find(|(tag, _)| *tag == key);
            self.path.push(key.to_owned());
            match (known, chosen) {
                (Some((_, schema)), None) => {
                    chosen = Some(key);
                    self.check(schema, node);
                }
                (Some(_), Some(first)) => {
                    let message = format!("[{here}] has `{first}` and `{}`, expected {expected}", key_text(key));
                    let label = "one too many";
                    self.mistakes.error_at_key(self.document, &self.path, message, label).help(one_only.as_str());
                }
                (None, _) => {
                    self.meant.add(here.clone());
                    let is_word = choice.words.contains(&key);
                    let message = if is_word {
                        format!("`{here}` has a table `{}`, expected {expected}", key_text(key))
                    } else {
                        format!("unknown choice `{}` in [{here}]: expected {expected}", key_text(key))
                    };
                    let help = match nearest(key, choice.names()) {
                        _ if is_word => format!("this choice has no values of its own: write {last} = {key:?}"),
                        Some(near) => format!("did you mean `{}`?", key_text(near)),
                        None => one_only.clone(),
                    };
                    let label = if is_word { "this is a string, not a table" } else { "not a choice" };
                    self.mistakes.error_at_key(self.document, &self.path, message, label).help(help);
                }
            }
            self.path.pop();
        }
    }

    /// `[task.inverse-dynamics]`, …: the variants with content as they are written here.
    pub(super) fn headers(&self, choice: &Choice) -> Vec<String> {
        let here = self.here();
        choice.tables.iter().map(|(tag, _)| format!("[{here}.{}]", key_text(tag))).collect()
    }

    /// "A problem has exactly one task: [task.inverse-dynamics] or …".
    fn one_only(&self, choice: &Choice) -> String {
        let tags = self.headers(choice);
        match self.path.as_slice() {
            [what] => format!("a problem has exactly one {what}: {}", tags.join(" or ")),
            _ => format!("write exactly one of {}", tags.join(", ")),
        }
    }
}
