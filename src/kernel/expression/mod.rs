//! Functions of time in problem files.

mod source;

pub use source::Expression;
