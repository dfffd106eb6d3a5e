//! The bounded motion of a flexible mechanism: solved over all time at once, told and proved like that of one solved instant by
//! instant.

use std::time::Instant;

use super::outcome::{begun, describe_grid, judge, simulate, store};
use super::{ServoSystem, Solving};
use crate::discretisation::TimeGrid;
use crate::discretisation::boundary_value::Zero;
use crate::discretisation::index::ServoError;
use crate::results::{Iteration, Outcome, Report, RunStatus, Timing};
use crate::tasks::Observer;
use crate::tasks::inverse_dynamics::boundary_value::{BoundaryError, Bounded, solve};

/// What is left at the ends of velocities and controls, relative to the largest, above which the motion does not begin and end at
/// rest.
const AT_REST: f64 = 1e-3;
/// The same above which vibrations are worth a word.
const RINGS: f64 = 1e-5;
/// Vibrations that are told.
const TOLD: usize = 3;

/// Solves, verifies and reports.
pub(super) fn run(system: &ServoSystem, observer: &mut dyn Observer) -> Outcome {
    let mut outcome = begun(system, "boundary-value");
    let clock = Instant::now();
    let mut phase = String::new();
    let found = solve(&system.problem, system.grid, &mut |name, pieces, done| {
        if phase != name {
            name.clone_into(&mut phase);
            observer.phase(name, pieces);
        }
        observer.progress(done);
        !observer.interrupted()
    });
    let timing = Timing { phase: "solve".into(), seconds: clock.elapsed().as_secs_f64() };
    outcome.report.timings.push(timing);
    match found {
        Ok(found) => tell(&system.on(found.grid), &found, observer, &mut outcome),
        Err(error) => {
            outcome.report.status = status_of(&error);
            outcome.report.message = Some(error.to_string());
        }
    }
    judge(system, &mut outcome);
    outcome
}

/// The same where instants cannot be solved one after the other; nothing unless it is solved.
pub(super) fn instead(system: &ServoSystem, why: &ServoError, observer: &mut dyn Observer) -> Option<Outcome> {
    let mut outcome = run(&ServoSystem { solving: Solving::Bounded, ..system.clone() }, observer);
    outcome.report.method_reason =
        format!("auto: all of time at once, because instant by instant {}", lower(&why.to_string()));
    outcome.report.status.is_solved().then_some(outcome)
}

fn lower(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

/// The system on the grid of a stored answer, which may begin before and end after that of the question.
pub(super) fn stored(system: &ServoSystem, stored: &Outcome) -> ServoSystem {
    let t = &stored.actuation.t;
    let bounded = stored.report.method == "boundary-value";
    match (t.first(), bounded) {
        (Some(start), true) => {
            let grid = TimeGrid { start: *start, steps: t.len() - 1, ..system.grid };
            ServoSystem { solving: Solving::Bounded, ..system.on(grid) }
        }
        _ => system.clone(),
    }
}

fn tell(system: &ServoSystem, found: &Bounded, observer: &mut dyn Observer, outcome: &mut Outcome) {
    describe(system, found, &mut outcome.report);
    if !store(system, &found.instants, outcome) {
        return;
    }
    let states = |k: usize| (found.instants[k].q.clone(), found.instants[k].v.clone());
    simulate(system, &states, observer, outcome);
    let report = &mut outcome.report;
    if report.status != RunStatus::Interrupted && !(found.unrest <= AT_REST) {
        report.status = RunStatus::IllPosed;
        report.message = Some(restless(found));
    }
}

fn describe(system: &ServoSystem, found: &Bounded, report: &mut Report) {
    describe_grid(system, report);
    let inputs = system.problem.outputs.len();
    let sizes = [
        ("coordinates", system.problem.reference.len()),
        ("actuator_inputs", inputs),
        ("servo_outputs", inputs),
        ("equations", found.sizes[0]),
        ("nonzeros", found.sizes[1]),
    ];
    report.sizes.extend(sizes.map(|(name, size)| (name.to_owned(), size as f64)));
    report.residuals.insert("motion_left_at_ends".into(), found.unrest);
    let row = |record: &crate::solver::IterationRecord| Iteration {
        iter: record.iter,
        inf_pr: record.residual,
        step: record.step,
        alpha: record.alpha,
        ls: record.trials,
        ..Iteration::default()
    };
    report.iterations = found.iterations.iter().map(row).collect();
    if let Some(residual) = found.iterations.last() {
        report.residuals.insert("equations".into(), residual.residual);
    }
    let told = match found.zeros.iter().find(|zero| zero.growth > 0.0) {
        Some(zero) => format!(
            "the slowest mode of its zero dynamics grows and decays with the time constant {:.4} s, so that the actuation begins before the path and ends after it",
            1.0 / zero.growth
        ),
        None => "no mode of its zero dynamics in reach of the time step grows or decays".to_owned(),
    };
    report.method_reason = match report.method_reason.is_empty() {
        true => told,
        false => format!("{}; {told}", report.method_reason),
    };
    report.warnings.extend(system.multibody.as_ref().and_then(|body| body.redundancy()));
    if found.unrest > RINGS {
        let mut ringing: Vec<&Zero> = found.zeros.iter().filter(|zero| zero.rings()).collect();
        ringing.sort_by(|a, b| b.excited.total_cmp(&a.excited));
        report.warnings.extend(ringing.into_iter().take(TOLD).map(Zero::told));
    }
}

/// Why the motion does not begin and end at rest.
fn restless(found: &Bounded) -> String {
    let worst = found.zeros.iter().filter(|zero| zero.rings()).max_by(|a, b| a.excited.total_cmp(&b.excited));
    let why = match worst {
        Some(zero) => format!(
            "{}; take a slower or smoother path, add damping, or move the rotary inertia there to the driven side of a joint",
            zero.told()
        ),
        None => "the time before and after the path is too short for its zero dynamics".to_owned(),
    };
    format!(
        "no motion along the paths begins and ends at rest: velocities and controls there differ from those of rest by {:.1e} of their largest values. {why}. method = \"optimise\" finds the motion from rest to rest that follows the paths best",
        found.unrest
    )
}

fn status_of(error: &BoundaryError) -> RunStatus {
    match error {
        BoundaryError::Counts { .. } | BoundaryError::PathMoves { .. } | BoundaryError::Rings { .. } => {
            RunStatus::IllPosed
        }
        BoundaryError::NoRest { .. } => RunStatus::Infeasible,
        BoundaryError::NotConverged { .. } => RunStatus::NotConverged,
        BoundaryError::Evaluation(_) => RunStatus::Undefined,
        BoundaryError::Interrupted => RunStatus::Interrupted,
    }
}
