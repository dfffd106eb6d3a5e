//! Programs in the `.nl` format that AMPL and other modelling languages write, and their `.sol` answers.
//!
//! The text form of the format (first letter `g`) is read and written. Variables must be continuous; logical
//! constraints, complementarity, imported functions and operators without derivatives are refused in words.
//!
//! ```
//! use lariat::nlp::{Nlp, ampl, graph::Graph};
//! let g = Graph::new();
//! let x = g.variable("x", 3.0, 0.0, f64::INFINITY);
//! g.minimise((x - 1.0).square());
//! let written = ampl::write(&g.build())?;
//! let mut again = ampl::parse(written.nl.as_bytes(), None, None)?;
//! assert_eq!(again.program.objective(&[3.0])?, 4.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod emit;
mod error;
mod expression;
mod header;
mod lines;
mod names;
mod reader;
mod solution;
mod split;
#[cfg(test)]
mod tests;
mod write;

use std::path::Path;

pub use error::{NlError, WriteError};
pub use reader::{Model, parse};
pub use solution::{SolveResult, solution};
pub use write::{Written, write};

/// Reads the program in a `.nl` file; the files `.col` and `.row` beside it name variables and rows if they exist.
pub fn read(path: &Path) -> Result<Model, NlError> {
    let bytes = std::fs::read(path).map_err(|source| NlError::Io { path: path.display().to_string(), source })?;
    let beside = |extension: &str| std::fs::read_to_string(path.with_extension(extension)).ok();
    parse(&bytes, beside("col").as_deref(), beside("row").as_deref())
}
