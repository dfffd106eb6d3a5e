//! Iterates on disk: what a later solve of the same or a neighbouring program starts from.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::constrained::Iterate;
use crate::nlp::Nlp;

/// What identifies a program: its sizes and the names of its variables and rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramMarks {
    /// Number of variables.
    pub variables: usize,
    /// Number of rows.
    pub rows: usize,
    /// SHA-256 over the names of all variables and rows in their order.
    pub names: String,
}

/// An iterate with the marks of the program it belongs to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SavedIterate {
    /// The program.
    pub program: ProgramMarks,
    /// Variables and multipliers.
    pub iterate: Iterate,
}

/// Why an iterate could not be saved or taken up.
#[derive(Debug, Error)]
pub enum SavedError {
    /// The file cannot be read or written.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The file does not hold what it should.
    #[error("{path} holds no saved iterate: {error}")]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: serde_json::Error,
    },
    /// A value that JSON has no word for.
    #[error("the {what} of {name} is {value}, which cannot be saved")]
    NotFinite {
        /// `value` or `multiplier`.
        what: &'static str,
        /// Variable or row.
        name: String,
        /// The value.
        value: f64,
    },
    /// The iterate belongs to a program of another size.
    #[error("the saved iterate has {saved} {what}, the program has {expected}")]
    Size {
        /// `variables`, `rows`, or the multipliers concerned.
        what: &'static str,
        /// Number saved.
        saved: usize,
        /// Number in the program.
        expected: usize,
    },
    /// The iterate belongs to a program with the same sizes and other names.
    #[error(
        "the saved iterate belongs to another program: it has as many variables and rows, but they have other names or \
         stand in another order"
    )]
    Names,
}

impl ProgramMarks {
    /// The marks of a program; the names are hashed with a zero byte after each.
    pub fn of(nlp: &dyn Nlp) -> Self {
        let (variables, rows) = (nlp.bounds().variables(), nlp.bounds().rows());
        let mut hash = Sha256::new();
        for name in (0..variables).map(|j| nlp.variable_name(j)).chain((0..rows).map(|i| nlp.row_name(i))) {
            hash.update(name.as_bytes());
            hash.update([0]);
        }
        let names = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Self { variables, rows, names }
    }

    /// Whether these marks and an iterate belong to the program; multipliers may be missing altogether.
    pub fn check(&self, iterate: &Iterate, nlp: &dyn Nlp) -> Result<(), SavedError> {
        let here = Self::of(nlp);
        let absent_or = |length: usize, expected: usize| if length == 0 { expected } else { length };
        let Iterate { x, lambda, z_lower, z_upper } = iterate;
        let sizes = [
            ("variables", self.variables, here.variables),
            ("rows", self.rows, here.rows),
            ("values of variables", x.len(), here.variables),
            ("multipliers of rows", absent_or(lambda.len(), here.rows), here.rows),
            ("multipliers of lower bounds", absent_or(z_lower.len(), here.variables), here.variables),
            ("multipliers of upper bounds", absent_or(z_upper.len(), here.variables), here.variables),
        ];
        for (what, saved, expected) in sizes {
            if saved != expected {
                return Err(SavedError::Size { what, saved, expected });
            }
        }
        if self.names == here.names { Ok(()) } else { Err(SavedError::Names) }
    }
}

impl SavedIterate {
    /// Puts an iterate and the marks of its program together.
    pub fn new(nlp: &dyn Nlp, iterate: &Iterate) -> Result<Self, SavedError> {
        let program = ProgramMarks::of(nlp);
        program.check(iterate, nlp)?;
        let by_variable = [("value", &iterate.x), ("multiplier", &iterate.z_lower), ("multiplier", &iterate.z_upper)];
        for (what, values) in by_variable {
            if let Some(j) = values.iter().position(|value| !value.is_finite()) {
                return Err(SavedError::NotFinite { what, name: nlp.variable_name(j), value: values[j] });
            }
        }
        if let Some(i) = iterate.lambda.iter().position(|value| !value.is_finite()) {
            let (name, value) = (nlp.row_name(i), iterate.lambda[i]);
            return Err(SavedError::NotFinite { what: "multiplier", name, value });
        }
        Ok(Self { program, iterate: iterate.clone() })
    }

    /// The iterate, if it belongs to the program.
    pub fn for_program(&self, nlp: &dyn Nlp) -> Result<&Iterate, SavedError> {
        self.program.check(&self.iterate, nlp)?;
        Ok(&self.iterate)
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, SavedError> {
        read_json(path)
    }

    /// Writes a file, in one piece: a reader sees the old or the new content, never a part.
    pub fn write(&self, path: &Path) -> Result<(), SavedError> {
        write_json(path, self)
    }
}

pub(super) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, SavedError> {
    let text = fs::read_to_string(path).map_err(|error| SavedError::File { path: path.to_owned(), error })?;
    serde_json::from_str(&text).map_err(|error| SavedError::Content { path: path.to_owned(), error })
}

/// Writes beside the file first and then takes its name, which is one operation for the file system.
pub(super) fn write_json<T: Serialize>(path: &Path, content: &T) -> Result<(), SavedError> {
    let text = serde_json::to_string(content).map_err(|error| SavedError::Content { path: path.to_owned(), error })?;
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    let beside = PathBuf::from(beside);
    let written = fs::File::create(&beside).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&beside, path)).map_err(|error| SavedError::File { path: path.to_owned(), error })
}
