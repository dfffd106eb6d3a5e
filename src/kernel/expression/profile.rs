//! Functions along a rod: of arc length and time.

use std::sync::Arc;

use num_dual::{Dual2_64, Dual64};

use super::evaluate::Value;
use super::node::Variable;
use super::parse::Domain;
use super::program::{Code, Program};
use super::scope::Scope;
use super::{Algebra, CompileError, EvalError, Expression, Jet};
use crate::scalar::Real;

/// A function of the arc length `s` (metre) and the time `t` (second), compiled from an [`Expression`]. Cheap to clone.
///
/// ```
/// use lariat::kernel::{Expression, Profile, Scope};
/// use num_dual::Dual64;
///
/// let wave = Profile::compile(&Expression::Text("sin(pi*(s - 2*t))".into()), &Scope::empty()).unwrap();
/// assert_eq!(wave.value(0.5, 0.0).unwrap(), 1.0);
/// // The slope d/ds at s = 1, t = 0.
/// let slope = wave.eval(Dual64::from_re(1.0).derivative(), Dual64::from_re(0.0)).unwrap().eps;
/// assert!((slope + std::f64::consts::PI).abs() < 1e-15);
///
/// let taper = Profile::compile(&Expression::Text("1/(2 - s)".into()), &Scope::empty()).unwrap();
/// assert!(!taper.is_constant() && !taper.varies_in_time());
/// assert_eq!(taper.value(2.0, 0.0).unwrap_err().to_string(), "division by zero in `1/(2 - s)` at s = 2");
/// ```
#[derive(Debug, Clone)]
pub struct Profile {
    program: Arc<Program>,
}

impl Profile {
    /// The profile that is always and everywhere `v`.
    pub fn constant(v: f64) -> Profile {
        Profile { program: Arc::new(Program::new(Code::constant(v), &Scope::empty())) }
    }

    /// Reads an expression of `s`, `t` and the names of `scope`.
    pub fn compile(source: &Expression, scope: &Scope) -> Result<Profile, CompileError> {
        Ok(Profile { program: Arc::new(Program::new(Code::compile(None, source, scope, Domain::Along)?, scope)) })
    }

    /// The value for a place and a time that may carry derivatives.
    ///
    /// The real part of the result is finite. Where the value exists and a derivative does not, the derivative part is
    /// not finite.
    pub fn eval<T: Real>(&self, s: T, t: T) -> Result<T, EvalError> {
        self.program.eval(Value::varying(s), Value::varying(t))
    }

    /// The value.
    pub fn value(&self, s: f64, t: f64) -> Result<f64, EvalError> {
        self.eval(s, t)
    }

    /// The value, of at most that size.
    pub fn value_within(&self, s: f64, t: f64, largest: f64) -> Result<f64, EvalError> {
        self.program.eval_within(s, t, largest)
    }

    /// The value and its first two derivatives with respect to `s`, per metre, all finite.
    pub fn jet_along(&self, s: f64, t: f64) -> Result<Jet, EvalError> {
        let time = Value::fixed(t);
        let at = [Value::varying(Dual2_64::from_re(s).derivative()), Value::fixed(t)];
        let Dual2_64 { re, v1, v2 } = self.program.eval(at[0], at[1])?;
        if v1.is_finite() && v2.is_finite() {
            return Ok(Jet { value: re, first: v1, second: v2 });
        }
        let first = Value::varying(Dual64::from_re(s).derivative());
        Err(if self.program.eval(first, time)?.eps.is_finite() {
            self.program.blame(at, 2, |x| x.v1.is_finite() && x.v2.is_finite())
        } else {
            self.program.blame([first, time], 1, |x| x.eps.is_finite())
        })
    }

    /// The profile at a place over the numbers of an algebra, as [`Formula::lower`](super::Formula::lower) does.
    pub fn lower<A: Algebra>(&self, algebra: A, s: f64, time: A::Number) -> A::Number {
        let place = algebra.constant(s);
        self.program.lower(&algebra, &[], [place, time])
    }

    /// Whether it depends neither on `s` nor on `t`.
    pub fn is_constant(&self) -> bool {
        !self.varies_along() && !self.varies_in_time()
    }

    /// Whether it depends on `s`.
    pub fn varies_along(&self) -> bool {
        self.program.depends_on(Variable::ArcLength)
    }

    /// Whether it depends on `t`.
    pub fn varies_in_time(&self) -> bool {
        self.program.depends_on(Variable::Time)
    }
}
