//! Results as plain data, and their files.

mod bandwidth;
mod campbell;
mod control;
pub mod csv;
mod listing;
mod mobility;
mod modes;
pub mod npz;
mod number;
mod path;
mod report;
mod staging;
mod status;
pub mod store;
mod table;

pub use bandwidth::Bandwidth;
pub use campbell::{Branch, Campbell, Crossing};
pub use control::{
    Hamiltonian, LimitedControl, LocalOptimum, Optima, Refined, TrackedOutput, Tracking, TradeOff, WorkBalance,
};
pub use listing::Listing;
pub use mobility::{Cluster, Mobility, Overlap};
pub use modes::{ModeShape, ShapeField};
pub use path::PathTable;
pub use report::{
    Conflicts, EnergyBalance, ErrorParts, Expectation, FileEntry, Iteration, Limits, Misplaced, ProblemText, Report,
    SCHEMA_VERSION, Timing, Verification, Violated,
};
pub use status::RunStatus;
pub use table::{Outcome, RodField, Table, TableError};
