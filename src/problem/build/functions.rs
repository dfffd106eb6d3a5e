//! Expressions: compiled, then evaluated over the whole time grid so that no solver ever meets a bad value.

use super::Check;
use super::ends::{Parts, Prescription};
use crate::discretisation::TimeGrid;
use crate::kernel::{CompileError, EvalError, Expression, Function, Scope};

impl Check<'_> {
    /// The `[let]` table.
    pub fn scope(&mut self) -> Option<Scope> {
        match Scope::new(&self.spec.lets) {
            Ok(scope) => Some(scope),
            Err(errors) => {
                for error in errors {
                    self.compile_error(&["let"], error);
                }
                None
            }
        }
    }

    /// Compile the expression at a key path; without a scope (its own mistakes were told) nothing more is said.
    pub fn function(&mut self, path: &[&str], source: &Expression, scope: Option<&Scope>) -> Option<Function> {
        match Function::compile(source, scope?) {
            Ok(function) => Some(function),
            Err(error) => {
                self.compile_error(path, error);
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
        let place = self.document.place_in_string(&path, error.span.clone());
        let message = format!("`{}`: {}", self.document.path_text(&path), error.kind);
        let diagnostic = self.found.error_at(self.document, &path, place, message, "here");
        if let Some(help) = help {
            diagnostic.help(help);
        }
    }

    fn eval_error(&mut self, path: &[&str], error: &EvalError) {
        let here = self.document.path_text(path);
        let path = match &error.in_let {
            Some(name) => vec!["let", name.as_str()],
            None => path.to_vec(),
        };
        let place = self.document.place_in_string(&path, error.span.clone());
        let message = format!("`{here}` has no value at t = {}: {} in `{}`", error.t, error.kind, error.text);
        self.found.error_at(self.document, &path, place, message, error.kind.to_string());
    }

    /// Values of loads and values and derivatives of servo paths at all instants and halfway between.
    pub fn evaluate(&mut self, parts: &Parts, grid: TimeGrid) {
        let mut check = |prescription: &Prescription, needs_derivatives: bool| {
            let failure = (0..=2 * grid.steps).find_map(|j| {
                let t = grid.start + 0.5 * j as f64 * grid.dt;
                match needs_derivatives {
                    true => prescription.function.jet(t).err(),
                    false => prescription.function.value(t).err(),
                }
            });
            if let Some(error) = failure {
                let path: Vec<&str> = prescription.path.iter().map(String::as_str).collect();
                self.eval_error(&path, &error);
            }
        };
        parts.outputs.iter().for_each(|output| check(output, true));
        parts.loads.iter().for_each(|load| check(load, false));
    }
}
