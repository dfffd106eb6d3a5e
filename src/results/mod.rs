//! Results as plain data, and their files.

mod report;
mod table;

pub use report::{
    EnergyBalance, Expectation, FileEntry, Iteration, ProblemText, Report, SCHEMA_VERSION, Timing, Verification,
};
pub use table::{Outcome, RodField, Table};
