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
    source: Source,
}

/// Where the values come from.
#[derive(Debug, Clone)]
enum Source {
    /// An expression.
    Program(Arc<Program>),
    /// Values at equally distant instants.
    Samples(Arc<Samples>),
}

/// Values at instants `dt` apart from `start`; the first and the last one hold beyond them.
#[derive(Debug)]
struct Samples {
    start: f64,
    dt: f64,
    values: Vec<f64>,
}

impl Samples {
    /// The cubic through the four values around t.
    fn eval<T: Real>(&self, t: T) -> T {
        let last = self.values.len().saturating_sub(1);
        let u = (t.re() - self.start) / self.dt;
        if u <= 0.0 || last == 0 {
            return T::from(self.values.first().copied().unwrap_or(f64::NAN));
        }
        if u >= last as f64 {
            return T::from(self.values[last]);
        }
        let base = (u.floor() as usize).saturating_sub(1).min(last.saturating_sub(3));
        let points = &self.values[base..=last.min(base + 3)];
        let x = (t - T::from(self.start)) / T::from(self.dt) - T::from(base as f64);
        let mut sum = T::from(0.0);
        for (i, value) in points.iter().enumerate() {
            let mut term = T::from(*value);
            for j in (0..points.len()).filter(|j| *j != i) {
                term *= (x - T::from(j as f64)) / T::from(i as f64 - j as f64);
            }
            sum += term;
        }
        sum
    }
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
        Function { source: Source::Program(Arc::new(Program::new(Code::constant(v), &Scope::empty()))) }
    }

    /// The function with these values at instants `dt` apart from `start`, cubics between them, and constant beyond.
    ///
    /// ```
    /// use lariat::kernel::Function;
    ///
    /// let f = Function::sampled(1.0, 0.5, vec![0.0, 1.0, 4.0, 9.0]);
    /// assert_eq!(f.value(2.0).unwrap(), 4.0);
    /// // (2 (t - 1))² at t = 1.75.
    /// let jet = f.jet(1.75).unwrap();
    /// assert!((jet.value - 2.25).abs() < 1e-14 && (jet.first - 6.0).abs() < 1e-13 && (jet.second - 8.0).abs() < 1e-12);
    /// assert_eq!(f.value(7.0).unwrap(), 9.0);
    /// ```
    pub fn sampled(start: f64, dt: f64, values: Vec<f64>) -> Function {
        Function { source: Source::Samples(Arc::new(Samples { start, dt, values })) }
    }

    /// Reads an expression of `t` and the names of `scope`.
    pub fn compile(source: &Expression, scope: &Scope) -> Result<Function, CompileError> {
        let program = Program::new(Code::compile(None, source, scope, Domain::Time)?, scope);
        Ok(Function { source: Source::Program(Arc::new(program)) })
    }

    /// The value for a time that may carry derivatives.
    ///
    /// The real part of the result is finite. Where the value exists and a derivative does not, the derivative part is
    /// not finite; [`jet`](Function::jet) makes that an error.
    pub fn eval<T: Real>(&self, t: T) -> Result<T, EvalError> {
        match &self.source {
            Source::Program(program) => program.eval(Value::fixed(0.0), Value::varying(t)),
            Source::Samples(samples) => Ok(samples.eval(t)),
        }
    }

    /// The value.
    pub fn value(&self, t: f64) -> Result<f64, EvalError> {
        self.eval(t)
    }

    /// The value, of at most that size; samples are taken as they are.
    pub fn value_within(&self, t: f64, largest: f64) -> Result<f64, EvalError> {
        match &self.source {
            Source::Program(program) => program.eval_within(0.0, t, largest),
            Source::Samples(samples) => Ok(samples.eval(t)),
        }
    }

    /// The value and the first two derivatives, all finite.
    pub fn jet(&self, t: f64) -> Result<Jet, EvalError> {
        let second = Dual2_64::from_re(t).derivative();
        let Dual2_64 { re, v1, v2 } = self.eval(second)?;
        if v1.is_finite() && v2.is_finite() {
            return Ok(Jet { value: re, first: v1, second: v2 });
        }
        // Cubics have derivatives everywhere.
        let Source::Program(program) = &self.source else { return Ok(Jet { value: re, first: v1, second: v2 }) };
        let first = Dual64::from_re(t).derivative();
        Err(if self.eval(first)?.eps.is_finite() {
            let at = [Value::fixed(0.0), Value::varying(second)];
            program.blame(at, 2, |x| x.v1.is_finite() && x.v2.is_finite())
        } else {
            program.blame([Value::fixed(0.0), Value::varying(first)], 1, |x| x.eps.is_finite())
        })
    }

    /// The function over the numbers of an algebra, as [`Formula::lower`](super::Formula::lower) does; not a number for samples,
    /// among which an algebra cannot choose.
    pub fn lower<A: Algebra>(&self, algebra: A, time: A::Number) -> A::Number {
        let nowhere = algebra.constant(f64::NAN);
        match &self.source {
            Source::Program(program) => program.lower(&algebra, &[], [nowhere, time]),
            Source::Samples(_) => nowhere,
        }
    }

    /// Whether it does not depend on `t`.
    pub fn is_constant(&self) -> bool {
        match &self.source {
            Source::Program(program) => !program.depends_on(Variable::Time),
            Source::Samples(samples) => samples.values.windows(2).all(|pair| pair[0] == pair[1]),
        }
    }
}
