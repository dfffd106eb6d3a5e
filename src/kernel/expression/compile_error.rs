//! What can be wrong with the text of an expression.

use std::ops::Range;

use super::{Arity, EvalErrorKind};

/// An expression that cannot be read, and where.
///
/// ```
/// use lariat::kernel::{Expression, Function, Scope};
///
/// let error = Function::compile(&Expression::Text("2*sinn(t)".into()), &Scope::empty()).unwrap_err();
/// assert_eq!(error.to_string(), "unknown function `sinn`");
/// assert_eq!(error.span, 2..6);
/// assert_eq!(error.help().as_deref(), Some("did you mean `sin`?"));
/// ```
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}{kind}", place(.in_let))]
pub struct CompileError {
    /// The `[let]` definition whose text is meant; `None` for the expression itself.
    pub in_let: Option<String>,
    /// The byte range in that text.
    pub span: Range<usize>,
    /// What is wrong.
    pub kind: CompileErrorKind,
}

/// The beginning of a message about a `[let]` definition.
pub(super) fn place(in_let: &Option<String>) -> String {
    in_let.as_ref().map(|name| format!("in let `{name}`: ")).unwrap_or_default()
}

/// What is wrong with the text.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CompileErrorKind {
    /// Nothing but blanks.
    #[error("the expression is empty")]
    Empty,
    /// The problem file holds `inf` or `nan`.
    #[error("{value} is not a finite number")]
    NumberNotFinite {
        /// The number.
        value: f64,
    },
    /// A number beyond the range of double precision.
    #[error("the number {text} is too large for double precision")]
    NumberTooLarge {
        /// The number as written.
        text: String,
    },
    /// A character that no expression contains.
    #[error("unexpected character `{character}`")]
    UnexpectedCharacter {
        /// The character.
        character: char,
    },
    /// The text stops where an operand must follow.
    #[error("the expression ends where a number, a name or a parenthesis must follow")]
    UnexpectedEnd,
    /// Something else stands where an operand must.
    #[error("expected a number, a name or a parenthesis, found `{found}`")]
    ExpectedOperand {
        /// What stands there.
        found: String,
    },
    /// Two operands without an operator between them.
    #[error("expected an operator before `{found}`")]
    ExpectedOperator {
        /// What stands there.
        found: String,
    },
    /// A parenthesis is never closed.
    #[error("this parenthesis is never closed")]
    UnclosedParenthesis,
    /// A closing parenthesis too many.
    #[error("this parenthesis closes nothing")]
    UnopenedParenthesis,
    /// A comma outside the arguments of a function.
    #[error("a comma stands only between the arguments of a function")]
    MisplacedComma,
    /// A comparison that is not the condition of an `if`.
    #[error("a comparison stands only once, as the first argument of if(condition, a, b)")]
    MisplacedComparison,
    /// An `if` whose first argument is not a comparison.
    #[error("the first argument of `if` must be a comparison such as t < 1")]
    MissingComparison,
    /// A name that nothing defines.
    #[error("unknown name `{name}`")]
    UnknownName {
        /// The name.
        name: String,
        /// The nearest known name, if one is near.
        did_you_mean: Option<String>,
    },
    /// A function that does not exist.
    #[error("unknown function `{name}`")]
    UnknownFunction {
        /// The name.
        name: String,
        /// The nearest function, if one is near.
        did_you_mean: Option<String>,
    },
    /// `s` in a function of time.
    #[error("`s` is known only in profiles along a rod; here the variable is `t`")]
    ArcLengthInFunctionOfTime,
    /// A `[let]` of `s` in a function of time.
    #[error("`{name}` depends on `s`, which is known only in profiles along a rod; here the variable is `t`")]
    ArcLengthInDefinition {
        /// The `[let]`.
        name: String,
    },
    /// `s` in a formula of named variables.
    #[error("`s` is known only in profiles along a rod, not in a formula of other variables")]
    ArcLengthInFormula,
    /// A `[let]` of `s` in a formula of named variables.
    #[error(
        "`{name}` depends on `s`, which is known only in profiles along a rod, not in a formula of other variables"
    )]
    ArcLengthInDefinitionForFormula {
        /// The `[let]`.
        name: String,
    },
    /// A `floor` or `mod` of something that varies, in a formula.
    #[error("`{function}` must not depend on `{variable}` in a formula: it jumps at infinitely many places")]
    EndlessJumps {
        /// The function.
        function: &'static str,
        /// The first variable that it depends on.
        variable: String,
    },
    /// A `[let]` with a `floor` or `mod` of something that varies, in a formula.
    #[error("`{name}` cannot be used in a formula: its `{function}` jumps at infinitely many places")]
    EndlessJumpsInDefinition {
        /// The `[let]`.
        name: String,
        /// The function.
        function: &'static str,
    },
    /// A value that is called.
    #[error("`{name}` is a value, not a function")]
    NotAFunction {
        /// The name.
        name: String,
    },
    /// A function name without parentheses.
    #[error("the function `{function}` needs its arguments in parentheses")]
    MissingArguments {
        /// The function.
        function: &'static str,
    },
    /// A call with the wrong number of arguments.
    #[error("`{function}` takes {expected}, not {found}")]
    WrongArgumentCount {
        /// The function.
        function: &'static str,
        /// How many it takes.
        expected: Arity,
        /// How many there are.
        found: usize,
    },
    /// A table called with another number of arguments than one.
    #[error("the table `{name}` takes 1 argument, not {}", if *.found == 0 { "none" } else { "more" })]
    TableArguments {
        /// The table.
        name: String,
        /// How many there are, at least.
        found: usize,
    },
    /// Nesting beyond what is read.
    #[error("parentheses, signs and powers are nested more than {limit} deep")]
    TooDeep {
        /// The depth that is still read.
        limit: usize,
    },
    /// A parameter of `rest` that depends on a variable.
    #[error("the {parameter} of `rest` must not depend on {variable}")]
    RestNotConstant {
        /// Which parameter.
        parameter: &'static str,
        /// What it depends on.
        variable: String,
    },
    /// A parameter of `rest` that has no value.
    #[error("the {parameter} of `rest` has no value: {reason}")]
    RestWithoutValue {
        /// Which parameter.
        parameter: &'static str,
        /// Why it cannot be computed.
        reason: EvalErrorKind,
    },
    /// A `rest` that ends before it starts.
    #[error("`rest` must end after it starts, but it starts at {start} and ends at {end}")]
    BadRestOrder {
        /// `t0`.
        start: f64,
        /// `t1`.
        end: f64,
    },
    /// The `k` of `rest` is not one of 1, …, 20.
    #[error("the k of `rest` must be an integer from 1 to {largest}, not {value}")]
    BadRestSmoothness {
        /// `k`.
        value: f64,
        /// The largest `k`.
        largest: u32,
    },
    /// Definitions that need each other.
    #[error("the definitions go in a circle: {}", names.join(" needs "))]
    Cycle {
        /// The circle; the last name is the first again.
        names: Vec<String>,
    },
    /// A name no expression could refer to.
    #[error("`{name}` cannot be a name: names are letters, digits and _, and begin with a letter or _")]
    InvalidName {
        /// The name.
        name: String,
    },
    /// A definition of what the language already defines.
    #[error("`{name}` cannot be redefined: it is {meaning}")]
    ReservedName {
        /// The name.
        name: String,
        /// What it stands for.
        meaning: &'static str,
    },
    /// A variable named like what the language defines.
    #[error("`{name}` cannot be the name of a variable: it is {meaning}")]
    ReservedVariable {
        /// The name.
        name: String,
        /// What it stands for.
        meaning: &'static str,
    },
    /// A variable named like a `[let]`.
    #[error("`{name}` cannot be both a variable and a definition of [let]")]
    VariableInLet {
        /// The name.
        name: String,
    },
    /// A variable named like a table.
    #[error("`{name}` cannot be both a variable and a table of samples")]
    VariableInTable {
        /// The name.
        name: String,
    },
    /// Two variables of the same name.
    #[error("two variables have the name `{name}`")]
    RepeatedVariable {
        /// The name.
        name: String,
    },
}

impl CompileError {
    /// What to do about it, where that can be guessed.
    pub fn help(&self) -> Option<String> {
        use CompileErrorKind::*;
        match &self.kind {
            UnknownName { did_you_mean, .. } | UnknownFunction { did_you_mean, .. } => {
                did_you_mean.as_ref().map(|name| format!("did you mean `{name}`?"))
            }
            ExpectedOperand { found } if found == "*" => Some("powers are written t^2".into()),
            ExpectedOperator { .. } | NotAFunction { .. } => Some("products are written 2*t".into()),
            UnexpectedCharacter { character: '²' } => Some("powers are written t^2".into()),
            UnexpectedCharacter { character: '×' | '·' | '⋅' } => Some("products are written 2*t".into()),
            UnexpectedCharacter { character: '−' | '–' } => Some("write the hyphen `-` for minus".into()),
            UnexpectedCharacter { character: '[' | ']' | '{' | '}' } => Some("only ( and ) group".into()),
            EndlessJumps { .. } | EndlessJumpsInDefinition { .. } => {
                Some("sin and cos are periodic without jumps; if, step and sign jump once".into())
            }
            UnexpectedCharacter { character: '=' } => Some("comparisons are <, <=, > and >=".into()),
            _ => None,
        }
    }

    /// Whether the mistake is in a value rather than in the text: such a mistake may be the consequence of another.
    pub(super) fn is_about_values(&self) -> bool {
        use CompileErrorKind::*;
        matches!(
            self.kind,
            RestNotConstant { .. } | RestWithoutValue { .. } | BadRestOrder { .. } | BadRestSmoothness { .. }
        )
    }
}
