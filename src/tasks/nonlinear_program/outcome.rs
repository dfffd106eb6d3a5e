//! From the solver's solution to the report and files a user sees.

use std::time::Duration;

use super::{Answer, Measures, row, sense, survey};
use crate::nlp::Nlp;
use crate::nlp::ampl::{Model, SolveResult, solution};
use crate::results::{Conflicts, Listing, Misplaced, Outcome, Report, RunStatus, SCHEMA_VERSION, Timing, Violated};
use crate::solver::constrained::{CheckError, Explanation, Options, Solution, SolveError, Status};

/// Name of the task in reports.
pub const TASK: &str = "nonlinear-program";
/// File of the variables.
pub const SOLUTION: &str = "solution.csv";
/// File of the rows.
pub const CONSTRAINTS: &str = "constraints.csv";

/// Report and files of a solve.
pub(super) fn answer(
    model: &mut Model,
    options: &Options,
    solved: Result<Solution, SolveError>,
    elapsed: Duration,
) -> Answer {
    let program = format!("lariat {}", env!("CARGO_PKG_VERSION"));
    let mut report = Report {
        schema: SCHEMA_VERSION,
        program: program.clone(),
        task: TASK.into(),
        method: options.method.name().into(),
        timings: vec![Timing { phase: "solve".into(), seconds: elapsed.as_secs_f64() }],
        ..Report::default()
    };
    report.sizes.extend(survey(model).named().map(|(name, size)| (name.to_owned(), size)));
    let (sol, tables) = match solved {
        Ok(found) => {
            fill(&mut report, model, &found);
            let message = format!("{program}: {}", headline(&report));
            let sol = solution(model, &message, &found.iterate.x, &found.iterate.lambda, result(found.status));
            (sol, tables(model, &found))
        }
        Err(error) => {
            report.status = refused(&error);
            report.message = Some(error.to_string());
            let result =
                if report.status == RunStatus::Infeasible { SolveResult::Infeasible } else { SolveResult::Failure };
            (solution(model, &format!("{program}: {}; {error}", report.status), &[], &[], result), Vec::new())
        }
    };
    Answer { outcome: Outcome { report, ..Outcome::default() }, tables, sol }
}

/// Status, objective and iterations in one line.
fn headline(report: &Report) -> String {
    let objective = report.scalars.get("objective").copied().unwrap_or(f64::NAN);
    let iterations = report.scalars.get("iterations").copied().unwrap_or(0.0);
    let plural = if iterations == 1.0 { "" } else { "s" };
    format!("{}; objective {objective:.10}, {iterations} iteration{plural}", report.status)
}

fn fill(report: &mut Report, model: &mut Model, found: &Solution) {
    let sense = sense(model);
    report.status = ended(found.status);
    report.message = match (meaning(found.status), &found.message) {
        (Some(meaning), Some(message)) if found.explanation.is_none() => Some(format!("{meaning}; {message}")),
        (meaning, message) => message.clone().or(meaning.map(str::to_owned)),
    };
    report.warnings.clone_from(&found.notes);
    report.conflicts = found.explanation.as_ref().map(conflicts);
    report.iterations = found.iterations.iter().map(|record| row(record, sense)).collect();
    let last = found.iterations.last().map_or(0, |record| record.iter);
    for (name, value) in [
        ("objective", sense * found.objective),
        ("iterations", last as f64),
        ("factorisations", found.factorisations as f64),
    ] {
        report.scalars.insert(name.into(), value);
    }
    report.residuals.insert("violation".into(), found.violation);
    report.residuals.insert("optimality_error".into(), found.error);
    let start = model.program.start().to_vec();
    if let Ok(left) = Measures::of(&mut model.program, &found.iterate, &start) {
        for (name, value) in
            [("stationarity", left.stationarity), ("complementarity", left.complementarity), ("scale", left.scale)]
        {
            report.residuals.insert(name.into(), value);
        }
    }
}

fn tables(model: &Model, found: &Solution) -> Vec<(String, Vec<u8>)> {
    let (program, bounds, at) = (&model.program, model.program.bounds(), &found.iterate);
    let column = |name: &str, values: &[f64]| (name.to_owned(), values.to_vec());
    let variables = Listing {
        heading: "variable".into(),
        names: (0..bounds.variables()).map(|i| program.variable_name(i)).collect(),
        columns: vec![
            column("value", &at.x),
            column("lower", &bounds.x_lower),
            column("upper", &bounds.x_upper),
            column("multiplier_lower", &at.z_lower),
            column("multiplier_upper", &at.z_upper),
        ],
    };
    let rows = Listing {
        heading: "row".into(),
        names: (0..bounds.rows()).map(|i| program.row_name(i)).collect(),
        columns: vec![
            column("value", &found.rows),
            column("lower", &bounds.c_lower),
            column("upper", &bounds.c_upper),
            column("multiplier", &at.lambda),
        ],
    };
    [(SOLUTION, variables), (CONSTRAINTS, rows)]
        .map(|(name, listing)| (name.to_owned(), listing.format().into_bytes()))
        .into()
}

fn conflicts(explanation: &Explanation) -> Conflicts {
    let violated = explanation.violated.iter();
    let bounds = explanation.conflicts.iter();
    Conflicts {
        violated: violated.map(|v| Violated { row: v.name.clone(), value: v.value, allowed: v.allowed }).collect(),
        bounds: bounds.map(|c| Misplaced { bound: c.bound.clone(), value: c.value, needed: c.needed }).collect(),
    }
}

/// The status of a report on a solve that ended so.
pub(in crate::tasks) fn ended(status: Status) -> RunStatus {
    match status {
        Status::Solved => RunStatus::Solved,
        Status::Acceptable => RunStatus::Acceptable,
        Status::Infeasible => RunStatus::Infeasible,
        Status::Unbounded => RunStatus::Unbounded,
        Status::Diverging => RunStatus::Diverging,
        Status::Stalled => RunStatus::Stalled,
        Status::RestorationFailed => RunStatus::RestorationFailed,
        Status::IterationLimit => RunStatus::IterationLimit,
        Status::Interrupted => RunStatus::Interrupted,
    }
}

/// What an end means where the solver has no more to say.
pub(in crate::tasks) fn meaning(status: Status) -> Option<&'static str> {
    match status {
        Status::Solved => None,
        Status::Acceptable => Some("the optimality conditions hold to the weaker tolerance `acceptable` only"),
        Status::Infeasible => Some("no point near the last one satisfies all constraints"),
        Status::Unbounded => Some("the objective falls without bound along feasible points"),
        Status::Diverging => Some("variables grow without bound"),
        Status::Stalled => Some("steps became too small to change anything before the tolerance was reached"),
        Status::RestorationFailed => Some("no point with a smaller violation of the constraints was found"),
        Status::IterationLimit => Some("the limit `max-iterations` came first"),
        Status::Interrupted => Some("stopped on request; the point is the best one so far"),
    }
}

/// The status of a program that solving could not begin with.
pub(in crate::tasks) fn refused(error: &SolveError) -> RunStatus {
    match error {
        SolveError::Check(CheckError::EmptyInterval { .. } | CheckError::ConstantRow { .. }) => RunStatus::Infeasible,
        SolveError::Check(CheckError::TooFewDegrees { .. } | CheckError::Overdetermined { .. }) => {
            RunStatus::Overdetermined
        }
        SolveError::Check(CheckError::Evaluation(_)) | SolveError::Evaluation(_) => RunStatus::UndefinedStart,
        _ => RunStatus::IllPosed,
    }
}

/// The status in the numbers of AMPL.
fn result(status: Status) -> SolveResult {
    match status {
        Status::Solved => SolveResult::Solved,
        Status::Acceptable => SolveResult::Acceptable,
        Status::Infeasible => SolveResult::Infeasible,
        Status::Unbounded | Status::Diverging => SolveResult::Unbounded,
        Status::IterationLimit | Status::Interrupted => SolveResult::Limit,
        Status::Stalled | Status::RestorationFailed => SolveResult::Failure,
    }
}
