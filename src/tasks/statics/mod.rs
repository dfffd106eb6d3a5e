//! Equilibrium of a mechanism under its loads: the branch that begins in the unloaded state.

mod branch;
mod doubt;
mod growth;
mod stability;

use std::time::Instant;

use branch::loose_freedom;
pub use branch::{BranchError, Wanted, branch, reactions, support_forces};
pub use stability::unstable_directions;

use super::forward::{Failure, Record};
use super::{ForwardSystem, Observer, StaticsMethod, StaticsSpec};
use crate::discretisation::assembly::build;
use crate::discretisation::equilibrium::Equilibrium;
use crate::nlp::{ParametricSystem, SquareSystem};
use crate::results::{Outcome, PathTable, RunStatus, Timing};
use crate::solver::{Path, PathEnd, PathPoint, PointKind};

/// Runs the task.
pub fn run(system: &ForwardSystem, spec: &StaticsSpec, observer: &mut dyn Observer) -> Outcome {
    let clock = Instant::now();
    let mut outcome = system.blank_outcome("statics");
    outcome.report.method = if spec.needs_arc_length() { "arc-length" } else { "load-steps" }.into();
    if let Err(failure) = solve(system, spec, observer, &mut outcome) {
        outcome.report.status = failure.status;
        outcome.report.message = Some(failure.message);
    }
    outcome.report.timings.push(Timing { phase: "solve".into(), seconds: clock.elapsed().as_secs_f64() });
    system.judge(&mut outcome);
    outcome
}

/// What is wanted of the branch: load factors of either sign on a way of their own.
fn wanted(spec: &StaticsSpec) -> Vec<Wanted> {
    let of_sign = |negative: bool| -> Vec<f64> {
        let mut factors: Vec<f64> = spec.factors.iter().copied().filter(|f| (*f < 0.0) == negative).collect();
        factors.sort_by(f64::total_cmp);
        factors.dedup();
        factors
    };
    let mut all = Vec::new();
    for factors in [of_sign(false), of_sign(true)].into_iter().filter(|factors| !factors.is_empty()) {
        let mut wanted = Wanted::at(&factors);
        if spec.method == StaticsMethod::LoadSteps {
            wanted.limit_points = 1;
        }
        if spec.needs_arc_length() {
            let everywhere = [f64::NEG_INFINITY, f64::INFINITY];
            let unless_stated = if spec.limit_points.is_some() { everywhere } else { wanted.range };
            wanted.range = spec.range.unwrap_or(unless_stated);
            wanted.limit_points = spec.limit_points.unwrap_or(usize::MAX);
        }
        wanted.max_steps = spec.max_steps.unwrap_or(1000);
        all.push(wanted);
    }
    all
}

fn solve(
    system: &ForwardSystem,
    spec: &StaticsSpec,
    observer: &mut dyn Observer,
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    let assembly = build(&system.mechanism);
    let mut equilibrium = Equilibrium::new(&assembly, system.first_instant());
    let report = &mut outcome.report;
    report.warnings.extend(assembly.repetition());
    report.sizes.insert("unknowns".into(), equilibrium.size() as f64);
    report.sizes.insert("nodes".into(), assembly.layout.nodes() as f64);
    report.sizes.insert("elements".into(), assembly.elements.len() as f64);
    report.grid.insert("elements".into(), assembly.elements.len() as f64);

    let mut path: Option<Path> = None;
    for wanted in wanted(spec) {
        let mut steps = 0;
        observer.phase("load path", wanted.max_steps);
        let followed = branch(&mut equilibrium, &wanted, &mut |_: &PathPoint| {
            steps += 1;
            observer.progress(steps);
            !observer.interrupted()
        });
        let followed = followed.map_err(not_started)?;
        match &mut path {
            None => path = Some(followed),
            Some(path) => {
                path.points.extend(followed.points);
                path.end = followed.end;
            }
        }
    }
    let Some(path) = path else {
        return Err(Failure { status: RunStatus::IllPosed, message: "no load factor is asked for".into() });
    };

    let mut record = Record::new(system, &assembly);
    let names = record.names();
    let mut table = PathTable { kinds: Vec::new(), columns: vec![("factor".into(), Vec::new())] };
    table.columns.extend(names.iter().map(|name| (name.clone(), Vec::new())));
    let mut limit_points = 0;
    let mut stored: Option<&PathPoint> = None;
    for point in &path.points {
        equilibrium.set_parameter(point.parameter);
        let q = equilibrium.configuration(&point.x)?;
        let values = record.coordinates(&q);
        table.kinds.push(word(point.kind).to_owned());
        table.columns[0].1.push(point.parameter);
        table.columns[1..].iter_mut().zip(&values).for_each(|((_, column), value)| column.push(*value));
        if point.kind == PointKind::LimitPoint {
            limit_points += 1;
            let scalars = &mut outcome.report.scalars;
            scalars.insert(format!("limit_point.{limit_points}.factor"), point.parameter);
            for (name, value) in names.iter().zip(&values) {
                scalars.insert(format!("limit_point.{limit_points}.{name}"), *value);
            }
        }
        // The unloaded state comes first, whether asked for or not.
        if point.kind == PointKind::Start && record.is_empty() {
            record.add(point.parameter, &q);
            stored = spec.factors.contains(&0.0).then_some(point);
        }
        if point.kind == PointKind::Target {
            record.add(point.parameter, &q);
            // The last factor of the list has the last word.
            if stored.is_none_or(|stored| Some(&stored.parameter) != spec.factors.last()) {
                stored = Some(point);
            }
        }
    }
    let last = path.points.last();
    // Without a state asked for, the end of the path stands for the answer.
    if let (None, Some(point)) = (stored, last) {
        equilibrium.set_parameter(point.parameter);
        let q = equilibrium.configuration(&point.x)?;
        record.add(point.parameter, &q);
        stored = Some(point);
    }
    let missing: Vec<f64> = spec.factors.iter().copied().filter(|factor| !reached(&path.points, *factor)).collect();
    if let Some(point) = stored {
        tell_state(&assembly, &mut equilibrium, point, &mut record, outcome)?;
    }
    outcome.report.scalars.insert("path.points".into(), path.points.len() as f64);
    outcome.path = table;
    record.finish(outcome);
    // What resists every motion without loads is no mechanism, however soft its loads make it.
    let reference = equilibrium.start();
    let held = is_indifferent(&outcome.report) && loose_freedom(&mut equilibrium, &reference)?.is_none();
    conclude(spec, &path.end, &missing, (limit_points, held), outcome)
}

/// Whether some motion meets no resistance in the state that is the answer.
fn is_indifferent(report: &crate::results::Report) -> bool {
    report.scalars.get("stability.indifferent_directions").is_some_and(|count| *count > 0.0)
}

/// Whether the path has a point at this factor.
fn reached(points: &[PathPoint], factor: f64) -> bool {
    points.iter().any(|point| (point.parameter - factor).abs() <= 1e-12 * factor.abs().max(1.0))
}

/// Scalars of the state that is the answer: coordinates, reactions, stability.
fn tell_state(
    assembly: &crate::discretisation::assembly::Assembly,
    equilibrium: &mut Equilibrium<'_>,
    point: &PathPoint,
    record: &mut Record<'_>,
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    equilibrium.set_parameter(point.parameter);
    let mut residual = vec![0.0; equilibrium.size()];
    equilibrium.residual(&point.x, &mut residual)?;
    let report = &mut outcome.report;
    report.residuals.insert("largest_unbalanced_force".into(), residual.iter().fold(0.0, |m, r| r.abs().max(m)));
    let q = equilibrium.configuration(&point.x)?;
    for (name, value) in record.names().iter().zip(record.coordinates(&q)) {
        report.scalars.insert(format!("equilibrium.{name}"), value);
    }
    for (name, value) in reactions(assembly, equilibrium, &point.x)? {
        let unit = if name.contains("torque") { "N m" } else { "N" };
        report.units.insert(format!("reaction.{name}"), unit.to_owned());
        report.scalars.insert(format!("reaction.{name}"), value);
    }
    equilibrium.set_parameter(point.parameter);
    let linearised = crate::discretisation::linearised::Linearised::new(equilibrium, &point.x)?;
    if linearised.asymmetry > 1e-9 {
        report.warnings.push(
            "some loads have no potential (follower forces or torques in space), so that energy does not decide about stability; [task.modes] does".into(),
        );
        return Ok(());
    }
    match unstable_directions(&linearised) {
        Some((unstable, indifferent)) => {
            report.scalars.insert("stability.unstable_directions".into(), unstable as f64);
            report.scalars.insert("stability.indifferent_directions".into(), indifferent as f64);
        }
        None => report.warnings.push("the stability of the equilibrium could not be decided".into()),
    }
    Ok(())
}

fn conclude(
    spec: &StaticsSpec,
    end: &PathEnd,
    missing: &[f64],
    (limit_points, held): (usize, bool),
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    let report = &mut outcome.report;
    let followed = spec.needs_arc_length();
    report.method_reason = match (followed, limit_points) {
        (true, _) => "the path of equilibria is followed by its arc length from the unloaded state".into(),
        (false, 0) => "the loads grow from zero in steps chosen by the program".into(),
        (false, _) => "the loads grow from zero; limit points are passed by arc length".into(),
    };
    let list = |factors: &[f64]| factors.iter().map(f64::to_string).collect::<Vec<_>>().join(", ");
    if let PathEnd::Interrupted { .. } = end {
        return Err(Failure { status: RunStatus::Interrupted, message: end.to_string() });
    }
    let bounded = spec.range.is_some() || spec.limit_points.is_some();
    let complete =
        missing.is_empty() || (bounded && matches!(end, PathEnd::LimitPoints { .. } | PathEnd::Range { .. }));
    if !complete {
        let (status, why) = match end {
            PathEnd::LimitPoints { parameter, .. } => (
                RunStatus::LimitPoint,
                format!(
                    "the loads cannot grow beyond {parameter:.6} times their value: the mechanism snaps or collapses there (limit point); method = \"arc-length\" follows the path beyond it"
                ),
            ),
            PathEnd::StepLimit { .. } => (RunStatus::IterationLimit, format!("{end}; max-steps allows more")),
            _ => (RunStatus::NotConverged, end.to_string()),
        };
        let message = format!("no equilibrium at load factor {}: {why}", list(missing));
        return Err(Failure { status, message });
    }
    if !missing.is_empty() {
        report.warnings.push(format!("the path does not reach load factor {}: {end}", list(missing)));
    }
    let unstable = report.scalars.get("stability.unstable_directions").copied().unwrap_or(0.0);
    report.status = RunStatus::Solved;
    if unstable > 0.0 {
        let directions = if unstable == 1.0 { "one direction" } else { &format!("{unstable} directions") };
        let words =
            format!("the equilibrium is unstable in {directions}: left alone, the mechanism would move away from it");
        if followed {
            report.warnings.push(words);
        } else {
            report.status = RunStatus::Unstable;
            report.message = Some(words);
        }
    } else if limit_points > 0 && !followed {
        report.warnings.push(format!(
            "the branch passes {limit_points} limit point(s) before the load is reached: under growing dead load the mechanism would snap there"
        ));
    }
    let indifferent = is_indifferent(report);
    if indifferent && held {
        report.warnings.push(match end {
            PathEnd::LimitPoints { .. } => "the path ends at a limit point, where some motion meets no resistance".into(),
            _ => "the loads are critical as far as rounding lets tell: some motion meets next to no resistance, and whether the equilibrium is stable is undecided".to_owned(),
        });
    } else if indifferent {
        report.status = RunStatus::Mechanism;
        report.message = Some(
            "some motion meets no resistance at the equilibrium, so that it is one of many: add supports or joints, or simulate it".into(),
        );
    }
    Ok(())
}

fn word(kind: PointKind) -> &'static str {
    match kind {
        PointKind::Start => "start",
        PointKind::Step => "step",
        PointKind::LimitPoint => "limit-point",
        PointKind::Target => "target",
        PointKind::Bound => "bound",
    }
}

/// What it means that the branch does not even begin.
fn not_started(error: BranchError) -> Failure {
    let message = error.to_string();
    match error {
        BranchError::Loose { .. } => Failure {
            status: RunStatus::Mechanism,
            message: format!("the mechanism is not held: {message}; add supports or joints, or simulate it"),
        },
        BranchError::Held => Failure { status: RunStatus::IllPosed, message },
        BranchError::Path(_) | BranchError::Evaluation(_) => Failure { status: RunStatus::NotConverged, message },
    }
}
