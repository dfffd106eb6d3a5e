//! The operations of expression graphs with their first and second derivatives.

use crate::scalar::{atan_root_derivative, erf_derivative};

/// What a node does with its operands `a` and `b`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::nlp) enum Op {
    /// A number; `a` and `b` hold its bits.
    Constant,
    /// The variable number `a`.
    Variable,
    /// Stands for an expression of another graph, which has no meaning here.
    Foreign,
    Neg,
    Square,
    Sqrt,
    Exp,
    Ln,
    Log10,
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
    Abs,
    /// A derivative of atan √a / √a, by its order.
    AtanRoot(u8),
    /// A derivative of the error function, by its order.
    Erf(u8),
    /// A derivative of a function given by samples: the number of that among those of the graph, and the order.
    Table(u16, u8),
    /// 1 where `a` is zero and 0 elsewhere.
    Not,
    Add,
    Sub,
    Mul,
    Div,
    /// aᵇ where b is a constant node.
    Power,
    /// aᵇ where b varies.
    Pow,
    Atan2,
    Min,
    Max,
    Less,
    AtMost,
    Equal,
    And,
    Or,
    /// The sum of the `b` operands that start at `a` in the list of operands.
    Sum,
    /// The first of the two operands at `b` in the list where `a` is not zero, the second elsewhere.
    Choose,
}

/// How many operands an operation has and where they are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::nlp) enum Arity {
    Leaf,
    Unary,
    Binary,
    Sum,
    Choose,
}

impl Op {
    /// How many operands the operation has.
    pub(in crate::nlp) fn arity(self) -> Arity {
        match self {
            Op::Constant | Op::Variable | Op::Foreign => Arity::Leaf,
            Op::Sum => Arity::Sum,
            Op::Choose => Arity::Choose,
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Power | Op::Pow | Op::Atan2 | Op::Min | Op::Max => {
                Arity::Binary
            }
            Op::Less | Op::AtMost | Op::Equal | Op::And | Op::Or => Arity::Binary,
            _ => Arity::Unary,
        }
    }

    /// Whether the operation answers yes (1) or no (0), so that its derivatives vanish.
    pub(in crate::nlp) fn is_logical(self) -> bool {
        matches!(self, Op::Not | Op::Less | Op::AtMost | Op::Equal | Op::And | Op::Or)
    }

    /// Whether the value may come from one operand while the others do not matter.
    pub(super) fn is_branching(self) -> bool {
        matches!(self, Op::Min | Op::Max | Op::Choose)
    }

    /// The value of an operation with one or two operands; `b` is not looked at where there is one.
    #[inline]
    pub(super) fn value(self, a: f64, b: f64) -> f64 {
        let answer = |yes: bool| if yes { 1.0 } else { 0.0 };
        match self {
            Op::Neg => -a,
            Op::Square => a * a,
            Op::Sqrt => a.sqrt(),
            Op::Exp => a.exp(),
            Op::Ln => a.ln(),
            Op::Log10 => a.log10(),
            Op::Sin => a.sin(),
            Op::Cos => a.cos(),
            Op::Tan => a.tan(),
            Op::Asin => a.asin(),
            Op::Acos => a.acos(),
            Op::Atan => a.atan(),
            Op::Sinh => a.sinh(),
            Op::Cosh => a.cosh(),
            Op::Tanh => a.tanh(),
            Op::Asinh => a.asinh(),
            Op::Acosh => a.acosh(),
            Op::Atanh => a.atanh(),
            Op::Abs => a.abs(),
            Op::AtanRoot(order) => atan_root_derivative(a, usize::from(order)),
            Op::Erf(order) => erf_derivative(a, usize::from(order)),
            Op::Add => a + b,
            Op::Sub => a - b,
            Op::Mul => a * b,
            Op::Div => a / b,
            Op::Power => power(a, b),
            Op::Pow => a.powf(b),
            Op::Atan2 => a.atan2(b),
            Op::Min if a.is_nan() || b.is_nan() => f64::NAN,
            Op::Max if a.is_nan() || b.is_nan() => f64::NAN,
            Op::Min => a.min(b),
            Op::Max => a.max(b),
            Op::Not => answer(a == 0.0),
            Op::Less => answer(a < b),
            Op::AtMost => answer(a <= b),
            Op::Equal => answer(a == b),
            Op::And => answer(a != 0.0 && b != 0.0),
            Op::Or => answer(a != 0.0 || b != 0.0),
            // Of a table whoever holds it knows the value.
            Op::Constant | Op::Variable | Op::Foreign | Op::Sum | Op::Choose | Op::Table(..) => f64::NAN,
        }
    }

    /// ∂y/∂a and ∂y/∂b at the value y; the derivative of a branch is that of the operand taken.
    #[inline]
    pub(super) fn slopes(self, a: f64, b: f64, y: f64) -> (f64, f64) {
        match self {
            Op::Neg => (-1.0, 0.0),
            Op::Square => (2.0 * a, 0.0),
            Op::Sqrt => (0.5 / y, 0.0),
            Op::Exp => (y, 0.0),
            Op::Ln => (1.0 / a, 0.0),
            Op::Log10 => (std::f64::consts::LOG10_E / a, 0.0),
            Op::Sin => (a.cos(), 0.0),
            Op::Cos => (-a.sin(), 0.0),
            Op::Tan => (1.0 + y * y, 0.0),
            Op::Asin => (1.0 / ((1.0 - a) * (1.0 + a)).sqrt(), 0.0),
            Op::Acos => (-1.0 / ((1.0 - a) * (1.0 + a)).sqrt(), 0.0),
            Op::Atan => (1.0 / (1.0 + a * a), 0.0),
            Op::Sinh => (a.cosh(), 0.0),
            Op::Cosh => (a.sinh(), 0.0),
            Op::Tanh => (1.0 - y * y, 0.0),
            Op::Asinh => (1.0 / (a * a + 1.0).sqrt(), 0.0),
            Op::Acosh => (1.0 / ((a - 1.0) * (a + 1.0)).sqrt(), 0.0),
            Op::Atanh => (1.0 / ((1.0 - a) * (1.0 + a)), 0.0),
            Op::Abs => (if a == 0.0 { 0.0 } else { a.signum() }, 0.0),
            Op::AtanRoot(order) => (atan_root_derivative(a, usize::from(order) + 1), 0.0),
            Op::Erf(order) => (erf_derivative(a, usize::from(order) + 1), 0.0),
            Op::Add => (1.0, 1.0),
            Op::Sub => (1.0, -1.0),
            Op::Mul => (b, a),
            Op::Div => (1.0 / b, -y / b),
            Op::Power => (b * power(a, b - 1.0), 0.0),
            Op::Pow => (times(b, a.powf(b - 1.0)), if a == 0.0 && b > 0.0 { 0.0 } else { y * a.ln() }),
            Op::Atan2 => {
                let square = a * a + b * b;
                (b / square, -a / square)
            }
            Op::Min if a <= b => (1.0, 0.0),
            Op::Max if a >= b => (1.0, 0.0),
            Op::Min | Op::Max => (0.0, 1.0),
            _ => (0.0, 0.0),
        }
    }

    /// ∂²y/∂a², ∂²y/∂a∂b and ∂²y/∂b² at the value y, for the operations that [`Op::bends`] names.
    #[inline]
    pub(super) fn curvatures(self, a: f64, b: f64, y: f64) -> (f64, f64, f64) {
        let unary = |second: f64| (second, 0.0, 0.0);
        match self {
            Op::Square => unary(2.0),
            Op::Sqrt => unary(-0.25 / (a * y)),
            Op::Exp => unary(y),
            Op::Ln => unary(-1.0 / (a * a)),
            Op::Log10 => unary(-std::f64::consts::LOG10_E / (a * a)),
            Op::Sin | Op::Cos => unary(-y),
            Op::Tan => unary(2.0 * y * (1.0 + y * y)),
            Op::Asin => unary(a / ((1.0 - a) * (1.0 + a)).powf(1.5)),
            Op::Acos => unary(-a / ((1.0 - a) * (1.0 + a)).powf(1.5)),
            Op::Atan => unary(-2.0 * a / (1.0 + a * a).powi(2)),
            Op::Sinh | Op::Cosh => unary(y),
            Op::Tanh => unary(-2.0 * y * (1.0 - y * y)),
            Op::Asinh => unary(-a / (a * a + 1.0).powf(1.5)),
            Op::Acosh => unary(-a / ((a - 1.0) * (a + 1.0)).powf(1.5)),
            Op::Atanh => unary(2.0 * a / ((1.0 - a) * (1.0 + a)).powi(2)),
            Op::AtanRoot(order) => unary(atan_root_derivative(a, usize::from(order) + 2)),
            Op::Erf(order) => unary(erf_derivative(a, usize::from(order) + 2)),
            Op::Mul => (0.0, 1.0, 0.0),
            Op::Div => (0.0, -1.0 / (b * b), 2.0 * y / (b * b)),
            Op::Power => unary(times(b * (b - 1.0), power(a, b - 2.0))),
            Op::Pow => {
                let second = times(b * (b - 1.0), a.powf(b - 2.0));
                let (ln, slope) = (a.ln(), a.powf(b - 1.0));
                let mixed = if a == 0.0 && b > 1.0 { 0.0 } else { slope * (1.0 + b * ln) };
                (second, mixed, if a == 0.0 && b > 0.0 { 0.0 } else { y * ln * ln })
            }
            Op::Atan2 => {
                let square = a * a + b * b;
                let bend = 2.0 * (a / square) * (b / square);
                (-bend, (a - b) / square * ((a + b) / square), bend)
            }
            _ => (0.0, 0.0, 0.0),
        }
    }

    /// Which second derivatives (aa, ab, bb) may differ from zero.
    pub(super) fn bends(self) -> (bool, bool, bool) {
        match self {
            Op::Mul => (false, true, false),
            Op::Div => (false, true, true),
            Op::Pow | Op::Atan2 => (true, true, true),
            Op::Neg | Op::Abs => (false, false, false),
            _ if self.is_logical() => (false, false, false),
            Op::Power => (true, false, false),
            _ => (self.arity() == Arity::Unary, false, false),
        }
    }
}

/// xᵖ, by multiplication where p is a whole number that is not large.
#[inline]
fn power(x: f64, p: f64) -> f64 {
    if p.fract() == 0.0 && p.abs() <= 64.0 { x.powi(p as i32) } else { x.powf(p) }
}

/// A coefficient times a factor that does not matter where the coefficient is zero.
#[inline]
fn times(coefficient: f64, factor: f64) -> f64 {
    if coefficient == 0.0 { 0.0 } else { coefficient * factor }
}
