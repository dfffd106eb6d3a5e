//! A function of time.

use std::sync::Arc;

use num_dual::{Dual2_64, Dual64};

use super::evaluate::Value;
use super::node::Variable;
use super::parse::Domain;
use super::program::{Code, Program};
use super::scope::Scope;
use super::{Algebra, CompileError, EvalError, Expression};
use crate::scalar::Real;

/// A function of time, compiled from an [`Expression`]. Cheap to clone.
///
/// ```
/// use lariat::kernel::{Expression, Function, Scope};
/// use num_dual::{Dual64, DualNum};
///
/// let f = Function::compile(&Expression::Text("-t^2 + 3*t".into()), &Scope::empty()).unwrap();
/// assert_eq!(f.value(2.0).unwrap(), 2.0);
/// let jet = f.jet(2.0).unwrap();
/// assert_eq!((jet.value, jet.first, jet.second), (2.0, -1.0, -2.0));
/// // Over dual numbers: d/dx f(sin x) at x = 0.
/// assert_eq!(f.eval(Dual64::from_re(0.0).derivative().sin()).unwrap().eps, 3.0);
/// assert!(!f.is_constant());
/// ```
#[derive(Debug, Clone)]
pub struct Function {
    program: Arc<Program>,
}

/// A value with its first and second derivative with respect to time; for [`Profile::jet_along`](super::Profile) with
/// respect to arc length, per metre.
///
/// ```
/// use lariat::kernel::{Function, Jet};
///
/// assert_eq!(Function::constant(3.0).jet(1.0).unwrap(), Jet { value: 3.0, ..Jet::default() });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Jet {
    /// The value.
    pub value: f64,
    /// The first derivative, per second.
    pub first: f64,
    /// The second derivative, per second squared.
    pub second: f64,
}

impl Function {
    /// The function that is always `v`.
    pub fn constant(v: f64) -> Function {
        Function { program: Arc::new(Program::new(Code::constant(v), &Scope::empty())) }
    }

    /// Reads an expression of `t` and the names of `scope`.
    pub fn compile(source: &Expression, scope: &Scope) -> Result<Function, CompileError> {
        Ok(Function { program: Arc::new(Program::new(Code::compile(None, source, scope, Domain::Time)?, scope)) })
    }

    /// The value for a time that may carry derivatives.
    ///
    /// The real part of the result is finite. Where the value exists and a derivative does not, the derivative part is
    /// not finite; [`jet`](Function::jet) makes that an error.
    pub fn eval<T: Real>(&self, t: T) -> Result<T, EvalError> {
        self.program.eval(Value::fixed(0.0), Value::varying(t))
    }

    /// The value.
    pub fn value(&self, t: f64) -> Result<f64, EvalError> {
        self.eval(t)
    }

    /// The value and the first two derivatives, all finite.
    pub fn jet(&self, t: f64) -> Result<Jet, EvalError> {
        let second = Dual2_64::from_re(t).derivative();
        let Dual2_64 { re, v1, v2 } = self.eval(second)?;
        if v1.is_finite() && v2.is_finite() {
            return Ok(Jet { value: re, first: v1, second: v2 });
        }
        let first = Dual64::from_re(t).derivative();
        Err(if self.eval(first)?.eps.is_finite() {
            let at = [Value::fixed(0.0), Value::varying(second)];
            self.program.blame(at, 2, |x| x.v1.is_finite() && x.v2.is_finite())
        } else {
            self.program.blame([Value::fixed(0.0), Value::varying(first)], 1, |x| x.eps.is_finite())
        })
    }

    /// The function over the numbers of an algebra, as [`Formula::lower`](super::Formula::lower) does.
    pub fn lower<A: Algebra>(&self, algebra: A, time: A::Number) -> A::Number {
        let nowhere = algebra.constant(f64::NAN);
        self.program.lower(&algebra, &[], [nowhere, time])
    }

    /// Whether it does not depend on `t`.
    pub fn is_constant(&self) -> bool {
        !self.program.depends_on(Variable::Time)
    }
}
