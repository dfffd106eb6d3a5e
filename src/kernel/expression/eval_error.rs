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
#[error("{}{kind} in `{text}`{}", place(.in_let), self.at())]
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
    /// Whether the time is of no interest: the expression is a profile that does not depend on `t`, or the
    /// sub-expression is one of a formula and does not.
    pub steady: bool,
    /// The variables of a formula that occur in the sub-expression, with their values.
    pub variables: Vec<(String, f64)>,
    /// What went wrong.
    pub kind: EvalErrorKind,
}

impl EvalError {
    /// Where and when, in words: `t = 3`, or along a rod `s = 1, t = 3`, or `s = 1` if the time does not matter; for a
    /// formula `theta = 0.5, t = 3`, or nothing if the sub-expression depends on nothing.
    pub fn place(&self) -> String {
        let along = self.s.iter().map(|s| format!("s = {s}"));
        let named = self.variables.iter().map(|(name, value)| format!("{name} = {value}"));
        let time = (!self.steady).then(|| format!("t = {}", self.t));
        along.chain(named).chain(time).collect::<Vec<String>>().join(", ")
    }

    /// The end of the message.
    fn at(&self) -> String {
        let place = self.place();
        if place.is_empty() { place } else { format!(" at {place}") }
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
    /// Not one value for each variable of a formula.
    #[error("{found} values for {expected} variables")]
    VariableCount {
        /// How many variables there are.
        expected: usize,
        /// How many values there are.
        found: usize,
    },
    /// An argument outside the samples of a table that does not hold its values beyond them.
    #[error("{value} is outside the samples of the table, which reach from {from} to {to}")]
    OutsideTable {
        /// The argument.
        value: f64,
        /// First sample.
        from: f64,
        /// Last sample.
        to: f64,
    },
    /// The value overflows.
    #[error("no finite value")]
    NotFinite,
    /// The value is larger than what can be computed with.
    #[error("the size of the value {value:e} exceeds {largest:e}")]
    TooLarge {
        /// The value.
        value: f64,
        /// The largest that is taken.
        largest: f64,
    },
    /// The value exists, a derivative does not.
    #[error("no finite {} derivative", if *.order == 1 { "first" } else { "second" })]
    NoFiniteDerivative {
        /// The order of the derivative.
        order: usize,
    },
}
