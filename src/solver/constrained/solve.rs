//! A constrained solve from start to solution, in one call or step by step.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::checks::{CheckError, Checked, check, list};
use super::derivative_test::Random;
use super::engine::{Engine, Observer};
use super::explain::{Explanation, explain};
use super::hessian::kkt::Kkt;
use super::hessian::redundancy::dependent_rows;
use super::inequality::Inequalities;
use super::inequality::interior_point::InteriorPoint;
use super::inequality::sqp::SequentialQuadratic;
use super::options::{Method, Options};
use super::scaling::Scaling;
use super::standard::Standard;
use super::status::{IterationRecord, Status};
use super::termination::End;
use crate::nlp::{EvalFailure, Nlp};
use crate::solver::linear::LinearError;

/// A multiplier above this tells of dependent constraints or of a feasible set without interior.
const LARGE_MULTIPLIER: f64 = 1e6;

/// Variables and multipliers, as a start or as a result.
///
/// Signs: ∇f + Jᵀλ − z_L + z_U = 0 with z_L, z_U ≥ 0.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Iterate {
    /// Variables.
    pub x: Vec<f64>,
    /// Multipliers of the rows.
    pub lambda: Vec<f64>,
    /// Multipliers of the lower bounds of the variables.
    pub z_lower: Vec<f64>,
    /// Multipliers of the upper bounds of the variables.
    pub z_upper: Vec<f64>,
}

impl Iterate {
    /// A start without multipliers.
    pub fn at(x: &[f64]) -> Self {
        Self { x: x.to_vec(), ..Self::default() }
    }
}

/// The result of a constrained solve.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// Variables and multipliers of the unscaled program.
    pub iterate: Iterate,
    /// How the solve ended.
    pub status: Status,
    /// Objective.
    pub objective: f64,
    /// Values of the rows.
    pub rows: Vec<f64>,
    /// Largest violation of a row or bound, unscaled.
    pub violation: f64,
    /// Scaled optimality error.
    pub error: f64,
    /// The iteration table.
    pub iterations: Vec<IterationRecord>,
    /// Number of matrix factorisations.
    pub factorisations: usize,
    /// What stood in the way, in the words of the program; `None` when solved.
    pub message: Option<String>,
    /// What is remarkable about the program, for example rows that depend on each other.
    pub notes: Vec<String>,
    /// Why there is no feasible point, where that was asked for.
    pub explanation: Option<Explanation>,
}

/// Why a solve could not be begun.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SolveError {
    /// The program is ill posed.
    #[error(transparent)]
    Check(#[from] CheckError),
    /// The start cannot be evaluated.
    #[error("the program cannot be evaluated at the start: {0}")]
    Evaluation(#[from] EvalFailure),
    /// The linear system could not be set up.
    #[error("the linear system could not be set up: {}", .0.finding())]
    Linear(#[from] LinearError),
}

/// Solves a program from a start.
///
/// A start that ends at a local minimum of the violation proves little: further starts are tried before the program is
/// called infeasible, and the explanation then belongs to the first of them.
pub fn solve(nlp: &mut dyn Nlp, start: &Iterate, options: &Options, observe: Observer) -> Result<Solution, SolveError> {
    let mut solution = solve_once(nlp, start, options, observe)?;
    let mut random = Random(options.seed);
    let mut left = options.max_iterations.saturating_sub(solution.iterations.len() - 1);
    for attempt in 0..options.retries {
        if left == 0 || !matches!(solution.status, Status::Infeasible | Status::RestorationFailed) {
            break;
        }
        let bounds = nlp.bounds();
        let shifted = start.x.iter().zip(&bounds.x_lower).zip(&bounds.x_upper).map(|((x, lower), upper)| {
            let reach = (upper - lower).min(x.abs().max(1.0) * 4f64.powi(attempt as i32));
            (x + reach * (random.share() - 0.5)).clamp(*lower, *upper)
        });
        let other = Iterate { x: shifted.collect(), ..Iterate::default() };
        let other_options = Options { warm: false, test_derivatives: false, max_iterations: left, ..options.clone() };
        // A start that cannot be evaluated is no argument.
        let Ok(other) = solve_once(nlp, &other, &other_options, observe) else { continue };
        left = left.saturating_sub(other.iterations.len() - 1);
        match other.status {
            Status::Interrupted => solution.status = Status::Interrupted,
            Status::Infeasible | Status::RestorationFailed => (),
            _ if other.violation <= options.violation => {
                let iterations = solution.iterations.len() - 1;
                solution = other;
                solution.notes.push(format!(
                    "found from another start, after {iterations} iterations from the given one had ended where the \
                     violation is smallest locally"
                ));
            }
            _ => (),
        }
    }
    if solution.status == Status::Infeasible && options.explain {
        let explanation = explain(nlp, &solution, options, observe);
        let notes = solution.notes.iter().map(|note| format!("{note}. "));
        solution.message = Some(notes.collect::<String>() + &explanation.to_string());
        solution.explanation = Some(explanation);
    }
    Ok(solution)
}

fn solve_once(
    nlp: &mut dyn Nlp,
    start: &Iterate,
    options: &Options,
    observe: Observer,
) -> Result<Solution, SolveError> {
    let mut solve = Constrained::begin(nlp, start, options)?;
    if let Some(first) = solve.records().first().copied()
        && !observe(&first)
    {
        return Ok(solve.stop(nlp));
    }
    while solve.step(nlp, observe).is_none() {}
    Ok(solve.finish(nlp))
}

/// A solve in progress, for callers that want control between steps.
///
/// The program is passed to every call and must be the same one.
pub struct Constrained {
    scaling: Scaling,
    engine: Engine,
    end: Option<End>,
    notes: Vec<String>,
    violation: f64,
    explain: bool,
}

impl Constrained {
    /// Checks the program and prepares the first step.
    pub fn begin(nlp: &mut dyn Nlp, start: &Iterate, options: &Options) -> Result<Self, SolveError> {
        let Checked { derivatives, notes } = check(nlp, start, options)?;
        let mut scaling = if options.scale {
            let jacobian = options.scale_rows.then_some(&derivatives.jacobian[..]);
            Scaling::from_derivatives(nlp, &derivatives.gradient, jacobian.unwrap_or_default())
        } else {
            Scaling::identity(nlp)
        };
        let scales = (scaling.objective, scaling.rows.clone());
        let mut scaled = scaling.view(nlp);
        let standard = Standard::widened(&scaled, options.violation, &scales.1);
        let kkt = Kkt::new(&scaled, &standard)?;
        let method: Box<dyn Inequalities> = match options.method {
            Method::InteriorPoint => Box::new(InteriorPoint::new(options, &standard, scales.0)),
            Method::Sqp => Box::new(SequentialQuadratic::new(options, &standard, scaled.hessian_pattern())),
        };
        let mut engine = Engine::new(&scaled, standard, kkt, method, options, scales, true);
        install(start, &mut engine);
        engine.begin(&mut scaled)?;
        Ok(Self { scaling, engine, end: None, notes, violation: options.violation, explain: options.explain })
    }

    /// Takes one step (restoration counts as one); `Some` when the solve has ended.
    pub fn step(&mut self, nlp: &mut dyn Nlp, observe: Observer) -> Option<Status> {
        if self.end.is_none() {
            self.end = self.engine.step(&mut self.scaling.view(nlp), observe);
        }
        self.end.as_ref().map(|end| end.status)
    }

    /// The iteration table so far.
    pub fn records(&self) -> &[IterationRecord] {
        &self.engine.records
    }

    /// Ends the solve where it is, with status `interrupted`.
    pub fn stop(mut self, nlp: &mut dyn Nlp) -> Solution {
        self.end = Some(Status::Interrupted.into());
        self.finish(nlp)
    }

    /// The current point in the units of the program.
    pub fn iterate(&self) -> Iterate {
        let Engine { standard, point, .. } = &self.engine;
        let (n, objective) = (standard.n, self.scaling.objective);
        let unscale = |z: &[f64]| z[..n].iter().map(|z| z / objective).collect();
        let lambda = point.lambda.iter().zip(&self.scaling.rows).map(|(lambda, row)| lambda * row / objective);
        Iterate {
            x: point.v[..n].to_vec(),
            lambda: lambda.collect(),
            z_lower: unscale(&point.z_lower),
            z_upper: unscale(&point.z_upper),
        }
    }

    /// The result; a solve that has not ended counts as interrupted.
    pub fn finish(mut self, nlp: &mut dyn Nlp) -> Solution {
        let end = self.end.take().unwrap_or(Status::Interrupted.into());
        if end.status == Status::Solved {
            self.engine.settle_multipliers(&self.scaling.view(nlp));
        }
        let error = self.engine.errors(&self.scaling.view(nlp)).total();
        let mut notes = std::mem::take(&mut self.notes);
        let factorisations = self.engine.kkt.factorisations;
        if self.explain {
            let Engine { standard, point, kkt, .. } = &mut self.engine;
            let rows = dependent_rows(&self.scaling.view(nlp), standard, point, kkt);
            if !rows.is_empty() {
                notes.push(format!("these rows repeat or contradict each other: {}", list(&rows)));
            }
        }
        let mut iterate = self.iterate();
        if end.status != Status::Infeasible {
            self.multiply_fixed(nlp, &mut iterate);
        }
        let (objective, rows, violation) = self.evaluate_inside(nlp, &mut iterate.x);
        let mut message = match end.status {
            Status::Solved => None,
            _ => Some(self.obstacles(nlp, &rows, &end)).filter(|text| !text.is_empty()),
        };
        let mut status = end.status;
        if status == Status::Solved && !(objective.is_finite() && violation.is_finite()) {
            status = Status::Stalled;
            message = Some("the program cannot be evaluated at the last point".to_owned());
        }
        Solution {
            iterate,
            status,
            objective,
            rows,
            violation,
            error,
            factorisations,
            message,
            notes,
            explanation: None,
            iterations: self.engine.records,
        }
    }

    /// Gives fixed variables, which the methods leave out, the bound multipliers that their slope asks for.
    fn multiply_fixed(&mut self, nlp: &mut dyn Nlp, iterate: &mut Iterate) {
        let scaled = self.scaling.view(nlp);
        let mut slope = vec![0.0; self.engine.standard.len()];
        let Engine { standard, point, .. } = &self.engine;
        point.lagrangian_gradient(standard, scaled.jacobian_pattern(), &mut slope);
        for i in (0..standard.n).filter(|&i| standard.fixed[i]) {
            let slope = slope[i] / self.engine.scales().0;
            (iterate.z_lower[i], iterate.z_upper[i]) = (slope.max(0.0), (-slope).max(0.0));
        }
    }

    /// Objective, rows and largest violation at the point, which is moved inside the bounds that were widened for the solve
    /// unless rows are so steep that this would violate them.
    fn evaluate_inside(&self, nlp: &mut dyn Nlp, x: &mut Vec<f64>) -> (f64, Vec<f64>, f64) {
        let bounds = nlp.bounds().clone();
        let evaluate = |nlp: &mut dyn Nlp, x: &[f64]| {
            let mut rows = vec![0.0; bounds.rows()];
            let objective = nlp.objective(x).unwrap_or(f64::NAN);
            if nlp.constraints(x, &mut rows).is_err() {
                rows.fill(f64::NAN);
            }
            let outside = |value: &f64, lower: &f64, upper: &f64| (lower - value).max(value - upper).max(0.0);
            let of_rows = rows.iter().zip(&bounds.c_lower).zip(&bounds.c_upper).map(|((c, l), u)| outside(c, l, u));
            let of_bounds = x.iter().zip(&bounds.x_lower).zip(&bounds.x_upper).map(|((x, l), u)| outside(x, l, u));
            let violation =
                of_rows.chain(of_bounds).fold(0.0, |worst: f64, v| if v > worst || v.is_nan() { v } else { worst });
            (objective, rows, violation)
        };
        let clamped = x.iter().zip(&bounds.x_lower).zip(&bounds.x_upper).map(|((x, l), u)| x.clamp(*l, *u));
        let clamped: Vec<f64> = clamped.collect();
        let inside = evaluate(nlp, &clamped);
        let is_good = |found: &(f64, Vec<f64>, f64)| found.0.is_finite() && found.2 <= self.violation;
        if !is_good(&inside) {
            let outside = evaluate(nlp, x);
            if is_good(&outside) {
                return outside;
            }
        }
        *x = clamped;
        inside
    }

    /// What keeps the last point from being a solution, by name; `rows` are the values of the rows there.
    fn obstacles(&mut self, nlp: &mut dyn Nlp, rows: &[f64], end: &End) -> String {
        let mut parts: Vec<String> = end.reason.iter().cloned().collect();
        if matches!(end.status, Status::Unbounded | Status::Diverging) {
            return parts.join("; ");
        }
        let bounds = nlp.bounds();
        let outside = rows.iter().enumerate().map(|(i, c)| (bounds.c_lower[i] - c).max(c - bounds.c_upper[i]).max(0.0));
        let outside: Vec<f64> = outside.collect();
        if let Some(row) = largest(&outside) {
            parts.push(format!("largest violation {:.2e} in {}", outside[row], nlp.row_name(row)));
        }
        let (n, scaled, engine) = (self.engine.standard.n, self.scaling.view(nlp), &self.engine);
        let mut slope = vec![0.0; engine.standard.len()];
        engine.point.lagrangian_gradient(&engine.standard, scaled.jacobian_pattern(), &mut slope);
        for (i, slope) in slope.iter_mut().enumerate() {
            let fixed = engine.standard.fixed[i] || i >= n;
            *slope = if fixed { 0.0 } else { *slope - engine.point.z_lower[i] + engine.point.z_upper[i] };
        }
        if let Some(i) = largest(&slope) {
            let size = slope[i].abs();
            parts.push(format!("largest slope of the Lagrangian {size:.2e} by {}", scaled.variable_name(i)));
        }
        if let Some(row) =
            largest(&engine.point.lambda).filter(|&row| engine.point.lambda[row].abs() > LARGE_MULTIPLIER)
        {
            let size = engine.point.lambda[row].abs();
            let name = scaled.row_name(row);
            parts.push(format!(
                "the multiplier {size:.1e} of {name} tells of constraints that are dependent or leave no room"
            ));
        }
        parts.join("; ")
    }
}

/// Place of the largest magnitude, if that is not zero.
fn largest(values: &[f64]) -> Option<usize> {
    let place = values.iter().enumerate().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())).map(|(place, _)| place)?;
    (values[place] != 0.0).then_some(place)
}

/// Writes a start into the engine, scaled.
fn install(start: &Iterate, engine: &mut Engine) {
    let n = engine.standard.n;
    engine.point.v[..n].copy_from_slice(&start.x);
    let (objective, rows) = engine.scales();
    let lambda: Vec<f64> = start.lambda.iter().zip(rows).map(|(lambda, row)| lambda * objective / row).collect();
    if lambda.len() == engine.standard.m {
        for (i, &lambda) in lambda.iter().enumerate() {
            engine.point.z_lower[n + i] = (-lambda).max(0.0);
            engine.point.z_upper[n + i] = lambda.max(0.0);
        }
        engine.point.lambda = lambda;
        // What has no bound has no multiplier.
        for row in (0..engine.standard.m).filter(|&row| engine.standard.open[row]) {
            engine.point.lambda[row] = 0.0;
        }
    }
    for (to, from) in [(&mut engine.point.z_lower, &start.z_lower), (&mut engine.point.z_upper, &start.z_upper)] {
        if from.len() == n {
            to[..n].iter_mut().zip(from).for_each(|(to, from)| *to = from.max(0.0) * objective);
        }
    }
    for i in 0..engine.standard.len() {
        if !engine.standard.has_lower(i) {
            engine.point.z_lower[i] = 0.0;
        }
        if !engine.standard.has_upper(i) {
            engine.point.z_upper[i] = 0.0;
        }
    }
}
