//! Formulas of named variables.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::builtin::{self, Binary, Unary};
use super::evaluate::{Fault, Point, Value};
use super::node::{Kind, Node, Variable};
use super::parse::Domain;
use super::program::{Code, Program};
use super::scope::Scope;
use super::token::{Span, is_variable};
use super::{Algebra, CompileError, CompileErrorKind, EvalError, EvalErrorKind, Expression};
use crate::scalar::Real;

/// A function of named variables and the time, compiled from an [`Expression`]: a Lagrangian, a cost or a constraint.
/// Cheap to clone.
///
/// The variables are those of a list of names; values are given in the order of that list.
///
/// ```
/// use lariat::kernel::{Expression, Formula, Scope};
///
/// let names = ["theta", "theta_dot", "u"].map(String::from);
/// let text = |text: &str| Expression::Text(text.to_string());
/// let scope = Scope::new(&[("g".to_string(), text("9.81"))].into()).unwrap();
/// let lagrangian = Formula::compile(&text("theta_dot^2/2 + g*cos(theta)"), &scope, &names).unwrap();
/// assert_eq!(lagrangian.value(&[0.0, 2.0, 7.0], 0.0).unwrap(), 11.81);
/// assert!(lagrangian.mentions(1) && !lagrangian.mentions(2) && !lagrangian.depends_on_time());
///
/// let error = Formula::compile(&text("theta_dt^2"), &scope, &names).unwrap_err();
/// assert_eq!(error.help().as_deref(), Some("did you mean `theta_dot`?"));
/// let force = Formula::compile(&text("u + 1/(2 - theta)"), &scope, &names).unwrap();
/// let error = force.value(&[2.0, 0.0, 0.0], 0.0).unwrap_err();
/// assert_eq!(error.to_string(), "division by zero in `1/(2 - theta)` at theta = 2");
/// ```
#[derive(Debug, Clone)]
pub struct Formula {
    program: Arc<Program>,
    names: Arc<[String]>,
}

impl Formula {
    /// The formula that is always `v`, whatever variables it is given.
    pub fn constant(v: f64) -> Formula {
        Formula { program: Arc::new(Program::new(Code::constant(v), &Scope::empty())), names: Arc::new([]) }
    }

    /// Reads an expression of the variables `names`, of `t` and of the names of `scope`.
    ///
    /// If a name itself is at fault the span of the error is empty. `floor` and `mod` of what depends on a variable or
    /// on the time are refused.
    pub fn compile(source: &Expression, scope: &Scope, names: &[String]) -> Result<Formula, CompileError> {
        Formula::check_names(names, scope)?;
        let program = Program::new(Code::compile(None, source, scope, Domain::Named(names))?, scope);
        refuse_endless_jumps(&program, names)?;
        Ok(Formula { program: Arc::new(program), names: names.into() })
    }

    /// Whether these can be the names of variables beside the definitions of `scope`.
    pub fn check_names(names: &[String], scope: &Scope) -> Result<(), CompileError> {
        let mut known = BTreeSet::new();
        for name in names {
            let (name, owned) = (name.as_str(), name.clone());
            let kind = match builtin::meaning(name) {
                Some(meaning) => CompileErrorKind::ReservedVariable { name: owned, meaning },
                None if !is_variable(name) => CompileErrorKind::InvalidName { name: owned },
                None if scope.defines(name) => CompileErrorKind::VariableInLet { name: owned },
                None if scope.table(name).is_some() => CompileErrorKind::VariableInTable { name: owned },
                None if !known.insert(name) => CompileErrorKind::RepeatedVariable { name: owned },
                None => continue,
            };
            return Err(Span::new(0, 0).error(kind));
        }
        Ok(())
    }

    /// The value.
    pub fn value(&self, variables: &[f64], t: f64) -> Result<f64, EvalError> {
        self.eval(variables, t)
    }

    /// The value for variables and a time that may carry derivatives.
    ///
    /// The real part of the result is finite. Where the value exists and a derivative does not, the derivative part is
    /// not finite.
    pub fn eval<T: Real>(&self, variables: &[T], t: T) -> Result<T, EvalError> {
        let point = Point { s: Value::fixed(0.0), t: Value::varying(t), named: variables };
        if self.mentions_any() && variables.len() != self.names.len() {
            return Err(self.wrong_count(variables.len(), t.re()));
        }
        self.program.value(point).map_err(|fault| self.error(fault, &point))
    }

    /// The formula over the numbers of an algebra, where it has the same values; its derivatives are right wherever
    /// they exist. Each definition of `[let]` is rebuilt once and shared.
    ///
    /// An algebra need not find every failure that [`value`](Formula::value) finds. A function without a derivative
    /// somewhere, of something that stands still there, is for the algebra to judge: `sqrt(clamp(x, 0, 1))` at x = −1
    /// is constant for [`eval`](Formula::eval), while expression graphs fail in words.
    ///
    /// # Panics
    ///
    /// If a variable that is mentioned is not among `variables`.
    pub fn lower<A: Algebra>(&self, algebra: A, variables: &[A::Number], time: A::Number) -> A::Number {
        // Formulas that mention `s` are not compiled.
        let nowhere = algebra.constant(f64::NAN);
        self.program.lower(&algebra, variables, [nowhere, time])
    }

    /// Whether the variable of that position in the list of names occurs.
    pub fn mentions(&self, index: usize) -> bool {
        self.program.depends_on(Variable::Named(index))
    }

    /// Whether it depends neither on a variable nor on the time.
    pub fn is_constant(&self) -> bool {
        !self.depends_on_time() && !self.mentions_any()
    }

    /// Whether it depends on `t`, directly or by a `[let]`.
    pub fn depends_on_time(&self) -> bool {
        self.program.depends_on(Variable::Time)
    }

    fn mentions_any(&self) -> bool {
        (0..self.names.len()).any(|index| self.mentions(index))
    }

    fn wrong_count(&self, found: usize, t: f64) -> EvalError {
        let Code { node, text, .. } = &self.program.body;
        let (span, kind) = (node.span.range(), EvalErrorKind::VariableCount { expected: self.names.len(), found });
        let text = text.get(span.clone()).unwrap_or_default().to_owned();
        EvalError { in_let: None, span, text, s: None, t, steady: true, variables: Vec::new(), kind }
    }

    /// The error with the values of the variables that occur in the part at fault.
    fn error<T: Real>(&self, fault: Fault, point: &Point<T>) -> EvalError {
        let code = self.program.at_fault(&fault);
        let (mut time, mut named) = (false, BTreeSet::new());
        code.node.visit(&mut |node| {
            if fault.span.start <= node.span.start && node.span.end <= fault.span.end {
                match node.kind {
                    Kind::Variable(Variable::Named(index)) => _ = named.insert(index),
                    Kind::Variable(Variable::Time) => time = true,
                    Kind::Let(index) => time |= depends_on_time(&self.program, index),
                    _ => {}
                }
            }
        });
        EvalError {
            in_let: code.name.clone(),
            span: fault.span.range(),
            text: code.text.get(fault.span.range()).unwrap_or_default().to_owned(),
            s: None,
            t: point.t.re(),
            steady: !time,
            variables: named.into_iter().map(|index| (self.names[index].clone(), point.named[index].re())).collect(),
            kind: fault.kind,
        }
    }
}

/// Whether the `[let]` of that position in the scope depends on `t`.
fn depends_on_time(program: &Program, index: usize) -> bool {
    program.lets[program.positions[index]].depends_on(Variable::Time)
}

/// A function that jumps at infinitely many places, where it stands, and a variable that makes it jump.
struct Jump {
    function: &'static str,
    span: Span,
    variable: Variable,
}

/// Other algebras than plain numbers have no `floor` and `mod`: of numbers alone these are computed beforehand, of
/// anything that varies they are a mistake, also inside a `[let]`.
fn refuse_endless_jumps(program: &Program, names: &[String]) -> Result<(), CompileError> {
    // For each `[let]` the function that jumps in it or in those it needs.
    let mut jumping: Vec<Option<&'static str>> = Vec::with_capacity(program.lets.len());
    for code in &program.lets {
        let own = jump(&code.node, program).map(|jump| jump.function);
        jumping.push(own.or_else(|| needed(&code.node, program, &jumping).map(|(_, function)| function)));
    }
    let body = &program.body;
    if let Some(Jump { function, span, variable }) = jump(&body.node, program) {
        let variable = variable.name(names).to_owned();
        return Err(span.error(CompileErrorKind::EndlessJumps { function, variable }));
    }
    match needed(&body.node, program, &jumping) {
        Some((Mention { span, position }, function)) => {
            let name = program.lets[position].name.clone().unwrap_or_default();
            Err(span.error(CompileErrorKind::EndlessJumpsInDefinition { name, function }))
        }
        None => Ok(()),
    }
}

/// A `[let]` by its position in the program, and where it is mentioned.
struct Mention {
    span: Span,
    position: usize,
}

/// The first mention of a `[let]` that jumps, and what jumps in it.
fn needed(tree: &Node, program: &Program, jumping: &[Option<&'static str>]) -> Option<(Mention, &'static str)> {
    let mut found = None;
    tree.visit(&mut |node| {
        if let Kind::Let(index) = node.kind {
            let position = program.positions[index];
            if let Some(function) = jumping[position] {
                found.get_or_insert((Mention { span: node.span, position }, function));
            }
        }
    });
    found
}

/// The first `floor` or `mod` of something that varies.
fn jump(tree: &Node, program: &Program) -> Option<Jump> {
    let mut found = None;
    tree.visit(&mut |node| {
        let function = match node.kind {
            Kind::Unary(Unary::Floor, _) => "floor",
            Kind::Binary(Binary::Mod, _) => "mod",
            _ => return,
        };
        if let Some(variable) = first_variable(node, program) {
            found.get_or_insert(Jump { function, span: node.span, variable });
        }
    });
    found
}

/// The first variable that a sub-expression depends on, directly or by a `[let]`.
fn first_variable(tree: &Node, program: &Program) -> Option<Variable> {
    let mut found = None;
    tree.visit(&mut |node| match node.kind {
        Kind::Variable(variable) => _ = found.get_or_insert(variable),
        Kind::Let(index) if depends_on_time(program, index) => _ = found.get_or_insert(Variable::Time),
        _ => {}
    });
    found
}
