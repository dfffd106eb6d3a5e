//! Where formulas can be rebuilt.

use std::sync::Arc;

use crate::kernel::Spline;

/// A kind of number with the operations that formulas need, for example the expressions of a graph.
///
/// [`Formula::lower`](super::Formula::lower) rebuilds a formula from these. What the language has beyond them (`sign`,
/// `clamp`, `rest`, …) is made of them there.
///
/// ```
/// # use std::sync::Arc;
/// # use lariat::kernel::Spline;
/// use lariat::kernel::{Algebra, Expression, Formula, Scope};
///
/// /// The text of an expression, leaked so that it can be copied.
/// struct Text;
///
/// fn leak(text: String) -> &'static str {
///     text.leak()
/// }
///
/// impl Algebra for Text {
///     type Number = &'static str;
///     fn constant(&self, value: f64) -> &'static str {
///         leak(value.to_string())
///     }
///     fn add(&self, x: &'static str, y: &'static str) -> &'static str {
///         leak(format!("add({x}, {y})"))
///     }
///     fn mul(&self, x: &'static str, y: &'static str) -> &'static str {
///         leak(format!("mul({x}, {y})"))
///     }
///     fn sin(&self, x: &'static str) -> &'static str {
///         leak(format!("sin({x})"))
///     }
///     // …
/// #   fn neg(&self, x: &'static str) -> &'static str { x }
/// #   fn sub(&self, x: &'static str, _: &'static str) -> &'static str { x }
/// #   fn div(&self, x: &'static str, _: &'static str) -> &'static str { x }
/// #   fn powf(&self, x: &'static str, _: f64) -> &'static str { x }
/// #   fn pow(&self, x: &'static str, _: &'static str) -> &'static str { x }
/// #   fn cos(&self, x: &'static str) -> &'static str { x }
/// #   fn tan(&self, x: &'static str) -> &'static str { x }
/// #   fn asin(&self, x: &'static str) -> &'static str { x }
/// #   fn acos(&self, x: &'static str) -> &'static str { x }
/// #   fn atan(&self, x: &'static str) -> &'static str { x }
/// #   fn sinh(&self, x: &'static str) -> &'static str { x }
/// #   fn cosh(&self, x: &'static str) -> &'static str { x }
/// #   fn tanh(&self, x: &'static str) -> &'static str { x }
/// #   fn asinh(&self, x: &'static str) -> &'static str { x }
/// #   fn acosh(&self, x: &'static str) -> &'static str { x }
/// #   fn atanh(&self, x: &'static str) -> &'static str { x }
/// #   fn erf(&self, x: &'static str) -> &'static str { x }
/// #   fn table(&self, _: &Arc<Spline>, x: &'static str) -> &'static str { x }
/// #   fn exp(&self, x: &'static str) -> &'static str { x }
/// #   fn ln(&self, x: &'static str) -> &'static str { x }
/// #   fn log10(&self, x: &'static str) -> &'static str { x }
/// #   fn sqrt(&self, x: &'static str) -> &'static str { x }
/// #   fn abs(&self, x: &'static str) -> &'static str { x }
/// #   fn atan2(&self, y: &'static str, _: &'static str) -> &'static str { y }
/// #   fn min(&self, x: &'static str, _: &'static str) -> &'static str { x }
/// #   fn max(&self, x: &'static str, _: &'static str) -> &'static str { x }
/// #   fn if_less(&self, x: &'static str, _: &'static str, _: &'static str, _: &'static str) -> &'static str { x }
/// #   fn if_at_most(&self, x: &'static str, _: &'static str, _: &'static str, _: &'static str) -> &'static str { x }
/// }
///
/// let names = ["x".to_string(), "u".to_string()];
/// let f = Formula::compile(&Expression::Text("2*u + sin(x)".into()), &Scope::empty(), &names).unwrap();
/// assert_eq!(f.lower(Text, &["x1", "u1"], "t1"), "add(mul(2, u1), sin(x1))");
/// ```
pub trait Algebra {
    /// A number of this kind.
    type Number: Copy;

    /// A plain number.
    fn constant(&self, value: f64) -> Self::Number;
    /// −x.
    fn neg(&self, x: Self::Number) -> Self::Number;
    /// x + y.
    fn add(&self, x: Self::Number, y: Self::Number) -> Self::Number;
    /// x − y.
    fn sub(&self, x: Self::Number, y: Self::Number) -> Self::Number;
    /// x y.
    fn mul(&self, x: Self::Number, y: Self::Number) -> Self::Number;
    /// x/y.
    fn div(&self, x: Self::Number, y: Self::Number) -> Self::Number;
    /// xᵖ with a fixed exponent; whole powers of negative numbers exist.
    fn powf(&self, x: Self::Number, p: f64) -> Self::Number;
    /// xʸ.
    fn pow(&self, x: Self::Number, y: Self::Number) -> Self::Number;
    /// The sine.
    fn sin(&self, x: Self::Number) -> Self::Number;
    /// The cosine.
    fn cos(&self, x: Self::Number) -> Self::Number;
    /// The tangent.
    fn tan(&self, x: Self::Number) -> Self::Number;
    /// The inverse sine.
    fn asin(&self, x: Self::Number) -> Self::Number;
    /// The inverse cosine.
    fn acos(&self, x: Self::Number) -> Self::Number;
    /// The inverse tangent.
    fn atan(&self, x: Self::Number) -> Self::Number;
    /// The hyperbolic sine.
    fn sinh(&self, x: Self::Number) -> Self::Number;
    /// The hyperbolic cosine.
    fn cosh(&self, x: Self::Number) -> Self::Number;
    /// The hyperbolic tangent.
    fn tanh(&self, x: Self::Number) -> Self::Number;
    /// The inverse hyperbolic sine.
    fn asinh(&self, x: Self::Number) -> Self::Number;
    /// The inverse hyperbolic cosine.
    fn acosh(&self, x: Self::Number) -> Self::Number;
    /// The inverse hyperbolic tangent.
    fn atanh(&self, x: Self::Number) -> Self::Number;
    /// The error function.
    fn erf(&self, x: Self::Number) -> Self::Number;
    /// A function given by samples.
    fn table(&self, spline: &Arc<Spline>, x: Self::Number) -> Self::Number;
    /// The exponential function.
    fn exp(&self, x: Self::Number) -> Self::Number;
    /// The natural logarithm.
    fn ln(&self, x: Self::Number) -> Self::Number;
    /// The decimal logarithm.
    fn log10(&self, x: Self::Number) -> Self::Number;
    /// The square root.
    fn sqrt(&self, x: Self::Number) -> Self::Number;
    /// The absolute value.
    fn abs(&self, x: Self::Number) -> Self::Number;
    /// The angle of the point (x, y).
    fn atan2(&self, y: Self::Number, x: Self::Number) -> Self::Number;
    /// The smaller number.
    fn min(&self, x: Self::Number, y: Self::Number) -> Self::Number;
    /// The larger number.
    fn max(&self, x: Self::Number, y: Self::Number) -> Self::Number;
    /// `then` where x < y, else `otherwise`; the branch not taken need not have a value.
    fn if_less(&self, x: Self::Number, y: Self::Number, then: Self::Number, otherwise: Self::Number) -> Self::Number;
    /// `then` where x ≤ y, else `otherwise`; the branch not taken need not have a value.
    fn if_at_most(&self, x: Self::Number, y: Self::Number, then: Self::Number, otherwise: Self::Number)
    -> Self::Number;
}
