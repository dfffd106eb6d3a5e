//! Functions of time, of arc length and time, and of named variables, in problem files.
//!
//! Wherever a problem file expects a function it takes a number or a text in this small language:
//!
//! | what | how |
//! |---|---|
//! | numbers | `1`, `1.5`, `.5`, `1e-3`, `2E+4` |
//! | variable | `t`, the time in seconds; in a [`Profile`] also `s`, the arc length in metres; in a [`Formula`] its own |
//! | constants | `pi`, `e`, and every name of `[let]` |
//! | operators | `+ - * / ^`; `^` groups to the right and binds tighter than a sign: `-t^2` is `-(t^2)` |
//! | functions of one argument | `sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh erf exp ln log log10 sqrt abs sign step floor` |
//! | functions of two | `atan2(y, x)`, `hypot(x, y)`, `pow(x, y)`, `mod(x, y)` (takes the sign of `y`) |
//! | functions of more | `min(a, b, …)`, `max(a, b, …)`, `clamp(x, low, high)` |
//! | choice | `if(a < b, x, y)` with `<`, `<=`, `>` or `>=`; only the chosen branch is evaluated |
//! | samples | `name(x)` of a table of the scope; `name` alone is `name(t)` |
//! | rest to rest | `rest(t, t0, t1, k)`: 0 before `t0`, 1 after `t1`, with `k - 1` continuous derivatives |
//!
//! `log` is the natural logarithm, `step(x)` is 1 from `x = 0` on. A [`Function`] or [`Profile`] is evaluated over any
//! [`Real`](crate::scalar::Real), so its derivatives are exact; where a function switches (`abs`, `min`, `clamp`, `if`,
//! …) they are those of the active branch. A value or derivative that does not exist is an [`EvalError`], never a NaN.
//! A [`Formula`] can also be rebuilt in any [`Algebra`], which is how it becomes part of an expression graph.
//!
//! ```
//! use std::collections::BTreeMap;
//! use lariat::kernel::{Expression, Function, Scope};
//!
//! let lets = BTreeMap::from([
//!     ("phi".to_string(), Expression::Text("pi/2".into())),
//!     ("sigma".to_string(), Expression::Text("rest(t, 2, 4, 5)".into())),
//! ]);
//! let scope = Scope::new(&lets).unwrap();
//! let angle = Function::compile(&Expression::Text("phi*sigma".into()), &scope).unwrap();
//! let end = angle.jet(5.0).unwrap();
//! assert_eq!((end.value, end.first, end.second), (std::f64::consts::FRAC_PI_2, 0.0, 0.0));
//! ```

mod algebra;
mod builtin;
mod compile_error;
mod elementary;
mod eval_error;
mod evaluate;
mod formula;
mod function;
mod lower;
mod node;
mod parse;
mod power;
mod profile;
mod program;
mod scalar;
mod scope;
mod source;
mod token;

#[cfg(test)]
mod tests;

pub use algebra::Algebra;
pub use builtin::Arity;
pub use compile_error::{CompileError, CompileErrorKind};
pub use eval_error::{EvalError, EvalErrorKind};
pub use formula::Formula;
pub use function::{Function, Jet};
pub use power::LARGEST_REST;
pub use profile::Profile;
pub use scalar::FormulaScalar;
pub use scope::Scope;
pub use source::Expression;
pub use token::numbers_in;
