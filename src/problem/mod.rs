//! Problem files: what they may say, and how mistakes in them are told.
//!
//! [`read`] parses a file into a [`Document`] that knows where everything stands, checks it against the [`schema`] of
//! [`ProblemSpec`], and reports all mistakes at once as [`Diagnostics`].

mod build;
mod builder;
mod diagnostic;
mod document;
mod doubts;
mod gallery;
mod load;
mod overrides;
mod reference;
mod schema;
mod spec;
mod stand_in;
#[cfg(test)]
pub(crate) mod tests;
mod validate;

pub use build::{Inspection, Problem, Question, ReadFile, Source, inspect, load, load_with};
pub use builder::{MechanismBuilder, Part, Setting};
pub use diagnostic::{Diagnostic, Diagnostics, Place, Severity};
pub(crate) use document::key_text;
pub use document::{Document, Node, Origin, Table, Value};
pub use gallery::{gallery, gallery_data};
pub use load::read;
pub use reference::explain;
pub use schema::{schema, schema_json};
pub use spec::{ExpectSpec, LetSpec, ProblemSpec, SampleSpec, TimeSpec};
