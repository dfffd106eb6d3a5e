//! Sparse nonlinear problems as solvers see them: a pattern known once, values asked for many times.
//!
//! Nothing here knows mechanics. A discretisation lists the rows and columns of its small dense blocks to a
//! [`PatternBuilder`]; the resulting [`Pattern`] and [`BlockMap`] then turn assembly into plain additions.

pub mod ampl;
pub mod families;
mod gauss_newton;
pub mod graph;
mod pattern;
mod program;
mod square;

pub use gauss_newton::GaussNewton;
pub use pattern::{BlockMap, Pattern, PatternBuilder, PatternError};
pub use program::{Bounds, Nlp};
pub use square::{EvalFailure, FollowedSystem, ParametricSystem, SquareSystem};
