//! The names the language knows by itself.

use std::f64::consts;
use std::fmt;

/// How many arguments a function takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arity {
    /// This many.
    Exactly(usize),
    /// This many or more.
    AtLeast(usize),
}

impl fmt::Display for Arity {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Arity::Exactly(1) => f.write_str("1 argument"),
            Arity::Exactly(n) => write!(f, "{n} arguments"),
            Arity::AtLeast(n) => write!(f, "{n} or more arguments"),
        }
    }
}

/// Functions of one argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unary {
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    Erf,
    Exp,
    Ln,
    Log10,
    Sqrt,
    Abs,
    Sign,
    Step,
    Floor,
}

/// Functions of two arguments other than powers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Binary {
    Atan2,
    Hypot,
    Mod,
}

/// Functions that select one of their arguments by size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extremum {
    Min,
    Max,
}

/// What a function name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Builtin {
    Unary(Unary),
    Binary(Binary),
    Extremum(Extremum),
    Clamp,
    Power,
    If,
    Rest,
}

/// Every function name with its meaning; the parser, the reserved names and the suggestions all read this table.
pub(super) const FUNCTIONS: &[(&str, Builtin)] = &[
    ("sin", Builtin::Unary(Unary::Sin)),
    ("cos", Builtin::Unary(Unary::Cos)),
    ("tan", Builtin::Unary(Unary::Tan)),
    ("asin", Builtin::Unary(Unary::Asin)),
    ("acos", Builtin::Unary(Unary::Acos)),
    ("atan", Builtin::Unary(Unary::Atan)),
    ("atan2", Builtin::Binary(Binary::Atan2)),
    ("sinh", Builtin::Unary(Unary::Sinh)),
    ("cosh", Builtin::Unary(Unary::Cosh)),
    ("tanh", Builtin::Unary(Unary::Tanh)),
    ("asinh", Builtin::Unary(Unary::Asinh)),
    ("acosh", Builtin::Unary(Unary::Acosh)),
    ("atanh", Builtin::Unary(Unary::Atanh)),
    ("erf", Builtin::Unary(Unary::Erf)),
    ("exp", Builtin::Unary(Unary::Exp)),
    ("ln", Builtin::Unary(Unary::Ln)),
    ("log", Builtin::Unary(Unary::Ln)),
    ("log10", Builtin::Unary(Unary::Log10)),
    ("sqrt", Builtin::Unary(Unary::Sqrt)),
    ("abs", Builtin::Unary(Unary::Abs)),
    ("sign", Builtin::Unary(Unary::Sign)),
    ("step", Builtin::Unary(Unary::Step)),
    ("floor", Builtin::Unary(Unary::Floor)),
    ("min", Builtin::Extremum(Extremum::Min)),
    ("max", Builtin::Extremum(Extremum::Max)),
    ("clamp", Builtin::Clamp),
    ("pow", Builtin::Power),
    ("hypot", Builtin::Binary(Binary::Hypot)),
    ("mod", Builtin::Binary(Binary::Mod)),
    ("if", Builtin::If),
    ("rest", Builtin::Rest),
];

/// Named numbers. `tau` is left to `[let]`: problem files use it for a normalised time.
pub(super) const CONSTANTS: &[(&str, f64)] = &[("pi", consts::PI), ("e", consts::E)];

/// The time.
pub(super) const TIME: &str = "t";

/// The reference arc length, a variable only of profiles along a rod.
pub(super) const ARC_LENGTH: &str = "s";

impl Builtin {
    /// How many arguments it takes; the comparison of `if` counts as one.
    pub(super) fn arity(self) -> Arity {
        match self {
            Builtin::Unary(_) => Arity::Exactly(1),
            Builtin::Binary(_) | Builtin::Power => Arity::Exactly(2),
            Builtin::Extremum(_) => Arity::AtLeast(2),
            Builtin::Clamp | Builtin::If => Arity::Exactly(3),
            Builtin::Rest => Arity::Exactly(4),
        }
    }
}

/// The function of that name, with the name as the table spells it.
pub(super) fn function(name: &str) -> Option<(&'static str, Builtin)> {
    FUNCTIONS.iter().find(|(n, _)| *n == name).copied()
}

/// The constant of that name.
pub(super) fn constant(name: &str) -> Option<f64> {
    CONSTANTS.iter().find(|(n, _)| *n == name).map(|(_, v)| *v)
}

/// What the language already means by `name`, if anything.
pub(super) fn meaning(name: &str) -> Option<&'static str> {
    if function(name).is_some() {
        Some("a function")
    } else if constant(name).is_some() {
        Some("a constant")
    } else if name == TIME {
        Some("the time")
    } else if name == ARC_LENGTH {
        Some("the arc length along a rod")
    } else {
        None
    }
}
