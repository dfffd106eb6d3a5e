//! Weights of the effort: lighter ones where the path is missed for the sake of the effort alone, and a table of them.

use super::guess::exact;
use super::report::Judged;
use super::{Following, Posed, TrackingSystem};
use crate::discretisation::transcription::{ControlProblem, Guess, Trajectory};
use crate::results::{Iteration, TradeOff};
use crate::solver::constrained::Status;
use crate::tasks::Observer;
use crate::tasks::optimal_control::{OptimalControlError, Optimum, is_solved, solve};

/// Factor from a weight to the next lighter one.
const LIGHTER: f64 = 1e-2;
/// The lightest weight: below, rounding errors decide about the controls.
const LIGHTEST: f64 = 1e-12;
/// What is left of the largest deviation by a lighter weight that is worth it.
const WORTH: f64 = 0.8;

/// The motion with a lighter weight of the effort, where the paths are missed by more than the tolerance, a lighter weight changes
/// that, and no compromise was asked for.
pub(super) fn lightened(
    system: &TrackingSystem,
    posed: &mut Posed,
    mut optimum: Optimum,
    observer: &mut dyn Observer,
) -> Optimum {
    let miss = |posed: &Posed, found: &Trajectory| {
        Judged::new(system, posed, found).map_or(f64::INFINITY, |judged| judged.miss())
    };
    while let Some(weight) = posed.weight.filter(|_| !system.compromise) {
        let before = miss(posed, &optimum.trajectory);
        let next = weight * LIGHTER;
        if before <= system.servo.verify.tolerance || next < LIGHTEST || observer.interrupted() {
            break;
        }
        observer.note(&format!(
            "the path is missed by {:.2} % with weight {weight:e} of the effort: once more with {next:e}",
            100.0 * before
        ));
        let problem = reweighted(&posed.control.problem, LIGHTER, &optimum.trajectory);
        let Ok(lighter) = solve(&problem, posed.control.intervals, &posed.control.options, observer) else { break };
        if !is_solved(lighter.status) || miss(posed, &lighter.trajectory) > WORTH * before {
            break;
        }
        optimum = Optimum { iterations: optimum.iterations + lighter.iterations, ..lighter };
        posed.control.problem = problem;
        posed.weight = Some(next);
    }
    optimum
}

/// Where no motion is found, or one that misses its paths although no compromise was asked for: the motion found from the one that
/// follows the paths exactly, if that is better.
pub(super) fn from_exact(
    system: &TrackingSystem,
    posed: &mut Posed,
    optimum: Optimum,
    observer: &mut dyn Observer,
) -> Optimum {
    let miss = |found: &Optimum| match is_solved(found.status) {
        true => Judged::new(system, posed, &found.trajectory).map_or(f64::INFINITY, |judged| judged.miss()),
        false => f64::INFINITY,
    };
    let before = miss(&optimum);
    let good = before.is_finite() && (system.compromise || before <= system.servo.verify.tolerance);
    if good || observer.interrupted() {
        return optimum;
    }
    let Some(begin) = exact(system, &|| !observer.interrupted()) else { return optimum };
    observer.note("the paths are not followed; once more from the motion that follows them exactly");
    let problem = ControlProblem { guess: begin, ..posed.control.problem.clone() };
    match solve(&problem, posed.control.intervals, &posed.control.options, observer) {
        Ok(found) if miss(&found) < before => {
            posed.control.problem = problem;
            Optimum { iterations: optimum.iterations + found.iterations, ..found }
        }
        _ => optimum,
    }
}

/// Where paths are no equations that can be met at every instant, the motion that follows them closely. Of a mechanism that moves its
/// outputs through parts that deform, the midpoint rule lets what alternates from step to step of an output follow from no control.
pub(super) fn nearly(
    system: &TrackingSystem,
    posed: &mut Posed,
    optimum: Optimum,
    observer: &mut dyn Observer,
) -> Result<Optimum, OptimalControlError> {
    let Some(problem) = posed.nearly.take().filter(|_| optimum.status != Status::Interrupted) else {
        return Ok(optimum);
    };
    observer
        .note("the paths are no equations that can be met at every instant of this grid: they are followed closely");
    let control = system.control(problem);
    let found = solve(&control.problem, control.intervals, &control.options, observer)?;
    if !is_solved(found.status) && found.status != Status::Interrupted {
        return Ok(optimum);
    }
    posed.control = control;
    posed.weight = Some(super::NEARLY);
    posed.warnings.push(
        "the paths are no equations that can be met at every instant of this grid: they are followed as closely as it allows"
            .to_owned(),
    );
    Ok(Optimum { iterations: optimum.iterations + found.iterations, ..found })
}

/// Deviation and effort of the motion found and of those with other weights of the effort, the least weight first.
pub(super) fn trade_off(
    system: &TrackingSystem,
    posed: &Posed,
    optimum: &Optimum,
    observer: &mut dyn Observer,
) -> Vec<TradeOff> {
    let (Following::Best(_), Some(weight)) = (system.following, posed.weight) else { return Vec::new() };
    let mut found = vec![point(system, posed, weight, &optimum.trajectory)];
    let mut last = optimum.trajectory.clone();
    if !system.alternatives.is_empty() {
        observer.phase("other weights of the effort", system.alternatives.len());
    }
    for (k, &other) in system.alternatives.iter().enumerate() {
        let problem = reweighted(&posed.control.problem, other / weight, &last);
        match solve(&problem, system.servo.grid.steps, &posed.control.options, &mut Quiet(observer)) {
            Ok(next) if is_solved(next.status) => {
                found.push(point(system, posed, other, &next.trajectory));
                last = next.trajectory;
            }
            _ if observer.interrupted() => break,
            _ => {}
        }
        observer.progress(k + 1);
    }
    let mut found: Vec<TradeOff> = found.into_iter().flatten().collect();
    found.sort_by(|a, b| a.weight.total_cmp(&b.weight));
    found
}

/// The effort is the last term of the cost. The search begins at a motion that is known.
fn reweighted(problem: &ControlProblem, factor: f64, known: &Trajectory) -> ControlProblem {
    let mut problem = problem.clone();
    if let Some((weight, _)) = problem.cost.running.last_mut() {
        *weight *= factor;
    }
    problem.guess = Guess::along(known.q.clone(), known.u.clone(), known.duration);
    problem
}

fn point(system: &TrackingSystem, posed: &Posed, weight: f64, found: &Trajectory) -> Option<TradeOff> {
    let judged = Judged::new(system, posed, found).ok()?;
    Some(TradeOff { weight, deviation: judged.deviation, effort: judged.effort })
}

/// Passes only interruptions on.
pub(super) struct Quiet<'a>(pub &'a dyn Observer);

impl Observer for Quiet<'_> {
    fn phase(&mut self, _: &str, _: usize) {}
    fn progress(&mut self, _: usize) {}
    fn iteration(&mut self, _: &Iteration) {}
    fn note(&mut self, _: &str) {}
    fn interrupted(&self) -> bool {
        self.0.interrupted()
    }
}
