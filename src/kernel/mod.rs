//! Derivatives and expressions: what every other folder is written in.
//!
//! Nothing here knows mechanics. [`derivative`] takes gradients and Hessians of what is written over any
//! [`Real`](crate::scalar::Real); [`expression`] reads the functions of time and the formulas in problem files.

pub mod delimited;
pub mod derivative;
pub mod expression;
mod interpolation;
pub mod magnitude;
mod one_or_several;
mod quadrature;
mod spline;
pub mod suggest;

pub use expression::{
    Algebra, CompileError, CompileErrorKind, EvalError, EvalErrorKind, Expression, Formula, FormulaScalar, Function,
    Jet, LARGEST_REST, Profile, Scope, numbers_in,
};
pub use interpolation::{cubic, cubic_between, linear};
pub use one_or_several::OneOrSeveral;
pub use quadrature::{gauss, legendre};
pub use spline::{Ends, Fit, FitError, Outside, Side, Spline};
