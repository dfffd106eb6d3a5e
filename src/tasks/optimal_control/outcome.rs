//! From a problem to the report and tables a user sees.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::diagnostics::{diagnostics, limits};
use super::phases::{PhasedOptimum, solve_phases};
use super::question::{ControlSystem, phase_scalars};
use super::resimulation::{Course, Leg, resimulate, wanted};
use super::{OptimalControlError, OptimalControlOptions, Optimum, is_solved, proof, solve};
use crate::discretisation::transcription::{Reduction, Rule, Trajectory};
use crate::results::{Iteration, Outcome, Report, RunStatus, SCHEMA_VERSION, Table, Timing};
use crate::solver::constrained::Status;
use crate::solver::mesh::MeshError;
use crate::tasks::lines::lines;
use crate::tasks::nonlinear_program::{ended, meaning, refused};
use crate::tasks::velocity_name;
use crate::tasks::{Observer, TaskError};

/// Name of the task in reports.
pub const TASK: &str = "optimal-control";
/// More meshes than these, of detours, are only counted.
const MOST_MESHES: usize = 6;
/// Columns of costates in `motion.csv` begin so.
pub const COSTATE: &str = "costate.";

/// Passes everything on and keeps the iterations, numbered through all meshes.
pub(in crate::tasks) struct Recorder<'a> {
    observer: &'a mut dyn Observer,
    rows: Vec<Iteration>,
    begun: usize,
}

impl<'a> Recorder<'a> {
    pub fn new(observer: &'a mut dyn Observer) -> Self {
        Self { observer, rows: Vec::new(), begun: 0 }
    }

    /// All iterations.
    pub fn rows(self) -> Vec<Iteration> {
        self.rows
    }
}

impl Observer for Recorder<'_> {
    fn phase(&mut self, name: &str, steps: usize) {
        self.observer.phase(name, steps);
    }

    fn progress(&mut self, done: usize) {
        self.observer.progress(done);
    }

    fn iteration(&mut self, row: &Iteration) {
        if row.iter == 0 {
            self.begun = self.rows.len();
        }
        self.rows.push(Iteration { iter: self.rows.len().max(self.begun + row.iter), ..row.clone() });
        self.observer.iteration(row);
    }

    fn note(&mut self, text: &str) {
        self.observer.note(text);
    }

    fn interrupted(&self) -> bool {
        self.observer.interrupted()
    }
}

/// Solves a problem and tells everything about it.
pub fn run(system: &ControlSystem, observer: &mut dyn Observer) -> Outcome {
    let rule = system.problem.rule.name();
    let report = Report {
        schema: SCHEMA_VERSION,
        program: format!("lariat {}", env!("CARGO_PKG_VERSION")),
        title: system.title.clone(),
        task: TASK.to_owned(),
        method: match system.problem.reduction {
            Reduction::Multipliers => format!("discrete mechanics ({rule})"),
            Reduction::NullSpace => format!("discrete mechanics ({rule}, null space)"),
        },
        ..Report::default()
    };
    let mut outcome = Outcome { report, ..Outcome::default() };
    if let Ok(sizes) = system.sizes(system.intervals) {
        let counts = [("variables", sizes.variables), ("rows", sizes.rows)];
        let parts = [("coordinates", system.coordinates().len()), ("controls", system.controls().len())];
        let named = counts.into_iter().chain(parts).map(|(name, size)| (name.to_owned(), size as f64));
        outcome.report.sizes.extend(named);
    }
    // The motion that verifies is computed here, from the controls alone.
    let options = OptimalControlOptions { refine: 0, ..system.options.clone() };
    let mut recorder = Recorder::new(observer);
    let solved = match &system.phases {
        Some(phases) => solve_phases(phases, &options, &mut recorder).map(PhasedOptimum::joined),
        None => solve(&system.problem, system.intervals, &options, &mut recorder).map(|optimum| {
            let whole = vec![optimum.trajectory.clone()];
            (optimum, whole)
        }),
    };
    outcome.report.iterations = recorder.rows();
    match solved {
        Ok((optimum, parts)) => {
            fill(system, &optimum, &parts, &mut outcome);
            verify(system, &optimum, &parts, &mut outcome, observer);
        }
        Err(error) => {
            outcome.report.status = unsolved(&error);
            outcome.report.message = Some(error.to_string());
        }
    }
    let scalars = &outcome.report.scalars;
    outcome.report.expectations = system.expect.iter().map(|known| known.judge(scalars)).collect();
    outcome
}

/// The status of a problem that could not be begun.
pub(in crate::tasks) fn unsolved(error: &OptimalControlError) -> RunStatus {
    match error {
        OptimalControlError::Mesh(MeshError::Solve { error, .. }) => refused(error),
        OptimalControlError::Evaluation(_) => RunStatus::Undefined,
        OptimalControlError::Transcription(_) | OptimalControlError::Phases(_) | OptimalControlError::Mesh(_) => {
            RunStatus::IllPosed
        }
    }
}

/// Writes what was found into a report and its tables.
pub(in crate::tasks) fn fill(system: &ControlSystem, optimum: &Optimum, parts: &[Trajectory], outcome: &mut Outcome) {
    let report = &mut outcome.report;
    let found = &optimum.solution;
    report.status = ended(optimum.status);
    let meaning = match optimum.status {
        Status::Infeasible => Some("no motion was found that satisfies the equations within all bounds"),
        status => meaning(status),
    };
    report.message = match (meaning, &found.message) {
        (Some(meaning), Some(message)) => Some(format!("{meaning}; {message}")),
        (meaning, message) => message.clone().or(meaning.map(str::to_owned)),
    };
    report.warnings.clone_from(&found.notes);
    report.warnings.extend(system.multibody.as_ref().and_then(|body| body.redundancy()));
    report.warnings.extend(system.phases.iter().flat_map(|phases| phases.remarks()));
    if let Some(infeasibility) = &optimum.infeasibility {
        report.message = Some(infeasibility.message.clone());
        report.conflicts = Some(infeasibility.conflicts.clone());
    }
    let meshes: Vec<String> = optimum.meshes.iter().map(|mesh| mesh.intervals.to_string()).collect();
    let on = match meshes.len() {
        1 => format!("a mesh of {}", meshes[0]),
        2..=MOST_MESHES => format!("meshes of {}", meshes.join(", ")),
        count => format!("{count} meshes of up to {}", optimum.meshes.iter().map(|m| m.intervals).max().unwrap_or(0)),
    };
    report.optima.clone_from(&optimum.optima);
    report.method_reason = format!("{} iterations on {on} steps", optimum.iterations);
    if let Some(optima) = &optimum.optima {
        let _ = write!(report.method_reason, ", with {} starts on {} steps", optima.starts, optima.time_steps);
    }
    let steps = optimum.trajectory.u.len() as f64;
    let grid = [("time_steps", steps), ("dt", optimum.trajectory.step()), ("meshes", meshes.len() as f64)];
    report.grid.extend(grid.map(|(name, value)| (name.to_owned(), value)));
    for (k, mesh) in optimum.meshes.iter().enumerate() {
        report.grid.insert(format!("mesh.{}.time_steps", k + 1), mesh.intervals as f64);
    }
    let timing = optimum.timing;
    let timings = [("statement", timing.statement), ("solve", timing.solve)];
    report.timings =
        timings.map(|(phase, time)| Timing { phase: phase.to_owned(), seconds: time.as_secs_f64() }).into();
    let residuals = [
        ("violation", found.violation),
        ("optimality_error", found.error),
        ("energy_less_work", optimum.trajectory.balance.defect().abs()),
    ];
    report.residuals.extend(residuals.map(|(name, value)| (name.to_owned(), value)));
    report.limits = limits(system);
    if is_solved(optimum.status) {
        diagnostics(system, optimum, report);
    }
    let tables = tables(system, optimum, &velocities(system, parts));
    // Numbers that are not finite are no answer, and cannot be stored.
    if [&tables.0, &tables.1, &tables.2].iter().any(|table| table.check().is_err()) {
        if matches!(optimum.status, Status::Solved | Status::Acceptable) {
            report.status = RunStatus::Undefined;
        }
        report.warnings.push("the last point is not a motion with finite numbers; it is not stored".into());
        return;
    }
    (outcome.actuation, outcome.controls, outcome.motion) = tables;
    let midpoint = system.problem.rule == Rule::Midpoint;
    let (times, q) = (&optimum.trajectory.times, &optimum.trajectory.q);
    outcome.rods = lines(system.multibody.as_deref(), times, q, midpoint);
    for (name, _) in outcome.actuation.columns.iter().chain(&outcome.motion.columns) {
        let unit = system.unit(name);
        if !unit.is_empty() {
            report.units.insert(name.clone(), unit);
        }
    }
    report.scalars = scalars(optimum, &outcome.controls, &outcome.motion);
    let phases = system.phases.iter().flat_map(|phases| phases.phases());
    let mut end = 0.0;
    for (name, part) in phase_scalars(phases.map(|phase| &phase.name)).into_iter().zip(parts) {
        end += part.duration;
        report.scalars.insert(name, end);
    }
}

/// Actuation at the instants, the same as steps, and motion.
fn tables(system: &ControlSystem, optimum: &Optimum, velocities: &[Vec<f64>]) -> (Table, Table, Table) {
    let found = &optimum.trajectory;
    let nodes = found.times.len();
    let column = |values: &dyn Fn(usize) -> f64| (0..nodes).map(values).collect::<Vec<f64>>();
    let last = found.u.len().saturating_sub(1);
    let held = system.controls().into_iter().enumerate();
    let held: Vec<(String, Vec<f64>)> = held.map(|(i, name)| (name, column(&|k| found.u[k.min(last)][i]))).collect();
    let bounds = &system.problem.control_bounds;
    let at_instants = held.iter().enumerate().map(|(i, (name, values))| {
        let limits = bounds.get(i).copied().unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        (name.clone(), at_instants(&found.times, values, limits))
    });
    let at_instants = at_instants.collect();
    let names = system.coordinates();
    let mut motion: Vec<(String, Vec<f64>)> = Vec::new();
    motion.extend(names.iter().enumerate().map(|(i, name)| (name.clone(), column(&|k| found.q[k][i]))));
    motion.extend(names.iter().enumerate().map(|(i, name)| (velocity_name(name), column(&|k| velocities[k][i]))));
    let costates = names.iter().enumerate();
    motion.extend(
        costates.map(|(i, name)| {
            (format!("{COSTATE}{name}"), column(&|k| found.costates[k].get(i).copied().unwrap_or(0.0)))
        }),
    );
    // Quantities of the steps stand where these begin, as controls do.
    let steps = [("step.error", Some(&optimum.errors)), ("step.hamiltonian", found.hamiltonian.as_ref())];
    for (name, values) in steps {
        let values = values.filter(|values| values.len() == found.u.len() && is_solved(optimum.status));
        motion.extend(values.map(|values| (name.to_owned(), column(&|k| values[k.min(last)]))));
    }
    if let Some(Ok(joints)) =
        system.multibody.as_ref().map(|body| body.joint_motion(&found.times, &found.q, velocities))
    {
        motion.extend(joints.into_iter().flat_map(|joint| {
            let rate = velocity_name(&joint.name);
            [(joint.name, joint.values), (rate, joint.rates)]
        }));
    }
    let table = |columns: Vec<(String, Vec<f64>)>| Table { t: found.times.clone(), columns };
    (table(at_instants), table(held), table(motion))
}

/// Values at the instants of what is constant in each step, within limits: on the lines between the middles of the steps, which
/// go on to the first and the last instant. `steps` holds one value more than there are steps.
fn at_instants(t: &[f64], steps: &[f64], (lower, upper): (f64, f64)) -> Vec<f64> {
    let count = steps.len().saturating_sub(1);
    let middle = |k: usize| 0.5 * (t[k] + t[k + 1]);
    let value = |k: usize| {
        if count < 2 {
            return steps[0];
        }
        let before = k.saturating_sub(1).min(count - 2);
        let (from, to) = (middle(before), middle(before + 1));
        steps[before] + (t[k] - from) / (to - from) * (steps[before + 1] - steps[before])
    };
    (0..t.len()).map(|k| value(k).max(lower).min(upper)).collect()
}

/// Velocities at the nodes of all parts; where two meet, those at the end of the first.
fn velocities(system: &ControlSystem, parts: &[Trajectory]) -> Vec<Vec<f64>> {
    let rule = system.problem.rule;
    parts.iter().enumerate().flat_map(|(k, part)| part.velocities(rule).into_iter().skip(usize::from(k > 0))).collect()
}

fn scalars(optimum: &Optimum, controls: &Table, motion: &Table) -> BTreeMap<String, f64> {
    let largest = |values: &[f64]| values.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
    let mut scalars = BTreeMap::from([
        ("objective".to_owned(), optimum.objective),
        ("duration".to_owned(), optimum.trajectory.duration),
    ]);
    for (name, values) in &controls.columns {
        scalars.insert(format!("controls.{name}.max"), largest(values));
    }
    for (name, values) in motion.columns.iter().take_while(|(name, _)| !name.starts_with(COSTATE)) {
        if let (Some(first), Some(last)) = (values.first(), values.last()) {
            scalars.insert(format!("motion.{name}.initial"), *first);
            scalars.insert(format!("motion.{name}.final"), *last);
            scalars.insert(format!("motion.{name}.max"), largest(values));
        }
    }
    scalars
}

/// Writes what the simulation of a mechanism on another mesh found into a report.
fn conclude(proved: Result<crate::results::Verification, TaskError>, outcome: &mut Outcome) {
    let report = &mut outcome.report;
    match proved {
        Ok(verification) => {
            if !verification.passed && report.status.is_solved() {
                report.status = RunStatus::NotVerified;
                let worst = verification.max_error.iter().filter_map(|(name, error)| {
                    let allowed = verification.tolerance.get(name)?;
                    (!(error <= allowed)).then_some((name, error, allowed))
                });
                let worst = worst.max_by(|a, b| (a.1 / a.2).total_cmp(&(b.1 / b.2)));
                report.message = worst.map(|(name, error, allowed)| {
                    format!(
                        "driven by these controls on a finer mesh the mechanism misses its end: {name} is off by {error:.2e} (tolerance {allowed:.1e}); {}",
                        crate::tasks::verify::advice(&verification)
                    )
                });
            }
            let open = verification.open.iter().max_by(|a, b| a.1.total_cmp(b.1));
            if let Some((name, error)) = open.filter(|_| verification.passed) {
                report.warnings.push(format!(
                    "what the problem leaves open ends otherwise on a finer mesh: {name} by {error:.2e}; state it in `end` if it matters"
                ));
            }
            report.verification = Some(verification);
        }
        Err(error) if error.status() == RunStatus::Interrupted => {
            report.status = RunStatus::Interrupted;
            report.message = Some("interrupted: the motion was found, its verification was not".to_owned());
        }
        Err(error) => {
            if report.status.is_solved() {
                report.status = RunStatus::NotVerified;
            }
            report.message = Some(format!("the motion under the controls found ends early: {error}"));
        }
    }
}

/// Lets the controls drive the system; only a solved problem can fail this test.
fn verify(
    system: &ControlSystem,
    optimum: &Optimum,
    parts: &[Trajectory],
    outcome: &mut Outcome,
    observer: &mut dyn Observer,
) {
    if !matches!(optimum.status, Status::Solved | Status::Acceptable) || outcome.motion.is_empty() {
        return;
    }
    observer.phase("verifying", 0);
    let clock = std::time::Instant::now();
    let found = &optimum.trajectory;
    if let Some(body) = &system.multibody {
        let velocities = velocities(system, parts);
        let proved = proof::prove(system, body, &proof::motion(found, &velocities), observer);
        conclude(proved, outcome);
        let seconds = clock.elapsed().as_secs_f64();
        outcome.report.timings.push(Timing { phase: "verify".into(), seconds });
        return;
    }
    let legs = system.legs().into_iter().zip(parts);
    let legs = legs.map(|((problem, _), part)| Leg { problem, duration: part.duration, controls: &part.u });
    let legs: Vec<Leg<'_>> = legs.collect();
    let course = Course { position: &found.q[0], velocity: &found.start_velocity, legs: &legs };
    let last = found.q.last().map_or(&[][..], Vec::as_slice);
    let wanted = wanted(&system.problem.end, (last, &found.end_velocity));
    let report = &mut outcome.report;
    match resimulate(course, &wanted) {
        Ok((verification, left)) => {
            report.residuals.insert("end_state_on_the_same_grid".into(), left);
            if !verification.passed && report.status.is_solved() {
                report.status = RunStatus::NotVerified;
                report.message = Some(
                    "the controls do not lead to the end wanted on a finer grid; more time steps may help".to_owned(),
                );
            }
            report.verification = Some(verification);
        }
        Err(error) => {
            if report.status.is_solved() {
                report.status = RunStatus::NotVerified;
            }
            report.message = Some(format!("the motion under the controls found ends early: {error}"));
        }
    }
    report.timings.push(Timing { phase: "verify".into(), seconds: clock.elapsed().as_secs_f64() });
}

#[cfg(test)]
mod tests {
    use super::at_instants;

    /// Straight lines are reproduced, on unequal steps as well; at the ends limits hold.
    #[test]
    fn steps_of_a_line_have_its_values_at_the_instants() {
        let t = [0.0, 1.0, 3.0, 4.0];
        let line = |x: f64| 2.0 - 0.5 * x;
        let steps = [line(0.5), line(2.0), line(3.5), line(3.5)];
        let found = at_instants(&t, &steps, (f64::NEG_INFINITY, f64::INFINITY));
        assert!(found.iter().zip(t).all(|(value, t)| (value - line(t)).abs() < 1e-15), "{found:?}");
        assert_eq!(at_instants(&t, &steps, (0.1, 1.9)), [1.9, 1.5, 0.5, 0.1]);
        assert_eq!(at_instants(&[0.0, 1.0], &[3.0, 3.0], (-1.0, 2.0)), [2.0, 2.0]);
    }
}
