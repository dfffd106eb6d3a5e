//! Powers and the rest-to-rest profile built from them.

use super::EvalErrorKind;
use super::evaluate::Value;
use crate::scalar::Real;

/// Integer exponents up to this size are products, which are exact in every derivative also at a zero base.
const LARGEST_PRODUCT: f64 = 16.0;

/// The largest `k` of `rest`; its coefficients still fit the digits of double precision.
pub const LARGEST_REST: u32 = 20;

/// base^exponent.
#[inline(never)]
pub(super) fn power<T: Real>(base: Value<T>, exponent: Value<T>) -> Result<Value<T>, EvalErrorKind> {
    let (x, n) = (base.re(), exponent.re());
    match (base.fixed, exponent.fixed) {
        (true, true) => Ok(Value::fixed(constant_power(x, n)?)),
        // 1 whatever the base.
        (false, true) if n == 0.0 => Ok(Value::fixed(1.0)),
        (false, true) => Ok(Value::varying(constant_power(base.number, n)?)),
        // Zero as long as the exponent stays positive.
        (true, false) if x == 0.0 && n > 0.0 => Ok(Value::fixed(0.0)),
        _ if x < 0.0 => Err(EvalErrorKind::PowerOfNegative { base: x, exponent: n }),
        _ if x == 0.0 => Ok(Value::varying(power_of_zero(base.number, n)?)),
        _ => Ok(Value::varying(base.number.powd(exponent.number))),
    }
}

/// xⁿ with a constant n.
fn constant_power<T: Real>(x: T, n: f64) -> Result<T, EvalErrorKind> {
    let base = x.re();
    let integer = n.fract() == 0.0;
    if base == 0.0 && n < 0.0 {
        Err(EvalErrorKind::DivisionByZero)
    } else if integer && n.abs() <= LARGEST_PRODUCT {
        let product = product(x, n.abs() as u32);
        Ok(if n < 0.0 { product.recip() } else { product })
    } else if base == 0.0 {
        power_of_zero(x, n)
    } else if base < 0.0 && !integer {
        Err(EvalErrorKind::PowerOfNegative { base, exponent: n })
    } else {
        // xⁿ = baseⁿ (x/base)ⁿ: the second factor is a power of 1, whose derivatives do not overflow.
        Ok((x / base).powf(n) * base.powf(n))
    }
}

/// xⁿ for integer n ≥ 0 by squaring.
fn product<T: Real>(x: T, n: u32) -> T {
    let mut result = T::one();
    for bit in (0..u32::BITS - n.leading_zeros()).rev() {
        result = result * result;
        if n >> bit & 1 == 1 {
            result *= x;
        }
    }
    result
}

/// xⁿ at x = 0 where n is not a small integer: the derivatives of order below n vanish, the next is not finite.
fn power_of_zero<T: Real>(x: T, n: f64) -> Result<T, EvalErrorKind> {
    if n == 0.0 {
        // Only for an exponent that varies: x^y has no limit at (0, 0).
        Err(EvalErrorKind::OutOfDomain { function: "0^x", value: n })
    } else if n < 0.0 {
        Err(EvalErrorKind::DivisionByZero)
    } else if n > T::NDERIV as f64 {
        Ok(T::zero())
    } else {
        // The root has the value 0 and derivative parts that are not finite.
        Ok(x.sqrt())
    }
}

/// The rest-to-rest profile: the regularised incomplete beta function of u = (x − start)/(end − start),
/// I_u(k, k) = uᵏ Σ_{j<k} C(k+j−1, j) (1−u)ʲ, which is 0 before, 1 after, and C^(k−1).
#[inline(never)]
pub(super) fn rest<T: Real>(x: Value<T>, start: f64, end: f64, k: u32) -> Value<T> {
    let length = end - start;
    let u = (x.re() - start) / length;
    if u <= 0.0 {
        Value::fixed(0.0)
    } else if u >= 1.0 {
        Value::fixed(1.0)
    } else if u <= 0.5 {
        Value { number: half_profile((x.number - start) / length, k), fixed: x.fixed }
    } else {
        // I_u = 1 − I_{1−u}: near the end the derivatives are then small numbers, not differences of large ones.
        Value { number: -half_profile((-x.number + end) / length, k) + 1.0, fixed: x.fixed }
    }
}

/// The profile for 0 < u ≤ 1/2, the sum by Horner's rule from the last term.
fn half_profile<T: Real>(u: T, k: u32) -> T {
    let v = -u + 1.0;
    product(u, k) * rest_coefficients(k).fold(T::zero(), |sum, coefficient| sum * v + coefficient)
}

/// C(k+j−1, j) for j = k−1, …, 0, each from the one before: C(k+j−1, j) = C(k+j, j+1) (j+1)/(k+j).
/// They are integers below 2⁵³ and multiplied before they are divided, hence exact.
pub(super) fn rest_coefficients(k: u32) -> impl Iterator<Item = f64> {
    let last = (1..k).fold(1.0, |c, j| c * f64::from(k + j - 1) / f64::from(j));
    let others = (0..k - 1).rev().scan(last, move |coefficient, j| {
        *coefficient = *coefficient * f64::from(j + 1) / f64::from(k + j);
        Some(*coefficient)
    });
    std::iter::once(last).chain(others)
}
