//! Paths relative to the loaded equilibrium: `start` in the path of an output is its value there, where driven frames and joints
//! stand where the file puts them.

use std::sync::Arc;

use super::super::Check;
use super::super::functions::Names;
use crate::kernel::Expression;
use crate::mechanism::{Frame, Mechanism};
use crate::tasks::statics::Loaded;

/// Why nothing is known of a mechanism with mistakes.
const MISTAKEN: &str = "the mechanism has mistakes";
/// The name in expressions.
const START: &str = "start";

impl Check<'_> {
    /// Whether a path is relative; `start` may also be a name of the file's own.
    pub(super) fn is_relative(source: &Expression, names: &Names) -> bool {
        Self::formula_that_mentions(source, names, &[START.to_owned()]).is_some()
    }

    /// The names for a path where it is relative, with `start` among them; `value` gives its value or why there is none.
    pub(super) fn names_of_path(
        &mut self,
        path: &[&str],
        source: &Expression,
        names: &Names,
        value: impl FnOnce(&mut Self) -> Result<f64, String>,
    ) -> Option<Option<Names>> {
        if !Self::is_relative(source, names) {
            return Some(None);
        }
        match value(self) {
            Ok(value) => Some(Some(names.with(START, value))),
            // What is wrong with the mechanism is told already.
            Err(reason) if reason == MISTAKEN => None,
            Err(reason) => {
                let message = format!(
                    "`{}` mentions `start`, the value in the loaded equilibrium with driven frames and joints where the file puts them, but {reason}",
                    self.document.path_text(path)
                );
                self.error(path, message, "relative to what?").help("state the value as a number");
                None
            }
        }
    }

    /// The loaded equilibrium of a mechanism with its actuators at the first instant; it is looked for once.
    pub(super) fn loaded(&mut self, mechanism: &Mechanism) -> Result<Arc<Loaded>, String> {
        let start = self.spec.time.map_or(0.0, |time| time.start);
        let found = self.loaded.get_or_insert_with(|| Loaded::new(mechanism, start).map(Arc::new));
        found.clone().map_err(not_found)
    }

    /// The same of a row of rods, whose actuators are known apart from it.
    pub(super) fn start_of(&mut self, frame: Option<Frame>, coordinate: &str) -> Result<f64, String> {
        if self.loaded.is_none() {
            let mechanism = self.driven_mechanism().ok_or(MISTAKEN)?;
            self.loaded(&mechanism)?;
        }
        let loaded = self.loaded.clone().unwrap_or_else(|| Err("it is not known".into()));
        let loaded = loaded.map_err(not_found)?;
        let value = frame.and_then(|frame| loaded.coordinate(frame, coordinate));
        value.ok_or_else(|| "the frame has no such coordinate".into())
    }
}

fn not_found(reason: String) -> String {
    format!("no such equilibrium was found: {reason}")
}
