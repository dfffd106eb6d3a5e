//! What can go wrong when an expression is evaluated.

use std::ops::Range;

use super::compile_error::place;

/// A value or derivative that does not exist, and where and when.
///
/// ```
/// use lariat::kernel::{Expression, Function, Scope};
///
/// let f = Function::compile(&Expression::Text("2 + 1/(t - 3)".into()), &Scope::empty()).unwrap();
/// let error = f.value(3.0).unwrap_err();
/// assert_eq!(error.to_string(), "division by zero in `1/(t - 3)` at t = 3");
/// assert_eq!(error.span, 4..13);
/// ```
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}{kind} in `{text}` at {}", place(.in_let), self.place())]
pub struct EvalError {
    /// The `[let]` definition whose text is meant; `None` for the expression itself.
    pub in_let: Option<String>,
    /// The byte range of the sub-expression in that text.
    pub span: Range<usize>,
    /// The sub-expression.
    pub text: String,
    /// The arc length, metre; `None` for expressions that do not depend on it.
    pub s: Option<f64>,
    /// The time, s.
    pub t: f64,
    /// Whether the expression is a profile that does not depend on `t`, so that the time is of no interest.
    pub steady: bool,
    /// What went wrong.
    pub kind: EvalErrorKind,
}

impl EvalError {
    /// Where and when, in words: `t = 3`, or along a rod `s = 1, t = 3`, or `s = 1` if the time does not matter.
    pub fn place(&self) -> String {
        match self.s {
            Some(s) if self.steady => format!("s = {s}"),
            Some(s) => format!("s = {s}, t = {}", self.t),
            None => format!("t = {}", self.t),
        }
    }
}

/// What went wrong in the evaluation.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EvalErrorKind {
    /// `x/0`, `mod(x, 0)` or a negative power of 0.
    #[error("division by zero")]
    DivisionByZero,
    /// The logarithm of a number that is not positive.
    #[error("logarithm of {value}, which is not positive")]
    LogOfNonPositive {
        /// The argument.
        value: f64,
    },
    /// The square root of a negative number.
    #[error("square root of the negative number {value}")]
    RootOfNegative {
        /// The argument.
        value: f64,
    },
    /// A power of a negative number whose exponent is not a constant integer.
    #[error("power of the negative number {base} with the exponent {exponent}, which is not a constant integer")]
    PowerOfNegative {
        /// The base.
        base: f64,
        /// The exponent.
        exponent: f64,
    },
    /// An argument outside the domain of a function.
    #[error("`{function}` is not defined for {value}")]
    OutOfDomain {
        /// The function.
        function: &'static str,
        /// The argument.
        value: f64,
    },
    /// `atan2(0, 0)`.
    #[error("the origin has no direction")]
    DirectionOfOrigin,
    /// `clamp` with bounds in the wrong order.
    #[error("the lower bound {low} is above the upper bound {high}")]
    ClampBounds {
        /// The lower bound.
        low: f64,
        /// The upper bound.
        high: f64,
    },
    /// The value overflows.
    #[error("no finite value")]
    NotFinite,
    /// The value exists, a derivative does not.
    #[error("no finite {} derivative", if *.order == 1 { "first" } else { "second" })]
    NoFiniteDerivative {
        /// The order of the derivative.
        order: usize,
    },
}
