//! Expressions: compiled, and told about where they cannot be evaluated.

use std::collections::BTreeMap;

use super::super::spec::LetSpec;
use super::Check;
use super::tables::Tables;
use crate::kernel::{
    CompileError, CompileErrorKind, EvalError, EvalErrorKind, Expression, Formula, Function, Profile, Scope,
};

/// The names that expressions can use.
pub struct Names {
    scope: Scope,
    /// Whether all definitions are right; numbers stand in for those that are not.
    pub whole: bool,
    /// Tables with a mistake.
    broken: Vec<String>,
}

impl Names {
    /// The same names, and a number under one more.
    pub fn with(&self, name: &str, value: f64) -> Self {
        Self { scope: self.scope.with(name, value), whole: self.whole, broken: self.broken.clone() }
    }

    /// Whether this can be the name of a variable of formulas.
    pub fn usable(&self, name: &str) -> Result<(), CompileErrorKind> {
        Formula::check_names(&[name.to_owned()], &self.scope).map_err(|error| error.kind)
    }
}

impl Check<'_> {
    /// The `[let]` table.
    pub fn scope(&mut self) -> Names {
        const STAND_IN: Expression = Expression::Number(1.0);
        let Tables { functions, broken } = self.sample_tables();
        let expression = |(name, entry): (&String, &LetSpec)| match entry {
            LetSpec::Expression(source) => Some((name.clone(), source.clone())),
            LetSpec::Samples(_) => None,
        };
        let mut lets: BTreeMap<String, Expression> = self.spec.lets.iter().filter_map(expression).collect();
        let written = self.document.get(&["let"]).and_then(|node| node.as_table());
        let is_table = |name: &str| matches!(self.spec.lets.get(name), Some(LetSpec::Samples(_)));
        let names = written.into_iter().flat_map(|table| table.iter()).map(|(name, _)| name);
        for name in names.filter(|name| !is_table(name)) {
            lets.entry(name.to_owned()).or_insert(STAND_IN);
        }
        let mut whole = self.sure(&["let"]) && self.sure(&["table"]) && broken.is_empty();
        let mut told = false;
        loop {
            let errors = match Scope::with_tables(&lets, functions.clone()) {
                Ok(scope) => return Names { scope, whole, broken },
                Err(errors) => errors,
            };
            let before = lets.clone();
            for error in errors {
                if let Some(name) = &error.in_let {
                    lets.remove(name);
                    if !is_about_the_name(&error) {
                        lets.insert(name.clone(), STAND_IN);
                    }
                }
                // The first attempt names all mistakes; later ones only what follows from the stand-ins.
                if !told && !is_about(&error, &broken) && (whole || !is_about_values(&error)) {
                    self.compile_error(&["let"], error);
                }
            }
            (whole, told) = (false, true);
            if lets == before {
                return Names { scope: Scope::empty(), whole, broken };
            }
        }
    }

    /// Compiles the expression at a key path.
    pub fn function(&mut self, path: &[&str], source: &Expression, names: &Names) -> Option<Function> {
        self.compiled(path, Function::compile(source, &names.scope), names)
    }

    /// Compiles the expression of `s` and `t` at a key path.
    pub fn profile(&mut self, path: &[&str], source: &Expression, names: &Names) -> Option<Profile> {
        self.compiled(path, Profile::compile(source, &names.scope), names)
    }

    /// Compiles the formula of named variables at a key path. What names that cannot be used lead to is not told.
    pub fn formula(&mut self, path: &[&str], source: &Expression, names: &Names, of: &[String]) -> Option<Formula> {
        let mut known: Vec<String> = Vec::new();
        for name in of.iter().filter(|name| names.usable(name).is_ok()) {
            if !known.contains(name) {
                known.push(name.clone());
            }
        }
        let compiled = Formula::compile(source, &names.scope, &known);
        if known.len() < of.len() {
            let consequence = |error: &CompileError| matches!(&error.kind, CompileErrorKind::UnknownName { name, .. } if of.contains(name));
            let told = compiled.err().filter(|error| !consequence(error));
            return told.and_then(|error| self.compiled(path, Err(error), names));
        }
        self.compiled(path, compiled, names)
    }

    /// The formula of named variables, if it can be compiled and mentions one of them; mistakes in it are not told.
    pub fn formula_that_mentions(source: &Expression, names: &Names, of: &[String]) -> Option<Formula> {
        let formula = Formula::compile(source, &names.scope, of).ok()?;
        (0..of.len()).any(|index| formula.mentions(index)).then_some(formula)
    }

    /// What was compiled, or the mistake in it, unless that follows from another.
    fn compiled<T>(&mut self, path: &[&str], result: Result<T, CompileError>, names: &Names) -> Option<T> {
        match result {
            _ if self.doubts.cover(&self.document.path_text(path)) => None,
            Ok(compiled) => Some(compiled),
            Err(error) => {
                if !is_about(&error, &names.broken) && (names.whole || !is_about_values(&error)) {
                    self.compile_error(path, error);
                }
                None
            }
        }
    }

    fn compile_error(&mut self, path: &[&str], error: CompileError) {
        let help = error.help();
        let path = match &error.in_let {
            Some(name) => vec!["let", name.as_str()],
            None => path.to_vec(),
        };
        let place = match is_about_the_name(&error) {
            true => self.document.key_place(&path),
            false => self.document.place_in_string(&path, error.span.clone()),
        };
        let message = format!("`{}`: {}", self.document.path_text(&path), error.kind);
        let diagnostic = self.found.error_at(self.document, &path, place, message, "here");
        if let Some(help) = help {
            diagnostic.help(help);
        }
    }

    /// Tells which expressions cannot be evaluated, by their key paths.
    pub fn failures(&mut self, mut failures: Vec<(Vec<String>, EvalError)>) {
        // A definition that fails for several expressions is one mistake.
        while let Some((path, error)) = failures.first().cloned() {
            let same = |other: &EvalError| error.in_let.is_some() && *other == error;
            let (these, others): (Vec<_>, Vec<_>) =
                failures.into_iter().partition(|(at, other)| *at == path || same(other));
            let users: Vec<String> = these.iter().map(|(at, _)| format!("`{}`", self.document.path_text(at))).collect();
            self.eval_error(&path, &users, &error);
            failures = others;
        }
    }

    fn eval_error(&mut self, path: &[String], users: &[String], error: &EvalError) {
        let path = match &error.in_let {
            Some(name) => vec!["let".to_owned(), name.clone()],
            None => path.to_vec(),
        };
        let place = self.document.place_in_string(&path, error.span.clone());
        let here = self.document.path_text(&path);
        let used = if error.in_let.is_some() { format!(" (for {})", users.join(", ")) } else { String::new() };
        let message =
            format!("`{here}` cannot be evaluated at {}{used}: {} in `{}`", error.place(), error.kind, error.text);
        let diagnostic = self.found.error_at(self.document, &path, place, message, error.kind.to_string());
        if let EvalErrorKind::NoFiniteDerivative { .. } = error.kind {
            diagnostic.help("velocity and acceleration of a servo path must be finite at every instant");
        }
    }
}

/// Whether the name of a definition is the mistake, not its text.
fn is_about_the_name(error: &CompileError) -> bool {
    matches!(error.kind, CompileErrorKind::InvalidName { .. } | CompileErrorKind::ReservedName { .. })
}

/// Whether it is about the name of one of these tables.
fn is_about(error: &CompileError, tables: &[String]) -> bool {
    use CompileErrorKind::*;
    let (UnknownName { name, .. } | UnknownFunction { name, .. } | NotAFunction { name }) = &error.kind else {
        return false;
    };
    tables.iter().any(|table| name.strip_prefix(table.as_str()).is_some_and(|r| r.is_empty() || r.starts_with('.')))
}

/// Whether the mistake is in a value, and so may follow from a stand-in.
fn is_about_values(error: &CompileError) -> bool {
    use CompileErrorKind::*;
    matches!(
        error.kind,
        RestNotConstant { .. } | RestWithoutValue { .. } | BadRestOrder { .. } | BadRestSmoothness { .. }
    )
}
