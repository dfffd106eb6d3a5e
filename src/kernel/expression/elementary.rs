//! Elementary functions over dual numbers.
//!
//! Where the textbook formula loses the derivatives (`tanh` far from 0, `atan2` on an axis, `asin` near its ends) the
//! function is written so that the dual parts stay exact.

use std::f64::consts::LN_2;

use super::EvalErrorKind;
use super::builtin::{Binary, Unary};
use super::evaluate::Value;
use crate::scalar::{Real, erf};

/// Numbers whose square does not show beside 1, in double precision.
const LARGE: f64 = 1e9;

/// A function of one argument.
#[inline(never)]
pub(super) fn unary<T: Real>(function: Unary, x: Value<T>) -> Result<Value<T>, EvalErrorKind> {
    // A piecewise constant has the derivative of its piece, also at a jump: zero.
    if x.fixed || matches!(function, Unary::Sign | Unary::Step | Unary::Floor) {
        Ok(Value::fixed(apply(function, x.re())?))
    } else {
        Ok(Value::varying(apply(function, x.number)?))
    }
}

fn apply<T: Real>(function: Unary, x: T) -> Result<T, EvalErrorKind> {
    let value = x.re();
    Ok(match function {
        Unary::Sin => x.sin(),
        Unary::Cos => x.cos(),
        Unary::Tan => x.tan(),
        Unary::Asin => asin(x)?,
        Unary::Acos => acos(x)?,
        Unary::Atan => x.atan(),
        Unary::Sinh => x.sinh(),
        Unary::Cosh => x.cosh(),
        Unary::Tanh => tanh(x),
        Unary::Asinh => asinh(x),
        Unary::Acosh if value < 1.0 => return Err(EvalErrorKind::OutOfDomain { function: "acosh", value }),
        Unary::Acosh => acosh(x),
        Unary::Atanh if value.abs() >= 1.0 => return Err(EvalErrorKind::OutOfDomain { function: "atanh", value }),
        Unary::Atanh => atanh(x),
        Unary::Erf => erf(x),
        Unary::Exp => x.exp(),
        Unary::Ln | Unary::Log10 if value <= 0.0 => return Err(EvalErrorKind::LogOfNonPositive { value }),
        Unary::Ln => x.ln(),
        Unary::Log10 => x.log10(),
        Unary::Sqrt if value < 0.0 => return Err(EvalErrorKind::RootOfNegative { value }),
        Unary::Sqrt => x.sqrt(),
        Unary::Abs if value < 0.0 => -x,
        Unary::Abs => x,
        Unary::Sign if value == 0.0 => T::zero(),
        Unary::Sign => T::from(value.signum()),
        Unary::Step => T::from(if value < 0.0 { 0.0 } else { 1.0 }),
        Unary::Floor => T::from(value.floor()),
    })
}

/// A function of two arguments.
#[inline(never)]
pub(super) fn binary<T: Real>(function: Binary, x: Value<T>, y: Value<T>) -> Result<Value<T>, EvalErrorKind> {
    if x.fixed && y.fixed {
        Ok(Value::fixed(pair(function, x.re(), y.re())?))
    } else {
        Ok(Value::varying(pair(function, x.number, y.number)?))
    }
}

fn pair<T: Real>(function: Binary, x: T, y: T) -> Result<T, EvalErrorKind> {
    match function {
        Binary::Atan2 if x.re() == 0.0 && y.re() == 0.0 => Err(EvalErrorKind::DirectionOfOrigin),
        Binary::Atan2 => Ok(atan2(x, y)),
        Binary::Hypot => Ok(hypot(x, y)),
        Binary::Mod if y.re() == 0.0 => Err(EvalErrorKind::DivisionByZero),
        Binary::Mod => Ok(modulo(x, y)),
    }
}

/// tanh x = −m/(m + 2) with m = e^(−2x) − 1, x ≥ 0; odd. Neither overflows nor cancels.
fn tanh<T: Real>(x: T) -> T {
    let negative = x.re() < 0.0;
    let m = (if negative { x } else { -x } * 2.0).exp_m1();
    let tanh = -m / (m + 2.0);
    if negative { -tanh } else { tanh }
}

/// ln(x + √(x² + 1)) for x ≥ 0, odd, as ln(1 + x + x²/(1 + √(x² + 1))), which does not cancel.
fn asinh<T: Real>(x: T) -> T {
    let negative = x.re() < 0.0;
    let x = if negative { -x } else { x };
    // The square of a large number may overflow; there the root is x.
    let asinh = if x.re() < LARGE { (x + x * x / ((x * x + 1.0).sqrt() + 1.0)).ln_1p() } else { x.ln() + LN_2 };
    if negative { -asinh } else { asinh }
}

/// ln(x + √(x² − 1)) as ln(1 + d + √(d (d + 2))) with d = x − 1 ≥ 0; at 1 it has no derivative.
fn acosh<T: Real>(x: T) -> T {
    if x.re() >= LARGE {
        return x.ln() + LN_2;
    }
    let d = x - 1.0;
    (d + (d * (d + 2.0)).sqrt()).ln_1p()
}

/// ½ ln((1 + x)/(1 − x)) = ½ ln(1 + 2x/(1 − x)), |x| < 1, odd.
fn atanh<T: Real>(x: T) -> T {
    let negative = x.re() < 0.0;
    let x = if negative { -x } else { x };
    let atanh = (x * 2.0 / (-x + 1.0)).ln_1p() * 0.5;
    if negative { -atanh } else { atanh }
}

/// √(1 − x²) without cancellation near ±1.
fn cosine_from_sine<T: Real>(x: T) -> T {
    ((-x + 1.0) * (x + 1.0)).sqrt()
}

fn asin<T: Real>(x: T) -> Result<T, EvalErrorKind> {
    let value = x.re();
    if value.abs() > 1.0 {
        return Err(EvalErrorKind::OutOfDomain { function: "asin", value });
    }
    Ok(atan2(x, cosine_from_sine(x)))
}

fn acos<T: Real>(x: T) -> Result<T, EvalErrorKind> {
    let value = x.re();
    if value.abs() > 1.0 {
        return Err(EvalErrorKind::OutOfDomain { function: "acos", value });
    }
    Ok(atan2(cosine_from_sine(x), x))
}

/// The direction of (x, y) ≠ 0. The angle is atan(y/x) or −atan(x/y) up to a constant; the smaller quotient is used.
fn atan2<T: Real>(y: T, x: T) -> T {
    let angle = y.re().atan2(x.re());
    let branch = if x.re().abs() >= y.re().abs() { (y / x).atan() } else { -(x / y).atan() };
    branch + (angle - branch.re())
}

/// √(x² + y²), scaled so that squares neither overflow nor vanish; at the origin it has no derivative.
fn hypot<T: Real>(x: T, y: T) -> T {
    let scale = x.re().abs().max(y.re().abs());
    if scale == 0.0 {
        return (x * x + y * y).sqrt();
    }
    let (x, y) = (x / scale, y / scale);
    (x * x + y * y).sqrt() * scale
}

/// x − y ⌊x/y⌋, with the real part from the exact floating-point remainder.
fn modulo<T: Real>(x: T, y: T) -> T {
    let (a, b) = (x.re(), y.re());
    let remainder = a % b;
    let remainder = if remainder != 0.0 && (remainder < 0.0) != (b < 0.0) { remainder + b } else { remainder };
    let branch = x - y * ((a - remainder) / b).round();
    branch + (remainder - branch.re())
}
