//! What can be wrong with a `.nl` file or with a program that is to become one.

use thiserror::Error;

/// Why a `.nl` file could not be read.
#[derive(Debug, Error)]
pub enum NlError {
    /// The file could not be opened.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// The file is in the binary form.
    #[error("this is a binary .nl file; please write it as text (in AMPL: `write gname;` instead of `write bname;`)")]
    Binary,
    /// The text does not follow the format.
    #[error("line {line}: found {found} where {expected} was expected")]
    Syntax {
        /// The line, counted from 1.
        line: usize,
        /// What stands there.
        found: String,
        /// What should stand there.
        expected: String,
    },
    /// The file asks for something that is not a smooth nonlinear program.
    #[error("line {line}: {what}")]
    Unsupported {
        /// The line, counted from 1.
        line: usize,
        /// What is not supported.
        what: String,
    },
}

/// Why a program cannot be written as a `.nl` file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{place} cannot be written: {reason}")]
pub struct WriteError {
    /// The row or the objective.
    pub place: String,
    /// What the format cannot express.
    pub reason: String,
}
