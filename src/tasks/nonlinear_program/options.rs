//! Options of the solver as texts `key=value`.

use std::str::FromStr;

use thiserror::Error;

use crate::kernel::suggest::nearest;
use crate::solver::constrained::{BarrierUpdate, DependentRows, Method, Options};

/// All keys.
const KEYS: [&str; 16] = [
    "method",
    "tolerance",
    "violation",
    "acceptable",
    "acceptable-iterations",
    "max-iterations",
    "barrier",
    "first-mu",
    "warm",
    "divergence",
    "scale",
    "explain",
    "test-derivatives",
    "dependent-rows",
    "retries",
    "seed",
];

const BARRIERS: [(&str, BarrierUpdate); 2] =
    [("monotone", BarrierUpdate::Monotone), ("adaptive", BarrierUpdate::Adaptive)];

const DEPENDENT_ROWS: [(&str, DependentRows); 2] = [("try", DependentRows::Try), ("refuse", DependentRows::Refuse)];

/// What is wrong with an option.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OptionError {
    /// There is no `=`.
    #[error("`{0}` has no key and value, expected `key=value`")]
    NoValue(String),
    /// There is no such option.
    #[error("there is no solver option `{key}`{}; options are {}", hint(.near), KEYS.join(", "))]
    Unknown {
        /// The key.
        key: String,
        /// The key that was probably meant.
        near: Option<&'static str>,
    },
    /// The value does not suit the option.
    #[error("solver option `{key}` is `{found}`{}, expected {expected}", hint(.near))]
    Value {
        /// The key.
        key: &'static str,
        /// What was found.
        found: String,
        /// The value that was probably meant.
        near: Option<&'static str>,
        /// What would do.
        expected: String,
    },
}

fn hint(near: &Option<&'static str>) -> String {
    near.map_or_else(String::new, |near| format!(" (did you mean `{near}`?)"))
}

/// Whether a text `key=value` names an option of the solver.
pub fn is_option(text: &str) -> bool {
    text.split_once('=').is_some_and(|(key, _)| find(key).is_some())
}

/// Options from texts `key=value`; a later one of the same key wins, `_` in keys counts as `-`.
pub fn options<T: AsRef<str>>(texts: &[T]) -> Result<Options, OptionError> {
    let mut options = Options::default();
    for text in texts {
        set(&mut options, text.as_ref())?;
    }
    Ok(options)
}

fn find(key: &str) -> Option<&'static str> {
    let key = key.trim().replace('_', "-");
    KEYS.into_iter().find(|known| *known == key)
}

fn set(options: &mut Options, text: &str) -> Result<(), OptionError> {
    let (written, value) = text.split_once('=').ok_or_else(|| OptionError::NoValue(text.to_owned()))?;
    let Some(key) = find(written) else {
        return Err(OptionError::Unknown { key: written.trim().to_owned(), near: nearest(written.trim(), KEYS) });
    };
    let value = Value { key, text: value.trim().trim_matches(['"', '\'']) };
    match key {
        "method" => options.method = value.choice(&Method::ALL.map(|method| (method.name(), method)))?,
        "barrier" => options.barrier = value.choice(&BARRIERS)?,
        "tolerance" => options.tolerance = value.positive()?,
        "violation" => options.violation = value.positive()?,
        "acceptable" => options.acceptable = value.positive()?,
        "first-mu" => options.first_mu = value.positive()?,
        "divergence" => options.divergence = value.positive()?,
        "acceptable-iterations" => options.acceptable_iterations = value.count()?,
        "max-iterations" => options.max_iterations = value.count()?,
        "warm" => options.warm = value.truth()?,
        "scale" => options.scale = value.truth()?,
        "explain" => options.explain = value.truth()?,
        "test-derivatives" => options.test_derivatives = value.truth()?,
        "dependent-rows" => options.dependent_rows = value.choice(&DEPENDENT_ROWS)?,
        "retries" => options.retries = value.count()?,
        _ => options.seed = value.count()? as u64,
    }
    Ok(())
}

struct Value<'a> {
    key: &'static str,
    text: &'a str,
}

impl Value<'_> {
    fn wrong(&self, near: Option<&'static str>, expected: impl Into<String>) -> OptionError {
        OptionError::Value { key: self.key, found: self.text.to_owned(), near, expected: expected.into() }
    }

    fn choice<T: Copy>(&self, all: &[(&'static str, T)]) -> Result<T, OptionError> {
        let names: Vec<&'static str> = all.iter().map(|(name, _)| *name).collect();
        let found = all.iter().find(|(name, _)| *name == self.text).map(|(_, choice)| *choice);
        found.ok_or_else(|| {
            let near = names.iter().copied().find(|name| nearest(self.text, [*name]).is_some());
            self.wrong(near, format!("one of {}", names.join(", ")))
        })
    }

    fn positive(&self) -> Result<f64, OptionError> {
        let number = f64::from_str(self.text).ok().filter(|number| *number > 0.0 && number.is_finite());
        number.ok_or_else(|| self.wrong(None, "a positive number"))
    }

    fn count(&self) -> Result<usize, OptionError> {
        self.text.parse().map_err(|_| self.wrong(None, "a whole number"))
    }

    fn truth(&self) -> Result<bool, OptionError> {
        match self.text {
            "true" | "yes" | "1" => Ok(true),
            "false" | "no" | "0" => Ok(false),
            _ => Err(self.wrong(None, "true or false")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_changes_its_option() {
        for key in KEYS {
            let changed = ["sqp", "adaptive", "refuse", "0.25", "7", "true", "false"]
                .into_iter()
                .any(|value| options(&[format!("{key}={value}")]).is_ok_and(|options| options != Options::default()));
            assert!(changed, "{key}");
        }
    }

    #[test]
    fn later_options_win_and_quotes_and_underscores_are_accepted() {
        let found = options(&["max_iterations=3", "method=\"sqp\"", "max-iterations = 5"]).unwrap();
        assert_eq!((found.max_iterations, found.method), (5, Method::Sqp));
        assert!(is_option("first_mu=1") && !is_option("time.steps=4") && !is_option("method"));
    }

    #[test]
    fn mistakes_are_told_with_what_was_meant() {
        let told = |text: &str| options(&[text]).unwrap_err().to_string();
        assert!(
            told("toleranc=1")
                .starts_with("there is no solver option `toleranc` (did you mean `tolerance`?); options are method, ")
        );
        assert_eq!(told("tolerance"), "`tolerance` has no key and value, expected `key=value`");
        assert_eq!(told("tolerance=-1"), "solver option `tolerance` is `-1`, expected a positive number");
        assert_eq!(told("tolerance=NaN"), "solver option `tolerance` is `NaN`, expected a positive number");
        assert_eq!(told("max-iterations=1.5"), "solver option `max-iterations` is `1.5`, expected a whole number");
        assert_eq!(told("warm=maybe"), "solver option `warm` is `maybe`, expected true or false");
        let method = "solver option `method` is `sqpp` (did you mean `sqp`?), expected one of interior-point, sqp";
        assert_eq!(told("method=sqpp"), method);
    }
}
