//! Values that stand by themselves: time, gravity, lengths of vectors, signs of numbers.

use super::Check;
use crate::discretisation::TimeGrid;

/// What the key `at` of a load is.
pub const LOADED_FRAME: &str = "Frame the load acts on, e.g. `\"beam.end\"`.";

impl Check<'_> {
    /// The time grid; `needed` if the task cannot do without.
    pub fn time(&mut self, needed: bool) -> Option<TimeGrid> {
        let Some(time) = self.spec.time else {
            if needed && self.sure(&["time"]) {
                let message = "missing table [time], expected a table with `end`, `steps`";
                self.error(&["time"], message, "[time] is missing").help("[time]: The time grid.");
            }
            return None;
        };
        if !self.sure(&["time", "start"]) || !self.sure(&["time", "end"]) {
            return None;
        }
        if time.end <= time.start {
            self.error(
                &["time", "end"],
                format!("`time.end` is {}, expected a time after `time.start` = {}", time.end, time.start),
                "not after the start",
            );
            return None;
        }
        self.sure(&["time"]).then(|| TimeGrid::new(time.start, time.end, time.steps))
    }

    /// Gravity, with as many components as space.
    pub fn gravity(&mut self) -> Option<Vec<f64>> {
        let dimension = self.dimension()?;
        match &self.spec.gravity {
            None => Some(vec![0.0; dimension]),
            Some(gravity) => self.length_of_vector(&["gravity"], gravity.len()).then(|| gravity.clone()),
        }
    }

    /// Whether a vector has as many components as space.
    pub fn length_of_vector(&mut self, path: &[&str], count: usize) -> bool {
        let Some(dimension) = self.dimension().filter(|_| self.sure(path)) else { return false };
        if count != dimension {
            let here = self.document.path_text(path);
            let components = if count == 1 { "component" } else { "components" };
            let message =
                format!("`{here}` has {count} {components}, expected {dimension} because `dimension` is {dimension}");
            self.error(path, message, "wrong length");
        }
        count == dimension
    }

    /// Whether a number is positive.
    pub fn positive(&mut self, path: &[&str], value: f64) -> bool {
        if value > 0.0 {
            return true;
        }
        let name = self.document.path_text(path);
        self.error(path, format!("`{name}` is {value}, expected a positive number"), "must be positive");
        false
    }

    /// Whether a number is zero or positive.
    pub fn not_negative(&mut self, path: &[&str], value: f64) -> bool {
        if value >= 0.0 {
            return true;
        }
        let name = self.document.path_text(path);
        self.error(path, format!("`{name}` is {value}, expected zero or a positive number"), "must not be negative");
        false
    }

    /// A key that this task needs and the file has not; `about` says what it is.
    pub fn missing_key(&mut self, path: &[&str], expected: &str, about: &str) {
        let [table @ .., key] = path else { return };
        if !self.sure(path) {
            return;
        }
        let table = self.document.path_text(table);
        let message = format!("missing key `{key}` in [{table}], expected {expected}");
        self.error(path, message, format!("`{key}` is missing")).help(format!("`{key}`: {about}"));
    }
}
