//! What is told of equilibria, and what their end means.

use super::branch::{BranchError, holding, loose_freedom};
use super::soft::{NO_POTENTIAL, counted};
use super::stability::unstable_directions;
use crate::discretisation::assembly::Assembly;
use crate::discretisation::equilibrium::Equilibrium;
use crate::discretisation::linearised::Linearised;
use crate::nlp::{ParametricSystem, SquareSystem};
use crate::results::{Outcome, Report, RunStatus};
use crate::solver::{PathEnd, PathPoint, PointKind};
use crate::tasks::StaticsSpec;
use crate::tasks::forward::{Failure, Record};
use crate::tasks::loads::LoadTable;

/// Scalars of the state that is the answer: coordinates, reactions, stability. Whether the mechanism resists every motion
/// without its loads; asked only where some motion seems to meet no resistance.
pub fn tell_state(
    assembly: &Assembly,
    equilibrium: &mut Equilibrium<'_>,
    point: &PathPoint,
    record: &mut Record<'_>,
    outcome: &mut Outcome,
) -> Result<bool, Failure> {
    equilibrium.set_parameter(point.parameter);
    let mut residual = vec![0.0; equilibrium.size()];
    equilibrium.residual(&point.x, &mut residual)?;
    let report = &mut outcome.report;
    report.residuals.insert("largest_unbalanced_force".into(), residual.iter().fold(0.0, |m, r| r.abs().max(m)));
    let q = equilibrium.configuration(&point.x)?;
    for (name, value) in record.names().iter().zip(record.coordinates(&q)) {
        report.scalars.insert(format!("equilibrium.{name}"), value);
    }
    let [held, rows] = holding(assembly, equilibrium, &point.x)?;
    let mut loads = LoadTable::new(record.mechanism());
    loads.add(assembly, point.parameter, &q, [&held, &rows]);
    loads.tell_last(report);
    equilibrium.set_parameter(point.parameter);
    let linearised = Linearised::new(equilibrium, &point.x)?;
    if linearised.asymmetry > NO_POTENTIAL {
        report.warnings.push(
            "some loads have no potential (follower forces or torques in space), so that energy does not decide about stability; [task.modes] does".into(),
        );
        return Ok(true);
    }
    let mut signs = unstable_directions(&linearised);
    let mut held = true;
    if signs.is_none_or(|(_, indifferent)| indifferent > 0) {
        let reference = equilibrium.start();
        held = loose_freedom(equilibrium, &reference)?.is_none();
        equilibrium.set_parameter(point.parameter);
        if held {
            signs = counted(equilibrium, &point.x)?.or(signs);
        }
    }
    match signs {
        Some((unstable, indifferent)) => {
            report.scalars.insert("stability.unstable_directions".into(), unstable as f64);
            report.scalars.insert("stability.indifferent_directions".into(), indifferent as f64);
        }
        None => report.warnings.push("the stability of the equilibrium could not be decided".into()),
    }
    Ok(held)
}

/// What the points of the path and the state at its end come to.
pub struct Passed<'a> {
    /// How the path ended.
    pub end: &'a PathEnd,
    /// Load factors that it did not reach.
    pub missing: &'a [f64],
    /// Number of limit points on it.
    pub limit_points: usize,
    /// Load factors of its branch points.
    pub branch_points: &'a [f64],
    /// Whether the mechanism resists every motion without its loads.
    pub held: bool,
}

/// The status, or why there is no answer.
pub fn conclude(spec: &StaticsSpec, passed: &Passed<'_>, outcome: &mut Outcome) -> Result<(), Failure> {
    let Passed { end, missing, limit_points, branch_points, held } = *passed;
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
    let at_goal = matches!(end, PathEnd::LimitPoints { .. } | PathEnd::BranchPoints { .. });
    let bounded = spec.range.is_some() || spec.limit_points.is_some() || spec.branch_points.is_some();
    let complete = missing.is_empty() || (bounded && (at_goal || matches!(end, PathEnd::Range { .. })));
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
    let asked = |found: usize, wanted: Option<usize>| wanted.is_none_or(|wanted| found >= wanted);
    let as_asked = asked(branch_points.len(), spec.branch_points) && asked(limit_points, spec.limit_points);
    if !at_goal && !as_asked {
        let (limits, branches) = (limit_points, branch_points.len());
        let message =
            format!("the path has {limits} limit point(s) and {branches} branch point(s), fewer than asked for: {end}");
        if matches!(end, PathEnd::StepLimit { .. } | PathEnd::Stuck { .. }) {
            let status =
                if matches!(end, PathEnd::Stuck { .. }) { RunStatus::NotConverged } else { RunStatus::IterationLimit };
            return Err(Failure { status, message });
        }
        report.warnings.push(message);
    }
    // The full load is asked for unless something else is.
    let unasked = at_goal && spec.factors == [1.0];
    if !missing.is_empty() && !unasked {
        report.warnings.push(format!("the path does not reach load factor {}: {end}", list(missing)));
    }
    let unstable = report.scalars.get("stability.unstable_directions").copied().unwrap_or(0.0);
    report.status = RunStatus::Solved;
    let buckled = match branch_points {
        [] => String::new(),
        [first, ..] => {
            format!("; the path passed a branch point at load factor {first:.9}, where the mechanism would buckle")
        }
    };
    if unstable > 0.0 {
        let directions = if unstable == 1.0 { "one direction" } else { &format!("{unstable} directions") };
        let words = format!(
            "the equilibrium is unstable in {directions}: left alone, the mechanism would move away from it{buckled}"
        );
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
            PathEnd::BranchPoints { .. } => "the path ends at a branch point, where some motion meets no resistance".into(),
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

/// Whether some motion meets no resistance in the state that is the answer.
fn is_indifferent(report: &Report) -> bool {
    report.scalars.get("stability.indifferent_directions").is_some_and(|count| *count > 0.0)
}

/// What a point of the path is called in files.
pub fn word(kind: PointKind) -> &'static str {
    match kind {
        PointKind::Start => "start",
        PointKind::Step => "step",
        PointKind::LimitPoint => "limit-point",
        PointKind::BranchPoint => "branch-point",
        PointKind::Target => "target",
        PointKind::Bound => "bound",
    }
}

/// What it means that the branch does not even begin.
pub fn not_started(error: BranchError) -> Failure {
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
