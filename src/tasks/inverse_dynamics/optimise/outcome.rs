//! Solving, and what a user sees of it.

use std::sync::Arc;
use std::time::Instant;

use super::limited::{limited, without_limits};
use super::report::{self, Judged};
use super::verification::verify;
use super::{Posed, TrackingError, TrackingSystem, weights};
use crate::discretisation::transcription::{Formula, Trajectory, values_along};
use crate::results::{Outcome, Report, RunStatus, SCHEMA_VERSION, Table, Timing, Verification};
use crate::solver::constrained::Status;
use crate::tasks::Observer;
use crate::tasks::loads::store;
use crate::tasks::optimal_control::{Recorder, fill, is_solved, solve, unsolved};
use crate::tasks::verify::Proved;

/// Solves a problem and tells everything about it.
pub fn run(system: &TrackingSystem, observer: &mut dyn Observer) -> Outcome {
    let report = Report {
        schema: SCHEMA_VERSION,
        program: format!("lariat {}", env!("CARGO_PKG_VERSION")),
        title: system.servo.title.clone(),
        task: "inverse-dynamics".to_owned(),
        method: "optimise".to_owned(),
        ..Report::default()
    };
    let mut outcome = Outcome { report, ..Outcome::default() };
    observer.phase("rests along the path", 0);
    let clock = Instant::now();
    let posed = system.pose(&|| !observer.interrupted());
    match posed {
        Ok(posed) => {
            let seconds = clock.elapsed().as_secs_f64();
            outcome.report.timings.push(Timing { phase: "rests along the path".into(), seconds });
            solve_posed(system, posed, &mut outcome, observer);
        }
        Err(error) => {
            outcome.report.status = status_of(&error);
            outcome.report.message = Some(error.to_string());
        }
    }
    let scalars = &outcome.report.scalars;
    outcome.report.expectations = system.servo.expect.iter().map(|known| known.judge(scalars)).collect();
    outcome
}

fn status_of(error: &TrackingError) -> RunStatus {
    match error {
        TrackingError::Evaluation(_) => RunStatus::Undefined,
        TrackingError::NoConfiguration { .. } => RunStatus::Infeasible,
        TrackingError::Transcription(_) => RunStatus::IllPosed,
        TrackingError::Interrupted => RunStatus::Interrupted,
    }
}

fn solve_posed(system: &TrackingSystem, mut posed: Posed, outcome: &mut Outcome, observer: &mut dyn Observer) {
    for warning in &posed.warnings {
        observer.note(&format!("warning: {warning}"));
    }
    let control = &posed.control;
    if let Ok(sizes) = control.sizes(control.intervals) {
        let counts = [("variables", sizes.variables), ("rows", sizes.rows)];
        let parts = [("coordinates", control.coordinates().len()), ("actuator_inputs", control.controls().len())];
        let named = counts.into_iter().chain(parts).chain([("servo_outputs", system.outputs().len())]);
        outcome.report.sizes.extend(named.map(|(name, size)| (name.to_owned(), size as f64)));
    }
    let mut recorder = Recorder::new(observer);
    let solved = solve(&control.problem, control.intervals, &control.options, &mut recorder);
    let solved = match solved {
        Ok(optimum) if !is_solved(optimum.status) && optimum.status != Status::Interrupted => {
            Ok(weights::from_exact(system, &mut posed, optimum, &mut recorder))
        }
        solved => solved,
    };
    let solved = match solved {
        Ok(optimum) if optimum.status != Status::Solved => weights::nearly(system, &mut posed, optimum, &mut recorder),
        solved => solved,
    };
    let solved = solved.map(|optimum| match is_solved(optimum.status) {
        true => {
            let lightened = weights::lightened(system, &mut posed, optimum, &mut recorder);
            weights::from_exact(system, &mut posed, lightened, &mut recorder)
        }
        false => optimum,
    });
    let posed = &posed;
    outcome.report.iterations = recorder.rows();
    let optimum = match solved {
        Ok(optimum) => optimum,
        Err(error) => {
            outcome.report.status = unsolved(&error);
            outcome.report.message = Some(error.to_string());
            return;
        }
    };
    fill(&posed.control, &optimum, std::slice::from_ref(&optimum.trajectory), outcome);
    outcome.report.warnings.extend(posed.warnings.iter().cloned());
    if !is_solved(optimum.status) || outcome.motion.is_empty() {
        return;
    }
    let found = &optimum.trajectory;
    let Ok(judged) = Judged::new(system, posed, found) else { return };
    servo_table(system, found, outcome);
    let mut tracking = judged.tracking(posed);
    tracking.limited = limited(&posed.control.problem, found);
    if !tracking.limited.is_empty() && judged.miss() > system.servo.verify.tolerance {
        tracking.missed_without_limits = without_limits(system, posed, found, &mut tracking.limited, observer);
    }
    tracking.trade_off = weights::trade_off(system, posed, &optimum, observer);
    report::tell(system, posed, found, &judged, tracking, &mut outcome.report);
    report::scalars(system, &judged, outcome);
    if observer.interrupted() {
        outcome.report.status = RunStatus::Interrupted;
        outcome.report.message =
            Some("interrupted: the motion asked for was found, other weights and its verification were not".to_owned());
        return;
    }
    observer.phase("verifying", 0);
    let clock = Instant::now();
    match verify(system, posed, found, observer) {
        Ok(Proved { verification, outputs, loads }) => {
            for (name, error) in &verification.max_error {
                outcome.report.scalars.insert(format!("verification.{name}.max_error"), *error);
            }
            if !verification.passed && outcome.report.status.is_proved() {
                outcome.report.status = RunStatus::NotVerified;
                // Why the path is missed matters beside.
                let missed = outcome.report.message.replace(left(&verification));
                outcome.report.warnings.extend(missed);
            }
            outcome.report.verification = Some(verification);
            outcome.resimulated = outputs;
            store(loads, outcome);
        }
        Err(error) if error.status() == RunStatus::Interrupted => {
            outcome.report.status = RunStatus::Interrupted;
            outcome.report.message = Some("interrupted: the motion was found, its verification was not".to_owned());
        }
        Err(error) => {
            outcome.report.status = RunStatus::NotVerified;
            outcome.report.message = Some(format!("the motion under the actuation found ends early: {error}"));
        }
    }
    outcome.report.timings.push(Timing { phase: "verify".into(), seconds: clock.elapsed().as_secs_f64() });
}

/// Paths as tables for pictures and checks.
fn servo_table(system: &TrackingSystem, found: &Trajectory, outcome: &mut Outcome) {
    let Ok(paths) = system.paths(&found.times) else { return };
    let names = system.outputs().iter().map(|output| output.name.clone());
    outcome.servo = Table { t: found.times.clone(), columns: names.zip(paths).collect() };
    for output in system.outputs() {
        if let Some(unit) = system.servo.units.get(&output.name) {
            outcome.report.units.insert(output.name.clone(), unit.clone());
        }
    }
}

/// Values of all outputs along a motion.
pub(super) fn outputs_along(
    system: &TrackingSystem,
    posed: &Posed,
    times: &[f64],
    q: &[Vec<f64>],
) -> Result<Vec<Vec<f64>>, crate::nlp::EvalFailure> {
    let formulas: Vec<Formula> = system.outputs().iter().map(|output| Arc::clone(&output.output)).collect();
    values_along(&posed.control.problem, &formulas, times, q)
}

impl TrackingSystem {
    /// Names of all scalars of a solved problem: what `[expect]` may refer to.
    pub fn scalar_names(&self) -> Vec<String> {
        let mechanics = &self.servo.problem.mechanics;
        let mut names = crate::tasks::optimal_control::scalar_names(&mechanics.coordinates(), &mechanics.controls());
        names.extend(self.servo.scalar_names().into_iter().filter(|name| !name.starts_with("structure.")));
        names.extend(["deviation", "effort", "begins_before", "ends_after"].map(|what| format!("tracking.{what}")));
        for output in self.outputs() {
            names.extend(["max_error", "rms_error"].map(|what| format!("tracking.{}.{what}", output.name)));
        }
        names
    }
}

/// What leaves the motion found the most, and what helps.
fn left(verification: &Verification) -> String {
    let share = |(name, error): &(&String, &f64)| *error / verification.tolerance.get(*name).copied().unwrap_or(1.0);
    let worst = verification.max_error.iter().max_by(|a, b| share(a).total_cmp(&share(b)));
    let worst = worst.map_or_else(String::new, |(name, error)| {
        let allowed = verification.tolerance.get(name).copied().unwrap_or_default();
        format!(": {name} is off by up to {error:.2e} (tolerance {allowed:.1e})")
    });
    let (how, advice) = match verification.elements {
        0 => ("by another method", "raise `time.steps`".to_owned()),
        _ => ("on another mesh", crate::tasks::verify::advice(verification)),
    };
    format!("the forward simulation {how}, driven by the computed actuation, leaves the motion found{worst}; {advice}")
}
