//! Functions from files of samples: `[table.NAME]`, and tables in `[let]`.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::spec::{LetSpec, SampleSpec};
use super::Check;
use crate::kernel::delimited::{Samples, SamplesError};
use crate::kernel::{Fit, FitError, Scope, Spline};

/// The functions that expressions may call.
#[derive(Default)]
pub struct Tables {
    /// By the names that expressions use.
    pub functions: BTreeMap<String, Arc<Spline>>,
    /// Tables with a mistake: what expressions say of them is not judged.
    pub broken: Vec<String>,
}

impl Check<'_> {
    /// All tables of samples.
    pub(super) fn sample_tables(&mut self) -> Tables {
        let spec = self.spec;
        let mut found = Tables::default();
        for (name, samples) in &spec.table {
            if spec.lets.contains_key(name) {
                let message = format!("`{name}` is defined in [let] and as [table.{name}], expected it once");
                self.error(&["table", name], message, "defined twice");
                found.broken.push(name.clone());
                continue;
            }
            self.table(&["table", name], name, samples, &mut found);
        }
        for (name, entry) in &spec.lets {
            if let LetSpec::Samples(samples) = entry {
                self.table(&["let", name], name, samples, &mut found);
            }
        }
        found
    }

    /// The functions of one table.
    fn table(&mut self, path: &[&str], name: &str, spec: &SampleSpec, found: &mut Tables) {
        let before = self.found.errors();
        let functions = if self.sure(path) { self.samples_of(path, name, spec) } else { None };
        match functions {
            Some(functions) if self.found.errors() == before => found.functions.extend(functions),
            _ => found.broken.push(name.to_owned()),
        }
    }

    fn samples_of(&mut self, path: &[&str], name: &str, spec: &SampleSpec) -> Option<Vec<(String, Arc<Spline>)>> {
        let key = |key: &'static str| -> Vec<&str> { path.iter().copied().chain([key]).collect() };
        if let Err(error) = Scope::check_table_name(name) {
            let place = self.document.key_place(path);
            let message = format!("`{}`: {error}", self.document.path_text(path));
            self.found.error_at(self.document, path, place, message, "not the name of a function");
            return None;
        }
        if spec.column.is_some() && spec.columns.is_some() {
            let here = self.document.path_text(path);
            let message = format!("[{here}] has `column` and `columns`, expected one of them");
            self.error(&key("columns"), message, "given twice").help("`columns` lists all columns that are used");
            return None;
        }
        let wanted: Vec<String> = spec.column.iter().chain(spec.columns.iter().flatten()).cloned().collect();
        let text = self.attachment(&key("file"), &spec.file)?;
        let samples = match Samples::parse(&text, spec.time.as_deref(), &wanted) {
            Ok(samples) => samples,
            Err(SamplesError::NoColumn { name, known }) => {
                let keys = [("time", spec.time.is_some()), ("column", spec.column.is_some()), ("columns", true)];
                let is_time = spec.time.as_ref() == Some(&name);
                let at = keys.iter().find(|(key, given)| *given && (*key == "time") == is_time);
                let message = format!("{} has no column `{name}`, it has {}", spec.file, known.join(", "));
                self.error(&key(at.map_or("file", |(key, _)| key)), message, "no such column")
                    .help(SamplesError::help(&name, &known));
                return None;
            }
            Err(SamplesError::Lines(errors)) => {
                for error in errors.into_iter().take(MOST_MISTAKES) {
                    let message = format!("{}, {error}", spec.file);
                    self.error(&key("file"), message, format!("mistake in line {} of this file", error.line));
                }
                return None;
            }
        };
        let fit = Fit { degree: spec.degree, smoothing: spec.smoothing, ends: [spec.ends; 2], outside: spec.outside };
        let single = samples.columns.len() == 1 && spec.columns.is_none();
        let mut functions = Vec::new();
        for (column, values) in &samples.columns {
            let function = if single { name.to_owned() } else { format!("{name}.{column}") };
            match Spline::fit(&samples.times, values, &fit) {
                Ok(spline) => functions.push((function, Arc::new(spline))),
                Err(error) => {
                    let at = match error {
                        FitError::Degree(_) => "degree",
                        FitError::Smoothing(_) => "smoothing",
                        FitError::TooFew { .. } | FitError::Sample(_) | FitError::Uneven => "file",
                    };
                    let message = match at {
                        "file" => format!("{}, column `{column}`: {error}", spec.file),
                        key => format!("`{}.{key}`: {error}", self.document.path_text(path)),
                    };
                    self.error(&key(at), message, "makes no function");
                    return None;
                }
            }
        }
        Some(functions)
    }
}

/// Mistakes of one file that are told.
const MOST_MISTAKES: usize = 10;
