//! Results as plain data, and their files.

pub mod csv;
pub mod npz;
mod number;
mod report;
mod staging;
pub mod store;
mod table;

pub use report::{
    EnergyBalance, Expectation, FileEntry, Iteration, ProblemText, Report, SCHEMA_VERSION, Timing, Verification,
};
pub use table::{Outcome, RodField, Table, TableError};
