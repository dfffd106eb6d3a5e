//! What is tested before the first iteration: sizes, bounds, the start, derivatives, and the count of equations.

use thiserror::Error;

use super::derivative_test::{WrongDerivative, test_derivatives};
use super::inequality::interior_point::PUSH;
use super::options::{DependentRows, Options};
use super::solve::Iterate;
use super::standard::Standard;
use crate::nlp::{Bounds, EvalFailure, Nlp, PatternBuilder, PatternError};
use crate::solver::linear::overdetermined;

/// Why a program or start is ill posed.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum CheckError {
    /// An array has the wrong size.
    #[error("the {what} has {found} entries, expected {expected}")]
    WrongSize {
        /// Which array.
        what: &'static str,
        /// Its size.
        found: usize,
        /// The size it should have.
        expected: usize,
    },
    /// An entry of a pattern lies outside the matrix, or above the diagonal of the Hessian.
    #[error("the pattern of the {what} is wrong: {reason}")]
    WrongPattern {
        /// Which matrix.
        what: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// The lower bound of a variable or row exceeds the upper one, or is not a number.
    #[error("{name}: no value lies between the lower bound {lower} and the upper bound {upper}")]
    EmptyInterval {
        /// The variable or row.
        name: String,
        /// Lower bound.
        lower: f64,
        /// Upper bound.
        upper: f64,
    },
    /// The start of a variable or multiplier is not a finite number.
    #[error("{name}: the start is {value}, expected a finite number")]
    StartNotFinite {
        /// The variable or row.
        name: String,
        /// Its start.
        value: f64,
    },
    /// Objective, rows or derivatives cannot be evaluated at the start.
    #[error("the program cannot be evaluated at the start: {0}")]
    Evaluation(#[from] EvalFailure),
    /// A row without free variables is violated.
    #[error("{name}: its value {value} is fixed, but must lie between {lower} and {upper}")]
    ConstantRow {
        /// The row.
        name: String,
        /// Its value.
        value: f64,
        /// Lower bound.
        lower: f64,
        /// Upper bound.
        upper: f64,
    },
    /// More equations than variables that can move.
    #[error("{equations} equations for {variables} free variables: too few degrees of freedom, {}", list(.rows))]
    TooFewDegrees {
        /// Number of equations.
        equations: usize,
        /// Number of variables that are not fixed.
        variables: usize,
        /// Equations of a part that has more of them than variables.
        rows: Vec<String>,
    },
    /// Some equations share fewer variables than there are of them: they contradict or repeat each other.
    #[error(
        "the equations are structurally dependent: {} equations ({}) hold only {} free variables ({})",
        .rows.len(), list(.rows), .variables.len(), list(.variables)
    )]
    Overdetermined {
        /// The equations.
        rows: Vec<String>,
        /// All free variables in them.
        variables: Vec<String>,
    },
    /// A derivative contradicts differences of the function.
    #[error(transparent)]
    WrongDerivative(#[from] WrongDerivative),
}

/// The first few names of a list.
pub(super) fn list(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let shown = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN { format!("{shown} and {} more", names.len() - SHOWN) } else { shown }
}

/// Derivatives of the objective up to this multiple of the tolerance are hardly seen.
const FLAT: f64 = 10.0;

/// First derivatives at the start.
pub(super) struct Derivatives {
    pub gradient: Vec<f64>,
    pub jacobian: Vec<f64>,
}

/// What the checks found out about a program that may be solved.
pub(super) struct Checked {
    pub derivatives: Derivatives,
    /// Doubts about the program.
    pub notes: Vec<String>,
}

/// Checks program and start.
pub(super) fn check(nlp: &mut dyn Nlp, start: &Iterate, options: &Options) -> Result<Checked, CheckError> {
    check_sizes(nlp, start)?;
    let bounds = nlp.bounds().clone();
    check_intervals(nlp, &bounds)?;
    check_start(nlp, start)?;
    let inside = start.x.iter().zip(&bounds.x_lower).zip(&bounds.x_upper).map(|((x, l), u)| x.clamp(*l, *u));
    let mut x: Vec<f64> = inside.collect();
    let derivatives = match evaluate(nlp, &x) {
        // The methods move the start off its bounds then, where what is infinite on them is not.
        Err(CheckError::Evaluation(failure)) => {
            Standard::exact(nlp).push_variables(&mut x, PUSH);
            evaluate(nlp, &x).map_err(|_| CheckError::Evaluation(failure))?
        }
        other => other?,
    };
    if options.test_derivatives {
        test_derivatives(nlp, &x, options.seed)?;
    }
    let notes = match check_equations(nlp, &x, &bounds, options) {
        Err(error @ (CheckError::TooFewDegrees { .. } | CheckError::Overdetermined { .. }))
            if options.dependent_rows == DependentRows::Try =>
        {
            vec![error.to_string()]
        }
        other => other.map(|()| Vec::new())?,
    };
    let mut notes = notes;
    let steepest = derivatives.gradient.iter().fold(0.0f64, |steepest, g| steepest.max(g.abs()));
    if steepest > 0.0 && steepest <= FLAT * options.tolerance {
        notes.push(format!(
            "no derivative of the objective exceeds {steepest:.1e} at the start, next to a tolerance of {:.1e}: \
             multiply the objective by a large number",
            options.tolerance
        ));
    }
    Ok(Checked { derivatives, notes })
}

fn check_sizes(nlp: &dyn Nlp, start: &Iterate) -> Result<(), CheckError> {
    let bounds = nlp.bounds();
    let (n, m) = (bounds.variables(), bounds.rows());
    let expect = |what, found, expected| {
        if found == expected { Ok(()) } else { Err(CheckError::WrongSize { what, found, expected }) }
    };
    expect("list of upper bounds of variables", bounds.x_upper.len(), n)?;
    expect("list of upper bounds of rows", bounds.c_upper.len(), m)?;
    expect("start", start.x.len(), n)?;
    for (what, found, expected) in [
        ("start of the row multipliers", start.lambda.len(), m),
        ("start of the lower bound multipliers", start.z_lower.len(), n),
        ("start of the upper bound multipliers", start.z_upper.len(), n),
    ] {
        if found != 0 {
            expect(what, found, expected)?;
        }
    }
    for (what, pattern, nrows) in [("Jacobian", nlp.jacobian_pattern(), m), ("Hessian", nlp.hessian_pattern(), n)] {
        let (rows, columns) = (pattern.nrows(), pattern.ncols());
        if (rows, columns) != (nrows, n) {
            let reason = format!("its size is {rows} × {columns}, expected {nrows} × {n}");
            return Err(CheckError::WrongPattern { what, reason });
        }
    }
    let hessian = nlp.hessian_pattern();
    let above = (0..n).find(|&column| hessian.row_idx()[hessian.column(column)].iter().any(|&row| row < column));
    match above {
        None => Ok(()),
        Some(column) => {
            let reason = format!("column {column} has entries above the diagonal, expected the lower triangle");
            Err(CheckError::WrongPattern { what: "Hessian", reason })
        }
    }
}

fn check_intervals(nlp: &dyn Nlp, bounds: &Bounds) -> Result<(), CheckError> {
    let empty = |lower: f64, upper: f64| !(lower <= upper) || lower == f64::INFINITY || upper == f64::NEG_INFINITY;
    let find = |lower: &[f64], upper: &[f64]| lower.iter().zip(upper).position(|(l, u)| empty(*l, *u));
    if let Some(i) = find(&bounds.x_lower, &bounds.x_upper) {
        let (lower, upper) = (bounds.x_lower[i], bounds.x_upper[i]);
        return Err(CheckError::EmptyInterval { name: nlp.variable_name(i), lower, upper });
    }
    if let Some(i) = find(&bounds.c_lower, &bounds.c_upper) {
        let (lower, upper) = (bounds.c_lower[i], bounds.c_upper[i]);
        return Err(CheckError::EmptyInterval { name: nlp.row_name(i), lower, upper });
    }
    Ok(())
}

fn check_start(nlp: &dyn Nlp, start: &Iterate) -> Result<(), CheckError> {
    let find = |values: &[f64]| values.iter().position(|value| !value.is_finite());
    if let Some(i) = find(&start.x) {
        return Err(CheckError::StartNotFinite { name: nlp.variable_name(i), value: start.x[i] });
    }
    if let Some(i) = find(&start.lambda) {
        let name = format!("multiplier of {}", nlp.row_name(i));
        return Err(CheckError::StartNotFinite { name, value: start.lambda[i] });
    }
    for z in [&start.z_lower, &start.z_upper] {
        if let Some(i) = find(z) {
            let name = format!("bound multiplier of {}", nlp.variable_name(i));
            return Err(CheckError::StartNotFinite { name, value: z[i] });
        }
    }
    Ok(())
}

/// Evaluates everything once and names what is not finite.
fn evaluate(nlp: &mut dyn Nlp, x: &[f64]) -> Result<Derivatives, CheckError> {
    let not_finite = |place: String, what: String, value: f64| {
        CheckError::Evaluation(EvalFailure { place, reason: format!("{what} is {value}") })
    };
    let objective = nlp.objective(x)?;
    if !objective.is_finite() {
        return Err(not_finite("objective".to_owned(), "its value".to_owned(), objective));
    }
    let bounds = nlp.bounds();
    let (mut rows, mut gradient) = (vec![0.0; bounds.rows()], vec![0.0; bounds.variables()]);
    let mut jacobian = vec![0.0; nlp.jacobian_pattern().nnz()];
    nlp.constraints(x, &mut rows)?;
    if let Some(row) = rows.iter().position(|value| !value.is_finite()) {
        return Err(not_finite(nlp.row_name(row), "its value".to_owned(), rows[row]));
    }
    nlp.gradient(x, &mut gradient)?;
    if let Some(i) = gradient.iter().position(|value| !value.is_finite()) {
        let what = format!("its derivative by {}", nlp.variable_name(i));
        return Err(not_finite("objective".to_owned(), what, gradient[i]));
    }
    nlp.jacobian(x, &mut jacobian)?;
    let pattern = nlp.jacobian_pattern();
    if let Some(entry) = jacobian.iter().position(|value| !value.is_finite()) {
        let column = pattern.col_ptr().partition_point(|&first| first <= entry) - 1;
        let what = format!("its derivative by {}", nlp.variable_name(column));
        return Err(not_finite(nlp.row_name(pattern.row_idx()[entry]), what, jacobian[entry]));
    }
    Ok(Derivatives { gradient, jacobian })
}

/// Finds rows that are constant and violated, and equations that outnumber their variables.
fn check_equations(nlp: &mut dyn Nlp, x: &[f64], bounds: &Bounds, options: &Options) -> Result<(), CheckError> {
    let (n, m) = (bounds.variables(), bounds.rows());
    let free: Vec<usize> = (0..n).filter(|&i| bounds.x_lower[i] < bounds.x_upper[i]).collect();
    let pattern = nlp.jacobian_pattern();
    let mut variables = vec![Vec::new(); m];
    for &column in &free {
        for &row in &pattern.row_idx()[pattern.column(column)] {
            variables[row].push(column);
        }
    }
    let mut rows = vec![0.0; m];
    nlp.constraints(x, &mut rows)?;
    for (row, &value) in rows.iter().enumerate().filter(|(row, _)| variables[*row].is_empty()) {
        let (lower, upper) = (bounds.c_lower[row], bounds.c_upper[row]);
        if !(value >= lower - options.violation && value <= upper + options.violation) {
            return Err(CheckError::ConstantRow { name: nlp.row_name(row), value, lower, upper });
        }
    }
    let is_equation = |row: &usize| bounds.c_lower[*row] == bounds.c_upper[*row] && !variables[*row].is_empty();
    let equations: Vec<usize> = (0..m).filter(is_equation).collect();
    let Ok(Some(found)) = excess(n, &equations, &variables) else { return Ok(()) };
    let rows: Vec<String> = found.columns.iter().map(|&k| nlp.row_name(equations[k])).collect();
    if equations.len() > free.len() {
        return Err(CheckError::TooFewDegrees { equations: equations.len(), variables: free.len(), rows });
    }
    Err(CheckError::Overdetermined { rows, variables: found.rows.iter().map(|&i| nlp.variable_name(i)).collect() })
}

fn excess(
    n: usize,
    equations: &[usize],
    variables: &[Vec<usize>],
) -> Result<Option<crate::solver::linear::Overdetermined>, PatternError> {
    let mut builder = PatternBuilder::new(n, equations.len());
    for (k, &row) in equations.iter().enumerate() {
        builder.add(&variables[row], &[k])?;
    }
    Ok(overdetermined(&builder.build().0))
}
